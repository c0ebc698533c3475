#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Words of other libraries, and words that nobody has.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

## Words of other libraries

while read -r word leads; do
	status "explain $word" 0 "$SHARDWALK" explain "$word"
	holds "$word: leads to what there is" "$leads" out
	equal "$word: and no more" '' "$(cat err)"
done <<'WORDS'
ScaLAPACK import DESC
descinit export scalapack
PDGEMR2D export scalapack
PETSc local sizes 5 4 3 1
DMDA of a grid is a type
alltoallv plan direct
MPI_Alltoallw plan direct
mpi_alltoallv run --collectives
gloo export dtensor
device_put advise
WORDS

## Words that nobody has

status 'a word that is almost one' 1 "$SHARDWALK" explain alltoal
holds 'has the nearest' "^help: did you mean 'alltoall'" err
equal 'and nothing else is answered' '' "$(cat out)"
status 'almost one of another library' 1 "$SHARDWALK" explain scalapak
holds 'has the nearest, too' "did you mean 'scalapack'" err
status 'a word that is near to none' 1 "$SHARDWALK" explain wibble
holds 'is refused where it is' '^  |          ^^^^^^$' err
holds 'with where words are' '^help: .explain. lists all that it knows, .help -k wibble. searches' err
equal 'no page of notations comes before it' 0 "$(grep -c 'notations that are read' err)"
finish

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
incompatible import FILE
WORDS
status 'the message itself' 0 "$SHARDWALK" explain 'Received incompatible devices for jitted computation. Got argument u of f with shape float32[16] and with device ids [0, 1] on platform CPU'
holds 'what it says' 'are on different devices, or on the same ones'
holds 'its cure' 'jax.device_put(x, NamedSharding(mesh, spec)) before'
status 'a code' 0 "$SHARDWALK" explain N03
for form in 'f32\[12,12\] in front' 'NamedSharding(mesh=Mesh' 'ShapeDtypeStruct(shape' '{devices=\[4,1\]<=\[4\]}' 'jax.device_put(x,'; do
	tr -s ' \n' ' ' <out >flat
	holds "N03 names the form $form" "$form" flat
done

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

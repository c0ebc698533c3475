#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `run --compare alltoallw`: MPI_Alltoallw on subarrays and MPI_Alltoallv on packed tiles, in turns with the plan; every element is proved, and a
# wrong one is found.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'alltoallw'
light_start
cd "$TMP" || exit 1

beside() { # NAME STATEMENTS
	status "$1" 0 "$SHARDWALK" --quiet -c "$2 run --compare alltoallw --reps 2 --launches 1 --json"
	equal "$1: three plans are run and right" 3 "$(grep -c '"verified":true' out)"
	for name in alltoallw alltoallv; do holds "$1: $name" "\"plan\":\"$name\""; done
	equal "$1: by these calls" 'MPI_Alltoallv MPI_Alltoallw' "$(grep -o '"collective":"MPI_[A-Za-z]*"' out | grep -o 'MPI_[A-Za-z]*' | sort -u | xargs)"
}
beside 'tiles' 'mesh {x: 2, y: 2}; f32[16{x}32, 12{y}24, 3] ~> f32[16{y}32, 12{x}24, 3];'
beside 'wide elements' 'mesh {x: 4}; c128[2{x}8, 6] ~> c128[8, 6];'
beside 'narrow ones' 'mesh {x: 3}; u8[3{x}9, 6, 5] ~> u8[9, 2{x}6, 5];'
beside 'two meshes' 'mesh {d: 6}; f64[40{x}160, 33, 7] over {x: 4} ~> f64[160, 11{y}33, 7] over {o: 2, y: 3} on 3-5;'
beside 'rounds' 'mesh {x: 4}; f32[2{x,..}13] ~> f32[3{x,..}13];'

status 'in a table' 0 "$SHARDWALK" -c 'mesh {x: 4}; f32[2{x}8, 8] ~> f32[8, 2{x}8]; run --compare alltoallw --reps 2'
holds 'in three launches or more' 'medians of [3-9] launches'
holds 'beside the plan' '^ *1 fused '
holds 'the one call' '^ *2 alltoallw '
holds 'the other' '^ *3 alltoallv '

refused 'sums' L02 'MPI_Alltoallw moves values but does not add' "$SHARDWALK" -c 'mesh {x: 4}; f32[8]+{x} ~> f32[8]; run --compare alltoallw'
holds 'at the word' '\^\^\^\^\^\^\^\^\^$' err

plan one direct '{x: 4}' 'f32[2{x}8, 8] ~> f32[8, 2{x}8]'
plan several naive '{x: 2, y: 2}' 'f32[4{x}8, 4{y}8] ~> f32[4{y}8, 4{x}8]'
name=$(sed -n 's/.*"name": "\([^"]*\)".*/\1/p' one.json | head -1)
for call in alltoallv alltoallw; do
	"$MPIEXEC" -n 4 "$EXEC" --reps 1 --$call "${name:-one.json}" --flip 2:5 one.json >out 2>err
	holds "$call: a wrong byte is found" 'device 2' err
	"$MPIEXEC" -n 4 "$EXEC" --reps 1 --$call several.json several.json >out 2>err
	holds "$call: several steps are none" 'carry out plans of one exchange' err
done
finish

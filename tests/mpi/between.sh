#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plans between types of any kind on ranks: the block-cyclic example, and random types, every element proved.  SEED=N repeats a run.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'between any two types'
light_start
[ -x "$BUILD/tests/test_between" ] || { skip 'between any two types' 'there is no test_between'; finish; }
PLANS=$TMP "$BUILD/tests/test_between" written >"$TMP/written" 2>&1
seed=$(sed -n "s/.*written: SEED=//p" "$TMP/written" | head -1)
count=$(ls "$TMP"/*.json | wc -l)

for way in shared messages; do
	ranks 6 --reps 0 --transport $way "$TMP"/*.json
	verified "$count plans by $way (SEED=$seed)" "$count"
done
ranks 1 --dry-run "$TMP/0.json"
equal 'the example has 63 elements for others' 63 \
	"$(sed -n 's/.* takes from .*: \([0-9]*\) bytes .*/\1/p' "$TMP/out" | awk '{ sum += $1 / 8 } END { print sum }')"
equal 'from one of 20 pairs each' 20 \
	"$(sed -n 's/^ *\(rank [0-9]* takes from rank [0-9]*\).*/\1/p' "$TMP/out" | sort -u | wc -l)"

# On device 1 are rows 0 to 2 of columns 3 to 5 and on: element 1 of what it stores is [0, 4].
ranks 6 --reps 0 --flip 1:9 "$TMP/0.json"
equal 'a flipped byte ends with 1' 1 $status
holds 'its device and place are named' '"device":1,"place":\[0,1\],"index":\[0,4\]' "$TMP/out"
ranks 6 --reps 0 --swap 1:0:5 "$TMP/0.json"
holds 'and where a misplaced value belongs' '"belongs":{"index":\[1,5\],"device":2}' "$TMP/out"

## By the collective of the pattern

shares=0
collective() { # CALL FROM TO
	shares=$((shares + 1))
	plan "pattern$shares" direct '{x: 4}' "$2 ~> $3"
	ranks 4 --collectives --reps 3 "$TMP/pattern$shares.json"
	verified "$2 to $3 by $1" 1
	equal "$1 is named" "$1" "$(sed -n 's/.*"record":"step".*"collective":"\([^"]*\)".*/\1/p' "$TMP/out")"
	[ -z "$1" ] || holds 'beside the exchange' '"record":"step".*"exchange_seconds":{"median":' "$TMP/out"
}
collective MPI_Allgatherv '[30{x}120]' '[120]'
collective MPI_Allgatherv '[{x}13] by balanced' '[13]'
collective MPI_Gatherv '[1{x,..}121]' '[121] on 2'
collective MPI_Gatherv '[3{x}12]' '[12] on 0,1'
collective MPI_Scatterv '[12] on 1' '[1{x,..}12]'
collective MPI_Bcast '[12] only 2:9 on 1' '[12] only 2:9'
collective MPI_Alltoallv '[1{x,..}64]' '[16{x}64]'
collective MPI_Alltoallv '[4{x}16, 8]' '[16, 2{x}8]'
collective MPI_Reduce '[12]+' '[12] on 3'
collective MPI_Reduce_scatter '[12]+' '[2{x,..}12]'
collective MPI_Allreduce '[12]+ on 0-1' '[12] on 0-1'
collective '' '[3{x}12]' '[3{x}12] shift 1'
collective '' '[9]+ at {0: 0-3; 1: 3-6; 2: 6-8}' '[3{x}9] over {x: 3}'

## As programs: some, with VERIFY=full all

[ -n "$MPICC" ] || { skip 'as programs' 'there is no compiler of MPICH'; finish; }
most=4
[ "$VERIFY" != full ] || most=$count
for file in $(ls "$TMP"/*.c | head -n "$most"); do
	name=$(basename "$file" .c)
	"$MPICC" -std=c11 -O1 -Wall -Wextra -Werror -o "$TMP/$name" "$file" 2>"$TMP/err" || not_ok "program $name compiles" "$(head -5 "$TMP/err")"
	timeout "$PATIENCE" "$MPIEXEC" -n 6 "$TMP/$name" >"$TMP/out" 2>"$TMP/err" </dev/null
	equal "program $name ends (SEED=$seed)" 0 $?
	holds "program $name is right" '^verified: '
done
finish

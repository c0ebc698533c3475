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

# On device 1 lie rows 0 to 2 of columns 3 to 5 and on: element 1 of what it stores is [0, 4].
ranks 6 --reps 0 --flip 1:9 "$TMP/0.json"
equal 'a flipped byte ends with 1' 1 $status
holds 'its device and place are named' '"device":1,"place":\[0,1\],"index":\[0,4\]' "$TMP/out"
ranks 6 --reps 0 --swap 1:0:5 "$TMP/0.json"
holds 'and where a misplaced value belongs' '"belongs":{"index":\[1,5\],"device":2}' "$TMP/out"

## As programs

command -v mpicc >/dev/null || { skip 'as programs' 'there is no mpicc'; finish; }
for file in "$TMP"/*.c; do
	name=$(basename "$file" .c)
	mpicc -std=c11 -O1 -Wall -Wextra -Werror -o "$TMP/$name" "$file" 2>"$TMP/err" || not_ok "program $name compiles" "$(head -5 "$TMP/err")"
	timeout "$PATIENCE" "$MPIEXEC" -n 6 "$TMP/$name" >"$TMP/out" 2>"$TMP/err" </dev/null
	equal "program $name ends (SEED=$seed)" 0 $?
	holds "program $name is right" '^verified: '
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reduction programs on ranks: rings and chains of messages, every sum proved, links simulated where that is asked for.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'reduction programs on ranks'
light_start
mkdir -p "$TMP/scratch"
export TMPDIR="$TMP/scratch"
cd "$TMP" || exit

system='system {node: 2 @ 9GB/s shared, gpu: 2 @ 270GB/s}; axes {data: 4}; place 1'

status 'integers are compared bytewise' 0 "$SHARDWALK" -c "$system; reduce {data} u64[1000]; reductions 1; run --reps 1"
holds 'integers: all are right' 'every element of every rank was right' "$TMP/out"
holds 'integers: bytes that land on all ranks' '62.5' "$TMP/out"
status 'programs with roots' 0 "$SHARDWALK" -c "$system; reduce {data} bf16[1001]; reductions 4; run --reps 1 --throttle"
holds 'floats: the error is said, with its bound' 'the order of adding may' "$TMP/out"
holds 'simulated links: the factor is said' 'the ports of the system at' "$TMP/out"
tree='set allreduce tree; apply allreduce inside root; run --reps 1'
for levels in 'node: 2 @ 9GB/s, gpu: 3 @ 270GB/s' 'node: 5 @ 9GB/s, gpu: 1 @ 270GB/s' 'gpu: 3 @ 1GB/s'; do
	devices=$(echo "$levels" | sed 's/[^0-9]*\([0-9]*\) @[^,]*,*/\1 /g' | awk '{ print $1 * ($2 ? $2 : 1) }')
	status "trees over {$levels}" 0 "$SHARDWALK" -c "system {$levels}; axes {data: $devices}; place 1; reduce {data} u64[30011]; $tree"
	holds "trees over {$levels}: all are right" 'every element of every rank was right' "$TMP/out"
done
status 'trees over simulated links' 0 "$SHARDWALK" -c "$system; reduce {data} bf16[1001]; $tree --throttle"
# All 93 with VERIFY=full.
[ "$VERIFY" = full ] && programs=93 || programs=12
status 'programs in turns' 0 "$SHARDWALK" -c "$system; set masters all; reduce {data} f32[640]; run --compare reductions --limit $programs --reps 1"
holds "all $programs are right" "$programs plans" "$TMP/out"
holds 'none is wrong' 'every element of every rank was right' "$TMP/out"
status 'predictions beside measured times' 0 "$SHARDWALK" -c "$system; reduce {data} f64[4096]; run --compare reductions --limit 4 --reps 1 --throttle"
holds 'where the fastest is among the predictions' 'in the top 1' "$TMP/out"
status 'sum after sum' 0 "$SHARDWALK" -c "$system; reduce {data} f32[640]; run --compare reductions --limit 3 --reps 1 --throttle; reduce {data} f32[6400]; run --compare reductions --limit 3 --reps 1 --throttle"
holds 'how often it is in the top 1, 5 and 10, beside what is published' 'over 2 sums: top 1 [0-9]* %, top 5 100 %, top 10 100 %; published 52 %, 75 %, 92 %' "$TMP/out"

printf '%s\n' '# sums' "$system; reduce {data} f32[640]" '' 'reduce {data} f32[6400]' >sums.sw
status 'a list of sums' 0 "$SHARDWALK" run sums.sw --compare reductions --limit=3 --reps 1 --throttle
holds 'a list: how many programs each sum had' '^   4 *3 *number [1-3]  reduce {data} f32\[6400\]$' "$TMP/out"
holds 'a list: the shares, beside what is published' 'over 2 sums: top 1 [0-9]* %, top 5 100 %, top 10 100 %; published 52 %, 75 %, 92 %' "$TMP/out"
holds 'a list: what is true of so few in any order' 'no sum had more than 3 programs, so top 5 is 100 % whatever' "$TMP/out"
equal 'a list: nothing but its own answer' 6 "$(cat "$TMP/out" "$TMP/err" | wc -l)"
status 'a list as JSON' 0 "$SHARDWALK" run sums.sw --compare reductions --limit 3 --reps 1 --throttle --json
holds 'a list as JSON: the sums' '"line": 4, "sum": "reduce {data} f32\[6400\]", "programs": 3, "place": [1-3]}' "$TMP/out"
holds 'a list as JSON: the shares' '"top": 5, "per_cent": 100, "published_per_cent": 75' "$TMP/out"
head -n 2 sums.sw >one.sw
status 'a list of two programs a sum' 0 "$SHARDWALK" run one.sw --compare reductions --limit 2 --reps 1 --throttle
holds 'two programs have no places' 'fewer than three programs of a sum ran' "$TMP/out"
status 'a list without predictions' 0 "$SHARDWALK" run one.sw --compare reductions --limit 3 --reps 1
holds 'no predictions are remarked' 'there are no predictions without `--throttle`' "$TMP/err"
: >empty.sw
status 'a list without a sum' 1 "$SHARDWALK" run empty.sw --compare reductions --throttle
holds 'a list without a sum: what is missing' 'the file contains no sum' "$TMP/err"
echo 'reduce {no} f32[640]' >>one.sw
status 'a line of a list that is wrong' 1 "$SHARDWALK" run one.sw --compare reductions --limit 3 --reps 1 --throttle
holds 'a wrong line: where it is' 'one.sw:3:8' "$TMP/err"
holds 'a wrong line: the sums before it are shown' 'over 1 sum' "$TMP/out"
status 'a list has no samples' 2 "$SHARDWALK" run sums.sw --compare reductions --samples x.csv

"$SHARDWALK" -c "$system; reduce {data} f32[640]; reductions 1; export plan plan.json" >out 2>err
ranks 4 --reps 0 --flip 2:100 plan.json
equal 'a wrong bit is found' 1 "$status"
says 'a wrong bit: where it is' 'on device 2 is wrong'
status 'fewer ranks are refused' 1 "$SHARDWALK" -c "$system; reduce {data} f32[640]; reductions 1; run --ranks 2"
holds 'fewer ranks: why' 'runs on all devices of its system' "$TMP/err"
status 'plans over types have no links to simulate' 1 "$SHARDWALK" -c 'mesh {x: 2}; [4{x}8] ~> [8]; run --throttle'

## with steps of types

mixed='system {node: 2 @ 9GB/s shared, gpu: 4 @ 270GB/s}; axes {x: 2, y: 2, z: 2}'
for ends in '[161{z}322, 67]+{x,y} ~> f32[322, 67]' '[322, 67]+{x,y} ~> f32[161{z}322, 67]' '[80{z}160, 64]+{x,y} ~> f32[160, 32{z}64]'; do
	status "sums and steps of types: $ends" 0 "$SHARDWALK" -c "$mixed; f32$ends; plan; export plan mixed.json; run --reps 1"
	holds "it is a mixed plan: $ends" 'strategy mixed' "$TMP/out"
	holds "all are right: $ends" 'every element of every rank was right' "$TMP/out"
done
ranks 8 --reps 0 --check-steps --flip 5:100 mixed.json
equal 'a wrong bit of a mixed plan is found' 1 "$status"
says 'a wrong bit of a mixed plan: where it is' 'on device 5 is wrong'
status 'trees inside of a mixed plan' 0 "$SHARDWALK" -c "$mixed; set allreduce tree; f32[80{z}160, 64]+{x,y} ~> f32[160, 32{z}64]; plan; run --reps 1"

## programs of their own

[ -n "$MPICC" ] || { skip 'programs by MPI' 'there is no compiler of MPICH'; finish; }
for n in 1 4 16; do
	"$SHARDWALK" -c "$system; reduce {data} f32[1001]; reductions $n; export mpi p$n.c" >out 2>err
	status "program $n compiles" 0 "$MPICC" -std=c11 -O1 -Wall -Wextra -Werror -o "p$n" "p$n.c"
	compiled_ranks 4 "./p$n" >"$TMP/out" 2>"$TMP/err"
	holds "program $n verifies itself" 'verified: 1001 elements on each of 4 devices' "$TMP/out"
	holds "program $n times its steps" ' us      step 3, ' "$TMP/out"
done

finish

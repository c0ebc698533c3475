#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `run --compare` of schedules: several in turns with what `compare` knows of them then, what is left out with its reason, and refusals.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'schedules in turns'
light_start
export SHARDWALK_SCALAPACK=none # pdgemm.sh has it

small='mesh {x: 2, y: 2}
type A = f64[12, 12] xy->xy; type B = f64[12, 12] xy->xy; type C = f64[12, 12] xy->xy
compute A(i,j) = B(i,k) * C(k,j)'
own='schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2)).communicate({A,B,C}, jo)'

status 'schedules in turns' 0 "$SHARDWALK" --quiet -c "$small
$own
run --compare cannon,own,summa,johnson,einsum,cosma-balanced,pdgemm --launches 2 --reps 1
compare --json
schedule"
for plan in cannon own summa einsum_way cosma_balanced; do
	holds "a row of $plan" "^  [0-9] $plan "
done
holds 'medians of both launches' 'medians of 2 launches'
holds 'every element is right' 'every element of every rank was right'
holds 'ratios' '^medians as multiples of the smallest: cannon [0-9.]*, own [0-9.]*, summa [0-9.]*, einsum [0-9.]*, cosma-balanced [0-9.]*$'
holds 'one of them is the least' '[a-z] 1\.00'
holds 'what needs another machine is left out' "^johnson: left out: 'johnson' runs on no machine of 4 devices$"
holds 'pdgemm is left out' '^pdgemm: left out: '
holds 'the schedule is the one that was there' '^\.communicate({A,B,C}, jo)$'
measured=$(grep '^{' "$TMP/out" | jq -r '[.. | objects | select(.measured_seconds? != null and .measured_seconds > 0) | .name] | sort | join(" ")')
equal 'compare knows what was measured' 'cannon cosma-balanced own summa' "$measured"

status 'another mesh of as many processors' 0 "$SHARDWALK" -c "mesh {x: 4}
type A = f64[12, 12] xy->x; type B = f64[12, 12] xy->x; type C = f64[12, 12] xy->x
compute A(i,j) = B(i,k) * C(k,j)
run --compare cannon,pdgemm --launches 1 --reps 1"
says 'which is said' 'cannon: on mesh {x: 2, y: 2}'

status 'with nothing to undo but what was typed' 0 "$SHARDWALK" --quiet -c "$small
$own
run --compare cannon --launches 1 --reps 1
undo
schedule"
lacks 'the last command is taken back' '^\.communicate'
holds 'and no other' '^schedule \.distribute'

refused() { # WHAT COMMAND COLUMN TEXT
	status "$1" 1 "$SHARDWALK" --quiet -c "$small
$2"
	says "$1: why" "$4"
	says "$1: where" ":4:$3\$"
}
refused 'an unknown schedule' 'run --compare cannon,sumna' 22 "error\[L13\]: there is no schedule 'sumna'"
says 'the nearest' "did you mean 'summa'"
refused 'nothing that runs' 'run --compare johnson,pdgemm' 15 "no schedule is left: johnson: 'johnson' runs on no machine of 4"
refused 'options of plans' 'run --compare cannon --sweep 1kB:2kB' 30 'error\[L02\]: `--sweep` is for plans'

finish

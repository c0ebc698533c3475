#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `run --grow`: the last formula on more and more ranks, by its schedule and by several, what is left out, and refusals; `run --dry-run` of several
# schedules.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'more and more ranks'
light_start

product='mesh {x: 2, y: 2}; schedule cannon m=64 n=64 k=64'
few='--launches 1 --reps 1'

status 'several schedules' 0 "$SHARDWALK" --quiet -c "$product; run --compare cannon,johnson,owner,pdgemm --grow 1,4,8 $few; schedule"
holds 'memory of a rank stays on a plane' '^ 4  cannon  *2x2  *64  *40 KiB '
holds 'on one rank, too' '^ 1  cannon  *1x1  *32  *24 KiB '
holds 'Johnson runs on 8' '^ 8  johnson  *2x2x2  *91 '
holds 'of its fewest ranks each is the measure' '^ 8  johnson .*  1\.00$'
says_out() { holds "$1" "$2"; }
says_out 'and is left out before' "left out: johnson on 1, 4, because 'johnson' runs on no machine of so many"
says_out 'as is what cannot run here' 'left out: pdgemm on 1, 4, 8, because '
equal 'the schedule is the one that was there' 2 "$(grep -c '^2 steps, 8192 elements moved' "$TMP/out")"
equal 'nothing is shown of what was tried' '' "$(cat "$TMP/err")"

"$SHARDWALK" --quiet --json -c "$product; run --compare cannon,summa --grow 1,4 $few; compare" >"$TMP/out" 2>"$TMP/err"
equal 'programs get what was measured, and its measures' 'true' "$(grep schedules-grown "$TMP/out" | jq '
	.statement == "A(i,j) = B(i,k) * C(k,j)" and (.schedules | length) == 4 and .left_out == [] and
	([.schedules[] | [.processors, .name]] == [[1, "cannon"], [1, "summa"], [4, "cannon"], [4, "summa"]]) and
	([.schedules[] | .measured_seconds > 0 and .predicted_seconds > 0 and .efficiency > 0 and .live_gb > 0] | all) and
	([.schedules[] | select(.processors == 4) | .sizes == "64" and .max_peak == 5120 and .volume == 8192] | all) and
	([.schedules[] | (.sizes | tonumber) as $n
		| (2 * $n * $n * $n / .processors / .measured_seconds / 1e9 / .measured_gflops - 1) | fabs < 1e-9] | all)')"
equal 'and compare knows it where it has not grown' 'cannon own summa' \
	"$(tail -n 1 "$TMP/out" | jq -r '[.schedules[] | select(.measured_seconds > 0) | .name] | sort | join(" ")')"

for kernel in 'ttv i=8 j=8 k=8:GB/s' 'innerprod i=8 j=8 k=8:GB/s' 'ttm i=8 j=8 k=8 l=8:GFLOP/s' 'mttkrp i=8 j=8 k=8 l=4:GFLOP/s'; do
	name=${kernel%% *}
	"$SHARDWALK" --quiet -c "mesh {x: 2}; schedule ${kernel%:*}; run --grow 1,2 $few" >"$TMP/out" 2>"$TMP/err"
	holds "$name runs alone, on what its machine becomes" "^ *2  $name  *[x12]* "
	holds "$name is shown by what bounds it" "^on .* measured  *${kernel#*:}  efficiency$"
done

"$SHARDWALK" --quiet -c 'mesh {x: 2}; type A = f64[8, 8] xy->x; type B = f64[8, 8] xy->y
compute A(i,j) = B(i,j)
run --grow 1,2 --reps 1' >"$TMP/out" 2>"$TMP/err"
holds 'without a schedule owners compute' '^ *2  owner  *2  *8 '
"$SHARDWALK" --quiet -c 'mesh {x: 2, y: 2}; type A = f64[8, 8] xy->xy; type B = A; type C = A
compute A(i,j) = B(i,k) * C(k,j)
schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2)).communicate({A,B,C}, jo)
run --grow 2,8 --reps 1' >"$TMP/out" 2>"$TMP/err"
holds "one's own grows with its grid" '^ *8  own  *2x4  *11 '

# ---- without ranks ----
"$SHARDWALK" --quiet -c "$product; run --compare cannon,best,johnson --dry-run" >"$TMP/out" 2>"$TMP/err"
holds 'each schedule has what a run would need' '^cannon  *4  *9  *7  *352 KiB$'
holds 'one command starts each' '^command  .*mpiexec.* -n 4 '
holds 'what does not run is left out' "johnson: left out: 'johnson' runs on no machine of 4"
"$SHARDWALK" --quiet --json -c "$product; run --compare cannon,johnson --dry-run" >"$TMP/out" 2>"$TMP/err"
equal 'for programs, too' 'shardwalk.dry_run/1 cannon 4 7' \
	"$(tail -n 1 "$TMP/out" | jq -r '"\(.schema) \(.schedules[0].name) \(.schedules[0].ranks) \(.schedules[0].steps)"')"
"$SHARDWALK" --quiet -c "$product; run --compare cannon --grow 4,1024 --dry-run" >"$TMP/out" 2>"$TMP/err"
holds 'above what may run it is shown alone' '^1024  cannon  *32x32  *1024 '
holds 'with the line that starts it' '^command  .* -n 1024 '

# ---- refusals ----
refused() { # WHAT COMMAND COLUMN TEXT
	status "$1" 1 "$SHARDWALK" --quiet -c "mesh {x: 2, y: 2}
$2"
	says "$1: why" "$4"
	says "$1: where" ":$3\$"
}
cannon='schedule cannon m=8 n=8 k=8
run'
refused 'more ranks than there may be' "$cannon --grow 1,64" 3:12 'error\[L13\]: 64 ranks are more than max_ranks, which is 32'
says 'with the way out' '`set max_ranks 64` allows them; `compare --grow` predicts without ranks'
refused 'no formula' 'run --grow 1,2' 2:12 'error\[L07\]: `--grow` is for formulas'
refused 'what does not grow' "$cannon --ranks 2 --grow 1,2" 3:13 'error\[L02\]: `--ranks` is not for schedules that grow'
refused 'no number of ranks' "$cannon --grow 0" 3:12 'numbers above 0 with commas between them'
refused 'nothing that runs' "$cannon --compare johnson --grow 1,2" 3:30 "no schedule is left: johnson: 'johnson' runs on no machine of 1"

# ---- stopped ----
"$SHARDWALK" --quiet -c "$product; run --compare cannon,summa --grow 1,8 --launches 400 --reps 1" >"$TMP/out" 2>"$TMP/err" &
pid=$!
tries=0
while [ "$tries" -lt "$PATIENCE" ] && ! pgrep -P "$pid" >/dev/null; do
	sleep 0.1
	tries=$((tries + 1))
done
sleep 1
kill -INT "$pid"
wait "$pid"
equal 'a signal ends it' 130 "$?"
holds 'what was measured until then is shown' '^ *1  cannon  *1x1 '
finish

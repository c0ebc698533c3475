#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How close the executor comes to what the machine can do: 8 ranks, LAUNCHES launches (default 5) of every case, interleaved,
# every repetition beside a reference copy of the same bytes (I).  Printed: the median of the launches' shares with the
# smallest and the largest, and the goal.  Launches in which others used more than 5 % of the processors are counted.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_goals'
launches=${LAUNCHES:-5}

plan contiguous-8M fused '{x: 8}' 'f32[{x}8, 8, 262144] ~> f32[8, {x}8, 262144]'
plan contiguous-32M fused '{x: 8}' 'f32[{x}8, 8, 1048576] ~> f32[8, {x}8, 1048576]'
plan to-runs-512-8M fused '{x: 8}' 'f32[16384, {x}1024] ~> f32[{x}16384, 1024]'
plan to-runs-512-32M fused '{x: 8}' 'f32[65536, {x}1024] ~> f32[{x}65536, 1024]'
plan allgather-8M fused '{x: 8}' 'f32[{x}16777216] ~> f32[16777216]'
plan allgather-32M fused '{x: 8}' 'f32[{x}67108864] ~> f32[67108864]'
plan permute-8M fused '{x: 2, y: 4}' 'f32[{x,y}16777216] ~> f32[{y,x}16777216]'
plan permute-32M fused '{x: 2, y: 4}' 'f32[{x,y}67108864] ~> f32[{y,x}67108864]'
plan from-runs-8192-8M fused '{x: 8}' 'f32[{x}1024, 16384] ~> f32[1024, {x}16384]'
plan from-runs-512-8M fused '{x: 8}' 'f32[{x}16384, 1024] ~> f32[16384, {x}1024]'
plan from-runs-64-8M fused '{x: 8}' 'f32[{x}131072, 128] ~> f32[131072, {x}128]'
plan contiguous-1M fused '{x: 8}' 'f32[{x}8, 8, 32768] ~> f32[8, {x}8, 32768]'
plan permute-1M fused '{x: 2, y: 4}' 'f32[{x,y}2097152] ~> f32[{y,x}2097152]'
plan smallest fused '{x: 8}' 'f32[{x}8, 8] ~> f32[8, {x}8]'
plan rows-to-columns fused '{x: 8}' 'f64[{x}8192, 8192] ~> f64[8192, {x}8192]'

peers=
if [ -n "$MPICC" ] && $MPICC -O2 -o "$TMP/peers" "$SRC/tests/bench/mpi_peers.c" "$SRC/mpi_exec/yield.c" 2>"$TMP/cc.err"; then
	peers="$TMP/peers"
	$MPICC -O2 -DSCALAPACK -o "$TMP/scalapack" "$SRC/tests/bench/mpi_peers.c" "$SRC/mpi_exec/yield.c" \
		-lscalapack-mpich 2>"$TMP/cc.err" || true
fi

# NAME SHARE SECONDS BUSY for every step of a launch
shares() { # SUFFIX
	awk -v suffix="$1" '
	function value(key,  at) {
		at = index($0, "\"" key "\":")
		return at ? substr($0, at + length(key) + 3) + 0 : 0
	}
	/"record":"start"/ { match($0, /"file":"[^"]*"/); name = substr($0, RSTART + 8, RLENGTH - 9); sub(/.*\//, "", name); sub(/\.json$/, "", name) }
	/"record":"step"/ { share = value("share"); sub(/.*"seconds":/, ""); seconds = value("median") }
	/"record":"machine"/ { print name suffix, share, seconds, (index($0, "\"busy\":true") > 0) }' "$TMP/out"
}

seconds_of() { # COMMAND...
	begin=$(date +%s.%N)
	"$@" >/dev/null 2>&1 </dev/null
	awk "BEGIN { print $(date +%s.%N) - $begin }"
}

launch=1
while [ "$launch" -le "$launches" ]; do
	for name in contiguous-8M contiguous-32M to-runs-512-8M to-runs-512-32M allgather-8M allgather-32M permute-8M permute-32M \
		from-runs-8192-8M from-runs-512-8M from-runs-64-8M contiguous-1M permute-1M smallest rows-to-columns; do
		ranks 8 --launch "$launch" "$TMP/$name.json"
		[ $status = 0 ] || not_ok "$name" "$(head -c 300 "$TMP/err")"
		shares '' >>"$TMP/all"
		if [ $name = rows-to-columns ] && [ -n "$peers" ]; then
			echo "alltoallw 0 $("$MPIEXEC" -n 8 "$peers" alltoallw 8192 5 </dev/null) 0" >>"$TMP/all"
			[ ! -x "$TMP/scalapack" ] || echo "pdgemr2d 0 $("$MPIEXEC" -n 8 "$TMP/scalapack" pdgemr2d 8192 5 </dev/null) 0" >>"$TMP/all"
		fi
	done
	ranks 8 --launch "$launch" --transport messages "$TMP/contiguous-8M.json" "$TMP/from-runs-512-8M.json" \
		"$TMP/from-runs-64-8M.json"
	shares -messages >>"$TMP/all"
	if [ -n "$peers" ]; then
		echo "start-empty 0 $(seconds_of "$MPIEXEC" -n 8 "$peers" empty) 0" >>"$TMP/all"
		echo "start-run 0 $(seconds_of "$MPIEXEC" -n 8 "$EXEC" --reps 0 "$TMP/smallest.json") 0" >>"$TMP/all"
	fi
	launch=$((launch + 1))
done

sort "$TMP/all" >"$TMP/sorted"
awk -v launches="$launches" '
function median(list, count,  i, j, t) {
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	low = list[1]; high = list[count]
	return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}
{ n[$1]++; share[$1, n[$1]] = $2; seconds[$1, n[$1]] = $3; busy[$1] += $4 }
function row(name, goal,  i, s, t, m) {
	if (!n[name]) return
	for (i = 1; i <= n[name]; i++) t[i] = seconds[name, i]
	m = median(t, n[name])
	for (i = 1; i <= n[name]; i++) s[i] = 100 * share[name, i]
	printf "%-26s %9.3f ms  %4.0f %% of I (%.0f to %.0f)  goal %d %%%s%s\n", name, m * 1e3, median(s, n[name]), low, high, goal,
		median(s, n[name]) < goal ? "  MISSED" : "", busy[name] ? "  " busy[name] " of " n[name] " launches busy" : ""
}
function time_of(name,  i, t) {
	for (i = 1; i <= n[name]; i++) t[i] = seconds[name, i]
	return n[name] ? median(t, n[name]) : 0
}
END {
	printf "%d launches of 8 ranks each\n", launches
	row("contiguous-8M", 95); row("contiguous-32M", 95); row("to-runs-512-8M", 95); row("to-runs-512-32M", 95)
	row("allgather-8M", 95); row("allgather-32M", 95); row("permute-8M", 95); row("permute-32M", 95)
	row("from-runs-8192-8M", 85); row("from-runs-512-8M", 65); row("from-runs-64-8M", 60)
	row("contiguous-1M", 90); row("permute-1M", 90)
	row("contiguous-8M-messages", 60); row("from-runs-512-8M-messages", 28); row("from-runs-64-8M-messages", 18)
	printf "%-26s %9.1f us  goal 50 us\n", "smallest step", time_of("smallest") * 1e6
	mine = time_of("rows-to-columns")
	printf "%-26s %9.3f ms\n", "rows to columns", mine * 1e3
	if (n["alltoallw"]) printf "%-26s %9.3f ms: %.1f times as long, goal 3\n", "  MPI_Alltoallw", time_of("alltoallw") * 1e3, time_of("alltoallw") / mine
	if (n["pdgemr2d"]) printf "%-26s %9.3f ms: %.1f times as long, goal 8\n", "  pdgemr2d", time_of("pdgemr2d") * 1e3, time_of("pdgemr2d") / mine
	else print "  pdgemr2d                 left out: libscalapack-mpich is not installed"
	if (n["start-run"]) printf "%-26s %9.3f s, an empty MPI program %.3f s, goal at most 0.1 s more\n", "launch of 8 ranks", time_of("start-run"), time_of("start-empty")
}' "$TMP/sorted"
finish

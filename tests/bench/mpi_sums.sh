#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sums on ranks of one host: 8 ranks, LAUNCHES launches (default 5) of every case, interleaved.  A reducescatter beside a loop
# that reads n tiles and writes one, in the same run (I); an allreduce beside MPICH's own, right after it; and what `calibrate`
# predicts of plans with sums, beside what they take.  PREDICT=0 leaves out the last part, which calibrates for minutes.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_sums'
launches=${LAUNCHES:-5}
export XDG_STATE_HOME="$TMP/state"

# NAME SHARE SECONDS PREDICTED BUSY of every launch: of its only step, or of all steps
tell() { # NAME PREDICTED
	awk -v name="$1" -v predicted="$2" '
	function value(key,  at) {
		at = index($0, "\"" key "\":")
		return at ? substr($0, at + length(key) + 3) + 0 : 0
	}
	/"record":"step"/ { share = value("share"); sub(/.*"seconds":/, ""); seconds = value("median") }
	/"record":"total"/ { sub(/.*"seconds":/, ""); seconds = value("median") }
	/"record":"machine"/ { print name, share, seconds, predicted, (index($0, "\"busy\":true") > 0) }' "$TMP/out"
}

sizes='256K:65536 1M:262144 8M:2097152 32M:8388608'
for size in $sizes; do
	plan "reducescatter-${size%:*}" fused '{x: 8}' "f32[${size#*:}]+{x} ~> f32[{x}${size#*:}]"
	plan "allreduce-${size%:*}" sum-first '{x: 8}' "f32[${size#*:}]+{x} ~> f32[${size#*:}]"
done
peers=
if [ -n "$MPICC" ] && $MPICC -O2 -o "$TMP/peers" "$SRC/tests/bench/mpi_peers.c" "$SRC/mpi_exec/yield.c" 2>"$TMP/cc.err"; then
	peers="$TMP/peers"
fi

launch=1
while [ "$launch" -le "$launches" ]; do
	for size in $sizes; do
		for name in "reducescatter-${size%:*}" "allreduce-${size%:*}"; do
			ranks 8 --launch "$launch" "$TMP/$name.json"
			[ $status = 0 ] || not_ok "$name" "$(head -c 300 "$TMP/err")"
			tell "$name" 0 >>"$TMP/all"
		done
		[ -z "$peers" ] || echo "mpich-${size%:*} 0 $("$MPIEXEC" -n 8 "$peers" allreduce "${size#*:}" 15 </dev/null) 0 0" >>"$TMP/all"
	done
	launch=$((launch + 1))
done

# Plans with sums of all strategies that know them, by the model that knows this machine.
cases() {
	cat <<-'END'
		{x: 8}|f32[8, 131072]+{x} ~> f32[{x}8, 131072]
		{x: 8}|f32[1048576]+{x} ~> f32[1048576]
		{x: 2, y: 4}|f32[{y}4, 262144]+{x} ~> f32[{y}4, 262144]
		{x: 2, y: 4}|f32[{x}16, 65536]+{y} ~> f32[{x}16, {y}65536]
		{x: 2, y: 4}|f32[{x}1024, 1024]+{y} ~> f32[1024, {x,y}1024]
		{x: 2, y: 4}|f32[1024, 512]+{x} ~> f32[1024, 512]
		{x: 2, y: 2, z: 2}|f32[{x}512, 1024]+{y,z} ~> f32[{x}512, {y}1024]+{z}
		{x: 2, y: 2, z: 2}|f32[{x}512, {y}1024]+{z} ~> f32[512, {z}1024]
		{x: 2, y: 2, z: 2}|f32[{x}2048, 1024] ~> f32[2048, {z}1024]+{x}
	END
}
predict() {
	"$SHARDWALK" calibrate --ranks 8 </dev/null >"$TMP/calibrated" || { not_ok calibrate "$(head -c 300 "$TMP/calibrated")"; return; }
	number=0
	cases | while IFS='|' read -r mesh ends; do
		for strategy in fused exact sum-first direct; do
			number=$((number + 1))
			"$SHARDWALK" plan "mesh $mesh" "$ends" $strategy --model calibrated --json --maps >"$TMP/p.json" 2>"$TMP/plan.err" || continue
			predicted=$(sed -n 's/.*"model_cost": \([0-9.e-]*\),.*/\1/p' "$TMP/p.json")
			for launch in $(seq "$launches"); do
				ranks 8 --launch "$launch" --total --no-reference "$TMP/p.json"
				[ $status = 0 ] || not_ok "$ends" "$(head -c 300 "$TMP/err")"
				tell "predicted-$number" "$predicted" >>"$TMP/all"
			done
		done
	done
}
[ "${PREDICT:-1}" = 0 ] || predict

awk -v launches="$launches" '
function median(list, count,  i, j, t) {
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}
$1 ~ /^predicted-/ { predicted[$1] = $4 }
{ n[$1]++; share[$1, n[$1]] = 100 * $2; seconds[$1, n[$1]] = $3; busy += $5; runs++ }
function middle(of, name,  i, t) {
	for (i = 1; i <= n[name]; i++) t[i] = of[name, i]
	return n[name] ? median(t, n[name]) : 0
}
END {
	printf "%d launches of 8 ranks each; beside %d of %d runs others used the processors\n", launches, busy, runs
	count = split("256K 1M 8M 32M", size, " ")
	for (i = 1; i <= count; i++) {
		s = middle(share, "reducescatter-" size[i])
		printf "reducescatter of %4s %9.3f ms  %4.0f %% of I  goal 80 %%%s\n", size[i], 1e3 * middle(seconds, "reducescatter-" size[i]), s, s < 80 ? "  MISSED" : ""
	}
	for (i = 1; i <= count; i++) {
		mine = middle(seconds, "allreduce-" size[i]); theirs = middle(seconds, "mpich-" size[i])
		goal = (i > 1) ? "goal 2" : "no goal below 1M"
		printf "allreduce of     %4s %9.3f ms", size[i], 1e3 * mine
		if (theirs > 0 && mine > 0) printf "  MPI_Allreduce %9.3f ms: %.1f times as long, %s%s", 1e3 * theirs, theirs / mine, goal, (i > 1 && theirs < 2 * mine) ? "  MISSED" : ""
		print ""
	}
	for (name in predicted) {
		took = middle(seconds, name)
		if (took > 0 && predicted[name] > 0) { e = 100 * (predicted[name] / took - 1); error[++errors] = e < 0 ? -e : e }
		for (i = 1; i <= n[name] && took > 0; i++) { e = 100 * (seconds[name, i] / took - 1); apart[++aparts] = e < 0 ? -e : e }
	}
	if (aparts) printf "single launches of these are %.0f %% from their median, in the median\n", median(apart, aparts)
	if (errors) printf "predicted after calibrate, %d plans with sums: median error %.0f %%, goal 15 %%\n", errors, median(error, errors)
}' "$TMP/all"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reduction programs on 8 ranks as 2 nodes of 4, links throttled 30 to 1: the best program against one ring all-reduce (goal 1.5 times
# as fast; 1.71 predicted), and where the fastest of the first 20 stands among the predictions.  BYTES a rank (default 4 MiB).
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_reductions'
export XDG_STATE_HOME="$TMP/state"
elements=$((${BYTES:-4194304} / 4))

"$SHARDWALK" -c "system {node: 2 @ 9GB/s shared, gpu: 4 @ 270GB/s}; axes {data: 8}; place 1; reduce {data} f32[$elements]
run --compare reductions --limit 20 --throttle --reps 3 --json" >"$TMP/out" 2>"$TMP/err" ||
	{ echo "mpi_reductions: $(head -c 400 "$TMP/err")"; exit 1; }
awk '
function value(key,  at) {
	at = index($0, "\"" key "\":")
	return at ? substr($0, at + length(key) + 3) + 0 : 0
}
/"record":"start"/ { name = $0; sub(/.*"plan":"/, "", name); sub(/".*/, "", name); factor = value("throttle") }
/"record":"total"/ { predicted[name] = value("predicted_seconds"); sub(/.*"seconds":/, ""); measured[name] = value("median") }
/"record":"check"/ { right += index($0, "\"verified\":true") > 0 }
END {
	for (name in measured) {
		if (name ~ /^1: /) best = name
		if (name ~ /: allreduce inside root$/) ring = name
		if (fastest == "" || measured[name] < measured[fastest]) fastest = name
	}
	for (name in measured) {
		ahead += predicted[name] < predicted[fastest] * (1 - 1e-9)
		behind += measured[name] < measured[best]
	}
	printf "one ring all-reduce   %8.1f ms, predicted %8.1f ms\n", 1e3 * measured[ring], 1e3 * predicted[ring]
	printf "best program          %8.1f ms, predicted %8.1f ms\n", 1e3 * measured[best], 1e3 * predicted[best]
	printf "times as fast         %8.2f     predicted %8.2f   goal 1.50\n", measured[ring] / measured[best], predicted[ring] / predicted[best]
	printf "the fastest is number %d of the predictions; the first prediction number %d of the measured; %d programs right\n", ahead + 1, behind + 1, right
	printf "rates of the system times %.3g\n", factor
}' "$TMP/out"

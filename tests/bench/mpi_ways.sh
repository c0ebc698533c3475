#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ways of products on 8 ranks: the one that is predicted to be the fastest against the fastest measured of the first ten (goal: within
# 5 %), and against XLA on 8 host devices where SHARDWALK_PYTHON has JAX (goals: 2.5 times as fast in the geometric mean, never
# slower).  Products of the recorded cases, every size times one factor, so that the larger operand has about 60 MB.
# PROGRAMS says how many of them, ONLY which (0043|0052); calibrates where this machine has not been measured yet.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_ways'

products() {
	cat <<-'END'
	0009 {x: 4, y: 2} bd,df->bf [86{x}344, 1376{y}2752] [2752, 2752{y}5504] [86{x}344, 2752{y}5504]
	0047 {x: 4, y: 2} ij,jk->ik [242{x}968, 1936{y}3872] [1936{y}3872, 3872] [242{x}968, 1936{y}3872]
	0043 {x: 4, y: 2} ij,jk->ik [3168{y}6336, 594{x}2376] [1188{y}2376, 1188] [1584{x}6336, 594{y}1188]
	0052 {x: 4, y: 2} bij,bjk->bik [96, 192{x}768, 96{y}192] [96, 96{y}192, 192] [96, 96{y,x}768, 192]
	0054 {x: 4, y: 2} ij,kj->ik [2240{y}4480, 840{x}3360] [840, 840{x}3360] [560{x,y}4480, 840]
	0058 {a: 2, b: 2, c: 2} ij,jk->ik [1584{a}3168, 1188{c,b}4752] [2376{c}4752, 594{b}1188] [792{b,a}3168, 1188]
	END
}

"$SHARDWALK" --quiet -c 'mesh {x: 8}; model calibrated; [{x}64] ~> [64]; plan' >/dev/null 2>&1 ||
	"$SHARDWALK" calibrate --ranks 8 </dev/null >"$TMP/calibrated" || not_ok calibrate "$(head -c 300 "$TMP/calibrated")"

# Predicted and measured seconds of the way that is predicted to be the fastest, and of the fastest.
ours() { # MESH EQUATION A B AS
	timeout 1000 "$SHARDWALK" --quiet -c "mesh $1; model calibrated; einsum '$2' $3, $4 as $5 --limit 1; run --compare ways --launches ${LAUNCHES:-2} --reps ${REPS:-3}
compare --json" </dev/null 2>"$TMP/err" | tail -n 1 |
		jq -r '"\(.ways[0].predicted_seconds) \(.ways[0].measured_seconds) \([.ways[].measured_seconds] | min)"'
}

xla() {
	[ -n "$SHARDWALK_PYTHON" ] && "$SHARDWALK_PYTHON" "$SRC/tests/bench/xla_product.py" "$@" 2>"$TMP/err" || echo 0
}

products | grep -E "^(${ONLY:-....}) " | head -n "${PROGRAMS:-6}" | sed -E 's/^(....) (\{.*\}) ([a-z,]+->[a-z]+) (\[[^]]*\]) (\[[^]]*\]) (\[[^]]*\])/\1|\2|\3|\4|\5|\6/' |
	while IFS='|' read -r name mesh equation a b as; do
		numbers=$(ours "$mesh" "$equation" "$a" "$b" "$as")
		set -- $numbers
		[ "$#" = 3 ] || not_ok "$name" "$(head -c 300 "$TMP/err")"
		echo "$name $numbers $(xla "$mesh" "$equation" "$a" "$b" "$as" "${REPS:-3}")"
	done | awk '
	{
		printf "einsum-%s  predicted %4.0f ms, measured %4.0f; the fastest of ten %4.0f: %4.1f %% longer", $1, 1e3 * $2, 1e3 * $3, 1e3 * $4,
			100 * ($3 / $4 - 1)
		if ($5 > 0) { printf "; XLA %5.0f ms: %.2f times as long", 1e3 * $5, $5 / $3; log_sum += log($5 / $3); count++; slower += $5 < $3 }
		printf "\n"
		fflush()
		within += $3 <= 1.05 * $4
		all++
	}
	END {
		printf "the way that is predicted to be the fastest is within 5 %% of the fastest for %d of %d\n", within, all
		if (count) printf "XLA takes %.2f times as long in the geometric mean (goal 2.5), %d of %d are slower than XLA (goal 0)\n", exp(log_sum / count), slower, count
	}'
finish

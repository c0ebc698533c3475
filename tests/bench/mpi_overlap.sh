#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Cannon on 4 ranks of one host with overlap and without, in turns: LAUNCHES (default 5) pairs of launches, SIZES (default "1000 2000").  Printed: medians of
# the medians of launches, their ratio, and the goal: with overlap never more than 2 % slower.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_overlap'

total() { # OVERLAP: seconds of a launch
	timeout "$PATIENCE" "$MPIEXEC" -n 4 "$EXEC" --reps 5 --warmup 1 --overlap "$1" --transport "$transport" "$TMP/cannon.json" \
		2>"$TMP/err" </dev/null | jq -r 'select(.record == "total") | .seconds.median'
}

median() { # FILE
	sort -g "$1" | awk '{ at[NR] = $1 } END { print NR % 2 ? at[(NR + 1) / 2] : (at[NR / 2] + at[NR / 2 + 1]) / 2 }'
}

for size in ${SIZES:-1000 2000}; do
	"$SHARDWALK" --quiet -c "mesh {x: 2, y: 2}
schedule cannon m=$size n=$size k=$size
export plan $TMP/cannon.json program" >/dev/null 2>"$TMP/err" || not_ok "cannon $size" "$(head -c 300 "$TMP/err")"
	for transport in shared messages; do
		: >"$TMP/on"
		: >"$TMP/off"
		launch=0
		while [ $launch -lt "${LAUNCHES:-5}" ]; do
			total on >>"$TMP/on"
			total off >>"$TMP/off"
			launch=$((launch + 1))
		done
		echo "$size $transport $(median "$TMP/on") $(median "$TMP/off")" | awk '{
			printf "cannon %5d  %-8s  with overlap %8.2f ms  without %8.2f ms  ratio %.3f, goal at most 1.02%s\n", $1, $2,
				$3 * 1e3, $4 * 1e3, $3 / $4, ($3 > 1.02 * $4 ? "  MISSED" : "") }'
	done
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Products of matrices by schedules against pdgemm of ScaLAPACK in the same launches, each at its best block size and by the same BLAS; against
# the rate at which all cores multiply alone, measured in the same launch; and the time against what was predicted in that launch.  LAUNCHES
# (default 5), SIZES ("1000 2000 4000"), SHAPES ("square tall flat"), MESH ("2 2"), NAMES of schedules ("cannon,summa"), REPS (3).  Printed:
# medians of the launches, ratios and goals, the geometric mean, the median error of the predictions.  Without ScaLAPACK, or where its BLAS is
# another one, there is no ratio.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_pdgemm'
launches=${LAUNCHES:-5} names=${NAMES:-cannon,summa}
mesh=$(echo "${MESH:-2 2}" | awk '{ printf "x: %d, y: %d", $1, $2 }')

shape() { # SHAPE N: m n k
	case $1 in
	tall) echo "$(($2 * 2)) $(($2 / 2)) $2" ;;
	flat) echo "$(($2 / 2)) $(($2 / 2)) $(($2 * 4))" ;;
	*) echo "$2 $2 $2" ;;
	esac
}

# The records of each schedule: NAME, then what the start of a run says of it, its seconds and the predicted ones, what others used
measure() { # M N K
	"$SHARDWALK" --quiet -c "mesh {$mesh}
type A = f64[$1, $2] xy->xy; type B = f64[$1, $3] xy->xy; type C = f64[$3, $2] xy->xy
compute A(i,j) = B(i,k) * C(k,j)
run --compare $names,pdgemm --launches $launches --reps ${REPS:-3} --warmup 1 --json" >"$TMP/out" 2>"$TMP/err" ||
		not_ok "$1 x $2 x $3" "$(head -c 300 "$TMP/err")"
	grep -a '^{' "$TMP/out" | jq -r 'if .record == "start" then "start \(.plan) \(.product_flops_per_second) \(.product_file)"
		elif .record == "total" then "total \(.seconds.median) \(.predicted_seconds)" elif .record == "machine" then "machine \(.others_share)" else empty end'
}

for size in ${SIZES:-1000 2000 4000}; do
	for shape in ${SHAPES:-square tall flat}; do
		set -- $(shape "$shape" "$size")
		measure "$@" | sed "s/^/$shape $size $1 $2 $3 /"
	done
done >"$TMP/all"

awk '
function median(key,  i, j, t, list, count) {
	count = n[key]
	for (i = 1; i <= count; i++) list[i] = value[key, i]
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}
{ case_ = $1 " " $2; if (!(case_ in seen)) { seen[case_] = 1; order[++cases] = case_ } flops[case_] = 2 * $3 * $4 * $5 }
$6 == "start" { plan = $7; file[case_, plan] = $9; rate = $8; plans[plan] = 1; key = case_ " " plan " rate"; value[key, ++n[key]] = rate }
$6 == "total" {
	key = case_ " " plan; value[key, ++n[key]] = $7
	if (plan != "pdgemm") { error = $8 / $7 - 1; value["error", ++n["error"]] = error < 0 ? -error : error }
	key = case_ " " plan " share"; value[key, ++n[key]] = flops[case_] / $7 / rate
}
$6 == "machine" { if ($7 > worst) worst = $7 }
END {
	for (c = 1; c <= cases; c++) {
		k = order[c]; best = 0
		printf "%-12s", k
		for (plan in plans) {
			printf "  %s %.2f ms, %.0f %% of the cores alone", plan, 1e3 * median(k " " plan), 100 * median(k " " plan " share")
			if (plan != "pdgemm" && (!best || median(k " " plan) < best)) { best = median(k " " plan); winner = plan }
		}
		share = median(k " " winner " share")
		printf "  goal 90 %%%s", share < 0.9 ? "  MISSED" : ""
		if (n[k " pdgemm"] && file[k, "pdgemm"] == file[k, winner]) {
			ratio = median(k " pdgemm") / best; product += log(ratio); ratios++
			printf "  pdgemm %.2f times as long, goal 0.95%s", ratio, ratio < 0.95 ? "  MISSED" : ""
		} else printf "  pdgemm: no ratio"
		print ""
	}
	if (ratios) printf "geometric mean over pdgemm %.2f, goal 1.25%s\n", exp(product / ratios), product / ratios < log(1.25) ? "  MISSED" : ""
	printf "median error of the predictions %.0f %%, goal 15 %%\n", 100 * median("error")
	printf "others used at most %.0f %% of the processors meanwhile\n", 100 * worst
}' "$TMP/all"
finish

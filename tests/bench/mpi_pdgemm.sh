#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Products of matrices by schedules on 4 ranks against pdgemm of ScaLAPACK in the same launches, each at its best block size and by the same BLAS;
# against the rate at which every core multiplies alone; and with copies of what is read in place.  LAUNCHES (default 5), SIZES (default "1000
# 2000 4000"), SHAPES (default "square tall flat").  Printed: medians of the launches, ratios and goals, the geometric mean.  Without
# ScaLAPACK, or where its BLAS is another one, there is no ratio.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_pdgemm'
launches=${LAUNCHES:-5}

shape() { # SHAPE N: m n k
	case $1 in
	tall) echo "$(($2 * 2)) $(($2 / 2)) $2" ;;
	flat) echo "$(($2 / 2)) $(($2 / 2)) $(($2 * 4))" ;;
	*) echo "$2 $2 $2" ;;
	esac
}

# The records of each schedule in launches of their own: NAME LAUNCH SECONDS FLOPS-A-CORE OTHERS
measure() { # M N K NAMES OPTION...
	m=$1 n=$2 k=$3 names=$4
	shift 4
	"$SHARDWALK" --quiet -c "mesh {x: 2, y: 2}
type A = f64[$m, $n] xy->xy; type B = f64[$m, $k] xy->xy; type C = f64[$k, $n] xy->xy
compute A(i,j) = B(i,k) * C(k,j)
run --compare $names --launches $launches --reps 3 --warmup 1 --json $*" >"$TMP/out" 2>"$TMP/err" ||
		not_ok "$m x $n x $k" "$(head -c 300 "$TMP/err")"
	grep -a '^{' "$TMP/out" | jq -r 'if .record == "start" then "start \(.plan) \(.cores) \(.product_flops_per_second) \(.product_file) \(.messages_in_place // 0)"
		elif .record == "total" then "total \(.seconds.median)" elif .record == "machine" then "machine \(.others_share)" else empty end'
}

for size in ${SIZES:-1000 2000 4000}; do
	for shape in ${SHAPES:-square tall flat}; do
		set -- $(shape "$shape" "$size")
		measure "$@" cannon,summa,pdgemm | sed "s/^/$shape $size $1 $2 $3 /"
		measure "$@" cannon --in-place off | sed "s/^/$shape $size $1 $2 $3 /; s/start cannon/start copied/"
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
$6 == "start" { plan = $7; cores = $8; rate = $9 / 2; file[case_, plan] = $10; if (plan == "cannon") { key = case_ " rate"; value[key, ++n[key]] = rate } }
$6 == "total" { key = case_ " " plan; value[key, ++n[key]] = $7 }
$6 == "machine" { if ($7 > worst) worst = $7 }
END {
	for (c = 1; c <= cases; c++) {
		k = order[c]; cannon = median(k " cannon"); summa = median(k " summa"); best = cannon < summa ? cannon : summa
		speed = flops[k] / best / (cores * median(k " rate"))
		printf "%-12s cannon %8.2f ms  summa %8.2f ms  copied %8.2f ms  %3.0f %% of the cores alone, goal 90 %%%s", k, cannon * 1e3,
			summa * 1e3, median(k " copied") * 1e3, 100 * speed, speed < 0.9 ? "  MISSED" : ""
		if (n[k " pdgemm"] && file[k, "pdgemm"] == file[k, "cannon"]) {
			ratio = median(k " pdgemm") / best; product += log(ratio); ratios++
			printf "  pdgemm %8.2f ms: %.2f times as long, goal 0.95%s", median(k " pdgemm") * 1e3, ratio, ratio < 0.95 ? "  MISSED" : ""
		} else printf "  pdgemm: no ratio"
		print ""
	}
	if (ratios) printf "geometric mean over pdgemm %.2f, goal 1.25%s\n", exp(product / ratios), product / ratios < log(1.25) ? "  MISSED" : ""
	printf "others used at most %.0f %% of the processors meanwhile\n", 100 * worst
}' "$TMP/all"
finish

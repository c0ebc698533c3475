#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs on ranks: products against one call of the library on the same tile with as many ranks busy (goal 95 %); a program
# against the sum of its steps, each timed alone (within 10 %); and predicted times of the programs of the cases,
# scaled up, against measured ones (goal: median error 15 %, after `calibrate`).
# PROGRAMS (default 16) says how many of them, EDGE (default 1536) how large their largest dimension becomes; CALIBRATE=0 predicts
# by the model latency instead.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_programs'
programs=${PROGRAMS:-16} edge=${EDGE:-1536} cases=$CASES/programs-chains.jsonl

product() { # NAME MESH A B EQUATION
	cat >"$TMP/$1.spmd" <<-END
	mesh $2
	fn product(a : $3, b : $4) -> ? {
	  c = einsum "$5" a b
	  return c
	}
	END
	list="$list $1"
}

# The records of a run, behind its name.
run_program() { # NAME COMMANDS
	timeout "$PATIENCE" "$SHARDWALK" --quiet -c "program $TMP/$1.spmd; $2; run --json --reps ${REPS:-9}" \
		>"$TMP/out" 2>"$TMP/err" </dev/null || not_ok "$1" "$(head -c 300 "$TMP/err")"
	grep '^{' "$TMP/out" | sed "s/^/$1 /"
}

# Sizes between brackets become so many times as large.
scale() { # TIMES
	awk -v times="$1" '{
		out = ""
		while (match($0, /\[[^]]*\]/)) {
			type = substr($0, RSTART, RLENGTH)
			out = out substr($0, 1, RSTART - 1)
			$0 = substr($0, RSTART + RLENGTH)
			while (match(type, /(^|[^a-zA-Z0-9])[0-9]+/)) {
				lead = substr(type, RSTART, 1)
				out = out substr(type, 1, RSTART) (substr(type, RSTART + 1, RLENGTH - 1) * times)
				type = substr(type, RSTART + RLENGTH)
			}
			out = out type
		}
		print out $0
	}'
}

largest() {
	grep -o '\[[^]]*\]' | grep -oE '(^|[^a-zA-Z0-9])[0-9]+' | grep -oE '[0-9]+' | sort -n | tail -n 1
}

list=
product rows '{x: 2}' '[1024{x}2048, 1024]' '[1024, 1024]' 'ij,jk->ik'
product second-turned '{x: 2}' '[1024{x}2048, 1024]' '[1024, 1024]' 'ij,kj->ik'
product all-turned '{x: 2}' '[1024, 1024{x}2048]' '[1024, 1024]' 'ji,jk->ki'
product batch '{x: 2}' '[8{x}16, 384, 384]' '[8{x}16, 384, 384]' 'bij,bjk->bik'
product heads '{x: 2}' '[2{x}4, 512, 8, 128]' '[2{x}4, 512, 8, 128]' 'bihd,bjhd->bhij'
product f64 '{x: 2}' 'f64[768{x}1536, 768]' 'f64[768, 768]' 'ij,jk->ik'
product 4-ranks '{x: 2, y: 2}' '[1024{x}2048, 1024]' '[1024, 1024{y}2048]' 'ij,jk->ik'
product sum-4-ranks '{x: 4}' '[1024, 512{x}2048]' '[512{x}2048, 1024]' 'ij,jk->ik'
for name in $list; do
	run_program "$name" 'show program'
done >"$TMP/products"

# What is kept beside the history of the prompt predicts from then on.
[ "${CALIBRATE:-1}" = 0 ] || "$SHARDWALK" calibrate --ranks 4 </dev/null >"$TMP/calibrated" ||
	not_ok calibrate "$(head -c 300 "$TMP/calibrated")"
number=0
: >"$TMP/chains"
while [ "$number" -lt "$programs" ] && IFS= read -r line; do
	text=$(printf '%s\n' "$line" | sed 's/.*"text": "\(.*\)", "budgets".*/\1/; s/bf16/f32/g; s/\\n/\n/g; s/\\"/"/g')
	case $text in *'{X: 4, Y: 4}'*) continue ;; esac
	number=$((number + 1))
	times=$((edge / $(printf '%s\n' "$text" | largest)))
	printf '%s\n' "$text" | scale $((times > 0 ? times : 1)) >"$TMP/chain-$number.spmd"
	run_program "chain-$number" assign >>"$TMP/chains"
done <<END
$(awk -v most="$programs" '{ line[NR] = $0 } END { for (n = 0; n < most && n < NR; n++) print line[int(n * NR / (most < NR ? most : NR)) + 1] }' "$cases")
END

values='
function value(key,  at) {
	at = index($0, "\"" key "\":")
	return at ? substr($0, at + length(key) + 3) + 0 : 0
}
function median(key,  at) {
	at = index($0, "\"" key "\":{\"median\":")
	return at ? substr($0, at + length(key) + 13) + 0 : 0
}
function text(key,  rest) {
	rest = substr($0, index($0, "\"" key "\":") + length(key) + 4)
	return substr(rest, 1, index(rest, "\"") - 1)
}'
awk "$values"'
/"record":"start"/ { library = text("product_library"); threads = value("product_threads"); rate = value("product_flops_per_second") }
/"record":"step"/ { step = median("seconds"); beside = median("reference_seconds"); flops = value("flops") }
/"record":"check"/ { right = index($0, "\"verified\":true") > 0 }
/"record":"complete"/ {
	printf "%-24s %8.3f ms, %5.1f Gflop/s a rank, the library alone %8.3f ms: %4.0f %%  goal 95 %%%s%s\n", $1, 1e3 * step,
		1e-9 * flops / step, 1e3 * beside, 100 * beside / step, beside < 0.95 * step ? "  MISSED" : "", right ? "" : "  WRONG"
}
END { printf "products by %s, %d thread a rank, %.1f Gflop/s alone\n\n", library, threads, 1e-9 * rate }' "$TMP/products"
awk "$values"'
function middle(list, count,  i, j, t) {
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	return count ? (list[int((count + 1) / 2)] + list[int(count / 2) + 1]) / 2 : 0
}
function off(predicted, measured) {
	return predicted > measured ? predicted / measured - 1 : measured / predicted - 1
}
/"record":"start"/ { sum = 0; by = text("predicted_by") }
/"record":"step"/ {
	seconds = median("seconds"); predicted = value("predicted_seconds")
	sum += seconds
	if (predicted > 0 && seconds >= 1e-3) {
		each[++steps] = off(predicted, seconds)
		kind = text("op")
		of[kind, ++count[kind]] = off(predicted, seconds)
	}
}
/"record":"total"/ {
	total = median("seconds"); predicted = value("predicted_seconds")
	parts[++programs] = total / sum
	if (predicted > 0) all[++totals] = off(predicted, total)
	printf "%-10s %9.3f ms, its steps alone %9.3f ms: %4.2f   predicted %9.3f ms: %4.2f\n", $1, 1e3 * total, 1e3 * sum,
		total / sum, 1e3 * predicted, predicted / total
}
END {
	for (n = 1; n <= programs; n++) within += parts[n] <= 1.1
	printf "programs against their parts: median %.3f, largest %.3f, %d of %d within 10 %%\n", middle(parts, programs), parts[programs], within, programs
	if (totals) printf "predicted by %s, programs: median error %.0f %% (goal 15 %%), largest %.0f %%, %d of them\n", by, 100 * middle(all, totals), 100 * all[totals], totals
	if (steps) printf "predicted by %s, steps of 1 ms or more: median error %.0f %%, %d of them\n", by, 100 * middle(each, steps), steps
	for (kind in count) {
		split("", some)
		for (n = 1; n <= count[kind]; n++) some[n] = of[kind, n]
		printf "  %-14s median error %.0f %%, %d of them\n", kind, 100 * middle(some, count[kind]), count[kind]
	}
}' "$TMP/chains"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ways to compute one statement side by side: lines of a batch, compare, pareto, advise, and schedules that are taken from them.
. "$SRC/tests/lib.sh"

contains() { # NAME TEXT PART
	case $2 in
	*"$3"*) ok "$1" ;;
	*) not_ok "$1" "no '$3' in: $2" ;;
	esac
}

# ---- lines of a batch ----
cat >"$TMP/check.py" <<'END'
import json, sys
def differs(case, answer):
    return [k for k in case if case[k] != answer.get(k)] if "algorithms" not in case else [
        (name, k) for name, one in case["algorithms"].items() for k in one
        if one[k] != answer.get("algorithms", {}).get(name, {}).get(k)] + \
        [name for name in answer.get("algorithms", {"none": 0}) if name not in case["algorithms"]]
cases = [json.loads(line) for line in open(sys.argv[1])]
answers = [json.loads(line) for line in open(sys.argv[2])]
wrong = [(c["name"], differs(c, a)) for c, a in zip(cases, answers)
         if differs(c, a) or c["name"] != a.get("name") or a.get("schema") != "shardwalk.schedule/1"]
print(len(cases) == len(answers) and len(cases) > 0, wrong[:2])
END
for kind in compare best; do
	command -v python3 >/dev/null || { skip "lines of distal-$kind" 'no python3'; continue; }
	"$SHARDWALK" batch "$CASES/distal-$kind.jsonl" --json >"$TMP/answers" 2>"$TMP/err"
	equal "every line of distal-$kind is as recorded" 'True []' \
		"$(python3 "$TMP/check.py" "$CASES/distal-$kind.jsonl" "$TMP/answers")"
done
batch() { # LINE: what batch says of it, for programs
	printf '%s\n' "$1" | "$SHARDWALK" batch - --json 2>/dev/null
}
contains 'an algorithm that no machine of so many runs is left out with the reason' \
	"$(batch '{"m": 8, "n": 8, "k": 8, "processors": 7}')" '"johnson": "'
contains 'a number of processors is above 0' "$(batch '{"m": 8, "n": 8, "k": 8, "processors": 0}')" \
	"'processors' is not a whole number above 0\", \"file\": \"-\", \"line\": 1, \"column\": 40"
contains 'a size is a number' "$(batch '{"m": "8", "n": 8, "k": 8, "processors": 4}')" "'m' is not a whole number above 0"
contains 'so is memory' "$(batch '{"m": 8, "n": 8, "k": 8, "processors": 4, "memory": -2}')" "'memory' is not a whole number above 0"
contains 'too many processors are refused' "$(batch '{"m": 8, "n": 8, "k": 8, "processors": 1099511627776}')" '"code": "M05"'
contains 'the best grid of as many is shown' \
	"$(batch '{"m": 8, "n": 8, "k": 8, "processors": 2097152, "memory": 1000}')" '"grid": [1, 1, 2097152]'
contains 'people read one line an algorithm' \
	"$(printf '{"name": "p", "m": 8, "n": 8, "k": 8, "processors": 4}\n' | "$SHARDWALK" batch - 2>&1)" \
	'cannon: 2 steps, 128 elements, live'

# ---- compare ----
arrays='mesh {x: 3, y: 3}; type A = f64[9, 9] xy->xy; type B = f64[9, 9] xy->xy; type C = f64[9, 9] xy->xy'
product="$arrays; compute A(i,j) = B(i,k) * C(k,j)"
mine='schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(3,3))'

json() { # TEXT PYTHON: of what the last statement answers, as `a`
	"$SHARDWALK" --quiet --json -c "$1" 2>/dev/null | tail -n 1 | python3 -S -c "
import json, sys
a = json.loads(sys.stdin.read())
rows = {row['name']: row for row in a.get('schedules', []) if 'name' in row}
print($2)"
}
if command -v python3 >/dev/null; then
	equal 'each theory has a row' \
		'best cannon cosma cosma-balanced einsum johnson own owner pumma summa' \
		"$(json "$product; $mine; compare" "*sorted(rows)")"
	equal 'the figures are those of the paper' '[[3, 3]] 3 324 36 36 45' "$(json "$product; compare" \
		"*(rows['cannon'][k] for k in ('machine', 'steps', 'volume', 'max_received', 'max_sent', 'max_peak'))")"
	equal 'owner computes moves what its relation says' "{'A': 0, 'B': 162, 'C': 162}" \
		"$(json "$product; compare" "rows['owner']['volumes']")"
	equal 'rows are by time' True "$(json "$product; compare" \
		"[r['predicted_seconds'] for r in a['schedules']] == sorted(r['predicted_seconds'] for r in a['schedules'])")"
	equal 'or by volume' 'volume johnson True' "$(json "$product; compare --model volume" \
		"a['by'], a['schedules'][0]['name'], [r['volume'] for r in a['schedules']] == sorted(r['volume'] for r in a['schedules']), sep=' '")"
	equal 'processors that are left out are idle' 1 "$(json "$product; compare" "rows['johnson']['idle']")"
	equal 'one has what it is left out for' "'solomonik' runs on no machine of 9 devices" \
		"$(json "$product; compare" "a['left_out']['solomonik']")"
	equal "one's own naive completion moves more" '81 972' \
		"$(json "$product; $mine; compare" "rows['own']['steps'], rows['own']['volume']" | tr -d '(),')"
	equal 'boxes larger than what is touched are shown' 'True' "$(json \
		'mesh {x: 2}; type a = f64[8] x->x; type b = f64[8] x->x; compute a(i) = b(i); schedule .split(i,io,ii,2).reorder({ii,io}).distribute(ii).communicate({a,b}, ii); compare' \
		"rows['own']['excess'] > 0")"
	equal 'above a bound rows come last' 'True' "$(json "$product; compare --live 60" \
		"[r['max_peak'] > 60 for r in a['schedules']] == sorted(r['max_peak'] > 60 for r in a['schedules'])")"
	equal 'batch, schedule and compare agree' '100663296 32' "$(json \
		'mesh {x: 4, y: 4}; schedule summa m=4096 n=4096 k=4096; compare' \
		"*(rows['summa'][k] for k in ('volume', 'steps'))")"
	equal 'best is the grid of the cases' '[[8, 8, 1]] 20 939524096 3985408' "$(json \
		'mesh {x: 8, y: 8}; schedule cannon m=8192 n=8192 k=8192; compare --model volume --live 4000000' \
		"*(rows['best'][k] for k in ('machine', 'steps', 'volume', 'max_peak'))")"
	equal 'other kernels have their algorithms' 'best einsum mttkrp owner' "$(json \
		'mesh {x: 2, y: 2, z: 2}; schedule mttkrp i=4 j=6 k=8 l=3; compare' \
		"*sorted({'einsum', *rows} - {'own'})")"
else
	skip 'figures of compare' 'no python3'
fi
status 'compare is for people, too' 0 "$SHARDWALK" --quiet -c "$product; compare"
holds 'with a heading' '^schedule  *grid  *steps  *moved'
holds 'a sentence says why' '^best takes .* less than johnson: its busiest device'
holds 'where one runs on another machine that is said' "'johnson' runs on a cube, 2 x 2 x 2, and uses 8 of 9 devices"
holds 'what is left out is said' "left out: solomonik, because 'solomonik' runs on no machine of 9"
sw "$product; compare --model volume"
holds 'of volumes the arrays are shown' '^johnson moves 243 elements, 25 % less than cannon: 81 of B less, 81 of C less,'
sw 'mesh {x: 4}; type a = f64[8] x->x; type b = f64[8] x->x; compute a(i) = b(i); compare'
holds 'what is no product of matrices leaves algorithms out' 'left out: .*cannon, pumma, summa, johnson, solomonik, cosma, cosma-balanced'
sw 'mesh {x: 4}; type y = [3{x}12]; type x = [3{x}12]; compute y[i] = x[i-1]; compare'
holds 'formulas with other indices have no schedules' 'left out: best, because the indices of .x. are not single letters'
lacks 'and so no best one' '^best'
levels='mesh {n: 2, m: 2; g: 2, h: 2}; schedule cannon m=8 n=8 k=8'
sw "$levels; compare"
holds 'on levels schedules are lowered' '^cannon  *2x2; 2x2  *4  *512'
sw 'mesh {n: 4; g: 3}; schedule innerprod i=6 j=3 k=5; compare'
holds 'of another kernel, too' '^innerprod  *4; 3  *1  *8 '
sw "$product; enter B; compare"
holds 'what is entered is compared by strategies' 'fused'
sw "$product; compare ~> x"
lacks 'a redistribution is no formula' 'cannon'

sw 'mesh {x: 4}; type A = f64[8, 8] xy->x; type B = f64[8, 8] xy->x; compute A(i,j) = B(i,k) * B(k,j); compare'
holds 'why no choice is made is said' 'left out: best, because there is no best schedule for this statement: an array'
refused 'and refused' S02 'found: an array that is read twice' "$SHARDWALK" -c \
	'mesh {x: 4}; type A = f64[8, 8] xy->x; type B = f64[8, 8] xy->x; compute A(i,j) = B(i,k) * B(k,j); schedule best'

sw 'mesh {x: 2}; type A = f64[4, 4] xy->x; type B = A; type C = A; compute A(i,j) = B(i,j) * C(i,j); compare'
holds 'where nothing tells them apart that is said' '^best is as good as einsum and owner$'
sw "$arrays; compute A(i,j) = B(i,k) * C(k,j); compare"
holds 'those that do as well are named' ' do as well$'
status 'a wide table leaves columns out' 0 "$SHARDWALK" --quiet "$SRC/samples/schedules/compare.sw"
equal 'so that it fits' '' "$(grep -E '.{81}' "$TMP/out" | head -n 1)"

# ---- rows that are taken ----
sw "$product; $mine; schedule best; schedule cannon; schedule own; schedule"
equal "one's own comes back" 3 "$(grep -c '^81 steps, 972 elements moved' "$TMP/out")"
sw "$product; $mine; schedule best; schedule own; show mesh"
lacks 'with its mesh' '^z '
sw "$product; schedule best --model volume --live 70"
holds 'the best within a bound' '^2 steps, 324 elements moved'
sw "$product; $mine; schedule owner; schedule"
holds 'owner computes has no schedule' 'error\[L07\]: the formula has no schedule yet' "$TMP/err"
sw "$product; schedule einsum; program"
holds 'a way of the product is a program' 'way 1 of the product is the present program'
holds 'which is shown' '^in all: cost 54, 162 flops'
sw "$product; schedule best; undo; schedule"
equal 'undo takes its last command back' 1 "$(grep -c '^\.substitute' "$TMP/out")"
refused 'nothing follows a row' L04 "'owner' takes no arguments" "$SHARDWALK" -c "$product; schedule owner x"
refused 'best is of algorithms' L08 "there is no algorithm 'x'" "$SHARDWALK" -c "$product; schedule best x"
refused 'that compute the formula' S02 "'ttv' computes something else" "$SHARDWALK" -c "$product; schedule best ttv"
large='mesh {x: 8, y: 8}; schedule cannon m=8192 n=8192 k=8192'
sw "$large; schedule best cosma --model volume --live 4000000"
holds 'the best of COSMA within a bound' '^8 x 8 x 1, 20 steps, 939 524 096 elements moved, live 3 985 408'
sw "$large; schedule best --model volume"
holds 'without a bound it meets what no schedule gets below' '^a device receives at most 9 437 184 elements, and some device must, if'
holds 'which is said with its source' '(Al Daas and others'
holds 'with the next best' '^next best: [0-9]* x [0-9]* x [0-9]*, 1 step'
sw "$large; schedule best cannon --model volume"
holds 'the best machine of another algorithm' '^8 x 8, 8 steps, 939 524 096 elements moved'
refused 'best needs a formula' L07 'there is no formula yet' "$SHARDWALK" -c 'mesh {x: 4}; schedule best'
refused 'so does owner' L07 'there is no formula yet' "$SHARDWALK" -c 'mesh {x: 4}; schedule owner'
refused 'own has to be there' L07 'you have not written a schedule' "$SHARDWALK" -c "$product; schedule own"
refused 'einsum needs a product' L07 'not a product of two arrays' "$SHARDWALK" -c \
	'mesh {x: 4}; type a = f64[8] x->x; type b = f64[8] x->x; compute a(i) = b(i); schedule einsum'
refused 'too little memory names the bound that works' S01 'no schedule fits into that memory' \
	"$SHARDWALK" -c "$product; schedule best --live 1"
holds 'in elements' 'at least 33 elements on a device' "$TMP/err"

# ---- pareto ----
summa='mesh {x: 2, y: 2}; schedule summa m=12 n=12 k=12 chunk=6'
sw "$summa; pareto"
holds 'SUMMA lives in 180 elements with 2 steps' '^2  2x2  *2  *288 .* 180 '
holds 'in 120 with 12' '^5  2x2  *12  *288 .* 120 '
holds 'and moves as much' '288 elements are$'
sw "$summa; pareto 5; show loops"
holds 'one is taken' 'it is now the schedule: 12 steps, 288 elements moved, 120 live'
holds 'with its commands' 'split(k,ko,ki,1)'
sw "$summa; pareto 5; undo; schedule"
holds 'and taken back' '^\.split(k,ko,ki,6)'
sw "$summa; schedule owner; pareto"
holds 'without a schedule the best grids are shown' '^1  1x2x2  *1  *288'
sw 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; pareto'
holds 'loops that are rotated are cut in other steps' '^[0-9]  3x3  *9  *'
sw "$product; $mine; pareto"
holds 'a schedule that cuts no loop in time is one point' '^1  3x3  *81  *972'
refused 'a number that is not there' L12 '' "$SHARDWALK" -c "$summa; pareto 9"
refused 'too little memory' S01 'no schedule fits into that memory' "$SHARDWALK" -c "$summa; pareto --live 1"
holds 'says how much works' 'at least 120 elements' "$TMP/err"
refused 'without a schedule, too' S01 'no schedule fits into that memory' "$SHARDWALK" -c "$summa; schedule owner; pareto --live 1"
holds 'says how much works there' 'at least 1[12][0-9] elements' "$TMP/err"

# ---- advise ----
rows='mesh {x: 4}; type A = f64[8, 8] xy->x; type B = f64[8, 8] xy->x; type c = f64[8] x->x; compute A(i,j) = B(i,j) * c(j)'
columns='mesh {x: 4}; type A = f64[8, 8] xy->y; type B = f64[8, 8] xy->y; type c = f64[8] x->x; compute A(i,j) = B(i,j) * c(j)'
sw "$rows; advise"
holds 'by rows c goes to all: (p - 1) n elements' '^adapt the code: where the arrays are 24 elements move, with other placements 96,'
holds 'what would be redistributed is shown by its plan' '  B goes there first: 48 elements, alltoall'
sw "$columns; advise"
holds 'by columns nothing moves' '^adapt the code: nothing moves where the arrays are'
if command -v python3 >/dev/null; then
	equal 'A and B never move' "{'A': 0, 'B': 0, 'c': 24} {'A': 0, 'B': 0, 'c': 0}" \
		"$(json "$rows; advise" "rows['adapt']['volumes']") $(json "$columns; advise" "rows['adapt']['volumes']")"
fi
sw "$rows; advise --for jax"
holds 'advice for others is as it was' 'XLA'
sw 'mesh {x: 4}; type A = f64[64, 64] xy->x; type B = f64[64, 64] xy->0; type C = f64[64, 64] xy->0; compute A(i,j) = B(i,k) * C(k,j); advise'
holds 'a replicated placement is weighed' 'the code: \|redistribute first: '

# ---- formulas and lowered schedules ----
# The rows of algorithms follow from formulas, that of the present schedule from its lowering: of an algorithm that was taken both are the same.
if command -v python3 >/dev/null; then
	for of in 'cannon x: 3, y: 3' 'pumma x: 2, y: 3' 'summa x: 2, y: 2' 'johnson x: 2, y: 2, z: 2' \
		'solomonik x: 4, y: 4, z: 2' 'cosma x: 2, y: 3, z: 2' 'cosma-balanced x: 2, y: 2, z: 2'; do
		name=${of%% *}
		axes=${of#* }
		equal "$name is what its schedule is" True "$(json "mesh {$axes}; schedule $name m=9 n=10 k=11; compare" "all(
			rows['own'][k] == rows['$name'][k] for k in ('machine', 'schedule', 'steps', 'volume', 'volumes', 'max_received',
				'max_sent', 'max_held', 'max_peak', 'max_peak_overlap', 'max_flops', 'excess', 'predicted_seconds'))")"
	done
fi

# ---- what ran ----
if [ -x "$BUILD/shardwalk-exec" ] && command -v python3 >/dev/null; then
	small='mesh {x: 2}; type A = f64[4, 4] xy->x; type B = f64[4, 4] xy->x; type C = f64[4, 4] xy->x; compute A(i,j) = B(i,k) * C(k,j)'
	equal 'what was measured of a formula is beside what is predicted' 'True None' \
		"$(json "$small; run; compare" "rows['owner']['measured_seconds'] > 0, rows['best']['measured_seconds']" | tr -d '(,)')"
	equal 'of another formula nothing was' None \
		"$(json "$small; run; compute A(i,j) = B(i,j); compare" "rows['owner']['measured_seconds']")"
	equal 'the best way of a product has its own time' True "$(json "$small; enter 1; leave; einsum ij,jk->ik A, B as A; run --compare ways; compute A(i,j) = B(i,k) * C(k,j); compare" \
		"'measured_seconds' in rows['einsum']")"
else
	skip 'what runs measured' 'no shardwalk-exec'
fi

# ---- samples ----
status 'the sample of comparisons runs' 0 "$SHARDWALK" --quiet "$SRC/samples/schedules/compare.sw"
holds 'within a bound of memory the balanced one wins' '^compare  A(i,j) = B(i,k) \* C(k,j) on 16 devices, by what is moved'
holds 'and says how much that saves' '^[a-z-]* moves [0-9 ]* elements, .* less than'
holds 'its memory is bought by steps' 'live memory goes from 252 elements in 1 step to 120 in 12; 288 elements are'
status 'the sample of adapted code runs' 0 "$SHARDWALK" --quiet "$SRC/samples/schedules/adapt.sw"
holds 'c goes to all by rows' 'moved (A 0, B 0, c 24)'
holds 'by columns nothing moves' '^adapt the code: nothing moves where the arrays are'
finish

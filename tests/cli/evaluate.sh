#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `evaluate`: the numbers of MEASURED.md over the recorded problems, drawn ones, what is kept and gone on from, pictures, and what is
# refused.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

strategies=fused,paper,exact,xla,shardy,dtensor,dtensor-min-cost,direct,naive

# The geometric mean of a strategy in the last line of JSON, to so many digits.
mean() { # STRATEGY FORMAT
	tail -n 1 out | grep -o "\"cost_ratios\": \[[^]]*\]" | grep -o "\"strategy\": \"$1\", \"count\": [0-9]*, \"geometric_mean\": [0-9.]*" |
		awk -v format="$2" '{ printf format, $NF }'
}

## The recorded problems

cp "$CASES/paper-like.jsonl" problems.jsonl
status 'against fused' 0 "$SHARDWALK" evaluate problems.jsonl --strategies paper,$strategies --json
# | | `paper` | `exact` | ...: names in the head of the table, numbers in the row of the model, over the whole file.
readme=$(grep -A2 '^| | `paper` | `exact`' "$SRC/MEASURED.md")
column=2
for name in paper exact xla shardy dtensor dtensor-min-cost direct; do
	column=$((column + 1))
	told=$(echo "$readme" | sed -n 3p | cut -d'|' -f$column | tr -d ' ')
	equal "$name is in MEASURED.md" "\`$name\`" "$(echo "$readme" | sed -n 1p | cut -d'|' -f$column | tr -d ' ')"
	[ "$(wc -l <problems.jsonl)" != 600 ] || equal "the mean of $name is that of MEASURED.md" "$told" "$(mean $name %.3f)"
done

# Of the costs that are in the files, 0 and 0 being equal.
sed -n 's/.*"name": "\([^"]*\)".*"fused_cost": \([0-9]*\).*/\1 \2/p' problems.jsonl >fused
sed -n 's/"steps": .*//; s/.*"name": "\([^"]*\)".*"cost": \([0-9]*\).*/\1 \2/p' "$CASES/xla-plans.jsonl" >xla
recorded=$(awk 'NR == FNR { fused[$1] = $2; next }
	$1 in fused && (fused[$1] > 0) == ($2 > 0) { sum += fused[$1] ? log($2 / fused[$1]) : 0; n++ }
	END { printf "%.3f", exp(sum / n) }' fused xla)
equal 'the mean of xla is that of the recorded plans' "$recorded" "$(mean xla %.3f)"
"$SHARDWALK" compare problems.jsonl --json 2>/dev/null | tail -n 1 >compared
for name in paper exact xla shardy dtensor dtensor-min-cost direct naive; do
	equal "compare has the same mean of $name" "$(grep -o "\"strategy\": \"$name\", \"count\": [0-9]*, \"geometric_mean\": [0-9.]*" compared | awk '{ print $NF }')" "$(mean $name %s)"
done
equal 'a line for each, and one for all' $(($(wc -l <problems.jsonl) + 1)) "$(wc -l <out)"
status 'some of a file' 0 "$SHARDWALK" evaluate problems.jsonl --problems 7
holds 'says which' '^evaluate  7 problems of problems.jsonl$'
status 'one of them' 0 "$SHARDWALK" -c 'evaluate problems.jsonl --take 2; plan; verify --memory 1MiB'
equal 'becomes the problem' "$(sed -n '2s/.*"from": "\([^"]*\)", "to": "\([^"]*\)".*/f32\1 ~> f32\2/p' problems.jsonl)" "$(sed -n 2p out)"
holds 'and is planned' '^verified'
echo nonsense >>problems.jsonl
status 'a bad line' 1 "$SHARDWALK" evaluate problems.jsonl
holds 'the others are evaluated' "^evaluate  [0-9]* problems of problems.jsonl$"

## Drawn ones

status 'drawn problems' 0 "$SHARDWALK" evaluate --problems 60 --strategies xla,paper,naive --seed 3
timeless out
same 'are shown as expected' "$SRC/tests/pictures/evaluate.txt" out
status 'under ASCII' 0 "$SHARDWALK" --ascii evaluate --problems 60 --strategies xla,paper,naive --seed 3
timeless out
same 'are ASCII' "$SRC/tests/pictures/evaluate-ascii.txt" out
equal 'and nothing else' '' "$(LC_ALL=C tr -d '\n -~' <out)"
status 'with colours' 0 "$SHARDWALK" --color=always evaluate --problems 60 --strategies xla,paper,naive --seed 3
sed 's/\x1b\[[0-9;]*m//g' out >plain
timeless plain
same 'say the same' "$SRC/tests/pictures/evaluate.txt" plain
equal 'have several' yes "$([ "$(grep -o '.\[[0-9;]*m' out | sort -u | wc -l)" -gt 4 ] && echo yes)"
equal 'fit 80 columns' '' "$(grep -E '.{81}' plain)"
status 'once more' 0 "$SHARDWALK" evaluate --problems 60 --strategies xla,paper,naive --seed 3 --json
grep -v '"shardwalk.evaluate/1"' out | sed 's/"search_s": [^,]*,//g' >first
status 'more of them' 0 "$SHARDWALK" evaluate --problems 90 --strategies xla,paper,naive --seed 3 --json
head -n 60 out | sed 's/"search_s": [^,]*,//g' >again
status 'begin with the same' 0 cmp first again
status 'the worst of them' 0 "$SHARDWALK" -c "$(grep -o 'evaluate --seed 3 --take [0-9]*' plain | head -n 1)"
equal 'is opened by its line' "$(sed -n 's/^ *[0-9.]*  .*iB  \(f32.*\)$/\1/p' plain | head -n 1)" "$(sed -n '2s/ ~> .*//p' out)"
status 'on 12 devices' 0 "$SHARDWALK" evaluate --problems 5 --devices 12
holds 'the mesh has three axes' 'at random on 12 devices, {a: 3, b: 2, c: 2}, seed 1$'
status 'one strategy' 0 "$SHARDWALK" evaluate --problems 5 --strategies fused
equal 'has nothing to be against' '1 0' "$(grep -c '^RQ1' out) $(grep -c '^RQ2' out)"
status 'under a model of time' 0 "$SHARDWALK" evaluate --problems 20 --model latency
holds 'it is named' 'seconds, model latency$'

## What is kept

status 'with a file' 0 "$SHARDWALK" evaluate --problems 20 --resume kept.jsonl
equal 'it has a line for each problem, and what was asked for' '21 1' "$(wc -l <kept.jsonl | tr -d ' ') $(grep -c evaluate-start kept.jsonl)"
cp kept.jsonl before.jsonl
status 'the same again' 0 "$SHARDWALK" evaluate --problems 20 --resume kept.jsonl
status 'plans nothing' 0 cmp before.jsonl kept.jsonl
status 'more of it' 0 "$SHARDWALK" evaluate --problems 30 --resume kept.jsonl
holds 'has all' '^evaluate  30 problems'
head -n 21 kept.jsonl >head.jsonl
status 'and keeps what was there' 0 cmp before.jsonl head.jsonl
cp kept.jsonl whole.jsonl
head -c 5000 whole.jsonl >kept.jsonl
status 'a file that was cut off' 0 "$SHARDWALK" evaluate --problems 30 --resume kept.jsonl
sed 's/"search_s": [^,]*,//g' kept.jsonl >a
sed 's/"search_s": [^,]*,//g' whole.jsonl >b
status 'is whole again' 0 cmp a b
refused 'another seed' L13 '"seed" differs' "$SHARDWALK" evaluate --seed 2 --resume kept.jsonl
refused 'other strategies' L13 '"strategies" differs' "$SHARDWALK" evaluate --strategies fused,xla --resume kept.jsonl
refused 'another model' L13 '"model" differs' "$SHARDWALK" evaluate --model volume --resume kept.jsonl
status 'the file stays as it was' 0 cmp a b
sed 's/"from": "[^"]*"/"from": "f32[8]"/' whole.jsonl >other.jsonl
refused 'other problems' L13 'problem 1 of' "$SHARDWALK" evaluate --problems 30 --resume other.jsonl
echo '{"schema": "shardwalk.plan/1"}' >plan.jsonl
refused 'a file of something else' L13 'another evaluation' "$SHARDWALK" evaluate --problems 3 --resume plan.jsonl
{ head -n 3 whole.jsonl; echo '{"schema": "shardwalk.plan/1"}'; } >mixed.jsonl
refused 'a line of something else' B04 'line 4 of' "$SHARDWALK" evaluate --problems 3 --resume mixed.jsonl
damaged() { # NAME EXPRESSION
	sed "$2" whole.jsonl >damaged.jsonl
	refused "$1" B04 'line 2 of' "$SHARDWALK" evaluate --problems 3 --resume damaged.jsonl
}
damaged 'a cost that is no number' '2s/"cost": [0-9]*/"cost": "much"/'
damaged 'a cost below 0' '2s/"cost": [0-9]*/"cost": -1/'
damaged 'no plans' '2s/"plans": .*/"plans": []}/'
damaged 'a plan of another strategy' '2s/"strategy": "fused"/"strategy": "exact"/'
damaged 'a problem without its type' '2s/"from": "[^"]*", //'
damaged 'another number' '2s/"number": 1,/"number": 2,/'
damaged 'an element of no bytes' '2s/"dtype_bytes": 4/"dtype_bytes": 0/'
printf '%s\n' 'no json' >text.jsonl
refused 'what is not JSON' B04 'line 1 of' "$SHARDWALK" evaluate --problems 3 --resume text.jsonl
refused 'a folder' 'B0[12]' '' "$SHARDWALK" evaluate --problems 3 --resume .
status 'of a file of problems' 0 "$SHARDWALK" evaluate "$CASES/paper-like.jsonl" --problems 3 --resume file.jsonl
status 'it goes on too' 0 "$SHARDWALK" evaluate "$CASES/paper-like.jsonl" --problems 5 --resume file.jsonl
equal 'with the rest' 6 "$(wc -l <file.jsonl | tr -d ' ')"

## What takes too long

sh -c 'trap - INT; exec "$0" evaluate --problems 10000000 --resume long.jsonl' "$SHARDWALK" >out 2>err &
pid=$!
await sh -c '[ -s long.jsonl ] && [ "$(wc -l <long.jsonl)" -gt 50 ]'
kill -INT $pid
wait $pid
equal 'it is stopped' 130 $?
holds 'what was found is shown' '^worst cases'
equal 'how far it came is said' 1 "$(grep -c '^stopped after [0-9]* of 10000000 problems$' err)"
equal 'every line is whole' "$(wc -l <long.jsonl)" "$(grep -c '^{.*}$' long.jsonl)"

## Pictures

status 'as SVG' 0 "$SHARDWALK" -c 'export svg evaluate.svg evaluate --problems 20'
equal 'it is a picture' '1 1' "$(grep -c '<svg ' evaluate.svg) $(grep -c 'figure 14b' evaluate.svg)"
status 'as a page' 0 "$SHARDWALK" -c 'export html evaluate.html evaluate --problems 20'
equal 'each picture by itself' 4 "$(grep -c '<svg ' evaluate.html)"
status 'as Markdown' 0 "$SHARDWALK" -c 'export markdown - evaluate --problems 20'
holds 'with a title' '^# `evaluate --problems 20`$'

## What is wrong to ask

refused 'no problems' L12 'out of range' "$SHARDWALK" evaluate --problems 0
refused 'one device' L12 'out of range' "$SHARDWALK" evaluate --devices 1
refused 'too many devices' L12 'out of range' "$SHARDWALK" evaluate --devices 4097
refused 'no strategy' S04 'no strategy' "$SHARDWALK" evaluate --strategies fused,nothing
refused 'what was not calibrated' S10 'calibrate' "$SHARDWALK" evaluate --problems 3 --model calibrated
refused 'an empty list' L13 'no strategy is named' "$SHARDWALK" evaluate --strategies ''
refused 'a scale above 1' L12 'out of range' "$SHARDWALK" evaluate --run 1 --scale 2
refused 'a scale that is no number' L11 'not a number' "$SHARDWALK" evaluate --run 1 --scale half
refused 'a scale of nothing' L02 'but none do' "$SHARDWALK" evaluate --scale 0.5
refused 'a seed of a file' L02 'is for random problems' "$SHARDWALK" evaluate problems.jsonl --seed 2
refused 'a file that is not there' B01 'nowhere' "$SHARDWALK" evaluate nowhere
head -n 3 problems.jsonl >three.jsonl
refused 'a problem that is not there' L12 '1 to 3' "$SHARDWALK" -c 'evaluate three.jsonl --take 9'
refused 'more ranks than are allowed' L13 'max_ranks' "$SHARDWALK" -c 'set max_ranks 4; evaluate --problems 2 --run 1'
holds 'what was planned is shown' '^worst cases'

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --json: answers and errors, and colours that are chosen by flag, environment and terminal.
. "$SRC/tests/lib.sh"
mesh='mesh {x: 4, y: 6}'
ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

error_is() { # NAME CODE COMMAND...
	name=$1 code=$2
	shift 2
	"$@" >"$TMP/out" 2>"$TMP/err"
	if [ "$(wc -l <"$TMP/out")" -eq 1 ] && grep -q "\"schema\": \"shardwalk.error/1\".*\"code\": \"$code\"" "$TMP/out" &&
		grep -q "error\[$code\]" "$TMP/err"; then ok "$name"
	else not_ok "$name" "$(head -c 300 "$TMP/out" "$TMP/err")"; fi
}

error_is 'a mistake of a statement before the command' T04 "$SHARDWALK" plan "$mesh" '[3{x}13] ~> [13]' --json
error_is 'a mistake of the command' S01 "$SHARDWALK" plan "$mesh" "$ends" --json --budget 2
error_is 'a mistake of an option' L05 "$SHARDWALK" plan "$mesh" "$ends" --json --nonsense
error_is 'a mistake in a script' L01 "$SHARDWALK" --json -c 'nonsense'
error_is 'an unknown word' L01 "$SHARDWALK" --json nonsense

status 'a plan' 0 "$SHARDWALK" plan "$mesh" "$ends" exact --json --maps
grep -q '"schema": "shardwalk.plan/2".*"strategy": "exact".*"cost": 18.*"maps"' "$TMP/out" && ok 'holds its maps' ||
	not_ok 'holds its maps' "$(head -c 300 "$TMP/out")"
status 'a comparison' 0 "$SHARDWALK" compare 'mesh {a: 2, b: 2}' '[2{a}4, 2{b}4] ~> [2{b}4, 2{a}4]' --json
for strategy in naive paper exact fused xla shardy dtensor dtensor-min-cost direct; do
	grep -q "\"strategy\": \"$strategy\"" "$TMP/out" && ok "names $strategy" ||
		not_ok "names $strategy" "$(head -c 300 "$TMP/out")"
done
grep -q '^{"schema": "shardwalk.compare/1", "problem": {.*"strategies": \[{.*"predicted_s".*}\], "program": "shardwalk [0-9.]*", "units": {"elements": \["cost", .*}}$' "$TMP/out" && ok 'has its schema' ||
	not_ok 'has its schema' "$(head -c 300 "$TMP/out")"
status 'a verdict' 0 "$SHARDWALK" verify "$mesh" "$ends" --json
grep -q '"verified": true' "$TMP/out" && ok 'is true' || not_ok 'is true' "$(cat "$TMP/out")"

# A plan file comes back as it was.
"$SHARDWALK" export plan "$TMP/plan.json" "$mesh" "$ends" && "$SHARDWALK" -c "open $TMP/plan.json; export plan $TMP/again.json" >/dev/null
same 'a plan that is read and written' "$TMP/plan.json" "$TMP/again.json"

colored() { grep -q "$(printf '\033')" "$TMP/out"; }
"$SHARDWALK" plan "$mesh" "$ends" >"$TMP/out"
colored && not_ok 'no colours in a pipe' 'there are some' || ok 'no colours in a pipe'
NO_COLOR=1 "$SHARDWALK" plan "$mesh" "$ends" --color=always >"$TMP/out"
colored && ok 'a flag goes before NO_COLOR' || not_ok 'a flag goes before NO_COLOR' 'no colours'
"$SHARDWALK" show mesh "$mesh" --ascii >"$TMP/out"
LC_ALL=C grep -q '[^ -~]' "$TMP/out" && not_ok '--ascii is ASCII' "$(cat "$TMP/out")" || ok '--ascii is ASCII'
LC_ALL=C "$SHARDWALK" show mesh "$mesh" >"$TMP/out"
LC_ALL=C grep -q '[^ -~]' "$TMP/out" && not_ok 'a C locale is ASCII' "$(cat "$TMP/out")" || ok 'a C locale is ASCII'

# Every command has an example (tests/man runs them, as the manual has them).
for command in $("$SHARDWALK" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	"$SHARDWALK" help "$command" | sed -n '/^example$/,$s/^    //p' >"$TMP/example"
	[ -s "$TMP/example" ] && ok "example of $command" || not_ok "example of $command" 'there is none'
done
for table in commands options program settings codes strategies models views operations elements; do
	status "the manual's table of $table" 0 "$SHARDWALK" help --man $table
	grep -q '^\.It' "$TMP/out" && ok "has rows: $table" || not_ok "has rows: $table" "$(head -3 "$TMP/out")"
done

# Under --json standard output is JSON, whatever the command answers.
"$SHARDWALK" --json -c "$mesh; $ends; step; frontier; edges; show tiles; show; normalize; info; set; plan" >"$TMP/out" 2>/dev/null
equal 'each answer is one object on one line' 9 "$(grep -c '^{"schema": "shardwalk\.[a-z]*/[12]", .*}$' "$TMP/out")"
equal 'and nothing is between them' 9 "$(wc -l <"$TMP/out" | tr -d ' ')"
equal 'a text tells its command' 'show normalize info set ' \
	"$(sed -n 's/^{"schema": "shardwalk.text\/1", "command": "\([a-z]*\)", "text": ".*/\1/p' "$TMP/out" | tr '\n' ' ')"
"$SHARDWALK" frontier "$mesh" "$ends" --json >"$TMP/out"
grep -q '^{"schema": "shardwalk.walk/1", "command": "frontier", "walk": "search",' "$TMP/out" && ok 'also on the command line' || not_ok 'also on the command line' "$(cat "$TMP/out")"
echo "$mesh; $ends; plan" >"$TMP/nested"
"$SHARDWALK" --json -c "source $TMP/nested; export plan -" >"$TMP/out"
equal 'scripts and files are not wrapped' 2 "$(grep -c '"schema": "shardwalk.plan/2"' "$TMP/out")"

## More steps than are read

"$SHARDWALK" plan 'mesh {x: 4}' '[2{x}8, 8] ~> [8, 2{x}8]' --json >"$TMP/long" 2>&1
zeros=$(head -c 6003 /dev/zero | tr '\0' ' ' | sed 's/   /0, /g')
sed "s/\"steps\": \[/\"steps\": [$zeros/" "$TMP/long" >"$TMP/longer.json"
"$SHARDWALK" import "$TMP/longer.json" >"$TMP/out" 2>&1
grep -q "'steps' has 2002 steps, of which at most 2000 are read" "$TMP/out" && ok 'a plan of 2,002 steps' || not_ok 'a plan of 2,002 steps' "$(head -n 3 "$TMP/out")"
finish

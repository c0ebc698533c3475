#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole modules as XLA compiled them, and what it printed meanwhile: every collective is read, every chain that reshards has
# a plan that is no dearer and right, and every warning is known.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

number() { # KEY
	sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" answer | head -n 1
}

# Slices of tables of constants say where a device is; the others cut what it holds.
slices_of_tables=' dynamic-slice\(%constant'
collectives='(all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter|collective-broadcast|dynamic-slice)(-start)?'
tried=0
for module in "$CASES"/modules/*.hlo; do
	name=$(basename "$module")
	status "$name is read" 0 "$SHARDWALK" import "$module" --json
	sed 's/"rows": .*//' out >answer
	equal "$name: all its collectives" "$(grep -E "^ *(ROOT )?%[^ ]+ = .* $collectives\\(" "$module" | grep -cvE "$slices_of_tables")" "$(number collectives)"
	grep -o '{"row": [^{]*"mesh": "[^"]*", "from": "[^"]*", "to": "[^"]*", "dtype": "[^"]*"' out |
		sed 's/.*"row": \([0-9]*\),.*\("mesh": .*\)/{"name": "row \1", \2}/' >rows.jsonl
	[ -s rows.jsonl ] && ok "$name has chains" || not_ok "$name has chains" "$(head -c 300 out)"
	equal "$name: no plan is dearer" '' "$(grep -oE '"cost_now": [0-9]+, "cost_planned": [0-9]+' out | awk -F '[ ,]+' '$4 > $2')"
	status "$name: its chains are problems" 0 "$SHARDWALK" batch rows.jsonl --json --maps
	equal "$name: each has a plan" "$(wc -l <rows.jsonl)" "$(grep -c '"steps"' out)"
	cp out plans && plans_right "$name: which is right" plans
	tried=$((tried + 1))
done
if [ -f "$CASES/modules/transformer-step.hlo" ]; then
	"$SHARDWALK" import "$CASES/modules/transformer-step.hlo" --json 2>/dev/null >out
	says 'what saves most is found first' '"findings": [{"name": "fewer-axes", "words": "the result of an all-reduce is needed on fewer axes than it is sent to", "rows": [16, 17], "runs": 3, "bytes_now": 1572864, "bytes_planned": 786432, "bytes_saved": 786432}, {"name": "reduce-scatter"' out
fi
for log in "$CASES"/modules/*.log; do
	name=$(basename "$log")
	status "$name is read" 0 "$SHARDWALK" import "$log" --json
	sed 's/"rows": .*//' out >answer
	equal "$name: all its warnings" "$(grep -c 'Involuntary full rematerialization' "$log")" "$(number found)"
	status "$name beside its module" 0 "$SHARDWALK" import "$log" --module "${log%.log}.hlo"
	equal 'a module after partitioning is shown from one before' 1 "$(grep -c 'it must be the module before partitioning' err)"
done
[ $tried -gt 0 ] && ok 'there are modules' || not_ok 'there are modules' "none in $CASES"
finish

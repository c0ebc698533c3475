#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Questions that people ask about a redistribution, in their words, and the answers to them.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1

prints() { # NAME PATTERN: standard output has it
	if grep -qE -- "$2" out; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 out)"; fi
}
tells() { # NAME PATTERN: standard error has it
	if grep -qE -- "$2" err; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 err)"; fi
}

mesh='mesh {x: 4, y: 6}' ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

## Why is this step there?

status 'a plan with reasons' 0 "$SHARDWALK" plan "$mesh" "$ends"
equal 'every step has one' 3 "$(grep -c '^    why: ' out)"
prints 'which axis leaves which dimension' '^    why: x:\(2\)2 leaves dimension 0 and cuts dimension 1 inside x:\(1\)2: groups of$'
status 'one that is not what was asked for' 0 "$SHARDWALK" plan naive "$mesh" "$ends"
prints 'is there for now' 'why: y leaves dimension 1 for now|why: x leaves dimension 0: groups of 4'
status 'reasons as JSON' 0 "$SHARDWALK" plan "$mesh" "$ends" --json
equal 'each step has its own' 3 "$(grep -o '"why": "[^"]*"' out | sort -u | wc -l | tr -d ' ')"
status 'show' 0 "$SHARDWALK" -c "$mesh; $ends; show plan"
equal 'has them too' 3 "$(grep -c '^    why: ' out)"
module=$SRC/tests/hlo/mlp.hlo
row=$("$SHARDWALK" import "$module" --json 2>/dev/null | grep -o '"row": [0-9]*, [^{]*"names": \["collective-permute.4"\]' | sed 's/"row": \([0-9]*\).*/\1/')
status 'a chain of a module' 0 "$SHARDWALK" import "$module" "$row"
prints 'tells why' '^compiler  alltoall\(0, 1, 2\)  b leaves dimension 0 and cuts dimension 1'
status 'the plan of the chain' 0 "$SHARDWALK" -c "import $module $row; show plan"
equal 'has a reason a step' 5 "$(grep -c '^    why: ' out)"
status 'chains as JSON' 0 "$SHARDWALK" import "$module" --json
equal 'as many reasons as steps' 15 "$(grep -o '"why_[a-z]*": \[[^]]*\]' out | grep -o ': groups of\|: each device\|: whole tiles' | wc -l | tr -d ' ')"
status 'a report' 0 "$SHARDWALK" export markdown - "$mesh" "$ends"
prints 'says why' '^3\. `alltoall\(0, 1, 2\)`: x:\(2\)2 leaves dimension 0 and cuts dimension 1 inside x:\(1\)2: groups of 2 devices swap'

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Formulas that are repeated: a shorter round at the end, inputs that are constant, and how sessions keep both.
. "$SRC/tests/lib.sh"

types='mesh {x: 6}
type x = [4{x}24]
type y = x
type c = x'

sw "$types
compute y[i] = 2*x[i] - x[i-1] - x[i+1]
tasks 16 --every 3
program
simulate
save $TMP/kept"
says 'what is left is a round' 'last       1      1    16        10        10'
says 'the program ends with it' 'the first 2 steps are executed 5 times, and what they bring is again the first'
says 'which is carried out' 'bit for bit'
sw "open $TMP/kept
program --json
walk steps
goto 6"
says 'a session keeps it' 'every 3 as [4{x}24]\n  repeat 5\n  y_1 = compute'
says 'and it is walked' 'step 16'

sw "$types
compute y[i] = f(x[i-1], x[i])
tasks 2 --every 3
program --json
simulate
save $TMP/short"
says 'fewer steps than a round has' 'every 2 as [4{x}24]\n  return y'
says 'are carried out' 'bit for bit'
grep -c '^tasks' "$TMP/short" | grep -qx 1 && ok 'and kept once' || not_ok 'and kept once' "$(cat "$TMP/short")"

sw "$types
compute y[i] = x[i-1] + c[i+1]
tasks 15
program
simulate"
says 'constant inputs are said' 'c is constant: the part of it that is needed is sent once'
says 'and count once' '15 rounds, 90 tasks, 165 arcs, 80 messages, 80 elements'
says 'the program says what is done once' 'only once, because it is the same in all rounds: c'
says 'it is right' 'bit for bit'

sw "$types
compute y[i] = x[i-1] + c[i+1]
tasks 8 --every 3
program
simulate"
says 'several steps in a row of several inputs' 'bit for bit'
[ "$(grep -c '1 exchange' "$TMP/out")" = 3 ] && ok 'the shorter round sends nothing again that is constant' ||
	not_ok 'the shorter round sends nothing again that is constant' "$(cat "$TMP/out")"

printf '%s\n' '0 1 2' 1 '0 2' >"$TMP/neighbours"
sw "mesh {x: 3}
type x = [{x}3]
type y = x
compute y[i] = f(x[graph $TMP/neighbours])
show sets beta"
says 'what a graph needs has the name beta' '0 2'

descriptors='"mesh": "{d: 6}", "desca": [1, 0, 9, 9, 2, 2, 0, 0, LLD], "grida": [2, 3], "descc": [1, 0, 9, 9, 3, 3, 0, 0, 3]'
printf '{%s, "gridc": [3, 2]}\n' "$descriptors" | sed 's/LLD/5/' >"$TMP/ends.jsonl"
"$SHARDWALK" batch "$TMP/ends.jsonl" --answer relation >"$TMP/out" 2>&1
says 'descriptors alone say both ends' '20 messages, 63 elements (252 B), 18 stay'
printf '{%s, "gridc": [3, 2]}\n' "$descriptors" | sed 's/LLD/4/' >"$TMP/ends.jsonl"
"$SHARDWALK" batch "$TMP/ends.jsonl" --answer relation >"$TMP/out" 2>&1
says 'a descriptor that is wrong' 'error[N01]: LLD is 4'
says 'is marked' 'ends.jsonl:1:29'
printf '{%s}\n' "$descriptors" | sed 's/LLD/5/' >"$TMP/ends.jsonl"
"$SHARDWALK" batch "$TMP/ends.jsonl" --answer relation >"$TMP/out" 2>&1
says 'a grid that is missing' '"gridc" is missing'
says 'is marked at the line' 'ends.jsonl:1:1'

finish

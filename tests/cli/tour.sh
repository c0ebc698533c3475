#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tour in a script: it waits for nobody, and nothing in it fails.  Shardy would pad in its comparison, which is
# said.
. "$SRC/tests/lib.sh"

status 'the tour ends by itself' 0 "$SHARDWALK" tour
equal 'nothing in it fails' '' "$(grep -v -e '^undone' -e '^shardy: Shardy would pad' "$TMP/err")"
steps=$(grep -cE '^[0-9]+/[0-9]+  ' "$TMP/out")
if [ "$steps" -ge 8 ] && [ "$steps" -le 12 ]; then ok 'about ten steps'; else not_ok 'about ten steps' "$steps"; fi
equal 'as many as it says' "$steps/$steps" "$(grep -oE '^[0-9]+/[0-9]+' "$TMP/out" | tail -n 1)"
longest=$(awk '/^[0-9]+\/[0-9]+  / { rows = 0 } { if (++rows > most) most = rows } END { print most }' "$TMP/out")
if [ "$longest" -le 22 ]; then ok 'no step prints more than 22 rows'; else not_ok 'no step prints more than 22 rows' "$longest"; fi
for words in 'show mesh' 'show type' 'show tiles' 'show heights' 'show tiles --step 1' 'plan' 'show graph' 'verify'; do
	if grep -q "^> $words" "$TMP/out"; then ok "it shows $words"; else not_ok "it shows $words" "$(grep '^>' "$TMP/out")"; fi
done
status 'from the fifth step on' 0 "$SHARDWALK" -c 'tour 5'
status 'a step that is not there' 1 "$SHARDWALK" -c 'tour 99'
COLUMNS=60 "$SHARDWALK" -c 'set width 60; tour' >"$TMP/narrow" 2>&1
longest=$(awk '/^[0-9]+\/[0-9]+  / { rows = 0 } { if (++rows > most) most = rows } END { print most }' "$TMP/narrow")
if [ "$longest" -le 22 ]; then ok 'nor where it is narrow'; else not_ok 'nor where it is narrow' "$longest"; fi
"$SHARDWALK" -c 'mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; show tiles --step 1' >"$TMP/out2" 2>&1
holds 'a step that is shown makes its plan' 'after step 1' "$TMP/out2"
printf 'tour\n' | "$SHARDWALK" >"$TMP/out" 2>"$TMP/err"
equal 'from a pipe as well' "$steps" "$(grep -cE '^[0-9]+/[0-9]+  ' "$TMP/out")"
finish

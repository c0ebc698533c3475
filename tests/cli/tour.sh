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
for words in 'show mesh' 'show type' 'show tiles' 'show heights' 'plan' 'show graph' 'verify'; do
	if grep -q "^> $words" "$TMP/out"; then ok "it shows $words"; else not_ok "it shows $words" "$(grep '^>' "$TMP/out")"; fi
done
status 'from the fifth step on' 0 "$SHARDWALK" -c 'tour 5'
status 'a step that is not there' 1 "$SHARDWALK" -c 'tour 99'
printf 'tour\n' | "$SHARDWALK" >"$TMP/out" 2>"$TMP/err"
equal 'from a pipe as well' "$steps" "$(grep -cE '^[0-9]+/[0-9]+  ' "$TMP/out")"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `explain lemma 4.6` and all others of the first paper: what is told is in tests/paper/NAME.out, fits into 80 columns, and
# ends with a line that runs.
. "$SRC/tests/lib.sh"

"$SHARDWALK" explain >"$TMP/list" 2>&1
same 'explain alone lists all' tests/paper/explain.out "$TMP/list"

# "lemma 4.6", a name a line, from the list.
names() {
	sed '1,/^the paper/d' "$TMP/list" | sed '/^$/,$d' | awk '
		/^  [a-z]/ { kind = $1; sub(/^  [a-z]+ +/, "") }
		{ sub(/^ +/, ""); all[kind] = all[kind] " " $0; if (!(kind in seen)) { seen[kind] = 1; order[++n] = kind } }
		END { for (i = 1; i <= n; i++) { count = split(all[order[i]], list, /, */)
			for (k = 1; k <= count; k++) { sub(/^ +/, "", list[k]); if (list[k] != "" && list[k] !~ /^redistribution/) print (order[i] == "words" ? "" : order[i] " ") list[k] } } }'
}

names >"$TMP/names"
equal 'there are as many as the table has' "$(grep -cE '^	\{("[a-z]+"|NULL), "' tui/command/explain/paper_rows.c)" "$(grep -c . "$TMP/names")"

while read -r name; do
	file=tests/paper/$(echo "$name" | tr ' ' -).out
	status "explain $name" 0 "$SHARDWALK" explain "$name"
	same "$name is told as expected" "$file" "$TMP/out"
	[ "$(wc -L <"$TMP/out")" -le 80 ] && ok "$name fits into 80 columns" || not_ok "$name fits into 80 columns" "$(wc -L <"$TMP/out")"
	sed -n '$s/^next     //p' "$TMP/out" >"$TMP/next"
	grep -qF ".next = \"$(cat "$TMP/next")\"" tui/command/explain/paper_rows.c && ok "$name ends with what to type" ||
		not_ok "$name ends with what to type" "$(cat "$TMP/next")"
	"$SHARDWALK" --quiet -c "$(cat "$TMP/next")" >"$TMP/ran" 2>&1 && ok "the next line of $name runs" ||
		not_ok "the next line of $name runs" "$(cat "$TMP/next"): $(tail -n 3 "$TMP/ran")"
done <"$TMP/names"

extra=$(ls tests/paper | grep -vx explain.out | sed 's/\.out$//' | LC_ALL=C sort)
equal 'no answer is left over' "$(tr ' ' - <"$TMP/names" | LC_ALL=C sort)" "$extra"

status 'letters may be large' 0 "$SHARDWALK" explain 'Theorem  6.7'
status 'a number with a dot is enough' 0 "$SHARDWALK" explain 7.1
equal 'and tells all that has it' 'example section' "$(sed -n 's/^\([a-z]*\) 7\.1: .*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
refused 'another number' L08 "did you mean 'example 4.9'" "$SHARDWALK" explain lemma 4.9
equal 'all numbers are told' 1 "$(grep -c '^expected: lemma 4.1, 4.2, 4.6' "$TMP/err")"
refused 'no number' L08 'needs a number' "$SHARDWALK" explain figure
refused 'a word that is near to one' L08 "did you mean 'height'" "$SHARDWALK" explain hight
refused 'two words' L08 "did you mean 'rising edge'" "$SHARDWALK" explain 'rising edges'
status 'the list as JSON' 0 "$SHARDWALK" explain --json
grep -q '^{"schema": "shardwalk.text/1", "command": "explain"' "$TMP/out" && ok 'is text' || not_ok 'is text' "$(head -c 99 "$TMP/out")"

finish

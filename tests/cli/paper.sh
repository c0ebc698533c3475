#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `explain lemma 4.6` and all others of the papers: what is shown is in tests/paper/NAME.out, of the later ones in one file each,
# fits into 80 columns, and ends with a line that runs.
. "$SRC/tests/lib.sh"

"$SHARDWALK" explain >"$TMP/list" 2>&1
same 'explain alone lists all' tests/paper/explain.out "$TMP/list"

# "lemma 4.6", a name a line, from the list of a paper.
names() { # PAPER
	awk -v paper="$1:" '
		/^[a-z]+: / { on = $1 == paper }
		/^where several/ { on = 0 }
		!on || !/^  / { next }
		/^  [a-z]/ { kind = substr($0, 3, 12); sub(/ +$/, "", kind); order[++n] = kind }
		{ all[kind] = all[kind] " " substr($0, 16) }
		END { for (i = 1; i <= n; i++) { kind = order[i]; count = split(all[kind], list, /, */)
			for (k = 1; k <= count; k++) { sub(/^ +/, "", list[k]); if (list[k] != "") print (kind == "words" ? "" : kind " ") list[k] } } }' "$TMP/list"
}

rows() { # PAPER: the names in its table
	sed -n -E 's/^	\{("(listing|figure|table|sequence|example|principle|definition|lemma|corollary|theorem|case|takeaway|result|pop quiz|question|section|appendix)"|NULL), "([^"]*)".*/\1 \3/p' "tui/command/explain/rows_$1.c" | sort -u | grep -c .
}

for paper in redistribution placements book distributions; do
	names $paper >"$TMP/names-$paper"
	equal "all of $paper is listed" "$(rows $paper)" "$(grep -c . "$TMP/names-$paper")"
done
cp "$TMP/names-redistribution" "$TMP/names"

# Several names end with one line: where it ran well, it does not run again.
: >"$TMP/good"
runs() { # LINE
	grep -qxF -e "$1" "$TMP/good" || { "$SHARDWALK" --quiet -c "$1" >"$TMP/ran" 2>&1 && echo "$1" >>"$TMP/good"; }
}

while read -r name; do
	file=tests/paper/$(echo "$name" | tr ' ' -).out
	status "explain $name" 0 "$SHARDWALK" explain "$name of redistribution"
	same "$name is shown as expected" "$file" "$TMP/out"
	[ "$(wc -L <"$TMP/out")" -le 80 ] && ok "$name fits into 80 columns" || not_ok "$name fits into 80 columns" "$(wc -L <"$TMP/out")"
	sed -n '$s/^next     //p' "$TMP/out" >"$TMP/next"
	grep -qF ".next = \"$(cat "$TMP/next")\"" tui/command/explain/rows_redistribution.c && ok "$name ends with what to type" ||
		not_ok "$name ends with what to type" "$(cat "$TMP/next")"
	runs "$(cat "$TMP/next")" && ok "the next line of $name runs" ||
		not_ok "the next line of $name runs" "$(cat "$TMP/next"): $(tail -n 3 "$TMP/ran")"
done <"$TMP/names"

extra=$(ls tests/paper | grep -vxE '(explain|placements|book|distributions).out' | sed 's/\.out$//' | LC_ALL=C sort)
equal 'no answer is left over' "$(tr ' ' - <"$TMP/names" | LC_ALL=C sort)" "$extra"

for paper in placements book distributions; do
	while read -r name; do
		"$SHARDWALK" explain "$name of $paper" 2>"$TMP/err" || echo "status $?"
		[ -s "$TMP/err" ] && cat "$TMP/err"
		echo
	done <"$TMP/names-$paper" >"$TMP/said"
	timeless "$TMP/said"
	same "$paper is explained as expected" tests/paper/$paper.out "$TMP/said"
	lacks "all of $paper is explained" '^status [1-9]\|^error' "$TMP/said"
	equal "all of $paper fits into 80 columns" '' "$(grep -E -m 1 '.{81}' "$TMP/said")"
	sed -n 's/^next     //p' "$TMP/said" | sort -u | grep -vE '^verify (theorem 3.2|lemma B.7)$' >"$TMP/next" # refuted: see cli/theory
	equal "the next lines of $paper run" 'status 0' "$("$SHARDWALK" --quiet --bail "$TMP/next" >"$TMP/ran" 2>&1; echo status $?)"
done

status 'several papers have a figure 5' 0 "$SHARDWALK" explain figure 5
equal 'the first one is shown, and the others are named' \
	'of redistribution; others have one too: `explain figure 5 of placements`, `explain figure 5 of book`' \
	"$(head -n 2 "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
holds 'it is that of redistribution' '^figure 5: the same ends'
status 'a theorem of another paper' 0 "$SHARDWALK" explain theorem 3.2
holds 'is found without its name' '^theorem 3.2 of placements: '
status 'parentheses are no part of a name' 0 "$SHARDWALK" explain 'sequence (10)'
holds 'maps of low-level steps' '^    phi 3  0 4 2 6 1 5 3 7$'
holds 'are executed' '^executed step by step: every device holds what it says$'
for off in '294 ns:pop quiz 1' '377 us:pop quiz 2' '46 us:question 2'; do
	status "explain ${off#*:}" 0 "$SHARDWALK" explain "${off#*:}"
	holds "says why ${off%:*} is printed" "^${off%:*} is printed: the text "
done
refused 'a figure that a paper has not' L08 "in placements" "$SHARDWALK" explain figure 14 of placements

status 'letters may be large' 0 "$SHARDWALK" explain 'Theorem  6.7'
status 'a number with a dot is enough' 0 "$SHARDWALK" explain 7.1
equal 'and tells all that has it' 'example section' "$(sed -n 's/^\([a-z]*\) 7\.1: .*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
refused 'another number' L08 "did you mean 'example 4.9'" "$SHARDWALK" explain lemma 4.9
equal 'all numbers are shown' 1 "$(grep -c '^expected: lemma 4.1, 4.2, 4.6.*B.1' "$TMP/err")"
refused 'no number' L08 'needs a number' "$SHARDWALK" explain figure
refused 'a word that is near to one' L08 "did you mean 'height'" "$SHARDWALK" explain hight
refused 'two words' L08 "did you mean 'rising edge'" "$SHARDWALK" explain 'rising edges'
status 'the list as JSON' 0 "$SHARDWALK" explain --json
grep -q '^{"schema": "shardwalk.text/1", "command": "explain"' "$TMP/out" && ok 'is text' || not_ok 'is text' "$(head -c 99 "$TMP/out")"

finish

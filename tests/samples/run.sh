#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every sample runs to its end and prints what it printed when somebody last read it: its own statements and
# comments, and the answers between them, as in NAME.out; behind them the answers to what it says is refused.  The
# index lists every one, and no other.
. "$SRC/tests/lib.sh"

expected=tests/samples

wide() { # FILE...
	for file; do
		[ "$(wc -L <"$file")" -le 80 ] || grep -nE '.{81}' "$file" | head -n 1
	done
}

# What a statement that is in a comment, as refused, is answered by: it ends the script.
refusals() { # SAMPLE
	for line in $(sed -n '/^# refused: /=' "$1"); do
		printf '\n%s\n' "$(sed -n "${line}p" "$1")"
		if sed -n "${line}s/^# refused: //; 1,${line}p" "$1" | "$SHARDWALK" --quiet 2>&1 >/dev/null; then
			echo 'it is accepted'
		fi
	done
}

# Those that start ranks run once; those that start them on more and more ranks not at all.  With VERIFY=full all run twice.
is_costly() { # SAMPLE
	[ -z "$VERIFY" ] && grep -q '^run' "$1"
}

is_costlier() { # SAMPLE
	[ -z "$VERIFY" ] && grep -q '^run .*--grow' "$1"
}

samples=$(cd samples && find . -name "*.sw" | sed 's|^\./||; s|\.sw$||' | LC_ALL=C sort)
for name in $samples; do
	sample=samples/$name.sw
	if grep -q '^run' "$sample" && { [ ! -x "$BUILD/shardwalk-exec" ] || ! command -v mpiexec.hydra >/dev/null; }; then
		skip "$name" 'there are no ranks'
		continue
	fi
	equal "$name needs nothing from elsewhere" '' "$(grep -F ../ "$sample")"
	case $(head -n 1 "$sample") in
	'# '?*) ok "$name says first what it shows" ;;
	*) not_ok "$name says first what it shows" 'its first line is no comment' ;;
	esac
	! is_costlier "$sample" || continue
	if "$SHARDWALK" --echo "$sample" >"$TMP/both" 2>&1; then
		timeless "$TMP/both"
		refusals "$sample" >>"$TMP/both"
		same "$name answers as expected" "$expected/$name.out" "$TMP/both"
	else
		not_ok "$name ends well" "status $?: $(tail -n 3 "$TMP/both")"
	fi
	! is_costly "$sample" || continue
	"$SHARDWALK" --quiet --ascii "$sample" >"$TMP/ascii" 2>"$TMP/err"
	equal "$name fits into 80 columns" '' "$(wide "$sample" "$TMP/ascii")"
	equal "$name can be said in ASCII" 'status 0 0' "status $? $(LC_ALL=C tr -d '\000-\177' <"$TMP/ascii" | wc -c)"
	equal "$name has nothing to complain about" '' "$(cat "$TMP/err")"
done

answers=$(cd "$expected" && find . -name "*.out" | sed 's|^\./||; s|\.out$||' | LC_ALL=C sort)
equal "every answer is that of a sample" "$samples" "$answers"

listed=$(sed -n 's/.*](\([^)]*\)\.sw).*/\1/p' samples/README.md | LC_ALL=C sort)
equal "the index lists every sample once" "$samples" "$listed"

finish

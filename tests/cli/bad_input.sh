#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Input that nobody wants: each gets a clear error, soon, and what follows goes on where that makes sense.
. "$SRC/tests/lib.sh"

refuses() { # NAME CODE FILE
	timeout "$PATIENCE" "$SHARDWALK" "$3" >"$TMP/out" 2>"$TMP/err"
	status=$?
	size=$(wc -c <"$TMP/err")
	if [ $status = 1 ] && grep -q "error\[$2\]" "$TMP/err" && [ "$size" -lt 4000 ]; then ok "$1"
	else not_ok "$1" "status $status, $size bytes: $(head -c 300 "$TMP/err")"; fi
}

goes_on() { # NAME
	if grep -q '8 devices' "$TMP/out"; then ok "$1"; else not_ok "$1" "$(head -c 300 "$TMP/out")"; fi
}

awk 'BEGIN { print "mesh {x: 8}"; printf "from ["; for (i = 0; i < 300000; i++) printf "3, "; print "x]"; print "show mesh" }' >"$TMP/type"
refuses 'a type of a megabyte' T06 "$TMP/type"
goes_on 'and the rest goes on'
awk 'BEGIN { print "mesh {x: 8}"; for (i = 0; i < 1000000; i++) printf "x"; print ""; print "show mesh" }' >"$TMP/word"
refuses 'a word of a megabyte' L01 "$TMP/word"
goes_on 'and the rest goes on after it'
awk 'BEGIN { printf "mesh "; for (i = 0; i < 500000; i++) printf "{"; print "" }' >"$TMP/deep"
refuses 'half a million brackets' L06 "$TMP/deep"
awk 'BEGIN { print "mesh {x: 8}"; printf "from [12"; for (i = 0; i < 1000000; i++) printf " "; print "]]"; print "show mesh" }' >"$TMP/far"
refuses 'a mistake behind a megabyte' L06 "$TMP/far"
grep -q ']]' "$TMP/err" && ok 'is shown where it is' || not_ok 'is shown where it is' "$(head -c 300 "$TMP/err")"
goes_on 'and the rest goes on behind it'
printf 'mesh {x: 8}\n\000\001\002\n' >"$TMP/binary"
refuses 'a binary file' L10 "$TMP/binary"
printf 'mesh {x: 8}\nfrom [3{\351}12]\nshow mesh\n' >"$TMP/latin"
refuses 'bytes that are not UTF-8' L10 "$TMP/latin"
grep -q '<E9>' "$TMP/err" && ok 'are shown as numbers' || not_ok 'are shown as numbers' "$(cat "$TMP/err")"
goes_on 'and the line after them runs'
refuses 'a file that never ends' L10 /dev/zero
cd "$TMP" || exit
echo 'source self' >self
refuses 'a script that runs itself' L13 self
printf 'source %s\n' "$TMP/none" >"$TMP/lost"
refuses 'a script that is not there' B01 "$TMP/lost"

for number in 0 -3 99999999999999999999 1.5 '' x; do
	printf 'mesh {x: %s}\n' "$number" >"$TMP/size"
	timeout "$PATIENCE" "$SHARDWALK" "$TMP/size" >"$TMP/out" 2>"$TMP/err"
	equal "an axis of size '$number' is refused" 1 $?
done
printf 'mesh {a: 1099511627776, b: 2}\n' >"$TMP/devices"
refuses 'more than 2^40 devices' M05 "$TMP/devices"
printf 'mesh {x: 8}\nfrom [4611686018427387904, 4, 4]\n' >"$TMP/elements"
refuses 'an array that no number holds' T10 "$TMP/elements"
for file in type word deep far binary latin; do
	timeout "$PATIENCE" "$SHARDWALK" plan --json "$(tr '\000' ' ' <"$TMP/$file" | head -c 100000)" 2>/dev/null >"$TMP/out"
	status=$?
	case $status in
	1 | 2) ok "$file as words of the command line" ;;
	*) not_ok "$file as words of the command line" "status $status" ;;
	esac
done
echo old >"$TMP/kept"
chmod 400 "$TMP/kept"
status 'an output in a folder that is not there' 3 "$SHARDWALK" -c "mesh {x: 8}; save $TMP/no/where"
status 'an output that is a folder' 3 "$SHARDWALK" -c "mesh {x: 8}; save $TMP"
equal 'nothing is left beside it' '' "$(ls "$TMP" | grep -E '\.[A-Za-z0-9]{6}$')"
finish

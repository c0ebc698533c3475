#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The README: its picture is what the command prints, and each command that needs no file of the reader and no ranks is run.
. "$SRC/tests/lib.sh"

cd "$SRC"
command=$(sed -n "s/^    \$ build\/shardwalk -c '\(.*\)'\$/\1/p" README.md)
status 'the command above the picture' 0 "$SHARDWALK" -c "$command"
sed -n '/^    \$ build/,/^    letter: /p' README.md | sed -e 1d -e 's/^    //' >"$TMP/picture"
equal 'prints the picture' "$(cat "$TMP/picture")" "$(cat "$TMP/out")"

grep '^       build/shardwalk' README.md | sed -e 's/  *#.*//' -e 's/^ *build.shardwalk //' >"$TMP/commands"
grep -v -e '^import' -e '^run' -e '^export' "$TMP/commands" >"$TMP/here"
equal 'there are commands to run' yes "$([ "$(wc -l <"$TMP/here")" -ge 7 ] && echo yes)"
while read -r line; do
	status "$line" 0 sh -c '"$1" '"$line" sh "$SHARDWALK"
done <"$TMP/here"
export=$(sed -n 's/^export mpi plan.c //p' "$TMP/commands")
status "export mpi plan.c $export" 0 sh -c 'cd "$2" && "$1" export mpi plan.c '"$export" sh "$SHARDWALK" "$TMP"
equal 'plan.c is written' yes "$([ -s "$TMP/plan.c" ] && echo yes)"

for file in $(grep -o '([A-Za-z/]*\.md)' README.md | tr -d '()'); do
	equal "$file is there" yes "$([ -f "$file" ] && echo yes)"
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# batch: a line out for each line in, in order, bad ones in their place.
. "$SRC/tests/lib.sh"

cat >"$TMP/problems" <<'END'
{"name": "good", "mesh": "{x: 4, y: 6}", "from": "[3{x}12, 2{y}12]", "to": "[2{y}12, 3{x}12]"}
{"name": "object", "mesh": {"x": 4}, "dtype": "bf16", "from": "[3{x}12]", "to": "[12]"}
{"id": 17, "mesh": "{x: 4}", "from": "[3{x}13]", "to": "[13]"}
not json
{"mesh": "{x: 4}"}

{x: 4} [3{x}12] ~> [12]  # as text
{"name": "last", "mesh": "{x: 4}", "from": "[12]", "to": "[3{x}12]"}
END
status 'bad lines make the status 1' 1 "$SHARDWALK" batch "$TMP/problems" --json
equal 'a line out for each line in' 8 "$(wc -l <"$TMP/out" | tr -d ' ')"
equal 'names in order' 'good object 17 null null null as text last ' \
	"$(sed 's/.*"name": \("[^"]*"\|null\).*/\1/; s/"//g' "$TMP/out" | tr '\n' ' ')"
equal 'what each line is' 'plan plan error error error error plan plan ' \
	"$(sed 's/.*"schema": "shardwalk\.\([a-z]*\).*/\1/' "$TMP/out" | tr '\n' ' ')"
equal 'codes in their places' 'T04 T01 B03 B03 ' \
	"$(grep '"error"' "$TMP/out" | sed 's/.*"code": "\([^"]*\)".*/\1/' | sed 's/^B04$/T01/;s/^M01$/T01/' | tr '\n' ' ')"
grep -q '"code": "T04".*"line": 3, "column": 4[0-9]' "$TMP/out" && ok 'the column is that of the line' ||
	not_ok 'the column is that of the line' "$(sed -n 3p "$TMP/out")"
grep -q '"dtype": "bf16"' "$TMP/out" && ok 'an element type of its own' || not_ok 'an element type of its own' "$(sed -n 2p "$TMP/out")"

cat >"$TMP/shapes" <<'END'
{"name": "agrees", "mesh": "{x: 4}", "shape": [12, 8], "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "unsaid", "mesh": "{x: 4}", "shape": null, "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "other", "mesh": "{x: 4}", "shape": [12, 9], "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "short", "mesh": "{x: 4}", "shape": [12], "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "kind", "mesh": "{x: 4}", "shape": "12", "from": "[3{x}12, 8]", "to": "[12, 8]"}
mesh {x: 4} [3{x}12] ~> [12]  # the word mesh may stand in front
END
"$SHARDWALK" batch "$TMP/shapes" --json >"$TMP/out" 2>/dev/null
equal 'a shape has to agree with the types' 'plan plan T09 T09 B03 plan ' \
	"$(sed 's/.*"code": "\([^"]*\)".*/\1/; s/.*"schema": "shardwalk\.plan.*/plan/' "$TMP/out" | tr '\n' ' ')"
grep -q '"name": "other".*"column": 64, "length": 11' "$TMP/out" && ok 'the type is marked' || not_ok 'the type is marked' "$(sed -n 3p "$TMP/out")"

status '--limit' 0 "$SHARDWALK" batch "$TMP/problems" --json --limit 2
equal '--limit counts problems' 2 "$(wc -l <"$TMP/out" | tr -d ' ')"
status 'from standard input' 1 sh -c '"$0" batch - <"$1"' "$SHARDWALK" "$TMP/problems"
equal 'a table line each' 8 "$(wc -l <"$TMP/out" | tr -d ' ')"
status 'an empty file' 0 "$SHARDWALK" batch /dev/null --json
equal 'answers nothing' '' "$(cat "$TMP/out")"
status 'a file that is not there' 1 "$SHARDWALK" batch "$TMP/none" --json
grep -q '"code": "B01"' "$TMP/out" && ok 'tells so in JSON' || not_ok 'tells so in JSON' "$(cat "$TMP/out")"
"$SHARDWALK" batch "$TMP/problems" --limit 2 --json >/dev/full 2>"$TMP/err"
equal 'an output that is full' 1 $?

# Ctrl-C keeps what was printed.
mkfifo "$TMP/fifo"
sh -c 'trap - INT; exec "$0" batch - --json' "$SHARDWALK" <"$TMP/fifo" >"$TMP/kept" 2>/dev/null &
exec 3>"$TMP/fifo"
sed -n 1,2p "$TMP/problems" >&3
sleep 0.3
kill -INT $!
exec 3>&-
wait $!
equal 'an interrupt ends it with 130' 130 $?
equal 'and keeps what was planned' 2 "$(wc -l <"$TMP/kept" | tr -d ' ')"
finish

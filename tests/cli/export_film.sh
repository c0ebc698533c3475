#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The film as a file: a still, a page that plays by itself, and an asciicast; of plans and of programs.
. "$SRC/tests/lib.sh"

problem='mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan exact'
cannon='mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9'

status 'a still is SVG' 0 "$SHARDWALK" --quiet -c "$problem; export film -"
holds 'of the first moment' '<svg ' "$TMP/out"
status 'by its name, too' 0 "$SHARDWALK" --quiet -c "$problem; export film $TMP/film.svg"
holds 'which is the same' '<svg ' "$TMP/film.svg"
status 'a page' 0 "$SHARDWALK" --quiet -c "$problem; export film $TMP/film.html"
equal 'has a picture of each tenth of a step' 31 "$(grep -c '<div class="moment"' "$TMP/film.html")"
equal 'of which one is seen at first' 30 "$(grep -c '<div class="moment".* hidden>' "$TMP/film.html")"
equal 'for a time in proportion to its step' '10 21' "$(grep -c 'data-seconds="0\.225"' "$TMP/film.html") $(grep -c 'data-seconds="\(0\.11[23]\|1\.500\)"' "$TMP/film.html")"
holds 'with what is on its way' 'Step 1 of 3, 10\.0 us' "$TMP/film.html"
equal 'and needs nothing else' 0 "$(grep -cE '(src|href)="' "$TMP/film.html")"
status 'a cast' 0 "$SHARDWALK" --quiet -c "$problem; export film $TMP/film.cast"
equal 'has a head and a line for each moment' 32 "$(wc -l <"$TMP/film.cast" | tr -d ' ')"
status 'whose lines are JSON' 0 python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert lines[0]["version"] == 2 and lines[0]["width"] >= 24
assert [line[1] for line in lines[1:]] == ["o"] * 31
assert [round(line[0], 3) for line in lines[1::10]] == [0, 2.25, 3.375, 4.5]
rows = max(line[2].count("\n") for line in lines[1:])
assert rows < lines[0]["height"]' "$TMP/film.cast"
status 'a program' 0 "$SHARDWALK" --quiet -c "$cannon; export film $TMP/cannon.html"
equal 'has its moments' 31 "$(grep -c '<div class="moment"' "$TMP/cannon.html")"
refused 'a name that says nothing' L02 '\.svg, \.html or \.cast' "$SHARDWALK" --quiet -c "$problem; export film $TMP/film.gif"
refused 'no plan' L07 '' "$SHARDWALK" --quiet -c 'export film -'
finish

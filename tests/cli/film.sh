#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Scripts that are played, and what is recorded of them.
. "$SRC/tests/lib.sh"

cat >"$TMP/film.sw" <<'END'
# The devices
# form a mesh.
mesh {x: 4, y: 6}

# Both "ends".
[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan paper
show heights
END
status 'a script is played' 0 "$SHARDWALK" -c "source --pace 0 $TMP/film.sw"
holds 'with its statements' '^> plan paper$' "$TMP/err"
holds 'and comments' '^# The devices$' "$TMP/err"
holds 'and its answers' '3 steps, 1 permutation' "$TMP/out"
status 'and recorded' 0 "$SHARDWALK" -c "source --pace 0 --record $TMP/film.cast $TMP/film.sw"
cast() { # PROGRAM of Python, with the lines in `lines`
	python3 -c "
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
$1" "$TMP/film.cast"
}
if command -v python3 >/dev/null; then
	equal 'it begins as an asciicast' '2 80 True' "$(cast 'print(lines[0]["version"], lines[0]["width"], lines[0]["height"] > 0)')"
	equal 'times never go back' True "$(cast 'at = [line[0] for line in lines[1:]]
print(at == sorted(at) and at[0] >= 0)')"
	cast 'sys.stdout.write("".join(line[2] for line in lines[1:] if line[1] == "o").replace("\r\n", "\n"))' >"$TMP/played"
	"$SHARDWALK" -c "source --pace 0 $TMP/film.sw" >"$TMP/both" 2>&1
	sed 's/planned in .*/planned in/' "$TMP/both" >"$TMP/both.timeless"
	equal 'and has all that was shown' "$(cat "$TMP/both.timeless")" "$(sed 's/planned in .*/planned in/' "$TMP/played")"
else
	skip 'what is recorded' 'there is no python3'
fi
refused 'a script that is not there' B01 'nowhere.sw' "$SHARDWALK" -c "source --record $TMP/none.cast $TMP/nowhere.sw"
refused 'a folder that is not there' B02 'nowhere' "$SHARDWALK" -c "source --pace 0 --record $TMP/nowhere/film.cast $TMP/film.sw"
refused 'a pace that is too slow' L12 'range' "$SHARDWALK" -c "source --pace 60001 $TMP/film.sw"
refused 'a read-only session' L15 'would be written' "$SHARDWALK" --safe -c "source --pace 0 --record $TMP/other.cast $TMP/film.sw"
if [ -e "$TMP/other.cast" ]; then not_ok 'nothing was written' 'it is there'; else ok 'nothing was written'; fi
finish

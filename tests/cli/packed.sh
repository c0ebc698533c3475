#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files that gzip has packed are read as what was packed, wherever a file is read.
. "$SRC/tests/lib.sh"

log=$SRC/tests/logs/dtensor.log
gzip -c "$log" >"$TMP/log.gz"
"$SHARDWALK" import "$log" >"$TMP/plain" 2>"$TMP/plain.err"
"$SHARDWALK" import "$TMP/log.gz" >"$TMP/out" 2>"$TMP/err"
equal 'import answers as it does to the plain file' "$(cat "$TMP/plain" "$TMP/plain.err")" "$(cat "$TMP/out" "$TMP/err")"

"$SHARDWALK" import - <"$TMP/log.gz" >"$TMP/out" 2>/dev/null
equal 'standard input may be packed' "$(cat "$TMP/plain")" "$(cat "$TMP/out")"

{ head -n 1 "$log" | gzip -c && sed 1d "$log" | gzip -c; } >"$TMP/two.gz"
"$SHARDWALK" import "$TMP/two.gz" >"$TMP/out" 2>/dev/null
equal 'members follow each other' "$(cat "$TMP/plain")" "$(cat "$TMP/out")"

printf 'mesh {x: 4}\nhelp plan\nexplain N07\n' >"$TMP/a.shw"
gzip -c "$TMP/a.shw" >"$TMP/a.shw.gz"
equal 'a script may be packed' "$("$SHARDWALK" -f "$TMP/a.shw" 2>&1)" "$("$SHARDWALK" -f "$TMP/a.shw.gz" 2>&1)"

head -c 25 "$TMP/log.gz" >"$TMP/cut.gz"
refused 'a file that is cut off before its first byte' B01 'but cut off' "$SHARDWALK" import "$TMP/cut.gz"
{ head -c 25 "$TMP/log.gz"; printf '\377\377\377\377\377\377\377\377'; tail -c +35 "$TMP/log.gz"; } >"$TMP/bad.gz"
refused 'a file that is damaged there' B01 'but damaged' "$SHARDWALK" import "$TMP/bad.gz"
head -c 40 "$TMP/a.shw.gz" >"$TMP/cut.shw.gz"
refused 'a script that is cut off' B01 'but cut off' "$SHARDWALK" -f "$TMP/cut.shw.gz"

## Of others it is said who packed it

other() { # NAME MARK COMMAND
	printf "$2 and so on" >"$TMP/other"
	refused "$1" B01 "it is compressed with $1" "$SHARDWALK" import "$TMP/other"
	says "$1: what unpacks it" "$3 FILE | shardwalk import -" "$TMP/err"
}
other zstd '\050\265\057\375' 'zstd -dc'
other xz '\3757zXZ\000' 'xz -dc'
other bzip2 'BZh91AY&SY' 'bzip2 -dc'
other lz4 '\004\042\115\030' 'lz4 -dc'
other zip 'PK\003\004' 'unzip -p'

## What is before the place where it breaks is read by import

pair() { # MOST: as many different pairs
	for k in $(seq "$1"); do echo "f32[$((8 * k)),8] {replicated} -> {devices=[8,1]<=[8]}"; done
}
pair 400 >"$TMP/pairs"
gzip -c "$TMP/pairs" >"$TMP/pairs.gz"
half=$(($(wc -c <"$TMP/pairs.gz") / 2))
head -c "$half" "$TMP/pairs.gz" >"$TMP/cut.gz"
status 'a file that is cut off' 0 "$SHARDWALK" -c "import $TMP/cut.gz"
holds 'says so, and where' 'cut.gz.: it is compressed with gzip, but cut off: it breaks off in line [1-9][0-9]*, and only' "$TMP/err"
lines=$(sed -n 's/.*breaks off in line \([0-9]*\),.*/\1/p' "$TMP/err")
holds 'and what was read' "read as pairs of shardings: $((lines - 1)) pairs\|read as pairs of shardings: $lines pairs" "$TMP/err"
{ head -c "$half" "$TMP/pairs.gz"; head -c 9 /dev/zero | tr '\000' '\377'; tail -c 20 "$TMP/pairs.gz"; } >"$TMP/bad.gz"
status 'one that is damaged' 0 "$SHARDWALK" -c "import $TMP/bad.gz"
holds 'says that' 'it is compressed with gzip, but damaged: it breaks off in line' "$TMP/err"
gzip -c "$SRC/tests/hlo/scan.mlir" | head -c 1500 >"$TMP/module.gz"
status 'a module of --module that is cut off' 0 "$SHARDWALK" -c "import $TMP/pairs --module $TMP/module.gz"
holds 'says so, too' 'module.gz.: it is compressed with gzip, but cut off' "$TMP/err"

finish

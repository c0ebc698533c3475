#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The number of a row may be behind the options of `import`, too.
. "$SRC/tests/lib.sh"

printf 'f32[8,8] {replicated} -> {devices=[8,1]<=[8]}\nf32[16,8] {devices=[8,1]<=[8]} -> {replicated}\n' >"$TMP/log"
{
	echo 'HloModule m, num_partitions=8' && echo && echo 'ENTRY %main (p: f32[8,8]) -> f32[8,8] {'
	echo '  ROOT %p = f32[8,8]{1,0} parameter(0), sharding={replicated}' && echo '}'
} >"$TMP/module"
status 'row 2 by its number' 0 "$SHARDWALK" --quiet -c "import $TMP/log 2"
cp "$TMP/out" "$TMP/two"
for words in "$TMP/log --module $TMP/module 2" "$TMP/log --times 1 2" "$TMP/log --by=time 2" "--by line $TMP/log --times=1 2" \
	"$TMP/log --by bytes --module $TMP/module --times 1 2"; do
	status "import ${words#"$TMP/"}" 0 "$SHARDWALK" --quiet -c "import $words"
	same "is row 2: ${words#"$TMP/"}" "$TMP/two" "$TMP/out"
done
status 'JSON of one row' 0 "$SHARDWALK" --quiet -c "import $TMP/log --json 2"
says 'is JSON' '"kind": "pairs"'
status 'a value is no number of a row' 0 "$SHARDWALK" --quiet -c "import $TMP/log --times 2"
holds 'both rows are there' ' 2 '
for row in 0 3 99999999999999999999; do
	refused "row $row" L12 "there is no row $row" "$SHARDWALK" --quiet -c "import $TMP/log --times 1 $row"
	holds "row $row: where" "^  | *\^$(echo "$row" | sed 's/^.//;s/./^/g')\$" "$TMP/err"
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The order of rows of an import, and rows that are folded into one; their numbers stay.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

module=$SRC/tests/hlo/nested.hlo

lines() { # the lines of rows, as they are listed
	grep -o '"line": [0-9]*, "bytes_in_all"' out | grep -o '[0-9]*' | tr '\n' ' '
}

## Orders

while read -r by want; do
	status "import --by $by" 0 "$SHARDWALK" import "$module" --by "$by" --json
	equal "$by: in its order" "$want" "$(lines | sed 's/ $//')"
done <<'ORDERS'
bytes 93 55 61 108 118 167 132 157
saved 118 167 93 55 61 108 132 157
line 93 108 55 61 118 132 157 167
ORDERS
status 'without a word' 0 "$SHARDWALK" import "$module" --json
equal 'by bytes' '93 55 61 108 118 167 132 157 ' "$(lines)"
says 'with its share of all' '"bytes_in_all": 172032, "planned_in_all": 172032, "untaken": false, "share": 0.356248' out

## Numbers

status 'rows in another order' 0 "$SHARDWALK" import "$module" --by saved
holds 'have the numbers that they have in the usual one' '^ 5 *12 .* 3.5 KiB *1.8 KiB ' out
says 'the listing says so' 'the row with # N, however rows are sorted.' out
status 'a row of them' 0 "$SHARDWALK" import "$module" 5 --by saved
holds 'is that of its number' '^value .*%collective-permute.1, line 118' out
status 'without an order too' 0 "$SHARDWALK" -c "import $module --by time; import --take 5"
holds 'it is the same' '^value .*%collective-permute.1, line 118' out

## Folds

status 'rows of one loop' 0 "$SHARDWALK" import "$module" --fold loop
holds 'are one, with the sum' '^ 1 *4 *48 .* 55% *258.1 KiB *237.1 KiB *21 KiB  line 163$' out
holds 'what is in none, too' '^ 6 *2 *2 .* 1% .* none$' out
status 'rows of one line of the program' 0 "$SHARDWALK" import "$module" --fold line --by saved --json
says 'have their members' '"members": [5], "count": 1, "runs": 12, "bytes_saved": 21504, "line": 118' out
says 'and what differs among them is not known' '"members": [1, 4], "count": 2, "runs": 24, "bytes_saved": 0, "line": null' out
status 'rows of one kind' 0 "$SHARDWALK" import "$SRC/tests/logs/warnings.log" --fold kind
holds 'have their operations' 'allgather, allgather, dynslice' out
status 'collectives that are in no row' 0 "$SHARDWALK" import "$SRC/tests/hlo/traffic/halo.mlir" --fold kind
holds 'are folded, too' '^ *2  384 B .*100%  *2  *collective-permute' out

## On top

status 'one row with most of the bytes' 0 "$SHARDWALK" import "$SRC/tests/logs/warnings.log"
says 'is in a line on top' '196 KiB of 207.5 KiB are row 1, line 2.' out

## Refused

"$SHARDWALK" import "$module" --by price >out 2>err && not_ok 'a word that is none' 'was taken' || ok 'a word that is none'
holds 'is marked' '^  |.* --by price$' err
holds 'and the words are listed' '^expected: saved, line, bytes, time, tile$' err
"$SHARDWALK" import "$module" --fold price >out 2>err && not_ok 'nor can they be folded so' 'was taken' || ok 'nor can they be folded so'
holds 'by these words' '^expected: line, loop, kind$' err
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Bytes of all collectives of a module: the totals are those of a counter that was written apart, and where its rules are others
# those of the manual.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

prints() { # NAME PATTERN
	if grep -Eq -e "$2" "$TMP/out" "$TMP/err"; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 "$TMP/out" "$TMP/err" | tr '\n' '|')"; fi
}

modules=$SRC/tests/hlo/traffic

total() { # FILE
	"$SHARDWALK" import "$1" --json 2>/dev/null | sed -n 's/.*"traffic": {"bytes": \([0-9.e+]*\).*/\1/p'
}

## Totals

while read -r name bytes; do
	equal "$name: as many bytes as were counted" "$bytes" "$(total "$modules/$name.hlo")"
done <"$modules/totals"
# Every third module, with VERIFY=full all.
each=3
[ "$VERIFY" != full ] || each=1
counter=$CASES/../peers/hlo_bytes.py
if [ -f "$counter" ] && command -v python3 >/dev/null; then
	for module in $(ls "$CASES"/modules/*.hlo "$CASES"/hlo/*.hlo | awk -v each="$each" 'NR % each == 0'); do
		name=$(basename "$module")
		counted=$(python3 "$counter" "$module" | sed -n 's/.*: total \([0-9]*\) B.*/\1/p')
		equal "$name: as many as the counter finds" "$counted" "$(total "$module")"
	done
else
	skip 'as many as the counter finds' 'there is no counter'
fi

## The same before it is partitioned

for module in "$modules"/*.mlir; do
	name=$(basename "$module" .mlir)
	[ -f "$modules/$name.hlo" ] || continue
	equal "$name: StableHLO moves what HLO moves" "$(total "$modules/$name.hlo")" "$(total "$module")"
done
status 'collectives of a manual computation' 0 "$SHARDWALK" import "$modules/rattn.mlir"
holds 'are no error' '^Collectives that the program itself calls bring 128 KiB to a device' out
status 'a halo of a manual computation' 0 "$SHARDWALK" import "$modules/halo.mlir" --json
says 'is a halo' '"where": "halo 14:16 of 16 in dimension 0, offset +1, line of 8"' out
status 'pairs in hexadecimal digits' 0 "$SHARDWALK" import "$modules/hex.mlir" --json
says 'are read, too' '"bytes": 64, "mean": 64, "kind": "collective-permute", "count": 1, "where": "ring of 64, offset +1"' out
status 'branches' 0 "$SHARDWALK" import "$modules/cond.mlir"
prints 'count by the dearer one' '^only the branch that moves most counts, for 1 conditional'
equal 'a ragged exchange whose sizes are arguments' 2048 "$(total "$modules/ragged-arguments.mlir")"
equal 'where axes are left to the compiler' 32768 "$(total "$modules/partial-axes.mlir")"
status 'where axes are left to the compiler' 0 "$SHARDWALK" import "$modules/partial-axes.mlir"
prints 'it is an upper bound, for that reason alone' '^the total is an upper bound: a manual computation leaves axes to the compiler$'

## Where the counter has other rules

equal 'of a conditional the dearer branch counts' 3584 "$(total "$modules/cond.hlo")"
status 'a conditional' 0 "$SHARDWALK" import "$modules/cond.hlo"
prints 'is reported' '^only the branch that moves most counts, for 1 conditional'
holds 'the other branch is in the table' '^ *0 B  *0  *512 B  collective-permute .*' out
equal 'of uneven groups the largest counts' 768 "$(total "$modules/uneven.hlo")"
status 'uneven groups' 0 "$SHARDWALK" import "$modules/uneven.hlo" --json
says 'have a mean below' '"mean": 640' out
equal 'a ragged exchange counts by its sizes, or at most what others have' 1856 "$(total "$modules/ragged.hlo")"
status 'a ragged exchange' 0 "$SHARDWALK" import "$modules/ragged.hlo"
prints 'is an upper bound, for its sizes alone' '^the total is an upper bound: the sizes of a ragged-all-to-all are known only when the program runs$'
equal 'groups that are none count as all devices' 768 "$(total "$modules/wrong.hlo")"
status 'groups that are none' 0 "$SHARDWALK" import "$modules/wrong.hlo"
prints 'are shown of by their line' '^line 11: its groups do not match the devices'
status 'a loop that does not say how often it runs' 0 "$SHARDWALK" import "$modules/unk.hlo"
prints 'makes the total too low' '^the total is too low if a loop does not say how often it runs'

## What they are

status 'a module without a chain' 0 "$SHARDWALK" import "$modules/rattn.hlo" --json
says 'has no rows' '"rows": []' out
says 'a ring is a ring' '"where": "2 rings of 4, offset +1: 2 times 4 steps of 16 KiB, free to overlap with 2 products"' out
status 'a halo' 0 "$SHARDWALK" import "$modules/conv.hlo" --json
says 'is a halo' '"where": "halo 6:8 of 8 in dimension 1, offset +1, 2 lines of 4"' out
says 'with its border' '"halo": {"dimension": 1, "from": 0, "to": 2, "of": 8}' out
status 'a pipeline' 0 "$SHARDWALK" import "$modules/pipe.hlo"
holds 'goes along a line' '22 KiB  *11  *2 KiB  collective-permute  line of 8' out
status 'loops in loops' 0 "$SHARDWALK" import "$modules/nest.hlo" --json
says 'multiply' '"runs": 15, "bytes": 512, "mean": 512, "kind": "collective-permute"' out
status 'pairs of start and done' 0 "$SHARDWALK" import "$modules/async.hlo"
prints 'count once' '384 B are in chains, the rest in 2 all-to-alls, 1'
"$SHARDWALK" import "$modules/rattn.hlo" 1 >out 2>err && not_ok 'a row of none' 'was taken' || ok 'a row of none'
holds 'is refused with a reason' '^expected: no number: none of its collectives is a redistribution' err
finish

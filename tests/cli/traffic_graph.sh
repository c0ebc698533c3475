#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# HLO and StableHLO are one graph: what is counted of one is counted of the other, too.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

modules=$SRC/tests/hlo/traffic

forms() { # FILE
	"$SHARDWALK" import "$1" --json 2>/dev/null | grep -o '"where": "[^"]*"' | sort
}

## Rings

equal 'a ring of StableHLO overlaps with what that of HLO does' "$(forms "$modules/rattn.hlo")" "$(forms "$modules/rattn.mlir")"
status 'a loop whose limit is computed, and handed on' 0 "$SHARDWALK" import "$modules/computed.mlir" --json
says 'has its trips, and the products that wait for no permute' \
	'"where": "ring of 4, offset +1: 6 steps of 512 B, free to overlap with 1 product"' out
says 'known ones' '"open": 0, "at_most": 0' out
sed 's/%iterArg_3 : tensor<i32>, tensor<8x16xf32>, tensor<i32>$/%6 : tensor<i32>, tensor<8x16xf32>, tensor<i32>/' \
	"$modules/computed.mlir" >other.mlir
status 'a limit that each round changes' 0 "$SHARDWALK" import other.mlir --json
says 'is not known' '"open": 1, "at_most": 0' out

## What is sent and received

status 'pairs of send and recv' 0 "$SHARDWALK" import "$modules/sent.hlo" --json
says 'count once, where they arrive' '"traffic": {"bytes": 512, "mean": 384,' out
says 'along a line' '"kind": "collective-permute", "count": 1, "where": "line of 4, offset +1"' out
says 'what the host sends is no collective' '"collectives": 1,' out
sed 's/"{{0,1},{1,2},{2,3}}"/{{0,1},{1,0},{2,3},{3,2}}/' "$modules/sent.hlo" >other.hlo
status 'pairs without quotes' 0 "$SHARDWALK" import other.hlo --json
says 'are read, too' '"where": "2 rings of 2"' out
equal 'the same in StableHLO' "$(forms "$modules/sent.hlo")" "$(forms "$modules/sent.mlir")"
status 'stablehlo.send and recv' 0 "$SHARDWALK" import "$modules/sent.mlir" --json
says 'count once, too, without what the host sends' '"traffic": {"bytes": 512, "mean": 384,' out
says 'at the line that receives' '"where": "line of 4, offset +1", "source": null, "line": 5,' out
sed 's/ = dense<\[\[0, 1\], \[1, 2\], \[2, 3\]\]>/ = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]>/; s/3x2xi64/4x2xi64/g' \
	"$modules/sent.mlir" >other.mlir
status 'other pairs' 0 "$SHARDWALK" import other.mlir --json
says 'are other rings' '"where": "2 rings of 2"' out
sed 's/, source_target_pairs = dense<[^>]*> : tensor<3x2xi64>//' "$modules/sent.mlir" >other.mlir
status 'as it was before there were pairs' 0 "$SHARDWALK" import other.mlir --json
says 'counts as one group, and is marked' '"wrong_groups": 1, "rows": [{"bytes_in_all": 512,' out

## Meshes without a name

status 'a mesh that a collective of Shardy says itself' 0 "$SHARDWALK" import "$modules/inline.mlir" --json
says 'makes a group of all' '"bytes": 14336, "mean": 14336, "kind": "all-gather", "count": 1, "where": "group of 8"' out
says 'and groups along an axis' '"bytes": 12288, "mean": 12288, "kind": "all-reduce", "count": 1, "where": "2 groups of 4"' out

## Damaged

sed 's/tensor<8x16xf32>) -> tensor<8x16xf32>$/tensor<complex<>) -> tensor<complex<>/' "$modules/computed.mlir" >other.mlir
status 'an element type that breaks off' 1 "$SHARDWALK" import other.mlir
holds 'counts nothing' '^error.N07.: the module computed never asks for a sharding' err
finish

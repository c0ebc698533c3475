#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Letters with numbers: one for each dimension of the array, as Alpa and Colossal-AI write them, or one for each dimension of the mesh, as
# DTensor prints placements; where only one is possible it is taken, else the other is named.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

one='mesh {x: 4}; shape f32[8,8]'
two='mesh {x: 4, y: 2}; shape f32[8,8]'

taken() { # WHAT PROBLEM FROM TO
	"$SHARDWALK" -c "$2; export plan -" >out 2>err
	holds "$1" "^ *\"from\": \"$3\",*\$" out
	holds "$1: the other end" "^ *\"to\": \"$4\",*\$" out
}

## Only of the mesh

for placed in 'S1 ~> R' '[S1] ~> [R]' 'S(1) ~> R'; do
	taken "one axis: $placed" "$one; $placed" '\[8, 2{x}8\]' '\[8, 8\]'
done
holds 'it is DTensor' '^read as DTensor placements' err
taken 'an axis that cuts twice' "$two; S0S0 ~> RR" '\[1{y,x}8, 8\]' '\[8, 8\]'
taken 'the other end is as that' "$two; S0S0 ~> S1R" '\[1{y,x}8, 8\]' '\[8, 2{x}8\]'
taken 'whichever it is' "$two; [S1, R] ~> (Shard(0), Shard(0))" '\[8, 2{x}8\]' '\[1{y,x}8, 8\]'
status 'pairs with an arrow' 0 "$SHARDWALK" -c "$two; import f32[8,8] [S1,R] -> [S0,S0]" --json
holds 'are read alike' '"from": "\[8, 2{x}8\]", "to": "\[1{y,x}8, 8\]"' out
status 'without brackets' 0 "$SHARDWALK" -c "$one; import f32[8,8] S1 -> R"
holds 'no placement of another notation' '^from  f32\[8, 2{x}8\]' out

## Only of the array

taken 'more numbers behind a letter' "$two; S01R ~> RR" '\[1{y,x}8, 8\]' '\[8, 8\]'
refused 'neither' T02 'the mesh has no axis number 1' "$SHARDWALK" -c "$one; S1R ~> RR"
holds 'at the number' '^  *|  *^$' err
holds 'the other reading is explained' '^help: .*; DTensor.s placements, .*, are one for each dimension of the mesh$' err
refused 'a dimension that the array has not' T02 'the mesh has no axis number 5' "$SHARDWALK" -c "$two; S5 ~> R"

## Both

taken 'both are possible' "$two; S1R ~> RR" '\[4{y}8, 8\]' '\[8, 8\]'
holds 'the other one is named' '^.S1R. has a letter .* it would be (Shard(dim=1), Replicate())$' err
taken 'both are the same' "$two; S1S0 ~> RR" '\[4{y}8, 2{x}8\]' '\[8, 8\]'
lacks 'nothing is named' 'has a letter' err
status 'in a pair' 0 "$SHARDWALK" -c "$two; import f32[8,8] S1R -> RR"
holds 'it is a note' '^note  .S1R. has a letter for each dimension of the array' out
finish

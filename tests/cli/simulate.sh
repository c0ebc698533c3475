#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs on data in process: verified, or within a bound; files of programs; views of products; what is refused.
. "$SRC/tests/lib.sh"
export LC_ALL=C
cp "$SRC"/samples/matrices/*.spmd "$TMP" && cd "$TMP" || exit

rounded='program mesh {x: 2} fn f(a : [8, 4{x}8]) -> [8] { b = exp a c = einsum "ij,ij->i" b b d = redistribute c as [8] return d }'
open='program mesh {x: 2} fn f(a : ?[8, 8]) -> [8, 8] { b = relu a return b }'
narrow='program mesh {x: 2} fn f(a : bf16[8, 4{x}8]) -> bf16[8, 8] { b = redistribute a as bf16[8, 8] return b }'
large='program mesh {x: 2} fn f(a : [{x}200000, 200000]) -> [{x}200000, 200000] { b = relu a return b }'

answers() { # NAME STATEMENTS TEXT
	"$SHARDWALK" --quiet -c "$2" >out 2>err
	equal "$1: status" 0 $?
	says "$1" "$3" out
}

refuses() { # NAME STATEMENTS CODE TEXT
	"$SHARDWALK" --quiet -c "$2" >out 2>err
	equal "refused: $1" 'status 1' "status $?"
	says "code: $1" "error[$3]" err
	says "way out: $1" "$4" err
}

answers 'bits are compared' 'program question-9-scatter.spmd; simulate' \
	'verified: 5 values on 4 virtual devices, bit for bit equal to whole arrays'
answers 'how much' 'program question-9-scatter.spmd; simulate' 'compared  1 458 176 elements after 3 steps'
answers 'rounded values have a bound' "$rounded; simulate" 'within the bound: 4 values'
equal 'which is not called verified' 0 "$(grep -c verified out)"
answers 'as JSON' 'program blocks.spmd; simulate --json' '"verified": true'
answers 'blocks as terms' 'program blocks.spmd; show terms' 'C00 = A00 B00 + A01 B10'
answers 'terms as SVG' 'program blocks.spmd; export svg - terms' '<svg'
answers 'indices of devices' 'program question-9-scatter.spmd; show indices' '256-511'
answers 'other elements' "$narrow; simulate --dtype f32" 'verified: 2 values'

refuses 'elements that nothing computes with' "$narrow; simulate" P05 '--dtype f32'
refuses 'an unknown element type' 'program blocks.spmd; simulate --dtype f31' T07 'f32'
refuses 'an open type' "$open; simulate" A10 'assign'
refuses 'an open type on ranks' "$open; run" A10 'assign'
"$SHARDWALK" --quiet -c "$large; simulate" >out 2>err
equal 'refused: more than memory' 'status 3' "status $?"
says 'the way out' 'set memory' err
says 'with the numbers' 'GiB on 2 virtual devices' err
refuses 'no program' simulate L07 'program FILE'
refuses 'a view without a program' 'show terms' L07 'program FILE'

answers 'a file of the program' 'program question-9-scatter.spmd; export plan program.json' ''
answers 'is opened' 'open program.json; simulate' 'verified: 5 values'
answers 'with its plans' 'open program.json; program' '1 reducescatter, chosen'
sed 's/"bytes": [0-9]*/"bytes": 7/' program.json >damaged.json
refuses 'a file that contradicts itself' 'open damaged.json' P03 'line'
answers 'what a run would take' 'program blocks.spmd; run --dry-run' 'ranks    4, for 3 values and 1 steps'
refuses 'options of plans' 'program blocks.spmd; run --sweep 1KiB:4KiB' L02 'enter N'
refuses 'elements without a program' 'mesh {x: 2}; [{x}8] ~> [8]; run --dtype f32' L02 'program FILE'
finish

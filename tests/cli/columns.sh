#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tables of answers in the order of a column, and rows that are folded by one: whatever the command, in the text and in JSON.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

sw() { # TEXT: its statements
	"$SHARDWALK" -c "$1" >out 2>err
}
values() { # KEY: of the rows in JSON, in their order
	grep -o "\"$1\": [^,}]*" out | sed 's/.*: //; s/"//g' | tr '\n' ' '
}
ordered() { # NAME KEY up|down: numbers are in this order
	count=$(values "$2" | wc -w)
	sorted=$(values "$2" | tr ' ' '\n' | grep . | sort -g $([ "$3" = down ] && echo -r) | tr '\n' ' ')
	if [ "$count" -gt 1 ] && [ "$sorted" = "$(values "$2")" ]; then ok "$1"; else not_ok "$1" "$(values "$2") $(cat err)"; fi
}

## Strategies

problem='mesh {x: 2, y: 4}
redistribute [4{x}8, 16] ~> [8, 2{x,y}16]'
sw "$problem
compare --by volume --json"
ordered 'strategies by what they move' volume up
sw "$problem
compare --by strategy"
holds 'by name the title says so' '^compare  9 plans, by strategy$' out
holds 'the first in the text shares its row' '^  = fused, paper' out
equal 'names rise' 'direct dtensor exact naive ' "$(sed -n '/^──/,/^  *cost/{s/^\([a-z][a-z-]*\)  *[0-9].*/\1 /p}' out | tr -d '\n')"
sw "$problem
compare --by measured_s"
holds 'what nobody has changes nothing' '^direct  ' out

## Ways

product='mesh {x: 2, y: 4}
einsum ij,jk->ik [4{x}8, 16], [16, 4{y}16] as [4{x}8, 16]'
sw "$product --by flops --json --limit 40"
ordered 'ways by flops' flops up
sw "$product --by flops --limit 2"
equal 'the first of all, not of those that are listed' 2 "$(grep -c '^[* ] *[0-9][0-9]*  *[0-9]*  *[0-9]*  *[0-9]*  ' out)"
sw "$product --by memory --json --limit 9"
ordered 'what counts is an order, too' memory up
sw "$product --fold product"
holds 'ways to one product are one' '^rows ' out
holds 'with the figures of the best of them' '^ *3  .*  96  ' out

## Placements and programs of a sum

placed='system p2-a100 4
axes {data: 8, shard: 8}'
sw "$placed
placements {data} 8GiB --by allreduce_s --json"
ordered 'placements by one allreduce' allreduce_s up
sw "$placed
reduce {data} f32[1073741824]
placements
place 2
reductions --by total_s --json --limit 20"
ordered 'programs by their time' total_s up

## A walk

sw "$problem
walk exact
step 3
frontier --by distance --json"
ordered 'nodes by their distance' distance up
sw "$problem
walk exact
step 3
frontier --fold distance"
holds 'as far as one another they are one' '^rows ' out

## Schedules

arrays='mesh {x: 3, y: 3}; type A = f64[9, 9] xy->xy; type B = f64[9, 9] xy->xy; type C = f64[9, 9] xy->xy'
sw "$arrays; compute A(i,j) = B(i,k) * C(k,j); compare --by max_peak --json"
ordered 'schedules by their memory' max_peak up
sw "$arrays; compute A(i,j) = B(i,k) * C(k,j); compare --fold steps"
holds 'schedules of as many steps are one' '^rows ' out

## A program

program='program mesh {x: 2, y: 2} fn main(a : [64, 16{x}32], b : [16{x}32, 48]) -> [64, 24{y}48] { c = einsum "ij,jk->ik" a b as [64, 24{y}48] d = redistribute c as [64, 48] e = redistribute d as [32{x}64, 48] return c }'
sw "$program; program --by bytes --json"
equal 'values by their memory, the largest first' "$(sed 's/"redistributions".*//' out | grep -o '"bytes": [0-9]*' | sort -k 2 -rn)" "$(sed 's/"redistributions".*//' out | grep -o '"bytes": [0-9]*')"
sw "$program; program --by cost"
holds 'what moves, by its cost' '^[0-9]  [cde]  ' out
equal 'the dearest first' "$(tail -n 7 out | grep -o '^[0-9]  [cde]  .*' | grep -o '[0-9]*$' | sort -rn)" "$(tail -n 7 out | grep -o '^[0-9]  [cde]  .*' | grep -o '[0-9]*$')"
sw "$program; program --fold strategy"
holds 'and what one strategy plans as one, with the sum' '^   3 .* [0-9]*$' out

## Problems in numbers, and trades

sw 'evaluate --problems 12 --strategies xla,fused,paper,exact --by strategy'
equal 'strategies of many problems by name' 'exact fused paper xla' "$(sed -n '/^RQ1/,/^up/s/^\([a-z][a-z]*\)  *[0-9].*/\1/p' out | tr '\n' ' ' | sed 's/ $//')"
sw 'evaluate --problems 12 --strategies xla,fused --by geometric_mean --json'
ordered 'ratios of all their costs' geometric_mean down
trades='mesh {a: 2, c: 2}
[4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]
model latency'
sw "$trades
pareto --json"
equal 'trades as they come: the most memory first' "$(values height | tr ' ' '\n' | grep . | sort -rn | tr '\n' ' ')" "$(values height)"
sw "$trades
pareto --by height --json"
ordered 'trades by their memory' height up
sw "$trades
pareto --by height
pareto 1"
least=$(sed -n 's/^  1  *\([0-9][0-9]*\) .*/\1/p' out | head -n 1)
holds 'numbers are those of the table that was shown' "^  height $least " out

## Words

refused() { # NAME TEXT EXPECTED HINT
	sw "$2" && not_ok "$1" 'was taken'
	if grep -Eq "^expected: $3" err && grep -Eq "^help: $4" err; then ok "$1"; else not_ok "$1" "$(cat err)"; fi
}
refused 'a word that is near' "$product --by flop" 'cost, time, overlap, memory, front' "did you mean 'flops'"
holds 'is marked' '^  |  *\^\^\^\^$' err
refused 'of a fold' "$product --fold prodct" 'a, b, product, bound$' "did you mean 'product'"
refused 'of strategies' "$problem
compare --by heigth" 'strategy, cost, volume' "did you mean 'height'"
refused 'of an import' "import $SRC/tests/hlo/nested.hlo --fold lien" 'line, loop, kind$' "did you mean 'line'"
sw 'help reductions'
holds 'help lists them' '^ *total_s$' out
sw "$product
export svg - ways --by flops"
holds 'pictures are in this order' '<svg' out
finish

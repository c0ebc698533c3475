#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs: read, typed, shown, entered and left; what is refused.
. "$SRC/tests/lib.sh"
export LC_ALL=C
cp "$SRC"/samples/redistribution/*.spmd "$TMP" && cd "$TMP" || exit

refuses() { # NAME STATEMENTS CODE TEXT
	sw "$2"
	equal "refused: $1" 'status 1' "status $?"
	says "code: $1" "error[$3]" err
	says "way out: $1" "$4" err
}

small='program mesh {x: 2, y: 2} fn f(a : [4{x}8, 6]+{y}, c : [4{x}8, 6]) -> [8, 3{x}6]'
two="$small { b = redistribute a as [4{x}8, 6] d = redistribute b as [8, 3{x}6] return d }"

## reading and showing

sw 'program listing-3.spmd'
says 'its values' 'z      redistribute y  [1{devs}32, 2048]       8 KiB' out
says 'what moves' '1  z   [32, 64{devs}2048] ~> [1{devs}32, 2048]  1 alltoall  2048' out
says 'its totals' 'in all: cost 2048, 5 242 880 flops of products' out
sw 'program listing-1.spmd'
says 'no redistribution' 'no redistribution: everything is computed in place' out
"$SHARDWALK" -c 'mesh {a: 2}; program listing-1.spmd; undo; show mesh' >out 2>err
says 'the mesh is replaced' 'mesh {devices: 32} comes with the program and replaces the old one' err
says 'undo brings it back' 'mesh  2 devices' out
sw 'program footnote-2.spmd'
says 'a note' 'y has a type of the result, but not of the product of the global' out
"$SHARDWALK" program listing-3.spmd --json >out 2>err
says 'as JSON' '"redistributions": [{"number": 1, "of": "z", "from": "[32, 64{devs}2048]"' out
"$SHARDWALK" --quiet "$two" 'enter 2' plan >out 2>err
says 'quoted words of the command line are statements' '2  d   [4{x}8, 6] ~> [8, 3{x}6]' out
"$SHARDWALK" --quiet plan 'program listing-3.spmd' 'enter 1' >out 2>err
says 'before a command, too' 'alltoall(1, 0, 32)' out
"$SHARDWALK" --quiet program - <listing-2.spmd >out 2>err
says 'from standard input' '[64{xdev}256, 128{ydev}1024]' out
for how in 'open listing-3.spmd' 'source listing-3.spmd'; do
	"$SHARDWALK" -c "$how" >out 2>err
	says "by ${how% *}" 'z   [32, 64{devs}2048] ~> [1{devs}32, 2048]' out
done
cp listing-3.spmd "it's.spmd"
"$SHARDWALK" "it's.spmd" >out 2>err
says 'as a file on the command line' 'z   [32, 64{devs}2048] ~> [1{devs}32, 2048]' out
sed 's/redistribute y/redistribute q/' listing-3.spmd >"it's.spmd"
"$SHARDWALK" "it's.spmd" >out 2>err
says 'a mistake in it has its place' "it's.spmd:" err
sw 'hardware v5p; model roofline; program listing-2.spmd'
says 'with hardware there are times' 'for products' out

## entering and leaving

sw "mesh {x: 2}; [4{x}8] ~> [8]; plan; $two; enter 2; plan direct; leave; program; enter 1; enter 2; show plan"
says 'the plan is chosen' 'redistribution 2 now uses the plan direct: 1 exchange, cost 24' out
says 'the program says so' '1 exchange, chosen' out
says 'and it is there again' 'strategy direct' out
sw "mesh {x: 2, y: 2}; [4{x}8] ~> [8]; $two; enter 1; plan; leave; show plan"
says 'what was before is back' '[4{x}8]' out
sw "$two; enter 1; undo; undo; enter 1"
says 'undo takes back what was entered, and the program' 'there is no program yet' err
sw "$two; enter 1; plan naive; leave; enter 2; save s.sw"
sw 'open s.sw; plan; leave; program'
says 'a session with a program is opened again' 'redistribution 2 now uses the plan fused: 1 alltoall' out
says 'with the plans that were chosen' ', chosen' out
sw 'mesh {x: 4}; show d [2{x}8]'
says 'beginnings of views name what they named' 'devices  8 B a device, 32 B on all 4' out

## derivations, figures 6 and 7

sw 'program listing-2.spmd; show derivation'
says 'T-SPMD' 'p : [1024, 128{ydev}1024], localtype [1024, 128] = ptile' out
says 'D-SPMD' 'no device holds a copy of' out
sw 'mesh {x: 2, y: 2}; explain metafunctions [4{x}8, 6]+{y}'
says 'figure 6' 'localsize   24' out
says 'its sums' 'sums        {y}' out
sw 'mesh {x: 2, y: 2}; explain meaning [2{x,y}8]'
says 'figure 7' 'D[2{x,y}8] = 2 x + D[4{y}8] = 2 x + 4 y + D[8] = 2 x + 4 y' out
says 'device by device' '3  x=1 y=1  (2*1 + 4*1 = 6)' out
says 'its rules' 'WF-DIM   2{x,y}8: x has 2, y has 2; 2 * 2 * 2 = 8; all different' out

## lines of a batch

"$SHARDWALK" batch "$SRC/tests/cases/programs-typing.jsonl" --json >out 2>err
equal 'refused lines are counted' 1 $?
says 'typed' '"values": [["x", "[8{devices}256, 1024]"], ["p", "[1024, 10]"], ["y", "[8{devices}256, 10]"]], "redistributions": [], "notes": 0' out
says 'refused with rule and line' '"rule": "D-SPMD", "line": 7, "message"' out
says 'and marked in the text' 'typing-0010:7:8' err

## what is refused

refuses 'a number that no redistribution has' "$two; enter 3" L13 '1 is b, [4{x}8, 6]+{y} ~> [4{x}8, 6]; 2 is d, [4{x}8, 6] ~> [8, 3{x}6]'
refuses 'to leave what was not entered' "$two; leave" L07 'enter 1'
refuses 'a undefined name' "$small { b = neg cc return b }" A10 'did you mean c?'
refuses 'an input that is one already' 'program mesh {x: 2} fn f(a : [4], a : [4]) -> [4] { return a }' A19 'it is defined here'
refuses 'a name of an input' 'program mesh {x: 2} fn f(a : [4]) -> [4] { a = neg a return a }' A19 'it is defined here'
refuses 'a parameter of a body twice' "$small { b = spmd_op c c (t : [4, 6], t : [4, 6]) { return t } as [8, 3{x}6] return b }" A19 'it is defined here'
refuses 'another type than that of the signature' "$small { return c }" A18 'redistribute c as [8, 3{x}6]'
refuses 'relu of a sum' "$small { b = relu a return b }" A08 'as [2{y,x}8, 6] (reducescatter, cost 24)'
refuses 'a sum and a copy' "$small { b = add a c return b }" A09 'zeros makes it a sum'
refuses 'what differs' "$small { b = spmd_op c (t : [4, 6]) { return t } as [4, 6] return b }" A16 'devices 0 and 2'
printf 'mesh {x: 2}\n\nfn f(a : [4{z}8]) -> [8] {\n  return a\n}\n' >bad.spmd
refuses 'a line of a file' 'program bad.spmd' T02 'bad.spmd:3:13'
refuses 'no file' 'program none.spmd' B01 'none.spmd'

finish

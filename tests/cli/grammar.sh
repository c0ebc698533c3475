#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The language: statements, words, quotes, comments, abbreviations, options, places of mistakes.
. "$SRC/tests/lib.sh"

says() { # NAME TEXT PATTERN: the script's output or messages hold the pattern
	printf '%s\n' "$2" | "$SHARDWALK" >"$TMP/all" 2>&1
	if grep -q -e "$3" "$TMP/all"; then ok "$1"; else not_ok "$1" "no '$3' in: $(head -c 400 "$TMP/all")"; fi
}

fails_at() { # NAME TEXT LINE:COLUMN CODE
	printf '%s\n' "$2" | "$SHARDWALK" >"$TMP/all" 2>&1
	if grep -q "error\[$4\]" "$TMP/all" && grep -q -e "--> stdin:$3\$" "$TMP/all"; then ok "$1"
	else not_ok "$1" "no $4 at $3 in: $(head -c 400 "$TMP/all")"; fi
}

says 'statements on one line' 'mesh {x: 4}; show mesh' '4 devices'
says 'a semicolon in brackets parts nothing' 'mesh {x: 4;}' 'error\[M01\]'
says 'a comment at the end' 'mesh {x: 4} # four; nonsense
show mesh # here' '4 devices'
says 'a comment that is a line' '# nothing
#!shebang
mesh {x: 4}; show mesh' '4 devices'
says 'a mark inside a word is no comment' 'help -k a#b' "nothing is about 'a#b'"
says 'a statement of several lines' 'mesh {x: 4,
  y: 2}
from [2{x}8,
  8]; show mesh' '8 devices'
fails_at 'a mistake in its second line' 'mesh {x: 4,
  y: no}' 2:6 M01
fails_at 'one that an empty line ends' 'mesh {x: 4

show mesh' 1:6 L06
says 'and what follows runs' 'mesh {x: 4}
from [1{x}4

show mesh' '4 devices'
says 'one that nothing ends is taken line by line' 'mesh {x: 4}
from [1{x}4
show mesh' '4 devices'
fails_at 'one whose brackets do not fit too' 'mesh {x: 4}
from [1{x}4
show mesh}' 3:10 L06
says 'the question mark is help' '?' 'help COMMAND'
says 'help of what explain knows' 'help notation' 'tile{axes}global'
equal 'its words are in one column' '' "$("$SHARDWALK" -c 'help notation' | sed -n '2,/^$/p' | grep -vE '^ {10}[^ ]|^[a-z]+ {1,7}[^ ]|^$')"
says 'help of an operation' 'help allgather' 'allgather'
refused 'help of nothing' L01 "no command 'sdfsdf'" "$SHARDWALK" -c 'help sdfsdf'
equal 'help has no option of the build' 0 "$("$SHARDWALK" help help | grep -c -e --man)"
status 'exit leaves' 3 "$SHARDWALK" -c 'exit 3; mesh {x: 4}'
status 'clear is no answer where no terminal is' 0 "$SHARDWALK" -c clear
equal 'and writes nothing' 0 "$(wc -c <"$TMP/out" | tr -d ' ')"
says 'a view alone hints at show' 'tiles 1' '`show tiles` draws it'
says 'an operation alone hints at apply' 'allgather(0)' '`apply allgather(0)` applies'
says 'what is missing is said' 'mesh {x: 4}; from [1{x}4]; plan' 'found: `mesh`, `from`; `to` missing'
says 'abbreviations' 'mes {x: 4}; sho mes' '4 devices'
says 'an ambiguous abbreviation lists what it may be' 'fr [4]' 'from, frontier'
# The shortest beginnings of each command as they were before formulas came: a later word takes none of them away.
for pair in me=mesh ty=type sha=shape from=from to=to redi=redistribute bu=budget mo=model se=set pl=plan ei=einsum way=ways com=compare \
	comp=compare ad=advise par=pareto ev=evaluate v=verify ru=run si=simulate ca=calibrate ha=hardware wal=walk st=step bac=back con=continue \
	fi=finish fron=frontier ed=edges g=goto pat=path ap=apply rep=replace sy=system ax=axes reduce=reduce placem=placements place=place \
	reduct=reductions u=undo redo=redo n=normalize adj=adjoint sho=show expl=explain pr=program as=assign en=enter le=leave im=import \
	expo=export o=open sa=save so=source bat=batch he=help compl=completion tu=tui l=layout fo=focus bi=bind tou=tour hi=history in=info \
	cl=clear q=quit compu=compute k=kernel ta=tasks; do
	found=$("$SHARDWALK" help "${pair%=*}" 2>&1 | sed -n '1{s/ .*//;p;}')
	[ "$found" = "${pair#*=}" ] || not_ok "${pair%=*} is ${pair#*=}" "it is $found"
done
says 'beginnings of views' 'mesh {x: 4}; from [3{x}12]; sho ti' 'tiles'
says 'new ones too' 'mesh {x: 4}; show se [3{x}12]' 'disjoint; every element is held'
says 'abbreviated options' 'mesh {x: 4}; [3{x}12] ~> [12]; plan --strat naive' 'naive'
says 'options with an equals sign' 'mesh {x: 4}; [3{x}12] ~> [12]; plan --strategy=naive' 'naive'
says 'two dashes end the options' 'explain -- x' "nothing to explain about"
says 'a minus and an angle are an arrow' 'mesh {x: 4}; [3{x}12]->[12]; plan' 'allgather'
says 'names mean types' 'mesh {x: 4}; type A = [3{x}12]; type B = [12]; A ~> B; plan' 'allgather'
says 'a name comes before the notations' 'mesh {x: 2}; type RR = [4{x}8, 8]; RR ~> [8, 4{x}8]; plan' 'alltoall(0, 1'
says 'a type in quotes' 'mesh {x: 4}; from "[3{x}12]"; show type' '3{x}12'
says 'a type without its tile' 'mesh {x: 4}; f32[{x}12, 8] ~> [12, {x}8]; plan' 'alltoall(0, 1, 4)'
says 'an axis in quotes' 'mesh {"odd name": 4}; from [3{"odd name"}12]; show type' 'odd name'
says 'a shape gives the element type' 'mesh {x: 4}; shape bf16[12]; from [3{x}12]; to [12]; plan' 'bf16'
says 'a shape in front' 'mesh {x: 4}; redistribute bf16[12] [3{x}12] ~> [12]; plan' 'bf16'
says 'a quoted file name has blanks' "mesh {x: 4}; save \"$TMP/a b\"; source \"$TMP/a b\"; show mesh" '4 devices'
says 'a program cannot be started from a script' 'help | cat' 'only at an interactive prompt'
says 'nor a file be written' 'help > x' 'only at an interactive prompt'

fails_at 'an unknown command' 'mesh {x: 4}
   nonsense 1' 2:4 L01
fails_at 'an unknown axis' 'mesh {x: 4}
from [3{z}12]' 2:9 T02
fails_at 'an axis twice' 'mesh {x: 4}
from [3{x}12, 3{x}12]' 2:17 T03
fails_at 'sizes that do not multiply, in a redistribution' 'mesh {x: 4, y: 6}
redistribute [3{x}12, 2{y}12] ~> [2{y}13, 3{x}12]' 2:35 T04
fails_at 'an open bracket' 'mesh {x: 4' 1:6 L06
fails_at 'a closing bracket too many' 'mesh {x: 4}}' 1:12 L06
fails_at 'brackets that do not fit' 'from [3{x]' 1:10 L06
fails_at 'an open quote' 'from "[3' 1:6 L06
fails_at 'a wrong value' 'set width wide' 1:11 L11
fails_at 'a value out of range' 'set width 5000' 1:11 L12
fails_at 'an unknown setting' 'set widht 80' 1:5 L08
fails_at 'an unknown strategy' 'mesh {x: 4}; [12] ~> [3{x}12]; plan fusd' 1:37 S04
fails_at 'an operation refused' 'mesh {x: 4}
from [3{x}12, 5]
apply alltoall(0, 1)' 3:19 C05
fails_at 'different arrays' 'mesh {x: 4}
[3{x}12] ~> [16]' 2:14 T09
fails_at 'the file of an error is shown' 'mesh {x: 0}' 1:10 M03

printf 'mesh {x: 4}\nfrom [3{x}13]\nplan\nshow mesh\n' | "$SHARDWALK" >"$TMP/out" 2>"$TMP/err"
equal 'a failing script ends with 1' 1 $?
grep -q 'error\[L14\]' "$TMP/err" && ok 'what depends on a failed statement refuses' || not_ok 'what depends on a failed statement refuses' "$(cat "$TMP/err")"
grep -q '4 devices' "$TMP/out" && ok 'the others go on' || not_ok 'the others go on' "$(cat "$TMP/out")"

cat >"$TMP/wanted" <<'END'
error[T04]: tile and axes do not multiply to the global size
 --> -c:1:20
  |  mesh {x: 4}; from [3{x}13, 5]
  |                     ^
  |                         ~~ the global size
expected: 3 * 4 = 12
found: 13
help: write 3{x}12; XLA pads (4,4,4,1), DTensor chunks (the same), balanced systems hold 4,3,3,3: `explain 13 over 4` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding
END
"$SHARDWALK" -c 'mesh {x: 4}; from [3{x}13, 5]' >"$TMP/out" 2>"$TMP/err"
UPDATE='' same 'a report looks like this' "$TMP/wanted" "$TMP/err"

says 'undo shows lines as a line' 'mesh {x: 4,
  y: 2}; undo' '^undone: mesh {x: 4, y: 2}$'
says 'redo' 'mesh {x: 4}; mesh {x: 8}; undo; redo; show mesh' '8 devices'
says 'and undo again' 'mesh {x: 4}; mesh {x: 8}; undo; redo; undo; show mesh' '4 devices'
fails_at 'nothing to redo' 'redo' 1:1 S07
fails_at 'nor after a change' 'mesh {x: 4}; mesh {x: 8}; undo; budget 7; redo' 1:43 S07
says 'a failure changes nothing' 'mesh {x: 4}; mesh {x: 8}; undo; budget no; redo; show mesh' '8 devices'
walked='mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan naive; plan'
"$SHARDWALK" -c "$walked; plan \$1" >"$TMP/out"
equal 'is the plan that was' 2 "$(grep -c 'strategy naive' "$TMP/out")"
says 'there is none' "$walked; plan \$7" 'L08'
"$SHARDWALK" -c "$walked; show tiles 1" | grep -v '^  planned in' >"$TMP/a"
"$SHARDWALK" -c "$walked; show tiles --step 1" | grep -v '^  planned in' >"$TMP/b"
equal 'tiles by the number of a step' '' "$(diff "$TMP/a" "$TMP/b")"
says 'no such step' "$walked; show tiles 9" 'L1[23]'
says 'without a plan one is made' 'mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; show tiles 1' 'after step 1:'
says 'a budget of another mesh is named' 'mesh {x: 4}; budget 3; mesh {y: 2}; [2{y}4] ~> [4]; plan' 'this budget was set for another mesh: `budget 1x`'
says 'undo brings a mesh back' 'mesh {x: 4}; from [3{x}12]; mesh {y: 5}; undo; show type' '3{x}12'
says 'a new mesh says what it drops' 'mesh {x: 4}; from [3{x}12]; mesh {y: 5}' 'dropped with the old mesh: from'
says 'a new mesh keeps what still is a type' 'mesh {x: 4}; from [3{x}12]; mesh {x: 4, y: 5}; show type' '3{x}12'
says 'save writes what makes it again' 'mesh {x: 4, y: 6}; type A = bf16[3{x}12]; A ~> bf16[12]; budget 2x; save -' 'type A = bf16\[3{x}12\]'

ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'
named='mesh {x: 4, y: 6}; type Rows = [3{x}12, 2{y}12]; type Columns = [2{y}12, 3{x}12]'
says 'a shape in front gives names its element type' "$named; redistribute bf16[12,12] Rows ~> Columns; show type" 'bf16\[3{x}12, 2{y}12\]'
fails_at 'names have to be of that shape' "$named
redistribute bf16[16,12] Rows ~> Columns" 2:26 T09
fails_at 'and of its element type' "mesh {x: 4, y: 6}
type Rows = f32[3{x}12, 2{y}12]
redistribute bf16[12,12] Rows ~> Rows" 3:26 T09
hints() { # NAME SCRIPT HINT
	"$SHARDWALK" -c "$2" >"$TMP/out" 2>"$TMP/err"
	if grep -q -F "help: $3" "$TMP/err"; then ok "$1"; else not_ok "$1" "$(cat "$TMP/err")"; fi
}
hints 'the nearest name of a type is proposed' "$named; from Row" "did you mean 'Rows'?"
hints 'also where letters are swapped' "$named; from Rwos" "did you mean 'Rows'?"
hints 'a missing argument is shown in its own command' 'show' 'for instance: show mesh'
hints 'an arrow without a type before it' 'mesh {x: 4}; ~> [12]' 'write both types in one statement'
hints 'an arrow without a type after it' 'mesh {x: 4}; redistribute [12] ~>' 'write both types in one statement'
hints 'and behind the word redistribute' 'mesh {x: 4}; redistribute ~> [12]' 'write both types in one statement'
says 'a type may have the name of a command' 'mesh {x: 4}; type step = [3{x}12]; step ~> [12]; show type' '3{x}12'
says 'a mesh in front of all' '{x: 4, y: 6} [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan' 'strategy fused, 24 devices'
says 'also with its word' 'redistribute mesh {x: 4} [3{x}12] ~> [12]; show mesh' '4 devices'
says 'and before shardings of XLA' '{a: 2, b: 2} f32[8,8] {devices=[2,2]<=[4]} ~> {devices=[4,1]<=[4]}; plan' '4 devices'
says 'a mesh alone defines it' '{x: 4}; show mesh' '4 devices'
fails_at 'a bad mesh in front has its place' '{x: 4, y 6} [3{x}12] ~> [12]' 1:10 M01

# Values are read by their kinds before a command runs: here there is no mesh yet.
fails_at 'a number out of its range' 'run --reps 0' 1:12 L12
fails_at 'and none at all' 'verify --seed many' 1:15 L11
fails_at 'a share' 'evaluate --scale 1.5' 1:18 L12
fails_at 'a range of sizes' 'run --sweep 2MiB:1MiB' 1:13 L13
fails_at 'one of some words' 'run --transport pigeons' 1:17 L13
fails_at 'a name of a row' 'export pdf here' 1:8 L08
fails_at 'strategies' 'evaluate --strategies fused,slow' 1:23 S04
fails_at 'a setting' 'plan --model weight' 1:14 S05
fails_at 'an element type' 'simulate --dtype f31' 1:18 T07
fails_at 'the number of an argument' 'quit 256' 1:6 L12
says 'with the range' 'step 0' 'expected: 1 to 1000000'
product='mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]'
says 'options may follow an equation' "$product --limit 1" '1 of 39 ways'
says 'and before it' "mesh {x: 2, y: 2}; einsum --limit 1 ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]" '1 of 39 ways'
fails_at 'there too they have their places' 'mesh {x: 2, y: 2}
einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] --by luck' 2:52 L08
finish

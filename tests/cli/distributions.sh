#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Types of any kind in a session: names, ends, what is saved, undone and refused; what devices hold, and who needs what from whom.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

## Names, ends, files

mesh='mesh {x: 4}; type u = [3{x}12]'
sw "$mesh; type v = u union u shift 1; v ~> u; save -"
holds 'a name is in a type' '^type v = \[3{x}12\] union \[3{x}12\] shift 1$' out
holds 'an end has words' '^from \[3{x}12\] union \[3{x}12\] shift 1$' out
sw "$mesh; [12] only 5 on 1 ~> [12] only 5; save -"
holds 'a bracket with words is no shape' '^from \[12\] only 5 on 1$' out
holds 'both ends have words' '^to \[12\] only 5$' out
sw "$mesh; from [12] at {0: 0-2; 1: 3-5; 2: 6-8; 3: 9-11}; save -"
holds 'what equals a tile type is one' '^from \[3{x}12\]$' out
sw "$mesh; type v = u shift 1; type w = v; type"
holds 'names are listed' '^v  *\[3{x}12\] shift 1$' out
holds 'a name of a name is a copy' '^w  *\[3{x}12\] shift 1$' out
printf '%s\n' 0 0 1 2 2 3 >parts
sw 'mesh {x: 4}; type p = [6] at parts; save -'
holds 'a file of owners is read once' '^type p = \[6\] at {0: 0-1; 1: 2; 2: 3-4; 3: 5}$' out
sw "$mesh; u shift 1 ~> u; u ~> [12]; undo; save -"
holds 'ends with words come back' '^from \[3{x}12\] shift 1$' out
printf '%s\n' "mesh {x: 4}" 'type v = [1{x,..}13]' 'v ~> [{x}13] by floor' 'save first' >script
printf '%s\n' 'open first' 'save second' >again
status 'a session is saved' 0 "$SHARDWALK" script
status 'and opened' 0 "$SHARDWALK" again
equal 'to the same' "$(cat first)" "$(cat second)"
printf '# a session of shardwalk\nmesh {x: 4}\ntype on = [3{x}12]\n' >old
sw 'open old'
holds 'a word is no name, in a saved session either' 'error\[T12\].*on' err
sw 'mesh {x: 4}; set uneven balanced; type a = [{x}13]; save -'
holds 'a rule means a missing one' '^type a = \[{x}13\] by balanced$' out
sw 'mesh {x: 4}; set uneven pad; type a = [{x}13]; a ~> [13] on 0'
holds 'padding is about tiles' 'error\[T04\]: one type is padded' err

## What is about tiles says so

for words in 'plan fused' step normalize pareto advise 'apply allgather(0)' 'walk search'; do
	sw "$mesh; [1{x,..}12] ~> u; $words"
	holds "$words is about tiles" 'error\[T17\]' err
done
sw "$mesh; u ~> u shift 1 ~> [12]"
holds 'a chain too' 'error\[T17\]' err
sw "$mesh; show tiles u shift 1"
equal 'a picture of tiles takes any type' '  ┌────────────────────────┐| 0│· a a a b b b c c c d d │|  └────────────────────────┘' "$(grep '[│┌└]' out | paste -sd'|')"

sw 'mesh {p: 3, q: 4}; [4{p}12]+{q} ~> [1{q,p}12]; show relation'
holds 'many messages have a line that says what lists them' '^36 messages: `show relation --json` lists them$' out
lacks 'and are not listed' '^0 to 1: ' out
sw 'mesh {p: 3, q: 4}; [1{p,q}12] ~> [3{q}12]; show relation'
lacks 'few are listed' 'lists them' out

## Plans

sw 'mesh {x: 4}; [12] on 0 ~> [12] on 3; plan; show heights; verify'
holds 'one device has it' '48 B on all 4$' out
holds 'and no device has both' '^  peak memory 12 (48 B)$' out
holds 'nor in the picture' '^  1 exchange  *12  *12 ' out
sw 'mesh {x: 4}; [3{x}12] ~> [3{x}12] shift 1; plan'
holds 'an exchange is about devices' 'why: each device receives what it lacks from a device that has it$' out
lacks 'and about no axes' 'leaves dimension' out
cat >general.spmd <<'END'
mesh {x: 4}
fn main(x : "[1{x,..}12]") -> "[1{x,..}12]" {
  y = compute "y[i] = f(x[i-1], x[i+1]) wrap" as "[2{x,..}12]"
  z = redistribute y as "[1{x,..}12]"
  return z
}
END
sw 'program general.spmd; show derivation'
holds 'a derivation has the types that were typed' '^  ├─ y : \[2{x,..}12\]$' out
holds 'the result too' '^T-RETURN  z : \[1{x,..}12\]' out

block='mesh {d: 6}; [2{r,..}9, 2{c,..}9] over {r: 2, c: 3} ~> [3{r,..}9, 3{c,..}9] over {r: 3, c: 2}'
sw "$block; plan"
holds 'the plan is one exchange' '^  1 exchange' out
holds 'its types are shown' '^    \[3{r,..}9, 3{c,..}9\] over {r: 3, c: 2}$' out
holds 'the pattern is shown' '^20 messages, 63 elements (252 B), 18 stay, pattern general$' out
holds 'and renumbering' '^with the best renumbering of the target.s devices 29 stay; `plan --renumber`$' out
holds 'on all is what they have' '324 B on all 6$' out
sw "$block; plan --renumber; verify; export plan renumbered.json; export mpi renumbered.c; save renumbered"
holds 'which can be taken' '^18 messages, 52 elements (208 B), 29 stay, pattern general$' out
lacks 'and then is there' 'best renumbering' out
holds 'it is verified' '^verified: all 81 elements on 6 devices are right' out
sw 'open renumbered.json; verify; simulate; plan'
holds 'a file has it' '^verified: all 81 elements on 6 devices are right' out
holds 'and gives it to the problem' '^18 messages, 52 elements (208 B), 29 stay, pattern general$' out
holds 'a session has it too' '^plan direct .*--renumber$' renumbered
"$SHARDWALK" -c "$mesh; u ~> u; plan --renumber" >out 2>err
holds 'where nothing is gained it is said' 'all devices keep their numbers' err
sw 'mesh {x: 2, y: 2}; [4{x}8] ~> [4{y}8]; plan --renumber; verify'
holds 'tiles have other devices, too' '0 tiles of 4 move' out
holds 'no message is left' '^0 messages, 0 elements (0 B), 16 stay, pattern none$' out
holds 'and it is verified' '^verified: all 16 elements on 4 devices are right' out
sw 'mesh {x: 2, y: 2}; [4{x}8] ~> [4{y}8] ~> [8]; plan --renumber'
holds 'a chain keeps its devices' 'error\[S02\]: a chain cannot change the order of devices' err
sw 'mesh {x: 4}; [4{x}16, 16] ~> [16, 4{x}16]; plan naive'
holds 'the pattern is that of the problem' '^12 messages of 16, .* pattern alltoall' out
sw 'mesh {x: 4000}; [1{x}4000, 4000] ~> [4000, 1{x}4000]; plan'
holds 'of very many messages the number is shown' '^15 996 000 messages, .*`show relation`$' out
sw "$mesh; [1{x,..}12] ~> u; compare"
holds 'types of any kind are compared by what plans them' '^direct  ' out
holds 'others are left out together' '^no plan by naive, paper, exact, fused, xla, shardy, dtensor, dtensor-min-cost:' out
"$SHARDWALK" -c "$mesh; [1{x,..}12] ~> u; compare --json" >out
holds 'ends with their words' '"from": "\[1{x,..}12\]"' out
sw "$mesh; [1{x,..}12] ~> u; plan fused"
holds 'the nearest tile type is shown' 'such as \[3{x}12\]$' err
sw "$block; plan; verify; export plan plan.json; show traffic; show heights"
holds 'it is verified' '^verified: all 81 elements on 6 devices are right' out
holds 'traffic is drawn' '^total 63 elements between devices' out
sw 'open plan.json; save -'
holds 'plans are opened' '^from f32\[2{r,..}9, 2{c,..}9\] over {r: 2, c: 3}$' out
sw "$block; show tiles"
holds 'tiles are drawn' '^1│a a b b c c a a b │ *1│a a a b b b a a a │$' out
sw "$block; plan; show tiles 1; show type --step 1; show devices; show traffic --element 5,7"
holds 'by the steps of a plan' '^before the first step:  *after step 1:$' out
holds 'the type after a step' '^type  after step 1$' out
holds 'what devices have before and after' '^ *1  \[0-1 4-5 8, 2-3 8\]  *\[0-2, 3-5\]$' out
holds 'who has an element' '^0 ▶' out
sw "$mesh; u on 0 ~> [12]; plan"
holds 'nobody holds the rest' 'error\[S02\]' err

## What devices hold, and who needs what from whom

sw "$mesh; show sets [2{x,..}16]"
holds 'blocks that come twice' '^ *1 .* 2-3 10-11$' out
sw "$mesh; show sets [1{x,..}12]"
holds 'and more often' '^ *1 .* 1+4\*3$' out
sw "$mesh; show sets u on 2"
holds 'undefined is not empty' '^ *0  .*undefined$' out
sw 'mesh {d: 6}; [2{r,..}9, 2{c,..}9] over {r: 2, c: 3} ~> [3{r,..}9, 3{c,..}9] over {r: 3, c: 2}; show relation; show sets from --element 5,7 --device 3'
holds 'the pattern is shown' '^20 messages, 63 elements (252 B), 18 stay, pattern general$' out
holds 'and renumbering' '^with the best renumbering of the target.s devices 29 stay' out
holds 'who holds an element' '^  device 0, local index \[3, 3\]$' out
holds 'what a device has' '^device 3: local sizes \[4, 4\], first element \[2, 0\]$' out
sw "$mesh; u on 0,2 ~> u shift 1; show relation"
holds 'what nobody holds is named' 'device 3 needs what no device holds: 10-11' out
sw "$mesh; show relation"
holds 'there is no problem yet' 'error\[L07\]' err
sw "$mesh; show relation u"
holds 'both ends are said before' 'error\[L04\]' err
sw "$mesh; show sets u shift 1 --json"
holds 'sets as JSON' '"schema": "shardwalk.sets/1".*"sizes": \[3, 3, 3, 2\], "disjoint": true, "covers": false' out
sw "$mesh; u ~> u shift 1; show relation --json"
holds 'relations as JSON' '"schema": "shardwalk.relation/1".*"pattern": "shift"' out

sw 'mesh {x: 4}; set uneven pad; show sets [{x}13]'
holds 'padding is no element' 'error\[T04\]: the type is padded' err
sw 'mesh {x: 4}; show sets [12] at {0: 0-3} --device 2'
holds 'a device of which nothing is said' '^device 2 is undefined' out
sw "$mesh; show sets u --element 12"
holds 'an element that is none' 'error\[L02\]' err

## Recorded lines

recorded() { # FILE OPTION...
	lines=$CASES/$1
	shift
	if ! command -v python3 >/dev/null; then
		skip "${lines##*/}" 'no python3'
		return
	fi
	status "batch ${lines##*/}" 0 "$SHARDWALK" batch "$lines" --json "$@"
	if python3 "$SRC/tests/cli/distributions_check.py" "$lines" out >said; then ok "${lines##*/} is met"; else
		not_ok "${lines##*/} is met" "$(head -c 600 said)"
	fi
}
recorded imp-sets.jsonl
recorded imp-moves.jsonl --answer relation
recorded imp-sums.jsonl
recorded imp-large.jsonl
recorded imp-lapack.jsonl --answer relation
recorded imp-foreign.jsonl

# Types that are refused, and words that the answer holds.
if command -v python3 >/dev/null; then
	python3 - "$CASES/imp-bad.jsonl" >bad <<'END'
import json, sys
for line in open(sys.argv[1]):
    case = json.loads(line)
    if case["statement"].startswith(("type", "import")):
        print("\t".join([case["mesh"], case["statement"], *case["says"]]))
END
	tab=$(printf '\t')
	while IFS=$tab read -r where what first more; do
		if sw "mesh $where; $what"; then not_ok "$what" 'it is accepted'; fi
		holds "$what is refused" "${first#\[}" err
		[ -z "$more" ] || holds "$what says more" "${more%%"$tab"*}" err
	done <bad
fi

## Pasted from other libraries

desc='DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3'
sw "type A = $desc; type"
holds 'a descriptor is a type, and brings its mesh' '^A  *\[2{r,..}9, 2{c,..}9\]$' out
sw "mesh {d: 6}; $desc ~> DESC = (1, 1, 9, 9, 3, 3, 0, 0, 3) on 3 x 2; plan; verify"
holds 'two are a problem' '^20 messages, 63 elements (252 B), 18 stay, pattern general$' out
sw "mesh {d: 6}; $desc ~> [9, 9] on 0; show relation"
holds 'or one and a type of the language' 'pattern gather' out
sw "$desc ~> DESC = (1, 1, 9, 9, 3, 3, 0, 0, 3) on 3 x 2; show relation"
holds 'a mesh is found where there is none' '^20 messages' out
sw "explain $desc ~> DESC = (1, 1, 9, 9, 2, 2, 0, 0, 5) on 2 x 3"
holds 'they are compared' '^the same: every device holds the same elements$' out
sw "explain $desc ~> DESC = (1, 1, 9, 9, 3, 3, 0, 0, 6) on 2 x 3"
holds 'and differ' '^not the same: ' out
sw "explain $desc --json"
holds 'explained for programs' '"kind": "words".*"type": "\[2{r,..}9, 2{c,..}9\]".*"sizes": \[20, 15, 10, 16, 12, 8\]' out
sw "import $desc; to [9, 9] on 0; plan"
holds 'imported it is where the array is' '^  *0 from ' out
sw "import $desc -> DESC = (1, 1, 9, 9, 3, 3, 0, 0, 3) on 3 x 2"
holds 'two with an arrow are the problem' '^to    \[3{r,..}9, 3{c,..}9\] over {r: 3, c: 2}$' out
sw "import $desc -> DESC = (1, 1, 9, 9, 3, 3, 0, 0, 2) on 3 x 2"
holds 'a mistake is marked in its place' 'LLD of at least 3' err
cat >call.c <<'END'
int desca[9] = {1, ictxt, 9, 9, 2, 2, 0, 0, 5}; // on 2 x 3
int descb[9];
descinit_(descb, 9, 9, 3, 3, 0, 0, ictxt2, 3, &info); // on 3 x 2 column-major
int m = 9, n = 9, one = 1;
Cpdgemr2d(m, n, A, one, one, desca, B, one, one, descb, ictxt);
END
sw 'import call.c; plan; export scalapack call_again.c'
holds 'a call of C is the problem' '^to    f64\[3{r,..}9, 3{c,..}9\] over {c: 2, r: 3}$' out
holds 'which is written' 'static const int grid\[2\]\[2\] = {{2, 3}, {3, 2}};' call_again.c
holds 'with its order of ranks' 'order\[2\] = {"Row", "Column"};' call_again.c
sw 'import call.c --json'
holds 'for programs it is a relation' '"schema": "shardwalk.relation/1".*"volume": 64' out
sw "mesh {x: 2}; type S = (_StridedShard(0, split_factor=2),) on mesh (2,) of 8; type"
holds 'a strided shard is a type with rounds' '^S  *\[2{x,..}8\]$' out
sw 'shape f32[5]; mesh {x: 2}; type S = (_StridedShard(0, split_factor=2),); type'
holds 'or what is released' '^S  *f32\[5\] at {0: 0-1 3; 1: 2+2\*2}$' out
sw 'mesh {x: 4}; [3{x}12] ~> [12]; export scalapack -'
holds 'what is no matrix is refused' 'error\[P06\]: ScaLAPACK cannot say what `from` is: a matrix has two dimensions' err
cat >lines <<'END'
{"name": "call", "mesh": "{d: 6}", "text": "pdgemr2d(9,9,A,1,1,(1,0,9,9,2,2,0,0,5) on 2x3,B,1,1,(1,1,9,9,3,3,0,0,3) on 3x2,C)"}
{"name": "ends", "mesh": "{d: 7}", "from": "DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3", "to": "[9, 9] on 6", "sub": [1, 1, 9, 9]}
{"name": "sizes", "text": "local sizes 5 4 3 1", "shape": [14]}
END
status 'lines of other libraries' 1 "$SHARDWALK" batch lines --json --answer relation
holds 'a call in a batch' '"name": "call".*"volume": 63' out
holds 'an end in a batch' '"name": "ends".*"T": \[\[\], \[\], \[\], \[\], \[\], \[\], \[0, 1, 2, 3, 4, 5\]\]' out
holds 'a shape that the text does not have' '"code": "T09"' out
if dpkg -s libscalapack-mpich-dev >/dev/null 2>&1 && [ -n "$MPICC" ] && command -v mpiexec.hydra >/dev/null; then
	status 'ScaLAPACK is called' 0 "$MPICC" -o call_again call_again.c -lscalapack-mpich
	status 'and moves the matrix' 0 mpiexec.hydra -n 6 ./call_again
	holds 'every element is right' '^verified: 9 x 9 elements on 6 processes$' out
else
	skip 'pdgemr2d is called' 'no libscalapack-mpich-dev'
fi

## Lines of the language

echo '{"name": "a", "mesh": "{x: 4}", "text": "[3{x}12] shift 1"}' >lines
status 'a text of the language' 0 "$SHARDWALK" batch lines --json
holds 'says its sets where it is no tile' '"type": "\[3{x}12\] shift 1", "sets": \[' out
echo '{x: 4} [{x}13] ~> [1{x,..}13]  # b' >lines
status 'a line of text' 0 "$SHARDWALK" batch lines --uneven balanced --answer relation
holds 'has types of any kind, and a rule' '^b .*messages.* stay, pattern' out
status 'as a plan' 0 "$SHARDWALK" batch lines --uneven balanced
holds 'it is one exchange' '^b  *direct  *cost .* 1 step' out
sw 'mesh {x: 4}
type x = [1{x,..}12]
type u = [3{x}12]
explain [1{x,..}12]'
says 'a type of any kind is explained' '0+4'
sw 'mesh {x: 4}
type u = [3{x}12]
explain u shift 1'
says 'and one by a name' '1-3'
sw 'mesh {x: 4}
explain [3{x}12] ~> [1{x,..}12]'
says 'two of them are compared' 'not the same'
sw 'mesh {x: 4}
type x = [3{x}12]
type x
type y = [12]
show sets x'
says 'a type alone is shown' 'x     [3{x}12]'
says 'and stays what it is' 'disjoint'
"$SHARDWALK" -c 'mesh {x: 4}
type x = [3{x}12]
type x = [12]
mesh {x: 2}
type' >"$TMP/out" 2>&1
lacks 'a name that is there is not dropped' 'dropped'
refused 'one end alone' L07 'no `to` is defined' "$SHARDWALK" --quiet -c 'mesh {x: 4}
from [1{x,..}12]
plan'
finish

## Reports

sw 'mesh {x: 4}; [3{x}12] ~> [1{x,..}12]; plan; export markdown -'
holds 'a report has both ends' '^to   f32\[1{x,..}12\]$' out
holds 'what devices hold' '^`show sets to`:$' out
holds 'and its picture' '^`show tiles to`:$' out
holds 'which is drawn' ' 4│a b c d' out
holds 'who needs what' '^`show relation`:$' out
holds 'and the plan' '^`show traffic`:$' out
lacks 'nothing is said to be none' 'There is none' out
lacks 'no view is refused' 'shows nothing' out
sw 'mesh {x: 4}; from [2{x,..}12]; export markdown -'
holds 'one end alone is drawn' '^`show tiles from`:$' out
holds 'and listed' '^`show sets from`:$' out
lacks 'nobody needs it yet' 'show relation' out
lacks 'and no view is refused' 'shows nothing' out
sw 'mesh {x: 4}; type x = [3{x}12]; type y = [2{x,..}12]; y[i] = x[i-1]; export html -'
holds 'a page draws the arrays of the formula' 'show tiles y' out
sw 'mesh {x: 4}; type x = [3{x}12]; type y = x; y[i] = x[i-1]; tasks 3; export markdown -'
holds 'a report has the formula' '^## The formula$' out
holds 'what it needs' '^`show needs`:$' out
holds 'and its tasks' '^`show tasks`:$' out

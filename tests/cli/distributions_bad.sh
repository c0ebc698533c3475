#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Types of any kind and formulas that are refused: the code, the place, what was expected and found, a line that would be right; and
# nothing that was defined before changes.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

## One by one

# The last line of a script is refused: its answer marks this text, and holds these words.
said() { # NAME SCRIPT CODE MARKED WORDS...
	lib_name=$1 lib_code=$3 lib_marked=$4
	if sw "$2"; then not_ok "$lib_name" 'it is accepted'; fi
	says "$lib_name: $lib_code" "error[$lib_code]" err
	equal "$lib_name: its place" "$lib_marked" "$(awk '
		/^  \|/ && !line { line = substr($0, 6); next }
		/^  \|/ && !mark { mark = substr($0, 6); match(mark, /\^+/); print substr(line, RSTART, RLENGTH) }' err)"
	shift 4
	for words; do says "$lib_name: $words" "$words" err; done
}
four='mesh {x: 4}
'
grid='mesh {x: 2, y: 2}
'
xy="${four}type x = [3{x}12]
type y = x
"
said 'no block' "${four}type A = [{x,..}12]" T13 '{x,..}' 'expected: the size of a block' 'found: {x,..}' 'write 1{x,..}12'
said 'two open rounds' "${grid}type A = [1{x,..,y,..}12]" T13 .. 'expected: a number after one of them' 'found: `..`'
said 'an open round in front' "${grid}type A = [2{x,..,y}13]" T13 .. 'expected: a multiple of 8, such as 8 or 16' 'found: 13' 'at the end of the braces'
said 'pieces that do not add up' "mesh {x: 3}
type A = [5+4+3{x}13]" T14 5+4+3 'expected: 13' 'found: 12'
said 'too few pieces' "${four}type A = [5+8{x}13]" T14 5+8 '2 pieces for 4 devices' 'expected: 4 pieces' 'found: 2' 'a piece of 0'
said 'a first device outside' "${four}type A = [2{x@4,..}13]" T13 4 'expected: 0 to 3' "found: '4'"
said 'no such device' "${four}type A = [13] at {0: 0-3; 9: 4}" T16 9 'expected: 0 to 3' "found: '9'"
said 'no such index' "${four}type A = [13] at {0: 0-13}" T16 13 'expected: 0 to 12' "found: '13'"
said 'no such rule' "${four}type A = [{x}13] by even" T15 even 'expected: ceil, chunk, balanced, floor, nested' "found: 'even'"
said 'an idle rule' "${four}type A = [3{x}12] by ceil" T15 'by ceil' 'the rule has no effect' 'leave out the tile'
said 'a mesh above the mesh' 'mesh {d: 6}
type A = [2{r,..}9] over {r: 7}' T16 '{r: 7}' 'expected: at most 6 devices' 'found: 7'
for command in plan run verify; do
	said "what nobody holds, $command" "${four}[3{x}12] on 0 ~> [3{x}12]
$command" S02 $command 'no device holds 3-11' 'found: device 1 needs some of it' 'show relation'
done
said 'an index times itself' "${xy}compute y[i] = x[i*i]" F07 i 'not affine' 'expected: a whole number times a letter' 'indices look like' 'the other factor'
said 'more tasks than 64 bits hold' 'mesh {x: 8}
type x = [8{x}64]
type y = x
compute y[i] = f(x[i-1], x[i+1])
tasks 9223372036854775807' S08 tasks 'does not fit into 64 bits' 'expected: fewer steps'
said 'two letters' "${xy}compute y[i] = x[i+j]" F07 j 'it has two' 'the letter before'
said 'an index by nothing' "${xy}compute y[i] = x[i/0]" F07 0 'expected: 1 to' 'found: 0'
said 'more than letters on the left' "${xy}compute y[2*i] = x[i]" F08 '2*i' 'expected: a letter' 'y[i] = x[i-1] instead of'
said 'the text before the names' "${four}kernel k: y[i] = x[i*i]" F07 i 'not affine'
said 'an array without a type' "${four}type values = [12]
type y = [3{x}12]
compute y[i] = value[i]" F02 'value[i]' "did you mean 'values'?" 'type value = ...'
said 'an array that is like no other' "${xy}compute y[i] = pressure[i]" F02 'pressure[i]' 'type pressure = ...'
said 'sums of other terms' "${four}[12]+ on 0-1 ~> [12]+ on 2-3
plan" T11 plan 'complete the sum first' 'expected: the same type at both ends, or' 'found: sums'
said 'they have no relation either' "${four}[12]+ on 0-1 ~> [12]+ on 2-3
show relation" T11 show 'complete the sum first'
for command in plan 'show relation' verify run; do
	said "terms of one device and of another, $command" "${four}[12]+ on 0 ~> [12]+ on 1
$command" T11 "${command%% *}" 'complete the sum first' 'found: sums of 1 and of 1 terms'
done
equal 'and no plan comes before it' '' "$("$SHARDWALK" -c "${four}[12]+ on 0 ~> [12]+ on 1; plan" 2>/dev/null | grep exchange)"
said 'terms of all devices and of some' "${four}[12]+ ~> [12]+ on 0-1
plan" T11 plan 'found: sums of 4 and of 2 terms'
for types in '[1{x,..}12] ~> [1{x,..}12]+' '[3{x}12] ~> [3{x}12]+ shift 1' '[1{x,..}12] ~> [2{x,..}12]+' \
	'[12] ~> [12]+ at {0: 0-3; 1: 3-7; 2: 7-11}' '[12] ~> [12]+ on 1-2'; do
	for command in plan 'show relation' verify run; do
		said "values that would be lost: $types, $command" "${four}$types
$command" T11 "${command%% *}" 'the first term of a sum' 'expected: complete values at the second end' 'found: device 1 has another term'
	done
done
said 'terms that nobody has afterwards' "${four}[12]+{x} on 0-1 ~> [12]+{x} on 2-3
plan" T11 plan 'terms of the sum would be lost' 'found: no device has term 0'
status 'values whose first device has them all' 0 "$SHARDWALK" -c "${four}[1{x,..}12] ~> [12]+; verify"
status 'the same sum at both ends' 0 "$SHARDWALK" -c "${four}[12]+ on 0-1 ~> [12]+ on 0-1; plan"
said 'a sum behind a union' "${four}type A = ([3{x}12] union [3{x}12] shift 1)+" T01 '(' 'expected: a type' "found: '('" 'name the union first'
said 'a strategy of tiles' "${four}[1{x,..}12] ~> [12]
plan fused" T17 plan 'expected: a tile type, such as [3{x}12]' 'found: [1{x,..}12]' 'plan direct'
said 'the nearest tile type cuts what divides' "${four}[1{x,..}13] ~> [13]
plan naive" T17 plan 'expected: a tile type, such as [13]'
said 'a word as a name' "${four}type only = [12]" T12 only 'expected: another name' 'type only_ ='
said 'more than 64 bits' "${four}type A = [1{x,..}9223372036854775807, 4]" T10 4 'expected: fewer than 2^63' 'found: 9223372036854775807 * 4'
many='mesh {x: 2000000}
type A = [1{x,..}9223372036854775]
'
said 'a list of too many devices' "${many}show sets A --json" S08 show 'expected: at most 1048576 devices' '--device N'
said 'a relation of too many' "${many}A ~> [9223372036854775]
show relation" S08 show '1048576 devices'
sw "${many}show sets A --device 1999999"
holds 'sizes still answer' '^device 1999999: local sizes \[4611686018\], first element \[1999999\]$'

## Nothing else changes

unchanged() { # MESH STATEMENT
	printf '%s\n' "mesh $1" 'type keep = [12]' 'keep ~> keep' 'save - ' "$2" 'save -' >script
	"$SHARDWALK" --quiet <script >both 2>err
	lines=$(wc -l <both)
	equal "$2 changes nothing" "$(head -n $((lines / 2)) both)" "$(tail -n $((lines / 2)) both)"
}

## All recorded lines

if command -v python3 >/dev/null; then
	python3 - "$CASES/imp-bad.jsonl" >bad <<'END'
import json, sys
for line in open(sys.argv[1]):
    case = json.loads(line)
    print("\t".join([case["mesh"], case["statement"], *case["says"]]))
END
	tab=$(printf '\t')
	while IFS=$tab read -r where what first second third more; do
		if sw "mesh $where
$what"; then not_ok "$what" 'it is accepted'; fi
		holds "$what has a code" '^error\[[A-Z][0-9]*\]: ' err
		holds "$what has a place" '^ --> -c:2:[0-9]*$' err
		holds "$what says what was expected" '^expected: .' err
		holds "$what says what was found" '^found: .' err
		for word in "$first" "$second" "$third" "$more"; do
			[ -z "$word" ] || says "$what: $word" "$word" err
		done
		case $what in
		*\;*) ;; # the first statement is right
		*) unchanged "$where" "$what" ;;
		esac
	done <bad
fi
finish

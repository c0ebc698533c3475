#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Types with sums, and the steps that finish and make them: what is read and refused, what a plan file holds, what is said.
# Plans are checked by tests/sums_check.py, which shares no code with the program.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 2

mesh='mesh {x: 2, y: 2}'

## Types

prints_type() { # TYPE PRINTED
	sw "$mesh
from $1
show type from"
	equal "from $1" "$2" "$(sed -n 2p "$TMP/out" | tr -d ' ')"
}
prints_type '[8{x}16, 32]+{y}' 'f32[8{x}16,32]+{y}'
prints_type '[8{x}16, 32] +{y}' 'f32[8{x}16,32]+{y}'
prints_type '[16]+{y,x}' 'f32[16]+{x,y}'
prints_type '[16]+{}' 'f32[16]'
prints_type '[16]+' 'f32[16]+{x,y}'
prints_type '[]+{x}' 'f32[]+{x}'
prints_type '[4, 4]{1,0}+{x}' 'f32[4,4]+{x}'

refused() { # NAME CODE RULE STATEMENTS
	"$SHARDWALK" --json -c "$mesh
$4" >"$TMP/out" 2>/dev/null
	equal "$1" "$2 $3" "$(sed -n 's/.*"code": "\([A-Z0-9]*\)".*/\1/p' "$TMP/out" | tail -n 1) $(sed -n 's/.*"rule": "\([A-Z-]*\)".*/\1/p' "$TMP/out" | tail -n 1)"
}
refused 'an axis that cuts' T11 WF-SUM 'type A = [8{x}16]+{x}'
refused 'an axis twice' T11 WF-SUM 'type A = [16]+{x,x}'
refused 'no such axis' T02 WF-SUM 'type A = [16]+{q}'
refused 'truth values' T11 WF-SUM 'type A = pred[8]+{x}'
refused 'braces that stay open' L06 '' 'type A = [16]+{x'
refused 'other element types' T09 '' 'redistribute f32[16]+{x} ~> i32[16]'
refused 'no sum' C12 '' 'from [16]+{y}
apply allreduce {x}'
refused 'what does not divide' C14 '' 'from [7]+{x}
apply reducescatter(0, {x})'
refused 'an axis of the sum' C04 '' 'from [16]+{y}
apply dynslice(0, y)'
refused 'other products' C13 '' 'from [16]+{y}
apply allpermute [16]'

sw "$mesh
type A = [8{x}16]+{x}"
equal 'both places are marked' 2 "$(grep -c '[\^~]' "$TMP/err")"

## Pictures

sw "$mesh
show tiles [8{x}16, 12]+{y}"
holds 'devices of terms are apart' '0 + 1┐'
holds 'a cell has a line for the first term' '0│ a  *│$'
holds 'and one for the second' '^  │+b  *│$'
holds 'letters say who holds terms' 'the device that holds the term, a: 0'
holds 'and are explained' '0 + 1: they hold terms'
sw 'mesh {x: 512, y: 2, z: 3}
show tiles [1{x}512, 8]+{y}'
holds 'a table has a line for each term too' '│ *+ 3-5: *│$'
sw 'mesh {x: 2, y: 64}
show tiles [8{x}16, 12]+{y}'
holds 'terms for which there is no room are counted' 'the devices of a tile hold 64 terms, and the tile is their'
lacks 'no letter says that they are copies' '│a a'
sw "$mesh
show devices [8{x}16, 12]+{y}"
holds 'devices tell their term' 'term 2 of 2'
sw "$mesh
show type [8{x}16, 12]+{y}"
holds 'a row for each sum' 'sum over y: 2 terms, on devices that differ only along it (0-1)'
holds 'terms are counted' '2 tiles of 2 terms, each on 1 device: 1.5 KiB on all 4$'
holds 'and are on a ruler' '^  term   1 *2$'
lacks 'it is not unused' 'unused'

sw "$mesh
from [8{x}16, 12]+{y}
to [8{x}16, 6{y}12]
plan
show devices"
lacks 'a tile whose terms were added is not one that was held before' '=$'

## Words

status 'the code is explained' 0 "$SHARDWALK" explain T11
for operation in reducescatter allreduce zeros pad; do
	status "$operation is explained" 0 "$SHARDWALK" explain $operation
	holds "$operation has its cost" '^costs'
done

## Sequences by hand as files

by_hand() { # NAME FROM TO OPERATIONS
	{
		printf '%s\nfrom %s\nto %s\n' "$mesh" "$2" "$3"
		echo "$4" | tr ';' '\n' | sed 's/^ */apply /'
		echo "verify"
		echo "export plan $TMP/plan.json"
	} >script
	"$SHARDWALK" script >"$TMP/out" 2>"$TMP/err" && ok "$1 is executed" || not_ok "$1 is executed" "$(head -c 400 "$TMP/err")"
	"$PYTHON" "$SRC/tests/sums_check.py" plan.json >checked 2>&1 && ok "$1 holds" || not_ok "$1 holds" "$(cat checked)"
	status "$1 is read again" 0 "$SHARDWALK" -c "open plan.json
verify"
}
PYTHON=$(command -v python3)
if [ -n "$PYTHON" ]; then
	by_hand 'an allreduce' '[8{x}16, 12]+{y}' '[8{x}16, 12]' 'allreduce {y}'
	by_hand 'a reducescatter' '[8{x}16, 12]+{y}' '[8{x}16, 6{y}12]' 'reducescatter(1, {y})'
	by_hand 'scatter, sum and transposition' '[8{x}16, 12]+{y}' '[16, 3{x,y}12]' 'reducescatter {y} [[0,2]] [[1,4]]'
	by_hand 'idle devices' '[16, 12]+{x}' '[16, 12]' \
		'dynslice(0, y); reducescatter(1, {x}); allgather [[0,2],[1,2]]'
	by_hand 'terms that are made' '[8{x}16, 12]' '[16, 12]+{x,y}' 'zeros {y}; pad(0)'
	by_hand 'a permute of terms' '[8{x}16, 12]+{y}' '[8{y}16, 12]' 'allpermute [8{y}16, 12]+{x}; allreduce {x}'
	by_hand 'other steps below a sum' '[8{x}16, 12]+{y}' '[16, 12]' 'alltoall(0, 1); allgather(1); allreduce {y}'
	cp plan.json good.json
	sed 's/"schema": "shardwalk.plan\/2"/"schema": "shardwalk.plan\/1"/' good.json >first.json
	status 'plans of the first schema are read' 0 "$SHARDWALK" -c 'open first.json'
	sed 's/"sum": \["y"\]/"sum": ["x"]/' good.json >other.json
	"$PYTHON" "$SRC/tests/sums_check.py" other.json >checked 2>&1 && not_ok 'another sum is found' "$(cat checked)" ||
		ok 'another sum is found'
	status 'another sum is refused' 1 "$SHARDWALK" -c 'open other.json'
	grep -q "P03.*sum' is {x}, but its types sum {y}" "$TMP/err" && ok 'both texts are said' ||
		not_ok 'both texts are said' "$(head -c 300 "$TMP/err")"
else
	skip 'plans hold' 'there is no python3'
fi

## Derivatives

sw "$mesh
from [8{x}16, 12]
apply allgather(0)
adjoint
show plan"
holds 'a gather becomes a reducescatter' 'reducescatter(0, {x})'
holds 'the sums are the unused axes' '\[16, 12\]+{x,y}'
sw "$mesh
from [8{x}16, 12]
to [16, 12]
ad"
lacks 'ad is still advise' 'several commands' "$TMP/err"

finish

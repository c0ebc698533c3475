#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The film of a plan at the prompt: of every kind of plan, with colours and without, in any locale, and what is refused.
. "$SRC/tests/lib.sh"

problem='mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan exact'

status 'a plan is a film' 0 "$SHARDWALK" -c "$problem; film 2 --element 5,7"
holds 'with its time and the way of the element' '^film  3 steps  20\.0 us  element \[5, 7\]: device 9 → 11 → 20 → 14$' "$TMP/out"
holds 'with letters' '│aabbcc│ddeeff│' "$TMP/out"
holds 'it says which pictures those are' '^pictures 2 to 4 of 4$' "$TMP/out"
cp "$TMP/out" "$TMP/film"
status '`show film` is the same' 0 "$SHARDWALK" -c "$problem; show film 2 --element 5,7"
equal 'row by row' "$(grep -v 'planned in' "$TMP/film")" "$(grep -v 'planned in' "$TMP/out")"
status 'without Unicode' 0 env LC_ALL=C TERM=dumb "$SHARDWALK" -c "$problem; film"
equal 'it is ASCII' '' "$(LC_ALL=C tr -d '\n -~' <"$TMP/out")"
status 'colours are halves' 0 env LC_ALL=C.UTF-8 TERM=xterm-256color "$SHARDWALK" --color=always -c "$problem; film"
holds 'two to a cell' '▀' "$TMP/out"
status 'a sum has a line for each term' 0 "$SHARDWALK" -c 'mesh {x: 4}; f32[4]+{x} ~> f32[4]; plan; film'
holds 'before it is made' '┃dddd┃' "$TMP/out"
holds 'and says so' 'the sum of 4 terms' "$TMP/out"
status 'types of any kind' 0 "$SHARDWALK" -c 'mesh {x: 4}; [12] on 0 ~> [3{x}12]; plan; film'
holds 'have owners' '┃aaaaaaaaaaaa┃' "$TMP/out"
status 'reduction programs' 0 "$SHARDWALK" -c 'system {node: 4 @ 8GB/s shared, gpu: 4 @ 270GB/s}
axes {data: 16}
place 1
reduce {data} f32[1048576]
reductions 4
film'
holds 'are films too' '1 allreduce inside node' "$TMP/out"
status 'nothing to do is one picture' 0 "$SHARDWALK" -c 'mesh {x: 2}; [4, 4] ~> [4, 4]; plan; film'
holds 'of no steps' '^film  0 steps$' "$TMP/out"
product='mesh {x: 2, y: 2}; type A = f32[4{x}8, 4{y}8]; type B = f32[4{x}8, 4{y}8]; einsum ij,jk->ik A, B as [4{x}8, 4{y}8]'
status 'a product is a film' 0 "$SHARDWALK" -c "$product; ways 2; film 3 --device 0"
holds 'of three arrays' '^film  4 steps of 3 arrays' "$TMP/out"
holds 'with what a device has' 'Device 0 has A \[0:8, 0:4\], B \[0:4, 0:4\], C' "$TMP/out"
status 'a formula is a film' 0 "$SHARDWALK" -c 'mesh {x: 4}; type B = f64[4{x}16]; type A = f64[4{x}16]; compute A(i) = B(i) + B(i+1); film 1'
holds 'in which elements of neighbours move' '^sent .* 3 ' "$TMP/out"
status 'a schedule is a film' 0 "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; film 1 --device 1'
holds 'with a row of what moves' '^sent .* 108 ' "$TMP/out"
holds 'and one of what is computed' '^work .* 54 ' "$TMP/out"
holds 'and buffers beside homes' 'C \[0:3, 3:6\] and \[3:6, 3:6\]' "$TMP/out"
refused 'a product without a way' L07 'not a program yet' "$SHARDWALK" -c "$product; film"
refused 'a device that is not there' L12 '0 to 8' "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; film --device 9'
refused 'of a plan too' L12 '0 to 23' "$SHARDWALK" -c "$problem; film --device 77"
refused 'a dimension that is not there' L12 'two of 0 to 1' "$SHARDWALK" -c "$problem; film --dims 0,5"
refused 'two dimensions of a vector' L12 'no array has two' "$SHARDWALK" -c 'mesh {x: 4}; [4{x}16] ~> [16]; plan; film --dims 0,1'
status 'a halo has no tiles' 0 "$SHARDWALK" -c 'mesh {x: 6}; type x = [4{x}24]; type y = x; compute y[i] = 2*x[i] - x[i-1] - x[i+1]; film 1'
lacks 'that grow' 'grows' "$TMP/out"
holds 'and overlaps' 'after step 1 overlaps, at most 6 elements on one' "$TMP/out"
status 'tiles of many sizes' 0 "$SHARDWALK" -c 'mesh {x: 4}; [5+4+3+1{x}13] ~> [{x}13] by ceil; film'
holds 'are at most so large' 'at most 20 B on a device' "$TMP/out"
status 'elements that nobody has' 0 "$SHARDWALK" -c 'mesh {x: 4}; [4{x}16] on 0-1 ~> [4{x}16] only 0:8; film'
holds 'have a sign' '^?: no device has it$' "$TMP/out"
status 'a schedule moves two of three arrays' 0 "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; film 2'
equal 'with arrows of those alone' 2 "$(grep -c '━▶' "$TMP/out")"
holds 'and numbers a step once' '^2 of 3: B shift left' "$TMP/out"
refused 'a step that is not there' L12 '0 to 3' "$SHARDWALK" -c "$problem; film 4"
refused 'no plan' L07 '' "$SHARDWALK" -c 'film'
finish

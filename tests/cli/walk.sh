#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One stepper for whatever can be walked: the search, or the contexts of a sum, whichever is newest.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 2

sum='system {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}
axes {data: 8, shard: 8}
reduce {data} f32[2147483648]
place [[2 4] [2 4]]'
search='mesh {x: 4, y: 6}
[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

## What is walked

sw "$search
step"
holds 'a problem is searched' '^search: step 1: '
sw "$sum
step"
holds 'a sum too' '^search: step 1: '
sw "$sum
reductions
step 3"
holds 'reductions makes contexts the newest' '^reductions: step 3: 16 nodes seen, 17 edges examined$'
holds 'they have names' ' 1/4+{node}  *4  23.86.ms  *1  reducescatter inside node$'
sw "$sum
reductions
walk search
step"
holds 'walk search changes over' '^search: step 1: '
sw "$sum
walk reductions
step
reduce {shard} f32[2147483648]
step"
equal 'a new problem is newer' 'reductions search' "$(sed -n 's/^\([a-z]*\): step 1: .*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
sw "$sum
walk reductions
step 4
walk search
walk"
holds 'walk lists both' '^\*  search  *step 0 '
holds 'and how far each is' '^   reductions  *step 4 '
sw "$sum
walk reductions
step 4
walk search
undo
step"
holds 'undo changes back' '^reductions: step 5: '
sw "$sum
reductions
step
undo
step"
holds 'also past reductions' '^search: step 1: '
sw "$sum
walk reductions
step 4
set masters all
step"
holds 'what the graph depends on begins it anew' '^reductions: step 1: '

## Commands

sw "$sum
walk reductions
step 26
step"
holds 'step visits the whole graph' '^reductions: step 26: 26 nodes seen, .*; the goal is visited$'
holds 'and no more' 'the frontier is empty' "$TMP/err"
sw "$sum
walk reductions
step 5
back 2"
holds 'back' '^reductions: step 3: 16 nodes seen, 17 edges examined$'
sw "$sum
walk reductions
continue
reductions"
holds 'continue finds the best' '^ *2  allgather inside node  *1  *0  23.86.*8.638'
holds 'which reductions proves' '^ *1  8.638.s '
sw "$sum
walk reductions
finish"
holds 'finish tells both' '^optimum over programs of any length: 8.638.s; one allreduce takes 15.03.s$'
sw "$sum
walk reductions
step
frontier"
holds 'frontier' '^reductions: 10 nodes in the frontier$'
sw "$sum
walk reductions
step 3
goto 8
edges --refused
path"
holds 'goto' '^reductions: node 8 gpu 0: 1+{gpu}; else 1+{node,gpu}: missing 6, frontier, distance 8.590.s, a dead end$'
holds 'edges that are refused tell the premise' ' R02: '
holds 'path' '^reductions: path to node 8, distance 8.590.s$'
sw "$sum
set search astar
walk reductions
continue"
holds 'the bound leads straight' '^reductions: step [4-9]: '
sw "$sum
walk reductions
goto 99"
holds 'a node that is not there' "there is no node '99'" "$TMP/err"
holds 'those that are' '1 to 1, the nodes seen so far' "$TMP/err"

## Nothing to walk

sw 'step'
holds 'nothing at all' 'for instance: mesh {x: 4, y: 6}' "$TMP/err"
sw "$search
walk reductions"
holds 'no system' 'no system is defined' "$TMP/err"
sw 'system p2-a100 4
axes {data: 8, shard: 8}
place 1
walk reductions'
holds 'no sum' 'for instance: reduce {data}' "$TMP/err"
sw 'walk tiles'
holds 'no such walk' 'L08' "$TMP/err"

## JSON, and what is saved

"$SHARDWALK" --json -c "$sum
reductions --limit 1
step 2
edges
walk" >"$TMP/out"
equal 'answers name the walk' 3 "$(grep -c '"schema": "shardwalk.walk/1", "command": "[a-z]*", "walk": "reductions"' "$TMP/out")"
holds 'distances are seconds' '"unit": "seconds".*"holds": "1/4+{node}", "missing": 4, "distance": 0.0238'
sw "$sum
walk reductions
step 4
goto 7
walk search
step 2
walk reductions
goto 7
save walked.sw"
sw "source walked.sw
walk
path"
holds 'a saved session walks on' '^\*  reductions  *step 4 '
holds 'in both' '^   search  *step 2 '
holds 'and looks at the same node' '^reductions: path to node 7, '
finish

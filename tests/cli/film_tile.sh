#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tile of an element is followed in films, in the mesh, in the plan and in the traffic; what it refuses.
. "$SRC/tests/lib.sh"

PLAN='mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan'
PRODUCT='mesh {x: 2, y: 2}; einsum ij,jk->ik [2{x}4, 3{y}6], [3{y}6, 4{x}8] as [2{x}4, 4{y}8]; ways 1'

drawn() { # NAME COMMANDS WHAT THEY DRAW
	"$SHARDWALK" -c "$2" >"$TMP/drawn" 2>&1
	says "$1" "$3" "$TMP/drawn"
}

drawn 'a sentence about the tile' "$PLAN; film 2 --element 2,2 --tile 1" 'Tile [2:3, 0:6], 6 elements, is on device 2 before the step and on device 1'
says 'its places' 'tile [2:3, 0:6]: 3 devices → device 2 → device 1 → 2 devices' "$TMP/drawn"
drawn 'before the first step' "$PLAN; film --element 2,2 --tile 0" 'Tile [0:3, 2:4], 6 elements, is on device 1'
drawn 'in the mesh' "$PLAN; show mesh --step 1 --element 2,2 --tile 0" 'holds some of tile [0:3, 2:4]'
drawn 'in the traffic' "$PLAN; show traffic 1 --element 2,2 --tile 0" 'carries some of tile [0:3, 2:4]'
drawn 'in the plan' "$PLAN; show plan --step 1 --element 2,2 --tile 0" 'some of tile [0:3, 2:4] goes to another device in this step'
drawn 'in a program' "$PRODUCT; film 1 --element A[0,0] --tile 0" 'Tile A[0:2, 0:3], 6 elements, is on device 0 before the step'

drawn 'the mesh of a program' "$PRODUCT; show mesh --step 2 --element B[0,0]" 'holds element B[0, 0]'
drawn 'the traffic of a program' "$PRODUCT; show traffic 1 --element A[0,0]" 'of step 1 of'
says 'what carries it there' 'carries element A[0, 0]' "$TMP/drawn"
drawn 'the traffic of a schedule' 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; show traffic 2 --element B[0,1]' 'carries element B[0, 1]'

refused 'no element' L02 'needs an element' "$SHARDWALK" -c "$PLAN; film 2 --tile 1"
refused 'a step that is not there' L02 'no step after which' "$SHARDWALK" -c "$PLAN; film 2 --element 2,2 --tile 9"
refused 'what is not made yet' L02 'no step after which' "$SHARDWALK" -c "$PRODUCT; film 1 --element C[0,0] --tile 0"
finish

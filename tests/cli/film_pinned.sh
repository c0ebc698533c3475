#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# An element of any array of a program is followed in its film; what it refuses.
. "$SRC/tests/lib.sh"

PRODUCT='mesh {x: 2, y: 2}; einsum ij,jk->ik [2{x}4, 3{y}6], [3{y}6, 4{x}8] as [2{x}4, 4{y}8]; ways 1'

"$SHARDWALK" -c "$PRODUCT; film 3 --element C[1,2]" >"$TMP/terms" 2>&1
says 'terms are added' 'The 2 terms of C[1, 2] are on 2 devices before the step, on 1 after it; device 0' "$TMP/terms"
"$SHARDWALK" -c "$PRODUCT; film 1 --element 0,1" >"$TMP/first" 2>&1
says 'the first array has no name' 'gets it from device 0, in a piece of 6 elements, over axis x.' "$TMP/first"
"$SHARDWALK" -c "$PRODUCT; film 1 --element B[5,7]" >"$TMP/still" 2>&1
says 'what does not move' 'B[5, 7] stays on device 3.' "$TMP/still"
"$SHARDWALK" -c "$PRODUCT; film --element C[0,0]" >"$TMP/none" 2>&1
says 'what is not made yet' 'No device has C[0, 0] yet.' "$TMP/none"

refused 'an array that is not there' L02 'its arrays are A, B, C' "$SHARDWALK" -c "$PRODUCT; film 1 --element D[0,1]"
refused 'an index that is not there' L02 'the array is' "$SHARDWALK" -c "$PRODUCT; film 1 --element A[4,1]"
refused 'no index' L02 'element of this array' "$SHARDWALK" -c "$PRODUCT; film 1 --element A[]"
finish

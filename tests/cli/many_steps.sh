#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A plan of hundreds of steps: what repeats is folded, and what is marked is not cut.
. "$SRC/tests/lib.sh"
steps=$(i=0; while [ $i -lt 120 ]; do i=$((i + 1)); echo 'apply alltoall(0, 1); apply alltoall(1, 0)'; done)
sw "mesh {x: 8}
[16384{x}131072, 64] ~> [16384{x}131072, 64]
$steps
show traffic
show traffic --step 120
show plan --step 205"
holds 'traffic folds the steps in the middle' '^ 7 to 239: 233 steps, a device sends at most 917 504 in each$'
holds 'not the last one' '^ 240 alltoall(1, 0, 8): a device sends 917 504 elements$'
holds 'nor the chosen one' '^>120 alltoall(1, 0, 8): a device sends 917 504 elements$'
holds 'nor the first one' '^ 1 alltoall(0, 1, 8): a device sends 917 504 elements$'
holds 'a number of three digits has room for its mark' '^>205 alltoall(0, 1, 8) '
holds 'in all rows' '^ 204 alltoall(1, 0, 8) '
finish

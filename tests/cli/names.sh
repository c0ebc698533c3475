#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A device has one name on all panes: that of its place in the system, at first with its number.
. "$SRC/tests/lib.sh"

placed='system {node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}
axes {data: 4, shard: 2}
place [[2 2] [1 2]]
reduce {data} f32[8]'
sum="$placed
plan"

status 'a sum on a system' 0 "$SHARDWALK" -c "$sum"
holds 'a plan has the names of groups' '\[A0 A2 B0 B2\] \[A1 A3 B1 B3\] 2 groups of 4'
status 'in the film' 0 "$SHARDWALK" -c "$sum; film --device 4"
holds 'a device has its name, and its number at first' '^Device B0 (4) has \[0:8\] of terms 2:3\.$'
holds 'and letters stand for names' 'a: A0 (0) to h: B3 (7)$'
for view in mesh tiles devices traffic rounds sets relation; do
	status "$view draws the sum" 0 "$SHARDWALK" --quiet -c "$sum; show $view"
	holds "$view has the names of its devices" '\<B2\>'
done
status 'the tiles' 0 "$SHARDWALK" --quiet -c "$sum; show tiles --device 4"
holds 'name the device that is looked at' '^\*: held by device B0 (4)$'
status 'or by its name' 0 "$SHARDWALK" --quiet -c "$sum; show tiles --device B0"
holds 'it is the same' '^\*: held by device B0 (4)$'
status 'another name' 1 "$SHARDWALK" --quiet -c "$sum; show tiles --device B4"
says 'is refused' "B4" "$TMP/err"
says 'with those that there are' 'or by its name, A0 to B3' "$TMP/err"
status 'steps by hand' 0 "$SHARDWALK" --quiet -c "$placed
apply reducescatter inside node; apply allreduce across node; apply allgather inside node"
holds 'have the same names' '{A0 A2} {A1 A3} {B0 B2} {B1 B3}'
status 'a formula' 0 "$SHARDWALK" --quiet -c 'system {node: 2, gpu: 2}
axes {x: 4}
type B = f64[4{x}16]; type A = f64[4{x}16]; compute A(i) = B(i) + B(i+1)
show needs; show needs --device 2'
holds 'has names' '^ *A1  8  *B0  0$'
holds 'a device of it too' '^device B0 (2)$'
status 'programs have numbers' 0 "$SHARDWALK" --quiet --json -c "$sum; show relation"
holds 'in JSON' '7, 4, 8, '
status 'without a system' 0 "$SHARDWALK" --quiet -c 'mesh {x: 4}; [4{x}16] ~> [16]; plan; film --device 2; show traffic'
holds 'numbers are the names' '^Device 2 has'
lacks 'and there are no letters' '\<A0\>'

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# DTensor's error of an operation without a sharding, as it is printed (tests/printed): operands, the reason, and where to go on.
. "$SRC/tests/lib.sh"
printed=$SRC/tests/printed
cd "$TMP" || exit 1

for version in 2.10 2.15; do
	for name in unbind view; do
		status "$version $name" 0 "$SHARDWALK" import "$printed/failed-$version-$name.txt"
		says "$version $name: the placement to have" 'x.redistribute(placements=[Shard(0), Replicate()]) of operand 1'
		holds "$version $name: the pair" '^type .*{dp}[0-9]*, 8{tp}32\] ~> f32\[.*{dp}[0-9]*, 32\]$'
	done
done
status 'it is planned' 0 "$SHARDWALK" -c "import $printed/failed-2.15-unbind.txt; plan; verify"
holds 'and right' '^verified: all [0-9]* elements on 8 devices are right'
status 'an operation in place' 0 "$SHARDWALK" import "$printed/failed-2.15-index-put.txt"
says 'no tensor of a list is left out' 'operand 2  i64[4]'
says 'the reason' 'Please use the out-of-place version of this operation instead.'
says 'no advice without a reason for it' 'the text does not say'
status 'two meshes' 0 "$SHARDWALK" import "$printed/failed-2.10-two-meshes.txt"
says 'the one that is over another mesh' 'operand 1  Spec(f32[16, 32](S(0)S(1))) is not a type over this mesh'

# The form of releases before 2.10; an `@ mesh` in it is no matrix product.
schema='Op(op=aten.add.Tensor, args_schema=Spec((Shard(dim=0), Shard(dim=1)) on (16, 32)), Spec((Replicate(), Shard(dim=0)) on (16, 32)) @ mesh: (2, 4))'
status 'the older form' 0 "$SHARDWALK" import "Sharding propagation failed for $schema" --json
says 'names the operation' '"op": "aten.add.Tensor"'
says 'both operands to one placement' '"to": "[8{m0}16, 8{m1}32]"'
status 'the pair is the problem' 0 "$SHARDWALK" -c "import Sharding propagation failed for $schema; verify"
refused 'cut off' N01 'the error ends before it names the mesh' "$SHARDWALK" -c \
	'import Sharding propagation failed for Op(op=aten.add.Tensor, args_schema=Spec(S(0) on (16, 32))'

finish

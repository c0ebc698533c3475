#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Advice is written only where received bytes, the peak or predicted time falls and none of them rises; else it is an offer, with both
# numbers first.  And DTensor's own warning is cured by flattening the mesh.
. "$SRC/tests/lib.sh"

# What people paste: one warning of PyTorch 2.11.
warning='While redistributing from (Shard(dim=0), Shard(dim=0)) to (Replicate(), Replicate()), 2 sequential all_gather operations will be performed. This is suboptimal'
cat >"$TMP/dtensor.sw" <<END
mesh {dp: 2, tp: 4}
shape f32[16384,8192]
import "$warning"
END
status 'the warning of DTensor' 0 "$SHARDWALK" "$TMP/dtensor.sw"
holds 'is of what DTensor does' '^DTensor now  allgather(0, 4)'
lacks 'and never of XLA' 'XLA now'
echo 'advise --for dtensor' >>"$TMP/dtensor.sw"
status 'advice about it' 0 "$SHARDWALK" "$TMP/dtensor.sw"
holds 'flattens the mesh' '^mesh\["dp", "tp"\]\._flatten()$'
holds 'into one collective' 'DTensor would run 1 collective in place of 2:$'
holds 'which brings as much' '^received bytes stay 448 MiB,$'
lacks 'no waypoint brings more in more time' 'x.redistribute'
lacks 'nor is it said to be written' 'Write in your program'
sed -i '$s/$/ --json/' "$TMP/dtensor.sw"
status 'in JSON' 0 "$SHARDWALK" "$TMP/dtensor.sw"
holds 'too' '"flatten": {"code": "mesh\[\\"dp\\", \\"tp\\"\]\._flatten()\\n", "collectives": 1, "falls": \[\], "rises": \[\]}'

status 'sums of two mesh dimensions' 0 "$SHARDWALK" -c \
	'mesh {dp: 2, tp: 4}; advise --for dtensor f32[1024, 1024]+{dp,tp} ~> [1024, 1024]'
holds 'are one' '^mesh\["dp", "tp"\]\._flatten()$'
holds 'and bring less' '^received bytes fall from .* to .*,$'
holds 'so it is to be written' '^Write in your program, once where the program makes the mesh'
status 'gathers of two dimensions' 0 "$SHARDWALK" -c \
	'mesh {dp: 2, tp: 4}; advise --for dtensor f32[512{dp}1024, 256{tp}1024] ~> [1024, 1024]'
lacks 'are not' '_flatten'

status 'less memory for more time' 0 "$SHARDWALK" -c \
	'mesh {x: 4, y: 4}; advise --for jax [16, 64, 16{x}64] ~> [1{y,x}16, 64, 64]'
holds 'has what rises first' '^the predicted time rises from .* to .*,$'
holds 'then what falls' '^received bytes fall from .* to .*,$'
holds 'and is an offer' '^An offer, if that is worth it:$'
holds 'with its line' '^x = jax.lax.with_sharding_constraint'
lacks 'not to be written' 'Write in your program'
status 'in JSON' 0 "$SHARDWALK" -c \
	'mesh {x: 4, y: 4}; advise --for jax [16, 64, 16{x}64] ~> [1{y,x}16, 64, 64] --json'
holds 'both are named' '"falls": \["received"\], "rises": \["time"\], "flatten": null'

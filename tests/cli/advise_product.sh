#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Constraints around a product are to be written where received bytes, the peak or predicted time falls and none of them rises; else they
# are an offer, with both numbers first.  And so are flattened mesh dimensions.
. "$SRC/tests/lib.sh"

product() { # TEXT SYSTEM
	status "$1, $2" 0 "$SHARDWALK" -c "mesh {x: 8, y: 2}; einsum $1; advise --for $2"
}
gathers='ij,jk->ik f32[2048, 2048{y}4096], f32[512{x}4096, 2048] as f32[2048, 256{x}2048]'
product "$gathers" jax
holds 'where everything falls' '^Write in your program:$'
lacks 'there is no offer' 'offer'
product 'ij,jk->ik f32[64{x}512, 64{y}128], f32[64{y}128, 512] as f32[512, 512]' jax
holds 'what rises is first' '^C: flops rise from 4 194 304 to 67 108 864,$'
holds 'then what falls' '^received bytes fall from 1.3 MiB to 544 KiB,$'
holds 'as an offer' '^An offer, if that is worth it:$'
holds 'with its lines' '^A = jax.lax.with_sharding_constraint'
lacks 'that nobody has to write' 'Write in your program'
product "$gathers" dtensor
holds 'what is not known is not compared' '^C: it is not known what DTensor does by itself, so this is an offer:$'
lacks 'nor to be written' 'Write in your program'
status 'one that JAX refuses' 0 "$SHARDWALK" -c 'mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 32]+{x}, [32, 24{y}48] as [32{x}64, 24{y}48]; advise'
holds 'needs its lines' '^Write in your program:$'
status 'in JSON' 0 "$SHARDWALK" -c "mesh {x: 8, y: 2}; einsum $gathers; advise --json"
holds 'nothing rises' '"offer": false, "falls": \["received", "peak"\], "rises": \[\]'

small='While redistributing from (Partial(sum), Partial(sum)) to (Replicate(), Replicate()), 2 sequential all_reduce operations will be performed. This is suboptimal'
merged() { # SIZE
	printf 'mesh {dp: 2, tp: 4}\nshape f32[%s,%s]\nimport "%s"\nadvise --for dtensor\n' "$1" "$1" "$small" >"$TMP/merged.sw"
	status "merging all-reduces of $1" 0 "$SHARDWALK" "$TMP/merged.sw"
}
merged 64
holds 'of small ones the time rises' '^the predicted time rises from .* to .*,$'
holds 'so they are an offer' '^An offer, as its own warning suggests'
order() { # what rises is said before the line
	grep -n 'the predicted time rises\|_flatten()' "$TMP/out" | cut -d: -f2 | head -n 1
}
equal 'with the numbers first' 'the predicted time rises' "$(order | cut -c1-24)"
merged 1024
holds 'of larger ones everything falls' '^Write in your program, once where the program makes the mesh'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `advise` between meshes of different devices: what jax.device_put does, as JAX did it (tests/meshes/put.txt), and what to write.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1
first="NamedSharding(mesh=Mesh(device_ids=array([[0, 1], [2, 3]]), axis_names=('data', 'model')), spec=P('data', 'model'))"
second="NamedSharding(mesh=Mesh(device_ids=array([4, 5, 6, 7]), axis_names=('tensor',)), spec=P('tensor'))"

## What JAX did

number=0
while IFS= read -r line; do
	number=$((number + 1))
	where=${line%%: *}
	status "line $number" 0 "$SHARDWALK" -c "f32[48,48] $(echo "${line#*: }" | sed 's/ -> / ~> /'); advise --json" </dev/null
	case $where in host) through=true ;; *) through=false ;; esac
	holds "line $number: $where" "\"through_host\": $through, "
done <"$SRC/tests/meshes/put.txt"
equal 'all of them' 16 "$number"

## What is answered

status 'other tiles' 0 "$SHARDWALK" -c "advise f32[16,16] $first ~> $second"
holds 'the first end with its number' '^from .* on 0-3: on 4 devices$'
holds 'the second' '^to .* on 4-7: on 4 devices$'
holds 'what is in both' '^both  *0 devices of both ends$'
holds 'the exchange is what there is' '^exchange  one, in which a device receives 256 B at most; no compiler generates it:$'
holds 'what device_put does' 'copies the whole array to the host and cuts it there, 1 KiB$'
holds 'what to write' '^mesh = Mesh(x.sharding.mesh.devices.reshape(4, -1), (.d0., .copies.,))$'
holds 'before it is put' '^x = jax.jit(lambda x: x, out_shardings=tiles)(x)$'
status 'onto more devices' 0 "$SHARDWALK" -c 'redistribute f32[16] {devices=[4]<=[4]} ~> {devices=[8]<=[8]}; advise'
holds 'behind it' '^mesh = Mesh(target.mesh.devices.reshape(4, -1), (.d0., .copies.,))$'
holds 'both numbers' '^both  *4 devices of both ends$'
status 'neither a multiple' 0 "$SHARDWALK" -c 'redistribute f32[12] {devices=[4]<=[4]} ~> {devices=[6]<=[6]}; advise'
holds 'nothing keeps it from the host' '^The host cannot be avoided'
status 'in the words of types' 0 "$SHARDWALK" -c 'mesh {x: 4}; from [16] on 2; to [4{x}16]; advise'
holds 'one device cuts' '^ *the only device of the first end cuts them$'
status 'sums' 0 "$SHARDWALK" -c 'mesh {x: 2, y: 2}; from [8{x}16]+{y}; to [16] on 0; advise'
status 'for DTensor' 0 "$SHARDWALK" -c "f32[16,16] $first ~> $second; advise --for dtensor"
holds 'its own words' 'Cross device mesh comm not supported yet!'
holds 'and what there is' '^No code in your program does this: `export mpi` writes the exchange'
status 'for Shardy' 0 "$SHARDWALK" -c "f32[16,16] $first ~> $second; advise --for shardy --json"
holds 'no code' '"way": null, "code": ""'

## What is refused as before

refused 'the same devices in other pieces' T17 'needs tile types' "$SHARDWALK" -c 'mesh {x: 4}; from [1{x,..}13]; to [13]; advise'
refused 'what nobody has' S02 'nobody\|no device' "$SHARDWALK" -c 'mesh {x: 4}; from [16] on 0 only 0:4; to [16] on 1; advise'
finish

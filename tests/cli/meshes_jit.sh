#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Between two meshes, the jit that makes the tiles the same: the lines do not make XLA gather the whole array, and say what they move.
# Numbers are those of hlo_bytes.py for the lines, compiled by JAX 0.10.2 for 8 devices.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

mesh() { # DEVICES NAMES SPEC
	echo "NamedSharding(mesh=Mesh(device_ids=array($1), axis_names=($2)), spec=P($3))"
}
advise() { # FROM TO
	status "$3" 0 "$SHARDWALK" -c "shape f32[16,16]; $1 ~> $2; advise"
}

all='[0,1,2,3,4,5,6,7]' half='[0,1,2,3]'
advise "$(mesh "$all" "'x'," "'x'")" "$(mesh "$half" "'t'," "None,'t'")" 'rows on 8 to columns on 4'
says 'stops at 8 columns' 'x.sharding.mesh.devices.reshape(8, -1)'
says 'then at 4' 'x.sharding.mesh.devices.reshape(4, -1)'
equal 'two jits' 2 "$(grep -c '^x = jax.jit' out)"
says 'move 112 and 128 B' 'Both jits together bring 240 B to a device, and XLA does not warn: in a single jit XLA would gather the whole array.'
advise "$(mesh "$half" "'x'," "'x'")" "$(mesh '[[0,1,2,3],[4,5,6,7]]' "'s','t'" "'s','t'")" 'rows on 4 to tiles on 8'
equal 'one jit' 1 "$(grep -c '^x = jax.jit' out)"
says 'moves 192 B' 'The jit brings 192 B to a device, and XLA does not warn.'
advise "$(mesh '[[0,1],[2,3]]' "'x','y'" "'x','y'")" "$(mesh '[[0,1,2,3,4,5,6,7]]' "'s','t'" "None,'t'")" 'tiles on 4 to columns on 8'
says 'is put first' 'x = jax.device_put(x, tiles)'
says 'then cut further, which moves nothing' 'target.mesh.devices.reshape(2, 4, -1)'
says 'and moves 192 B' 'Both jits together bring 192 B to a device'
status 'for programs' 0 "$SHARDWALK" -c "shape f32[16,16]; $(mesh "$all" "'x'," "'x'") ~> $(mesh "$half" "'t'," "None,'t'"); advise --json"
says 'the same' '"jit": {"stops": true, "warns": false, "received_bytes": 240'
advise "$(mesh "$half" "'x'," "'x'")" "$(mesh '[4,5,6,7]' "'t'," "'t'")" 'the same tiles elsewhere'
lacks 'need no jit' 'jax.jit'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A log beside the StableHLO of its program: warnings about values of the module get their shape and shardings, and each other says
# why it gets none.
. "$SRC/tests/lib.sh"
. "$SRC/tests/cli/lib_warning.sh"
cd "$TMP" || exit

cat >layer.mlir <<'END'
module @jit_layer attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
  func.func public @main(%arg0: tensor<16x27x72x53x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}, {"c"}, {}, {}]>}) -> (tensor<16x27x72x53x24xf32>) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {}, {"a"}, {}, {"b"}]> : tensor<16x27x72x53x24xf32>
    return %0 : tensor<16x27x72x53x24xf32>
  }
}
END
{
	warn '{devices=[4,1,1,1,1]<=[4]}' '{devices=[1,1,1,1,2,2]<=[4] last_tile_dim_replicate}' \
		'%copy = f32[4,27,36,53,24]{4,3,2,1,0} copy(%sharding_constraint.0), metadata={op_name="jit(layer)/sin"}'
	warn '{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}' '{devices=[4,1,2]<=[8] last_tile_dim_replicate}' \
		'%get-tuple-element = f32[6848,9968]{1,0} get-tuple-element(%tuple), index=0'
	warn '{devices=[8,1]<=[8]}' '{devices=[1,8]<=[8]}' '%other'
	echo 'f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}'
} >layer.log

status 'warnings beside StableHLO' 0 "$SHARDWALK" import layer.log --module layer.mlir
holds 'what is about a value is counted' '^1 is about values of the module: its mesh, shape and shardings are used$' err
holds 'one that no constraint asks for says so' '^    no constraint of the module is between these shardings in this shape: the$' out
holds 'one without a shape says so' '^    the value was not searched in the module: the warning does not give' out
equal 'a pair that is no warning says nothing' 1 "$(grep -c 'of the module is' out)"
status 'the row of the value' 0 "$SHARDWALK" import layer.log --module layer.mlir --json
equal 'has its whole shape' 1 "$(grep -o '"mesh": "{a: 2, b: 2, c: 2}", "from": "\[4{a,b}16, 27, 36{c}72, 53, 24\]"' out | grep -c .)"
sed 's/"b"\]>} *:/"c"]>} :/; s/{"a"}, {}, {"b"}/{}, {}, {"b"}/' layer.mlir >other.mlir
status 'beside another program' 0 "$SHARDWALK" import layer.log --module other.mlir
holds 'no warning is about a value' '^the log warns about no value of the module: its constraints differ$' err
finish

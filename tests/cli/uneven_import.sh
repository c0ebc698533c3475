#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sizes that do not divide, in warnings and modules: XLA decides by the size, pads each end by itself, and advice goes by that.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

cat >two.mlir <<'END'
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<30x50xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<30x50xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"data"}, {"model"}]> : tensor<30x50xf32>
    %1 = stablehlo.add %0, %0 : tensor<30x50xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"data", "model"}]> : tensor<30x50xf32>
    return %2 : tensor<30x50xf32>
  }
}
END
cat >two.log <<'END'
W1128 11:12:13.322687   32625 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding {devices=[2,4]<=[8]} to {devices=[1,8]<=[8]} efficiently for HLO operation %sharding_constraint.0 = f32[15,13]{1,0} copy(%mul.1), sharding={devices=[2,4]<=[8]}. As the last resort, SPMD will replicate the tensor.
END

# hlo_bytes.py counts 5460 bytes of all-gathers in the module that XLA makes of it.
for file in two.mlir two.log; do
	status "$file" 0 "$SHARDWALK" import $file --json
	holds "$file: all of it is gathered" '"xla": {[^}]*"volume": 1365\|"now": {[^}]*"bytes": 5460\|"bytes_now": 5460'
done
status 'the row of the module' 0 "$SHARDWALK" -c 'import two.mlir 1; advise'
holds 'XLA gathers the whole array' '^XLA now  *5.3 KiB .*allgather(1, 4)'
holds 'each end is padded by itself' 'dimension 1 of 50 is padded to 56, which both ends divide; XLA pads'
holds 'advice says why there is none' 'nothing better was found'
holds 'received is as XLA pads' '^  received  *5.3 KiB'
status 'the warning' 0 "$SHARDWALK" -c 'import two.log; advise'
lacks 'is no refusal' 'S02' "$TMP/err"

status 'the warning beside its module' 0 "$SHARDWALK" import two.log --module two.mlir
holds 'is about its constraint' 'now  *dimension 0 in 2 parts'
holds 'sizes are compared rounded up' '^1 is about values of the module' "$TMP/err"
holds 'has the mesh of the module' '^mesh  *{data: 2, model: 4}$'

# What 56 columns would do is an exchange.
sed 's/30x50/30x56/' two.mlir >even.mlir
status 'a size that divides' 0 "$SHARDWALK" -c 'import even.mlir 1'
holds 'is exchanged' '^XLA now  *1.2 KiB .*alltoall(0, 1, 2), allpermute'
status 'a hop of advice' 0 "$SHARDWALK" -c 'set uneven pad; mesh {a: 2, b: 4}; advise [{a}50, {b}96] ~> [50, {b,a}96]'
lacks 'has no code of refusals' 'error\[' "$TMP/err"
finish

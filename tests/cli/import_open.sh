#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A dimension that a constraint leaves to the compiler is no redistribution of a program, one that it makes whole is.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

module() { # DIMENSIONS
	cat >module.mlir <<END
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x32xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [$1]> : tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
}
END
}

module '{"x"}, {?}'
"$SHARDWALK" import module.mlir >out 2>err && not_ok 'an open dimension' 'moves something' || ok 'an open dimension'
says 'asks for the present sharding' 'found: 1 that asks for the present sharding' err
module '{"x"}, {}'
status 'a closed one' 0 "$SHARDWALK" import module.mlir
holds 'is gathered' 'allgather' out
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a program leaves to the compiler in part: dimensions of constraints, axes of manual computations.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

## programs: what is open stays as it is

program() { # CONSTRAINT; of a sum that is kept as it is computed
	cat >module.mlir <<END
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<16x32xf32> {
    %0 = sdy.sharding_constraint $1 : tensor<16x32xf32>
    %1 = stablehlo.add %0, %0 : tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
}
END
	"$SHARDWALK" -c 'import module.mlir; program' >out 2>err
}

program '%arg0 <@mesh, [{"x"}, {?}]>'
lacks 'an open dimension stays cut' 'redistribute' out
program '%arg0 <@mesh, [{"x"}, {}]>'
holds 'a closed one becomes whole' 'redistribute arg0  *f32\[8{x}16, 32\]' out
program '%arg0 <@mesh, [{?}, {?}]>'
lacks 'all open' 'redistribute' out
program '%arg1 <@mesh, [{"x", ?}, {?}]>'
lacks 'axes that may follow stay' 'redistribute' out
program '%arg1 <@mesh, [{"x"}, {?}]>'
holds 'axes that may not do not' 'redistribute arg1  *f32\[8{x}16, 32\]' out
program '%arg0 <@mesh, [{"y"}, {?}]>'
holds 'an axis that another dimension takes goes' 'redistribute arg0  *f32\[4{y}16, 32\]' out
program '%arg1 <@mesh, [{?}, {"y"}]>'
holds 'also from the open one' 'redistribute arg1  *f32\[16, 8{y}32\]' out

gspmd() { # SHARDING DIMS
	cat >module.mlir <<END
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<16x32xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<16x32xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "$2", mhlo.sharding = "$1"} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.add %0, %0 : tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
}
END
	"$SHARDWALK" -c 'mesh {x: 2, y: 4}; import module.mlir; program' >out 2>err
}

half='{devices=[2,1,4]<=[8] last_tile_dim_replicate}'
gspmd "$half" 'unspecified_dims=[1]'
lacks 'GSPMD: an unspecified dimension stays cut' 'redistribute' out
gspmd "$half" ''
holds 'GSPMD: one that is not becomes whole' 'redistribute arg0  *f32\[8{x}16, 32\]' out
gspmd '{replicated}' 'unspecified_dims=[0,1]'
lacks 'GSPMD: all unspecified' 'redistribute' out

# Over other axes: what is left open is not known, so that nothing is gathered.
gspmd '{devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}' 'unspecified_dims=[1]'
"$SHARDWALK" import module.mlir >out 2>err
lacks 'GSPMD: nothing is said of an open dimension over other axes' 'allgather' out

## two pasted shardings: what the second leaves open is taken to stay

mesh="mesh=Mesh('x': 2, 'y': 4)"
cat >shardings.txt <<END
in_shardings=(NamedSharding($mesh, spec=PartitionSpec('x', 'y'), memory_kind=device),) out_shardings=(NamedSharding($mesh, spec=PartitionSpec('x', UNCONSTRAINED), memory_kind=device),)
END
status 'UNCONSTRAINED in out_shardings' 0 "$SHARDWALK" -c 'shape f32[16,32]; import shardings.txt'
holds 'stays cut' '^to  *f32\[8{x}16, 8{y}32\]$'
holds 'which is said' 'leaves to the compiler is assumed to stay'
sed 's/, UNCONSTRAINED/, None/' shardings.txt >whole.txt
status 'None in out_shardings' 0 "$SHARDWALK" -c 'shape f32[16,32]; import whole.txt'
holds 'is whole' '^to  *f32\[8{x}16, 32\]$'
status 'open dimensions of Shardy' 0 "$SHARDWALK" -c 'mesh {x: 2, y: 4}; shape f32[16,32]
	import #sdy.sharding<@mesh, [{"x"}, {"y"}]> -> #sdy.sharding<@mesh, [{?}, {?}]>'
holds 'stay' '^to  *f32\[8{x}16, 8{y}32\]$'

## manual computations over some axes

manual() { # SHARDING
	cat >manual.mlir <<END
module @jit_pm attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<64x64xf32> {
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {backend_config = "", mhlo.sharding = "$1"} : (tensor<64x64xf32>) -> tensor<32x64xf32>
    %2 = call @shmap_body(%1) : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<32x64xf32>) -> tensor<64x64xf32>
    return %3 : tensor<64x64xf32>
  }
  func.func private @shmap_body(%arg0: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %5 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %8 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %5 : tensor<32x64xf32>
  }
}
END
	"$SHARDWALK" import manual.mlir >out 2>err
}

manual '{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}'
holds 'a partly manual computation is at most' 'at most' out
manual '{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}'
holds 'whether other axes cut or copy' 'at most' out
manual '{devices=[1,1,8]<=[8] last_tile_dims={manual}}'
lacks 'a wholly manual one is exact' 'at most' out
manual '{manual}'
lacks 'however it is written' 'at most' out
finish

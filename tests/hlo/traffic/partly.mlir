module @jit_pm2 attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<5x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}) -> (tensor<64x64xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data", ?}, {?}]>, <@mesh, [{?}, {?}, {?}]>] out_shardings=[<@mesh, [{"data", ?}, {?}]>] manual_axes={"data"} (%arg2: tensor<32x64xf32>, %arg3: tensor<5x64x64xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:3 = stablehlo.while(%iterArg = %arg3, %iterArg_0 = %c, %iterArg_1 = %arg2) : tensor<5x64x64xf32>, tensor<i32>, tensor<32x64xf32>
      cond {
        %c_2 = stablehlo.constant dense<5> : tensor<i32>
        %4 = sdy.sharding_constraint %iterArg_0 <@mesh, []> : tensor<i32>
        %5 = sdy.sharding_constraint %c_2 <@mesh, []> : tensor<i32>
        %6 = stablehlo.compare LT, %4, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %6 : tensor<i1>
      } do {
        %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<5x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
        %5 = func.call @closed_call(%iterArg_1, %4) : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
        %c_2 = stablehlo.constant dense<1> : tensor<i32>
        %6 = sdy.sharding_constraint %iterArg_0 <@mesh, []> : tensor<i32>
        %7 = sdy.sharding_constraint %c_2 <@mesh, []> : tensor<i32>
        %8 = stablehlo.add %6, %7 : tensor<i32>
        %9 = sdy.sharding_constraint %8 <@mesh, []> : tensor<i32>
        stablehlo.return %iterArg, %9, %5 : tensor<5x64x64xf32>, tensor<i32>, tensor<32x64xf32>
      }
      %2 = sdy.sharding_constraint %1#1 <@mesh, []> : tensor<i32>
      %3 = sdy.sharding_constraint %1#2 <@mesh, [{?}, {?}]> : tensor<32x64xf32>
      sdy.return %3 : tensor<32x64xf32>
    } : (tensor<64x64xf32>, tensor<5x64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x64x64xf32>, %arg1: tensor<i32>) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}, {?}]> : tensor<1x64x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<64x64xf32>
    return %3 : tensor<64x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<32x64xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}]> : tensor<32x64xf32>
    %2 = stablehlo.tanh %1 : tensor<32x64xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<32x64xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"model"}]> : tensor<32x64xf32>
    %5 = "stablehlo.collective_permute"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %5 : tensor<32x64xf32>
  }
}

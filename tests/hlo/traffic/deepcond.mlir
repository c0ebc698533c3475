module @jit_deep attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x16xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<8x16xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare GT, %1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
      %4 = "stablehlo.case"(%3) ({
        %9 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
          %11 = stablehlo.add %arg2, %arg3 : tensor<f32>
          stablehlo.return %11 : tensor<f32>
        }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
        %10 = stablehlo.add %arg1, %9 : tensor<8x16xf32>
        stablehlo.return %10 : tensor<8x16xf32>
      }, {
        %c = stablehlo.constant dense<0> : tensor<i32>
        %9:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %arg1) : tensor<i32>, tensor<8x16xf32>
        cond {
          %c_4 = stablehlo.constant dense<4> : tensor<i32>
          %10 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %10 : tensor<i1>
        } do {
          %10 = func.call @closed_call(%iterArg_3) : (tensor<8x16xf32>) -> tensor<8x16xf32>
          %c_4 = stablehlo.constant dense<1> : tensor<i32>
          %11 = stablehlo.add %iterArg, %c_4 : tensor<i32>
          stablehlo.return %11, %10 : tensor<i32>, tensor<8x16xf32>
        }
        stablehlo.return %9#1 : tensor<8x16xf32>
      }) : (tensor<i32>) -> tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare GT, %5, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.convert %6 : (tensor<i1>) -> tensor<i32>
      %8 = "stablehlo.case"(%7) ({
        %9 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
          %11 = stablehlo.add %arg2, %arg3 : tensor<f32>
          stablehlo.return %11 : tensor<f32>
        }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
        %10 = stablehlo.add %4, %9 : tensor<8x16xf32>
        stablehlo.return %10 : tensor<8x16xf32>
      }, {
        %c = stablehlo.constant dense<0> : tensor<i32>
        %9:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %4) : tensor<i32>, tensor<8x16xf32>
        cond {
          %c_4 = stablehlo.constant dense<4> : tensor<i32>
          %10 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %10 : tensor<i1>
        } do {
          %10 = func.call @closed_call_0(%iterArg_3) : (tensor<8x16xf32>) -> tensor<8x16xf32>
          %c_4 = stablehlo.constant dense<1> : tensor<i32>
          %11 = stablehlo.add %iterArg, %c_4 : tensor<i32>
          stablehlo.return %11, %10 : tensor<i32>, tensor<8x16xf32>
        }
        stablehlo.return %9#1 : tensor<8x16xf32>
      }) : (tensor<i32>) -> tensor<8x16xf32>
      sdy.return %8 : tensor<8x16xf32>
    } : (tensor<64x16xf32>) -> tensor<64x16xf32>
    return %0 : tensor<64x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

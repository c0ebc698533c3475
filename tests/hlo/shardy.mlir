module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<32x64xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<4x4x64xbf16> {jax.result_info = "result['k']"}, tensor<4x4x64xbf16> {jax.result_info = "result['o']"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<16x32xbf16>
    %1 = stablehlo.multiply %arg0, %0 : tensor<16x32xbf16>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {"x"}]> : tensor<16x32xbf16>
    %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<16x8xbf16>) {
      %25 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<16x8xbf16>) -> tensor<64x8xbf16>
      sdy.return %25 : tensor<64x8xbf16>
    } : (tensor<16x32xbf16>) -> tensor<256x8xbf16>
    %4 = stablehlo.reshape %3 : (tensor<256x8xbf16>) -> tensor<4x4x4x32xbf16>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"x"}, {}, {}, {"y"}]> : tensor<4x4x4x32xbf16>
    %6 = stablehlo.convert %5 : (tensor<4x4x4x32xbf16>) -> tensor<4x4x4x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x4x4x32xf32>, tensor<f32>) -> tensor<4x4x32xf32>
    %8 = stablehlo.convert %7 : (tensor<4x4x32xf32>) -> tensor<4x4x32xbf16>
    %9 = sdy.sharding_constraint %8 <@mesh, [{}, {"x"}, {}]> : tensor<4x4x32xbf16>
    %10 = stablehlo.dot_general %9, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x32xbf16>, tensor<32x64xbf16>) -> tensor<4x4x64xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<4x4x64xbf16>, tensor<bf16>) -> tensor<4x4xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<4x4xbf16>
    %13 = stablehlo.maximum %12, %11 : tensor<4x4xbf16>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<4x4xbf16>) -> tensor<4x4x1xbf16>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<4x4x1xbf16>) -> tensor<4x4x64xbf16>
    %16 = stablehlo.subtract %10, %15 : tensor<4x4x64xbf16>
    %17 = stablehlo.exponential %16 : tensor<4x4x64xbf16>
    %18 = stablehlo.convert %17 : (tensor<4x4x64xbf16>) -> tensor<4x4x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x4x64xf32>, tensor<f32>) -> tensor<4x4xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %21 = stablehlo.convert %20 : (tensor<4x4x1xf32>) -> tensor<4x4x1xbf16>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<4x4x1xbf16>) -> tensor<4x4x64xbf16>
    %23 = stablehlo.divide %17, %22 : tensor<4x4x64xbf16>
    %24 = sdy.sharding_constraint %23 <@mesh, [{"y"}, {}, {}]> : tensor<4x4x64xbf16>
    return %23, %24 : tensor<4x4x64xbf16>, tensor<4x4x64xbf16>
  }
}

module @jit_g attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x64xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
    %0 = stablehlo.sine %arg0 : tensor<16x32xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y"}]> : tensor<16x32xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x"}]> : tensor<16x32xf32>
    %3 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"y"}]> : tensor<16x64xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"y"}, {"x"}]> : tensor<16x64xf32>
    return %5 : tensor<16x64xf32>
  }
}


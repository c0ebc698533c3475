module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xbf16> {mhlo.sharding = "{devices=[4,2]<=[8]}"}, %arg1: tensor<32x64xbf16> {mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}) -> (tensor<4x4x64xbf16> {jax.result_info = "result['k']"}, tensor<4x4x64xbf16> {jax.result_info = "result['o']"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<16x32xbf16>
    %1 = stablehlo.multiply %arg0, %0 : tensor<16x32xbf16>
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,4,2]<=[8] last_tile_dim_replicate}"} : (tensor<16x32xbf16>) -> tensor<16x32xbf16>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[8] last_tile_dim_replicate}"} : (tensor<16x32xbf16>) -> tensor<16x32xbf16>
    %4 = stablehlo.custom_call @SPMDFullToShardShape(%3) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x32xbf16>) -> tensor<16x8xbf16>
    %5 = call @shmap_body(%4) : (tensor<16x8xbf16>) -> tensor<64x8xbf16>
    %6 = stablehlo.custom_call @Sharding(%5) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<64x8xbf16>) -> tensor<64x8xbf16>
    %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<64x8xbf16>) -> tensor<256x8xbf16>
    %8 = stablehlo.reshape %7 : (tensor<256x8xbf16>) -> tensor<4x4x4x32xbf16>
    %9 = stablehlo.custom_call @Sharding(%8) {backend_config = "", mhlo.sharding = "{devices=[4,1,1,2]<=[8]}"} : (tensor<4x4x4x32xbf16>) -> tensor<4x4x4x32xbf16>
    %10 = stablehlo.convert %9 : (tensor<4x4x4x32xbf16>) -> tensor<4x4x4x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x4x4x32xf32>, tensor<f32>) -> tensor<4x4x32xf32>
    %12 = stablehlo.convert %11 : (tensor<4x4x32xf32>) -> tensor<4x4x32xbf16>
    %13 = stablehlo.custom_call @Sharding(%12) {backend_config = "", mhlo.sharding = "{devices=[1,4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<4x4x32xbf16>) -> tensor<4x4x32xbf16>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x32xbf16>, tensor<32x64xbf16>) -> tensor<4x4x64xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<4x4x64xbf16>, tensor<bf16>) -> tensor<4x4xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<4x4xbf16>
    %17 = stablehlo.maximum %16, %15 : tensor<4x4xbf16>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x4xbf16>) -> tensor<4x4x1xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x4x1xbf16>) -> tensor<4x4x64xbf16>
    %20 = stablehlo.subtract %14, %19 : tensor<4x4x64xbf16>
    %21 = stablehlo.exponential %20 : tensor<4x4x64xbf16>
    %22 = stablehlo.convert %21 : (tensor<4x4x64xbf16>) -> tensor<4x4x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x4x64xf32>, tensor<f32>) -> tensor<4x4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %25 = stablehlo.convert %24 : (tensor<4x4x1xf32>) -> tensor<4x4x1xbf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<4x4x1xbf16>) -> tensor<4x4x64xbf16>
    %27 = stablehlo.divide %21, %26 : tensor<4x4x64xbf16>
    %28 = stablehlo.custom_call @Sharding(%27) {backend_config = "", mhlo.sharding = "{devices=[2,1,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"} : (tensor<4x4x64xbf16>) -> tensor<4x4x64xbf16>
    return %27, %28 : tensor<4x4x64xbf16>, tensor<4x4x64xbf16>
  }
  func.func private @shmap_body(%arg0: tensor<16x8xbf16>) -> (tensor<64x8xbf16> {jax.result_info = "[('x',), None]"}) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<16x8xbf16>) -> tensor<64x8xbf16>
    return %0 : tensor<64x8xbf16>
  }
}

module @jit_g attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}"}, %arg1: tensor<32x64xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}"}) -> (tensor<16x64xf32> {jax.result_info = "result", mhlo.sharding = "{devices=[2,4]<=[4,2]T(1,0)}"}) {
    %0 = stablehlo.sine %arg0 : tensor<16x32xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[8]}"} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[8] last_tile_dim_replicate}"} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %3 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"} : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[4,2]T(1,0)}"} : (tensor<16x64xf32>) -> tensor<16x64xf32>
    return %5 : tensor<16x64xf32>
  }
}


module @jit_loss attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["dp"=2, "tp"=4]> {stablehlo.mesh = {axes = [{name = "dp", size = 2 : i64}, {name = "tp", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %arg1: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<256x512xf32> {jax.result_info = "result[1][0]"}, tensor<512x256xf32> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<256x512xf32>) -> tensor<16x64x512xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<16x64x512xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x512xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<16x64x512xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<16x64x512xf32>
    %8 = stablehlo.multiply %5, %5 : tensor<16x64x512xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<16x64x512xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<16x64x512xf32>
    %13 = stablehlo.add %5, %12 : tensor<16x64x512xf32>
    %cst_2 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<16x64x512xf32>
    %16 = stablehlo.tanh %15 : tensor<16x64x512xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %18 = stablehlo.subtract %17, %16 : tensor<16x64x512xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %20 = stablehlo.add %19, %16 : tensor<16x64x512xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<16x64x512xf32>
    %23 = stablehlo.multiply %5, %22 : tensor<16x64x512xf32>
    %24 = stablehlo.dot_general %23, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x512xf32>, tensor<512x256xf32>) -> tensor<16x64x256xf32>
    %25 = sdy.sharding_constraint %24 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x256xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<16x64x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %29 = stablehlo.multiply %25, %28 : tensor<16x64x256xf32>
    %30 = stablehlo.multiply %28, %25 : tensor<16x64x256xf32>
    %31 = stablehlo.add %29, %30 : tensor<16x64x256xf32>
    %32 = sdy.sharding_constraint %31 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x256xf32>
    %33 = stablehlo.dot_general %32, %23, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<16x64x512xf32>) -> tensor<256x512xf32>
    %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
    %35 = stablehlo.dot_general %32, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<512x256xf32>) -> tensor<16x64x512xf32>
    %36 = stablehlo.multiply %5, %35 : tensor<16x64x512xf32>
    %37 = stablehlo.multiply %35, %22 : tensor<16x64x512xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %39 = stablehlo.multiply %38, %36 : tensor<16x64x512xf32>
    %40 = stablehlo.multiply %39, %18 : tensor<16x64x512xf32>
    %41 = stablehlo.multiply %40, %16 : tensor<16x64x512xf32>
    %42 = stablehlo.add %40, %41 : tensor<16x64x512xf32>
    %cst_9 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %44 = stablehlo.multiply %43, %42 : tensor<16x64x512xf32>
    %45 = stablehlo.add %37, %44 : tensor<16x64x512xf32>
    %cst_10 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %47 = stablehlo.multiply %46, %44 : tensor<16x64x512xf32>
    %48 = stablehlo.multiply %47, %10 : tensor<16x64x512xf32>
    %49 = stablehlo.add %45, %48 : tensor<16x64x512xf32>
    %50 = sdy.sharding_constraint %49 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x512xf32>
    %51 = sdy.sharding_constraint %50 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<16x64x512xf32>
    %54 = sdy.sharding_constraint %53 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %55 = stablehlo.dot_general %54, %arg2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x512xf32>, tensor<16x64x256xf32>) -> tensor<512x256xf32>
    %56 = stablehlo.transpose %55, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
    return %27, %56, %34 : tensor<f32>, tensor<256x512xf32>, tensor<512x256xf32>
  }
}

module @jit_loss attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["dp"=2, "tp"=4]> {stablehlo.mesh = {axes = [{name = "dp", size = 2 : i64}, {name = "tp", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %arg1: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<256x512xf32> {jax.result_info = "result[1][0]"}, tensor<512x256xf32> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<256x512xf32>) -> tensor<16x64x512xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<16x64x512xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"dp"}, {}, {}]> : tensor<16x64x512xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x512xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<16x64x512xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<16x64x512xf32>
    %9 = stablehlo.multiply %6, %6 : tensor<16x64x512xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<16x64x512xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %13 = stablehlo.multiply %12, %8 : tensor<16x64x512xf32>
    %14 = stablehlo.add %6, %13 : tensor<16x64x512xf32>
    %cst_2 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<16x64x512xf32>
    %17 = stablehlo.tanh %16 : tensor<16x64x512xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %19 = stablehlo.subtract %18, %17 : tensor<16x64x512xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %21 = stablehlo.add %20, %17 : tensor<16x64x512xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<16x64x512xf32>
    %24 = stablehlo.multiply %6, %23 : tensor<16x64x512xf32>
    %25 = stablehlo.dot_general %24, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x512xf32>, tensor<512x256xf32>) -> tensor<16x64x256xf32>
    %26 = sdy.sharding_constraint %25 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x256xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<16x64x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x64x256xf32>
    %30 = stablehlo.multiply %26, %29 : tensor<16x64x256xf32>
    %31 = stablehlo.multiply %29, %26 : tensor<16x64x256xf32>
    %32 = stablehlo.add %30, %31 : tensor<16x64x256xf32>
    %33 = sdy.sharding_constraint %32 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x256xf32>
    %34 = stablehlo.dot_general %33, %24, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<16x64x512xf32>) -> tensor<256x512xf32>
    %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
    %36 = stablehlo.dot_general %33, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<512x256xf32>) -> tensor<16x64x512xf32>
    %37 = stablehlo.multiply %6, %36 : tensor<16x64x512xf32>
    %38 = stablehlo.multiply %36, %23 : tensor<16x64x512xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %40 = stablehlo.multiply %39, %37 : tensor<16x64x512xf32>
    %41 = stablehlo.multiply %40, %19 : tensor<16x64x512xf32>
    %42 = stablehlo.multiply %41, %17 : tensor<16x64x512xf32>
    %43 = stablehlo.add %41, %42 : tensor<16x64x512xf32>
    %cst_9 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<16x64x512xf32>
    %46 = stablehlo.add %38, %45 : tensor<16x64x512xf32>
    %cst_10 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %48 = stablehlo.multiply %47, %45 : tensor<16x64x512xf32>
    %49 = stablehlo.multiply %48, %11 : tensor<16x64x512xf32>
    %50 = stablehlo.add %46, %49 : tensor<16x64x512xf32>
    %51 = sdy.sharding_constraint %50 <@mesh, [{"dp"}, {"tp"}, {}]> : tensor<16x64x512xf32>
    %52 = sdy.sharding_constraint %51 <@mesh, [{"dp"}, {}, {}]> : tensor<16x64x512xf32>
    %53 = sdy.sharding_constraint %52 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x64x512xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<16x64x512xf32>
    %56 = sdy.sharding_constraint %55 <@mesh, [{"dp"}, {}, {"tp"}]> : tensor<16x64x512xf32>
    %57 = stablehlo.dot_general %56, %arg2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x512xf32>, tensor<16x64x256xf32>) -> tensor<512x256xf32>
    %58 = stablehlo.transpose %57, dims = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
    return %28, %58, %35 : tensor<f32>, tensor<256x512xf32>, tensor<512x256xf32>
  }
}

module @jit_g4 attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x16x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1x16x16xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"x"}, {"y"}]> : tensor<1x16x16xf32>
    %4 = stablehlo.sine %3 : tensor<1x16x16xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"y"}, {"x"}]> : tensor<1x16x16xf32>
    return %5 : tensor<1x16x16xf32>
  }
}

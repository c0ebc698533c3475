module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %c, %a = %arg0) : tensor<i32>, tensor<16x64xf32>
    cond {
      %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<16x64xf32>) -> tensor<128x64xf32>
      %c_0 = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %i, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %c_0 : tensor<i32>
      %2 = stablehlo.add %a, %a : tensor<16x64xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<16x64xf32>
    }
    return %0#1 : tensor<16x64xf32>
  }
}

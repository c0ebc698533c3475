module @computed attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<32x16xf32>) -> tensor<32x16xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<8x16xf32>) {
      %c = stablehlo.constant dense<2> : tensor<i32>
      %c_0 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.multiply %c, %c_0 : tensor<i32>
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      %2:3 = stablehlo.while(%iterArg = %c_1, %iterArg_2 = %arg1, %iterArg_3 = %1) : tensor<i32>, tensor<8x16xf32>, tensor<i32>
      cond {
        %3 = stablehlo.compare  LT, %iterArg, %iterArg_3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      } do {
        %3 = "stablehlo.collective_permute"(%iterArg_2) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
        %4 = stablehlo.dot_general %iterArg_2, %iterArg_2, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
        %5 = stablehlo.dot_general %4, %3, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
        %c_4 = stablehlo.constant dense<1> : tensor<i32>
        %6 = stablehlo.add %iterArg, %c_4 : tensor<i32>
        stablehlo.return %6, %5, %iterArg_3 : tensor<i32>, tensor<8x16xf32>, tensor<i32>
      }
      sdy.return %2#1 : tensor<8x16xf32>
    } : (tensor<32x16xf32>) -> tensor<32x16xf32>
    return %0 : tensor<32x16xf32>
  }
}

module @inline {
  func.func public @main(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = sdy.all_gather [{"x", "y"}, {}] %arg0 out_sharding=<mesh<["x"=2, "y"=4]>, [{}, {}]> : tensor<64x64xf32>
    %1 = sdy.all_reduce {"y"} %0 out_sharding=<#sdy.mesh<["x"=2, "y"=4]>, [{"x"}, {}]> : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}

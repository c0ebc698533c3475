module @shardy {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<64x64xf32>) -> (tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = sdy.all_reduce {"y"} %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x32xf32>
    %1 = sdy.reduce_scatter [{}, {"y":(1)2}] %0 out_sharding=<@mesh, [{"x"}, {"y":(1)2}]> : tensor<16x32xf32>
    %2 = sdy.all_gather [{}, {"y":(1)2}] %1 out_sharding=<@mesh, [{"x"}, {}]> : tensor<16x32xf32>
    %3 = sdy.all_gather [{"x", "y"}, {}] %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<64x64xf32>
    return %2 : tensor<16x32xf32>
  }
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions of StableHLO that no module is around, as they are cut out of one, are read as it is.
. "$SRC/tests/lib.sh"

cat >"$TMP/whole.mlir" <<'EOF2'
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<32x64xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<32x64xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"data"}, {"model"}]> : tensor<32x64xf32>
    %3 = func.call @g(%2) : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %3 : tensor<32x64xf32>
  }
  func.func private @g(%arg0: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"data", "model"}]> : tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
}
EOF2
read_as() { # NAME COMMANDS
	status "$1" 0 "$SHARDWALK" -c "$2"
	holds "$1: as StableHLO" 'read as the StableHLO module.*: 8 devices; it asks for 2 shardings' "$TMP/err"
	sed 's/line [0-9]*//' "$TMP/out" >"$TMP/now"
	[ -f "$TMP/first" ] || cp "$TMP/now" "$TMP/first"
	same "$1: the same rows" "$TMP/first" "$TMP/now"
}
read_as 'the module' "import $TMP/whole.mlir"
sed 1d "$TMP/whole.mlir" >"$TMP/bare.mlir"
read_as 'without its first line' "import $TMP/bare.mlir"
sed '1d;$d' "$TMP/whole.mlir" >"$TMP/bare.mlir"
read_as 'without its last one, too' "import $TMP/bare.mlir"
{ echo '// from a run {' && echo '#loc1 = loc("a.py":1:1)' && cat "$TMP/bare.mlir"; } >"$TMP/comment.mlir"
read_as 'behind comments and places' "import $TMP/comment.mlir"
sed '1,2d' "$TMP/whole.mlir" >"$TMP/functions.mlir"
read_as 'functions alone, over the present mesh' "mesh {data: 2, model: 4}; import $TMP/functions.mlir"

refused 'functions alone' N07 'never asks for a sharding' "$SHARDWALK" -c "import $TMP/functions.mlir"
says 'say which mesh is missing' 'shardings over the mesh @mesh, which no line defines' "$TMP/err"
says 'and what helps' 'by `mesh {x: 4, y: 2}` first' "$TMP/err"

# What follows the functions is no part of them: a module there is read as well, and a log is not taken for one.
{ cat "$TMP/bare.mlir" "$TMP/whole.mlir"; } >"$TMP/both.mlir"
status 'a module behind functions' 0 "$SHARDWALK" -c "import $TMP/both.mlir"
holds 'is read, too' 'it asks for 4 shardings' "$TMP/err"
echo 'a func.func is no module, nor is this' >"$TMP/log"
refused 'words in a log' N07 'nothing in' "$SHARDWALK" -c "import $TMP/log"
finish

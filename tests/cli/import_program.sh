#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs of other systems: modules and lines of JAX become the present program, and are written again.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1

cat >mlp.mlir <<'END'
module @mlp {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8x12xf32>) -> tensor<16x12xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x12xf32>) -> tensor<16x12xf32>
    %1 = stablehlo.tanh %0 : tensor<16x12xf32>
    %2 = stablehlo.add %1, %1 : tensor<16x12xf32>
    return %2 : tensor<16x12xf32>
  }
}
END
status 'a module that asks for nothing is a program' 0 "$SHARDWALK" import mlp.mlir
grep -q 'einsum "ij,jk->ik" x w' out && ok 'its product is shown' || not_ok 'its product is shown' "$(cat out)"
grep -q 'stablehlo.tanh from line 5' err && ok 'what ends a chain is listed' || not_ok 'what ends a chain is listed' "$(cat err)"
"$SHARDWALK" --json import mlp.mlir >json
grep -q 'fn main(x : f32\[8{x}16, 8\], w : ?f32\[8, 12\], v1 : ?f32\[16, 12\])' json && ok 'what is not said is open' || not_ok 'what is not said is open' "$(cat json)"

grep -q '"computes": {"operations": 2, "products": 1, "open": true, "left": \[{"name": "stablehlo.tanh", "line": 5, "count": 1}\]' json && ok 'fields say what was read' || not_ok 'fields say what was read' "$(cat json)"

sed 's/@mesh, \[{"x"}/@mesh, [{"z"}/' mlp.mlir >axis.mlir
status 'an axis that the mesh lacks' 1 "$SHARDWALK" import axis.mlir
grep -q 'axis.mlir:3:' err && grep -q "'z' is not in the mesh" err && ok 'the line is named' || not_ok 'the line is named' "$(cat err)"
grep -q '{x: 2, y: 2}' err && ok 'and the mesh' || not_ok 'and the mesh' "$(cat err)"

cat >closed.spmd <<'END'
mesh {x: 2, y: 2}
fn f(A: f32[8{x}16, 8], B: f32[8, 6{y}12], C: f32[6{y}12, 8]) -> f32[4{y,x}16, 8] {
  h = einsum "ij,jk->ik" A B
  r = relu h
  o = einsum "ij,jk->ik" r C as f32[8{x}16, 8]
  s = add o A
  t = scale s as f32[4{y,x}16, 8]
  return t
}
END
moves() { # SCRIPT
	"$SHARDWALK" --json -c "$1" 2>err | tr -d '\n' | sed 's/.*"redistributions": \[//; s/"of": "[a-z0-9]*", //g; s/"file".*//; s/"strategy".*//'
}
for format in shardy stablehlo; do
	status "a program as $format" 0 "$SHARDWALK" -c "program closed.spmd ; export $format closed.$format program"
	equal "$format comes back" "$(moves 'program closed.spmd')" "$(moves "mesh {x: 2, y: 2}; import closed.$format; program")"
done
status 'without a problem it is the program' 0 "$SHARDWALK" -c 'program closed.spmd ; export jax closed.py'
grep -q 'h = jnp.einsum("ij,jk->ik", A, B' closed.py && ok 'as JAX' || not_ok 'as JAX' "$(head -40 closed.py)"
status 'under shard_map' 0 "$SHARDWALK" --quiet -c 'program closed.spmd ; export shard_map closed-s.py program'
same 'it is written as expected' "$SRC/tests/pictures/program.py" closed-s.py
status 'hlo has no programs' 1 "$SHARDWALK" -c 'program closed.spmd ; export hlo - program'

status 'a line of JAX' 0 "$SHARDWALK" -c 'mesh {x: 4, y: 2}' -c "import jnp.einsum('bd,df->bf', x: bf16[8,2048] P('x', 'y'), w: bf16[2048,8192] P(None, 'y'), out_sharding=P('x', 'y'))"
grep -q 'bf16\[2{x}8, 4096{y}8192\]' out && ok 'is a program' || not_ok 'is a program' "$(cat out)"
status 'a line of the book' 0 "$SHARDWALK" -c 'mesh {X: 4}' -c 'import A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]'
status 'its axes are those of the mesh' 1 "$SHARDWALK" -c 'mesh {X: 4}' -c 'import jnp.dot(x: f32[8@Z,4], w: f32[4,8])'
grep -q "'Z' is not in the mesh" err && ok 'it says which' || not_ok 'it says which' "$(cat err)"
status 'without a mesh nothing says them' 1 "$SHARDWALK" import 'jnp.dot(x: f32[8,4], w: f32[4,8])'

python=${SHARDWALK_PYTHON:-python3}
if "$python" -c 'import jax.sharding as s; s.reshard' 2>/dev/null; then
	"$python" closed.py >out 2>err
	equal 'JAX computes the same' 'right: the result is that of whole arrays, bit for bit' "$(tail -n 1 out)"
	"$python" closed-s.py >out 2>err
	equal 'shard_map computes the same' 'right: the result is that of whole arrays, bit for bit' "$(tail -n 1 out)"
else
	skip 'JAX computes the same' "$python has no jax with explicit sharding"
fi
torch=${SHARDWALK_TORCH_PYTHON:-python3}
if "$torch" -c 'import torch' 2>/dev/null; then
	"$SHARDWALK" -c 'program closed.spmd ; export dtensor closed-d.py' >/dev/null 2>&1
	timeout 120 "$torch" closed-d.py >out 2>err
	equal 'DTensor computes the same' 'right: the result is that of whole arrays, bit for bit' "$(tail -n 1 out)"
else
	skip 'DTensor computes the same' "$torch has no torch"
fi
finish

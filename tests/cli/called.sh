#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Calls of PyTorch that give a tensor placements, and one sharding alone as JAX, XLA and PyTorch print it.
. "$SRC/tests/lib.sh"

mesh='mesh {dp: 2, tp: 4}; shape f32[16,32]'

## A type wherever one may stand

while IFS='|' read -r call type; do
	sw "$mesh; import $call"
	says "$call" "sets  $type"
done <<'CALLS'
distribute_tensor(x, mesh, [Shard(0), Shard(1)])|f32[8{dp}16, 8{tp}32]
y = distribute_tensor(x, mesh, [Shard(0), Replicate()])|f32[8{dp}16, 32]
torch.distributed.tensor.distribute_tensor(x, device_mesh=mesh, placements=(Shard(0), Shard(0)))|f32[2{tp,dp}16, 32]
DTensor.from_local(x, mesh, [Replicate(), Shard(1)])|f32[16, 8{tp}32]
distribute_tensor(x, init_device_mesh('cuda', (2, 4), mesh_dim_names=('dp', 'tp')), [Shard(1), Shard(0)])|f32[4{tp}16, 16{dp}32]
{devices=[2,4]<=[8]}|f32[8{dp}16, 8{tp}32]
{replicated}|f32[16, 32]
(Shard(dim=0), Shard(dim=1))|f32[8{dp}16, 8{tp}32]
float32[16@dp,32@tp]|f32[8{dp}16, 8{tp}32]
PartitionSpec('dp', 'tp')|f32[8{dp}16, 8{tp}32]
P(('dp', 'tp'), None)|f32[2{tp,dp}16, 32]
CALLS

## redistribute is from the present one

call='x.redistribute(device_mesh=mesh, placements=[Replicate(), Shard(1)])'
sw "$mesh; from (Shard(0), Shard(1)); import $call"
says 'a redistribution is the problem' 'to    f32[16, 8{tp}32]'
says 'with what it moves' 'planned        256 B'
sw "$mesh; explain $call"
says 'its placements are explained' '8 devices, 2 copies of each tile'
refused 'without a sharding before' N03 'redistribute says where an array goes' "$SHARDWALK" -c "$mesh; import $call"
says 'at its placements' '  |                                                                   ^^^^^^^^^^^^^^^^^^^^^^^' "$TMP/err"
refused 'a dimension that it has not' C03 'dimension 7 is cut' "$SHARDWALK" -c "$mesh; from (Shard(0), Shard(1)); import x.redistribute(mesh, [Replicate(), Shard(7)])"
refused 'a word that is no placement' N01 "'Shad' is not allowed here" "$SHARDWALK" -c "$mesh; from (Shard(0), Shard(1)); import x.redistribute(mesh, [Replicate(), Shad(1)])"
refused 'one placement for two axes' N01 '1 placement for a mesh of 2 dimensions' "$SHARDWALK" -c "$mesh; import distribute_tensor(x, mesh, [Shard(0)])"
refused 'without a mesh' N03 'the mesh of this is unknown' "$SHARDWALK" -c "shape f32[16,32]; import distribute_tensor(x, mesh, [Shard(0)])"
says 'which the refusal names' 'mesh {x: 4}' "$TMP/err"

## DebugMode without the trace of a redistribution

sw "mesh {x: 8}; shape f32[16,32]; import redistribute_input(1, S(0) -> R)"
says 'the shape is the present one' 'from  f32[2{x}16, 32]'
sw "mesh {x: 8}; shape f32[16,32]; import redistribute_input(1, [S(0)] -> [R])"
says 'placements in brackets' 'from  f32[2{x}16, 32]'
grep -v 'trace: ' "$SRC/tests/printed/torch-2.10-debugmode-2d.txt" >"$TMP/untraced"
"$SHARDWALK" import "$TMP/untraced" --mesh '{dp: 2, tp: 4}' >"$TMP/out" 2>"$TMP/err"
says 'else that of the operand that it is of' '1.5 KiB     2 KiB    2 KiB  f32[16,64]'
says 'of each' '1 KiB     2 KiB    2 KiB  f32[64,32]'

## Shardings of several values, as compiled.input_shardings prints them

n="NamedSharding(mesh=Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto)), spec=P('x', None), memory_kind=device)"
refused 'shardings of several values' N07 '2 shardings, but no shape' "$SHARDWALK" import "(($n, $n), {})"
says 'what could be read' 'a second dictionary or tuple with the same keys' "$TMP/err"
refused 'one in a dictionary' N07 '1 sharding, but' "$SHARDWALK" import "{'w': $n}"

finish

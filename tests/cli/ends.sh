#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Meshes and single ends as other systems write them: what a text brings itself, what it is called, and what the
# refusals say one can do.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

## Texts that bring their mesh, and meshes of other systems

said() { # NAME SCRIPT PATTERN: what is said on standard error
	"$SHARDWALK" -c "$2" >out 2>err
	holds "$1" "$3" err
}

sw "shape f32[8,8]; from NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=PartitionSpec('x',)); to P(None, 'x'); save -"
holds 'a mesh comes with from' '^mesh {x: 4, y: 2}' out
holds 'and to is over it' '^to f32\[8, 2{x}8\]' out
sw 'shape f32[8,8]; from {devices=[4,1]<=[4]}; to {devices=[1,4]<=[4]}; plan'
holds 'lists of devices bring one too' 'alltoall(0, 1, 4)' out
said 'it is said' 'shape f32[8,8]; to {devices=[4,1]<=[4]}' 'mesh {a: 4} comes with it'
sw "shape f32[8,8]; from P('x')"
holds 'names without a mesh do not' 'error\[N03\]' err
sw 'shape f32[8,8]; from {replicated}'
holds 'nor does what says no devices' 'error\[L07\]' err
sw 'type A = {mesh[x=4], [{x}, {}]}; shape f32[8,8]; mesh {y: 3}; from {devices=[4,1]<=[4]}'
holds 'a type needs its sizes' 'error\[N03\]' err
holds 'over other devices than the mesh, with what to do' 'help: `mesh {a: 4}` has as many devices' err
sw 'mesh {x: 4, y: 2}; shape f32[16,16]; from {devices=[8,1]7,6,5,4,3,2,1,0}'
holds 'an order of one end: what to do' 'help: both ends in one statement, `A ~> B`, keep the order' err
sw 'shape f32[16,16]; from {devices=[8,1]7,6,5,4,3,2,1,0}'
holds 'also without a mesh' 'help: both ends in one statement' err

sw 'mesh {X: 2}; from C[I:16, K:8] {U_X}; to C[I:16, K_X:8]; save -; plan'
holds 'an array of the scaling book may have its sizes and its sum' '^from \[16, 8\]+{X}' out
holds 'and be scattered over its letters' 'reducescatter(1, {X})' out

meshed() { # TEXT
	sw "$1; mesh {q: 2}; undo; save -"
	holds "$1" '^mesh {x: 4, y: 2}' out
}

meshed "mesh jax.make_mesh((4,2), ('x','y'))"
meshed "mesh Mesh('x': 4, 'y': 2)"
meshed 'mesh sdy.mesh @mesh = <["x"=4, "y"=2]>'
meshed 'mesh init_device_mesh("cuda", (4, 2), mesh_dim_names=("x","y"))'
meshed 'sdy.mesh @mesh = <["x"=4, "y"=2]>'
meshed "mesh = jax.make_mesh((4, 2), ('x', 'y'))"
meshed "DeviceMesh((x=4, y=2), 'cuda', stride=(2, 1))"
"$SHARDWALK" explain "Mesh('x': 4, 'y': 2)" "P('y')" >out 2>err
holds 'one may precede a text of the command line' 'dimension 0 in 2 parts over y' out
sw "mesh Mesh(device_ids=array([[0, 2], [1, 3]]), axis_names=('x', 'y')); from [4{x}8, 8]; to [8, 4{x}8]; plan"
holds 'ends alone are on the devices of the mesh' '\[0 1\] \[2 3\] 2 groups of 2' out
sw "mesh P('x')"
holds 'a sharding is no mesh' 'error\[M01\]: this is not a mesh' err
holds 'what one is is there' "help: a mesh may also be written as JAX, PyTorch or Shardy write it" err
sw 'mesh foo'
holds 'also of anything else' 'help: for instance: mesh {x: 4, y: 6}' err
said 'a mesh is called one' "mesh Mesh('x': 4)" 'read as a JAX mesh$'
said 'a sharding with its mesh too' "shape f32[8]; from NamedSharding(Mesh('x': 4), P('x'))" 'read as a JAX NamedSharding'
said 'both ends are shown' "mesh {x: 2, y: 2}; f32[8,8] P('x') ~> [Shard(1), Replicate()]" \
	'read as a JAX PartitionSpec and DTensor placements'

## Eighty columns

narrow() { # STATEMENTS
	sw "$1"
	equal "80 columns hold: $1" '' "$(LC_ALL=C.UTF-8 awk 'length > 80' out)"
}

narrow 'explain {devices=[2,1,4]<=[4,2]T(1,0)}'
holds 'a long mesh goes on in the next line' "^  *over init_device_mesh('cuda', (4, 2), mesh_dim_names=('a', 'b'))$" out
narrow 'explain {devices=[4,2,16]<=[8,16]T(1,0)}'
narrow 'mesh {data: 4, fsdp: 2, "model parallel": 8}; explain P(("data", "fsdp"), None, "model parallel")'
holds 'not inside of a name' '^  *{"model parallel"}\]}$' out
narrow 'explain (Shard(0), Replicate(), Partial()) on DeviceMesh((a=2, b=3, c=4))'
narrow 'explain {devices=[32]31,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,0}'
narrow 'explain f32[17,8] {devices=[8,1]<=[8]}'
narrow 'explain {maximal device=0}'
narrow 'mesh {x: 4, y: 2}; explain P("x")'

## Refusals

helps() { # STATEMENT PATTERN
	sw "$1"
	holds "$1: what to do" "help: .*$2" err
}

helps 'mesh {x: 4}; from {manual}' 'in_specs or out_specs'
helps 'mesh {x: 4}; shape f32[8]; from {maximal device=0}' 'the array has on all devices'
helps 'mesh {x: 8}; shape f32[8,8,8]; from {devices=[2,4]<=[8]}' 'is this the array that'
helps 'mesh {x: 2, y: 3}; shape f32[12,12]; to {devices=[3,2]<=[6]}' 'mesh {a: 3, b: 2} has them; `A ~> B` in one'
helps "mesh jax.make_mesh((4,2), ('x',))" 'it was read as a JAX mesh, such as Mesh('
helps 'explain {devices=[4,1]<=[4]} ~> {devices=[2,1]<=[2]}' 'can be compared only over the same devices'
helps 'explain {devices=[4,1]<=[4]} ~> {devices=[4]<=[4]}' 'last_tile_dim_replicate'
helps 'explain {manual} ~> {devices=[4]<=[4]}' 'in_specs or out_specs'
## An element type said on one side holds for both

one_sided() { # SCRIPT: in f64 at both ends
	sw "$1; plan --json"
	holds "of f64: $1" '"dtype": "f64"' out
}
for ends in 'f64[2{x}8, 4] ~> [8, 1{x}4]' '[2{x}8, 4] ~> f64[8, 1{x}4]' 'from f64[2{x}8, 4]; to [8, 1{x}4]' 'from [2{x}8, 4]; to f64[8, 1{x}4]' \
		'to f64[8, 1{x}4]; from [2{x}8, 4]' 'to [8, 1{x}4]; from f64[2{x}8, 4]' 'shape [8,4]; from f64[2{x}8, 4]; to [8, 1{x}4]' \
		'from [2{x}8, 4]; to [8, 1{x}4]; shape f64[8,4]' 'type A = f64[2{x}8, 4]; type B = [8, 1{x}4]; A ~> B' \
		'type A = f64[2{x}8, 4]; type B = [8, 1{x}4]; B ~> A' "f64[2{x}8, 4] ~> P(None, 'x')" "P('x', None) ~> f64[8, 1{x}4]" \
		"from f64[2{x}8, 4]; to P(None, 'x')" "to f64[8, 1{x}4]; from P('x')" "float64[8@x,4] ~> P(None, 'x')" "P('x') ~> float64[8,4@x]" \
		'from f64[2{x}8, 4]; to [8, 1{x}4]; mesh {x: 2, y: 2, z: 2}; from [4{x}8, 4]; to f64[8, 2{x}4]' \
		'set uneven pad; from [{x}9, 4]; to f64[9, 1{x}4]'; do
	one_sided "mesh {x: 4}; $ends"
done
for steps in 'from [2{x}8, 4]; apply exchange f64[8, 1{x}4]' 'from [2{x}8, 4]; to [8, 1{x}4]; apply exchange f64[8, 1{x}4]' \
		'from f64[2{x}8, 4]; apply exchange [8, 1{x}4]' 'from [2{x}8, 4]; to f64[8, 1{x}4]; apply exchange [8, 1{x}4]' \
		'from [2{x}8, 4]; to [8, 1{x}4]; apply allgather(0); apply exchange f64[8, 1{x}4]' \
		'from [2{x}8, 4]; apply allgather(0); apply exchange f64[8, 1{x}4]; apply allgather(1)' \
		'from [2{x}8, 4]; to [8, 1{x}4]; plan; replace 1 exchange f64[8, 1{x}4]'; do
	sw "mesh {x: 4}; $steps; export plan -; verify --prefix"
	holds "a step may say it: $steps" '"dtype": "f64"' out
	holds "and it executes: $steps" 'elements on 4 devices are' out
done
sw 'mesh {x: 4}; f32[8]+{x} ~> f32[8]; apply exchange f32[8]; export plan -'
says 'an exchange that adds up costs once for each term' 'size 8, cost 32 ' out
says 'an exchange by hand costs what its plan does' '"localsize": 8, "cost": 32' out
sw 'mesh {x: 4}; from [2{x}8, 4]; to f32[8, 1{x}4]; apply exchange f64[8, 1{x}4]'
holds 'where `to` says another the step is refused' 'error\[T09\]' err
sw 'mesh {x: 4}; from [2{x}8, 4]; apply allgather(0); apply exchange f64[8, 1{x}4]; undo; apply exchange f32[8, 1{x}4]; export plan -'
holds 'and `undo` takes it back' '"dtype": "f32"' out
sw 'mesh {x: 4}; from [2{x}8, 4]; apply allgather(0); apply exchange f64[8, 1{x}4]; save -'
holds 'a step that says it is saved with it' '^apply exchange f64\[8, 1{x}4\]' out
sw 'mesh {x: 4}; from [2{x}8, 4]; to f64[8, 1{x}4]; apply exchange f64[8, 1{x}4]; save -'
holds 'and one that repeats it is not' '^apply exchange \[8, 1{x}4\]' out
sw 'mesh {x: 4}; from f64[2{x}8, 4]; to [8, 1{x}4]; from [2{x}8, 4]; plan --json'
holds 'it holds no longer than it is there' '"dtype": "f32"' out
sw 'mesh {x: 4}; from f64[2{x}8, 4]; to [8, 1{x}4]; save -'
holds 'and is saved where it was said' '^to \[8, 1{x}4\]' out
sw 'mesh {x: 4}; from f64[2{x}8, 4]; to f32[8, 1{x}4]'
holds 'two that differ are refused' 'error\[T09\]: the two types have different element types' err
"$SHARDWALK" -c 'mesh {x: 4}; from f64[2{x}8, 4]; to f64[8, 1{x}4]; from f32[2{x}8, 4]' 2>err
holds 'what is dropped is shown why' 'dropped: to, an array of another element type' err
cat >lines <<'END'
{"mesh": "{x: 4}", "from": "f64[2{x}8, 4]", "to": "[8, 1{x}4]"}
{"mesh": "{x: 4}", "from": "[2{x}8, 4]", "to": "f64[8, 1{x}4]"}
{"mesh": "{x: 4}", "dtype": "f64", "from": "[2{x}8, 4]", "to": "f64[8, 1{x}4]"}
{"mesh": {"x": 4}, "from": "P('x')", "to": "f64[8, 1{x}4]"}
{"mesh": {"x": 4}, "from": "f64[8, 1{x}4]", "to": "P('x')"}
{"mesh": {"x": 4}, "shape": [8, 4], "from": "f64[8, 1{x}4]", "to": "P('x')"}
{x: 4} f64[2{x}8, 4] ~> [8, 1{x}4]
{x: 4} [2{x}8, 4] ~> f64[8, 1{x}4]
{"mesh": "{x: 4}", "dtype": "f32", "from": "[2{x}8, 4]", "to": "f64[8, 1{x}4]"}
{"mesh": {"x": 4}, "dtype": "f32", "from": "f64[8, 1{x}4]", "to": "P('x')"}
END
"$SHARDWALK" --quiet batch lines --json >out 2>err
equal 'lines of a batch: of f64' 8 "$(grep -c '"dtype": "f64"' out)"
equal 'lines of a batch: what differs is refused' 2 "$(grep -c '"T09".*say different element types' out)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shardings of other systems at the command line: `explain` with its pictures and its JSON, `redistribute` between
# notations, orders of devices, and refusals that name their reason.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

shows() { # NAME, the expected text on standard input, compared with the first lines of out
	cat >want
	head -n "$(grep -c '' want)" out >got
	if diff -u want got >diff; then ok "$1"; else not_ok "$1" 'the output differs'; sed 's/^/# /' diff; fi
}

## Pictures

sw 'explain {devices=[2,1,4]<=[4,2]T(1,0)}'
shows 'from a row of devices to tiles' <<'END'
read as an XLA sharding
dimension 0 in 2 parts over b
dimension 2 in 4 parts over a
8 devices, one copy of each tile
1 the devices in a row
     0 1 2 3 4 5 6 7
2 reshaped to [4,2]
     0 1
  0  0 1
  1  2 3
  2  4 5
  3  6 7
3 transposed by (1,0), rows become columns: now [2,4]
     0 1 2 3
  0  0 2 4 6
  1  1 3 5 7
4 dealt to the tiles [2,1,4]: dimension 0 down, dimension 2 across
     0 1 2 3
  0  0 2 4 6
  1  1 3 5 7
device and its tile
 0 [0, 0, 0]   2 [0, 0, 1]   4 [0, 0, 2]   6 [0, 0, 3]
 1 [1, 0, 0]   3 [1, 0, 1]   5 [1, 0, 2]   7 [1, 0, 3]
in all notations
END
sw 'explain {devices=[4]3,2,1,0}'
shows 'from a list to tiles' <<'END'
read as an XLA sharding with its devices listed
dimension 0 in 4 parts over a
4 devices, one copy of each tile
the devices are not in the order of a mesh: their order is kept as a list
1 the devices in a row, in the order of the list
     3 2 1 0
2 dealt to the tiles [4]: dimension 0 across
     0 1 2 3
     3 2 1 0
device and its tile
 0 [3]   1 [2]   2 [1]   3 [0]
END
sw 'mesh {x: 4, y: 2}; explain P(None, "x")'
shows 'from a mesh to tiles' <<'END'
read as a JAX PartitionSpec
dimension 1 in 4 parts over x
8 devices, 2 copies of each tile
1 the devices in a row
     0 1 2 3 4 5 6 7
2 in the rows of the mesh: x 4, y 2, the last across
     0 1
  0  0 1
  1  2 3
  2  4 5
  3  6 7
3 dealt to the tiles [1,4], 2 to each tile: dimension 1 across
       0   1   2   3
     0-1 2-3 4-5 6-7
END
sw 'explain {devices=[2,32,16]<=[2,8,4,16]T(0,2,1,3) last_tile_dim_replicate}'
columns=$(sed '/in all notations/,$d' out | LC_ALL=C.UTF-8 wc -L)
equal '1024 devices fit into 80 columns' 80 "$((columns > 80 ? columns : 80))"
equal 'and into a page or two' '' "$(sed '/in all notations/,$d' out | sed -n '90p')"
holds 'with a count of what is left out' 'and [0-9]* more devices' out
sw 'explain {devices=[1048576,2]<=[2097152] last_tile_dim_replicate}'
holds 'two million devices are shown in words' 'a table of 2097152 devices is too large' out

## Statements before and after it

sw 'explain {devices=[4]<=[4]}; explain T04 # the rule'
holds 'a statement may follow' '^T04: ' out
holds 'and come first' 'dimension 0 in 4 parts' out
"$SHARDWALK" explain 'mesh {x: 4, y: 2}' "P('x', None)" >out 2>err
holds 'a mesh on the command line runs before it' 'dimension 0 in 4 parts over x' out
"$SHARDWALK" explain '{x: 4, y: 2}' 'type A = [3{x}12, 12]' '[3{x}12, 12] ~> [12, 3{x}12]' >out 2>err
holds 'and the last word is the text' 'not the same: 8 devices' out

## Two

mesh='mesh {X: 2, Y: 2}'
sw "$mesh; explain A[I_XY, J] ~> A[I_YX, J]"
holds 'two orders are not the same' 'not the same: 2 devices hold other tiles' out
holds 'the devices that differ are marked' '\*1 \[1, 0\] \[2, 0\]' out
sw 'mesh {data: 1, fsdp: 4, expert: 1}; explain P(("data","fsdp","expert"),None) ~> P("fsdp",None)'
holds 'axes of size 1 are nothing' 'the same: every device holds the same tile' out
sw 'explain {devices=[4,1]<=[4]} ~> {devices=[2,1]<=[2]}'
holds 'other devices are refused' 'they are over 4 and over 2 devices' err
sw 'mesh {x: 4, y: 2}; explain S(0)[0]S(0)[1]-->RR'
holds 'a trace of DTensor has two ends' 'not the same: 8 devices' out

## Reasons, and JSON

sw 'shape f32[8,8]; explain {devices=[4,1]<=[2,2]T(1,0)}'
holds 'a type where the shape is known' 'paper  *f32\[2{a,b}8, 8\]' out
holds 'the reason where a notation cannot say it' 'paddle  *(not there: one axis at most cuts a dimension)' out
sw 'explain f32[8,8] {devices=[4,1]<=[2,2]T(1,0)}'
holds 'or comes first' 'paper  *f32\[2{a,b}8, 8\]' out
sw 'explain f32[8,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]<=[4]}'
holds 'also of two' 'the same: every device' out
sw 'explain {devices=[4]3,2,1,0}'
holds 'an order of devices is not lost' 'book  *(not there: its mesh has the devices in order)' out
"$SHARDWALK" --quiet --json explain '{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}' >out
holds 'JSON has the schema' '"schema": "shardwalk.explain/1"' out
holds 'and the parts' '"cuts": \[4, 1\]' out
holds 'and the copies' '"copies": 2' out
holds 'and the list' '"device_list": \[0, 4, 1, 5, 2, 6, 3, 7\]' out
holds 'and other notations' '"jax": {"text": "PartitionSpec(.b., None)", "mesh": "Mesh(.a.: 2, .b.: 4)"}' out
"$SHARDWALK" --quiet --json -c 'explain {devices=[2]<=[2]} ~> {replicated}' >out
holds 'two are one object' '"same": false, "devices_that_differ": 2, "first": {' out
sw 'explain --json {replicated}
explain {replicated} --json
explain T04'
equal 'the option may be at both ends' 2 "$(grep -c 'shardwalk.explain/1' out)"
holds 'and is over with its line' '^T04: ' out
"$SHARDWALK" --quiet --json explain 'replica_groups=[2,2]<=[2,2]T(1,0)' >out
holds 'groups are expanded' '"groups": \[\[0, 2\], \[1, 3\]\]' out
if command -v python3 >/dev/null; then
	for text in '{replicated}' '{maximal device=3}' '{{replicated}, {devices=[2,1]<=[2]}}' 'source_target_pairs={{0,1},{1,0}}' \
		'sdy.mesh @m = <["a"=2]>' '{manual}' '{devices=[2]1,0} ~> {devices=[2]0,1}' T04 alltoall; do
		"$SHARDWALK" --quiet --json explain "$text" | python3 -m json.tool >/dev/null
		equal "JSON of $text" 0 $?
	done
else
	skip 'JSON is JSON' 'no python3'
fi

## Meshes that are found

sw 'explain {devices=[2,2]<=[4]}'
holds 'a mesh is cut where tiles are' "jax  *PartitionSpec('a', 'b')" out
holds 'so that placements can say it' 'dtensor  *(Shard(dim=0), Shard(dim=1))' out
holds 'and Alpa' 'alpa  *S0S1' out
sw 'explain {devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}'
holds 'copies cut it too' 'hlo-named  *{mesh\[a=2,b=2\], \[{b}, {}\]' out
sw "mesh {x: 4, y: 2}; explain P(unreduced={'x'})"
holds 'sums of whole arrays are kept' 'hlo-named  *{mesh\[x=4,y=2\], \[\], unreduced={x}}' out

## Orders of devices

sw 'redistribute f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}; plan --json; verify; plan'
holds 'another order is one permute' '"permutes": 1' out
equal 'and nothing else' 1 "$(head -n 1 out | grep -o '"op"' | grep -c .)"
holds 'between these devices' '"device_pairs": \[\[0, 3\], \[1, 2\], \[2, 1\], \[3, 0\]\]' out
holds 'it is right' 'verified: all 128 elements' out
head -n 1 out >plan.json
sed 's/"to_devices": .3/"to_devices": [2/' plan.json >twice.json
sed 's/"to_devices": \[[^]]*\], //' plan.json >half.json
holds 'the picture names devices' '3→0 2→1 1→2 0→3' out
sw 'open plan.json; show plan; export plan -'
holds 'a file keeps the order' 'permute of step 1 brings them to devices 3 2 1 0' out
holds 'and its devices' '"to_devices": \[3, 2, 1, 0\]' out
holds 'and their pairs' '"device_pairs": \[\[0, 3\], \[1, 2\], \[2, 1\], \[3, 0\]\]' out
sw 'redistribute f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}; show traffic'
holds 'who sends to whom is shown by device' 'total 128 elements between devices; at most 32 by one' out
sw 'redistribute f32[16] {devices=[2,2]3,1,0,2 last_tile_dim_replicate} ~> {devices=[4]3,1,0,2}; show traffic; verify'
holds 'a slice needs nobody' 'nothing goes from device to device' out
sw 'redistribute f32[16,8] {devices=[4,1]3,1,0,2} ~> {devices=[1,4]3,1,0,2}; plan --json; verify'
holds 'one order at both ends is kept' '"devices": \[3, 1, 0, 2\], "to_devices": \[3, 1, 0, 2\]' out
holds 'and costs nothing more' '"permutes": 0' out
sw 'redistribute f32[8,8] {devices=[4,1]3,2,1,0} ~> {devices=[4,1]<=[4]}; show devices; plan; show devices; show mesh'
equal 'devices hold what is on them, before a plan and after' 2 "$(grep -c '^ *0  \[6:8, :\]  *\[0:2, :\] *$' out)"
holds 'the mesh shows the devices at its places' '│ 3  2  1  0 │' out
holds 'and those that it changes over to' '│ 0  1  2  3 │' out
sw 'redistribute f32[8,8] {devices=[4,1]3,2,1,0} ~> {devices=[4,1]<=[4]}; plan; show tiles'
holds 'tiles are on their devices, before and after' '┌3.*┌0' out
sw 'redistribute f32[8,8] {devices=[4,1]3,2,1,0} ~> {devices=[4,1]<=[4]}; show devices from; show devices to'
holds 'one end by itself' '^ *1  2  *\[4:6, :\]$' out
holds 'and the other' '^ *1  1  *\[2:4, :\]$' out
sw 'redistribute f32[8,8] {devices=[4,1]0,2,3,1} ~> {devices=[1,4]0,2,3,1}; plan; show devices; show tiles'
holds 'groups of a plan are of devices' '\[0 2 3 1\] 1 group of 4' out
holds 'a device that another place is on' '^ *1  3  *\[6:8, :\]  *\[:, 6:8\]' out
holds 'tiles in a row of another order' '┌0.*┬2.*┬3.*┬1' out
sw 'mesh sdy.mesh @mesh = <["x"=4], device_ids=[0,2,3,1]>; from f32[4{x}16, 8]; to f32[16, 2{x}8]; plan; verify; save kept.sw'
holds 'a mesh hands its order to types over it' '\[0 2 3 1\] 1 group of 4' out
holds 'whose plan is right' 'verified: all 128 elements' out
sw 'source kept.sw; plan --json'
holds 'and which is saved' '"devices": \[0, 2, 3, 1\], "to_devices": \[0, 2, 3, 1\]' out
sw 'redistribute f32[16,8,8] {devices=[1,4,1]<=[2,2]T(1,0)} ~> {devices=[2,1,2]3,2,1,0}; plan --json; verify; plan; show mesh; show traffic'
holds 'an alltoall takes its devices in another order' '"cost": 256, "lower_bound": 256, "optimal": true' out
holds 'its groups are shown by device' '"devices": \[3, 2, 1, 0\], "device_groups": \[\[3, 2, 1, 0\]\]' out
holds 'which is right' 'verified: all 1024 elements' out
holds 'and said' 'the alltoall of step 1 brings them to devices 3 2 1 0' out
holds 'the mesh shows both' 'after step 1:' out
head -n 1 out >turned.json
sw 'open turned.json; verify; show plan'
holds 'a file keeps it' 'the alltoall of step 1 brings them to devices 3 2 1 0' out
sed 's/"devices": .3, 2, 1, 0., "device_groups": .*/"devices": [3, 2, 0, 1]}]}/' turned.json >forged.json
sw 'open forged.json'
holds 'groups that do not go with an order are refused' 'P05.*not in the order of its pieces' err
sed 's/"devices": .3, 2, 1, 0., "device_groups": .*/"devices": [3, 2, 0, 1], "device_groups": [[3, 2, 0, 1]]}]}/' turned.json >forged.json
sw 'open forged.json'
holds 'an order that does not end well is refused' 'not on `to`: device 0 holds tile' err
echo '{"name": "flip", "mesh": {"x": 2, "y": 2}, "shape": [16, 8, 8], "to_mesh": {"x": 2, "y": 2}, "to_mesh_device_ids": [3, 2, 1, 0],
	"from": "[{}, {\"y\",\"x\"}, {}]", "to": "[{\"x\"}, {}, {\"y\"}]"}' | tr -d '\n\t' >flip.jsonl
"$SHARDWALK" batch flip.jsonl --json --strategy direct >out 2>err
holds 'direct is an exchange' '"cost": 256, .*"steps": \[{"op": "exchange"' out
equal 'and nothing else' 1 "$(grep -o '"op"' out | grep -c .)"
sw 'open twice.json'
holds 'a device that appears twice is refused' 'does not name each device once' err
sw 'open half.json'
holds 'one order without the other too' 'is given for only one end' err
"$SHARDWALK" -c 'redistribute f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}' >out 2>err
holds 'it is said' 'the same sharding in another order of devices: one permute' err
sw 'redistribute f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}; plan --without allpermute'
holds 'it cannot be forbidden' 'allpermute is forbidden' err
sw 'redistribute f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}; to [16, 8]; plan --json'
equal 'a new end takes the order away' '' "$(grep to_devices out)"
sw 'redistribute f32[8] {devices=[2,2]0,1,3,2 last_tile_dim_replicate} ~> {devices=[2,2]1,0,2,3 last_tile_dim_replicate}; plan --json'
holds 'an order among copies is none' '"steps": \[\]' out
sw 'redistribute f32[16] {mesh[x=4], device_ids=(3,1,2,0), replicated} ~> {mesh[x=4], replicated}; plan --json'
holds 'what is everywhere has no order' '"steps": \[\]' out

sw 'redistribute f32[16,16] {devices=[2,2]0,1,2,3} ~> {devices=[1,2,2]3,1,2,0 last_tile_dim_replicate}; plan --json'
cp out mixed.json
holds 'the permute is where tiles are smallest' '"steps": \[{"op": "allpermute"' mixed.json
if [ -x "$BUILD/shardwalk-exec" ] && command -v mpiexec >/dev/null; then
	for file in plan mixed; do
		timeout "$PATIENCE" mpiexec -n 4 "$BUILD/shardwalk-exec" --check-steps --reps 0 $file.json >out 2>err </dev/null
		holds "$file.json runs, devices hold what they should after every step" '"verified":true' out
	done
	timeout "$PATIENCE" mpiexec -n 4 "$BUILD/shardwalk-exec" --reps 0 --swap 3:0:1 mixed.json >out 2>err </dev/null
	holds 'a wrong element is found on the right device' 'tile on device 3 is wrong' err
else
	skip 'plans over other devices run' 'no shardwalk-exec, or no mpiexec'
fi

## Meshes with an order of their devices

ordered='mesh sdy.mesh @m = <["a"=3, "b"=2], device_ids=[0, 2, 4, 1, 3, 5]>'
sw "$ordered; explain #sdy.sharding<@m, [{\"a\"}]>"
holds 'explain keeps the order of a mesh' '^ 0 \[0\]   1 \[1\]   2 \[0\]   3 \[2\]   4 \[1\]   5 \[2\]$' out
sw "$ordered; redistribute f32[12] #sdy.sharding<@m, [{\"a\"}]> ~> #sdy.sharding<@m, [{\"b\"}]>; plan --json"
holds 'and so does a problem in one statement' '"devices": \[0, 2, 4, 1, 3, 5\], "to_devices": \[0, 2, 4, 1, 3, 5\]' out
sw "$ordered; redistribute f32[12] #sdy.sharding<@m, [{\"a\"}]> ~> {devices=[3,2]0,2,4,1,3,5 last_tile_dim_replicate}; plan --json"
holds 'also against a list of devices' '"steps": \[\]' out
sw "$ordered; save saved.sw; mesh {x: 4}; source saved.sw; explain #sdy.sharding<@m, [{\"a\"}]>"
holds 'a saved session has it' '^ 0 \[0\]   1 \[1\]   2 \[0\]' out
sw "$ordered; mesh {a: 3, b: 2}; explain P('a')"
holds 'another mesh forgets it' '^ 0 \[0\]   1 \[0\]   2 \[1\]' out

## What a sharding leaves open

sw "mesh {x: 4, y: 2}; shape f32[16,16,16]; explain P('x','y')"
holds 'dimensions that a text leaves out are whole' "paper  *f32\[4{x}16, 8{y}16, 16\]" out
sw "mesh {x: 4}; shape f32[16,16]; explain split=0"
holds 'none is assumed where the shape says them' '^4 devices, one copy of each tile$' out
equal 'and nothing is said of it' '' "$(grep assumed out)"
sw "mesh {x: 4, y: 2}; shape f32[16]; explain P('x','y')"
holds 'a shape of fewer dimensions is left out aloud' '^f32\[16\] has 1 dimension, this text says 2: the sizes are left out$' out
sw "mesh {x: 4, y: 2}; explain P(None, None)"
holds 'an array that is everywhere has a mesh' 'dtensor  *(Replicate(), Replicate())' out
holds 'and its devices a table' '^ 0 \[0, 0\]   2 \[0, 0\]' out
sw "explain P(None, None)"
holds 'placements need a mesh' 'dtensor  *(not there: the text names no mesh)' out
sw "mesh {x: 4, y: 2}; explain P(None, UNCONSTRAINED)"
holds 'an open dimension is the compilers' '^dimension 1 is open: the compiler may cut it$' out
equal 'and no whole array is promised' '' "$(grep '^every device holds' out)"
"$SHARDWALK" -c "mesh {x: 4, y: 2}; shape f32[16,16]; from P(None, UNCONSTRAINED)" >out 2>err
holds 'as an end it is whole, which is said' 'dimension 1 is open: the compiler may cut it, but here it is whole' err

## Subscripts that fell away

"$SHARDWALK" -c "mesh {X: 4, Y: 2}; shape f32[16,16]; A[IX, J] -> A[I, JX]; plan --json" >out 2>err
holds 'they are read' '"from": "\[4{X}16, 16\]", "to": "\[16, 4{X}16\]"' out
holds 'and said' 'IX is read as I_X: its subscript is not marked, and X is an axis of the mesh' err
"$SHARDWALK" --quiet -c "$(printf 'mesh {X: 4, Y: 2}; explain A[I\342\202\223, J]')" >out 2>err
holds 'subscripts of Unicode are read' '^dimension 0 in 4 parts over X$' out
sw "mesh {X: 4, Y: 2}; explain A[MAX, J]"
holds 'a name that ends with an axis is refused' "'MAX' ends with 'X', an axis of the mesh" err

## The place of an error

caret() { # NAME LINE: the line with the carets
	if [ "$(grep '\^' err | sed 's/^ *|//')" = "$2" ]; then ok "$1"; else not_ok "$1" "$(cat err)"; fi
}
sw 'shape f32[16,16]; {devices=[4]<=[4]} ~> {devices=[4,1]<=[4]}'
caret 'the first is wrong' '                    ^^^^^^^^^^^^^^^^^^'
sw 'shape f32[16,16]; {devices=[4,1]<=[4]} ~> {devices=[4]<=[4]}'
caret 'the second is wrong' '                                            ^^^^^^^^^^^^^^^^^^'
sw 'shape f32[16,16]; explain {devices=[4]<=[4]} ~> {devices=[4,1]<=[4]}'
caret 'the first, where two are explained' '                            ^^^^^^^^^^^^^^^^^^'
sw 'mesh {x: 8}; f32[16,16] {devices=[4,1]<=[4]} ~> {devices=[8,1]<=[8]}; verify'
holds 'devices that are a part of the mesh' '^verified: all 256 elements on 8 devices are right' out
echo '{"from": "{devices=[4]<=[4]}", "to": "{devices=[4,1]<=[4]}", "shape": [16, 16], "mesh": null}' >rank.jsonl
"$SHARDWALK" --quiet batch rank.jsonl >out 2>err
caret 'in a batch' '            ^^^^^^^^^^^^^^^^^^'
for from in axis=0 split=0 "P('p')"; do
	echo "{\"mesh\": {\"p\": \"?\"}, \"shape\": [8, 8], \"from\": \"$from\", \"to\": \"[8,8]\"}" >unknown.jsonl
	"$SHARDWALK" --quiet batch unknown.jsonl >out 2>err
	holds "an axis of unknown size, $from" "N03\]: the size of axis 'p' is unknown" err
done

## Texts of programs, as ends and in a batch

# Each text is explained, planned from and to [16,16], alone and in one statement, and read in a batch.
everywhere() { # NAME MESH TEXT TYPE: the type of the paper that it is
	sw "$2; shape f32[16,16]; explain $3"
	holds "$1: explained" "paper  *f32$(printf '%s' "$4" | sed 's/[][]/\\&/g')" out
	sw "$2; redistribute f32[16,16] $3 ~> [16, 16]; plan --json"
	holds "$1: as an end" "\"from\": \"$(printf '%s' "$4" | sed 's/[][]/\\&/g')\", \"to\": \"\[16, 16\]\"" out
	sw "$2; shape f32[16,16]; from [16, 16]; to $3; plan --json"
	holds "$1: as \`to\`" "\"to\": \"$(printf '%s' "$4" | sed 's/[][]/\\&/g')\"" out
	printf '{"mesh": "%s", "shape": [16, 16], "from": "%s", "to": "[16, 16]"}\n' "${2#mesh }" \
		"$(printf '%s' "$3" | sed 's/"/\\"/g')" >line.jsonl
	"$SHARDWALK" --quiet batch line.jsonl --json >out 2>err
	holds "$1: in a batch" "\"from\": \"$(printf '%s' "$4" | sed 's/[][]/\\&/g')\"" out
}
xy='mesh {x: 4, y: 2}'
everywhere 'a constraint of Shardy' "$xy" '%0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"x"}]> : tensor<16x16xf32>' '[16, 4{x}16]'
everywhere 'a reshard of Shardy' "$xy" 'sdy.reshard %0 <@mesh, [{"y"}, {}]> : tensor<16x16xf32>' '[8{y}16, 16]'
everywhere 'a NamedSharding of old' "$xy" "NamedSharding(mesh={'x': 4, 'y': 2}, partition_spec=PartitionSpec(('x', 'y'),))" '[2{y,x}16, 16]'
everywhere 'a type of JAX' "$xy" 'ShapedArray(float32[16@x,16])' '[4{x}16, 16]'
everywhere 'a spec of DTensor' "$xy" 'Spec((Shard(dim=0), Replicate()) on (16, 16))' '[4{x}16, 16]'
everywhere 'a spec of one axis' 'mesh {x: 4}' 'Spec(S(0) on (16, 16))' '[4{x}16, 16]'
everywhere 'a spec of today' "$xy" 'Spec(f32[16, 16](S(0)[1]S(0)[0]))' '[2{x,y}16, 16]'
everywhere 'placements of Paddle' "$xy" '[dist.Shard(0), dist.Replicate()]' '[4{x}16, 16]'
everywhere 'a layout of TensorFlow' "$xy" 'sharding_specs:x,unsharded, mesh:|x=4,y=2|*CPU' '[4{x}16, 16]'
everywhere 'a Layout of a program' "$xy" "Layout(['unsharded', 'y'], mesh)" '[16, 8{y}16]'
everywhere 'an SBP of OneFlow' "$xy" '(flow.sbp.split(0), flow.sbp.broadcast)' '[4{x}16, 16]'
everywhere 'an SBP in letters' "$xy" '[S(0), B]' '[4{x}16, 16]'
everywhere 'a spec of torch_xla' "$xy" "(('x', 'y'), None)" '[2{y,x}16, 16]'
everywhere 'its numbers' "$xy" '(0, None)' '[4{x}16, 16]'
everywhere 'a mesh_split' "$xy" 'mesh_split(x, mesh, [0, -1])' '[4{x}16, 16]'
everywhere 'Colossal-AI' "$xy" '[S0, R]' '[4{x}16, 16]'
everywhere 'Colossal-AI, two axes' "$xy" '[S01, R]' '[2{y,x}16, 16]'
everywhere 'a column-wise style' 'mesh {tp: 4}' 'ColwiseParallel()' '[4{tp}16, 16]'
everywhere 'a row-wise style' 'mesh {tp: 4}' 'RowwiseParallel(input_layouts=Shard(-1))' '[16, 4{tp}16]'
everywhere 'a ShardedTensor of Megatron' "$xy" 'ShardedTensor(key="w", dtype=torch.float32, local_shape=(4, 16), global_shape=(16, 16), global_offset=(4, 0), axis_fragmentations=(4, 1), replica_id=0)' '[4{x}16, 16]'
everywhere 'a pencil' 'mesh {x: 4}' 'Pencil(subcomm, (16, 16), 1)' '[4{x}16, 16]'
everywhere 'a pencil of a variable' 'mesh {x: 4}' 'Pencil(Subcomm(comm, [0, 1]), N, axis=1)' '[4{x}16, 16]'
sw 'explain [3,8]T(1,0)'
holds 'an order of devices is explained' 'read as an order of devices of XLA' out
holds 'with the tiles that it lacks' '{devices=\[24,1\]<=\[3,8\]T(1,0)}' out
sw 'f32[24,8] [24] -> [3,8]T(1,0)'
holds 'two orders are no problem' 'an order of 24 devices says nothing about tiles' err
holds 'the line to type is said' '`{devices=\[24,1\]<=\[3,8\]T(1,0)}` cuts' err
sw 'shard.grid @mesh(shape = 4x2); f32[16,16] #shard.sharding<@mesh, split_axes = [[0], [1]]> ~> [16, 16]; plan --json'
holds 'a grid of MLIR is a mesh' '"from": "\[4{m0}16, 8{m1}16\]"' out
sw "dist.ProcessMesh([[0, 1], [2, 3]], dim_names=['x', 'y']); f32[16,16] [dist.Shard(0), dist.Shard(1)] ~> [16, 16]; plan --json"
holds 'and so is one of Paddle' '"from": "\[8{x}16, 8{y}16\]"' out
sw 'f32[16,16] sharding_specs:x,unsharded, mesh:|x=4,y=2|... ~> sharding_specs:unsharded,x, mesh:|x=4,y=2|...; plan --json'
holds 'a layout brings its mesh' '"mesh": \[{"axis": "x", "size": 4}, {"axis": "y", "size": 2}\]' out

## No notation

for line in 'explain Word(x)' 'from Word(x)'; do
	sw "mesh {x: 4}; $line"
	holds "$line: it is in none" "is not in a known notation" err
	equal "$line: all are listed" "$("$SHARDWALK" help --man notations | grep -c '^\.It ')" "$(grep -c '^  [a-z_-]*  *[^ ]' err | head -n 1)"
done
for ends in '"from": "Hello World", "to": "[8]"' '"from": "P(\"x\")", "to": "Hello"' '"from": "Hello", "to": "World"'; do
	echo "{\"mesh\": \"{x: 4}\", \"shape\": [8], $ends}" | sed 's/P("x")/P(\x27x\x27)/' >unknown.jsonl
	"$SHARDWALK" --quiet batch unknown.jsonl --json >out 2>err
	holds "in a batch: $ends" '"code": "N08".*is not in a known notation.*"notations": \[{"name": "paper"' out
	holds 'and in words' 'explain N08. lists the notations' err
done
printf '{x: 4} by rows ~> [8]\n{x: 4} [8] ~> P("x")\n' >unknown.txt
"$SHARDWALK" --quiet batch unknown.txt >out 2>err
holds 'in a line of text' "error N08: 'by rows' is not in a known notation" out
holds 'which takes types only' 'error B03: a line of text takes only types as the paper writes them, but this is a JAX PartitionSpec' out
"$SHARDWALK" --quiet --json explain 'Word(x)' >out 2>err
equal 'the list is in the object' "$("$SHARDWALK" help --man notations | grep -c '^\.It ')" "$(grep -o '"example": ' out | grep -c .)"
equal 'and not beside it' 0 "$(grep -c 'notations that are read' err)"
sw 'mesh {x: 4}; by rows ~> by columns'
holds 'both words are the end' "'by rows' is not in a known notation" err
sw 'mesh {x: 4}; from f33[3{x}12]'
holds 'a bracket of numbers is a type' "there is no element type 'f33'" err

## Numbered axes

sw 'mesh {x: 4, y: 2}; redistribute f32[16,16] S01R ~> RS0; plan --json'
holds 'Alpa' '"from": "\[2{y,x}16, 16\]", "to": "\[16, 4{x}16\]"' out
sw 'mesh {x: 4, y: 2}; redistribute f32[16,16] dims_mapping=[1,-1] ~> #shard.sharding<@mesh, split_axes = [[], [0, 1]]>; plan --json'
holds 'Paddle and MLIR' '"from": "\[8{y}16, 16\]", "to": "\[16, 2{y,x}16\]"' out

## Refusals

refused() { # TEXT PATTERN
	sw "mesh {x: 4, y: 2}; redistribute f32[16,16] $1 ~> [16,16]; plan"
	holds "$1 is refused for its reason" "$2" err
}

refused "(Shard(0)) DeviceMesh('cpu', ())" 'size 0'
refused '{maximal device=0}' 'one device (maximal): this is a scatter.*this planner does not support'
holds 'with what it has to send' 'device 0 sends 1792 elements' err
refused '(Partial(avg), Shard(0))' "'avg' combines"
refused '{manual}' 'the layout is manual'
refused 'block-cyclic 36x36 on 4x4' 'block-cyclic'
refused '[MC,MR]' 'block-cyclic'
refused '{{replicated}, {replicated}}' 'a tuple of several'
sw 'mesh {x: 4, y: 2}; explain (_StridedShard(0, split_factor=3), Shard(0))'
holds 'a split factor that no axes make, of unknown sizes' 'split factor 3' err
holds 'is refused for its reason' 'pieces of dimension 0 that are not neighbours' err
sw 'mesh {x: 4, y: 2}; redistribute f32[16,16] (_StridedShard(0, split_factor=3), Shard(0)) ~> [16,16]; plan; verify'
holds 'with sizes it is what devices have' '^1 step, \|messages' out
sw 'mesh {dp: 2, tp: 4}; explain (_StridedShard(0, sf=2), Shard(0))'
holds 'what a split factor within an axis holds' 'dimension 0 in 8 parts over tp:(1)2, then dp, then tp:(2)2$' out
refused 'S7R' 'no axis number 7'
sw 'redistribute f32[16] {devices=[8]<=[8]} ~> {devices=[4]<=[4]}; plan'
holds 'two meshes are one exchange' '1 exchange' out
echo '{"name": "m", "mesh": {"src": "2x4"}, "to_mesh": {"dst": "2x4"}, "dtype": "f32", "shape": [8], "from": "R", "to": "S0"}' >two.jsonl
"$SHARDWALK" batch two.jsonl >out 2>err
holds 'a mesh without axes is none' "the mesh 'src' of 2x4 devices has no axes" err

sw 'mesh {x: 8}; shape f32[8,8]; from {devices=[1,1]0}'
holds 'one device is no replica on eight' 'over 1 device, the mesh has 8' err
sw 'mesh {x: 8}; shape f32[8,8]; from {devices=[1,1,4]<=[4] last_tile_dim_replicate}'
holds 'nor are four' 'over 4 devices, the mesh has 8' err
sw 'redistribute f32[8,8] {devices=[1,1]0} ~> {devices=[8,1]<=[8]}; verify'
holds 'from one device to eight' '^verified: all 64 elements on 8 devices are right' out
sw 'redistribute f32[8,8] {replicated} ~> {devices=[8,1]<=[8]}; plan'
holds 'a text that names no devices fits any' 'dynslice' out

cat >reasons <<'END'
enzyme-822-2 has 3 dimensions, the other 1
openpi-pr112 is on one device (maximal): this is a scatter
marin-cp2ep2 the sizes of the array are unknown
openpi-user-8b has 3 dimensions, the other 4
openpi-hsdp-24 says nothing about tiles
jax-26946 of size 17 does not split into 8
reactant-1122 no mesh has axes for both
reactant-825 of size 7 does not split into 4
dtensor-zero-size-1 of size 2 does not split into 4
dtensor-2d-2 the sizes of the array are unknown
dtensor-2d-4 the sizes of the array are unknown
dtensor-uneven-rs of size 10 does not split into 6
dtensor-169439 the mesh of this is unknown
dtensor-103306 of size 5 does not split into 4
heat-redistribute blocks of different sizes
costa-bench block-cyclic
alpa-case2 devices has no axes
alpa-case4 devices has no axes
alpa-case6 devices has no axes
alpa-case9 devices has no axes
scalapack-pdgemr2d block-cyclic
shardy-r2c-all_to_all_subaxis_and_full_axis_then_all_gather of size 8 does not split into 16
shardy-r2c-slice_on_one_src_dim_but_not_other of size 8 does not split into 16
shardy-r2c-cannot_slice_on_src_dim_axes_non_contiguous of size 10 does not split into 8
shardy-r2c-all_to_all_axes_at_src_and_tgt_out_of_order of size 16 does not split into 32
shardy-r2c-all_to_all_two_tgt_dims_src_out_of_order_2 of size 8 does not split into 32
shardy-r2c-replace_sub_axes_2 of size 8 does not split into 16
shardy-r2c-reshard_with_non_divisible_overlapping_diff_dim no mesh has axes for both
shardy-r2c-single_device_in_sharding is on one device
END
"$SHARDWALK" --quiet batch "$CASES/real.jsonl" --json >real 2>err
sed -n 's/^{"schema": "shardwalk.error\/1", "name": "\([^"]*\)".*"message": "\([^"]*\)".*/\1 \2/p' real >refusals
equal 'real problems: as many are refused' "$(grep -c . reasons)" "$(grep -c . refusals)"
while read -r id why; do
	if grep -q -F "$why" refusals && grep "^$id " refusals | grep -q -F "$why"; then ok "$id is refused for its reason"
	else not_ok "$id is refused for its reason" "$(grep "^$id " refusals)"; fi
done <reasons
grep -v '^{"schema": "shardwalk.error' real >planned
plans_right 'real problems: every plan is right' planned
refused 'a text with a semicolon is in quotes' N08 'in quotes' "$SHARDWALK" --quiet -c 'mesh {x: 3}
type T = REAL X(24); DISTRIBUTE X(CYCLIC(4)) ONTO P(3)'
finish

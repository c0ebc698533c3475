#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two meshes in lines of a batch: by keys, by shardings that say theirs, with any numbers of devices.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1

line() { # KEYS FROM TO
	printf '{"name": "it", %s, "shape": [16, 16], "from": "%s", "to": "%s"}\n' "$1" "$2" "$3" >line
	"$SHARDWALK" batch line --json >out 2>err
}
ends() { # NAME FROM TO
	equal "$1" "$2 to $3" "$(sed -n 's/.*"from": "\([^"]*\)", "to": "\([^"]*\)".*/\1 to \2/p' out)"
}

line '"src_mesh": {"x": 4}, "dst_mesh": {"y": 2}' "P('x')" "P('y')"
ends 'the second on the first devices' '[4{x}16, 16]' '[8{y}16, 16] over {y: 2} on 0-1'
says 'that is said, with both numbers' 'of 4 and of 2 devices, 2 of them in both: one exchange over all 4; the text does not number these 2 devices' err
cp out named
line '"mesh": {"x": 4}, "to_mesh": {"y": 2}' "P('x')" "P('y')"
sed -i 's/"seconds": [0-9.e-]*//' out named
same 'by the other two keys' named out
line '"src_mesh": {"x": 4}, "dst_mesh": {"y": 2}, "to_mesh_device_ids": [4, 5]' "P('x')" "P('y')"
ends 'on other devices' '[4{x}16, 16] over {x: 4} on 0-3' '[8{y}16, 16] over {rows: 3, y: 2} on 4-5'
says 'of which is assumed' 'of 4 and of 2 devices, 0 of them in both: one exchange over all 6; the text does not number these 4 devices' err
holds 'one exchange' '"steps": \[{"op": "exchange"'
line '"src_mesh": {"x": 2, "y": 2}, "dst_mesh": {"t": 4}, "to_mesh_device_ids": [20, 30, 11, 10]' '(Shard(0), Shard(1))' '(Shard(0),)'
says 'numbers with gaps' 'numbered here 0 to 7' err
holds 'in the order of the slots' 'on 4 only 12:16, : union .*on 6 only 0:4, : union'
line '"mesh": {"x": 4}, "mesh_device_ids": [0, 1, 2, 3], "to_mesh_device_ids": [4, 5, 6, 7]' "P('x')" "P('x')"
ends 'one mesh in two places' '[4{x}16, 16] over {x: 4} on 0-3' '[4{x}16, 16] over {rows: 2, x: 4} on 4-7'
line '"src_mesh": {"x": 4}, "mesh_device_ids": [7, 6, 5, 4], "dst_mesh": {"y": 4}, "to_mesh_device_ids": [4, 5, 6, 7]' "P('x')" "P('y')"
holds 'the same devices in two orders' '"op": "allpermute"'
line '"src_mesh": "{x: 4}", "dst_mesh": {"y": 2, "z": 2}' '[4{x}16, 16]' '[16, 8{z}16]'
holds 'types of the language over the same devices' '"steps": \[{"op": "all'
line '"dtype": "f32"' "NamedSharding(mesh=Mesh(device_ids=array([0, 1]), axis_names=('a',)), spec=P('a'))" \
	"NamedSharding(mesh=Mesh(device_ids=array([2, 3]), axis_names=('b',)), spec=P('b'))"
ends 'shardings that say their meshes' '[8{a}16, 16] over {a: 2} on 0-1' '[8{b}16, 16] over {rows: 2, b: 2} on 2-3'
status 'all are right' 0 "$SHARDWALK" batch line --answer relation

## Refused

for keys in '"src_mesh": {"x": 4}' '"dst_mesh": {"x": 4}' '"mesh": {"x": 4}, "src_mesh": {"x": 4}, "dst_mesh": {"x": 4}'; do
	line "$keys" "P('x')" "P('x')"
	holds "$keys" '"N05", "message": "give both ..src_mesh.. and ..dst_mesh.., without ..mesh.."'
	holds "$keys: which would do" 'hint": "..src_mesh.. and ..dst_mesh.., or ..mesh.. and ..to_mesh..'
done
line '"mesh": {"x": 4}, "from_mesh": {"x": 4}' "P('x')" "P('x')"
holds 'by another name' '"N05", "message": "two meshes: ..from_mesh.. is not a key for them".*"column": 34'
line '"src_mesh": {"x": 4}, "dst_mesh": {"y": 4}, "to_mesh_device_ids": [4, 5, 6, 6]' "P('x')" "P('y')"
holds 'a device twice' '"N04", .*"column": 82, "length": 12'
line '"src_mesh": {"x": 4}, "dst_mesh": {"y": 4}, "to_mesh_device_ids": [4, 5]' "P('x')" "P('y')"
holds 'too few devices' '"N04"'
line '"src_mesh": {"x": 4}, "dst_mesh": {"y": 4}, "to_mesh_device_ids": [-4, 5, 6, 7]' "P('x')" "P('y')"
holds 'no number' '"N04"'
line '"src_mesh": {"x": 4}, "dst_mesh": {"y": 2}' "P('x')" "P('y')"
"$SHARDWALK" batch line --advise jax >out 2>err
holds 'no waypoint leads there' 'error S02: the two ends are on different devices'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What JAX and PyTorch print (tests/printed) is imported: collectives as bytes, redistributions as rows, one sharding as a type.
. "$SRC/tests/lib.sh"

printed=$SRC/tests/printed

for file in "$printed"/jaxpr-* "$printed"/torch-*; do
	name=${file##*/}
	"$SHARDWALK" import "$file" --mesh '{x: 2, y: 4}' >"$TMP/out" 2>"$TMP/err"
	kind=trace
	case $name in jaxpr-*) kind=jaxpr ;; esac
	holds "$name" "read as a $kind: " "$TMP/err"
done

"$SHARDWALK" import "$printed/torch-2.15-debugmode-2d.txt" --mesh '{dp: 2, tp: 4}' >"$TMP/out" 2>"$TMP/err"
says 'redistributions are rows' 'S(0)S(1) -> S(0)R'
"$SHARDWALK" import "$printed/torch-2.15-commdebug.txt" >"$TMP/out" 2>"$TMP/err"
says 'sizes that nobody says' 'the total leaves out 5 collectives whose sizes the text does not give' "$TMP/err"
lacks 'are not 0 B' '0 B' "$TMP/out"
"$SHARDWALK" import "$printed/torch-2.15-commdebug.txt" --json >"$TMP/out" 2>"$TMP/err"
says 'nor 0 in JSON' '"bytes": null, "mean": null'
"$SHARDWALK" import "$printed/torch-2.15-debugmode-fsdp.txt" >"$TMP/out" 2>"$TMP/err"
holds 'a line of a trace is no line of a module' '^32.5 KiB of 48.8 KiB are 4 all-gathers, line 6\.$' "$TMP/out"

type() { # NAME TEXT TYPE
	"$SHARDWALK" import "$2" >"$TMP/out" 2>"$TMP/err"
	says "$1" "$3"
}
type ShapeDtypeStruct "ShapeDtypeStruct(shape=(16, 32), dtype=float32, sharding=NamedSharding(mesh=Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto)), spec=P('x', 'y'), memory_kind=device))" 'sets  f32[8{x}16, 8{y}32]'
type DTensorSpec "DTensorSpec(mesh=DeviceMesh((dp=2, tp=4), 'cpu', stride=(4, 1)), placements=(Shard(dim=0), Shard(dim=1)), tensor_meta=TensorMeta(shape=torch.Size([2, 4]), stride=(4, 1), dtype=torch.float32))" 'sets  f32[1{dp}2, 1{tp}4]'
type 'Spec with the sizes of its mesh' 'Spec(f32[16, 8](S0S1)[2, 4])' 'sets  f32[8{m0}16, 2{m1}8]'

"$SHARDWALK" explain N07 >"$TMP/out" 2>"$TMP/err"
holds 'explain names the forms' 'CommDebugMode'


## Placements that no type says

status 'a mask' 0 "$SHARDWALK" -c "mesh {dp: 2, tp: 4}; import $SRC/tests/printed/torch-2.15-debugmode-embedding.txt"
holds 'is no lack of placements' "not planned: devices hold values that '_MaskPartial' combines"
lacks 'counted as one' 'for a mesh of'
holds 'an upper bound has its own reason' '^the total is an upper bound: the text does not give the size of a group$' "$TMP/err"
for placed in 'S(0)MaskP(sum, torch.Size([64, 32]), 0)' '(S(0), MaskP(sum, torch.Size([64, 32]), 0))'; do
	refused "as $placed" N02 "_MaskPartial' combines" "$SHARDWALK" -c "mesh {dp: 2, tp: 4}; shape f32[8,16,32]; $placed ~> RR"
done
status 'explained' 0 "$SHARDWALK" -c "mesh {dp: 2, tp: 4}; explain MaskP(sum, torch.Size([64, 32]), 0)R"
finish

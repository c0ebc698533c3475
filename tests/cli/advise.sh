#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Advice: what is said of waypoints, for whom, in which form; what is refused; and lines of a batch.
. "$SRC/tests/lib.sh"
warned='mesh {x: 4, y: 2}; f32[8{y}16, 16, 4{x}16] ~> [16, 2{y,x}16, 16]'

refused() { # NAME CODE PATTERN COMMAND...
	name=$1 code=$2 pattern=$3
	shift 3
	"$@" >"$TMP/out" 2>"$TMP/err"
	if [ $? -ne 0 ] && grep -q "error\[$code\]" "$TMP/err" && grep -q -e "$pattern" "$TMP/err"; then ok "$name"
	else not_ok "$name" "$(head -c 400 "$TMP/err")"; fi
}

status 'advice' 0 "$SHARDWALK" -c "$warned; advise"
holds 'is for JAX' '^advice  for jax, 1 waypoint$'
holds 'acceptance-1: the waypoint' 'via \[8{y}16, 4{x}16, 16\]'
holds 'acceptance-1: the line to write' 'with_sharding_constraint(x, NamedSharding(mesh, P("y", "x", None)))'
holds 'the peak before and after' '^  peak  *4096 (16 KiB)  *512 (2 KiB)$'
holds 'the steps before and after' '^  steps  *1 dynslice, 2 allgather  *2 alltoall$'

status 'a mesh before the problem' 0 "$SHARDWALK" advise 'mesh {x: 4, y: 2}' 'f32[8{y}16, 16, 4{x}16] ~> [16, 2{y,x}16, 16]'
holds 'is that of the advice' 'NamedSharding(mesh, P("y", "x", None))'
holds 'the warning that is cured' 'Involuntary full rematerialization'
equal 'no line is wider than 80 columns but code' 0 \
	"$(grep -v 'x = ' "$TMP/out" | awk '{ gsub(/[\200-\277]/, "") } length > 80' | wc -l | tr -d ' ')"
LC_ALL=C "$SHARDWALK" -c "$warned; advise" >"$TMP/out" 2>/dev/null
lacks 'ASCII in the locale C' "$(printf '[\200-\377]')"

status 'advice as JSON' 0 "$SHARDWALK" -c "$warned; advise --json"
holds 'has its schema' '^{"schema": "shardwalk.advice/1", "for": "jax", "mesh": "{x: 4, y: 2}", "finer": false, '
holds 'has waypoints' '"via": \["f32\[8{y}16, 4{x}16, 16\]"\], "gains": true'
holds 'has both sides' '"now": {"cost": 6144, "height": 4096, .*"then": {"cost": 1024, "height": 512, '
holds 'has collectives' '"collectives": {"alltoall": 2}'
holds 'has the code' '"code": "x = jax.lax.with_sharding_constraint'
if command -v python3 >/dev/null; then
	cp "$TMP/out" "$TMP/advice.json"
	status 'is JSON' 0 python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$TMP/advice.json"
fi

status 'for DTensor' 0 "$SHARDWALK" -c "$warned; advise --for dtensor"
holds 'calls' '^x = x.redistribute(placements=\[Shard(1), Shard(0)\])$'
status 'for Shardy' 0 "$SHARDWALK" -c "$warned; advise --for shardy"
holds 'nothing can be gained' 'nothing can be gained'
lacks 'and no code is asked for' 'Write in your program'
status 'ends with the command' 0 "$SHARDWALK" -c 'mesh {x: 4}; advise [3{x}12, 12] ~> [12, 12]'
holds 'nothing better' 'nothing can be gained by annotations: no waypoints make'
status 'the steps themselves' 0 "$SHARDWALK" -c "$warned; advise --form shard_map"
holds 'under shard_map' 'jax.shard_map(on_device'
holds 'are those of the table' '^  steps  *1 dynslice, 2 allgather  *1 alltoall$'
holds 'are as many in the program' '^    # step 1, alltoall:'
lacks 'are no more in the program' '^    # step 2'
holds 'cost what the table says' '^#   plan    fused: 1 step, cost 512,'
holds 'as the program says' '^  cost .* 512 (2 KiB)$'
holds 'have no waypoints' '^advice  for jax, the steps themselves$'
status 'in JSON' 0 "$SHARDWALK" -c "$warned; advise --form shard_map --json"
holds 'too' '"written": true, .*"via": \[\], "gains": true.*"then": {"cost": 512, .*"hops": \[{[^]]*\]", [^]]*"steps": \["alltoall"\]}\]'
status 'where XLA does them by itself' 0 "$SHARDWALK" -c 'mesh {x: 4}; advise --form shard_map [3{x}12, 12] ~> [12, 12]'
holds 'that is said' 'nothing can be gained: the steps cost as much'
status 'a finer mesh' 0 "$SHARDWALK" -c 'mesh {x: 4, y: 6, z: 2}; advise [36{x}144, 144, 24{z}48] ~> [24{y}144, 144, 12{x}48]'
holds 'is said' 'need a finer mesh of the same devices'
holds "and made of the devices of the program's mesh" '^mesh2 = Mesh(mesh.devices.reshape(4, 2, 3, 2), ("x", "y0", "y1", "z"))$'
holds 'whose name stays its own' 'NamedSharding(mesh2, P(("x", "y1"), None, ("z", "y0")))'
holds 'of which all falls' '^Write in your program:$'
status 'waypoints of which nothing falls' 0 "$SHARDWALK" -c 'mesh {x: 4, y: 4}; advise [12150, 42{x}168, 18{y}72] ~> [12150, 168, 72]'
holds 'are no advice' '^  nothing can be gained: waypoints would reduce neither received bytes nor'
lacks 'and no code' '^x = '
status 'two meshes' 0 "$SHARDWALK" -c 'shape f32[6,6]; {devices=[2,3]<=[6]} ~> {devices=[3,2]<=[6]}; advise'
holds 'are said' 'no single mesh has axes for all types'
holds 'cure what XLA warns of' '^  steps  *1 dynslice, 2 allgather  *2 alltoall$'
holds 'the first is made' '^mesh = Mesh(np.array(jax.devices()).reshape(2, 3), ("a0", "a1"))$'
holds 'the second is made' '^mesh2 = Mesh(np.array(jax.devices()).reshape(3, 2), ("a0", "a1"))$'
holds 'of all devices, and the first line says how many' '^assert jax.device_count() == 6$'
holds 'the waypoint is on the first' 'NamedSharding(mesh, P(("a0", "a1"), None))'
holds 'the target is on the second' 'NamedSharding(mesh2, P("a0", "a1"))'

pasted='f32[16,16,16] {devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}'
status 'a mesh that was found' 0 "$SHARDWALK" advise "$pasted"
holds 'is made' '^mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("a", "b"))$'
equal 'of all devices, and the first line says how many' 'assert jax.device_count() == 8' \
	"$(sed -n '/^Write in your program/{n;n;p;}' "$TMP/out")"
status 'in JSON' 0 "$SHARDWALK" advise "$pasted" --json
holds 'too' '"code": "assert jax.device_count() == 8\\nmesh = Mesh('
status 'for Shardy' 0 "$SHARDWALK" advise --for shardy \
	'f32[64,64,64] {devices=[2,4,1]<=[8]} -> {devices=[1,2,4]<=[8]}'
holds 'says it as a comment' '^// the machine has 8 devices in all$'
status 'for DTensor' 0 "$SHARDWALK" advise "$pasted" --for dtensor
holds 'says it too' '^assert x.device_mesh.size() == 8$'
holds 'too, and the array is taken to it' '^mesh = DeviceMesh(x.device_mesh.device_type, torch.arange(8).reshape(4, 2), '
status 'a line of a log' 0 "$SHARDWALK" -c "import $pasted; advise"
holds 'makes its mesh' '^mesh = Mesh(np.array'
status 'axes that the user named' 0 "$SHARDWALK" -c "mesh {x: 4, y: 2}; redistribute $pasted; advise"
lacks 'are those of a mesh that is there' '^mesh = '
status 'a mesh that was found, and the same again' 0 "$SHARDWALK" -c "redistribute $pasted; redistribute $pasted; advise"
holds 'is still made' '^mesh = Mesh'
status 'devices in an order of their own' 0 "$SHARDWALK" \
	advise 'f32[16,16,16] {devices=[2,1,4]1,3,5,7,0,2,6,4} -> {devices=[1,8,1]1,0,3,2,5,6,7,4}'
holds 'are listed' '^mesh = Mesh(np.array(jax.devices())\[\[1, 3, 5, 7, 0, 2, 6, 4\]\].reshape(2, 4), '

status 'several dimensions' 0 "$SHARDWALK" -c 'mesh {a: 2, b: 2, c: 2}
	[8{a}16, 26, 36, 4{b}8, 40, 11{c}22] ~> [16, 26, 18{b}36, 8, 10{a,c}40, 22]; advise --json; advise --several --json'
equal 'cost no more than one at a time' '39536640 26357760' \
	"$(sed 's/.*"then": {"cost": \([0-9]*\).*/\1/' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"

# XLA pads each type by itself.
status 'an array that is padded' 0 "$SHARDWALK" -c "set uneven pad
	import f32[17,16] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}; advise"
holds 'has advice, as import says' 'nothing can be gained'
padded='set uneven pad; mesh {x: 4, y: 2}'
status 'padded, and XLA gathers all' 0 "$SHARDWALK" -c "$padded; advise f32[{y}17, 16, {x}16] ~> [17, {y,x}16, 16]"
holds 'has the waypoint' '^  steps  *1 dynslice, 2 allgather  *2 alltoall$'
status 'padded for the end only' 0 "$SHARDWALK" -c "$padded; advise f32[{y}16, 17, {x}16] ~> [16, {y,x}17, 16]"
lacks 'has no waypoint that XLA pads otherwise' 'via .*20\|via .*{x}24'
status 'padded to two sizes' 0 "$SHARDWALK" -c "$padded; advise [{x}17, 16] ~> [{y}17, {x}16]"
holds 'has advice, or why there is none' 'nothing'
refused 'padding of DTensor' S02 'only for JAX' "$SHARDWALK" -c "$padded; advise --for dtensor [{x}17, 16] ~> [17, {x}16]"
echo '{"name": "pad", "mesh": "{x: 4, y: 2}", "from": "[{y}17, 16, {x}16]", "to": "[17, {y,x}16, 16]"}' >"$TMP/pad"
status 'padded lines of a batch' 0 "$SHARDWALK" -c "set uneven pad; batch $TMP/pad --advise jax --json"
holds 'have real sizes' '"via": \["\[{y}17, {x}16, 16\]"\]'

refused 'no such system' L02 "did you mean 'dtensor'" "$SHARDWALK" -c "$warned; advise --for dtenser"
refused 'no such form' L02 "did you mean 'shard_map'" "$SHARDWALK" -c "$warned; advise --form shardmap"
refused 'a form that DTensor has not' L02 'no --form' "$SHARDWALK" -c "$warned; advise --for dtensor --form shard_map"
refused 'nothing defined' L07 'mesh' "$SHARDWALK" -c 'advise'
refused 'a budget below the ends' S01 'budget 512' "$SHARDWALK" -c "$warned; advise --budget 100"
status 'a bound that XLA leaves by itself' 0 "$SHARDWALK" -c "$warned; advise --for dtensor --budget 512"
holds 'is kept' '^  peak  *1024 (4 KiB)  *512 (2 KiB)$'
refused 'nothing left' S02 'XLA' "$SHARDWALK" -c "$warned; advise --without alltoall,allgather,allpermute"
refused 'devices in two orders' S02 'different orders' "$SHARDWALK" -c 'mesh {x: 2, y: 2}; shape f32[4,8]
	advise {devices=[2,2]0,2,1,3} ~> {devices=[1,4]0,3,1,2}'

cat >"$TMP/lines" <<'END'
{"name": "one", "mesh": "{x: 4, y: 2}", "from": "[8{y}16, 16, 4{x}16]", "to": "[16, 2{y,x}16, 16]", "note": "kept"}
{"name": "two", "mesh": "{x: 4, y: 6, z: 2}", "from": "[36{x}144, 144, 24{z}48]", "to": "[24{y}144, 144, 12{x}48]"}
{x: 4} [3{x}12, 12] ~> [12, 12] # three
nonsense
{"name": "five", "mesh": {"x": 4, "y": 2}, "shape": [16, 16, 16], "from": "{devices=[2,1,4]<=[4,2]T(1,0)}", "to": "{devices=[1,8,1]<=[8]}"}
END
status 'a batch with a bad line' 1 "$SHARDWALK" batch "$TMP/lines" --advise jax --json
equal 'answers every line' 5 "$(wc -l <"$TMP/out" | tr -d ' ')"
holds 'keeps the line' '^{"name": "one", "mesh": "{x: 4, y: 2}", .*"note": "kept", "via": \["\[8{y}16, 4{x}16, 16\]"\]}$'
holds 'speaks of the finer mesh' '"mesh": "{x: 4, y0: 2, y1: 3, z: 2}", "from": "\[36{x}144, 144, 24{z}48\]", "to": "\[24{y1,y0}144, 144, 12{x}48\]"'
holds 'has no waypoints where nothing can be gained' '"name": "three".*"via": \[\]'
holds 'tells of the bad line' '"schema": "shardwalk.error/1"'
holds 'says foreign lines as types' '"name": "five".*"from": "\[8{[a-z]}16, 16, 4{[a-z]}16\]"'
status 'as text' 1 "$SHARDWALK" batch "$TMP/lines" --advise jax
holds 'a row' '^one  *jax  *cost  *6144 to  *1024  height  *512  via \[8{y}16, 4{x}16, 16\]$'
holds 'nothing to gain' '^three .*nothing to gain$'
refused 'no such system in a batch' L02 "did you mean 'jax'" "$SHARDWALK" batch "$TMP/lines" --advise jxa

if command -v python3 >/dev/null; then
	status 'recorded problems' 0 "$SHARDWALK" batch "$CASES/xla-plans.jsonl" --advise jax --json
	cp "$TMP/out" "$TMP/recorded"
	status 'those that warn have waypoints, the others are as they were' 0 python3 - "$TMP/recorded" <<'END'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    assert isinstance(r["via"], list) and (r["via"] or not r["warns"]), r["name"]
END
else
	skip 'recorded problems' 'no python3'
fi
# Sums: where a system would sum all to all devices it is shown to end in pieces.
sums='[16, 12]+{x,y} ~> [8{x}16, 6{y}12]'
status 'sums for JAX' 0 "$SHARDWALK" advise 'mesh {x: 2, y: 2}' "$sums"
holds 'are asked of the product' 'give the product out_sharding'
holds 'or written under shard_map' 'lax.psum_scatter'
holds 'and cost less' '^  cost      384 .* 240 '
status 'sums for Shardy' 0 "$SHARDWALK" advise 'mesh {x: 2, y: 2}' '[16, 12]+{x} ~> [16, 12]' --for shardy
holds 'are as they were, where neither bytes nor peak nor time would fall' '^  nothing can be gained'
status 'sums for DTensor' 0 "$SHARDWALK" advise 'mesh {x: 4, y: 2}' '[32, 64]+{x} ~> [32, 16{x}64]' --for dtensor
holds 'end in Shard' 'Shard in place of'
holds 'and are Partial before' '^x = x.redistribute(placements=\[Partial(), Shard(0)\])$'
status 'steps with sums' 0 "$SHARDWALK" advise 'mesh {x: 2, y: 2}' "$sums" --form shard_map
holds 'are written by shard_map' 'lax.psum_scatter(a, '
finish

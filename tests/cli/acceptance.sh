#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ten things that people who reshard arrays need, from what they wrote in public: acceptance-1 to acceptance-10.
# Their problems are here; where the recorded ones are beside the project, they are tried as well.
. "$SRC/tests/lib.sh"
cases=$CASES
cd "$TMP" || exit

number() { # KEY FILE
	sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" "$2" | head -n 1
}

below() { # NAME NUMBER BOUND
	if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && a <= b) }'; then ok "$1"; else not_ok "$1" "$2 is above $3"; fi
}

## acceptance-1: the whole warning line, and nothing else

cat >warning <<'END'
E0531 12:00:00.000000  4211 spmd_partitioner.cc:569] [spmd] Involuntary full rematerialization. The compiler was not able to go from sharding {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]} without doing a full rematerialization of the tensor for HLO operation: %copy.1 = f32[8,16,4]{2,1,0} copy(f32[8,16,4]{2,1,0} %param.1), sharding={devices=[1,8,1]<=[8]}. You probably want to enrich the sharding annotations to prevent this from happening.
END
(printf 'import ' && cat warning && printf 'plan\nplan exact --model volume --json\nadvise --for jax\n') >script
status 'acceptance-1: a pasted warning is planned and advised on' 0 "$SHARDWALK" script
holds 'acceptance-1: the global shape is restored' '8{b}16, 16, 4{a}16' out
holds 'acceptance-1: what the compiler holds at its peak' '16 KiB' out
below 'acceptance-1: elements that arrive' "$(number model_cost out)" 640
below 'acceptance-1: elements at the peak' "$(number height out)" 512
sed -n '/^advice/,$p' out >advice
holds 'acceptance-1: a waypoint for JAX' 'with_sharding_constraint' advice
holds 'acceptance-1: the number of collectives' '2 alltoall' advice

## acceptance-2: tables of devices

table() { # TEXT TILES
	"$SHARDWALK" --quiet --json explain "$1" >out 2>err
	equal "acceptance-2: $1" "$2" "$(sed -n 's/.*"tile_of_device": \(\[\[.*\]\]\), *$/\1/p;s/.*"tile_of_device": \(\[\[[^a-z]*\]\]\), "notations.*/\1/p' out | tr -d ' ')"
}

table '{devices=[2,1,4]<=[4,2]T(1,0)}' '[[0,0,0],[1,0,0],[0,0,1],[1,0,1],[0,0,2],[1,0,2],[0,0,3],[1,0,3]]'
table '{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}' '[[0,0],[1,0],[2,0],[3,0],[0,0],[1,0],[2,0],[3,0]]'
table '{devices=[2,2]0,2,1,3}' '[[0,0],[1,0],[0,1],[1,1]]'
table '{devices=[4]3,2,1,0}' '[[3],[2],[1],[0]]'
table '{devices=[1,2,1,2]<=[4] last_tile_dim_replicate}' '[[0,0,0],[0,0,0],[0,1,0],[0,1,0]]'
table '#sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x":(1)2, "y"}, {"x":(2)2}]>' \
	'[[0,0],[1,0],[0,1],[1,1],[2,0],[3,0],[2,1],[3,1]]'
table "NamedSharding(mesh=Mesh('X': 2, 'Y': 2), spec=PartitionSpec(('Y', 'X'), None))" '[[0,0],[2,0],[1,0],[3,0]]'

cat >tables.py <<'END'
import json, subprocess, sys
wrong = []
def axes(mesh):
    return "mesh {" + ", ".join(f"{name}: {size}" for name, size in mesh.items()) + "}"
rows = [json.loads(line) for line in open(sys.argv[2])]
rows = [row for row in rows if "tile_of_device" in row]
for row in rows:
    text = row["text"]
    script = (axes(row["mesh"]) + "\n" if isinstance(row.get("mesh"), dict) else "") + "explain " + text + "\n"
    done = subprocess.run([sys.argv[1], "--quiet", "--json", "-c", script], capture_output=True, text=True)
    try:
        said = json.loads(done.stdout)
    except ValueError:
        wrong.append(text + ": " + done.stderr[:200])
        continue
    want = row["tile_of_device"]
    got = [tile + [0] * (len(want[0]) - len(tile)) for tile in said.get("tile_of_device", [])]
    if got != want or (row.get("devices") and said.get("device_list") != row["devices"]):
        wrong.append(f"{text}: {got}, not {want}")
print(f"not ok acceptance-2: recorded tables: {wrong[0]}" if wrong or len(rows) < 20 else "ok acceptance-2: recorded tables")
sys.exit(bool(wrong) or len(rows) < 20)
END
if command -v python3 >/dev/null; then
	python3 tables.py "$SHARDWALK" "$cases/notations.jsonl" || lib_failed=$((lib_failed + 1))
else
	skip 'acceptance-2: recorded tables' 'no python3'
fi

## acceptance-3: 256 devices

fourth='redistribute f32[2048,2048] {devices=[2,32,4]<=[2,8,4,4]T(0,2,1,3) last_tile_dim_replicate} ~> {devices=[1,256]<=[256]}'
sw "$fourth; plan --json; verify"
below 'acceptance-3: planned by looking at few layouts' "$(number seen out)" 1000
below 'acceptance-3: the peak is the tile of the source' "$(number height out)" 65536
holds 'acceptance-3: it is right' 'verified: all' out

## acceptance-4: a budget below the peak

sw 'mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; budget 5; plan'
holds 'acceptance-4: refused' 'S01' err
holds 'acceptance-4: with the number that would do' 'at least 6 elements' err

## acceptance-5: forbidden operations

pairs='mesh {x: 4, y: 4}; [32{x,y}512, 128] ~> [32{y,x}512, 128]'
sw "$pairs; plan --json; plan --without allpermute --json"
holds 'acceptance-5: one permute' '"permutes": 1' out
equal 'acceptance-5: without allpermute the price is another' 2 "$(sed -n 's/.*"cost": \([0-9]*\), "lower.*/\1/p' out | sort -u | grep -c .)"
sed -n 2p out >second
lacks 'acceptance-5: and there is no allpermute' '"op": "allpermute"' second
sw 'mesh {x: 2, y: 2}; [8, 4{x}8, 5{y}10] ~> [2{y,x}8, 8, 10]; plan --without alltoall'
holds 'acceptance-5: where no plan is left the smallest budget that allows one' 'budget [0-9]* is the smallest that allows a plan' err

## acceptance-6: the minor axis first: the same bytes, another order of blocks

"$SHARDWALK" plan 'mesh {x: 2, y: 2}' 'f64[8, 4{x}8, 5{y}10] ~> f64[2{x,y}8, 8, 10]' exact --json --maps >swapped.json
sed 's/"to": "[^"]*"/"to": "[2{y,x}8, 8, 10]"/' swapped.json >twin.json
status 'acceptance-6: the twin is refused' 1 "$SHARDWALK" -c 'open twin.json'
holds 'acceptance-6: device and tile are named' 'the tile at \[2, 0, 0\] on device 1' err
if [ -x "$BUILD/shardwalk-exec" ] && command -v mpiexec >/dev/null; then
	timeout "$PATIENCE" mpiexec -n 4 "$BUILD/shardwalk-exec" --reps 0 twin.json >out 2>err </dev/null
	holds 'acceptance-6: by the executor too' 'expected the tile at \[2, 0, 0\] on device 1, found the tile at \[4, 0, 0\]' err
	timeout "$PATIENCE" mpiexec -n 4 "$BUILD/shardwalk-exec" --reps 0 --swap 1:3:80 swapped.json >out 2>err </dev/null
	holds 'acceptance-6: and data in wrong places by its check' 'of the tile on device 1 is wrong' err
else
	skip 'acceptance-6: by the executor too' 'no shardwalk-exec, or no mpiexec'
fi

## acceptance-7: 17 rows over 8 devices

sw 'mesh {data: 8}; redistribute f32[17,16] P(None,None) ~> P("data",None)'
holds 'acceptance-7: an explicit statement' 'dimension 0 of size 17 does not split into 8 tiles' err
holds 'acceptance-7: that says what systems do' 'XLA pads (3,3,3,3,3,2,0,0)' err
sw 'mesh {data: 8}; set uneven pad; redistribute f32[17,16] P(None,None) ~> P("data",None); plan'
"$SHARDWALK" -c 'set uneven pad; mesh {data: 8}; [{data}17, 16] ~> [17, 16]; plan' >out 2>&1
holds 'acceptance-7: padded when asked, and said' 'padded from 17 to 24' out
sw 'explain 17 over 8'
holds 'acceptance-7: side by side' 'DTensor' out

## acceptance-8: 3x2x2 against 2x3x2

cat >meshes.jsonl <<'END'
{"name": "twelve", "mesh": {"p": 3, "q": 2, "r": 2}, "mesh_device_ids": [0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11], "to_mesh": {"x": 2, "y": 3, "z": 2}, "dtype": "i64", "shape": [12, 12, 12], "from": "#sdy.sharding<@mesh_1, [{\"r\"}, {\"q\"}, {\"p\"}]>", "to": "#sdy.sharding<@mesh, [{\"z\"}, {\"y\"}, {\"x\"}]>"}
{"name": "six", "mesh": null, "dtype": "f32", "shape": [4, 9], "from": "{devices=[2,3]<=[6]}", "to": "{devices=[3,2]<=[6]}"}
END
"$SHARDWALK" batch meshes.jsonl >out 2>err
holds 'acceptance-8: why no mesh fits' 'twelve: no mesh has axes for both: one cuts the devices at [0-9]*, the other at' err
holds 'acceptance-8: which groups have to be gathered' 'twelve: .*the smallest groups that hold whole tiles of both are of 6 devices' err
holds 'acceptance-8: also where sizes do not divide' 'N05.*no mesh has axes for both' err
holds 'acceptance-8: with the groups' 'gather groups of 6 devices first' err

## acceptance-9: more ranks than cores

if [ -x "$BUILD/shardwalk-exec" ] && command -v mpiexec >/dev/null; then
	run='mesh {x: 2, y: 4}; f32[64{x}128, 128] ~> f32[128, 32{y}128]; run --reps 1 --launches 1 --warmup 0'
	status 'acceptance-9: 8 ranks end' 0 timeout "$PATIENCE" "$SHARDWALK" -c "$run --json"
	holds 'acceptance-9: every element is right' '"verified":true' out
	if [ "$(nproc)" -lt 8 ]; then
		holds 'acceptance-9: ranks yield' '"yield":true' out
		timeout "$PATIENCE" "$SHARDWALK" -c "$run" >out 2>&1
		holds 'acceptance-9: it is said' '8 ranks on [0-9]* cores*, in turns' out
	else
		skip 'acceptance-9: ranks yield' 'there are 8 cores'
	fi
else
	skip 'acceptance-9: 8 ranks end' 'no shardwalk-exec, or no mpiexec'
fi

## acceptance-10: triangles, and meshes refined to primes

cat >few.jsonl <<'END'
{"id": "a", "mesh": {"x": 4, "y": 2}, "dtype": "f32", "shape": [16, 16, 16], "from": "PartitionSpec('y', None, 'x')", "to": "PartitionSpec(None, ('x', 'y'), None)"}
{"id": "b", "mesh": {"x": 4, "y": 2}, "dtype": "f32", "shape": [16, 16, 16], "from": "PartitionSpec(None, ('x', 'y'), None)", "to": "PartitionSpec('x', 'y', None)"}
{"id": "c", "mesh": {"m0": 2, "m1": 2}, "dtype": "f32", "shape": [8, 8], "from": "(Shard(0), Shard(0))", "to": "(Replicate(), Shard(0))"}
{"id": "d", "mesh": {"m0": 2, "m1": 2}, "dtype": "f32", "shape": [8, 8], "from": "(Shard(0), Shard(0))", "to": "(Shard(0), Replicate())"}
{"id": "e", "mesh": {"m0": 2, "m1": 2}, "dtype": "f32", "shape": [8, 8], "from": "(Shard(0), Shard(1))", "to": "(Shard(1), Shard(0))"}
{"id": "f", "mesh": {"X": 4, "Y": 6}, "dtype": "f32", "shape": [24, 24], "from": "PartitionSpec('X', 'Y')", "to": "PartitionSpec('Y', 'X')"}
{"id": "g", "mesh": {"X": 4, "Y": 6}, "dtype": "f32", "shape": [24, 24], "from": "PartitionSpec(('X', 'Y'), None)", "to": "PartitionSpec('Y', None)"}
END
cat few.jsonl "$cases/real.jsonl" >all.jsonl
cat >properties.py <<'END'
import itertools, json, re, subprocess, sys
shardwalk = sys.argv[1]

def plans(lines, *options):
    open("lines", "w").write("\n".join(lines) + "\n")
    done = subprocess.run([shardwalk, "--quiet", "batch", "lines", "--json", *options], capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]

def primes(n):
    found, p = [], 2
    while n > 1:
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return found or [1]

def refine(mesh, types):
    """Each axis in its primes, major first; parts become whole axes.  None where a part cuts through a prime order."""
    axes, names = [], {}
    for axis in mesh:
        made = [(f"{axis['axis']}_{i}", p) for i, p in enumerate(primes(axis["size"]))]
        names[axis["axis"]] = made
        axes += made
    def part(text):
        m = re.fullmatch(r"(.+):\((\d+)\)(\d+)", text)
        name, pre, size = (m[1], int(m[2]), int(m[3])) if m else (text, 1, 0)
        product, taken = 1, []
        for n, p in names[name.strip('"')]:
            if product >= pre and (size == 0 or product < pre * size):
                taken.append(n)
            product *= p
        check = 1
        for n in taken:
            check *= dict(axes)[n]
        if m and check != size:
            raise ValueError(text)
        return ",".join(reversed(taken))
    out = [re.sub(r"\{([^}]*)\}", lambda m: "{" + ",".join(part(a.strip()) for a in m[1].split(",")) + "}", t) for t in types]
    return "{" + ", ".join(f"{n}: {p}" for n, p in axes) + "}", out

def line(mesh, a, b):
    return f"{mesh} {a} ~> {b}"

base = [p for p in plans(open("all.jsonl").read().splitlines(), "--strategy", "exact") if "error" not in p and "devices" not in p]
faults = []

merged, fine = [], []
for p in base:
    if any(ch not in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" for a in p["mesh"] for ch in a["axis"]):
        continue
    try:
        mesh, (a, b) = refine(p["mesh"], [p["from"], p["to"]])
    except ValueError:
        continue
    merged.append(p)
    fine.append(line(mesh, a, b))
for p, q in zip(merged, plans(fine, "--strategy", "exact")):
    if "error" in q or (p["optimal"] and q["optimal"] and p["cost"] != q["cost"]):
        faults.append(f"{p['name']}: {p['cost']}, over primes {q.get('cost')}")
print(f"not ok acceptance-10: refined meshes: {faults[0]}" if faults or len(merged) < 6 else "ok acceptance-10: refined meshes")

groups = {}
for p in base:
    mesh = "{" + ", ".join(f"{a['axis']}: {a['size']}" for a in p["mesh"]) + "}"
    groups.setdefault((mesh, str(p["global"])), set()).update((p["from"], p["to"]))
asked, triples = {}, []
for (mesh, shape), types in groups.items():
    for a, b, c in itertools.islice(itertools.permutations(sorted(types), 3), 60):
        triples.append([line(mesh, a, c), line(mesh, a, b), line(mesh, b, c)])
        for text in triples[-1]:
            asked.setdefault(text)
for text, p in zip(list(asked), plans(list(asked), "--strategy", "exact", "--budget", "4096x")):
    asked[text] = p
for ac, ab, bc in triples:
    three = [asked[t] for t in (ac, ab, bc)]
    if any("error" in p for p in three):
        faults.append(ac + ": " + str(three))
    elif three[0]["optimal"] and three[0]["cost"] > three[1]["cost"] + three[2]["cost"]:
        faults.append(f"{ac}: {three[0]['cost']}, by way of another {three[1]['cost']} + {three[2]['cost']}")
print(f"not ok acceptance-10: triangles: {faults[-1]}" if faults or len(triples) < 20 else "ok acceptance-10: triangles")
sys.exit(bool(faults) or len(triples) < 20)
END
if command -v python3 >/dev/null; then
	python3 properties.py "$SHARDWALK" || lib_failed=$((lib_failed + 1))
else
	skip 'acceptance-10: triangles' 'no python3'
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The recorded warnings of XLA, one by one.  Alone: no answer takes some devices for all in silence.  With mesh and
# shardings typed as a person would: the lines of advice, compiled by JAX in the program that XLA warned of, cure it.
# SHARDWALK_PYTHON names an interpreter that has JAX; without it, or without ../shared/cases, the parts are skipped.
. "$SRC/tests/lib.sh"
shared=${SHARDWALK_SHARED:-$SRC/../shared}
python=${SHARDWALK_PYTHON:-python3}
if [ ! -f "$shared/cases/logs/xla-warnings.log" ] || ! command -v "$python" >/dev/null; then
	skip 'recorded warnings' 'no ../shared/cases, or no python3'
	finish
fi

cat >"$TMP/cured.py" <<'END_OF_PYTHON'
import json, math, os, re, subprocess, sys
program, shared, folder = sys.argv[1:4]

def run(script, *options):
    done = subprocess.run([program, *options, "-c", script], capture_output=True, text=True)
    return done.stdout, done.stderr

def spec(text):
    """[4{a,b}16, 27] as a person types it: P(('b', 'a'), None)"""
    parts = []
    for dimension in re.findall(r"(?:\d+\{[^}]*\})?\d+", text):
        axes = re.findall(r"\{([^}]*)\}", dimension)
        names = [repr(a.strip()) for a in axes[0].split(",")][::-1] if axes else []
        parts.append("None" if not names else names[0] if len(names) == 1 else "(" + ", ".join(names) + ")")
    return "P(" + ", ".join(parts) + ")"

def shape(text):
    return [int(d.split("}")[-1]) for d in re.findall(r"(?:\d+\{[^}]*\})?\d+", text)]

def devices(r):
    return math.prod(int(k) for k in re.findall(r": (\d+)", r["mesh"]))

# The log has a line for each problem, by the number of devices.
rows = sorted((r for r in map(json.loads, open(shared + "/cases/xla-plans.jsonl")) if r["warns"]), key=devices)
lines = [line for line in open(shared + "/cases/logs/xla-warnings.log") if "nvoluntary" in line]
silent, unknown, found = [], [], []
for number, (r, line) in enumerate(zip(rows, lines)):
    log = folder + "/one.log"
    open(log, "w").write(line)
    out, _ = run(f"import {log}; advise")
    code = out.partition("Write in your program:\n\n")[2]
    if "devices()[:" in out or "which may be one group of more" not in out or "P(...) ~> P(...)" not in out or (
            code and not code.startswith("assert jax.device_count() == ")):
        silent.append(number + 1)
    out, err = run(f"import {log}; mesh {r['mesh']}; {spec(r['from'])} ~> {spec(r['to'])}; advise --json")
    advice = [json.loads(l) for l in out.splitlines() if l.startswith('{"schema": "shardwalk.advice/1"')]
    if advice and advice[0]["group"]["is"] == "whole" and shape(advice[0]["from"][3:]) == shape(r["from"]):
        found.append({"row": r, "code": advice[0]["code"]})
    else:
        unknown.append(r["name"] + ": " + (err.splitlines() or ["?"])[-1])
json.dump(found, open(folder + "/found.json", "w"))
print(f"not ok {len(silent)} answers to warnings alone are silent, first line {silent[0]}" if silent else
      f"ok all {len(lines)} answers to warnings alone speak of a group")
print(f"not ok {len(unknown)} problems are not recognized, first {unknown[0]}" if unknown else
      f"ok all {len(rows)} problems are recognized as what their warnings are about")
sys.exit(bool(silent or unknown))
END_OF_PYTHON
"$python" "$TMP/cured.py" "$SHARDWALK" "$shared" "$TMP" || lib_failed=$((lib_failed + 1))

cat >"$TMP/compile.py" <<'END_OF_PYTHON'
import json, math, os, re, sys
folder, count = sys.argv[1], int(sys.argv[2])
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=%d" % count
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def axes(text):
    found = [re.findall(r"\{([^}]*)\}", d) for d in re.findall(r"(?:\d+\{[^}]*\})?\d+", text)]
    return P(*[tuple(a.strip() for a in f[0].split(","))[::-1] if f else None for f in found])

def warns(row, code):
    names = re.findall(r"(\w+): (\d+)", row["mesh"])
    mesh = Mesh(np.array(jax.devices()).reshape([int(k) for _, k in names]), [a for a, _ in names])
    sizes = [int(d.split("}")[-1]) for d in re.findall(r"(?:\d+\{[^}]*\})?\d+", row["from"])]
    def program(x):
        world = dict(jax=jax, np=np, Mesh=Mesh, NamedSharding=NamedSharding, P=P, mesh=mesh, x=x)
        exec(code, world)
        return world["x"]
    said = os.open(folder + "/said", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    kept = os.dup(2)
    os.dup2(said, 2)
    try:
        jax.jit(program, in_shardings=NamedSharding(mesh, axes(row["from"])), out_shardings=NamedSharding(mesh, axes(row["to"]))
            ).lower(jax.ShapeDtypeStruct(sizes, jnp.float32)).compile()
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(said)
    return "nvoluntary" in open(folder + "/said").read()

for found in json.load(open(folder + "/found.json")):
    row = found["row"]
    if math.prod(int(k) for k in re.findall(r": (\d+)", row["mesh"])) != count:
        continue
    try: print(row["name"], "warns" if warns(row, found["code"]) else "cured", flush=True)
    except Exception as error: print(row["name"], type(error).__name__, str(error).splitlines()[0], flush=True)
END_OF_PYTHON
if ! "$python" -c 'import jax' 2>/dev/null; then
	skip 'what JAX compiles' "no JAX in $python"
	finish
fi
counts=$("$python" -c 'import json, math, re, sys
print(*sorted({math.prod(int(k) for k in re.findall(r": (\d+)", f["row"]["mesh"])) for f in json.load(open(sys.argv[1]))}))' "$TMP/found.json")
for count in $counts; do
	"$python" "$TMP/compile.py" "$TMP" "$count" 2>>"$TMP/trouble"
done >"$TMP/results"
grep -v ' cured$' "$TMP/results" | head -n 5 | sed 's/^/# /'
equal 'recorded warnings that the advice cures' "$(grep -c . "$TMP/results") of 122" "$(grep -c ' cured$' "$TMP/results") of 122"
equal 'and all of them were compiled' 122 "$(grep -c . "$TMP/results")"
finish

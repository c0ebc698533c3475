#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Problems between types with sums whose costs are known, planned by batch; what plans and refusals say of sums.
. "$SRC/tests/lib.sh"
cases=$CASES/programs-redistribute.jsonl
[ -r "$cases" ] || cases=$SRC/tests/cases/programs-redistribute.jsonl

small='mesh {x: 2, y: 2}'
status 'idle devices are borrowed' 0 "$SHARDWALK" -c "$small; [16, 12]+{x} ~> [16, 12]; plan"
holds 'at this price' 'cost 288 elements'
holds 'which is proved' 'optimal: proved'
holds 'and it is said whom' 'borrows the devices along y, which hold copies at both ends'
status 'nobody is borrowed where all work' 0 "$SHARDWALK" -c "$small; [16, 12]+{x,y} ~> [16, 12]; plan"
lacks 'and nothing is said' 'borrows'
status 'scatter, sum and transposition are one step' 0 \
	"$SHARDWALK" -c "$small; [8{x}16, 12]+{y} ~> [16, 3{x,y}12]; plan --json"
holds 'of this cost' '"cost": 96, "lower_bound": 96, "optimal": true'
status 'two of one dimension each' 0 \
	"$SHARDWALK" -c "$small; [8{x}16, 12]+{y} ~> [16, 3{x,y}12]; plan exact --json"
holds 'cost so much' '"cost": 144, "lower_bound": 144, "optimal": true'
refused 'no plan without zeros and pads, which are named' S02 'a plan with zeros or pad, forbidden here' \
	"$SHARDWALK" -c "$small; set without zeros,pad; [16] ~> [16]+{y}; plan"
status 'compare has sum-first' 0 "$SHARDWALK" -c "$small; [8{x}16, 12]+{y} ~> [16, 3{x,y}12]; compare"
holds 'with its cost' '^sum-first *240 '
status 'between whole values there is no such row' 0 "$SHARDWALK" -c "$small; [8{x}16, 12] ~> [16, 6{x}12]; compare"
lacks 'at all' 'sum-first'

# What one exchange adds takes as long as one reducescatter to the same tiles, and not what moving a tile takes.
seconds_of() { # STRATEGY
	"$SHARDWALK" plan 'mesh {x: 8}' 'f32[8, 131072]+{x} ~> f32[{x}8, 131072]' "$1" --model latency --json | grep -o '"model_cost": [0-9.e-]*'
}
equal 'an exchange that adds is timed with its terms' "$(seconds_of fused)" "$(seconds_of direct)"

status 'a walk has nodes with terms' 0 "$SHARDWALK" -c "$small; [8{x}16, 12]+{y} ~> [16, 3{x,y}12]; finish; edges [8,12]+2"
holds 'which are named' '^search: node 1 \[8, 12\]+2: size 96'
holds 'and left by sums' '^reducescatter(0, 2)  *\[4, 12\]'
refused 'terms that no node has' S06 '7 terms' "$SHARDWALK" -c "$small; [8{x}16, 12]+{y} ~> [8{x}16, 12]; step; edges [8,12]+7"

if ! command -v python3 >/dev/null; then
	skip 'problems with known costs' 'no python3'
	finish
fi
for how in fused exact sum-first; do
	status "batch by $how" 0 "$SHARDWALK" batch "$cases" --strategy $how --json
	cp "$TMP/out" "$TMP/$how"
done
status 'batch by volume' 0 "$SHARDWALK" batch "$cases" --model volume --json
cp "$TMP/out" "$TMP/volume"
"$SHARDWALK" batch "$cases" --without zeros,pad --json >"$TMP/without" 2>/dev/null

cat >"$TMP/compare.py" <<'END'
import json, math, sys
cases = [json.loads(line) for line in open(sys.argv[1])]
ways = ("fused", "exact", "volume", "without", "sum-first")
plans = {way: {p["name"]: p for p in map(json.loads, open(sys.argv[2] + "/" + way))} for way in ways}
faults = {}
for case in cases:
    name = case["name"]
    fused, exact, volume, without, first = (plans[way].get(name, {}) for way in ways)
    checks = {
        "fused cost": fused.get("cost") == case["fused_cost"] and fused["optimal"] is True,
        "exact cost": exact.get("cost") == case["exact_cost"] and exact["optimal"] is True,
        "volume": math.isclose(volume.get("model_cost", -1), case["fused_volume_cost"], rel_tol=1e-9),
        "cost without zeros and pads": without.get("cost") == case["without_zeros_pad_cost"],
        "height": max(fused.get("height", 0), exact.get("height", 0)) <= case["height_bound"],
        "sum-first costs no less": first.get("cost", -1) >= fused.get("cost", 0) or first["height"] > case["height_bound"],
        "normal form": fused.get("normal_form") is True,
    }
    for what, right in checks.items():
        faults.setdefault(what, [])
        if not right:
            faults[what].append(name)
for what, bad in faults.items():
    print(f"not ok {what}: {len(bad)} problems, first {bad[0]}" if bad else f"ok {what}")
sys.exit(any(faults.values()))
END
python3 "$TMP/compare.py" "$cases" "$TMP" || lib_failed=$((lib_failed + 1))
## what an exchange receives

"$SHARDWALK" --json -c 'mesh {x: 2, y: 2}; [16, 12]+{x} ~> [16, 12]; plan direct --model volume' >"$TMP/out" 2>"$TMP/err"
grep -q '"model_cost": 192' "$TMP/out" && ok 'an exchange receives the other terms' || not_ok 'an exchange receives the other terms' "$(head -c 300 "$TMP/out")"
"$SHARDWALK" --json -c 'mesh {x: 4, y: 2}; [16, 12]+{x} ~> [4{x}16, 12]; plan direct --model volume' >"$TMP/out" 2>"$TMP/err"
grep -q '"model_cost": 144' "$TMP/out" && ok 'of its own piece alone' || not_ok 'of its own piece alone' "$(head -c 300 "$TMP/out")"

## axes of size 1 cut nothing and sum nothing; what was typed is printed so

single='mesh {d: 4, e: 2, z: 1}; [{d}4, {e}2]+{z} ~> [4, {z}2]'
"$SHARDWALK" -c "$single; compare" >"$TMP/out" 2>"$TMP/err"
grep -q '^paper  *10 ' "$TMP/out" && grep -q '^  = exact, xla' "$TMP/out" && ok 'an axis of size 1 is left out' ||
	not_ok 'an axis of size 1 is left out' "$(head -c 300 "$TMP/out" "$TMP/err")"
"$SHARDWALK" --json -c "$single; plan exact" >"$TMP/out" 2>"$TMP/err"
grep -qF '"from": "[1{d}4, 1{e}2]+{z}"' "$TMP/out" && grep -qF '"type": "[4, 2{z}2]"' "$TMP/out" && ok 'and printed as it was typed' ||
	not_ok 'and printed as it was typed' "$(head -c 600 "$TMP/out")"
"$SHARDWALK" -c 'mesh {x: 2, y: 2}; f32[2305843009213693952{x}4611686018427387904]+{y} ~> f32[2305843009213693952{y}4611686018427387904]; pareto' >"$TMP/out" 2>"$TMP/err"
grep -q '1 plan that no other plan beats' "$TMP/out" && ok 'costs beyond 2^63 are never paid' || not_ok 'costs beyond 2^63 are never paid' "$(head -c 300 "$TMP/out")"

finish

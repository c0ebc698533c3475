#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Problems whose costs are known, planned by batch, every plan checked.
. "$SRC/tests/lib.sh"
cases=$CASES/paper-like.jsonl
if ! command -v python3 >/dev/null; then
	skip 'problems with known costs' 'no python3'
	finish
fi

for strategy in fused exact paper; do
	status "batch by $strategy" 0 "$SHARDWALK" batch "$cases" --strategy $strategy --json --maps
	cp "$TMP/out" "$TMP/$strategy"
	plans_right "every plan of $strategy is right" "$TMP/$strategy"
	head -n 3 "$TMP/err" | sed 's/^/# /'
done

cat >"$TMP/compare.py" <<'END'
import json, math, sys
cases = [json.loads(line) for line in open(sys.argv[1])]
plans = {s: [json.loads(line) for line in open(sys.argv[2] + "/" + s)] for s in ("fused", "exact", "paper")}
faults = {}

def localsize(text):
    return math.prod(int(dimension.split("{")[0]) for dimension in text[1:-1].split(", "))

def fault(what, name):
    faults.setdefault(what, []).append(name)
for i, case in enumerate(cases):
    name = case["name"]
    fused, exact, paper = (plans[s][i] for s in ("fused", "exact", "paper"))
    devices = math.prod(a["size"] for a in fused["mesh"])
    checks = {
        "names": all(p["name"] == name for p in (fused, exact, paper)),
        "weak cost": all(p["weak_cost"] == case["weak_cost"] for p in (fused, exact, paper)),
        "height": all(p["height"] <= case["height_bound"] for p in (fused, exact, paper)),
        "order": fused["cost"] <= exact["cost"] <= paper["cost"],
        "paper within optimum over local types and one permutation": paper["permutes"] <= 1
            and paper["cost"] <= case["weak_cost"] + localsize(paper["to"]),
    }
    for s, plan in (("fused", fused), ("exact", exact)):
        cost, known = plan["cost"], case[s + "_cost"]
        checks[s + " cost"] = cost == known if devices != 12 else cost <= known
        checks[s + " proved"] = devices == 12 or plan["optimal"] is True
    for what, right in checks.items():
        if not right:
            fault(what, name)
for what in ("names", "weak cost", "height", "order", "paper within optimum over local types and one permutation", "fused cost", "exact cost",
             "fused proved", "exact proved"):
    bad = faults.get(what, [])
    print(f"not ok {what}: {len(bad)} problems, first {bad[0]}" if bad else f"ok {what}")
sys.exit(bool(faults))
END
python3 "$TMP/compare.py" "$cases" "$TMP" || lib_failed=$((lib_failed + 1))
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Formulas and their tasks as lines of a batch, against recorded ones.
. "$SRC/tests/lib.sh"

types='mesh {x: 6}
type x = [4{x}24]
type y = x'

sw "$types
compute y[i] = 2*x[i] - x[i-1] - x[i+1]"
says 'what a device lacks' 'x is not local: device 0 lacks 4'
holds 'messages of one size' '10.messages of 1'
says 'the pattern' 'pattern halo, offsets -1 and +1'
holds 'alpha, beta, gamma, interior, boundary' '^2  *8-11 *7-12 *8-11 *9-10 *8 11'

sw "$types
y[i] = -x[i]"
says 'a word less, and a word that begins with a dash' 'local and tight'
sw "$types
compute y[i] = f(x[i]) --json"
says 'an option behind it' '"schema": "shardwalk.compute/1"'
sw "$types
kernel smooth: y[i] = f(x[i-1], x[i])
tasks 15 --every 3 --json"
says 'a kernel has a name' '"kernel": "smooth: y[i] = f(x[i-1], x[i])"'
says 'tasks of rounds' '"rounds": 5'

sw "$types
compute y[i] = f(x[i-1], x[i])
type z = beta
show sets z
enter x
show sets to
leave
show needs --device 1"
says 'beta is a type' '3-7'
holds 'and the end of what is entered' 'array x, from alpha to beta'
says 'what it lacks' '1  3          0  0'

sw 'mesh {x: 4}
type x = [3{x}12]
type y = x
type A = [12, 3{x}12]
compute y[i] = A[i,j]*x[j] on A
ways --limit 1'
says 'x is there already' 'x is local and tight'
says 'terms are made' 'y is made as [12]+{x}'
holds 'and scattered' '36.elements (144 B), .*pattern reducescatter'
holds 'a product has ways' '1 .*\[12\]+{x}'

sw "$types
compute y[i] = 2*x[i] - x[i-1] - x[i+1]
program
verify"
holds 'it is a program of one statement' 'y  *compute y.i. = 2.x.i. - x.i-1.'
holds 'what moves is listed' '4{x.24. ~> .4{x.24. union'
says 'and it is carried out' 'verified: 3 values on 6 virtual devices, bit for bit'
sw "$types
compute y[i] = 2*x[i] - x[i-1] - x[i+1]
program --json"
says 'its text has the statement' 'y = compute \"y[i] = 2*x[i] - x[i-1] - x[i+1]\" as [4{x}24]'
sw "$types
compute y[i] = x[i-1] + x[i+1]
tasks 6 --every 3
program --json
simulate"
says 'tasks are a loop' 'every 3 as [4{x}24]\n  repeat 2'
says 'which is carried out' 'bit for bit'
sw "$types
compute y[i] = x[i-1] + x[i+1]
tasks 7 --every 3
tasks 6 --every 3
save $TMP/kept"
for command in program run simulate verify 'enter 2'; do
	refused "$command finds no program of earlier tasks" F17 'the formula has no program: several steps in a row' "$SHARDWALK" --quiet -c "$types
compute y[i] += x[i-1]
tasks 6
tasks 6 --every 3
$command"
done
sw "open $TMP/kept
program --json"
says 'sessions keep it' 'every 3 as [4{x}24]\n  repeat 2'
printf '%s\n' '0 1 2' 1 '0 2' >"$TMP/neighbours"
sw "mesh {x: 3}
type x = [{x}3]
type y = x
compute y[i] = f(x[graph $TMP/neighbours])
enter x
plan
verify"
says 'what a graph needs is listed device by device' 'at {0: 0-2; 1: 1; 2: 0+2*2}'
says 'and can be moved' 'verified: all 6 elements on 3 devices are right'
sw "$types
compute y[i] = x[i-1] + x[i+1]
enter 1
plan
leave
save $TMP/kept"
sw "open $TMP/kept
show needs --device 1"
says 'and what was chosen' '1  3'
sw 'mesh {x: 4}
type x = [3{x}12]
type y = x
type A = [3{x}12, 12]
compute y[i] = A[i,j]*x[j]
export jax - program'
says 'a product has the exports of einsum' 'einsum'
sw 'mesh {x: 4}
einsum ij,jk->ik [12, 3{x}12], [3{x}12, 8] as [12, 8] --json'
says 'a product is a formula' '"formula": "C[i, k] = A[i, j]*B[j, k]"'
refused 'a formula that is none is not exported' T17 'tile type' "$SHARDWALK" --quiet -c "$types
compute y[i] = x[i-1]
export jax - program"

sw 'mesh {x: 4}
type x = [3{x}12] on 0-1
type y = [3{x}12]
compute y[i] = x[i-1]'
says 'what nobody holds is said' 'needs what no device holds: 6'
"$SHARDWALK" -c "$types
compute y[i] = x[i-1]
enter 1" >"$TMP/out" 2>&1
holds 'what works on a move between types of any kind' '.plan. and .show relation. work on it'
refused 'a formula of a program without a type' F02 'as TYPE' "$SHARDWALK" --quiet -c 'program mesh {x: 4} fn main(x: [3{x}12]) -> [3{x}12] { y = compute "y[i] = x[i-1]" return y }'
refused 'a device that the mesh has not' L12 'out of range' "$SHARDWALK" --quiet -c "$types
compute y[i] = x[i-1]
show needs --device 6"
refused 'nor of sets' L12 'out of range' "$SHARDWALK" --quiet -c "$types
show sets x --device 6"
refused 'nor of a relation' L12 'out of range' "$SHARDWALK" --quiet -c "$types
[4{x}24] ~> [24]
show relation --device 6"
refused 'an array without a type' F02 "'z' has no type" "$SHARDWALK" --quiet -c "$types
compute y[i] = z[i]"
refused 'no formula yet' L07 'no formula yet' "$SHARDWALK" --quiet -c 'tasks 3'
refused 'no formula to draw' L07 'no formula yet' "$SHARDWALK" --quiet -c 'show needs'
refused 'no array of it' L08 'no such array' "$SHARDWALK" --quiet -c "$types
compute y[i] = x[i]
enter z"
refused 'a letter alone on the right' F09 'j' "$SHARDWALK" --quiet -c "$types
compute y[i] = x[j-1]"

if ! command -v python3 >/dev/null; then
	skip 'recorded formulas' 'no python3'
	finish
fi

for kind in kernels graphs; do
	status "batch of $kind" 0 "$SHARDWALK" batch "$CASES/imp-$kind.jsonl" --json
	cp "$TMP/out" "$TMP/$kind"
	status "batch of $kind, in words" 0 "$SHARDWALK" batch "$CASES/imp-$kind.jsonl"
	equal "a line each of $kind" "$(wc -l <"$CASES/imp-$kind.jsonl")" "$(wc -l <"$TMP/out")"
done

cat >"$TMP/compare.py" <<'END'
import json, sys
from itertools import product

def indices(families):
    return {first + k * step + i for first, run, step, count in families for k in range(count) for i in range(run)}

def region(products):
    return None if products is None else {point for p in products for point in product(*map(indices, p))}

def messages(lines):
    return sorted((s, r, n, sorted(region(what))) for s, r, n, what in lines)

ALIKE = {"beta": lambda v: [region(r) for r in v], "boundary": lambda v: [region(r) for r in v], "messages": messages}
UNIQUE = ("messages", "max_out", "pieces", "pattern", "groups", "roots", "pairs", "offsets", "by")
KEYS = ("beta", "local", "interior", "boundary", "T", "F", "volume", "bytes", "kept", "max_in", "unique_sender", "tasks", "edges", "rounds", "elements",
        "recomputed", "all_depend_on_all_after", "steps", "every")

def compare(kind, case, found):
    unique = kind == "graphs" or case["unique_sender"]
    keys = [k for k in case if k in KEYS or (unique and k in UNIQUE)]
    if kind == "graphs":
        ALIKE.pop("messages", None)
    return [k for k in keys if ALIKE.get(k, lambda v: v)(case[k]) != ALIKE.get(k, lambda v: v)(found.get(k, "missing"))] + [
        k for k in UNIQUE if unique and k in found and k not in case and kind == "kernels"]

bad = []
for kind, least in (("kernels", 10), ("graphs", 6)):
    cases = [json.loads(line) for line in open(f"{sys.argv[1]}/imp-{kind}.jsonl")]
    answers = [json.loads(line) for line in open(f"{sys.argv[2]}/{kind}")]
    wrong = [(c["name"], compare(kind, c, a)) for c, a in zip(cases, answers) if compare(kind, c, a) or c["name"] != a["name"]]
    right = len(cases) == len(answers) >= least and not wrong
    schema = {"kernels": "shardwalk.compute/1", "graphs": "shardwalk.tasks/1"}[kind]
    right = right and all(a["schema"] == schema for a in answers)
    print(f"ok recorded {kind} are met" if right else f"not ok recorded {kind} are met: {len(wrong)} of {len(cases)}, first {wrong[:3]}")
    bad += wrong if right else [kind]
sys.exit(bool(bad))
END
python3 "$TMP/compare.py" "$CASES" "$TMP" || lib_failed=$((lib_failed + 1))

## Walked

cd "$TMP" || exit

item4='mesh {x: 6}; type x = [4{x}24]; type y = x; compute y[i] = 2*x[i] - x[i-1] - x[i+1]'
sw "$item4; tasks 15; step 3; goto 7; frontier; back 2; continue"
holds 'steps are rounds' '^ *3 *3  step 3 *78 *30 *2  10 messages$' out
holds 'goto goes there' '^steps: step 7: 8 nodes seen' out
holds 'what may start' '^ *8  step 8 ' out
holds 'back takes steps back' '^steps: step 5: 6 nodes seen' out
holds 'continue goes to the end' '^steps: step 15: 15 nodes seen, 14 edges examined; the goal is visited$' out
sw "$item4; tasks 15; step 4; [4{x}24] ~> [24]; step; walk steps; walk"
holds 'another walk' '^search: step 1:' out
holds 'walk steps comes back' '^steps: step 4:' out
holds 'it is a row of walks' '^\*  steps  *step 4 ' out
sw "$item4; tasks 15; goto 16"
holds 'no such round' 'error\[S06\].*there is no round 16' err
holds 'says which there are' 'expected: 1 to 15' err
sw "$item4; walk steps"
holds 'nothing is repeated yet' 'error\[L07\]' err
sw "$item4; tasks 15 --every 3; step 2; show tasks; save saved; undo"
holds 'rounds of several steps' '^ *steps 4-6  ●   ●   ●   ●   ●   ●    done$' out
holds 'the next may start' '^ *steps 7-9  ○   ○   ○   ○   ○   ○    may start$' out
sw 'open saved; show tasks'
holds 'saved and opened' '^round 2 of 5 is done: 12 of 30 tasks; 6 may start$' out
holds 'the critical path' '^critical path: 5 tasks one after the other, on device 0$' out
"$SHARDWALK" --json -c "$item4; tasks 15; step 3; show tasks" >out
holds 'programs get how far it is' '"done": 3,' out
sw 'mesh {x: 100000}; type x = [4{x}400000]; type y = x; compute y[i] = f(x[i-1], x[i], x[i+1]); tasks 1000000; show tasks --device 50000; show needs --device 777'
holds 'many steps of many devices' '^each result depends on all inputs after 99999 steps$' out
holds 'are drawn with what is left out' '… 999 990 layers like these' out
holds 'near what a device has' '^bars: elements [0-9]* to [0-9]* of 400000$' out
finish

## Width, and what is beside a picture

wide() {
	awk 'length($0) > 80 { wide = 1 } END { print wide + 0 }' out
}
COLUMNS=80 sw 'mesh {x: 4, y: 3, z: 2}; type x = [20{x}80, 30{y}90, 50{z}100]; type y = x
compute y[i,j,k] = x[i-1,j,k] + x[i,j+1,k] + x[i,j,k-1]; tasks 100000000; walk; enter x; set uneven'
equal 'tables, lists and sentences fit into 80 columns' 0 "$(wide)"
sw 'mesh {x: 4}; type x = [3{x}12]; type y = x; compute y[i] = x[i-1]; tasks 8 --every 4; show tasks'
holds 'the legend names an arc that is there' '^0 to 2: device 2 needs what 0 made, as in each layer$' out

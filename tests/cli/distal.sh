#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Meshes with levels, and tensor distribution notation wherever a type may be.
. "$SRC/tests/lib.sh"

sw() { # TEXT: both streams
	printf '%s\n' "$1" | "$SHARDWALK" --quiet 2>&1
}

contains() { # NAME TEXT PART
	case $2 in
	*"$3"*) ok "$1" ;;
	*) not_ok "$1" "no '$3' in: $2" ;;
	esac
}

refuses() { # NAME CODE TEXT
	contains "$1" "$(sw "$3")" "error[$2]"
}

field() { # TEXT PYTHON, of the answer as `a`
	printf '%s\n' "$1" | "$SHARDWALK" --quiet --json 2>&1 | python3 -S -c "
import json, sys
a = json.loads(sys.stdin.readlines()[-1])
print($2)"
}

# ---- levels ----
contains 'levels are shown' "$(sw 'mesh {nx: 2, ny: 2; g: 2}; show mesh')" 'g        2      1  2             1'
refuses 'a level begins with an axis' M01 'mesh {x: 2; }'
sw 'mesh {nx: 2, ny: 2; g: 2}; type T = f64[8, 8] [xy->xy, zw->z]; save '"$TMP/levels.sw" >/dev/null
contains 'levels are saved' "$(cat "$TMP/levels.sw")" 'mesh {nx: 2, ny: 2; g: 2}'
contains 'and read back' "$(sw "source $TMP/levels.sw; type T")" 'f64[2{g,nx}8, 4{ny}8]'
"$SHARDWALK" --json -c 'mesh {x: 2; g: 2}; redistribute [1{g,x}4] ~> [4]; plan' | tail -n 1 >"$TMP/plan.json"
contains 'plans have the level of an axis' "$(tr -d ' \n' <"$TMP/plan.json")" '"size":2,"level":1'
"$SHARDWALK" --json -c 'mesh {x: 2, g: 2}; redistribute [1{g,x}4] ~> [4]; plan' | tail -n 1 >"$TMP/flat.json"
lacks 'without levels as ever' '"level"' "$TMP/flat.json"
contains 'a system is a mesh with levels' "$(sw 'system {node: 2, gpu: 4}; type U = f64[8] [x->x, x->x]; type U')" \
	'f64[1{gpu,node}8]'
refuses 'axes that are placed have one level' D01 \
	'system {node: 2, gpu: 4}; axes {a: 2, b: 4}; place 1; type U = f64[8] [x->x, x->x]'

# ---- wherever types are ----
contains 'a type by its name' "$(sw 'mesh {x: 3, y: 3}; type B = f64[8, 9] xy->x0; type B')" 'f64[{x}8, 9] by nested on {y: 0}'
contains 'a name is in A ~> B' \
	"$(sw 'mesh {x: 3, y: 3}; type A = f64[9, 9] xy->xy; type B = f64[9, 9] xy->x*; A ~> B; plan')" allgather
contains 'explained as it is' "$(sw 'mesh {x: 3, y: 3}; explain f64[9, 9] xy->yx')" 'distal     f64[9, 9] xy->yx'
contains 'what it cannot say has a reason' "$(sw 'mesh {z: 2, x: 2, y: 3}; explain f64[{z,x}8, {y}9]')" \
	'distal     (not there: two axes of one level cut a dimension)'
contains 'a placement needs a mesh' "$(sw 'explain f64[9, 9] xy->xy')" 'error[N03]'
equal 'types with an arrow between them stay two' '' "$(sw 'mesh {x: 3}; [12] on 0 -> [12] on 0')"

# ---- what it means ----
cube='mesh {x: 2, y: 2, z: 2}; type T = f64[2, 2] xy->xy*; explain meaning T'
contains 'P as it is printed' "$(sw "$cube")" 'P = {(0,0) -> (0,0), (0,1) -> (0,1), (1,0) -> (1,0), (1,1) -> (1,1)}'
contains 'F as it is printed' "$(sw "$cube" | tr -d '\n' | tr -s ' ')" \
	'F = {(0,0) -> {(0,0,0), (0,0,1)}, (0,1) -> {(0,1,0), (0,1,1)}, (1,0) -> {(1,0,0), (1,0,1)}, (1,1) -> {(1,1,0), (1,1,1)}}'
contains 'the statement of section 5.3' \
	"$(sw 'mesh {x: 4}; type T = f64[8, 6] xy->x; explain meaning T' | tr -d '\n' | tr -s ' ')" \
	'forall xo xi y: T(x,y) s.t. divide(x,xo,xi,4), distribute(xo), communicate(T,xo)'
contains 'what no placement says has no such meaning' "$(sw 'mesh {x: 4}; explain meaning [3{x}12] shift 1')" 'error[N02]'
contains 'metafunctions are of tiles' "$(sw 'mesh {x: 4}; explain metafunctions [3{x}12] shift 1')" 'error[T17]'
if command -v python3 >/dev/null; then
	equal 'for programs' "[[0, 1, 0], [0, 1, 1]] [[0, 1], [1, 2]]" \
		"$(field "$cube" "a['F'][1]['processors'], a['P'][1]['box'], sep=' '")"
fi

# ---- batch ----
"$SHARDWALK" batch "$CASES/distal-placements.jsonl" --json >"$TMP/answers" 2>"$TMP/err"
if command -v python3 >/dev/null; then
	cat >"$TMP/compare.py" <<'END'
import json, sys
cases = [json.loads(line) for line in open(sys.argv[1])]
answers = [json.loads(line) for line in open(sys.argv[2])]
wrong = [c["name"] for c, a in zip(cases, answers)
         if any(c.get(k) != a.get(k) for k in ("name", "boxes", "held", "lowered"))]
print(len(cases) == len(answers), wrong[:3])
END
	equal 'every line of batch is as recorded' 'True []' "$(python3 "$TMP/compare.py" "$CASES/distal-placements.jsonl" "$TMP/answers")"
fi
bad() { # NAME CODE LINE: it is refused with this code, and a place is marked
	printf '%s\n' "$3" | "$SHARDWALK" batch - --json >"$TMP/out" 2>/dev/null
	contains "$1" "$(cat "$TMP/out")" "\"code\": \"$2\""
}
bad 'batch: levels' D01 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": ["xy->xy", "xy->x"]}'
bad 'batch: dimensions' D02 '{"machine": [[2, 2]], "shape": [4], "distribution": "xy->xy"}'
bad 'batch: axes' D03 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": "xy->x"}'
bad 'batch: a name twice' D04 '{"machine": [[2, 2], [2]], "shape": [4, 4], "distribution": ["xy->xy", "xx->x"]}'
bad 'batch: an unknown name' D05 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": "xy->xz"}'
bad 'batch: a coordinate' D06 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": "xy->x2"}'
bad 'batch: an axis in parts' D03 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": {"parts": [[2], []]}}'
bad 'batch: an axis twice' D04 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": {"parts": [[0], [0]]}}'
bad 'batch: a fixed coordinate' D06 '{"machine": [[2, 2]], "shape": [4, 4], "distribution": {"parts": [[0], []], "fixed": {"1": 2}}}'
bad 'batch: too many processors' M05 '{"machine": [[1048576], [1048576], [2]], "shape": [4], "distribution": ["x->x", "x->*", "x->*"]}'
bad 'batch: no sizes' B03 '{"machine": [[2, 2]], "distribution": "xy->xy"}'
finish

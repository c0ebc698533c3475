#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plans as code: the formats, their refusals, and the Python programs run by real JAX and PyTorch.  SHARDWALK_PYTHON names an
# interpreter that has JAX, SHARDWALK_TORCH_PYTHON one that has PyTorch; else it is python3.  Where they are not
# installed that is said.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1
mesh='mesh {x: 4, y: 2}'
ends='[4{x}16, 8{y}16] ~> [8{y}16, 4{x}16]'
codes='hlo stablehlo jax shard_map dtensor shardy mpi'

"$SHARDWALK" help export >help
for format in plan $codes; do
	grep -q "^    $format " help && ok "help lists $format" || not_ok "help lists $format" "$(cat help)"
	status "$format to a file" 0 "$SHARDWALK" export $format "out.$format" "$mesh" "$ends"
	equal "$format prints nothing beside it" '' "$(cat out)"
	status "$format to standard output" 0 "$SHARDWALK" export $format - "$mesh" "$ends"
	[ $format = plan ] || same "$format is the same there" "out.$format" out
done
"$SHARDWALK" help --man formats >man
equal 'the manual lists them too' "$(echo $codes | wc -w)" "$(for format in $codes; do grep "^.It Ic $format$" man; done | wc -l)"

status 'a format that is none' 1 "$SHARDWALK" export shardmap - "$mesh" "$ends"
grep -q 'shard_map' err && ok 'the nearest is suggested' || not_ok 'the nearest is suggested' "$(cat err)"
echo kept >kept
status 'an exchange is no collective of HLO' 1 "$SHARDWALK" export hlo kept direct "$mesh" "$ends"
grep -q '^error\[P06\]: step 1 is an exchange' err && ok 'it says why' || not_ok 'it says why' "$(cat err)"
equal 'the file stays' kept "$(cat kept)"
status 'uneven sizes are no types' 1 "$SHARDWALK" export mpi - 'mesh {x: 4}' '[{x}17] ~> [17]'
status 'names of axes may be odd' 0 "$SHARDWALK" export jax - 'mesh {"a b*/": 2, "class": 2}' '[4{"class","a b*/"}16] ~> [8{"a b*/"}16]'
grep -q 'P(("a b\*/", "class"))' out && ok 'and are quoted' || not_ok 'and are quoted' "$(cat out)"

# Both ends have their devices in an order that no mesh has.
listed='shape f32[8,8]; {devices=[4,1]0,3,1,2} ~> {devices=[1,4]0,3,1,2}'
for format in jax shard_map shardy; do
	status "$format lists devices" 0 "$SHARDWALK" -c "$listed; export $format listed.$format"
	grep -q '\[0, 3, 1, 2\]' listed.$format && ok "$format in their order" || not_ok "$format in their order" "$(head -20 listed.$format)"
done
status 'DTensor would sort them' 1 "$SHARDWALK" -c "$listed; export dtensor -"

# Constraints say sums where their systems do: JAX not where one is finished while another begins, DTensor none that begins.
status 'a sum for another ends the compiler' 1 "$SHARDWALK" export jax - 'mesh {x: 2, y: 2}' '[16, 12]+{x} ~> [16, 12]+{y}'
grep -q "P06.*step 1 finishes the sum over 'x' and begins one over 'y'" err && ok 'it says which' || not_ok 'it says which' "$(cat err)"
status 'DTensor begins no sum' 1 "$SHARDWALK" export dtensor - "$mesh" '[16, 12] ~> [16, 12]+{y}'
grep -q "P06.*step 1: it begins a sum over 'y'" err && ok 'it says which step' || not_ok 'it says which step' "$(cat err)"

# Where XLA gathers the whole array by itself, advice goes through a waypoint.
status 'advice instead of a plan' 0 "$SHARDWALK" export jax advice.py advice 'mesh {a: 2, b: 2, c: 2}' \
	'f32[8{b}16, 16, 4{a,c}16] ~> f32[16, 2{b,a,c}16, 16]'
equal 'one waypoint and the target' 2 "$(grep -c with_sharding_constraint advice.py)"
status 'is for formats of constraints' 1 "$SHARDWALK" export hlo - advice "$mesh" "$ends"

# A line: devices, mesh, problem, strategy.
cat >problems <<'END'
8|{x: 4, y: 2}|[4{x}16, 8{y}16] ~> [8{y}16, 4{x}16]|fused
8|{x: 2, y: 2, z: 2}|bf16[8{x}16, 8{y}16, 8{z}16] ~> bf16[16, 4{x,y}16, 8{z}16]|fused
8|{x: 2, y: 2, z: 2}|i64[8{x}16, 8{y}16, 16] ~> i64[16, 16, 2{x,y,z}16]|fused
8|{x: 4, y: 2}|pred[16, 16] ~> pred[4{x}16, 8{y}16]|naive
8|{x: 4, y: 2}|[4{x}16, 8{y}16] ~> [16, 16]|naive
8|{a: 2, b: 2, c: 2}|[32, 16, 4{b,c}16] ~> [16{a}32, 16, 8{c}16]|exact
12|{x: 2, y: 6}|f64[6{x}12, 2{y}12] ~> f64[2{y}12, 6{x}12]|paper
8|{x: 8}|c64[] ~> c64[]|fused
4|{"a b": 2, "class": 2}|u16[4{"class","a b"}16] ~> u16[16]|fused
6|{x: 6}|[3{x:(1)2}6, 2{x:(2)3}6] ~> [2{x:(1)3}6, 3{x:(3)2}6]|fused
4|{x: 2, y: 2}|[8{x}16, 12]+{y} ~> [4{y,x}16, 12]|fused
4|{x: 2, y: 2}|[16, 12]+{x,y} ~> [16, 6{y}12]+{x}|fused
4|{x: 2, y: 2}|[8{x}16, 12] ~> [8{x}16, 12]+{y}|fused
END

# Exports every problem as FORMAT into FORMAT.1 and on; a refused one is left out.
export_all() { # FORMAT
	number=0
	while IFS='|' read -r devices text ends strategy; do
		number=$((number + 1))
		"$SHARDWALK" export "$1" "$1.$number" "mesh $text" "$ends" "$strategy" 2>"$1.$number.err" ||
			grep -q 'P06' "$1.$number.err" || not_ok "$1 of problem $number" "$(head -c 300 "$1.$number.err")"
	done <problems
}

# A step that no instruction says is written as several: the heading counts and prices both.
for format in shard_map mpi; do
	"$SHARDWALK" --quiet export $format - 'mesh {x: 2, y: 2}' '[8{x}16, 12]+{y} ~> [16, 6{y}12]' >several 2>&1
	if grep -q 'fused: 2 steps, cost 192, height 96 elements per device; written as 3 steps, cost 240, height 96$' several &&
		[ "$(grep -cE '^[^a-z]*step [0-9],' several)" -ge 3 ]; then ok "$format says how many steps it wrote"
	else not_ok "$format says how many steps it wrote" "$(grep -E 'plan   |step [0-9]' several)"; fi
done

# The programs under JAX: they check themselves; under shard_map the collectives are those of the plan.
cat >run_jax.py <<'END'
import collections, contextlib, io, json, os, sys
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=12"
import jax
kinds = {"allgather": "all-gather", "alltoall": "all-to-all", "allpermute": "collective-permute"}
for number in range(1, int(sys.argv[1]) + 1):
    plan = json.load(open(f"plan.{number}"))
    promised = collections.Counter(kinds[step["op"]] for step in plan["steps"] if step["op"] in kinds)
    for form in ("jax", "shard_map"):
        name = f"{form} of problem {number}"
        if not os.path.exists(f"{form}.{number}"):
            print(f"ok {name} # SKIP it is refused")
            continue
        program, printed = {"__name__": "exported"}, io.StringIO()
        try:
            exec(open(f"{form}.{number}").read(), program)
            with contextlib.redirect_stdout(printed):
                program["main"]()
        except (Exception, SystemExit) as failure:
            print(f"not ok {name}: {failure}")
            continue
        seen = dict(line.split(": ") for line in printed.getvalue().splitlines() if not line.startswith("right"))
        same = all(int(seen[kind]) == promised[kind] for kind in kinds.values())
        print(f"ok {name}" if same or form == "jax" else f"not ok {name}: {seen}, not {dict(promised)}")
END
cat >parse.py <<'END'
import glob, sys
from jax._src.interpreters import mlir
from jaxlib import _hlo
from jaxlib.mlir import ir
for name in sorted(glob.glob("*hlo.[0-9]") + glob.glob("shardy.[0-9]")):
    text = open(name).read()
    try:
        if name.startswith("hlo"):
            _hlo.hlo_module_from_text(text)
        else:
            with mlir.make_ir_context():
                ir.Module.parse(text).operation.verify()
        print(f"ok {name} is read")
    except Exception as failure:
        print(f"not ok {name} is read: {str(failure)[:300]}")
END
for format in plan $codes; do
	export_all $format
done
rm -f ./*.err

# Runs a script that prints what is ok and what is not.
by_python() { # PYTHON SCRIPT ARGUMENTS...
	timeout 250 "$@" >"$TMP/python.out" 2>"$TMP/python.err" || not_ok "$2 ends well" "$(tail -n 3 "$TMP/python.err")"
	cat python.out
	lib_failed=$((lib_failed + $(grep -c '^not ok' python.out)))
}

python=${SHARDWALK_PYTHON:-python3}
if "$python" -c 'import jax' 2>/dev/null; then
	"$python" advice.py >out 2>err
	equal 'XLA then does as it is shown' 'all-gather: 0 all-to-all: 2' "$(echo $(head -n 2 out))"
	for format in jax shard_map; do
		"$python" listed.$format >out 2>err
		equal "devices in their order, $format" 'all-to-all: 1 right: the result is that of whole arrays, bit for bit' "$(echo $(grep 'to-all\|right' out))"
	done
	by_python "$python" run_jax.py "$(wc -l <problems | tr -d ' ')"
	if "$python" -c 'from jaxlib import _hlo; from jax._src.interpreters import mlir' 2>/dev/null; then
		by_python "$python" parse.py
	else
		skip 'modules are read by XLA' 'this jaxlib shows no parser'
	fi
else
	skip 'programs for JAX, modules for XLA' "$python has no jax"
fi

torch=${SHARDWALK_TORCH_PYTHON:-python3}
if "$torch" -c 'import torch' 2>/dev/null; then
	for number in 1 2 11; do
		if timeout 120 "$torch" "dtensor.$number" >out 2>err && grep -q '^right' out; then ok "dtensor of problem $number"
		else not_ok "dtensor of problem $number" "$(tail -n 3 err)"; fi
	done
else
	skip 'programs for DTensor' "$torch has no torch"
fi
finish

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks XLA, Shardy and DTensor about problems that were never recorded, and compares with the strategies of their names.

usage: peers.py PROGRAM [SEED [PROBLEMS]]      default: a seed from the clock, 40 problems

SHARDWALK_PYTHON names an interpreter that has JAX, SHARDWALK_TORCH_PYTHON one that has PyTorch; else python3 is asked.

Problems are for 8 devices, one half of them with sums.  Compared are the collectives, step by step, and their costs under the model
`paper`; what costs nothing (slices, zeros, pads) is left out, and a reduce-scatter counts as the all-reduce and slice that the
module of XLA holds.  What differs is printed; it ends with 0 unless something could not be compared at all.
"""
import json, math, os, random, re, subprocess, sys, tempfile, time

DEVICES = 8
MESHES = ({"a": 2, "b": 2, "c": 2}, {"a": 2, "b": 4}, {"a": 4, "b": 2}, {"a": 8})
SIZES = (8, 16, 24, 32, 48)
PRICE = {"allgather": lambda before, after: after, "alltoall": lambda before, after: before,
         "allpermute": lambda before, after: before, "reducescatter": lambda before, after: before,
         "allreduce": lambda before, after: 2 * before}
FREE = {"dynslice", "zeros", "pad"}

# ---- problems: a dictionary of names, and at both ends axes by dimension, minor to major, and sums ----


def draw_end(random, mesh, rank, sums):
    axes = [[] for _ in range(rank)]
    free = [a for a in mesh if a not in sums]
    random.shuffle(free)
    for axis in free:
        if random.random() < 0.75:
            axes[random.randrange(rank)].append(axis)
    return axes, sums


def draw(random, number):
    """Sums end or begin, or are the same: XLA and Shardy end the process where both happens."""
    mesh = random.choice(MESHES)
    shape = [random.choice(SIZES) for _ in range(random.randint(1, 3))]
    some = random.sample(sorted(mesh), random.randint(1, len(mesh)))
    before, after = random.choice(((some, []), (some, some[1:]), ([], some))) if number % 2 else ([], [])
    ends = [draw_end(random, mesh, len(shape), sums) for sums in (before, after)]
    return {"name": f"drawn-{number}", "mesh": mesh, "shape": shape, "ends": ends}


def written(problem, end):
    axes, sums = problem["ends"][end]
    dims = []
    for size, names in zip(problem["shape"], axes):
        parts = math.prod(problem["mesh"][a] for a in names)
        dims.append(f"{size // parts}{{{','.join(names)}}}{size}" if names else f"{size}")
    return f"[{', '.join(dims)}]" + (f"+{{{','.join(sums)}}}" if sums else "")


def line_of(problem):
    mesh = ", ".join(f"{a}: {n}" for a, n in problem["mesh"].items())
    return {"name": problem["name"], "mesh": f"{{{mesh}}}", "dtype": "f32", "from": written(problem, 0), "to": written(problem, 1)}


def tile(problem, axes):
    return math.prod(s // math.prod(problem["mesh"][a] for a in names) for s, names in zip(problem["shape"], axes))


# ---- the originals: each gives a list of (operation, cost), or raises ----


def ask_xla():
    dump = tempfile.mkdtemp()
    os.environ["XLA_FLAGS"] = (f"--xla_force_host_platform_device_count={DEVICES} --xla_dump_to={dump} "
                               "--xla_dump_hlo_pass_re=spmd.* --xla_dump_hlo_as_text")
    os.environ["JAX_PLATFORMS"] = "cpu"
    import glob, jax, numpy
    from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
    words = {"all-gather": "allgather", "all-to-all": "alltoall", "collective-permute": "allpermute", "all-reduce": "allreduce"}

    def spec(end):
        sums = {"unreduced": frozenset(end[1])} if end[1] else {}
        return PartitionSpec(*[tuple(reversed(a)) if a else None for a in end[0]], **sums)

    def steps_of(text):
        for line in text.splitlines():
            found = re.match(r"\s+(?:ROOT )?%\S+ = (.*?) (all-gather|all-to-all|collective-permute|all-reduce)(?:-start)?\(", line)
            if not found or re.search(r"replica_groups=(\{\{\d+\}|\[\d+,1\]<)", line):
                continue
            size = sum(math.prod(map(int, filter(None, s.split(",")))) for s in re.findall(r"\w+\[([\d,]*)\]", found[1]))
            yield words[found[2]], size * (2 if found[2] == "all-reduce" else 1)

    def ask(problem):
        shape, (before, after) = tuple(problem["shape"]), problem["ends"]
        kind = AxisType.Explicit if before[1] or after[1] else AxisType.Auto
        grid = numpy.array(jax.devices()[:DEVICES]).reshape(list(problem["mesh"].values()))
        mesh = Mesh(grid, list(problem["mesh"]), axis_types=(kind,) * len(problem["mesh"]))
        start, goal = NamedSharding(mesh, spec(before)), NamedSharding(mesh, spec(after))
        name = problem["name"].replace("-", "_")
        explicit = kind == AxisType.Explicit
        function = (lambda v: jax.sharding.reshard(v, spec(after))) if explicit else (lambda v: v)
        function.__name__ = name
        if explicit:
            with jax.set_mesh(mesh):
                jax.jit(function).lower(jax.ShapeDtypeStruct(shape, "float32", sharding=start)).compile()
        else:
            jax.jit(function, in_shardings=start, out_shardings=goal).lower(jax.ShapeDtypeStruct(shape, "float32")).compile()
        return list(steps_of(open(glob.glob(f"{dump}/*jit_{name}.*after_spmd-part*")[0]).read()))
    return ask


def ask_shardy():
    from jaxlib.mlir import ir, passmanager
    import jax._src.interpreters.mlir as mlir
    words = {"all_gather": "allgather", "all_slice": "dynslice", "all_to_all": "alltoall", "collective_permute": "allpermute",
             "all_reduce": "allreduce", "reduce_scatter": "reducescatter", "replicated_to_unreduced": "zeros",
             "sharded_to_unreduced": "pad"}

    def sharding(problem, end):
        axes, sums = end
        quoted = lambda names: ", ".join(f'"{a}"' for a in names)
        plus = [a for a in problem["mesh"] if a in sums]
        return ("[" + ", ".join("{" + quoted(reversed(a)) + "}" for a in axes) + "]" + (f", unreduced={{{quoted(plus)}}}" if plus else ""))

    def local(problem, dims):
        parts = lambda d: math.prod(int(p.split(")")[1]) if p else problem["mesh"][a] for a, p in re.findall(r'"(\w+)"(:\(\d+\)\d+)?', d))
        return math.prod(-(-s // parts(d)) for s, d in zip(problem["shape"], re.findall(r"\{([^}]*)\}", dims)))

    def ask(problem):
        start, goal = (sharding(problem, end) for end in problem["ends"])
        array = f"tensor<{''.join(f'{s}x' for s in problem['shape'])}f32>"
        axes = ", ".join(f'"{a}"={n}' for a, n in problem["mesh"].items())
        text = f"""module {{
  sdy.mesh @mesh = <[{axes}]>
  func.func @f(%arg0: {array} {{sdy.sharding=#sdy.sharding<@mesh, {start}>}}) -> ({array} {{sdy.sharding=#sdy.sharding<@mesh, {goal}>}}) {{
    %0 = sdy.reshard %arg0 <@mesh, {goal}> : {array}
    return %0 : {array}
  }}
}}"""
        passes = "builtin.module(func.func(sdy-insert-explicit-reshards),func.func(sdy-reshard-to-collectives),canonicalize)"
        with mlir.make_ir_context():
            module = ir.Module.parse(text)
            passmanager.PassManager.parse(passes).run(module.operation)
            printed = str(module)
        steps, size = [], tile(problem, problem["ends"][0][0])
        for op, dims in re.findall(r"= sdy\.(\w+) .*?out_sharding=<@mesh, (\[.*?\])", printed):
            after = local(problem, dims)
            steps.append((words[op], PRICE.get(words[op], lambda b, a: 0)(size, after)))
            size = after
        return steps
    return ask


def ask_dtensor():
    import torch, torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import _redistribute
    from torch.distributed.tensor._dtensor_spec import DTensorSpec, ShardOrderEntry, TensorMeta
    from torch.distributed.tensor.placement_types import Partial, Replicate, Shard
    from torch.testing._internal.distributed.fake_pg import FakeStore
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=DEVICES)
    kinds = {"PR": "allreduce", "PS": "reducescatter", "SR": "allgather", "SS": "alltoall", "RS": "dynslice", "RP": "zeros"}
    letter = lambda p: "P" if p.is_partial() else "S" if p.is_shard() else "R"

    def spec(problem, mesh, end):
        names, order = list(problem["mesh"]), []
        places = [Partial("sum") if a in end[1] else Replicate() for a in names]
        for dim, axes in enumerate(end[0]):
            for a in axes:
                places[names.index(a)] = Shard(dim)
            if axes:
                order.append(ShardOrderEntry(tensor_dim=dim, mesh_dims=tuple(names.index(a) for a in reversed(axes))))
        empty = torch.empty(problem["shape"], device="meta")
        return DTensorSpec(mesh, tuple(places), TensorMeta(empty.shape, empty.stride(), torch.float32), shard_order=tuple(order))

    def ask(problem):
        mesh = init_device_mesh("cpu", tuple(problem["mesh"].values()), mesh_dim_names=tuple(problem["mesh"]))
        start, goal = (spec(problem, mesh, end) for end in problem["ends"])
        steps, size = [], tile(problem, problem["ends"][0][0])
        for info in _redistribute._gen_transform_infos_non_cached(start, goal, None):
            old, new = info.src_dst_placements
            op, parts = kinds.get(letter(old) + letter(new)), mesh.size(info.mesh_dim)
            if not op:
                raise NotImplementedError(f"from {old} to {new} in one step")
            after = size * (parts if letter(old) == "S" else 1) // (parts if letter(new) == "S" else 1)
            steps.append((op, PRICE.get(op, lambda b, a: 0)(size, after)))
            size = after
        return steps
    return ask


PEERS = {"xla": (ask_xla, "jax"), "shardy": (ask_shardy, "jax"), "dtensor": (ask_dtensor, "torch")}
PYTHON = {"jax": os.environ.get("SHARDWALK_PYTHON") or "python3", "torch": os.environ.get("SHARDWALK_TORCH_PYTHON") or "python3"}

# ---- a process for each original: one that ends goes on with the next problem ----


def child(which):
    ask = PEERS[which][0]()
    for line in sys.stdin:
        problem = json.loads(line)
        try:
            answer = {"steps": ask(problem)}
        except Exception as error:
            answer = {"error": re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:160]}
        print("answer " + json.dumps(answer), flush=True)


def answers_of(which, problems):
    answers = []
    while len(answers) < len(problems):
        text = "".join(json.dumps(p) + "\n" for p in problems[len(answers):])
        done = subprocess.run([PYTHON[PEERS[which][1]], __file__, "--ask", which], input=text, capture_output=True, text=True)
        got = [json.loads(l[7:]) for l in done.stdout.splitlines() if l.startswith("answer ")]
        if done.returncode == 0 and len(answers) + len(got) < len(problems) or not got and not answers and done.returncode == 1:
            sys.exit(f"{which} could not be asked: {done.stderr[-400:]}")
        answers += got
        if len(answers) < len(problems):
            answers.append({"error": "it ends the process"})
    return answers


def ours(program, strategy, file):
    done = subprocess.run([program, "batch", file, "--strategy", strategy, "--json"], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        plan = json.loads(line)
        if "error" in plan:
            yield {"error": plan["error"]["message"]}
        else:
            yield {"steps": [(s["op"], s["cost"]) for s in plan["steps"]]}


def paid(which, answer):
    """Of XLA: what the module holds."""
    steps = [(op, cost) for op, cost in map(tuple, answer["steps"]) if op not in FREE]
    return [("allreduce", 2 * cost) if which == "xla" and op == "reducescatter" else (op, cost) for op, cost in steps]


def told(which, answer):
    return "refused: " + answer["error"] if "error" in answer else " ".join(f"{op} {cost}" for op, cost in paid(which, answer)) or "nothing"


def same(which, theirs, mine):
    if "error" in theirs or "error" in mine:
        return "error" in theirs and "error" in mine
    return paid(which, theirs) == paid(which, mine)


def compare(program, which, problems, file):
    differ = 0
    for problem, theirs, mine in zip(problems, answers_of(which, problems), ours(program, which, file), strict=True):
        if same(which, theirs, mine):
            continue
        differ += 1
        line = line_of(problem)
        print(f"{which}: {line['from']} ~> {line['to']} on {line['mesh']}\n  theirs {told(which, theirs)}\n  ours   {told(which, mine)}")
    print(f"{which}: {len(problems) - differ} of {len(problems)} problems alike")


def version_of(module):
    done = subprocess.run([PYTHON[module], "-c", f"import {module}; print({module}.__version__)"], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def main(program, seed=None, count=40):
    seed = int(seed) if seed else int(time.time())
    there = {module: version_of(module) for module in ("jax", "torch")}
    for module, found in there.items():
        if not found:
            which = " and ".join(w for w in PEERS if PEERS[w][1] == module)
            print(f"{PYTHON[module]} has no {module}: install it (pip install {module}) to compare {which}")
    if not any(there.values()):
        return
    chance = random.Random(seed)
    problems = [draw(chance, number) for number in range(int(count))]
    print(f"SEED={seed}; " + ", ".join(f"{m} {v}" for m, v in there.items() if v) + " (plans were recorded with jaxlib 0.10.2, torch 2.13.0)")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(line_of(p)) + "\n" for p in problems)
        file.flush()
        for which in PEERS:
            if there[PEERS[which][1]]:
                compare(program, which, problems, file.name)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--ask":
        child(sys.argv[2])
    elif 2 <= len(sys.argv) <= 4:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every question of seed 004 with its number: a script of commands answers it.  The numbers are in programs-questions.jsonl.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1

if ! command -v python3 >/dev/null; then
	skip 'questions of the book' 'no python3'
	finish
fi

cat >answers.py <<'E'
# A question: a script, and where its number is in what the script prints.
import json, math, re, subprocess, sys

v5e, v4p, v5p = ("hardware %s; model roofline; " % name for name in ("v5e", "v4p", "v5p"))
torus = "mesh {X: 4, Y: 4, Z: 4}; "


class Run:
    def __init__(self, script):
        done = subprocess.run([sys.argv[1], "--quiet", "-c", script], capture_output=True, text=True)
        self.out, self.errors = done.stdout, done.stderr
        self.doc = [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]

    def after(self, words):
        return float(re.search(re.escape(words) + r"\s*([0-9][0-9 .]*)", self.out)[1].replace(" ", ""))

    def before(self, words):
        return float(re.search(r"([0-9][0-9 .]*)\s*" + re.escape(words), self.out)[1].replace(" ", ""))

    def tile(self):
        return json.loads(re.search(r"tile\s+(\[[0-9, ]*\])", self.out)[1])


def plan(script, key="model_cost"):
    return lambda: Run(script).doc[-1][key]


def tile(script):
    return lambda: Run(script).tile()


def elements(script, bytes=1):
    return lambda: math.prod(Run(script).tile()) * bytes


def step(script, key="model_cost", n=0):
    return lambda: Run(script).doc[-1]["steps"][n][key]


def scalars(script):
    return lambda: Run(script).before("scalars cross")


def row(name, key):
    return Run("hardware %s; hardware %s --json" % (name, name)).doc[-1]["hardware"][0][key]


def way(script, key, a=None):
    """A way of a product: the first, or that which multiplies A in this type."""
    ways = Run(script).doc[-1]["ways"]
    return next(w for w in ways if a is None or w["a"] == a)[key]


def gathered(script):
    """The way that turns with B: B is gathered, and everything multiplied everywhere."""
    return next(w for w in Run(script).doc[-1]["ways"] if w["turn"]["b"])


def ratio(a, b):
    return lambda: a() / b()


BOOK = "hardware book = 450GB/s 0.6us memory 3.4TB/s; "
QUIZ1 = "mesh {X: 8, Y: 2}; show type f32[{Y,X}1024, 4096]"
QUIZ2 = "mesh {X: 2, Y: 8, Z: 2}; show type i8[{Y,X}128, 2048]"
CODE = ("mesh {X: 4, Y: 2}; einsum jnp.einsum('BD,DF->BF', A: f32[8,2048] P('X', 'Y'), B: f32[2048,8192] P(None, 'Y'), "
        "out_sharding=P('X', 'Y')) --json")
QUIZ3 = v5e + "mesh {X: 8, Y: 4}; bf16[{Y}%d, %d] ~> bf16[%d, %d]; plan naive --json"
GATHER = "mesh {X: 4}; [4{X}16, 16] ~> [16, 16]; show rounds"
TURN = "mesh {X: 4}; [4{X}16, 16] ~> [16, 4{X}16]; show rounds"
Q2 = v4p + torus + "bf16[{X}1024, {Y}4096] ~> bf16[1024, %s]; plan shardy --json"
Q4 = v5p + "mesh {X: 4}; einsum bd,df->bf bf16[1024, 8192], bf16[{X}8192, 32768] as [1024, 32768] --json"
Q4B = Q4.replace("1024", "4096")
SUMMED = "[1024, 2048{X}8192]"
Q6 = v5e + "mesh {X: 4, Y: 4}; einsum ij,jk->ik %s --json"
Q6_1 = Q6 % "bf16[{X}8192, {Y}8192], bf16[{Y}8192, 8192] as [{X}8192, 8192]"
Q6_2 = Q6 % "bf16[{X}8192, 8192], bf16[{X}8192, {Y}8192] as [{X}8192, {Y}8192]"
Q6_3 = Q6 % "bf16[{X}8192, 8192], bf16[8192, {Y}8192] as [{X}8192, {Y}8192]"
Q5 = v5p + ("program mesh {X: 4, Y: 4, Z: 4} fn f(a : ?bf16[%d, %d], b : ?bf16[%d, %d]) -> bf16[%d, %d] "
    "{ c = einsum \"ij,jk->ik\" a b as ? return c }; assign --by time --json")
Q5_512, Q5_4096 = Q5 % (6 * (512,)), Q5 % (6 * (4096,))
Q5_WAYS = v5p + torus + "einsum ij,jk->ik bf16[4096, 4096], bf16[4096, 4096] as [4096, 4096] --limit 1000 --json"
Q7 = v5e + ("program mesh {X: 2, Y: 2} fn block(x : bf16[128, 8192], b : ?bf16[8192, 32768], c : ?bf16[32768, 8192]) "
    "-> bf16[%s128, 8192] { h = einsum \"bd,df->bf\" x b as ? r = relu h as ? y = einsum \"bf,fd->bd\" r c as ? return y }; "
    "assign --by time --live 300MB --json")
SCATTERED, REPLICATED = Q7 % "{X,Y}", Q7 % ""


def moved(script):
    """Seconds of redistributions."""
    found = Run(script).doc[-1]
    return found["seconds"] - found["products"]


def replicated_way():
    return next(w for w in Run(Q5_WAYS).doc[-1]["ways"] if w["a"] == w["b"] == "[4096, 4096]")


def cut_flops():
    """Operations of a device in the way of least cost that cuts all three axes."""
    return min(w["flops"] for w in Run(Q5_WAYS).doc[-1]["ways"])


def weights(script):
    homes = {home["name"]: home["type"] for home in Run(script).doc[-1]["homes"]}
    return sum(elements("mesh {X: 2, Y: 2}; show type " + homes[name], 2)() for name in "bc")


answers = {
    "figure-sharding-example": tile("mesh {X: 2, Y: 2}; show type f32[{X}4, {Y}128]"),
    "quiz-1-shape": tile(QUIZ1),
    "quiz-1-bytes": elements(QUIZ1, 4),
    "quiz-1-load": lambda: elements(QUIZ1, 4)() / Run(BOOK + "hardware book --json").doc[-1]["hardware"][0]["memory"],
    "quiz-2-device": elements(QUIZ2),
    "quiz-2-total": lambda: elements(QUIZ2)() * 2 * 8 * 2,
    "code-A": lambda: tile("mesh {X: 4, Y: 2}; show type " + Run(CODE).doc[-1]["a"])(),
    "code-B": lambda: tile("mesh {X: 4, Y: 2}; show type " + Run(CODE).doc[-1]["b"])(),
    "code-y": lambda: tile("mesh {X: 4, Y: 2}; show type " + Run(CODE).doc[-1]["as"])(),
    "code-cost": plan(CODE, "cost"),
    "allgather-threshold": lambda: row("v5e", "latency") * row("v5e", "bandwidth"),
    "allgather-peak-shard": elements("mesh {X: 16}; show type i8[{X}10000000]"),
    "allgather-knee": lambda: 720000 * (plan(v5e + "mesh {X: 16}; i8[{X}720000] ~> i8[720000]; plan --json")() == 8e-6
        < plan(v5e + "mesh {X: 16}; i8[{X}720016] ~> i8[720016]; plan --json")()),
    "allgather-part": plan("mesh {X: 2, Y: 2}; [{Y,X}8, 4] ~> [{Y}8, 4]; plan --json", "cost"),
    "quiz-3-ring": plan("hardware rings = 45GB/s 1us ring 4; hardware rings; model roofline; mesh {X: 8, Y: 4}; "
        "bf16[{Y}2048, 8192] ~> bf16[2048, 8192]; plan naive --json"),
    "quiz-3-line": plan(QUIZ3 % (2048, 8192, 2048, 8192)),
    "quiz-3-hops": plan(QUIZ3 % (4, 1, 4, 1)),
    "quiz-3-small": plan(QUIZ3 % (256, 256, 256, 256)),
    "quiz-3-small-hop": lambda: 256 * 256 * 2 / 4 / row("v5e", "bandwidth"),
    "alltoall-ratio": ratio(plan(v5e + "mesh {X: 16}; i8[{X}14400000, 16] ~> i8[14400000, {X}16]; plan --json"),
        plan(v5e + "mesh {X: 16}; i8[{X}14400000, 16] ~> i8[14400000, 16]; plan --json")),
    "alltoall-2d": lambda: 1e9 / (7812608 * 128) * plan(
        v4p + "mesh {X: 8, Y: 16}; i8[{X,Y}7812608, 128] ~> i8[7812608, {X,Y}128]; plan --json")(),
    "question-1": lambda: Run("mesh {X: 4, Y: 8, Z: 2}; show type [{X}64]").after("4 tiles, each on"),
    "question-2-1": plan(Q2 % "{Y}4096"),
    "question-2-2": plan(Q2 % "4096"),
    "question-2-2-latency": plan(v4p + torus + "bf16[{X}4, {Y}4] ~> bf16[4, 4]; plan naive --json"),
    "question-2-3": plan(v4p + torus + "bf16[{X}1024, {Y}4096]+{Z} ~> bf16[{X}1024, {Y}4096]; plan sum-first --json"),
    "question-3": plan(v4p + torus + "bf16[{X}128] ~> bf16[128]; plan naive --json"),
    "question-4-intensity": lambda: row("v5p", "flops") / (2 * row("v5p", "bandwidth")),
    "question-4-s1-turn": lambda: gathered(Q4)["turn"]["b"],
    "question-4-s2-turn": lambda: 8192 / (way(Q4, "turn", SUMMED)["d"] / 4),
    # they take equally long where D = 8192 is twice B = 4096
    "question-4-comm": lambda: 8192 / 4096 * way(Q4B, "comm_seconds", "[4096, 2048{X}8192]") / gathered(Q4B)["comm_seconds"],
    "question-4-mixed": lambda: way(Q4, "turn", SUMMED)["d"] / 4,
    "question-5-best-512": plan(Q5_512, "seconds"),
    "question-5-best-4096": plan(Q5_4096, "seconds"),
    "question-5-flops": lambda: cut_flops() / replicated_way()["flops"],
    # gathering takes the same whatever J is; products grow with it
    "question-5-turn": lambda: 4096 * moved(Q5_4096)
        / (replicated_way()["math_seconds"] - Run(Q5_4096).doc[-1]["products"]),
    "question-6-1-comm": lambda: way(Q6_1, "comm_seconds"),
    "question-6-1-math": lambda: way(Q6_1, "math_seconds"),
    "question-6-1-turn": lambda: way(Q6_1, "turn")["j"],
    "question-6-2-comm": lambda: way(Q6_2, "comm_seconds"),
    "question-6-2-turn": lambda: way(Q6_2, "turn")["i"],
    "question-6-3-comm": lambda: way(Q6_3, "comm_seconds"),
    "question-7-scattered": plan(SCATTERED, "seconds"),
    "question-7-replicated": plan(REPLICATED, "seconds"),
    "question-7-memory": lambda: weights(SCATTERED),
    "question-7-math": plan(SCATTERED, "products"),
    "question-7-comm": lambda: moved(SCATTERED),
    "question-9-gather": step("mesh {X: 4}; [64, {X}1024] ~> [64, 1024]; plan --json", "cost"),
    "question-9-scatter": step("mesh {X: 4}; [64, 256]+{X} ~> [64, {X}256]; plan --json", "cost"),
    "question-9-ratio": ratio(step("mesh {X: 4}; [64, {X}1024] ~> [64, 1024]; plan --json", "cost"),
        step("mesh {X: 4}; [64, 256]+{X} ~> [64, {X}256]; plan --json", "cost")),
    "question-10-1": scalars(GATHER + " --one-way"),
    "question-10-2": scalars(TURN + " --one-way"),
    "question-10-3": ratio(scalars(TURN + " --one-way"), scalars(GATHER + " --one-way")),
    "question-10-4": scalars(GATHER),
    "question-10-5": scalars(TURN),
    "question-10-6": ratio(plan(v5e + "mesh {X: 16}; i8[{X}14400000, 16] ~> i8[14400000, 16]; plan --json"),
        plan(v5e + "mesh {X: 16}; i8[{X}14400000, 16] ~> i8[14400000, {X}16]; plan --json")),
}

failed = 0
for line in open(sys.argv[2]):
    want = json.loads(line)
    name, value = want["name"], want["value"]
    try:
        found = answers[name]()
    except Exception as why:
        found = repr(why)
    fine = found == value if isinstance(value, list) or isinstance(found, str) else abs(found - value) <= 1e-9 * abs(value)
    failed += not fine
    print("ok %s" % name if fine else "not ok %s: %s, not %s" % (name, found, value))
sys.exit(failed > 0)
E
questions=$SRC/tests/cases/programs-questions.jsonl
python3 answers.py "$SHARDWALK" "$questions" || lib_failed=$((lib_failed + 1))
finish

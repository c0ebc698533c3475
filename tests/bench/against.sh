#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Is it as fast as another version?  AGAINST names the top folder of that one, built there (in `build`); both programs take
# turns, ROUNDS times (default 7), and what is printed are medians and their ratios, with what else the machine did:
#
#   planning   what the program says that a plan took, 600 problems by fused, exact and paper: medians and the 99th in a hundred
#   batch      the same problems as `batch --json`, reading and writing included, microseconds a problem
#   keys       from a key to the last byte of its picture, in a terminal of 200 x 50
#   import     a log of 40 MB
#   run        a plan of three steps on 8 ranks, arrays of 32 MiB a rank, from start to end
#
# ONLY=planning,batch measures these alone.  The last line says whether a median is more than 5 % above the other's.
. "$SRC/tests/lib.sh"
if [ -z "$AGAINST" ]; then
	skip 'against' 'AGAINST names no other version'
	exit 0
fi
old=$AGAINST/build/shardwalk
[ -x "$old" ] || { not_ok 'against' "there is no $old: build that version"; exit 1; }
command -v python3 >/dev/null || { skip 'against' 'no python3'; exit 0; }
exec python3 - "$SHARDWALK" "$old" "$CASES" "$TMP" <<'END'
import fcntl, json, os, pty, select, statistics, struct, subprocess, sys, termios, time

new, old, cases, tmp = sys.argv[1:5]
programs = {"new": os.path.abspath(new), "old": os.path.abspath(old)}
rounds = int(os.environ.get("ROUNDS", "7"))
only = os.environ.get("ONLY", "planning,batch,keys,import,run").split(",")
problems = os.path.join(cases, "paper-like.jsonl")
count = sum(1 for line in open(problems) if line.strip())


def timed(command, **how):
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **how)
    return time.perf_counter() - begin, done


def in_turn(measure):
    """What measure(program) gives, a dictionary of figures, for both in turn; who begins changes."""
    figures = {"new": {}, "old": {}}
    for turn in range(rounds):
        for which in ("new", "old") if turn % 2 else ("old", "new"):
            for name, value in measure(programs[which]).items():
                figures[which].setdefault(name, []).append(value)
    return figures


def planning(program):
    figures = {}
    for strategy in ("fused", "exact", "paper"):
        text = timed([program, "-c", f"batch {problems} --strategy {strategy} --json"])[1].stdout
        seconds = sorted(json.loads(line)["search"]["seconds"] for line in text.splitlines() if b'"search"' in line)
        figures[f"planning, {strategy}, median, us"] = 1e6 * seconds[len(seconds) // 2]
        figures[f"planning, {strategy}, 99 %, us"] = 1e6 * seconds[len(seconds) * 99 // 100]
    return figures


many = os.path.join(tmp, "many.jsonl")


def batch(program):
    if not os.path.exists(many):
        with open(many, "w") as out:
            out.write(open(problems).read() * 10)
    return {"batch, us a problem": 1e6 * timed([program, "-c", f"batch {many} --json"])[0] / (10 * count)}


def settle(terminal, quiet):
    """Reads until nothing comes for so long; when the last byte came."""
    last = time.perf_counter()
    while select.select([terminal], [], [], quiet)[0]:
        if not os.read(terminal, 1 << 16):
            break
        last = time.perf_counter()
    return last


KEYS = ["\t", "\x1b[B", "\x1b[B", "\x1b[A", "+", "-", "\x1b[C", "\x1b[D", "\x1b[6~", "\x1b[5~", "\t", "\x1b[B", "n", "p"]


def keys(program):
    script = os.path.join(tmp, "screens.sw")
    with open(script, "w") as out:
        out.write("mesh {x: 8, y: 8, z: 4}\n[2{x}16, 2{y}16, 2{z}8] ~> [2{y}16, 2{x}16, 2{z}8]\nplan\n")
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execv(program, [program])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    settle(terminal, 0.3)
    os.write(terminal, f"source {script}\r".encode())
    settle(terminal, 0.4)
    os.write(terminal, b"tui\r")
    settle(terminal, 0.5)
    taken = []
    for key in KEYS:
        begin = time.perf_counter()
        os.write(terminal, key.encode())
        last = settle(terminal, 0.1)
        if last > begin + 1e-6:
            taken.append(last - begin)
    os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(terminal)
    return {"key to picture, ms": 1e3 * statistics.median(taken)}


log = os.path.join(tmp, "long.log")


def import_log(program):
    if not os.path.exists(log):
        source = os.path.join(cases, "logs")
        texts = [open(os.path.join(source, name)).read() for name in sorted(os.listdir(source)) if name.endswith(".log")]
        noise = "I0000 00:00:1700000000.000000 1 step.cc:42] step took a while, and nothing is wrong with it\n" * 200
        with open(log, "w") as out:
            while out.tell() < 40e6:
                for text in texts:
                    out.write(text + noise)
    seconds, done = timed([program, "-c", f"import {log}"])
    if done.returncode != 0:
        sys.exit("not ok import: " + done.stderr.decode()[:300])
    return {"import of 40 MB, s": seconds}


def run(program):
    plan = "mesh {x: 2, y: 4}; [4096{x}8192, 2048{y}8192] ~> [2048{y}8192, 4096{x}8192]; plan"
    seconds, done = timed([program, "-c", plan + "; run"], cwd=tmp)
    if done.returncode != 0:
        sys.exit("not ok run: " + done.stderr.decode()[:300])
    return {"a run on 8 ranks, s": seconds}


parts = {"planning": planning, "batch": batch, "keys": keys, "import": import_log, "run": run}
above = []
print(f"{count} problems, {rounds} rounds in turn; load before: {open('/proc/loadavg').read().strip()}")
for name in only:
    figures = in_turn(parts[name])
    for what in figures["new"]:
        a, b = figures["new"][what], figures["old"][what]
        ratio = statistics.median(a) / statistics.median(b)
        spread = max(max(v) / min(v) for v in (a, b) if min(v) > 0)
        print(f"  {what:32} {statistics.median(a):10.3f} was {statistics.median(b):10.3f}   ratio {ratio:6.3f}"
              f"   rounds differ by {spread:5.2f}", flush=True)
        if ratio > 1.05:
            above.append(what)
print(f"load after: {open('/proc/loadavg').read().strip()}")
print("more than 5 % slower: " + "; ".join(above) if above else "nothing is more than 5 % slower")
END

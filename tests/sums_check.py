#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks plans with sums (schema "shardwalk.plan/2"), and shares no code with the program.

usage: sums_check.py FILE...        a file holds one plan, or one plan a line; '-' reads standard input

Every device begins with terms of random numbers modulo 2^64 that add up to the value of each element.  The steps are
carried out as their groups and pairs say.  After every step, devices that hold the same term of the same tile hold the
same numbers, and the terms of every tile add up to its values.  Costs, sizes and the other figures are derived again.

Exit status 0 when every plan holds; otherwise each fault is one line on standard error and the status is 1.
"""
import itertools
import json
import math
import random
import re
import sys

WORD = 1 << 64
PHASE = {"dynslice": 0, "zeros": 0, "alltoall": 1, "allpermute": 1, "exchange": 1, "reducescatter": 1,
         "allgather": 2, "allreduce": 2, "pad": 2}


class Fault(Exception):
    pass


def need(ok, text):
    if not ok:
        raise Fault(text)


class Part:
    """`x`, or `x:(pre)size`: digit of a device = device // stride % size"""

    def __init__(self, text, mesh):
        m = re.fullmatch(r'\s*"?([^":]+)"?(?::\((\d+)\)(\d+))?\s*', text)
        need(m, f"{text!r} is no part of an axis")
        name = m[1].strip()
        need(name in mesh, f"there is no axis {name}")
        size, stride = mesh[name]
        pre, own = (int(m[2]), int(m[3])) if m[2] else (1, size)
        need(size % (pre * own) == 0, f"{text} is no part of an axis of {size}")
        self.low = stride * (size // (pre * own))
        self.size = own

    def digit(self, device):
        return device // self.low % self.size

    def range(self):
        return (self.low, self.low * self.size)


class Type:
    def __init__(self, text, mesh):
        m = re.fullmatch(r"\s*\w*\[(.*)\]\s*(?:\+\{(.*)\})?\s*", text)
        need(m, f"{text!r} is no type")
        self.tile, self.size, self.parts = [], [], []
        for tile, axes, size in re.findall(r"(\d+)\s*(?:\{([^}]*)\}\s*(\d+))?", m[1]):
            parts = [Part(a, mesh) for a in axes.split(",") if a.strip()] if size else []
            self.tile.append(int(tile))
            self.size.append(int(size) if size else int(tile))
            self.parts.append(parts)
            need(self.tile[-1] * math.prod(p.size for p in parts) == self.size[-1], f"{text}: sizes do not multiply")
        self.sums = [Part(a, mesh) for a in (m[2] or "").split(",") if a.strip()]
        spans = sorted(p.range() for p in sum(self.parts, []) + self.sums if p.size > 1)
        need(all(a[1] <= b[0] for a, b in zip(spans, spans[1:])), f"{text}: a part of an axis stands there twice")
        self.terms = math.prod(p.size for p in self.sums)

    def offset(self, device, unit):
        out = []
        for tile, parts, u in zip(self.tile, self.parts, unit):
            step, at = tile // u, 0
            for part in parts:
                at += step * part.digit(device)
                step *= part.size
            out.append(at)
        return tuple(out)

    def term(self, device):
        return tuple(sorted((p.low * k, p.digit(device) // k % f) for p in self.sums for k, f in primes_of(p.size)))


def primes_of(size):
    """(weight, prime) of the digits of a number below `size`"""
    out, weight, prime = [], 1, 2
    while size > 1:
        while size % prime == 0:
            out.append((weight, prime))
            weight *= prime
            size //= prime
        prime += 1
    return out


def box(offset, tile):
    return itertools.product(*(range(o, o + c) for o, c in zip(offset, tile)))


def expand(text):
    m = re.fullmatch(r"\[(\d+),(\d+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", text)
    need(m, f"groups {text!r} are in no known form")
    dims = [int(x) for x in m[3].split(",")]
    perm = [int(x) for x in m[4].split(",")] if m[4] else list(range(len(dims)))
    stride = [math.prod(dims[i + 1:]) for i in range(len(dims))]
    flat = [0]
    for i in perm:
        flat = [f + k * stride[i] for f in flat for k in range(dims[i])]
    k = int(m[2])
    return [flat[i:i + k] for i in range(0, len(flat), k)]


class State:
    """What the devices hold: {element: number} each, by a type."""

    def __init__(self, type_, unit, devices):
        self.type, self.unit, self.devices = type_, unit, devices
        self.tile = [c // u for c, u in zip(type_.tile, unit)]
        self.at = [type_.offset(d, unit) for d in range(devices)]
        self.term = [type_.term(d) for d in range(devices)]
        self.held = [None] * devices

    def elements(self, device):
        return box(self.at[device], self.tile)

    def start(self, value):
        terms = sorted(set(self.term))
        numbers = {}
        for d in range(self.devices):
            own = terms.index(self.term[d])
            self.held[d] = {}
            for e in self.elements(d):
                if e not in numbers:
                    drawn = [random.getrandbits(64) for _ in terms[1:]]
                    numbers[e] = drawn + [(value[e] - sum(drawn)) % WORD]
                self.held[d][e] = numbers[e][own]

    def check(self, value, where):
        first = {}
        for d in range(self.devices):
            need(set(self.held[d]) == set(self.elements(d)), f"{where}: device {d} does not hold its tile")
            twin = first.setdefault((self.at[d], self.term[d]), d)
            need(self.held[d] == self.held[twin], f"{where}: devices {twin} and {d} hold other copies of one term")
        total = {}
        for d in first.values():
            for e, number in self.held[d].items():
                total[e] = (total.get(e, 0) + number) % WORD
        for e, v in value.items():
            need(total.get(e) == v, f"{where}: the terms of element {e} do not add up")


def groups_of(step, size, devices, where):
    groups = step.get("groups")
    groups = expand(groups) if isinstance(groups, str) else groups
    need(groups is not None, f"{where}: no groups")
    need(sorted(d for g in groups for d in g) == list(range(devices)), f"{where}: the groups are no partition")
    need(all(len(g) == size for g in groups), f"{where}: a group is not of {size} devices")
    return groups


def carry_out(step, old, new, where):
    op, devices = step["op"], old.devices
    gathered = math.prod(f for _, f in step.get("gather", []))
    summed = old.type.terms // new.type.terms
    if op in ("dynslice", "zeros", "pad"):
        fresh = [p for p in new.type.sums]
        for d in range(devices):
            zero = op == "zeros" and dict(new.term[d]) and any(
                v for k, v in new.term[d] if k not in dict(old.term[d]))
            new.held[d] = {e: 0 if zero else old.held[d].get(e, 0 if op == "pad" else None) for e in new.elements(d)}
            need(None not in new.held[d].values(), f"{where}: device {d} keeps what it does not hold")
        return len(fresh) * 0
    if op == "allpermute":
        pairs = step["pairs"]
        need(sorted(a for a, _ in pairs) == sorted(b for _, b in pairs) == list(range(devices)),
             f"{where}: the pairs are no permutation")
        for a, b in pairs:
            need(old.at[a] == new.at[b], f"{where}: device {b} gets another tile")
            new.held[b] = old.held[a]
        return 0
    if op == "exchange":
        need(not old.type.sums and not new.type.sums, f"{where}: an exchange with sums cannot be checked here")
        somewhere = {e: n for h in old.held for e, n in h.items()}
        for d in range(devices):
            new.held[d] = {e: somewhere[e] for e in new.elements(d)}
        return 0
    adds = op in ("reducescatter", "allreduce")
    size = gathered * (summed if adds else 1)
    for g in groups_of(step, size, devices, where):
        total = {}
        for d in g:
            for e, number in old.held[d].items():
                need(adds or e not in total, f"{where}: two members of a group bring element {e}")
                total[e] = (total.get(e, 0) + number) % WORD
        for d in g:
            new.held[d] = {e: total.get(e) for e in new.elements(d)}
            need(None not in new.held[d].values(), f"{where}: device {d} needs what its group does not bring")
    return size


def factors(before, after, step, where):
    want = list(before)
    for d, f in step.get("gather", []):
        want[d] *= f
    for d, f in step.get("split", []):
        need(want[d] % f == 0, f"{where}: {want[d]} is not divisible by {f}")
        want[d] //= f
    dims = [d for d, _ in step.get("gather", [])] + [d for d, _ in step.get("split", [])]
    need(len(dims) == len(set(dims)), f"{where}: a dimension stands there twice")
    need(step["op"] == "exchange" or want == list(after), f"{where}: the factors do not lead to {list(after)}")


def kinds(step, old, new, where):
    op, gathers, splits = step["op"], bool(step.get("gather")), bool(step.get("split"))
    product = {k: math.prod(f for _, f in step.get(k, [])) for k in ("gather", "split")}
    need(op in PHASE, f"{where}: unknown operation")
    need({"dynslice": splits and not gathers, "allgather": gathers and not splits, "alltoall": gathers and splits,
          "reducescatter": splits, "pad": gathers and not splits}.get(op, not gathers and not splits),
         f"{where}: it gathers or splits what it may not")
    if op in ("reducescatter", "allreduce"):
        need(old.terms > new.terms and old.terms % new.terms == 0, f"{where}: it sums nothing")
        pieces = product["gather"] * (old.terms // new.terms)
        need(op == "allreduce" or product["split"] == pieces, f"{where}: {pieces} pieces are dealt to {product['split']}")
    elif op in ("zeros", "pad"):
        need(new.terms > old.terms and new.terms % old.terms == 0, f"{where}: no terms are made")
        need(op == "zeros" or product["gather"] == new.terms // old.terms, f"{where}: it pads by another factor")
    elif op != "exchange":
        need(old.terms == new.terms, f"{where}: {old.terms} terms become {new.terms}")
    if op == "alltoall":
        need(product["gather"] == product["split"], f"{where}: it gathers and splits by different factors")


def price(op, before, after):
    return {"allgather": after, "exchange": after, "alltoall": before, "allpermute": before, "reducescatter": before,
            "allreduce": 2 * before}.get(op, 0)


def check_sum(step, old, new, mesh, where):
    if "sum" not in step:
        need(step["op"] not in ("reducescatter", "allreduce"), f"{where}: it does not say what it sums")
        return
    said = Type("[]+{" + ",".join(step["sum"]) + "}", mesh)
    left = {k for k, _ in old.term(0)} - {k for k, _ in new.term(0)}
    need({k for k, _ in said.term(0)} == left, f"{where}: 'sum' is not what the types say")


def check_plan(plan):
    mesh, devices = {}, 1
    for a in reversed(plan["mesh"]):
        mesh[a["axis"]] = (int(a["size"]), devices)
        devices *= int(a["size"])
    steps = plan["steps"]
    types = [Type(t, mesh) for t in [plan["from"]] + [s["type"] for s in steps]]
    to = Type(plan["to"], mesh)
    need(all(t.size == types[0].size for t in types + [to]), "the array changes its size")
    unit = [math.gcd(*(t.tile[i] for t in types)) for i in range(len(types[0].tile))]
    if math.prod(c // u for c, u in zip(types[0].size, unit)) * devices > 1 << 16:
        unit = [math.gcd(*(t.tile[i] for t in types)) for i in range(len(unit))]
    value = {e: random.getrandbits(64) for e in box([0] * len(unit), [n // u for n, u in zip(types[0].size, unit)])}
    old = State(types[0], unit, devices)
    old.start(value)
    cost, height = 0, math.prod(types[0].tile)
    peak, size, phases = height, height, []
    for k, (step, type_) in enumerate(zip(steps, types[1:])):
        where = f"step {k + 1} ({step['op']})"
        kinds(step, old.type, type_, where)
        factors(old.type.tile, type_.tile, step, where)
        check_sum(step, old.type, type_, mesh, where)
        new = State(type_, unit, devices)
        carry_out(step, old, new, where)
        new.check(value, where)
        now = math.prod(type_.tile)
        need(step["cost"] == price(step["op"], size, now), f"{where}: cost says {step['cost']}")
        need(step["localsize"] == now, f"{where}: localsize says {step['localsize']}")
        cost, height, peak = cost + step["cost"], max(height, now), max(peak, size + now)
        phases.append(PHASE[step["op"]])
        old, size = new, now
    need(old.at == State(to, unit, devices).at and {k for k, _ in old.type.term(0)} == {k for k, _ in to.term(0)},
         "the steps do not end on `to`")
    for key, right in (("cost", cost), ("height", height), ("live_peak", peak if steps else height),
                       ("permutes", sum(s["op"] == "allpermute" for s in steps)),
                       ("normal_form", phases == sorted(phases))):
        need(plan.get(key, right) == right, f"{key} says {plan.get(key)}, it is {right}")
    if plan.get("strategy") in ("exact", "fused"):
        need(height <= plan.get("budget", height), "the height is above the budget")
        need(plan.get("lower_bound", cost) <= cost, "lower_bound is above the cost")
        if plan.get("optimal") and plan.get("model", "paper") == "paper":
            need(plan["lower_bound"] == cost, "called optimal above its lower bound")
    if plan.get("strategy") == "exact":
        need(all(len(s.get("gather", [])) <= (s["op"] != "reducescatter") and len(s.get("split", [])) <= 1
                 for s in steps if s["op"] != "dynslice"), "a step of `exact` works on several dimensions")


def plans_in(text):
    try:
        one = json.loads(text)
        return one if isinstance(one, list) else [one]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def main(names):
    if not names:
        print(__doc__, file=sys.stderr)
        return 2
    good = bad = 0
    random.seed(1)
    for name in names:
        text = sys.stdin.read() if name == "-" else open(name, encoding="utf-8").read()
        for n, plan in enumerate(plans_in(text)):
            try:
                check_plan(plan)
                good += 1
            except (Fault, KeyError, TypeError, ValueError, IndexError) as fault:
                print(f"{plan.get('name') or f'{name}:{n + 1}'}: {type(fault).__name__}: {fault}", file=sys.stderr)
                bad += 1
    print(f"{good} plans hold, {bad} do not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

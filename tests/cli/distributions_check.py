#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Answers of a batch about distributions against recorded lines: distributions_check.py CASES ANSWERS.  Regions are compared as sets: by
# their elements where these are few, else as lists in order.
import json
import sys

FEW = 200000


def size(region):
    total = 0
    for product in region:
        part = 1
        for indices in product:
            part *= sum(run * count for _, run, _, count in indices)
        total += part
    return total


def numbers(indices):
    return [first + k * step + i for first, run, step, count in indices for k in range(count) for i in range(run)]


def elements(region):
    found = set()
    for product in region:
        rows = [()]
        for indices in product:
            own = numbers(indices)
            rows = [row + (i,) for row in rows for i in own]
        found.update(rows)
    return found


def same_region(a, b):
    if a is None or b is None:
        return a is b
    if size(a) != size(b):
        return False
    return a == b or (size(a) <= FEW and elements(a) == elements(b))


def same_last(a, b):
    return same_region(a, b) if isinstance(b, list) else a == b


def same_messages(a, b):
    key = lambda m: m[:2]
    a, b = sorted(a, key=key), sorted(b, key=key)
    return len(a) == len(b) and all(x[:3] == y[:3] and same_last(x[3], y[3]) for x, y in zip(a, b))


def same_missing(a, b):
    return a.keys() == b.keys() and all(same_region(a[k], b[k]) for k in a)


def same_rows(a, b):
    """Sets of row-major indices, as lines with a text have them."""
    return a is b if a is None or b is None else set(numbers(a)) == set(numbers(b))


SAME = {
    "sets": lambda a, b: len(a) == len(b) and all(map(same_region, a, b)),
    "messages": same_messages,
    "missing": same_missing,
}
QUESTION = {"text", "devices", "source", "name", "mesh", "from", "to", "type", "partial", "desca", "descc", "grida", "gridc", "ordera", "orderc", "sub", "dtype"}
ALWAYS = {"volume", "bytes", "kept", "max_in", "T", "F", "relabelled_kept", "unique_sender", "local_sizes", "missing"}


def faults(case, answer):
    free = case.get("unique_sender") is False
    same = dict(SAME, sets=lambda a, b: len(a) == len(b) and all(map(same_rows, a, b))) if "text" in case else SAME
    for key, wanted in case.items():
        if key in QUESTION or (free and key not in ALWAYS):
            continue
        if key not in answer:
            yield f"{key} is missing"
        elif not same.get(key, lambda a, b: a == b)(answer[key], wanted):
            yield f"{key} is {str(answer[key])[:200]}, not {str(wanted)[:200]}"
    if "missing" in answer and "missing" not in case and "volume" in case and "T" in case:
        yield "something is missing"


cases = [json.loads(line) for line in open(sys.argv[1]) if line.strip()]
answers = [json.loads(line) for line in open(sys.argv[2]) if line.strip()]
bad = 0
if len(cases) != len(answers):
    print(f"not ok as many answers as lines: {len(answers)} of {len(cases)}")
    bad = 1
for case, answer in zip(cases, answers):
    found = list(faults(case, answer)) if "error" not in answer else [answer["error"]["message"]]
    if found:
        bad += 1
        print(f"not ok {case['name']}: {'; '.join(found[:4])}")
print(f"# {len(cases) - bad} of {len(cases)}")
sys.exit(bad > 0)

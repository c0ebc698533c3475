#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Answers of a batch about schedules against recorded lines: schedules_check.py CASES ANSWERS.  Messages and boxes are compared as sets; a line
# that is refused has the code that belongs to its error.
import json
import sys

QUESTION = {'name', 'machine', 'statement', 'shapes', 'distributions', 'schedule', 'source', 'error', 'where'}
CODES = {
    'statement': {'syntax': 'F01', 'unknown-tensor': 'F02', 'tensor-rank': 'F03', 'size-mismatch': 'F04', 'duplicate-index': 'F05',
                  'reads-output': 'F06'},
    'distribution': {'levels': 'D01', 'tensor-rank': 'D02', 'machine-rank': 'D03', 'duplicate-name': 'D04', 'unknown-name': 'D05',
                     'fixed-range': 'D06'},
    'schedule': {'syntax': 'D11', 'unknown-command': 'D12', 'arguments': 'D13', 'unknown-loop': 'D14', 'not-a-loop': 'D15',
                 'name-taken': 'D16', 'parts': 'D17', 'duplicate-loop': 'D18', 'not-nested': 'D19', 'already-distributed': 'D20',
                 'parallelized': 'D21', 'rotate-self': 'D22', 'rotate-inner': 'D23', 'rotated': 'D24', 'rotated-distributed': 'D25',
                 'communicated': 'D26', 'twice': 'D27', 'unknown-tensor': 'D28', 'race': 'D29', 'not-a-subexpression': 'D30',
                 'not-innermost': 'D31', 'unknown-kernel': 'D32', 'kernel-mismatch': 'D33', 'communicate-in-leaf': 'D34'},
    'lowering': {'too-many-distributed': 'D35', 'extent-over-machine': 'D36'},
}


def as_set(items):
    return sorted(json.dumps(item) for item in items)


def needs(of):
    return {array: {unit: as_set(boxes) for unit, boxes in units.items()} for array, units in of.items()}


def same_step(a, b):
    return (a['at'] == b['at'] and a['patterns'] == b['patterns'] and needs(a['need']) == needs(b['need']) and
            as_set(a['in']) == as_set(b['in']) and as_set(a['out']) == as_set(b['out']))


def same(key, a, b):
    if key != 'walk':
        return a == b
    return b is not None and len(a) == len(b) and all(same_step(x, y) for x, y in zip(a, b))


def compare(want, got):
    if 'error' in want:
        code = CODES[want['where'].split()[0]][want['error']]
        told = got.get('error', {})
        return [] if told.get('code') == code and told.get('column', 0) > 0 else ['error']
    return [key for key in want if key not in QUESTION and not same(key, want[key], got.get(key))]


cases = [json.loads(line) for line in open(sys.argv[1])]
answers = [json.loads(line) for line in open(sys.argv[2])]
wrong = 0 if len(cases) == len(answers) else 1
for want, got in zip(cases, answers):
    keys = compare(want, got)
    if keys or want['name'] != got.get('name'):
        wrong += 1
        print(want['name'], got.get('name'), *keys)
sys.exit(1 if wrong or not cases else 0)

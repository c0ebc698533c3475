#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules that are exported in the words of their paper and imported again: export_distal_check.py CASES FOLDER writes the script of all lines
# to standard output; with ANSWERS behind it compares what is said before and after.
import json
import os
import sys


def names(machine):
    axes = iter(range(99))
    return [['d%d' % next(axes) for _ in level] for level in machine]


def mesh(machine):
    levels = [', '.join('%s: %d' % pair for pair in zip(*level)) for level in zip(names(machine), machine)]
    return 'mesh {' + '; '.join(levels) + '}'


def place(axes, shape, home):
    if isinstance(home, str):
        return 'f64%s %s' % (shape, home)
    if isinstance(home, list):
        return 'f64%s [%s]' % (shape, ', '.join(home))
    dims = [('{%s}' % ','.join(axes[m] for m in reversed(parts)) if parts else '') + str(size)
            for parts, size in zip(home['parts'], shape)]
    fixed = ', '.join('%s: %d' % (axes[int(m)], at) for m, at in home.get('fixed', {}).items())
    return 'f64[%s] by nested%s' % (', '.join(dims), ' on {%s}' % fixed if fixed else '')


def script(line, file):
    axes = sum(names(line['machine']), [])
    yield mesh(line['machine'])
    for name, shape in line['shapes'].items():
        yield 'type %s = %s' % (name, place(axes, shape, line['distributions'][name]))
    yield 'compute ' + line['statement']
    yield 'schedule ' + ''.join('.' + command for command in line['schedule'])
    yield 'schedule'
    yield 'export distal ' + file
    yield 'import ' + file
    yield 'schedule'


def answers(path):
    decoder, text, at = json.JSONDecoder(), open(path).read(), 0
    while (at := text.find('{', at)) >= 0:
        value, at = decoder.raw_decode(text, at)
        if value.get('schema') == 'shardwalk.schedule/1' and 'notation' in value:
            yield value


def sayable(line):
    return not any(isinstance(home, dict) for home in line['distributions'].values())


# What has two axes on a dimension is refused, and the schedule stays; all else comes back as it was.
def check(line, file, before, after):
    keys = ['notation', 'statement', 'steps', 'volume', 'volumes', 'peak', 'checksum', 'loops']
    if sayable(line) and not os.path.exists(file):
        return ['not exported']
    return [key for key in keys if before.get(key) != after.get(key)] + (['volume'] if before['volume'] != line['volume'] else [])


cases = [json.loads(line) for line in open(sys.argv[1])]
cases = [line for line in cases if line['schedule'] and line.get('volume', 0) < 10 ** 7]
files = ['%s/%d.distal' % (sys.argv[2], number) for number in range(len(cases))]
if len(sys.argv) == 3:
    for line, file in zip(cases, files):
        print('\n'.join(script(line, file)))
    sys.exit(0)
found = list(answers(sys.argv[3]))
wrong = 0 if cases and len(found) == 3 * len(cases) else 1
for number, (line, file) in enumerate(zip(cases, files)):
    keys = check(line, file, *found[3 * number + 1:3 * number + 3]) if len(found) == 3 * len(cases) else ['answers %d' % len(found)]
    if keys:
        wrong += 1
        print(line['name'], *keys)
print('%d of %d were written and read' % (sum(map(os.path.exists, files)), len(cases)))
sys.exit(1 if wrong else 0)

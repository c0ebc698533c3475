#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# assign: types of least total cost for what a program leaves open.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1

open='program mesh {x: 2, y: 2} fn main(x : [8{x}16, 4], w : ?[4, 8], v : ?[8, 4]) -> [8{x}16, 4] { h = einsum "bd,df->bf" x w as ?
	r = relu h as ? y = einsum "bf,fd->bd" r v as ? return y }'
open=$(printf '%s' "$open" | tr '\n\t' '  ')

## Programs whose cost is known

if command -v python3 >/dev/null; then
	status 'a batch of programs' 0 "$SHARDWALK" batch "$SRC/tests/cases/programs-chains.jsonl" --json
	cat >compare.py <<'E'
import json, sys

def same(a, b):
    return a == b or (a is not None and b is not None and abs(a - b) <= 1e-9 * abs(a))

lines = list(zip(open(sys.argv[1]), open(sys.argv[2])))
bad = []
for known, found in ((json.loads(a), json.loads(b)) for a, b in lines):
    key = "seconds" if "hardware" in known else "cost"
    right = key == "seconds" or same(known["cost"], found["cost"])
    right = right and len(known["budgets"]) == len(found["budgets"]) and found["proved"]
    for a, b in zip(known["budgets"], found["budgets"]):
        right = right and a["budget"] == b["budget"] and same(a[key], b[key]) and b["proved"]
    if not right:
        bad.append(known["name"])
print("%d lines" % len(lines), *bad)
E
	equal 'costs what is known, under each budget too' "$(wc -l <"$SRC/tests/cases/programs-chains.jsonl" | tr -d ' ') lines" \
		"$(python3 compare.py "$SRC/tests/cases/programs-chains.jsonl" out)"
else
	skip 'a batch of programs' 'no python3'
fi

## The session's program

sw "$open; assign"
says 'what it costs is proved' 'costs 0 elements; proved: no types cost less'
says 'the runner-up and what it costs more' '32 elements more'
sw "$open; assign; program"
says 'homes are filled' 'h      einsum "bd,df->bf" x w  [8{x}16, 8]'
sw "$open; assign; program --json"
says 'nothing is open' '"open": false, "entered"'
sw "$open; assign; undo; program"
says 'undo brings the open program back' '5 values have no type yet'
sw "$open; assign; assign"
says 'a second time nothing is open' 'no home is open: only uses were chosen'
says 'and it costs the same' 'costs 0 elements; proved'
sw "$open; assign --budget 32 --json"
says 'a budget' '"cost": 32, "proved": true, "budget": 32'
sw "$open; assign --budget 32; program; enter 1; plan --json"
says 'redistributions are entered' '"schema": "shardwalk.plan/2"'
refused 'a budget below all' S01 'no types keep every tile within 4 elements' "$SHARDWALK" -c "$open; assign --budget 4"
says 'tells the smallest' 'the smallest limit that admits some is 32' err
refused 'a bound of all that is held' S01 'no types hold at most 20 elements at once' "$SHARDWALK" -c "$open; assign --live 20"
says 'tells the smallest, too' 'the smallest limit that admits some is ' err
least=$(sed -n 's/.*that admits some is \([0-9]*\)$/\1/p' err)
status 'which admits some' 0 "$SHARDWALK" -c "$open; assign --live $least"
refused 'one less does not' S01 'at once' "$SHARDWALK" -c "$open; assign --live $((least - 1))"

## Values that are used more than once

square='program mesh {x: 2} fn main(a : [64{x}128, 128]) -> [128, 128] { t = einsum "ij,jk->ik" a a as ? return t }'
sw "$square; assign"
says 'an input that is used twice is moved once' 'costs 16384 elements; proved: no types cost less'
says 'to a value of its own' 'a_1    [128, 128]    16 384  a'
sw "$square; assign --json"
says 'which is named' '"moves": [{"name": "a_1", "from": "a", "type": "[128, 128]"}]'
sw "$square; assign; assign"
says 'a second time nothing is moved' 'costs 16384 elements; proved: no types cost less'
case $(cat out) in *a_1_1*) not_ok 'or named' "$(cat out)" ;; *) ok 'or named' ;; esac
sw "$square; assign --live 100000"
says 'not where memory is bounded, which is said' 'with each value kept in one'
sw "$square; assign; export jax -"
says 'exports move it once' 'a_1 = '
sw "$square; assign; simulate"
says 'and it computes the right thing' 'verified: 3 values'

## What tables may take

wide='program mesh {x: 4, y: 4} fn main(a : [16{x}64, 64], b : ?[64, 64]) -> ? { t = einsum "ij,jk->ik" a b as ? u = add t a as ? return u }'
for bytes in 64 400; do
	refused "$bytes KiB do not suffice" S08 'the distances between the types of a value take too much memory' \
		"$SHARDWALK" -c "$wide; set memory ${bytes}KiB; assign"
	says 'and the bound is said' "tables of at most $bytes KiB" err
done
sw "$wide; set memory 1000KiB; assign"
says 'without types with sums 1000 KiB do' 'costs 0 elements; proved: no types cost less'

three='program mesh {x: 2} fn main(x : [8, 2{x}4], u : [4, 8], w : [4, 4{x}8], v : [4, 8]) -> [8, 8] { q = einsum "bd,df->bf" x u as ?
	k = einsum "bd,df->bf" x w as ? m = mul q k as ? h = einsum "bd,df->bf" x v as ? z = add m h as ? return z }'
three=$(printf '%s' "$three" | tr '\n\t' '  ')
sw "$three; assign; simulate"
says 'a second type, too' 'verified: 11 values'

# One weight for all products, with three neighbours at each: what is done where tables are full is linear too.
weight() { # COUNT
	echo 'mesh {x: 2, y: 2}'
	echo 'fn main(v0 : [64, 16{x}32], w : [32, 16{y}32]) -> ? {'
	awk "BEGIN { for (i = 1; i <= $1; i++) printf \"v%d = einsum \\\"ij,jk->ik\\\" v%d w as ?\\n\", i, i - 1 }"
	echo "return v$1 }"
}
for count in 10000 50000; do
	weight $count >weight.spmd
	status "$count products with one weight" 0 sh -c "ulimit -t 60; exec '$SHARDWALK' --quiet -c 'program weight.spmd; assign'"
	says 'end in an answer that is not proved' 'not proved: no types cost less than 0 elements, since'
done

## What it cannot do

refused 'nothing to assign' L07 'program' "$SHARDWALK" -c 'assign'
refused 'a factor' L13 'a factor needs two ends' "$SHARDWALK" -c "$open; assign --budget 2x"
refused 'an order that is none' L13 "no order 'speed'" "$SHARDWALK" -c "$open; assign --by speed"
refused 'hardware without flops' S11 'does not state its flops' "$SHARDWALK" -c "hardware mine = 10GB/s 1us; hardware mine; $open; assign --by time"
finish

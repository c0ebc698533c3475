#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Seconds by the model roofline: rounds hop by hop, times over the size, the time to read a tile.
. "$SRC/tests/lib.sh"

sw() { # STATEMENTS
	"$SHARDWALK" --quiet -c "$1" >"$TMP/out" 2>&1
}

has() { # NAME PATTERN
	if grep -qE -- "$2" "$TMP/out"; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 "$TMP/out" | tr '\n' '|')"; fi
}

ring='mesh {x: 4}; hardware v4p'
gather='i8[4{x}16, 16] ~> [16, 16]'
swap='i8[4{x}16, 16] ~> [16, 4{x}16]'

last() { # NAME LINE STATEMENTS
	sw "$3"
	equal "$1" "$2" "$(tail -n 1 "$TMP/out")"
}
last 'a gather, one way' '  192 scalars cross one link' "$ring; $gather; show rounds 1 --one-way"
last 'both ways' '  96 scalars cross one link in each direction' "$ring; $gather; show rounds"
last 'an alltoall, one way' '  96 scalars cross one link' "$ring; $swap; show rounds --one-way"
last 'both ways it is a quarter of that and more' '  32 scalars cross one link in each direction' "$ring; $swap; show rounds"
last 'over two axes, as many as the time says' '  33 750 000 scalars cross one link in each direction' \
	'mesh {X: 2, Y: 2}; hardware v5e; i8[{Y,X}90000000] ~> i8[90000000]; show rounds'
has 'along one after the other' '^ *start  *hop 1, Y  *hop 2, X$'
has 'a corner gets three tiles by two links' '^  takes 750 us by the model roofline on v5e, bound by bandwidth: hops take$'
has 'each piece in shares' '^  each piece goes in shares at once: 50 % along Y, then X, which is drawn, 50 %$'
sw 'hardware v5e; model roofline; mesh {X: 8, Y: 4}; bf16[512{Y}2048, 8192] ~> bf16[2048, 8192]; plan'
has 'a plan that borrows says what one step takes' '^  one allgather over Y takes 559 us; borrowing X:\(4\)2 takes 326 us$'
sw "$ring; $gather; show rounds --hop 1"
has 'one hop alone' '0 01.3 .*1 012'
sw "mesh {x: 8}; hardware v4p; [{x}64] ~> [64]; show rounds"
has 'a ring of 8 takes 4 hops' 'a ring of 8, both ways, 4 hops'
sw "mesh {x: 4}; hardware v5e; $gather; show rounds --one-way"
has 'one way along a line is refused' 'error\[L07\]: one way along a line'
sw "mesh {x: 4}; [16] ~> [4{x}16]; show rounds 1"
has 'so is a step that sends nothing' 'error\[L07\]: this step has no hops'
sw "mesh {x: 4}; [16] ~> [4{x}16]; show rounds"
has 'and a plan of such steps alone' 'error\[L07\]: no step of the plan has hops'
sw "$ring; $gather; export svg $TMP/rounds.svg rounds 1 --one-way"
grep -q '192 scalars cross one link' "$TMP/rounds.svg" && ok 'it is exported' || not_ok 'it is exported' "$(cat "$TMP/out")"

sw "mesh {X: 16}; hardware v5e; i8[{X}720000] ~> [720000]; show times --sweep 64KiB:4MiB"
has 'the knee of a ring of 16' 'knee at 720 000 bytes, 45 000 a hop'
has 'below it' '^ *512 KiB  *8.00 us  *latency  *73 %$'
has 'above it' '^ *1 MiB  *11.7 us  *bandwidth  *100 %$'
has 'what others measured is said to be theirs' 'measured elsewhere, not here'
sw "$ring; $gather; show times --sweep 4KiB:1KiB"
has 'sizes the wrong way round are refused' 'error\[L13\]'
sw "show times --sweep 1KiB:2KiB"
has 'without a plan it says what is missing' 'error\[L07\]'
sw "mesh {x: 4}; [16] ~> [4{x}16]; show times --sweep 1KiB:2KiB"
has 'what sends nothing takes no time' 'sends nothing'

sw 'mesh {X: 8, Y: 2}; hardware h100; show type f32[{Y,X}1024, 4096]'
has 'the time to read a tile once' 'reading the tile once from memory: 313 ns on hardware h100$'
sw 'mesh {X: 8, Y: 2}; show type f32[{Y,X}1024, 4096]'
grep -q 'reading' "$TMP/out" && not_ok 'which is shown where it is known' "$(cat "$TMP/out")" || ok 'which is shown where it is known'
sw 'hardware mine = 90GB/s 1us ring 4 flops 4.59e14 memory 2.8TB/s; hardware --json'
has 'rates of a row of your own' '"name": "mine".*"flops": 459000000000000(\.0)?, "memory": 2800000000000'
sw 'hardware mine = 90GB/s 1us flops 3TB/s'
has 'flops are a number alone' 'error\[L11\]'
sw "$ring; model roofline; $gather; plan; export plan $TMP/plan.json"
sw "open $TMP/plan.json; show plan"
grep -q 'model roofline: .* on hardware v4p$' "$TMP/out" && ok 'seconds of a plan that is read are computed again' ||
	not_ok 'seconds of a plan that is read are computed again' "$(grep 'model roofline' "$TMP/out")"
seconds=$(grep -o 'model roofline: .*' "$TMP/out" | tail -n 1)
sw "$ring; model roofline; $gather; apply allgather(0); show plan"
equal 'steps by hand take them, too' "$seconds" "$(grep -o 'model roofline: .*' "$TMP/out")"
sw "$ring; $gather; plan --model roofline; hardware v5e; save $TMP/saved.sw"
equal 'a session is saved with the hardware of its plan' 'set hardware v4p set hardware v5e' \
	"$(grep -B1 -A1 '^plan' "$TMP/saved.sw" | grep '^set hardware' | tr '\n' ' ' | sed 's/ $//')"
for op in allgather alltoall allpermute dynslice; do
	sw "explain $op"
	has "explain $op tells what it takes" '^takes '
done
finish

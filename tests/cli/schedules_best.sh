#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The best machine and steps of one algorithm: under a bound of memory, without one, and what is refused.
. "$SRC/tests/lib.sh"

large='mesh {x: 8, y: 8}; schedule cannon m=8192 n=8192 k=8192'

best() { # NAME WORDS TEXT
	"$SHARDWALK" --quiet -c "$large; schedule best $2" >"$TMP/out" 2>&1
	says "$1" "$3"
}

best 'COSMA under a bound takes steps' 'cosma --model volume --live 4000000' 'Grid(8,8,1)'
says 'that many' '20 steps, 939 524 096 elements moved'
says 'in that memory' '3 985 408 live'
best 'without a bound it takes a cube' 'cosma --model volume' 'Grid(4,4,4)'
says 'and meets the lower bound' '9 437 184 received'
best 'another algorithm has its own machine' 'cannon --model volume' '8 steps, 939 524 096 elements moved'
refused 'too little memory' S01 'at least 4194304 elements' "$SHARDWALK" -c "$large; schedule best cannon --live 10"
refused 'what computes something else' S02 'expected: A(i,j) = B(i,j,k)' "$SHARDWALK" -c "$large; schedule best ttv"
refused 'what is no algorithm' L08 "there is no algorithm 'cosna'" "$SHARDWALK" -c "$large; schedule best cosna"
refused 'other rows take no name' L04 "nothing stands behind 'own'" "$SHARDWALK" -c "$large; schedule own cosma"

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rounds on ranks: a shorter one at the end, inputs that are constant, and what is computed while messages travel, with why not.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'rounds'
light_start

types='mesh {x: 4}
type x = i64[8{x}32]
type y = x
type d = x
type c = i64[1{x,..}32]'

kept() { # STATEMENTS: the plan of the present program
	some=$TMP/plan.json
	"$SHARDWALK" --quiet -c "$types
$1
export plan $some" >"$TMP/out" 2>"$TMP/err" || not_ok "the plan of $1" "$(head -c 400 "$TMP/err")"
}

all_ways() { # NAME WHETHER: it overlaps, or why not
	for transport in shared messages; do
		for overlap in on off; do
			said=$2
			[ $overlap = on ] || said='--overlap off'
			ranks 4 --reps 0 --transport $transport --overlap $overlap "$some"
			[ "$status" = 0 ] && [ "$(records complete)" = 1 ] && grep -q "\"overlap\":\"$said\"" "$TMP/out" &&
				ok "$1: $transport, overlap $overlap" ||
				not_ok "$1: $transport, overlap $overlap" "status $status: $(head -c 400 "$TMP/err" "$TMP/out")"
		done
	done
}

kept 'compute y[i] = f(x[i-1], x[i], x[i+1])
tasks 8 --every 3'
all_ways 'a shorter round at the end' yes
ranks 4 --reps 0 --flip 1:9 "$some"
[ "$status" = 1 ] && ok 'a wrong bit is found in it' || not_ok 'a wrong bit is found in it' "status $status"
ranks 4 --reps 2 --warmup 1 "$some"
[ "$status" = 0 ] && [ "$(records total)" = 1 ] && ok 'it is timed' || not_ok 'it is timed' "$(head -c 400 "$TMP/err")"

kept 'compute y[i] = x[i-1] + c[i+1]
tasks 4'
all_ways 'two inputs that are sent' yes

kept 'compute y[i] = x[i-1] + c[i+1]*x[i] - x[i+1] + d[i-2]
tasks 8 --every 3'
all_ways 'several steps in a row of several inputs' yes

kept 'type y = c
compute y[i] = x[i-1] - x[i+1] on y
tasks 5 --every 2'
all_ways 'what moves between the rounds' yes

kept 'compute y[i] = x[i] + d[i]
tasks 4'
all_ways 'nothing is sent' 'nothing has to be sent'

kept 'type A = i64[8{x}32, 32]
type B = A
type C = A
compute C[i,j] = A[i,k]*B[k,j]'
all_ways 'a product' 'a product is computed at once'

kept 'compute y[i] = x[i-1] - x[i+1] + d[j]
tasks 6 --every 2'
all_ways 'several steps of a sum' 'several steps in a row sum over a letter'

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Formulas on ranks: by shared memory and by messages, while messages travel and after them, in rounds; a wrong bit is found.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'formulas'
light_start

kept() { # NAME STATEMENTS: the plan of the present program
	some=$TMP/$1.json
	"$SHARDWALK" --quiet -c "$2
export plan $some" >"$TMP/out" 2>"$TMP/err" || not_ok "the plan of $1" "$(head -c 400 "$TMP/err")"
}

all_ways() { # WHAT RANKS
	for transport in shared messages; do
		for overlap in on off; do
			ranks "$2" --reps 0 --transport "$transport" --overlap "$overlap" "$some"
			[ "$status" = 0 ] && [ "$(records complete)" = 1 ] && ok "$1: $transport, overlap $overlap" ||
				not_ok "$1: $transport, overlap $overlap" "status $status: $(head -c 400 "$TMP/err")"
		done
	done
}

kept halo 'mesh {x: 4}
type x = f64[8{x}32, 6]
type y = x
compute y[i,j] = 4*x[i,j] - x[i-1,j] - x[i+1,j] - x[i,j-1] - x[i,j+1]'
all_ways 'five points' 4
ranks 4 --reps 0 --flip 1:9 "$some"
[ "$status" = 1 ] && ok 'a wrong bit is found' || not_ok 'a wrong bit is found' "status $status"
ranks 4 --reps 2 --warmup 1 "$some"
[ "$status" = 0 ] && [ "$(records total)" = 1 ] && ok 'it is timed' || not_ok 'it is timed' "$(head -c 400 "$TMP/err")"

kept cyclic 'mesh {x: 4}
type x = i64[1{x,..}22]
type y = i64[{x}22] by balanced
compute y[i] = f(x[i-1], x[i], 2*x[i+3]) wrap'
all_ways 'a function between other types' 4

kept square 'mesh {p: 2, q: 2}
type A = [6{p}12, 6{q}12]
type x = [3{p,q}12]
type y = [3{q,p}12]
compute y[i] = A[i,j]*x[j] - A[i,0] on A'
all_ways 'terms of a sum' 4

kept rounds 'mesh {x: 4}
type x = f64[8{x}32]
type y = x
compute y[i] = x[i-1] + x[i+1]
tasks 6'
all_ways 'rounds' 4
ranks 4 --reps 2 --warmup 1 "$some"
[ "$status" = 0 ] && ok 'rounds are timed' || not_ok 'rounds are timed' "$(head -c 400 "$TMP/err")"

kept deep 'mesh {x: 4}
type x = i64[8{x}32]
type y = x
compute y[i] = f(x[i-1], x[i], x[i+1])
tasks 6 --every 3'
all_ways 'an exchange before every third step' 4

printf '5 1\n0 2\n1 3\n2 4\n3 5\n4 0\n' >"$TMP/ring"
kept graph "mesh {x: 3}
type x = i64[2{x}6]
type y = i64[1{x,..}6]
compute y[i] = f(x[graph $TMP/ring]) - x[i]"
all_ways 'neighbours of a graph' 3

kept moved 'mesh {x: 4}
type x = [8{x}32]
type y = [2{x,..}32]
compute y[i] = x[i-1] - x[i+1]
tasks 3'
all_ways 'a result that moves to its input' 4

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules: who sends, what is entered of a step, numbers that had other names, statements that kernels and algorithms do not compute.
. "$SRC/tests/lib.sh"

arrays='mesh {x: 3, y: 3}
type A = f64[9, 9] xy->xy; type B = f64[9, 9] xy->xy; type C = f64[9, 9] xy->xy'
cannon="$arrays
compute A(i,j) = B(i,k) * C(k,j)
schedule cannon"
johnson='mesh {x: 2, y: 2, z: 2}
type A = f64[8, 8] xy->xy0; type B = f64[8, 8] xy->x0y; type C = f64[8, 8] xy->0yx
compute A(i,j) = B(i,k) * C(k,j)
schedule johnson'
innerprod='mesh {n: 4; g: 3}
type B = f64[6, 3, 5] [xyz->x, xyz->x]; type C = B; type a = f64[] [->0, ->0]
compute a = B(i,j,k) * C(i,j,k)
schedule innerprod'

# ---- who sends ----
sw "$cannon
step 2
explain step"
says 'the nearest is asked' 'asks the nearest holder: the holder with the fewest hops on the torus'
sw "$innerprod
step
explain step"
says 'nodes are named' 'copy of node 1'
says 'and what is in them' '4 in node 1'
says 'and send' 'node 0          []            1  node 2'
"$SHARDWALK" --quiet --json -c "$cannon" >"$TMP/out" 2>&1
says 'the rule is recorded' '"sender": "nearest"'
"$SHARDWALK" --quiet --json -c "$cannon
step
explain step" 2>&1 | tail -1 >"$TMP/out"
says 'of a step, too' '"sender": "nearest"'

# ---- what is entered ----
sw "$johnson
step
enter A
plan
compare
show sets from
leave
show holds"
says 'the left side is entered' 'array A, from terms that devices send'
holds 'and it is a reduction' 'pattern reduce in 4 groups of 2'
says 'of terms' 'f64[4{x}8, 4{y}8]+'
says 'and left' 'array A is left'
says 'to where the walk was' 'step 1 of 1'
sw "$innerprod
step
enter a
plan"
says 'between nodes first' 'array a at level 1'
holds 'in 2 messages' '2 messages of 1, 2 elements .*pattern reduce, root 0'
sw "$innerprod
step
enter a
enter a@2"
says 'each node adds for itself, which is refused' 'each node adds terms' "$TMP/err"
says 'with what can be entered' 'enter a@1' "$TMP/err"
sw "$innerprod
step
enter a
leave
enter B
show sets to
enter a@1
enter B@2
save $TMP/entered.sw"
says 'another array in its place' 'array B at level 2'
says 'and back' 'array a at level 1'
holds 'a session keeps the level' '^enter B@2$' "$TMP/entered.sw"
status 'and reads it' 0 "$SHARDWALK" --quiet -c "open $TMP/entered.sw; plan"
refused 'nothing of it moves' L08 "'A' is not sent in this step" "$SHARDWALK" --quiet -c "$cannon
step
enter A"
refused 'nor at that level' L08 "'B' is not fetched" "$SHARDWALK" --quiet -c "$cannon
step
enter B@2"

# The plan of what is entered has the senders of the schedule: step 2 of Cannon shifts B to the left.
"$SHARDWALK" --quiet --json -c "$cannon
step 2
enter B
plan" 2>/dev/null | tail -n 1 >"$TMP/plan.json"
says 'its plan keeps the rule' '"sender": "nearest"' "$TMP/plan.json"
sw "$cannon
step 2
enter B
plan
show relation"
holds 'and each tile comes from the right' '^5 to 4: \[3-5, 0-2\]'
holds 'so that nobody sends twice' '6 messages of 9, 54 elements .*pattern permute'
sw "$cannon
step 2
enter B
leave
from [9{x}27, 3]
to [27, 1{x}3]
plan
show relation"
lacks 'another problem is dealt as before' 'nearest'
"$SHARDWALK" --quiet --json -c "$cannon
step 2
enter B
leave
from [3{y}9, 9] on {x: 0}
to [9, 3{y}9]
plan direct" 2>/dev/null | tail -n 1 >"$TMP/plan.json"
says 'and so is its exchange' '"sender": "balanced"' "$TMP/plan.json"

# ---- numbers ----
sw "$arrays
compute A(i,j) = B(i,k) * C(k,j)
param c = 3
schedule .divide(k, ko, ki, c).divide(i, io, ii, x)
param c = 5
schedule .divide(j, jo, ji, c)
save $TMP/numbers.sw"
"$SHARDWALK" --quiet -c "open $TMP/numbers.sw; schedule; param" >"$TMP/out" 2>&1
says 'what a name was for is kept' 'divide(k,ko,ki,3)'
says 'and what it is now' 'divide(j,jo,ji,5)'
says 'names that mean the same stay' '.divide(j, jo, ji, c)'
says 'params are all there' 'param c = 5'

# ---- what is computed ----
refused 'a number is no part of a kernel' D33 "'gemm' computes" "$SHARDWALK" --quiet -c "$arrays
compute A(i,j) = 2*B(i,k) * C(k,j)
schedule .substitute({i,j,k}, gemm)"
sw "$arrays; type P = A; type Q = A; type R = A
compute P(i,j) = Q(i,k) * R(k,j)
schedule cannon"
says 'an algorithm keeps the arrays of the same product' 'P(i,j) += Q(i,k) * R(k,j)'
sw "$arrays; type P = A; type Q = A; type R = A
compute P(i,j) = 2*Q(i,k)
schedule cannon"
says 'and of no other computation' 'A(i,j) += B(i,k) * C(k,j)'
sw "$arrays; type P = A; type Q = A; type R = A
compute P(i,j) = Q(i,k) - R(k,j)
schedule cannon"
lacks 'nor of a difference' 'P(i,j) += Q(i,k)'
refused 'a workspace is of one term' D30 'is a sum of 2 terms' "$SHARDWALK" --quiet -c "$arrays
compute A(i,j) = B(i,k) * C(k,j) + B(i,j)
schedule .precompute(B(i,k)*C(k,j) + B(i,j), W)"
sw "$arrays
compute A(i,j) = B(i,k) * C(k,j) + B(i,j)
schedule .precompute(B(i,k)*C(k,j), W)"
says 'a product of a sum is' 'precompute(B(i,k)*C(k,j),W)'

# Each that keeps an element of the left side gets all its terms.
sw 'mesh {x: 2, y: 2}
type A = f64[4] x->x*; type B = f64[4, 6] xy->xy; type c = f64[6] x->*x
compute A(i) = B(i,j) * c(j)
schedule .distribute({i,j},{io,jo},{ii,ji},Grid(2,2)).communicate({A,B,c},jo)
simulate
step
enter A
plan'
says 'a left side on several is right' 'right: checksum 23, sum 19'
holds 'each has the sum' 'pattern allreduce in 2 groups of 2'

# ---- errors by name ----
sw 'explain reads-output'
says 'a name of errors is explained' 'F06: left side on the right'
sw 'explain unknown-tensor'
says 'in a statement' 'F02'
says 'and in a schedule' 'D28'

# ---- nothing ----
sw 'mesh {x: 4}
show sets [8, 8] on 0 union [8, 8] on 1 only nothing
type e = [8, 8] on 1 only 0:0, 0:0
type'
holds 'nothing is read' '^ *1  *0  *-'
says 'and printed' 'only nothing'
refused 'nothing is no array' T16 'would be empty' "$SHARDWALK" --quiet -c 'mesh {x: 4}
type z = [8] crop nothing'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Formulas, and sums of types of any kind, as C with MPI: compiled without a warning, run, and verified; what is wrong is found.  Of the
# recorded ones some, with VERIFY=full all.
. "$SRC/tests/mpi/lib_mpi.sh"
cd "$TMP" || exit 1
[ -n "$MPICC" ] || { skip 'formulas as C' 'there is no compiler of MPICH'; exit 0; }
[ -n "$MPIEXEC" ] || { skip 'formulas as C' 'there is no mpiexec'; exit 0; }
light_start

compiled() { # NAME
	sed -i 's/#define REPEAT [35]/#define REPEAT 1/' "$1.c"
	"$MPICC" -std=c11 -O0 -Wall -Wextra -Werror -DNO_CBLAS -o "$1" "$1.c" -lm 2>"$1.err" ||
		{ not_ok "$1 compiles" "$(head -n 5 "$1.err")"; return 1; }
}

ran() { # NAME RANKS STATUS WORDS
	compiled_ranks "$2" "./$1" >out 2>err
	equal "$1 ends" "status $3" "status $?"
	grep -q "$4" out && ok "$1: $4" || not_ok "$1: $4" "$(cat out err)"
}

written() { # NAME STATEMENTS [program]
	printf '%s\nexport mpi %s.c %s\n' "$2" "$1" "$3" >"$1.sw"
	"$SHARDWALK" --quiet "$1.sw" >out 2>err || { not_ok "$1 is written" "$(cat err)"; return 1; }
}

right() { # NAME RANKS WORDS STATEMENTS [program]
	written "$1" "$4" "$5" && compiled "$1" && ran "$1" "$2" 0 "^verified: $3, bit for bit"
}

formula() { # NAME RANKS WORDS STATEMENTS
	right "$1" "$2" "$3" "$4" program
}

# Each way in which indices are said, and each element type.
formula halo 6 '4 elements on each of 6 devices' 'mesh {x: 6}
type x = [4{x}24]
type y = x
compute y[i] = 2*x[i] - x[i-1] - x[i+1]'
equal 'halo is C that people read' "	return plus(plus(times((value)2.0, get(&array[1], INDEX(i), 0)), \
negative(get(&array[1], INDEX(i - 1), 0))), negative(get(&array[1], INDEX(i + 1), 0)));" "$(grep '	return plus(plus' halo.c)"
formula strided 4 '3 elements on each of 4 devices' 'mesh {x: 4}
type x = i64[6{x}24]
type y = i64[3{x}12]
compute y[i] = f(x[2*i], x[2*i+1], 3) - x[(i+3)/2]'
formula wrapped 4 '22 elements on 4 devices' 'mesh {x: 4}
type x = f32[1{x,..}22]
type y = f32[{x}22] by balanced
compute y[i] = f(x[i-1], x[i], 2*x[i+3]) wrap'
formula whole 4 '3 elements on each of 4 devices' 'mesh {x: 4}
type a = f64[5, 3{x}12]
type y = f64[3{x}12]
compute y[i] = f(a[:,i-1]) + 0.5'
formula added 4 '12 elements on 4 devices' 'mesh {x: 4}
type x = i32[3{x}12]
type y = i32[1{x,..}12]
compute y[i] += x[i-1] - x[i]'
formula turned 4 '96 elements on 4 devices' 'mesh {x: 2, y: 2}
type A = [4{x}8, 1{y,..}6]
type B = [2{y,..}6, 8]
compute B[i,j] = A[j,i]'
printf '5 1\n0 2\n1 3\n2 4\n3 5\n4 0\n' >ring
formula graph 3 '6 elements on 3 devices' 'mesh {x: 3}
type x = i64[2{x}6]
type y = i64[1{x,..}6]
compute y[i] = f(x[graph ring]) - x[i]'

# Sums over letters: on the device of the left side, and terms that stay, or move.
formula summed 4 '3 elements on each of 4 devices' 'mesh {p: 2, q: 2}
type A = [6{p}12, 6{q}12]
type x = [3{p,q}12]
type y = [3{q,p}12]
compute y[i] = A[i,j]*x[j] - A[i,0] on A'
formula product 4 '3 elements on each of 4 devices' 'mesh {x: 4}
type A = [3{x}12, 12]
type x = [3{x}12]
type y = x
compute y[i] = A[i,j]*x[j]'
formula terms 4 '12 elements on each of 4 devices' 'mesh {x: 4}
type A = [12, 1{x,..}12]
type x = [3{x}12]
compute y[i] = A[i,j]*x[j] on A'

# Rounds, whose result moves to where the next one begins, and several steps in a row.
formula rounds 4 '8 elements on each of 4 devices' 'mesh {x: 4}
type x = [8{x}32]
type y = [2{x,..}32]
compute y[i] = x[i-1] - x[i+1]
tasks 3'
formula deep 4 '8 elements on each of 4 devices' 'mesh {x: 4}
type x = i64[8{x}32]
type y = x
compute y[i] = f(x[i-1], x[i], x[i+1])
tasks 6 --every 3'

# A last round of fewer steps, and what all rounds read: as many single steps make the same.
weighted='mesh {x: 4}
type x = i64[8{x}32]
type y = x
type a = i64[1{x,..}32]
compute y[i] = x[i-1] + a[i]*x[i+1]'
result_of() { # NAME STEPS
	written "$1" "$weighted
$2" program || return
	sed -i 's/^\twrong = compare();/&\n\tfor (int n = 0; me == 0 \&\& n < 32; n++)\n\t\tprintf("result %lld\\n", (long long)whole[RETURNED][n]);/' "$1.c"
	compiled "$1" && ran "$1" 4 0 '^verified: 8 elements on each of 4 devices, bit for bit'
	grep '^result' out >"$1.result"
}
result_of uneven 'tasks 5 --every 3'
result_of single 'tasks 5'
equal '5 steps are 5 steps' 32 "$(cmp uneven.result single.result && grep -c . uneven.result)"

# What a program says in several statements, of tiles and of others.
cat >mixed.spmd <<'END'
mesh {x: 4}
fn f(A: i64[3{x}12, 12], x: "i64[1{x,..}12]", z: i64[3{x}12]) -> i64[12] {
  y = compute "y[i] = A[i,j]*x[j] + z[i]" as "i64[2{x,..}12]"
  w = compute "w[i] = y[i-1] + y[i+1] wrap" as i64[3{x}12]
  v = add w z
  u = einsum "ij,i->j" A v as i64[12]
  r = compute "r[i] = f(u[i], y[11-i])" as i64[12]
  return r
}
END
formula mixed 4 '12 elements on each of 4 devices' 'program mixed.spmd'

# Terms that devices have of parts of an array, of every width.
right elements 3 '9 elements on 3 devices' 'mesh {x: 3}
i8[9]+ at {0: 0-3; 1: 3-6; 2: 6-8} ~> i8[3{x}9]'
right copies 8 '26 elements on 8 devices' 'mesh {x: 2, y: 4}
c128[13]+{y} ~> c128[3{y@1,..}13]'
right one 4 '1 elements on 4 devices' 'mesh {x: 4}
f64[1]+ ~> f64[1] on 0'

# What is wrong is found: an element that is moved, a term that is added twice, points that are left out.
cp halo.c damaged.c
sed -i 's/^\tcall_alltoallv(/\tif (me == 2)\n\t\tout[0] += 1;\n&/' damaged.c
compiled damaged && ran damaged 6 1 '^WRONG: device [0-9] has '
cp elements.c twice.c
sed -i 's/^\tfree(out);/\tif (me == 1)\n\t\theld[op->result][0] += 1;\n&/' twice.c
compiled twice && ran twice 3 1 '^WRONG: device 1 has .* at \[3\]'
cp halo.c fewer.c
sed -i 's/^\t{1, 0, {.}},$/\t{7, 0, {0}},/' fewer.c
compiled fewer && ran fewer 6 1 '^WRONG: device 1 has 0 at \[[0-9]*\]'

# What is refused.
refused() { # NAME CODE WORDS STATEMENTS [program]
	printf '%s\nexport mpi - %s\n' "$4" "$5" >script
	"$SHARDWALK" --quiet script >out 2>err
	grep -q "^error\[$2\].*$3" err && ok "$1" || not_ok "$1" "$(cat err)"
}
refused 'what MPI does not add' P06 'MPI has no type that adds bf16' 'mesh {x: 4}
bf16[12]+ ~> bf16[12] on 3'
refused 'what C does not compute' P06 'C computes with f32, f64, i32 and i64' 'mesh {x: 4}
type x = bf16[3{x}12]
type y = x
compute y[i] = x[i-1]' program
refused 'sums that are rounded' P06 'its sums are larger than f32 counts' 'mesh {x: 4}
type A = [12, 3{x}12]
type x = [3{x}12]
type y = x
compute y[i] = 9999999*A[i,j]*x[j] on A' program
refused 'a formula of which no program can be made' F19 'the formula has no program: a formula of f64 and i64' \
	'mesh {x: 4}
type x = i64[3{x}12]
type y = f64[3{x}12]
compute y[i] = x[i-1]'

# Those that are recorded.
key() { # KEY LINE
	printf '%s\n' "$2" | sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p"
}
devices_of() { # MESH
	printf '%s\n' "$1" | tr -c '0-9' ' ' | awk '{ n = 1; for (i = 1; i <= NF; i++) n *= $i; print n }'
}
recorded() { # NAME RANKS STATEMENTS [program]
	written "$1" "$3" "$4" && compiled "$1" && compiled_ranks "$2" "./$1" >out 2>err && grep -q '^verified: ' out ||
		not_ok "$1" "$3: $(head -c 300 out)"
}
each=1
[ "$VERIFY" = full ] || each=13
number=0 tried=0
while read -r line; do
	number=$((number + 1))
	mesh=$(key mesh "$line") partial=$(key partial "$line")
	[ $((number % each)) = 0 ] || continue
	tried=$((tried + 1))
	recorded "sum$number" "$(devices_of "$mesh")" "mesh $mesh
$(printf '%s' "$partial" | sed 's/]/]+/') ~> $(key to "$line")"
done <"$CASES/imp-sums.jsonl"
while read -r line; do
	number=$((number + 1))
	mesh=$(key mesh "$line") wrap=
	ranks=$(devices_of "$mesh")
	case $line in *' wrap",'*) ;; *'"wrap": true'*) wrap=wrap ;; esac
	[ $((number % each)) = 0 ] && [ "$ranks" -le 12 ] || continue
	tried=$((tried + 1))
	recorded "formula$number" "$ranks" "mesh $mesh
type x = f64$(key x "$line")
type y = f64$(key y "$line")
compute $(key kernel "$line") $wrap" program
done <"$CASES/imp-kernels.jsonl"
[ "$lib_failed" -gt 0 ] || ok "$tried recorded sums and formulas"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs as C with MPI and CBLAS: compiled without a warning, run, and verified; wrong data is found; what no data makes exact is
# not called verified.
. "$SRC/tests/mpi/lib_mpi.sh"
cd "$TMP" || exit 1
[ -n "$MPICC" ] || { skip 'programs as C' 'there is no compiler of MPICH'; exit 0; }
[ -n "$MPIEXEC" ] || { skip 'programs as C' 'there is no mpiexec'; exit 0; }
light_start

# The plain loop: whether a library can be linked depends on the machine.
compiled() { # NAME
	sed -i 's/#define REPEAT 3/#define REPEAT 1/' "$1.c"
	"$MPICC" -std=c11 -O1 -Wall -Wextra -Werror -DNO_CBLAS -o "$1" "$1.c" -lm 2>"$1.err" && ok "$1 compiles" ||
		not_ok "$1 compiles" "$(head -n 5 "$1.err")"
}

ran() { # NAME RANKS STATUS WORDS
	compiled_ranks "$2" "./$1" >out 2>err
	equal "$1 ends" "status $3" "status $?"
	grep -q "^$4" out && ok "$1: $4" || not_ok "$1: $4" "$(cat out err)"
}

program() { # NAME RANKS WORDS; the program is on standard input
	cat >"$1.spmd"
	"$SHARDWALK" --quiet -c "program $1.spmd; export mpi $1.c program" >out 2>err || {
		not_ok "$1 is written" "$(cat err)"
		return
	}
	compiled "$1"
	ran "$1" "$2" 0 "$3"
}

program chain 4 'verified: 32 elements on each of 4 devices' <<'END'
mesh {x: 2, y: 2}
fn f(A: f32[8{x}16, 8]+{y}, B: f32[8, 6{y}12], C: f32[6{y}12, 8]) -> f32[4{y,x}16, 8] {
  D = redistribute A as f32[8{x}16, 8]
  h = einsum "ij,jk->ik" D B
  r = relu h
  o = einsum "ij,jk->ik" r C as f32[8{x}16, 8]
  s = add o D
  t = scale s as f32[4{y,x}16, 8]
  return t
}
END
program bodies 4 'verified: 192 elements on each of 4 devices' <<'END'
mesh {x: 2, y: 2}
fn f(A: i64[8{x}16, 4{y}8], B: i64[4{y}8, 12], v: i64[]) -> i64[12, 16]+{y} {
  h = spmd_op A B (a : [8, 4], b : [4, 12]) {
    t = matmul a b
    u = scale t
    return (add u t)
  } as i64[8{x}16, 12]+{y}
  o = einsum "ij,->ji" h v as i64[12, 16]+{y}
  w = neg o
  return w
}
END
program letters 4 'verified: 384 elements on each of 4 devices' <<'END'
mesh {x: 2, y: 2}
fn f(Q: f64[4{x}8, 16, 2{y}4], K: f64[4{x}8, 12, 2{y}4]) -> f64[4{x}8, 16, 6{y}12] {
  s = einsum "bqd,bkd->bqk" Q K
  m = redistribute s as f64[4{x}8, 8{y}16, 12]
  g = redistribute m as f64[4{x}8, 16, 12]
  p = einsum "bqd,bkd->bkq" m g as f64[4{x}8, 16, 16]
  a = einsum "bkq,bqd->bkd" p g
  e = add a a as f64[4{x}8, 16, 6{y}12]
  return e
}
END
program rounded 2 'within rounding: ' <<'END'
mesh {x: 2}
fn f(A: f32[8{x}16, 8], B: f32[8, 8]) -> f32[16, 8] {
  h = exp A
  o = einsum "ij,jk->ik" h B as f32[16, 8]
  return o
}
END
grep -q verified out && not_ok 'rounded results are not verified' "$(cat out)" || ok 'rounded results are not verified'

# Sums over levels of a system: the plans of two steps cut tiles into different numbers of pieces, not all of one size.
cat >levels.spmd <<'END'
mesh {x: 2, y: 2, z: 2}
fn f(A: f32[17, 59]+{x,y,z}, D: f32[17, 59]+{x,z}) -> f32[17, 59] {
  B = redistribute A as f32[17, 59]
  E = redistribute D as f32[17, 59]
  C = add B E
  return C
}
END
"$SHARDWALK" --quiet -c 'program levels.spmd; system {node: 2 @ 9GB/s shared, cpu: 2 @ 30GB/s, gpu: 2 @ 270GB/s}
	enter 1; plan; leave; enter 2; plan; leave; export mpi levels.c program; export shard_map levels.py program' >out 2>err
equal 'levels is written' 0 "$?"
equal 'levels: pieces' 'pieces_of[STEPS + 1] = {8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 0};' "$(grep -o 'pieces_of\[STEPS.*' levels.c)"
compiled levels
ran levels 8 0 'verified: 1003 elements on each of 8 devices'
python=${SHARDWALK_PYTHON:-python3}
if "$python" -c 'import jax; jax.shard_map' 2>/dev/null; then
	"$python" levels.py >out 2>err
	equal 'levels under shard_map' 'right: the result is that of whole arrays, bit for bit' "$(tail -n 1 out)"
else
	skip 'levels under shard_map' "$python has no jax"
fi

# What goes wrong is found: on one device, in what is moved.
cp chain.c damaged.c
sed -i 's/^static void report(void)$/static int spoil(void)\n{\n\tif (me == 2)\n\t\theld[RETURNED][5] += 1;\n\treturn 0;\n}\n\n&/; s/^\twrong = compare();/\twrong = spoil();\n&/' damaged.c
compiled damaged
ran damaged 4 1 "WRONG: device 2 has [-0-9]* at \[[0-9]*, 5\] of 't', which is"
compiled_ranks 3 ./chain >out 2>err
equal 'too few ranks' 2 $?
grep -q 'needs 4 ranks' err && ok 'too few ranks are shown' || not_ok 'too few ranks are shown' "$(cat err)"

printf 'mesh {x: 2}\nfn f(A: bf16[4, 4]) -> bf16[4, 4] {\n b = neg A\n return b\n}\n' >half.spmd
"$SHARDWALK" --quiet -c 'program half.spmd; export mpi - program' >out 2>err
grep -q '^error\[P06\]: step 1, b = neg: C computes with f32' err && ok 'what C does not compute is refused' ||
	not_ok 'what C does not compute is refused' "$(cat err)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plans as MPI programs: compiled without a warning, run, and right; and wrong data is found.
. "$SRC/tests/mpi/lib_mpi.sh"
cd "$TMP" || exit 1
[ -n "$MPICC" ] || { skip 'plans as MPI programs' 'there is no compiler of MPICH'; exit 0; }
[ -n "$MPIEXEC" ] || { skip 'plans as MPI programs' 'there is no mpiexec'; exit 0; }
light_start

# Fewer repetitions than users get: what counts here is that it is right.
compiled() { # NAME
	sed -i 's/#define REPEAT 5/#define REPEAT 1/' "$1.c"
	"$MPICC" -std=c11 -O1 -Wall -Wextra -Werror -o "$1" "$1.c" 2>"$1.err" && ok "$1 compiles" || not_ok "$1 compiles" "$(head -n 5 "$1.err")"
}

ran() { # NAME RANKS STATUS
	compiled_ranks "$2" "./$1" >out 2>err
	equal "$1 ends" "status $3" "status $?"
}

right() { # NAME RANKS MESH PROBLEM STRATEGY
	"$SHARDWALK" export mpi "$1.c" "mesh $3" "$4" "$5" 2>err || { not_ok "$1 is written" "$(cat err)"; return; }
	compiled "$1"
	ran "$1" "$2" 0
	grep -q '^verified: ' out && ok "$1 is right" || not_ok "$1 is right" "$(cat out err)"
}

# Those of which another one has all operations and kinds of ends are tried with VERIFY=full.
also_right() { # NAME RANKS MESH PROBLEM STRATEGY
	[ "$VERIFY" != full ] || right "$@"
}

right allgather 8 '{x: 4, y: 2}' 'i8[4{x}16, 8{y}16] ~> i8[16, 16]' naive
right alltoall 8 '{x: 2, y: 2, z: 2}' 'bf16[8{x}16, 8{y}16, 8{z}16] ~> bf16[16, 4{x,y}16, 8{z}16]' fused
also_right alltoall-of-several 8 '{x: 2, y: 2, z: 2}' 'c128[8{x}16, 8{y}16, 16] ~> c128[16, 16, 2{x,y,z}16]' fused
right permute 8 '{x: 4, y: 2}' 'f64[4{x}16, 8{y}16] ~> f64[8{y}16, 4{x}16]' fused
also_right slice 8 '{x: 4, y: 2}' 'i16[16, 16] ~> i16[4{x}16, 8{y}16]' naive
right any-order 8 '{a: 2, b: 2, c: 2}' '[32, 16, 4{b,c}16] ~> [16{a}32, 16, 8{c}16]' exact
also_right mixed-primes 12 '{x: 2, y: 6}' 'f64[6{x}12, 2{y}12] ~> f64[2{y}12, 6{x}12]' paper
right exchange 12 '{x: 4, y: 3}' 'f32[3{x}12, 4{y}12, 1] ~> f32[4{y}12, 3{x}12, 1]' direct
right scalar 4 '{x: 4}' 'f32[] ~> f32[]' fused
right odd-name 4 '{"*/ x": 2, "class": 2}' 'f32[4{"class","*/ x"}16] ~> f32[8{"class"}16]' fused

# Sums: to all, in pieces, of copies and of tiles that become terms; f16 adds nowhere in MPI.
right allreduce 8 '{x: 4, y: 2}' 'f32[16, 16]+{x,y} ~> f32[16, 16]' dtensor
right reducescatter 8 '{x: 4, y: 2}' 'i8[16, 16]+{x,y} ~> i8[4{x}16, 8{y}16]' shardy
also_right summed-and-moved 4 '{x: 2, y: 2}' 'c64[8{x}16, 8]+{y} ~> c64[16, 4{x}8]' xla
right towards-sums 8 '{x: 4, y: 2}' 'u64[4{x}16, 16] ~> u64[16, 8{y}16]+{x}' xla
also_right copies-to-terms 4 '{x: 2, y: 2}' 'f64[8{x}16, 8] ~> f64[8{x}16, 8]+{y}' shardy
also_right sum-that-stays 4 '{x: 2, y: 2}' 'i32[8]+{x,y} ~> i32[8]+{x}' xla
also_right sum-of-one 4 '{x: 4}' 'f64[]+{x} ~> f64[]' xla
"$SHARDWALK" export mpi - 'mesh {x: 2}' 'f16[8]+{x} ~> f16[8]' xla >out 2>err
grep -q '^error\[P06\]: MPI has no type that adds f16' err && ok 'what MPI does not add is refused' || not_ok 'what MPI does not add is refused' "$(cat err)"

# Devices in orders that the mesh does not have.
ordered() { # NAME RANKS SHARDINGS [STRATEGY]
	printf 'redistribute %s\nexport mpi %s.c %s\n' "$3" "$1" "$4" >script
	"$SHARDWALK" script >out 2>err || { not_ok "$1 is written" "$(cat err)"; return; }
	compiled "$1"
	ran "$1" "$2" 0
	grep -q '^verified: ' out && ok "$1 is right" || not_ok "$1 is right" "$(cat out err)"
}

ordered one-order 4 'f32[8,8] {devices=[2,2]0,3,1,2} -> {devices=[1,4]0,3,1,2}'
ordered summed 4 'f32[8,8] {devices=[2,1,2]0,3,1,2 last_tile_dims={unreduced}} -> {devices=[2,2]0,3,1,2}' xla
ordered two-orders 4 'f32[8,8] {devices=[4,1]0,1,3,2} -> {devices=[1,4]<=[4]}'

# What goes wrong on the way is found: no permute, a piece that never arrives.
cp permute.c unpermuted.c
sed -i 's/: (int)sum_of_digits(device, source_digits\[k\]);/: device + 0 * (int)sum_of_digits(device, source_digits[k]);/' unpermuted.c
compiled unpermuted
ran unpermuted 8 1
grep -q '^WRONG: ' out && ok 'it tells so' || not_ok 'it tells so' "$(cat out)"
cp alltoall.c damaged.c
sed -i 's/^\tcall_alltoall(/\tw->out[0] ^= 1;\n&/' damaged.c
compiled damaged
ran damaged 8 1
ran permute 4 2
grep -q 'needs 8 ranks' err && ok 'too few ranks are shown' || not_ok 'too few ranks are shown' "$(cat err)"
finish

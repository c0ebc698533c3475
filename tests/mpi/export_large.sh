#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# MPI programs of tiles that an int does not count: by the calls of MPI 4, and by types of many elements and sums in pieces.
# They are written for the large array; to be run, every size in them is divided by 2^28, and -DMOST=5 makes the types small.
. "$SRC/tests/mpi/lib_mpi.sh"
cd "$TMP" || exit 1
[ -n "$MPICC" ] || { skip 'large MPI programs' 'there is no compiler of MPICH'; exit 0; }
[ -n "$MPIEXEC" ] || { skip 'large MPI programs' 'there is no mpiexec'; exit 0; }
light_start

smaller() { # FILE
	awk '{
		line = ""
		while (match($0, /[0-9]+/)) {
			number = substr($0, RSTART, RLENGTH)
			before = substr($0, 1, RSTART - 1)
			if (before !~ /[A-Za-z_.]$/ && number % 268435456 == 0 && number > 0)
				number = number / 268435456
			line = line before number
			$0 = substr($0, RSTART + RLENGTH)
		}
		print line $0
	}' "$1"
}

try() { # NAME RANKS MESH PROBLEM STRATEGY CALL; the call of MPI 4 that it makes
	status "$1 is written" 0 "$SHARDWALK" export mpi "$1.c" "mesh $3" "$4" "$5"
	try_file "$1" "$2" "$6" '^verified: '
}

# Those whose calls count as another one's do are tried with VERIFY=full.
also_try() { # NAME RANKS MESH PROBLEM STRATEGY CALL
	[ "$VERIFY" != full ] || try "$@"
}

try_file() { # NAME RANKS CALL SAYS
	holds "$1 has calls that count more" "$3_c(" "$1.c"
	"$MPICC" -std=c11 -O1 -Wall -Wextra -Werror -c -o large.o "$1.c" 2>err && ok "$1 compiles as it is" || not_ok "$1 compiles as it is" "$(head -n 5 err)"
	smaller "$1.c" | sed 's/#define REPEAT 5/#define REPEAT 1/' >small.c
	for how in '' -DMOST=5; do
		"$MPICC" -std=c11 -O1 -Wall -Wextra -Werror $how -o small small.c 2>err || not_ok "$1 $how compiles" "$(head -n 5 err)"
		compiled_ranks "$2" ./small >out 2>err
		equal "$1 $how ends" 'status 0' "status $?"
		holds "$1 $how is right" "$4"
	done
}

try allgather 4 '{x: 4}' 'i16[2147483648{x}8589934592, 3] ~> i16[8589934592, 3]' naive MPI_Allgather
also_try alltoall 4 '{x: 2, y: 2}' 'f32[4294967296{x}8589934592, 8] ~> f32[8589934592, 4{x}8]' fused MPI_Alltoall
also_try permute 4 '{x: 2, y: 2}' 'u8[4294967296{x}8589934592, 4] ~> u8[4294967296{y}8589934592, 4]' fused MPI_Sendrecv
try exchange 4 '{x: 4}' 'f32[2147483648{x}8589934592, 8] ~> f32[8589934592, 2{x}8]' direct MPI_Irecv
try allreduce 4 '{x: 4}' 'f64[3221225472, 2]+{x} ~> f64[3221225472, 2]' dtensor MPI_Allreduce
also_try reducescatter 4 '{x: 4}' 'i32[8589934592, 3]+{x} ~> i32[2147483648{x}8589934592, 3]' shardy MPI_Reduce_scatter_block
also_try between 4 '{x: 4}' 'f32[2147483648{x}8589934592] ~> f32[8589934592] on 1' direct MPI_Isend
also_try sums-that-stay 4 '{x: 2, y: 2}' 'f32[4294967296]+{x,y} ~> f32[4294967296]+{x}' xla MPI_Allreduce

# A schedule, whose messages are one row of elements each.
status 'a schedule is written' 0 "$SHARDWALK" --quiet -c 'mesh {x: 2}
type A = f64[8589934592] x->x
type B = f64[8589934592] x->0
compute A(i) = B(i)
schedule .distribute({i}, {io}, {ii}, Grid(x)).communicate(A, io).communicate(B, io)
export mpi schedule.c'
try_file schedule 2 MPI_Isend '^every element is right; '
status 'a small schedule is written' 0 "$SHARDWALK" --quiet -c 'mesh {x: 2}
type A = f64[32] x->x
type B = f64[32] x->0
compute A(i) = B(i)
schedule .distribute({i}, {io}, {ii}, Grid(x)).communicate(A, io).communicate(B, io)
export mpi small.c'
lacks 'it has none of it' 'MOST' small.c

"$SHARDWALK" export mpi small.c 'mesh {x: 4, y: 2}' 'f32[2{x}8, 4] ~> f32[8, 1{x}4]' fused 2>err
lacks 'small ones have none of it' 'MOST' small.c

# What is computed with large tiles, and steps on their pieces, are refused as before.
printf 'mesh {x: 2}\nfn f(A: f32[4294967296{x}8589934592]) -> f32[4294967296{x}8589934592] {\n b = neg A\n return b\n}\n' >large.spmd
refused 'computed' P06 'a tile of more than 2147483647 elements is moved, and nothing else is done with it' \
	"$SHARDWALK" --quiet -c 'program large.spmd; export mpi - program'
finish

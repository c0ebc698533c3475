#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules on ranks: figure 9 on 4 to 9 of them, by shared memory and by messages, with the checksums of a reference that was written apart;
# sums through levels of the mesh; a wrong bit is found.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'schedules'
light_start

CANNON='.distribute({i,j}, {io,jo}, {ii,ji}, Grid(x,y)).divide(k, ko, ki, y).reorder({ko,ii,ji,ki}).rotate(ko, {io,jo}, kos).communicate(A, jo).communicate({B,C}, kos).substitute({ii,ji,ki}, gemm)'
SUMMA='.distribute({i,j}, {io,jo}, {ii,ji}, Grid(x,y)).split(k, ko, ki, 3).reorder({ko,ii,ji,ki}).communicate(A, jo).communicate({B,C}, ko).substitute({ii,ji,ki}, gemm)'
JOHNSON='.distribute({i,j,k}, {io,jo,ko}, {ii,ji,ki}, Grid(x,y,z)).communicate({A,B,C}, ko).substitute({ii,ji,ki}, gemm)'

# Writes the program of a product of matrices as a plan file, $some.
kept() { # NAME MESH DTYPE A B C SCHEDULE
	some=$TMP/$1.json
	numbers=$(printf '%s' "$2" | tr -d '{}' | tr ';' ',')
	cat >"$TMP/$1.spmd" <<-END
		mesh $2

		fn main(B : "$3$5", C : "$3$6") -> "$3$4" {
		  A = compute "A(i,j) = B(i,k) * C(k,j)" by {$numbers} "$7" as "$3$4"
		  return A
		}
	END
	"$SHARDWALK" --quiet -c "program $TMP/$1.spmd; export plan $some program" >"$TMP/out" 2>"$TMP/err" ||
		not_ok "the plan of $1" "$(head -c 400 "$TMP/err")"
}

# By both transports, with and without overlap.
all_ways() { # WHAT RANKS CHECKSUM
	for transport in shared messages; do
		for overlap in on off; do
			[ "$transport$overlap" != sharedoff ] || continue
			ranks "$2" --reps 0 --transport "$transport" --overlap "$overlap" "$some"
			if [ "$status" = 0 ] && [ "$(records complete)" = 1 ] && grep -q "\"checksum\":$3[,}]" "$TMP/out"; then
				ok "$1: $transport, overlap $overlap"
			else
				not_ok "$1: $transport, overlap $overlap" "status $status: $(head -c 400 "$TMP/err") $(grep '"check"' "$TMP/out")"
			fi
		done
	done
}

tiles='[3{x}9, 3{y}9]'
kept cannon '{x: 3, y: 3}' f64 "$tiles" "$tiles" "$tiles" "$CANNON"
all_ways 'Cannon on 9' 9 7375
ranks 9 --reps 0 --flip 4:9 "$some"
[ "$status" = 1 ] && ok 'a wrong bit is found' || not_ok 'a wrong bit is found' "status $status"
kept whole '{x: 3, y: 3}' i64 "$tiles" "$tiles" "$tiles" "$CANNON"
all_ways 'Cannon on 9, whole numbers' 9 7375
kept summa '{x: 3, y: 3}' f64 "$tiles" "$tiles" "$tiles" "$SUMMA"
all_ways 'SUMMA on 9' 9 7375
kept johnson '{x: 2, y: 2, z: 2}' f64 '[4{x}8, 4{y}8] on {z: 0}' '[4{x}8, 4{z}8] on {y: 0}' '[4{z}8, 4{y}8] on {x: 0}' "$JOHNSON"
all_ways 'Johnson on 8' 8 "$(sed -n 's/.*"name": "figure-9-johnson".*"checksum": \([-0-9]*\).*/\1/p' "$SRC/tests/cases/distal-schedules.jsonl")"
kept uneven '{x: 2, y: 2}' f64 '[{x}7, {y}5] by nested' '[{x}7, {y}6] by nested' '[{x}6, {y}5] by nested' "$CANNON"
ranks 4 --reps 2 --warmup 1 "$some"
[ "$status" = 0 ] && [ "$(records total)" = 1 ] && ok 'sizes that do not divide, timed' ||
	not_ok 'sizes that do not divide, timed' "status $status: $(head -c 400 "$TMP/err")"

# As C that verifies itself.
exported() { # WHAT RANKS CHECKSUM COMMANDS
	"$SHARDWALK" --quiet -c "$4
export mpi $TMP/exported.c" >"$TMP/out" 2>"$TMP/err" || not_ok "$1 in C" "$(head -c 400 "$TMP/err")"
	"$MPICC" -Wall -Wextra -Werror -O1 -o "$TMP/exported" "$TMP/exported.c" 2>"$TMP/err" &&
		timeout "$PATIENCE" "$MPIEXEC" -n "$2" "$TMP/exported" >"$TMP/out" 2>>"$TMP/err" </dev/null &&
		grep -q "the checksum is $3\$" "$TMP/out" && ok "$1 in C" ||
		not_ok "$1 in C" "$(head -c 300 "$TMP/err") $(head -c 200 "$TMP/out")"
}

arrays='type A = f64[9, 9] xy->xy
type B = f64[9, 9] xy->xy
type C = f64[9, 9] xy->xy
compute A(i,j) = B(i,k) * C(k,j)'
if [ -n "$MPICC" ]; then
	exported 'Cannon' 9 7375 "mesh {x: 3, y: 3}
$arrays
schedule cannon"
	exported 'a sum over nodes' 4 "[-0-9]*" 'mesh {n: 2; g: 2}
type B = f64[6, 3, 5] [xyz->x, xyz->x]
type C = f64[6, 3, 5] [xyz->x, xyz->x]
type a = f64[] [->0, ->0]
compute a = B(i,j,k) * C(i,j,k)
schedule innerprod'
else
	skip 'schedules in C' 'there is no compiler of MPICH'
fi

finish

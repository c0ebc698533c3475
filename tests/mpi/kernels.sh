#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels by products of matrices, by a matrix and a vector, and by two vectors: every element is right, each in a type of its own
# (with VERIFY=full in each type), with a library and without; a prediction is there; and a library that only one rank lacks is one
# that all lack.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'kernels'
light_start

kernel() { # WHAT MESH TYPE STATEMENT-AND-SCHEDULE
	"$SHARDWALK" --quiet -c "mesh $2
$4
export plan $TMP/kernel.json program" >"$TMP/out" 2>"$TMP/err" || not_ok "the plan of $1" "$(head -c 300 "$TMP/err")"
	for library in '' none; do
		[ -z "$library" ] || export SHARDWALK_BLAS=$library
		ranks 4 --reps 1 --warmup 1 "$TMP/kernel.json"
		verified "$1 in $3, library '$library': every element is right" 1
		sed -n 's/.*"checksum":\([-0-9]*\).*/\1/p' "$TMP/out" >"$TMP/sum$library"
		holds "$1 in $3, library '$library': its time is predicted" '"record":"total".*"predicted_seconds":[0-9]'
		holds "$1 in $3, library '$library': what all ranks multiply is measured" '"product_flops_per_second":[1-9]'
		unset SHARDWALK_BLAS
	done
	equal "$1 in $3: one checksum" "$(cat "$TMP/sum")" "$(cat "$TMP/sumnone")"
}

each_in() { # THREE TYPES
	kernel ttv '{x: 2, y: 2}' $1 "type A = $1[12, 10] xy->xy; type B = $1[12, 10, 7] xyz->xy; type c = $1[7] x->**
compute A(i,j) = B(i,j,k) * c(k)
schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2)).communicate({A,B,c}, jo).substitute({ii,ji,k}, ttv)"
	kernel innerprod '{n: 4}' $2 "type a = $2[] ->0; type B = $2[12, 5, 7] xyz->x; type C = $2[12, 5, 7] xyz->x
compute a = B(i,j,k) * C(i,j,k)
schedule .distribute({i}, {io}, {ii}, Grid(4)).communicate({a,B,C}, io)"
	kernel mttkrp '{x: 2, y: 2, z: 1}' $3 "type A = $3[10, 5] xy->x00; type B = $3[10, 12, 7] xyz->xyz; type C = $3[12, 5] xy->0x0; type D = $3[7, 5] xy->00x
compute A(i,l) = B(i,j,k) * C(j,l) * D(k,l)
schedule .distribute({i,j,k}, {io,jo,ko}, {ii,ji,ki}, Grid(2,2,1)).communicate({A,B,C,D}, ko)"
}
each_in f32 f64 i64
if [ "$VERIFY" = full ]; then
	each_in f64 i64 f32
	each_in i64 f32 f64
fi

# ---- one rank lacks what the others have ----

"$SHARDWALK" --quiet -c 'mesh {x: 2, y: 2}
schedule cannon m=12 n=12 k=12
export plan '"$TMP/cannon.json"' program' >"$TMP/out" 2>&1
for lacks in 0 1; do
	set --
	for rank in 0 1 2 3; do
		named=libscalapack-mpich.so.2.2
		[ $rank != $lacks ] || named=none
		set -- "$@" : -n 1 -env SHARDWALK_SCALAPACK $named "$EXEC" --reps 0 --pdgemm main "$TMP/cannon.json"
	done
	shift
	timeout "$PATIENCE" "$MPIEXEC" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	equal "rank $lacks lacks ScaLAPACK: all of them end" 3 "$?"
	says "rank $lacks lacks ScaLAPACK: the package is named" 'the package libscalapack-mpich2.2 has it'
	equal "rank $lacks lacks ScaLAPACK: it is said once" 1 "$(grep -c 'ScaLAPACK cannot be used' "$TMP/err")"
done
finish

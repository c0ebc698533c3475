#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Products beside those of ScaLAPACK, in the same launch on the same arrays; and what a neighbour on the host has is read there.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'pdgemm'
light_start

problem() { # MESH A B C STATEMENT
	printf 'mesh %s\ntype A = f64%s\ntype B = f64%s\ntype C = f64%s\ncompute %s\n' "$@"
}

square=$(problem '{x: 2, y: 2}' '[30, 44] xy->xy' '[30, 52] xy->xy' '[52, 44] xy->xy' 'A(i,j) = B(i,k) * C(k,j)')

# ---- read in place ----

in_place() { # WHAT PROBLEM SCHEDULE RANKS MESSAGES IN-PLACE
	"$SHARDWALK" --quiet -c "$2
$3
export plan $TMP/some.json program" >"$TMP/out" 2>"$TMP/err" || not_ok "the plan of $1" "$(head -c 300 "$TMP/err")"
	for way in on off; do
		ranks "$4" --reps 1 --warmup 1 --transport shared --in-place $way "$TMP/some.json"
		count=$6
		[ $way = on ] || count=0
		verified "$1, in place $way: every element is right" 1
		holds "$1, in place $way: $count messages are" "\"messages\":$5,\"messages_in_place\":$count[,}]"
		sed -n 's/.*"checksum":\([-0-9]*\).*/\1/p' "$TMP/out" >"$TMP/$way"
	done
	equal "$1: one checksum" "$(cat "$TMP/off")" "$(cat "$TMP/on")"
	ranks "$4" --reps 0 --transport messages "$TMP/some.json"
	holds "$1: by messages none is" "\"messages\":$5,\"messages_in_place\":0[,}]"
}

in_place 'Cannon' "$square" 'schedule cannon' 4 8 8
in_place 'SUMMA' "$square" 'schedule summa' 4 8 8
turned=$(problem '{x: 2, y: 2}' '[30, 44] xy->xy' '[52, 30] xy->xy' '[44, 52] xy->xy' 'A(i,j) = B(k,i) * C(j,k)')
tiles='schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2))'
in_place 'what two tiles make is copied' "$turned" "$tiles.communicate({A,B,C}, jo)" 4 12 0
in_place 'turned factors' "$turned" "$tiles.divide(k, ko, ki, 2).reorder({ko,ii,ji,ki}).communicate(A, jo).communicate({B,C}, ko)" 4 12 12

"$SHARDWALK" --quiet -c "$square
schedule cannon
export plan $TMP/some.json program" >"$TMP/out" 2>&1
ranks 4 --reps 0 --transport shared --flip 2:9 "$TMP/some.json"
equal 'a wrong bit is found' 1 "$status"
ranks 4 --in-place perhaps "$TMP/some.json"
equal 'on or off' 2 "$status"

status 'run says it' 0 "$SHARDWALK" --quiet -c "$square
schedule cannon
run --reps 1 --warmup 1
run --reps 1 --warmup 1 --in-place off"
holds 'how many were read in place' '8 of 8 messages were read in place, without a copy'
holds 'and none' '0 of 8 messages were read in place'

# ---- ScaLAPACK ----

export SHARDWALK_SCALAPACK=none
status 'without ScaLAPACK' 0 "$SHARDWALK" --quiet -c "$square
run --compare cannon,pdgemm --launches 1 --reps 1"
holds 'it is left out' '^pdgemm: left out: SHARDWALK_SCALAPACK does not name a library$'
ranks 4 --reps 0 --pdgemm main "$TMP/some.json"
equal 'the executor lacks it' 3 "$status"
says 'and names the package' 'the package libscalapack-mpich2.2 has it'

# A host that has it starts ranks on hosts that do not: what is loaded here is a library without pdgemm.
echo 'int nothing_of_this_name;' >"$TMP/empty.c"
${CC:-cc} -shared -fPIC -o "$TMP/empty.so" "$TMP/empty.c"
export SHARDWALK_SCALAPACK="$TMP/empty.so"
for rows in pdgemm,cannon cannon,pdgemm; do
	status "$rows where the ranks have none" 0 "$SHARDWALK" --quiet -c "$square
run --compare $rows --launches 1 --reps 1"
	holds "$rows: the other one is measured" '^medians as multiples of the smallest: cannon 1.00$'
	holds "$rows: it is left out" '^pdgemm: left out: ScaLAPACK cannot be used: '
done
status 'alone it is an error' 3 "$SHARDWALK" --quiet -c "$square
run --compare pdgemm --launches 1 --reps 1"
holds 'of the library' '^error\[E02\]: ScaLAPACK cannot be used: ' "$TMP/err"
unset SHARDWALK_SCALAPACK

ranks 4 --reps 0 --pdgemm main "$TMP/some.json"
if [ "$status" = 3 ] && grep -q 'ScaLAPACK cannot be used' "$TMP/err"; then
	skip 'pdgemm' 'there is no libscalapack-mpich'
	finish
fi
verified 'pdgemm on 4' 1
holds 'it says its file' '"pdgemm_file":"/[^"]*libscalapack'
equal 'its checksum is that of the schedule' "$(ranks 4 --reps 0 "$TMP/some.json"; sed -n 's/.*"checksum"://p' "$TMP/out")" \
	"$(ranks 4 --reps 0 --pdgemm main "$TMP/some.json"; sed -n 's/.*"checksum"://p' "$TMP/out")"

beside() { # WHAT PROBLEM NAMES OPTION...
	what=$1 text=$2 names=$3
	shift 3
	status "$what" 0 "$SHARDWALK" --quiet -c "$text
run --compare $names --launches 1 --reps 1 --warmup 1 $*"
	holds "$what: every element is right" 'every element of every rank was right'
	holds "$what: its best blocks" '^pdgemm: the product alone, in blocks of [0-9]*, the best of 32 to 256; plus [0-9.e-]* ms to blocks and back; '
}

beside 'beside two schedules' "$square" cannon,pdgemm,summa
holds 'one BLAS' '; as the others it multiplies by /'
holds 'ratios' '^medians as multiples of the smallest: cannon [0-9.]*, pdgemm [0-9.]*, summa [0-9.]*$'
beside 'alone, by messages' "$square" pdgemm --transport messages
beside 'factors that are turned' \
	"$(problem '{x: 4}' '[40, 56] xy->x' '[80, 40] xy->x' '[56, 80] xy->x' 'A(i,j) = C(j,k) * B(k,i)')" summa,pdgemm

export SHARDWALK_BLAS=none
beside 'another BLAS' "$square" cannon,pdgemm
holds 'which is said' 'it multiplies by /.*, the others by a plain loop: there is no ratio$'
holds 'and no ratio' '^medians as multiples of the smallest: cannon 1\.00$'

finish

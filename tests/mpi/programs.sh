#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs on ranks: random ones from a printed seed (PROGRAMS says how many, default 6), every value compared with whole arrays; the
# product of the library and of the plain loop; one that is spoiled; one that is not for so many ranks.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'programs'
light_start
[ -x "$BUILD/tests/test_simulate" ] || { skip 'programs' 'test_simulate is not built'; exit 0; }

says_out() { # NAME PATTERN
	if grep -q -- "$2" "$TMP/out"; then ok "$1"; else not_ok "$1" "'$2' is not in: $(head -c 400 "$TMP/out")"; fi
}

mkdir "$TMP/drawn"
PROGRAMS=${PROGRAMS:-6} FOLDER=$TMP/drawn CASES=$TMP "$BUILD/tests/test_simulate" >"$TMP/seed" 2>&1 ||
	not_ok 'random programs' "$(tail -c 400 "$TMP/seed")"
sed -n 's/^programs: /# /p' "$TMP/seed"
for n in 2 4 8; do
	files=$(ls "$TMP/drawn/$n"-*.json 2>/dev/null)
	[ -n "$files" ] || continue
	count=$(echo "$files" | wc -l)
	ranks "$n" --reps 0 $files
	complete=$(records complete)
	[ "$status" = 0 ] && [ "$complete" = "$count" ] && ok "$count random programs on $n ranks" ||
		not_ok "$count random programs on $n ranks" "status $status, $complete complete: $(head -c 400 "$TMP/err")"
	some=$(echo "$files" | head -n 1)
	ranks "$n" --reps 0 --transport messages "$some"
	[ "$status" = 0 ] && ok "by messages on $n ranks" || not_ok "by messages on $n ranks" "$(head -c 400 "$TMP/err")"
done

# What is spoiled is the same always: a drawn value may be so small beside others that their sum hides a bit of it.
kept() { # NAME: its text is in $TMP/NAME.spmd
	"$SHARDWALK" --quiet -c "program $TMP/$1.spmd; export plan $TMP/$1.json" >"$TMP/out" 2>"$TMP/err" ||
		not_ok "the plan of $1" "$(head -c 400 "$TMP/err")"
	some=$TMP/$1.json
}
spoiled() { # NAME OPTIONS...
	what=$1
	shift
	ranks 2 --reps 0 --flip 1:3 "$@" "$some"
	[ "$status" = 1 ] && ok "$what" || not_ok "$what" "status $status"
	says 'and where' 'on device'
}
printf 'mesh {x: 2}\nfn main(a : [6{x}12, 8]) -> [6{x}12, 8] { b = redistribute a as [6{x}12, 8] return b }\n' >"$TMP/input.spmd"
kept input
spoiled 'a wrong bit of an input that is returned is found'
printf 'mesh {x: 2}\nfn main(a : [12, 4{x}8], b : [4{x}8, 6]) -> [12, 6]+{x} { c = einsum "ij,jk->ik" a b as [12, 6]+{x} return c }\n' >"$TMP/terms.spmd"
kept terms
spoiled 'a wrong bit of a term is found'
spoiled 'a wrong bit of a term is found by messages' --transport messages
printf 'mesh {x: 2}\nfn main(a : [12, 4{x}8], b : [4{x}8, 6]) -> [6{x}12, 6] { c = einsum "ij,jk->ik" a b as [6{x}12, 6] return c }\n' >"$TMP/product.spmd"
kept product
spoiled 'a wrong bit is found'
export SHARDWALK_BLAS=none
ranks 2 --reps 2 --warmup 1 "$some"
[ "$status" = 0 ] && [ "$(records total)" = 1 ] && ok 'times of the plain loop' ||
	not_ok 'times of the plain loop' "$(head -c 400 "$TMP/err")"
SHARDWALK_BLAS=$TMP/none.so
ranks 2 --reps 0 "$some"
[ "$status" = 3 ] && ok 'a library that is not there' || not_ok 'a library that is not there' "status $status"
says 'a library that is not there is named' 'none.so'
unset SHARDWALK_BLAS
ranks 3 --reps 0 "$some"
[ "$status" = 1 ] && ok 'another number of ranks' || not_ok 'another number of ranks' "status $status"
# `run` executes the present program.
for one in gather reduce scatter turn; do
	"$SHARDWALK" --quiet -c "program $SRC/samples/matrices/question-8-$one.spmd; run --reps 1 --warmup 0 --json" >"$TMP/out" 2>"$TMP/err"
	status=$?
	verified "question 8, $one" 1
	says_out "question 8, $one: the step is timed" '"record":"step".*"seconds":{'
done
if [ "$VERIFY" = full ]; then
	"$SHARDWALK" --quiet -c "program $SRC/samples/redistribution/listing-3.spmd; set max_ranks 32; run --reps 1 --warmup 0 --json" \
		>"$TMP/out" 2>"$TMP/err"
	status=$?
	verified 'listing 3 on 32 ranks' 1
fi
# What `assign` moves for several uses is a step of its own.
"$SHARDWALK" --quiet -c 'program mesh {x: 2} fn main(x : [8{x}16, 2], u : [2, 8], w : [2, 8]) -> [16, 8] {
  q = einsum "bd,df->bf" x u as ? k = einsum "bd,df->bf" x w as ? m = mul q k as ? return m }
assign; run --reps 1 --warmup 0 --json' >"$TMP/out" 2>"$TMP/err"
status=$?
verified 'an input that is moved for its uses' 1
moves=$(grep -o '"op":"redistribute"' "$TMP/out" | wc -l)
[ "$moves" = 1 ] && ok 'it is moved once' || not_ok 'it is moved once' "$moves moves"
# A product is run in its first way, or in several beside each other.
product='mesh {x: 4}; hardware mine = 20GB/s 3us copy 30GB/s flops 1e12; model latency; einsum ij,jk->ik [32, {x}64], [64, 48] as [{x}32, 48]'
"$SHARDWALK" --quiet -c "$product; run --reps 1 --warmup 0 --json" >"$TMP/out" 2>"$TMP/err"
status=$?
verified 'the fastest way of a product' 1
"$SHARDWALK" --quiet -c "$product; run --compare ways --limit 2 --reps 1 --warmup 0; compare --limit 3 --json" >"$TMP/out" 2>"$TMP/err"
status=$?
[ "$status" = 0 ] && ok 'ways beside each other' || not_ok 'ways beside each other' "$(head -c 400 "$TMP/err")"
says_out 'which one was fastest' '^way [12] was fastest'
measured=$(tail -n 1 "$TMP/out" | jq '[.ways[] | select(.measured_seconds > 0) | .way] | sort | join(" ")')
[ "$measured" = '"1 2"' ] && ok 'compare knows what was measured' || not_ok 'compare knows what was measured' "$measured"
"$SHARDWALK" --quiet -c "$product; run --compare fused" >"$TMP/out" 2>"$TMP/err"
says 'strategies are for plans' 'L13.*ways, not strategies'
cat >"$TMP/large.spmd" <<'END'
mesh {x: 2}
fn large(a : [1000000{x}2000000, 2000000], b : [2000000, 2000000]) -> ? {
  c = einsum "ij,jk->ik" a b
  return c
}
END
"$SHARDWALK" --quiet -c "program $TMP/large.spmd; run" >"$TMP/out" 2>"$TMP/err"
says 'more than memory is refused with the numbers' 'E01.*needs .* TiB .* and has .* 2 ranks with'
says 'and what would do' 'smaller sizes on the same mesh'
cat >"$TMP/chosen.spmd" <<'END'
mesh {x: 2, y: 2}
fn main(x : ?[12, 12], w : [6{x}12, 8]) -> [12, 8] {
  h = einsum "bd,df->bf" x w as ?
  return h
}
END
"$SHARDWALK" --quiet -c "program $TMP/chosen.spmd; assign; run --reps 1 --warmup 0 --json" >"$TMP/out" 2>"$TMP/err"
status=$?
verified 'types that were chosen, and a use in another one' 1
"$SHARDWALK" --quiet -c "program $SRC/samples/matrices/blocks.spmd; run --reps 2 --warmup 0" >"$TMP/out" 2>"$TMP/err"
says_out 'a picture of the times' 'C = einsum A B'
says_out 'what multiplied' 'products by'
finish

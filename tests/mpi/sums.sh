#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sums on ranks: every operation that adds, fills with zeros or carries terms, on 2 to 8 ranks and every element type, in shared memory,
# by messages and by the library's own reductions; elements and terms are proved after every step, and all ways agree bit by bit.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'sums'
light_start

# Writes $TMP/NAME.json, a plan of operations by hand.
by_hand() { # NAME MESH TYPE OPERATIONS TYPE
	"$SHARDWALK" --quiet -c "mesh $2; from $3; to $5; $4; export plan $TMP/$1.json" >"$TMP/hand.out" 2>&1 &&
		[ -s "$TMP/$1.json" ] || { not_ok "plan $1" "$(head -c 400 "$TMP/hand.out")"; finish; }
}

cat >"$TMP/2" <<'E'
{x: 2}|[10]+{x}|apply allreduce {x}|[10]
{x: 2}|[]+{x}|apply allreduce {x}|[]
{x: 2}|[4, 6]+{x}|apply reducescatter(1, {x})|[4, 3{x}6]
{x: 2}|[4, 6]|apply zeros {x}|[4, 6]+{x}
{x: 2}|[4, 3{x}6]|apply pad(1)|[4, 6]+{x}
E
cat >"$TMP/3" <<'E'
{x: 3}|[5]+{x}|apply allreduce {x}|[5]
{x: 3}|[9, 6, 5]+{x}|apply reducescatter(0, {x}); apply alltoall(0, 1)|[9, 2{x}6, 5]
E
cat >"$TMP/4" <<'E'
{x: 2, y: 2}|[8{x}16, 12]+{y}|apply reducescatter {y} [[0,2]] [[1,4]]|[16, 3{x,y}12]
{x: 2, y: 2}|[8{x}16, 12]+{y}|apply reducescatter {y} [[0,2]] [[1,4]] {y,x}|[16, 3{y,x}12]
{x: 2, y: 2}|[16, 12]+{x}|apply dynslice(0, y); apply reducescatter(1, {x}); apply allgather(1); apply allgather(0)|[16, 12]
{x: 2, y: 2}|[16, 12]+{x}|apply allpermute|[16, 12]+{y}
{x: 4}|[16, 12]+{x}|apply allreduce {x}; apply zeros {x}|[16, 12]+{x}
E
cat >"$TMP/6" <<'E'
{x: 2, y: 3}|[16, 12]+{x,y}|apply allreduce {y}; apply reducescatter(1, {x})|[16, 6{x}12]
{x: 2, y: 3}|[12, 4{y}12]+{x}|apply alltoall(1, 0)|[4{y}12, 12]+{x}
{x: 2, y: 3}|[12, 4{y}12]+{x}|apply pad(1); apply allreduce {x,y}|[12, 12]
E
cat >"$TMP/8" <<'E'
{x: 2, y: 4}|[8{x}16, 12]+{y}|apply reducescatter(1, {y}); apply allgather(0)|[16, 3{y}12]
{x: 2, y: 2, z: 2}|[8{x}16, 6{z}12]+{y}|apply allpermute|[8{y}16, 6{x}12]+{z}
{x: 8}|[64, 24, 3]+{x}|apply reducescatter(0, {x}); apply allgather(0)|[64, 24, 3]
E
# Each by one type of elements after the other; with VERIFY=full by all three.
dtypes='f32 bf16 u64'
plans_by_hand() { # RANKS
	while IFS='|' read -r mesh from hand to; do
		[ "$VERIFY" = full ] || dtypes=$(echo "${dtypes##* } ${dtypes% *}")
		for dtype in $([ "$VERIFY" = full ] && echo "$dtypes" || echo "${dtypes%% *}"); do
			by_hand "plans/hand-$(ls "$TMP/plans" | wc -l)" "$mesh" "$dtype$from" "$hand" "$dtype$to"
		done
	done <"$TMP/$1"
}

# Every element type; the f8 types are refused.
plans_of_types() {
	for dtype in i8 u8 i16 u16 f16 bf16 i32 u32 f32 i64 u64 f64 c64 c128; do
		by_hand "plans/type-$dtype" '{x: 2, y: 2}' "$dtype[8{x}16, 12]+{y}" 'apply reducescatter(1, {y}); apply allgather(0)' \
			"${dtype}[16, 6{y}12]"
	done
}

# Tiles of several blocks, with gaps, and as large as streaming stores begin.
plans_of_large_tiles() {
	by_hand plans/large '{x: 4}' 'bf16[1024, 2048]+{x}' 'apply reducescatter(1, {x})' 'bf16[1024, 512{x}2048]'
	by_hand plans/all '{x: 4}' 'f32[1021, 1031]+{x}' 'apply allreduce {x}' 'f32[1021, 1031]'
}

# Drawn problems, planned by every strategy that takes them: 2 for each number of ranks, 40 with VERIFY=full.
SEED=${SEED:-$(date +%s)}
echo "# SEED=$SEED"
drawn=2
[ "$VERIFY" != full ] || drawn=40
draw() { # RANKS COUNT
	awk -v ranks="$1" -v count="$2" -v seed="$SEED" '
		function below(n) { return int(rand() * n) }
		function type(    d, a, n, tile, cut, sums, text, order) {
			for (d = 1; d <= dims; d++) { tile[d] = size[d]; cut[d] = "" }
			sums = ""; order = below(axes)
			for (n = 0; n < axes; n++) {
				a = (n + order) % axes + 1; d = 1 + below(dims)
				if (rand() < 0.35) { sums = sums (sums ? "," : "") name[a] }
				else if (rand() < 0.8 && tile[d] % length_of[a] == 0) { cut[d] = cut[d] (cut[d] ? "," : "") name[a]; tile[d] /= length_of[a] }
			}
			for (d = 1; d <= dims; d++) text = text (d > 1 ? ", " : "") (cut[d] ? tile[d] "{" cut[d] "}" : "") size[d]
			has_sums = has_sums || sums
			return dtype "[" text "]" (sums ? "+{" sums "}" : "")
		}
		BEGIN {
			srand(seed + ranks)
			split("x y z", name, " ")
			shapes[2] = "2"; shapes[3] = "3"; shapes[4] = "2,2 4"; shapes[6] = "2,3 6 3,2"; shapes[8] = "2,2,2 2,4 8"
			split("f32 bf16 i32 f64 f16 c64 u8", dtypes, " "); split("12 24 36 48", sizes, " ")
			for (made = 0; made < count;) {
				axes = split(shapes[ranks], choice, " "); axes = split(choice[1 + below(axes)], length_of, ",")
				mesh = ""
				for (a = 1; a <= axes; a++) mesh = mesh (a > 1 ? ", " : "") name[a] ": " length_of[a]
				dims = 1 + below(3); dtype = dtypes[1 + below(7)]; has_sums = 0
				for (d = 1; d <= dims; d++) size[d] = sizes[1 + below(4)]
				from = type(); to = type()
				if (has_sums) { print "{" mesh "} " from " ~> " to; made++ }
			}
		}'
}
plans_of_drawn_problems() { # RANKS
	draw "$1" $drawn >"$TMP/drawn"
	for strategy in fused exact sum-first naive paper direct xla shardy dtensor; do
		"$SHARDWALK" batch "$TMP/drawn" --strategy "$strategy" --json --maps 2>"$TMP/batch.err" | grep '"steps":' >"$TMP/drawn.plans"
		case $strategy in fused | exact | sum-first)
			equal "$1 ranks: $strategy has all plans (seed $SEED)" $drawn "$(wc -l <"$TMP/drawn.plans" | tr -d ' ')" ;;
		esac
		split -l 1 -a 3 "$TMP/drawn.plans" "$TMP/plans/drawn-$strategy-"
	done
}

# All plans for as many ranks run in one launch.
for n in 2 3 4 6 8; do
	rm -rf "$TMP/plans" && mkdir "$TMP/plans"
	plans_by_hand "$n"
	[ $n != 4 ] || { plans_of_types && plans_of_large_tiles; }
	plans_of_drawn_problems "$n"
	set -- "$TMP"/plans/*
	PATIENCE=600 ranks "$n" --reps 0 --check-steps "$@"
	verified "$n ranks, shared memory (seed $SEED)" $#
	digests >"$TMP/digests"
	for how in '--transport messages' --collectives; do
		PATIENCE=600 ranks "$n" --reps 0 --check-steps $how "$@"
		verified "$n ranks, $how (seed $SEED)" $#
		equal "$n ranks, $how: the same, bit by bit (seed $SEED)" "$(cat "$TMP/digests")" "$(digests)"
	done
	case $VERIFY$n in 2 | 3 | 6) continue ;; esac
	set -- "$TMP"/plans/hand-*
	[ "$n$VERIFY" != 4full ] || set -- "$@" "$TMP"/plans/type-* "$TMP/plans/large.json" "$TMP/plans/all.json"
	ranks "$n" --reps 1 --warmup 0 "$@"
	verified "$n ranks, with times" $#
done

by_hand f8 '{x: 2}' 'f8e5m2[4]+{x}' 'apply allreduce {x}' 'f8e5m2[4]'
ranks 2 "$TMP/f8.json"
says 'f8 is refused' 'elements of type f8e5m2 are not added on ranks'
says 'with the way out' 'verify'

# What is done with runs is done with these.
status 'strategies beside each other' 0 "$SHARDWALK" --quiet run 'mesh {x: 2, y: 2}' 'f32[256, 256]+{x} ~> f32[256, 256]' --compare fused,sum-first --launches 1 --reps 2 --samples "$TMP/samples.csv"
holds 'have times' '2 sum-first'
status 'many sizes' 0 "$SHARDWALK" --quiet run 'mesh {x: 2, y: 2}' 'f32[256, 256]+{x} ~> f32[256, 256]' --sweep 64KiB:256KiB --reps 1
holds 'have times too' '256 KiB'

# A line says what the data here cannot show; integers have none.
ends='from f32[8{x}16, 12]+{y}; to f32[16, 12]; apply reducescatter(1, {y}); apply allgather(1); apply allgather(0)'
status 'run of a sum' 0 "$SHARDWALK" --quiet -c "mesh {x: 2, y: 4}; $ends; run --reps 1"
holds 'says what the order of adding changes' '^f32: on other data, the order of adding changes the last digits, in step 1, by 3.6e-07 of'
status 'run of a sum of integers' 0 "$SHARDWALK" --quiet -c "mesh {x: 2, y: 4}; $(echo "$ends" | sed 's/f32/i32/g'); run --reps 1"
holds 'is proved' 'every element of every rank was right'
lacks 'and says nothing of it' 'order of adding'

# What is wrong is found: a value, a term, a copy of a term.
by_hand value '{x: 2, y: 2}' 'i32[8{x}16, 12]+{y}' 'apply allreduce {y}' 'i32[8{x}16, 12]'
by_hand term '{x: 2, y: 2}' 'i32[8{x}16, 12]' 'apply zeros {y}' 'i32[8{x}16, 12]+{y}'
by_hand copy '{x: 2, y: 2}' 'i32[16, 12]' 'apply zeros {y}' 'i32[16, 12]+{y}'
ranks 4 --reps 0 --flip 3:5 "$TMP/value.json" "$TMP/term.json" "$TMP/copy.json"
equal 'what is wrong ends with status 1' 1 "$status"
equal 'each is found' 3 "$(grep -c '"verified":false' "$TMP/out")"
says 'a wrong value is named' 'value.json.*element \[0, 1\] of the tile on device 3 is wrong'
says 'a wrong term is named' 'term.json.*the 2 terms of element \[8, 1\] do not add up, on device 2 and those with it'
says 'a copy that differs is named' 'copy.json.*term 2 of 2 of element \[0, 1\] on device 3 is not that of device 1'
finish

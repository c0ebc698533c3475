#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every operation, every strategy, meshes of 2 to 8 ranks, every element type: all elements are proved after every
# step, and shared memory, messages and the library's own collectives agree bit by bit.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'run plans'
light_start

cat >"$TMP/2" <<'E'
{x: 2} i8[4{x}8, 6] ~> i8[8, 3{x}6]
{x: 2} c128[{x}8, 6] ~> c128[8, 6]
{x: 2} f64[8, 6] ~> f64[8, {x}6]
{x: 2} f32[10] ~> f32[{x}10]
E
cat >"$TMP/3" <<'E'
{x: 3} i16[{x}9, 6, 5] ~> i16[9, {x}6, 5]
{x: 3} f8e5m2[{x}9, 6, 5] ~> f8e5m2[9, 6, 5]
E
cat >"$TMP/4" <<'E'
{x: 2, y: 2} f16[{x}16, {y}12] ~> f16[{y}16, {x}12]
{x: 2, y: 2} pred[{x,y}16, 12, 4] ~> pred[16, {x}12, {y}4]
{x: 4} u64[16, {x}12, 4] ~> u64[{x}16, 12, 4]
{x: 2, y: 2} bf16[{x}16, {y}12] ~> bf16[16, 12]
E
cat >"$TMP/6" <<'E'
{x: 6} f32[{x}12, 18] ~> f32[12, {x}18]
{x: 2, y: 3} c64[{x}12, {y}18] ~> c64[{y}12, {x}18]
{x: 3, y: 2} i32[{x,y}12, 18, 2] ~> i32[{y}12, {x}18, 2]
{x: 2, y: 3} u8[{y}12, 18] ~> u8[12, {x}18]
E
cat >"$TMP/8" <<'E'
{x: 2, y: 4} f32[{x}32, {y}24] ~> f32[{y}32, {x}24]
{x: 2, y: 2, z: 2} f64[{x}16, {y}8, {z}4] ~> f64[{z}16, {x}8, {y}4]
{x: 8} f32[{x}32, 24, 3] ~> f32[32, {x}24, 3]
{x: 2, y: 2, z: 2} i64[{x,y}16, {z}8] ~> i64[16, {x}8]
{x: 4, y: 2} u16[{y}32, {x}24] ~> u16[{x,y}32, 24]
E
for n in 2 3 4 6 8; do
	for strategy in naive paper exact fused direct; do
		"$SHARDWALK" batch "$TMP/$n" --strategy "$strategy" --json --maps >"$TMP/plans" 2>"$TMP/err" \
			|| not_ok "plans for $n ranks" "$(head -c 300 "$TMP/err")"
		split -l 1 -a 2 --additional-suffix=.json "$TMP/plans" "$TMP/p$n-$strategy-"
	done
	set -- "$TMP"/p"$n"-*.json
	for how in --transport=shared --transport=messages --collectives; do
		ranks $n --reps 0 --check-steps "$how" "$@"
		verified "$n ranks, $how" $#
		digests >"$TMP/digests$how"
	done
	if cmp -s "$TMP/digests--transport=shared" "$TMP/digests--transport=messages" \
		&& cmp -s "$TMP/digests--transport=shared" "$TMP/digests--collectives"; then ok "$n ranks: the same bytes"
	else not_ok "$n ranks: the same bytes" 'transports differ'; fi
done

# Pieces with gaps on both sides that are longer than a buffer, and more messages than buffers.
plan long fused '{x: 2}' 'f32[64, {x}512, 32] ~> f32[64, 512, {x}32]'
plan wide fused '{x: 8}' 'f64[64, {x}512, 32] ~> f64[64, 512, {x}32]'
ranks 2 --reps 0 --transport messages "$TMP/long.json"
verified 'pieces longer than a buffer' 1
ranks 8 --reps 0 --transport messages "$TMP/wide.json"
verified 'more pieces than buffers' 1
finish

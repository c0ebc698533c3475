/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of boxes, block by block: what is added stays in the nearest cache until it is written.
 *
 * The kernels that add know consecutive elements only; rows that lie apart are brought together by the kernels that copy.
 */
#include "sum.h"

#include <assert.h>
#include <stddef.h>

enum { BLOCK = 16 << 10 };

/* The part of the box that is at hand: whole runs, or a piece of one. */
struct block {
	const ex_adder *adder;
	int64_t first, runs;   /* whole runs ... */
	int64_t offset, bytes; /* ... or of run `first` so many bytes from `offset` on; else all bytes of the runs */
};

/* Where the block begins on a side where it is consecutive. */
static int64_t place(const struct block *block, const ex_shape *shape, bool from)
{
	ex_cursor cursor;
	ex_cursor_start(&cursor, shape, block->first, block->runs);
	return (from ? cursor.from : cursor.into) + block->offset;
}

/* The bytes of a term, one after the other: where they lie, or in `room`. */
static const char *bring(const struct block *block, const ex_term *term, char *room)
{
	ex_shape packed;
	if (block->runs == 1 || ex_shape_from_whole(&term->shape))
		return term->from + place(block, &term->shape, true);
	ex_shape_pack(&term->shape, &packed);
	ex_copy(&packed, room - block->first * packed.run, term->from, block->first, block->runs, EX_PLAIN);
	return room;
}

/* From one place after the other to where they belong. */
static void put(const struct block *block, const ex_shape *shape, char *into, const char *bytes, ex_store store)
{
	ex_shape unpacked;
	if (block->runs == 1 || ex_shape_into_whole(shape)) {
		ex_copy_bytes(into + place(block, shape, false), bytes, block->bytes, store);
		return;
	}
	ex_shape_unpack(shape, &unpacked);
	ex_copy(&unpacked, into, bytes - block->first * unpacked.run, block->first, block->runs, store);
}

/* Sums the block of all terms, some at a time. */
static void sum_terms(const struct block *block, const ex_term *term, int count, char *sum, char (*room)[BLOCK])
{
	const void *from[EX_ADD_MOST];
	for (int i = 0, n; i < count; i += n) {
		n = count - i < EX_ADD_MOST ? count - i : EX_ADD_MOST;
		for (int k = 0; k < n; k++)
			from[k] = bring(block, &term[i + k], room[k]);
		block->adder->add(sum, from, n, i > 0, block->bytes / block->adder->element);
	}
}

static void sum_block(const struct block *block, const ex_term *term, int count, char *into, ex_store store)
{
	_Alignas(64) char sum[2 * BLOCK], room[EX_ADD_MOST][BLOCK];
	const ex_adder *adder = block->adder;
	if (count == 1) {
		put(block, &term->shape, into, bring(block, term, room[0]), store);
		return;
	}
	sum_terms(block, term, count, sum, room);
	if (adder->end)
		adder->end(room[0], sum, block->bytes / adder->element);
	put(block, &term->shape, into, adder->end ? room[0] : sum, store);
}

/* A run that is longer than a block, piece by piece. */
static void sum_run(const ex_adder *adder, const ex_term *term, int count, char *into, int64_t run, ex_store store)
{
	int64_t bytes = term->shape.run;
	for (int64_t at = 0; at < bytes; at += BLOCK) {
		int64_t left = bytes - at;
		struct block block = {adder, run, 1, at, left < BLOCK ? left : BLOCK};
		sum_block(&block, term, count, into, store);
	}
}

void ex_sum(const ex_adder *adder, const ex_term *term, int count, char *into, int64_t first, int64_t runs,
	ex_store store)
{
	assert(count >= 1 && first >= 0);
	int64_t run = term->shape.run, at_once = run < BLOCK ? BLOCK / run : 1;
	for (int64_t i = first, n; i < first + runs; i += n) {
		n = first + runs - i < at_once ? first + runs - i : at_once;
		struct block block = {adder, i, n, 0, n * run};
		if (run > BLOCK)
			sum_run(adder, term, count, into, i, store);
		else
			sum_block(&block, term, count, into, store);
	}
}

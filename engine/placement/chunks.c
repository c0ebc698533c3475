/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices hold of a sum, chunk by chunk, and what collectives do to it (seed 001, figure 8).
 */
#include <shardwalk/reduction.h>

#include <string.h>

#include "step/row.h"

static const char *const premise_names[] = {"holds",
#define X(id, name) name,
	SW_PREMISES(X)
#undef X
};

const char *sw_premise_name(sw_premise premise)
{
	return premise_names[premise];
}

uint64_t *sw_chunks_row(const sw_chunks *chunks, int device, int chunk)
{
	return chunks->bits + ((size_t)device * (size_t)chunks->count + (size_t)chunk) * (size_t)chunks->words;
}

bool sw_chunks_start_beside(sw_chunks *chunks, int devices, const int *share, int count, sw_arena *arena)
{
	chunks->devices = devices;
	chunks->count = count;
	chunks->words = (count + 63) / 64;
	chunks->bits = SW_NEW_ZERO(arena, uint64_t, (size_t)devices * (size_t)count * (size_t)chunks->words);
	chunks->sum = SW_NEW(arena, uint64_t, (size_t)count * (size_t)chunks->words);
	if (chunks->bits == NULL || chunks->sum == NULL)
		return false;
	for (int d = 0; d < devices; d++) {
		int own = share ? share[d] : d;

		for (int c = 0; c < count; c++)
			sw_chunks_row(chunks, d, c)[own / 64] = (uint64_t)1 << own % 64;
	}
	return true;
}

bool sw_chunks_start(sw_chunks *chunks, int devices, sw_arena *arena)
{
	return sw_chunks_start_beside(chunks, devices, NULL, devices, arena);
}

/* ---- rows ---- */

static bool row_empty(const sw_chunks *chunks, int64_t device, int chunk)
{
	const uint64_t *row = sw_chunks_row(chunks, (int)device, chunk);

	for (int w = 0; w < chunks->words; w++)
		if (row[w] != 0)
			return false;
	return true;
}

static int rows_held(const sw_chunks *chunks, int64_t device)
{
	int count = 0;

	for (int c = 0; c < chunks->count; c++)
		count += !row_empty(chunks, device, c);
	return count;
}

/* The union of a row of two members would hold something twice. */
static bool rows_meet(const sw_chunks *chunks, const uint64_t *sum, int64_t device, int chunk)
{
	const uint64_t *row = sw_chunks_row(chunks, (int)device, chunk);

	for (int w = 0; w < chunks->words; w++)
		if (row[w] & sum[w])
			return true;
	return false;
}

static void row_add(const sw_chunks *chunks, uint64_t *sum, int64_t device, int chunk)
{
	const uint64_t *row = sw_chunks_row(chunks, (int)device, chunk);

	for (int w = 0; w < chunks->words; w++)
		sum[w] |= row[w];
}

/* ---- premises ---- */

static bool same_rows(const sw_chunks *chunks, int64_t a, int64_t b)
{
	for (int c = 0; c < chunks->count; c++)
		if (row_empty(chunks, a, c) != row_empty(chunks, b, c))
			return false;
	return true;
}

/* The rows of all members, added up in `sum`; false where something comes twice. */
static bool add_rows(const sw_chunks *chunks, const int64_t *member, int64_t size, uint64_t *sum)
{
	memset(sum, 0, sizeof *sum * (size_t)chunks->count * (size_t)chunks->words);
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < chunks->count; c++) {
			uint64_t *row = sum + (size_t)c * (size_t)chunks->words;

			if (rows_meet(chunks, row, member[m], c))
				return false;
			row_add(chunks, row, member[m], c);
		}
	return true;
}

static sw_premise premise_to_sum(const sw_chunks *chunks, sw_op op, const int64_t *member, int64_t size,
	uint64_t *sum)
{
	int held = rows_held(chunks, member[0]);

	for (int64_t m = 1; m < size; m++)
		if (!same_rows(chunks, member[0], member[m]))
			return SW_PREMISE_CHUNKS_DIFFER;
	if (held == 0)
		return SW_PREMISE_NOTHING;
	if (!add_rows(chunks, member, size, sum))
		return SW_PREMISE_ADDED_TWICE;
	if (sw_row(op)->leaves == SW_LEAVES_PARTS && held % size != 0)
		return SW_PREMISE_INDIVISIBLE;
	return SW_PREMISE_HOLDS;
}

static sw_premise premise_to_gather(const sw_chunks *chunks, const int64_t *member, int64_t size, uint64_t *sum)
{
	int held = rows_held(chunks, member[0]);

	for (int64_t m = 1; m < size; m++)
		if (rows_held(chunks, member[m]) != held)
			return SW_PREMISE_COUNTS_DIFFER;
	if (held == 0)
		return SW_PREMISE_NOTHING;
	for (int c = 0; c < chunks->count; c++) {
		int holders = 0;

		for (int64_t m = 0; m < size; m++)
			holders += !row_empty(chunks, member[m], c);
		if (holders > 1)
			return SW_PREMISE_SAME_CHUNK;
	}
	add_rows(chunks, member, size, sum);
	return SW_PREMISE_HOLDS;
}

static sw_premise premise_to_broadcast(const sw_chunks *chunks, const int64_t *member, int64_t size, uint64_t *sum)
{
	size_t row = sizeof *sum * (size_t)chunks->count * (size_t)chunks->words;
	bool new = false;

	memcpy(sum, sw_chunks_row(chunks, (int)member[0], 0), row);
	for (int64_t m = 1; m < size; m++) {
		const uint64_t *own = sw_chunks_row(chunks, (int)member[m], 0);

		for (int w = 0; w < chunks->count * chunks->words; w++)
			if (own[w] & ~sum[w])
				return SW_PREMISE_ROOT_KNOWS_LESS;
		new = new || memcmp(own, sum, row) != 0;
	}
	return new ? SW_PREMISE_HOLDS : SW_PREMISE_NOTHING_NEW;
}

static sw_premise premise(const sw_chunks *chunks, sw_op op, const int64_t *member, int64_t size, uint64_t *sum)
{
	switch (sw_row(op)->brings) {
	case SW_BRINGS_PARTS:
		return premise_to_gather(chunks, member, size, sum);
	case SW_BRINGS_ROOT:
		return premise_to_broadcast(chunks, member, size, sum);
	default:
		return premise_to_sum(chunks, op, member, size, sum);
	}
}

/* ---- effects ---- */

static void give_all(sw_chunks *chunks, const int64_t *member, int64_t size, const uint64_t *sum)
{
	for (int64_t m = 0; m < size; m++)
		memcpy(sw_chunks_row(chunks, (int)member[m], 0), sum,
			sizeof *sum * (size_t)chunks->count * (size_t)chunks->words);
}

static void clear(sw_chunks *chunks, int64_t device)
{
	memset(sw_chunks_row(chunks, (int)device, 0), 0,
		sizeof *chunks->bits * (size_t)chunks->count * (size_t)chunks->words);
}

/* The rows that are there, in turn, as many for each member. */
static void scatter(sw_chunks *chunks, const int64_t *member, int64_t size, const uint64_t *sum)
{
	int each = rows_held(chunks, member[0]) / (int)size, given = 0;

	for (int64_t m = 0; m < size; m++)
		clear(chunks, member[m]);
	for (int c = 0; c < chunks->count; c++) {
		const uint64_t *row = sum + (size_t)c * (size_t)chunks->words;
		bool empty = true;

		for (int w = 0; w < chunks->words; w++)
			empty = empty && row[w] == 0;
		if (!empty)
			memcpy(sw_chunks_row(chunks, (int)member[given++ / each], c), row, sizeof *row * (size_t)chunks->words);
	}
}

sw_premise sw_chunks_apply(sw_chunks *chunks, sw_op op, const int64_t *member, int64_t size)
{
	sw_premise premised = premise(chunks, op, member, size, chunks->sum);
	sw_leaves leaves = sw_row(op)->leaves;

	if (premised != SW_PREMISE_HOLDS)
		return premised;
	if (leaves == SW_LEAVES_PARTS)
		scatter(chunks, member, size, chunks->sum);
	else
		give_all(chunks, member, leaves == SW_LEAVES_ROOT ? 1 : size, chunks->sum);
	for (int64_t m = 1; m < size && leaves == SW_LEAVES_ROOT; m++)
		clear(chunks, member[m]);
	return SW_PREMISE_HOLDS;
}

bool sw_chunks_done(const sw_chunks *chunks)
{
	for (int d = 0; d < chunks->devices; d++)
		for (int c = 0; c < chunks->count; c++)
			for (int from = 0; from < chunks->count; from++)
				if (!(sw_chunks_row(chunks, d, c)[from / 64] >> from % 64 & 1))
					return false;
	return true;
}

/* ---- programs ---- */

static bool do_groups(sw_chunks *chunks, sw_op op, const int64_t *list, int64_t groups, int64_t size)
{
	for (int64_t g = 0; g < groups; g++)
		if (sw_chunks_apply(chunks, op, list + g * size, size) != SW_PREMISE_HOLDS)
			return false;
	return true;
}

int sw_reduction_sums(const sw_reduction_program *program, const int64_t *sizes, int factors, sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(arena);
	sw_placement placement = {.axes = 1, .levels = factors};
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	sw_chunks chunks;
	int devices = 1, right = -1;

	for (int i = 0; i < factors; i++) {
		placement.factor[0][i] = sizes[i];
		devices *= (int)sizes[i];
	}
	if (hierarchy != NULL && sw_chunks_start(&chunks, devices, arena)) {
		sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, false, hierarchy);
		right = 1;
		for (int k = 0; right == 1 && k < program->count; k++) {
			int64_t groups, size, *list = sw_reduction_groups(hierarchy, &program->step[k], arena, &groups, &size);

			right = list == NULL ? -1 : do_groups(&chunks, program->step[k].op, list, groups, size);
		}
		right = right == 1 ? sw_chunks_done(&chunks) : right;
	}
	sw_arena_back(arena, mark);
	return right;
}

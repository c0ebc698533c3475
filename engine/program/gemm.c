/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products over letters as products of matrices.
 *
 * Letters of both operands and the result number the matrices (batch), those of one operand and the result are its rows or
 * columns, those of both operands alone are summed; what one operand alone has is summed while it is packed.  An array lies as
 * matrices do if the letters of rows, columns and what is summed follow each other in it, each by themselves; those of the batch
 * may stand anywhere.
 */
#include <shardwalk/arithmetic.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "program/elements.h"

enum group { BATCH, ROWS, COLUMNS, SUMMED, OF_A, OF_B, GROUPS };

static enum group group_of(const sw_letters *letters, int i)
{
	const sw_letter *letter = &letters->letter[i];
	bool a = letter->stride[SW_EQUATION_A] != 0, b = letter->stride[SW_EQUATION_B] != 0;
	if (i < letters->kept)
		return a && b ? BATCH : a ? ROWS : COLUMNS;
	return a && b ? SUMMED : a ? OF_A : OF_B;
}

/* The size of a group, and the stride of it in one array; false where its letters do not follow each other there. */
static bool group_in(const sw_letters *letters, enum group group, int side, int64_t *size, int64_t *stride)
{
	bool one = true;
	*size = 1;
	*stride = 0;
	for (int i = letters->count - 1; i >= 0; i--) {
		const sw_letter *letter = &letters->letter[i];
		if (group_of(letters, i) != group || letter->size == 1)
			continue;
		if (*size == 1)
			*stride = letter->stride[side];
		else
			one = one && letter->stride[side] == *stride * *size;
		*size *= letter->size;
	}
	return one;
}

/* How an array lies whose rows and columns are these groups. */
static sw_matrices matrices_of(const sw_letters *letters, int side, enum group rows, enum group columns, bool packs)
{
	int64_t batch, step, m, row, n, column;
	group_in(letters, BATCH, side, &batch, &step);
	bool lies = group_in(letters, rows, side, &m, &row) && !packs;
	lies = group_in(letters, columns, side, &n, &column) && lies;
	sw_matrices matrices = {.size = batch * m * n};
	if (lies && (n == 1 || column == 1) && (m == 1 || row >= n))
		matrices.lead = m == 1 ? n : row;
	else if (lies && (m == 1 || row == 1) && (n == 1 || column >= m)) {
		matrices.lead = n == 1 ? m : column;
		matrices.transposed = true;
	} else
		matrices = (sw_matrices){.packed = true, .lead = n, .size = batch * m * n};
	return matrices;
}

static sw_matrices turned(sw_matrices matrices)
{
	matrices.transposed = !matrices.transposed;
	return matrices;
}

/* c^T = b^T a^T. */
static void swap(sw_gemm *gemm)
{
	sw_matrices a = turned(gemm->b);
	int64_t m = gemm->n;
	gemm->b = turned(gemm->a);
	gemm->a = a;
	gemm->c = turned(gemm->c);
	gemm->n = gemm->m;
	gemm->m = m;
	gemm->swapped = true;
}

static bool has_group(const sw_letters *letters, enum group group)
{
	for (int i = 0; i < letters->count; i++)
		if (group_of(letters, i) == group)
			return true;
	return false;
}

void sw_gemm_of(const sw_letters *letters, sw_gemm *gemm)
{
	int64_t stride;
	*gemm = (sw_gemm){.letters = letters};
	group_in(letters, BATCH, SW_EQUATION_A, &gemm->batch, &stride);
	group_in(letters, ROWS, SW_EQUATION_A, &gemm->m, &stride);
	group_in(letters, COLUMNS, SW_EQUATION_B, &gemm->n, &stride);
	group_in(letters, SUMMED, SW_EQUATION_A, &gemm->k, &stride);
	gemm->a = matrices_of(letters, SW_EQUATION_A, ROWS, SUMMED, has_group(letters, OF_A));
	gemm->b = matrices_of(letters, SW_EQUATION_B, SUMMED, COLUMNS, has_group(letters, OF_B));
	gemm->c = matrices_of(letters, SW_EQUATION_RESULT, ROWS, COLUMNS, false);
	if (gemm->c.transposed)
		swap(gemm);
}

int64_t sw_gemm_room(const sw_gemm *gemm)
{
	return (gemm->a.packed ? gemm->a.size : 0) + (gemm->b.packed ? gemm->b.size : 0) +
		(gemm->c.packed ? gemm->c.size : 0);
}

/* ---- packing ---- */

/* The letters of an array by groups, as loops from the outermost to the innermost; those that are summed last. */
static int loops_of(const sw_letters *letters, int side, const enum group *group, int groups, sw_letter *loop)
{
	int count = 0;
	for (int g = 0; g < groups; g++)
		for (int i = 0; i < letters->count; i++)
			if (group_of(letters, i) == group[g] && letters->letter[i].stride[side]) {
				assert(count < SW_MAX_LETTERS);
				loop[count++] = letters->letter[i];
			}
	return count;
}

typedef struct packing {
	sw_letter loop[SW_MAX_LETTERS];
	int side, count, summed; /* the last `summed` are summed */
	int64_t at[SW_MAX_LETTERS];
	int64_t offset;
} packing;

static bool packing_next(packing *p, int from, int to)
{
	for (int i = to - 1; i >= from; i--) {
		int64_t stride = p->loop[i].stride[p->side];
		if (++p->at[i] < p->loop[i].size) {
			p->offset += stride;
			return true;
		}
		p->offset -= (p->loop[i].size - 1) * stride;
		p->at[i] = 0;
	}
	return false;
}

/* One element of the packed array: the sum over what this array alone has. */
static void pack_element(packing *p, sw_dtype dtype, size_t bytes, const char *from, char *into)
{
	int outer = p->count - p->summed;
	memcpy(into, from + (size_t)p->offset * bytes, bytes);
	while (packing_next(p, outer, p->count))
		sw_add_to(dtype, into, from + (size_t)p->offset * bytes, 1);
}

/* Elements that follow each other on both sides: the innermost loop is one copy. */
static size_t take_run(packing *p)
{
	bool runs = p->summed == 0 && p->count > 0 && p->loop[p->count - 1].stride[p->side] == 1;
	return runs ? (size_t)p->loop[--p->count].size : 1;
}

static void pack(packing *p, sw_dtype dtype, const char *from, char *into)
{
	size_t bytes = (size_t)sw_dtype_bytes(dtype), run = take_run(p) * bytes;
	int outer = p->count - p->summed;
	do {
		if (run > bytes)
			memcpy(into, from + (size_t)p->offset * bytes, run);
		else
			pack_element(p, dtype, bytes, from, into);
		into += run;
	} while (packing_next(p, 0, outer));
}

static void unpack(packing *p, size_t bytes, const char *from, char *into)
{
	size_t run = take_run(p) * bytes;
	do {
		memcpy(into + (size_t)p->offset * bytes, from, run);
		from += run;
	} while (packing_next(p, 0, p->count));
}

static packing packing_of(const sw_letters *letters, int side, enum group rows, enum group columns, enum group alone)
{
	const enum group order[] = {BATCH, rows, columns, alone};
	packing p = {.side = side};
	p.count = loops_of(letters, side, order, alone == GROUPS ? 3 : 4, p.loop);
	for (int i = 0; i < letters->count; i++)
		p.summed += group_of(letters, i) == alone;
	return p;
}

/* Where matrix number `i` of an array begins. */
static size_t matrix_at(const sw_gemm *gemm, const sw_matrices *matrices, int side, int64_t i)
{
	int64_t at = 0;
	if (matrices->packed)
		return (size_t)(i * (matrices->size / gemm->batch));
	for (int k = gemm->letters->count - 1; k >= 0; k--) {
		const sw_letter *letter = &gemm->letters->letter[k];
		if (group_of(gemm->letters, k) != BATCH)
			continue;
		at += i % letter->size * letter->stride[side];
		i /= letter->size;
	}
	return (size_t)at;
}

static void multiply_all(const sw_gemm *gemm, sw_dtype dtype, const char *a, const char *b, char *c,
	const sw_multiplier *by)
{
	size_t bytes = (size_t)sw_dtype_bytes(dtype);
	int left = gemm->swapped ? SW_EQUATION_B : SW_EQUATION_A, right = gemm->swapped ? SW_EQUATION_A : SW_EQUATION_B;
	for (int64_t i = 0; i < gemm->batch; i++)
		by->multiply(by->context, dtype, gemm, a + matrix_at(gemm, &gemm->a, left, i) * bytes,
			b + matrix_at(gemm, &gemm->b, right, i) * bytes,
			c + matrix_at(gemm, &gemm->c, SW_EQUATION_RESULT, i) * bytes);
}

void sw_gemm_run(const sw_gemm *gemm, sw_dtype dtype, const void *a, const void *b, void *c, void *room,
	const sw_multiplier *by)
{
	assert(room != NULL || sw_gemm_room(gemm) == 0);
	assert(!gemm->adds || !gemm->c.packed);
	size_t bytes = (size_t)sw_dtype_bytes(dtype);
	char *free = room;
	const sw_matrices *of_a = gemm->swapped ? &gemm->b : &gemm->a, *of_b = gemm->swapped ? &gemm->a : &gemm->b;
	void *result = c;
	if (of_a->packed) {
		packing p = packing_of(gemm->letters, SW_EQUATION_A, ROWS, SUMMED, OF_A);
		pack(&p, dtype, a, free);
		a = free;
		free += (size_t)of_a->size * bytes;
	}
	if (of_b->packed) {
		packing p = packing_of(gemm->letters, SW_EQUATION_B, SUMMED, COLUMNS, OF_B);
		pack(&p, dtype, b, free);
		b = free;
		free += (size_t)of_b->size * bytes;
	}
	result = gemm->c.packed ? free : c;
	multiply_all(gemm, dtype, gemm->swapped ? b : a, gemm->swapped ? a : b, result, by);
	if (gemm->c.packed) {
		packing p = packing_of(gemm->letters, SW_EQUATION_RESULT, ROWS, COLUMNS, GROUPS);
		unpack(&p, bytes, result, c);
	}
}

/* ---- the plain loop ---- */

enum { BLOCK_K = 256, BLOCK_N = 512, SUMS = 8 };

#define PLAIN(id, type, work) \
	SW_VECTORISED static void block_##id(const sw_gemm *g, const type *a, const type *b, type *c, int64_t k, \
		int64_t n) \
	{ \
		int64_t row = g->a.transposed ? 1 : g->a.lead, in_row = g->a.transposed ? g->a.lead : 1; \
		int64_t depth = sw_smaller(BLOCK_K, g->k - k), width = sw_smaller(BLOCK_N, g->n - n); \
		int64_t down = g->b.transposed ? 1 : g->b.lead, along = g->b.transposed ? g->b.lead : 1; \
		for (int64_t i = 0; i < g->m; i++) { \
			type *to = c + i * g->c.lead + n; \
			for (int64_t l = 0; l < depth; l++) { \
				const type *from = b + (k + l) * down + n * along; \
				work factor = (work)a[i * row + (k + l) * in_row]; \
				if (along == 1) \
					for (int64_t j = 0; j < width; j++) \
						to[j] = (type)((work)to[j] + factor * (work)from[j]); \
				else \
					for (int64_t j = 0; j < width; j++) \
						to[j] = (type)((work)to[j] + factor * (work)from[j * along]); \
			} \
		} \
	} \
	/* Of vectors without a gap, in several sums side by side. */ \
	SW_VECTORISED static type dot_##id(const type *a, const type *b, int64_t count) \
	{ \
		work sum[SUMS] = {0}, all = 0; \
		int64_t whole = count - count % SUMS; \
		for (int64_t i = 0; i < whole; i += SUMS) \
			for (int k = 0; k < SUMS; k++) \
				sum[k] += (work)a[i + k] * (work)b[i + k]; \
		for (int64_t i = whole; i < count; i++) \
			all += (work)a[i] * (work)b[i]; \
		for (int k = 0; k < SUMS; k++) \
			all += sum[k]; \
		return (type)all; \
	} \
	static void column_##id(const sw_gemm *g, const type *a, const type *b, type *c) \
	{ \
		for (int64_t i = 0; i < g->m; i++) \
			c[i * g->c.lead] = (type)((work)(g->adds ? c[i * g->c.lead] : 0) + \
				(work)dot_##id(a + i * g->a.lead, b, g->k)); \
	} \
	static void plain_##id(const sw_gemm *g, const type *a, const type *b, type *c) \
	{ \
		if (g->n == 1 && (!g->a.transposed || g->m == 1) && (g->k == 1 || g->b.transposed || g->b.lead == 1) && \
			(!g->a.transposed || g->a.lead == 1)) { \
			column_##id(g, a, b, c); \
			return; \
		} \
		for (int64_t i = 0; i < g->m && !g->adds; i++) \
			memset(c + i * g->c.lead, 0, (size_t)g->n * sizeof(type)); \
		for (int64_t n = 0; n < g->n; n += BLOCK_N) \
			for (int64_t k = 0; k < g->k; k += BLOCK_K) \
				block_##id(g, a, b, c, k, n); \
	}
SW_ELEMENTS(PLAIN)
#undef PLAIN

void sw_multiply_plain(void *context, sw_dtype dtype, const sw_gemm *gemm, const void *a, const void *b, void *c)
{
	(void)context;
	switch (dtype) {
#define CASE(id, type, work) \
	case SW_##id: \
		plain_##id(gemm, a, b, c); \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

const sw_multiplier sw_plain_multiplier = {sw_multiply_plain, NULL};

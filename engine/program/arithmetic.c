/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations element by element, and products letter by letter.
 */
#include <shardwalk/arithmetic.h>

#include <assert.h>
#include <string.h>

#include "program/elements.h"
#include "program/ops.h"

bool sw_dtype_computes(sw_dtype dtype)
{
	return dtype == SW_F32 || dtype == SW_F64 || dtype == SW_I32 || dtype == SW_I64;
}

/* ---- element by element ---- */

void sw_by_element(sw_op op, sw_dtype dtype, const void *a, const void *b, void *out, int64_t count)
{
	assert(sw_operation_of(op)->each != NULL && count >= 0);
	const sw_each_of *each = sw_operation_of(op)->each;

	switch (dtype) {
	case SW_F32:
		each->f32(a, b, out, count);
		break;
	case SW_F64:
		each->f64(a, b, out, count);
		break;
	case SW_I32:
		each->i32(a, b, out, count);
		break;
	case SW_I64:
		each->i64(a, b, out, count);
		break;
	default:
		break;
	}
}

void sw_add_to(sw_dtype dtype, void *into, const void *from, int64_t count)
{
	sw_by_element(SW_ADD, dtype, into, from, into, count);
}

double sw_element(sw_dtype dtype, const void *array, int64_t at)
{
	switch (dtype) {
#define CASE(id, type, work) \
	case SW_##id: \
		return (double)((const type *)array)[at];
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		return 0;
	}
}

void sw_element_set(sw_dtype dtype, void *array, int64_t at, int64_t value)
{
	switch (dtype) {
#define CASE(id, type, work) \
	case SW_##id: \
		((type *)array)[at] = (type)value; \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

/* ---- letter by letter ---- */

static int64_t stride_of(const sw_equation *equation, int side, const int64_t *size, char letter)
{
	int64_t stride = 1;
	int at = sw_equation_find(equation, side, letter);
	for (int i = equation->rank[side] - 1; i > at; i--)
		stride *= size[i];
	return at < 0 ? 0 : stride;
}

static int64_t size_of(const sw_equation *equation, const int64_t *a, const int64_t *b, char letter)
{
	int at = sw_equation_find(equation, SW_EQUATION_A, letter);
	return at >= 0 ? a[at] : b[sw_equation_find(equation, SW_EQUATION_B, letter)];
}

static void add_letters(const sw_equation *equation, int side, const int64_t *a, const int64_t *b,
	sw_letters *letters)
{
	for (int i = 0; i < equation->rank[side]; i++) {
		char letter = equation->letter[side][i];
		bool seen = false;
		for (int n = 0; n < letters->count; n++)
			seen |= letters->letter[n].letter == letter;
		if (seen || letters->count == SW_MAX_LETTERS)
			continue;
		letters->letter[letters->count++] = (sw_letter){.letter = letter,
			.size = size_of(equation, a, b, letter),
			.stride = {stride_of(equation, SW_EQUATION_A, a, letter), stride_of(equation, SW_EQUATION_B, b, letter)}};
	}
}

void sw_letters_of(const sw_equation *equation, const int64_t *a, const int64_t *b, sw_letters *letters)
{
	int64_t stride = 1;
	*letters = (sw_letters){0};
	add_letters(equation, SW_EQUATION_RESULT, a, b, letters);
	letters->kept = letters->count;
	for (int i = letters->kept - 1; i >= 0; i--) {
		letters->letter[i].stride[SW_EQUATION_RESULT] = stride;
		stride *= letters->letter[i].size;
	}
	add_letters(equation, SW_EQUATION_A, a, b, letters);
	add_letters(equation, SW_EQUATION_B, a, b, letters);
}

/* Where one stands: counters of the letters, and offsets in the arrays. */
typedef struct walk {
	int64_t at[SW_MAX_LETTERS], offset[SW_EQUATION_SIDES];
} walk;

/* The next of the letters [from, to); false where all have been, and all stand at 0 again. */
static bool walk_next(walk *w, const sw_letters *letters, int from, int to)
{
	for (int i = to - 1; i >= from; i--) {
		const sw_letter *letter = &letters->letter[i];
		bool more = ++w->at[i] < letter->size;
		for (int side = 0; side < SW_EQUATION_SIDES; side++)
			w->offset[side] += more ? letter->stride[side] : -(letter->size - 1) * letter->stride[side];
		if (more)
			return true;
		w->at[i] = 0;
	}
	return false;
}

/* c[i] += a[i] b[i] along the last letter of the result. */
#define ROW(id, type, work) \
	SW_VECTORISED static void row_##id(const type *a, int64_t step_a, const type *b, int64_t step_b, type *c, \
		int64_t count) \
	{ \
		if (step_a == 0 && step_b == 1) \
			for (int64_t i = 0; i < count; i++) \
				c[i] = (type)((work)c[i] + (work)a[0] * (work)b[i]); \
		else \
			for (int64_t i = 0; i < count; i++) \
				c[i] = (type)((work)c[i] + (work)a[i * step_a] * (work)b[i * step_b]); \
	}
SW_ELEMENTS(ROW)
#undef ROW

static void add_row(sw_dtype dtype, const void *a, const void *b, void *c, const walk *w, const sw_letter *last)
{
	const int64_t *at = w->offset, *step = last->stride;
	switch (dtype) {
#define CASE(id, type, work) \
	case SW_##id: \
		row_##id((const type *)a + at[0], step[0], (const type *)b + at[1], step[1], (type *)c + at[2], last->size); \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

/* The same for four rows of c at once, which read the row of b once. */
#define ROWS(id, type, work) \
	SW_VECTORISED static void rows_##id(const type *a, int64_t down_a, const type *b, type *c, int64_t down_c, \
		int64_t count) \
	{ \
		work a0 = (work)a[0], a1 = (work)a[down_a], a2 = (work)a[2 * down_a], a3 = (work)a[3 * down_a]; \
		type *restrict c0 = c, *restrict c1 = c + down_c, *restrict c2 = c + 2 * down_c, \
					   *restrict c3 = c + 3 * down_c; \
		for (int64_t i = 0; i < count; i++) { \
			work factor = (work)b[i]; \
			c0[i] = (type)((work)c0[i] + a0 * factor); \
			c1[i] = (type)((work)c1[i] + a1 * factor); \
			c2[i] = (type)((work)c2[i] + a2 * factor); \
			c3[i] = (type)((work)c3[i] + a3 * factor); \
		} \
	}
SW_ELEMENTS(ROWS)
#undef ROWS

static void add_rows(sw_dtype dtype, const void *a, const void *b, void *c, const walk *w, const sw_letter *down,
	const sw_letter *last)
{
	const int64_t *at = w->offset, *step = down->stride;
	switch (dtype) {
#define CASE(id, type, work) \
	case SW_##id: \
		rows_##id((const type *)a + at[0], step[0], (const type *)b + at[1], (type *)c + at[2], step[2], \
			last->size); \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

/* What is multiplied, and which of the result's letters stand in rows. */
typedef struct contraction {
	sw_letters letters; /* those of the result without the row's */
	sw_letter last;     /* along rows */
	sw_letter down;     /* from row to row, where b does not have it; of size 1: one row at a time */
	sw_dtype dtype;
	const void *a, *b;
	char *c;
	bool over; /* a and b have changed places */
} contraction;

static void clear_row(const contraction *p, int64_t offset)
{
	size_t bytes = (size_t)sw_dtype_bytes(p->dtype);
	memset(p->c + (size_t)offset * bytes, 0, (size_t)p->last.size * bytes);
}

/* All that is summed in `rows` rows, 4 or 1. */
static void contract_rows(const contraction *p, walk w, int64_t first, int rows)
{
	for (int side = 0; side < SW_EQUATION_SIDES; side++)
		w.offset[side] += first * p->down.stride[side];
	for (int i = 0; i < rows; i++)
		clear_row(p, w.offset[SW_EQUATION_RESULT] + i * p->down.stride[SW_EQUATION_RESULT]);
	do
		if (rows == 1)
			add_row(p->dtype, p->a, p->b, p->c, &w, &p->last);
		else
			add_rows(p->dtype, p->a, p->b, p->c, &w, &p->down, &p->last);
	while (walk_next(&w, &p->letters, p->letters.kept, p->letters.count));
}

static void drop_letter(sw_letters *letters, int at)
{
	for (int i = at; i + 1 < letters->count; i++)
		letters->letter[i] = letters->letter[i + 1];
	letters->count--;
	letters->kept--;
}

/* a and b change places. */
static void turn_over(contraction *p)
{
	const void *a = p->a;
	p->a = p->b;
	p->b = a;
	p->over = true;
	for (int i = 0; i < p->letters.count; i++) {
		int64_t *stride = p->letters.letter[i].stride, kept = stride[SW_EQUATION_A];
		stride[SW_EQUATION_A] = stride[SW_EQUATION_B];
		stride[SW_EQUATION_B] = kept;
	}
}

/* Rows lie along the last letter of the result, in b where that is possible. */
static void choose_rows(contraction *p)
{
	static const sw_letter alone = {.size = 1};
	p->last = p->down = alone;
	if (p->letters.kept == 0)
		return;
	const sw_letter *last = &p->letters.letter[p->letters.kept - 1];
	if (last->stride[SW_EQUATION_A] && !last->stride[SW_EQUATION_B])
		turn_over(p);
	p->last = *last;
	drop_letter(&p->letters, p->letters.kept - 1);
	for (int i = p->letters.kept - 1; i >= 0; i--) {
		const sw_letter *letter = &p->letters.letter[i];
		bool free = p->last.stride[SW_EQUATION_A] == 0 && p->last.stride[SW_EQUATION_B] == 1;
		if (!free || letter->stride[SW_EQUATION_B] || p->down.size > 1)
			continue;
		p->down = *letter;
		drop_letter(&p->letters, i);
	}
}

void sw_contract(const sw_letters *letters, sw_dtype dtype, const void *a, const void *b, void *c, int64_t first,
	int64_t count)
{
	assert(first >= 0);
	contraction p = {.letters = *letters, .dtype = dtype, .a = a, .b = b, .c = c};
	walk w = {0};
	if (count <= 0 || (letters->kept == 0 && first > 0))
		return;
	if (letters->kept)
		p.letters.letter[0].size = count;
	choose_rows(&p);
	for (int side = 0; letters->kept && side < SW_EQUATION_SIDES; side++) {
		bool over = p.over && side < SW_EQUATION_RESULT;
		w.offset[side] = first * letters->letter[0].stride[over ? 1 - side : side];
	}
	do
		for (int64_t row = 0; row < p.down.size; row += row + 4 <= p.down.size ? 4 : 1)
			contract_rows(&p, w, row, row + 4 <= p.down.size ? 4 : 1);
	while (walk_next(&w, &p.letters, 0, p.letters.kept));
}

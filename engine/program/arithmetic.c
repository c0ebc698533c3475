/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations element by element, and products letter by letter.
 */
#include <shardwalk/arithmetic.h>

#include <math.h>
#include <string.h>

#include "program/elements.h"

bool sw_dtype_computes(sw_dtype dtype)
{
	return dtype == SW_F32 || dtype == SW_F64 || dtype == SW_I32 || dtype == SW_I64;
}

bool sw_op_by_element(sw_program_op op)
{
	return op == SW_DO_RELU || op == SW_DO_EXP || op == SW_DO_NEG || op == SW_DO_SCALE || op == SW_DO_ADD ||
		op == SW_DO_MUL;
}

/* ---- element by element ---- */

#define EACH(expression) \
	for (int64_t i = 0; i < count; i++) \
	out[i] = (expression)

/* Whole numbers are computed in `work`, in which nothing overflows without a rule. */
#define BY_ELEMENT(id, type, work, exponential) \
	SW_VECTORISED static void by_element_##id(sw_program_op op, const type *a, const type *b, type *out, \
		int64_t count) \
	{ \
		switch (op) { \
		case SW_DO_RELU: \
			EACH(a[i] > 0 ? a[i] : 0); \
			break; \
		case SW_DO_EXP: \
			EACH((type)exponential(a[i])); \
			break; \
		case SW_DO_NEG: \
			EACH((type)(0 - (work)a[i])); \
			break; \
		case SW_DO_SCALE: \
			EACH((type)(2 * (work)a[i])); \
			break; \
		case SW_DO_ADD: \
			EACH((type)((work)a[i] + (work)b[i])); \
			break; \
		default: \
			EACH((type)((work)a[i] * (work)b[i])); \
			break; \
		} \
	}

static int64_t exp_of_whole(int64_t x)
{
	return x > 43 ? INT64_MAX : (int64_t)exp((double)x);
}

SW_ELEMENTS(BY_ELEMENT)
#undef BY_ELEMENT

void sw_by_element(sw_program_op op, sw_dtype dtype, const void *a, const void *b, void *out, int64_t count)
{
	switch (dtype) {
#define CASE(id, type, work, exponential) \
	case SW_##id: \
		by_element_##id(op, a, b, out, count); \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

void sw_add_to(sw_dtype dtype, void *into, const void *from, int64_t count)
{
	sw_by_element(SW_DO_ADD, dtype, into, from, into, count);
}

double sw_element(sw_dtype dtype, const void *array, int64_t at)
{
	switch (dtype) {
#define CASE(id, type, work, exponential) \
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
#define CASE(id, type, work, exponential) \
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
#define ROW(id, type, work, exponential) \
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
#define CASE(id, type, work, exponential) \
	case SW_##id: \
		row_##id((const type *)a + at[0], step[0], (const type *)b + at[1], step[1], (type *)c + at[2], last->size); \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

/* One row of the result, and all that is summed there. */
static void contract_row(const sw_letters *letters, sw_dtype dtype, const void *a, const void *b, void *c, walk *w,
	const sw_letter *last)
{
	size_t bytes = (size_t)sw_dtype_bytes(dtype);
	memset((char *)c + (size_t)w->offset[SW_EQUATION_RESULT] * bytes, 0, (size_t)last->size * bytes);
	do
		add_row(dtype, a, b, c, w, last);
	while (walk_next(w, letters, letters->kept, letters->count));
}

void sw_contract(const sw_letters *letters, sw_dtype dtype, const void *a, const void *b, void *c, int64_t first,
	int64_t count)
{
	static const sw_letter alone = {.size = 1};
	sw_letters part = *letters;
	sw_letter last = alone;
	walk w = {0};
	if (count <= 0 || (part.kept == 0 && first > 0))
		return;
	if (part.kept) {
		for (int side = 0; side < SW_EQUATION_SIDES; side++)
			w.offset[side] = first * part.letter[0].stride[side];
		part.letter[0].size = count;
		last = part.letter[part.kept - 1];
	}
	do
		contract_row(&part, dtype, a, b, c, &w, &last);
	while (walk_next(&w, &part, 0, part.kept - 1));
}

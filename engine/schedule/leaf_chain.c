/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of three arrays as a product of matrices and a sum: what two of them make is summed over the letters that only they have, a block at
 * a time, and each block is multiplied by the third while it is at hand.
 */
#include "schedule/leaf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "program/elements.h"
#include "program/formula.h"

enum { FACTORS = 3, ARRAYS = 4, BLOCK = 1 << 17 }; /* elements of a block of the workspace, where that can be */

/* Which factors are multiplied first, and the letters, a bit each. */
typedef struct chain {
	const sw_formula *formula;
	int first, second, third;    /* accesses */
	uint32_t has[ARRAYS];        /* of each access */
	uint32_t summed, made;       /* first; what the workspace has */
	int64_t low[SW_MAX_LETTERS]; /* of the box of points */
	int64_t size[SW_MAX_LETTERS];
	int64_t begin[ARRAYS], stride[ARRAYS][SW_MAX_LETTERS];
} chain;

/* ---- which it is ---- */

static bool is_plain(const sw_index *index)
{
	return !index->whole && index->letter != 0 && index->factor == 1 && index->offset == 0 && index->divisor == 1 &&
		index->width == 1 && index->graph == NULL;
}

/* The letters of an access that has each of them once, and nothing else. */
static bool letters_of(const sw_formula *formula, int n, uint32_t *letters)
{
	const sw_formula_access *access = &formula->access[n];

	*letters = 0;
	for (int d = 0; d < formula->array[access->array].rank; d++) {
		uint32_t bit = is_plain(&access->index[d]) ? 1U << sw_formula_letter(formula, access->index[d].letter) : 0;
		if (bit == 0 || (*letters & bit) != 0)
			return false;
		*letters |= bit;
	}
	return true;
}

static bool has_three(const sw_formula *formula, chain *c)
{
	const sw_formula_term *term = formula->sum.term;
	bool is = formula->sum.terms == 1 && term->factors == FACTORS && !term->minus && formula->accesses == ARRAYS &&
		formula->arrays == ARRAYS && formula->letters <= 32;

	*c = (chain){.formula = formula};
	for (int n = 0; n < ARRAYS && is; n++)
		is = (n == 0 || term->factor[n - 1].kind == SW_FACTOR_ACCESS) && letters_of(formula, n, &c->has[n]);
	return is;
}

static int64_t points_of(const int64_t *size, uint32_t letters)
{
	int64_t points = 1;

	for (int l = 0; l < SW_MAX_LETTERS; l++)
		points *= (letters >> l & 1) != 0 ? size[l] : 1;
	return points;
}

/* The pair that leaves least to be done behind it. */
static bool choose_pair(chain *c)
{
	int64_t best = 1;

	for (int third = 1; third < ARRAYS; third++) {
		int first = third == 1 ? 2 : 1, second = 6 - third - first;
		uint32_t summed = c->has[first] & c->has[second] & ~c->has[third] & ~c->has[0];
		int64_t points = points_of(c->size, summed);
		if (points <= best)
			continue; /* nothing is summed before the third */
		best = points;
		c->third = third;
		c->first = first;
		c->second = second;
		c->summed = summed;
	}
	c->made = (c->has[c->first] | c->has[c->second]) & ~c->summed;
	return best > 1 && (c->made | c->has[c->third]) != 0;
}

static bool chain_of(const sw_formula *formula, const sw_region *points, chain *c)
{
	return has_three(formula, c) && sw_leaf_box(points, c->low, c->size) && choose_pair(c);
}

/* ---- where arrays are ---- */

static bool find_strides(chain *c, int n, const sw_local *local)
{
	const sw_formula_access *access = &c->formula->access[n];
	int64_t low[SW_MAX_DIMS] = {0}, first;
	int rank = c->formula->array[access->array].rank;

	for (int d = 0; d < rank; d++)
		low[d] = c->low[sw_formula_letter(c->formula, access->index[d].letter)];
	c->begin[n] = sw_local_index(local, low);
	for (int d = 0; d < rank && c->begin[n] >= 0; d++) {
		int letter = sw_formula_letter(c->formula, access->index[d].letter);
		int64_t *step = &c->stride[n][letter];
		*step = 1;
		if (c->size[letter] > 1 && !sw_local_line(local, low, d, 1, c->size[letter], &first, step))
			return false;
	}
	return c->begin[n] >= 0;
}

static bool find_arrays(chain *c, const sw_formula_work *work)
{
	bool found = true;

	for (int n = 0; n < ARRAYS && found; n++)
		found = find_strides(c, n, work->array[c->formula->access[n].array].local);
	return found;
}

/* ---- blocks ---- */

/* A block of the box: these values of each letter, from the corner on. */
typedef struct block {
	const chain *chain;
	const sw_formula_work *work;
	const sw_multiplier *by;
	int cut; /* the letter that is cut in blocks */
	int order[SW_MAX_LETTERS], letters;
	int64_t size[SW_MAX_LETTERS], stride[SW_MAX_LETTERS]; /* of the workspace */
	void *made, *room;
	int64_t room_bytes;
} block;

/* The letters of the workspace in the order of the first factor, then of the second; then what the third has alone. */
static void order_letters(block *b)
{
	const chain *c = b->chain;
	const int of[] = {c->first, c->second, c->third};
	uint32_t seen = c->summed;

	for (int k = 0; k < FACTORS; k++) {
		const sw_formula_access *access = &c->formula->access[of[k]];
		for (int d = 0; d < c->formula->array[access->array].rank; d++) {
			int letter = sw_formula_letter(c->formula, access->index[d].letter);
			if ((seen >> letter & 1) == 0)
				b->order[b->letters++] = letter;
			seen |= 1U << letter;
		}
	}
}

static void lay_out(block *b)
{
	int64_t stride = 1;

	for (int n = b->letters - 1; n >= 0; n--) {
		int letter = b->order[n];
		bool has = (b->chain->made >> letter & 1) != 0;
		b->stride[letter] = has ? stride : 0;
		stride *= has ? b->size[letter] : 1;
	}
}

static void add_letter(const block *b, int letter, sw_letters *letters)
{
	const chain *c = b->chain;

	letters->letter[letters->count++] = (sw_letter){c->formula->letter[letter], b->size[letter],
		{c->stride[c->first][letter], c->stride[c->second][letter], b->stride[letter]}};
}

static void product_of(const block *b, sw_letters *letters, sw_gemm *gemm)
{
	const chain *c = b->chain;

	*letters = (sw_letters){0};
	for (int n = 0; n < b->letters; n++)
		if ((c->made >> b->order[n] & 1) != 0)
			add_letter(b, b->order[n], letters);
	letters->kept = letters->count;
	for (int l = 0; l < c->formula->letters; l++)
		if ((c->summed >> l & 1) != 0)
			add_letter(b, l, letters);
	sw_gemm_of(letters, gemm);
}

/* The block of all values, or of so many that the workspace is small. */
static bool open_block(block *b)
{
	const chain *c = b->chain;
	int64_t bytes = sw_dtype_bytes(b->work->dtype), all = points_of(c->size, c->made);
	sw_letters letters;
	sw_gemm gemm;

	memcpy(b->size, c->size, sizeof b->size);
	order_letters(b);
	b->cut = b->order[0];
	for (int n = 1; n < b->letters; n++)
		if ((c->made >> b->order[n] & 1) != 0 && b->size[b->order[n]] > 2 * b->size[b->cut] && b->size[b->cut] < 8)
			b->cut = b->order[n];
	if (all > BLOCK)
		b->size[b->cut] = sw_larger(1, c->size[b->cut] * BLOCK / all);
	lay_out(b);
	product_of(b, &letters, &gemm);
	b->room_bytes = sw_gemm_room(&gemm) * bytes;
	b->made = malloc((size_t)(points_of(b->size, c->made) * bytes) + 1);
	b->room = malloc((size_t)b->room_bytes + 1);
	return b->made != NULL && b->room != NULL;
}

/* Where an array has the first element of the block. */
static int64_t begin_of(const block *b, int n, int64_t from)
{
	return b->chain->begin[n] + from * b->chain->stride[n][b->cut];
}

static const char *data_of(const block *b, int n, int64_t from)
{
	return (const char *)b->work->array[b->chain->formula->access[n].array].data +
		begin_of(b, n, from) * sw_dtype_bytes(b->work->dtype);
}

/* ---- the sum ---- */

typedef struct line {
	int64_t count, made, third, result; /* elements, and from one to the next */
} line;

#define LINE(id, type, work_type) \
	SW_VECTORISED static void line_##id(const line *l, const type *made, const type *third, type *result) \
	{ \
		if (l->made == 1 && l->third == 1 && l->result == 1) \
			for (int64_t i = 0; i < l->count; i++) \
				result[i] = (type)((work_type)result[i] + (work_type)made[i] * (work_type)third[i]); \
		else \
			for (int64_t i = 0; i < l->count; i++) \
				result[i * l->result] = (type)((work_type)result[i * l->result] + \
					(work_type)made[i * l->made] * (work_type)third[i * l->third]); \
	}
SW_ELEMENTS(LINE)
#undef LINE

static void add_line(sw_dtype dtype, const line *l, const void *made, const void *third, void *result)
{
	switch (dtype) {
#define CASE(id, type, work_type) \
	case SW_##id: \
		line_##id(l, made, third, result); \
		break;
		SW_ELEMENTS(CASE)
#undef CASE
	default:
		break;
	}
}

/* Adds the workspace times the third array to the result, letter by letter. */
static void add_letters(const block *b, int n, const char *made, const char *third, char *result)
{
	const chain *c = b->chain;
	int letter = b->order[n];
	int64_t bytes = sw_dtype_bytes(b->work->dtype);
	const line l = {b->size[letter], b->stride[letter], c->stride[c->third][letter], c->stride[0][letter]};

	if (n == b->letters - 1) {
		add_line(b->work->dtype, &l, made, third, result);
		return;
	}
	for (int64_t i = 0; i < l.count; i++)
		add_letters(b, n + 1, made + i * l.made * bytes, third + i * l.third * bytes, result + i * l.result * bytes);
}

static void compute_block(block *b, int64_t from, int64_t count)
{
	const chain *c = b->chain;
	sw_letters letters;
	sw_gemm gemm;

	b->size[b->cut] = count;
	lay_out(b);
	product_of(b, &letters, &gemm);
	assert(sw_gemm_room(&gemm) * sw_dtype_bytes(b->work->dtype) <= b->room_bytes);
	sw_gemm_run(&gemm, b->work->dtype, data_of(b, c->first, from), data_of(b, c->second, from), b->made, b->room,
		b->by);
	add_letters(b, 0, b->made, data_of(b, c->third, from),
		(char *)b->work->made + begin_of(b, 0, from) * sw_dtype_bytes(b->work->dtype));
}

bool sw_leaf_chain(const sw_formula_work *work, const sw_region *points, const sw_multiplier *by)
{
	chain c;
	block b = {.chain = &c, .work = work, .by = by};
	bool done = by != NULL && sw_dtype_computes(work->dtype) && chain_of(work->formula, points, &c) &&
		find_arrays(&c, work) && open_block(&b);

	int64_t all = done ? c.size[b.cut] : 0, each = done ? b.size[b.cut] : 1;
	for (int64_t from = 0; from < all; from += each)
		compute_block(&b, from, sw_smaller(each, all - from));
	free(b.made);
	free(b.room);
	return done;
}

/* ---- how much it is ---- */

double sw_leaf_operations(const sw_formula *formula, const sw_region *points)
{
	double all = (double)sw_region_size(points);
	chain c;

	if (!chain_of(formula, points, &c))
		return all * (double)sw_formula_operations(formula);
	uint32_t letters = c.made | c.has[c.third];
	return 2 * (double)points_of(c.size, c.made | c.summed) + 2 * (double)points_of(c.size, letters);
}

/* Of points that are not a box those of their boxes, which have nothing in common. */
double sw_leaf_elements(const sw_formula *formula, const sw_region *points)
{
	double elements = 0;

	for (int k = 0; k < points->count; k++)
		for (int n = 0; n < formula->accesses; n++) {
			const sw_formula_access *access = &formula->access[n];
			double of = 1;
			for (int d = 0; d < formula->array[access->array].rank; d++) {
				int letter = access->index[d].letter != 0 ? sw_formula_letter(formula, access->index[d].letter) : -1;
				of *= letter >= 0 ? (double)sw_indices_size(&points->set[(int64_t)k * points->rank + letter]) : 1;
			}
			elements += of;
		}
	return elements;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas computed row by row.
 *
 * A row is a run of values of the last letter, the others held fast.  In a row that each access reads at equal distances what is computed is
 * computed at once; any other row is halved until it is such a one, at the latest as a single point.
 */
#include "program/formula_run.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/arithmetic.h>
#include <shardwalk/number.h>

#include "base/lower_bound.h"
#include "program/elements.h"
#include "program/formula.h"

enum { CHUNK = 512 };

/* Elements of an access along a row: every `step`-th from the first on; outside of the array, where they count as 0. */
typedef struct walk {
	bool inside, many; /* many: each point reads several elements, which are looked for */
	int64_t first, step;
} walk;

typedef struct row {
	const sw_formula_work *work;
	const sw_formula *formula;
	int letter; /* that varies; -1: none does */
	int64_t value[SW_MAX_LETTERS];
	walk *walk; /* of each access */
	int64_t made, made_step;
} row;

/* ---- where elements are ---- */

static bool reads_many(const sw_formula *formula, const sw_formula_access *access)
{
	for (int d = 0; d < formula->array[access->array].rank; d++)
		if (access->index[d].whole || access->index[d].graph != NULL)
			return true;
	return false;
}

static bool moves_along(const row *r, const sw_index *index)
{
	return index->letter != 0 && r->letter >= 0 && sw_formula_letter(r->formula, index->letter) == r->letter;
}

static int64_t raw_index(const row *r, const sw_index *index)
{
	int letter = sw_formula_letter(r->formula, index->letter);
	int64_t value = letter >= 0 ? r->value[letter] : 0;

	return sw_floor_div(index->factor * value + index->offset, index->divisor);
}

static int64_t wrapped(int64_t at, int64_t size)
{
	return at - sw_floor_div(at, size) * size;
}

/* Where the indices of a row lie in a dimension. */
typedef enum lying { LIES_INSIDE, LIES_OUTSIDE, LIES_ACROSS } lying;

static lying lies(int64_t first, int64_t last, int64_t size, bool wrap)
{
	int64_t round = sw_floor_div(first, size);

	if (round == sw_floor_div(last, size))
		return wrap || round == 0 ? LIES_INSIDE : LIES_OUTSIDE;
	return !wrap && ((first < 0 && last < 0) || (first >= size && last >= size)) ? LIES_OUTSIDE : LIES_ACROSS;
}

/* What an access reads along a row of `count` points.  false: it does not lie at equal distances. */
static bool walk_of(const row *r, const sw_formula_access *access, int64_t count, walk *w)
{
	const sw_formula_array *array = &r->formula->array[access->array];
	int64_t index[SW_MAX_DIMS], by = 0;
	bool across = false;
	int dim = 0;

	*w = (walk){.inside = true, .many = reads_many(r->formula, access)};
	for (int d = 0; d < array->rank && !w->many; d++) {
		const sw_index *is = &access->index[d];
		bool moves = count > 1 && moves_along(r, is);
		index[d] = raw_index(r, is);
		lying lie = lies(index[d], index[d] + (moves ? is->factor * (count - 1) : 0), array->size[d],
			r->formula->wrap);
		across = across || lie == LIES_ACROSS || (moves && is->divisor != 1);
		w->inside = w->inside && lie != LIES_OUTSIDE;
		index[d] = wrapped(index[d], array->size[d]);
		dim = moves ? d : dim;
		by = moves ? is->factor : by;
	}
	if (w->many || (!w->inside && count == 1))
		return true;
	if (across)
		return false;
	return !w->inside ||
		sw_local_line(r->work->array[access->array].local, index, dim, by, count, &w->first, &w->step);
}

/* ---- what reads several elements ---- */

static int64_t weight_of(int64_t number)
{
	return 2 * (number % ((SW_MOST_WEIGHT + 1) / 2)) + 1;
}

static int64_t whole_of(double x)
{
	return x > -0x1p62 && x < 0x1p62 ? (int64_t)x : 0;
}

static int64_t element_of(sw_dtype dtype, const void *data, int64_t at)
{
	switch (dtype) {
	case SW_I64:
		return ((const int64_t *)data)[at];
	case SW_I32:
		return ((const int32_t *)data)[at];
	default:
		return whole_of(sw_element(dtype, data, at));
	}
}

/* The first neighbour of a number, and how many it has. */
static int64_t neighbours_of(const sw_adjacency *graph, int64_t of, int64_t *count)
{
	int64_t first = SW_LOWER_BOUND(0, graph->arcs, graph->arc[at].from < of);

	for (*count = 0; first + *count < graph->arcs && graph->arc[first + *count].from == of;)
		++*count;
	return first;
}

/* All that an access reads at a point, dimension by dimension. */
typedef struct many {
	const row *row;
	const sw_formula_access *access;
	int64_t index[SW_MAX_DIMS], number;
	uint64_t sum;
} many;

static void add_many(many *m, int dim);

static void add_index(many *m, int dim, int64_t index)
{
	int64_t size = m->row->formula->array[m->access->array].size[dim];

	if (m->row->formula->wrap)
		index = wrapped(index, size);
	if (index < 0 || index >= size)
		return;
	m->index[dim] = index;
	add_many(m, dim + 1);
}

static void add_many(many *m, int dim)
{
	const sw_formula_array *array = &m->row->formula->array[m->access->array];
	const sw_stored *stored = &m->row->work->array[m->access->array];
	const sw_index *is = &m->access->index[dim];
	int64_t count, first;

	if (dim == array->rank) {
		int64_t element = element_of(m->row->work->dtype, stored->data, sw_local_index(stored->local, m->index));
		m->sum += (uint64_t)weight_of(m->number++) * (uint64_t)element;
	} else if (is->whole) {
		for (int64_t n = 0; n < array->size[dim]; n++)
			add_index(m, dim, n);
	} else if (is->graph != NULL) {
		first = neighbours_of(is->graph, m->row->value[sw_formula_letter(m->row->formula, is->letter)], &count);
		for (int64_t n = first; n < first + count; n++)
			add_index(m, dim, is->graph->arc[n].to);
	} else {
		add_index(m, dim, raw_index(m->row, is));
	}
}

static int64_t many_at(row *r, const sw_formula_access *access, int64_t point)
{
	many m = {.row = r, .access = access};

	if (r->letter >= 0)
		r->value[r->letter] += point;
	add_many(&m, 0);
	if (r->letter >= 0)
		r->value[r->letter] -= point;
	return (int64_t)m.sum;
}

/* ---- what is computed ---- */

static double number_of(sw_str word)
{
	char digits[64];
	size_t length = word.length < sizeof digits ? word.length : sizeof digits - 1;

	memcpy(digits, word.at, length);
	digits[length] = '\0';
	return strtod(digits, NULL);
}

#define COMPUTING(id, type, work_type) \
	static void sum_##id(row *r, const sw_formula_sum *sum, int64_t count, type *out); \
\
	SW_VECTORISED static void access_##id(row *r, const sw_formula_access *access, int64_t count, type *out) \
	{ \
		const walk *w = &r->walk[access - r->formula->access]; \
		const type *from = r->work->array[access->array].data; \
		if (w->many) { \
			for (int64_t i = 0; i < count; i++) \
				out[i] = (type)many_at(r, access, i); \
		} else if (!w->inside) { \
			memset(out, 0, (size_t)count * sizeof *out); \
		} else if (w->step == 1) { \
			memcpy(out, from + w->first, (size_t)count * sizeof *out); \
		} else { \
			for (int64_t i = 0; i < count; i++) \
				out[i] = from[w->first + i * w->step]; \
		} \
	} \
\
	SW_VECTORISED static void function_##id(row *r, const sw_formula_factor *factor, int64_t count, type *out) \
	{ \
		uint64_t whole[CHUNK] = {0}; \
		for (int k = 0; k < factor->arguments; k++) { \
			sum_##id(r, &factor->argument[k], count, out); \
			for (int64_t i = 0; i < count; i++) \
				whole[i] += (uint64_t)weight_of(k) * (uint64_t)element_of(SW_##id, out, i); \
		} \
		for (int64_t i = 0; i < count; i++) \
			out[i] = (type)(int64_t)whole[i]; \
	} \
\
	static void factor_##id(row *r, const sw_formula_factor *factor, int64_t count, type *out) \
	{ \
		if (factor->kind == SW_FACTOR_ACCESS) { \
			access_##id(r, &r->formula->access[factor->access], count, out); \
		} else if (factor->kind == SW_FACTOR_FUNCTION) { \
			function_##id(r, factor, count, out); \
		} else { \
			double real = number_of(factor->word); \
			bool whole = SW_##id == SW_I32 || SW_##id == SW_I64; \
			type number = whole ? (type)sw_nearest(trunc(real)) : (type)real; \
			for (int64_t i = 0; i < count; i++) \
				out[i] = number; \
		} \
	} \
\
	SW_VECTORISED static void term_##id(row *r, const sw_formula_term *term, int64_t count, type *out) \
	{ \
		type more[CHUNK]; \
		factor_##id(r, &term->factor[0], count, out); \
		for (int n = 1; n < term->factors; n++) { \
			factor_##id(r, &term->factor[n], count, more); \
			for (int64_t i = 0; i < count; i++) \
				out[i] = (type)((work_type)out[i] * (work_type)more[i]); \
		} \
		for (int64_t i = 0; term->minus && i < count; i++) \
			out[i] = (type)(0 - (work_type)out[i]); \
	} \
\
	SW_VECTORISED static void sum_##id(row *r, const sw_formula_sum *sum, int64_t count, type *out) \
	{ \
		type more[CHUNK]; \
		term_##id(r, &sum->term[0], count, out); \
		for (int k = 1; k < sum->terms; k++) { \
			term_##id(r, &sum->term[k], count, more); \
			for (int64_t i = 0; i < count; i++) \
				out[i] = (type)((work_type)out[i] + (work_type)more[i]); \
		} \
	} \
\
	SW_VECTORISED static void add_##id(row *r, const sw_formula_sum *sum, int64_t count) \
	{ \
		type more[CHUNK], *made = r->work->made; \
		sum_##id(r, sum, count, more); \
		for (int64_t i = 0; i < count; i++) { \
			type *into = &made[r->made + i * r->made_step]; \
			*into = (type)((work_type)*into + (work_type)more[i]); \
		} \
	}
SW_ELEMENTS(COMPUTING)
#undef COMPUTING

static void add_row(row *r, const sw_formula_sum *sum, int64_t count)
{
	switch (r->work->dtype) {
	case SW_F32:
		add_F32(r, sum, count);
		break;
	case SW_F64:
		add_F64(r, sum, count);
		break;
	case SW_I32:
		add_I32(r, sum, count);
		break;
	default:
		add_I64(r, sum, count);
		break;
	}
}

/* ---- rows ---- */

/* Does each access lie at equal distances?  `term`: of these terms alone; -1: of all. */
static bool walk_all(row *r, int term, int64_t count)
{
	const sw_formula *formula = r->formula;
	walk made;

	if (!walk_of(r, &formula->access[0], count, &made))
		return false;
	r->made = made.first;
	r->made_step = made.step;
	for (int k = 1; k < formula->accesses; k++)
		if (formula->access[k].term >= 0 && (term < 0 || formula->access[k].term == term) &&
			!walk_of(r, &formula->access[k], count, &r->walk[k]))
			return false;
	return true;
}

static void run_row(row *r, const sw_formula_sum *sum, int term, int64_t count)
{
	if (count <= CHUNK && walk_all(r, term, count)) {
		add_row(r, sum, count);
		return;
	}
	assert(count > 1); /* a single point reads what is there */
	int64_t half = count > CHUNK ? CHUNK : count / 2;
	run_row(r, sum, term, half);
	r->value[r->letter] += half;
	for (int64_t left = count - half, some; left > 0; left -= some) {
		some = left > CHUNK ? CHUNK : left;
		run_row(r, sum, term, some);
		r->value[r->letter] += some;
	}
	r->value[r->letter] -= count;
}

/* All values of the letters from this one on. */
static void run_letters(row *r, const sw_formula_sum *sum, int term, const sw_indices *set, int letter)
{
	if (letter == r->formula->letters) {
		run_row(r, sum, term, 1);
		return;
	}
	for (int i = 0; i < set[letter].count; i++) {
		const sw_family *f = &set[letter].family[i];
		for (int64_t n = 0; n < f->count; n++) {
			r->value[letter] = f->first + n * f->step;
			if (letter == r->letter) {
				run_row(r, sum, term, f->run);
				continue;
			}
			for (int64_t left = f->run; left > 0; left--) {
				run_letters(r, sum, term, set, letter + 1);
				r->value[letter]++;
			}
		}
	}
}

/* Those of the points at which a term counts: where the letters that it lacks are 0. */
static bool counting(const sw_formula *formula, int term, const sw_region *points, sw_arena *arena, sw_region *some)
{
	uint32_t lacks = sw_formula_lacks(formula, term);
	sw_family family[SW_MAX_LETTERS];
	sw_indices set[SW_MAX_LETTERS];

	*some = *points;
	for (int letter = 0; letter < formula->letters; letter++)
		set[letter] = sw_indices_range(0, lacks >> letter & 1 ? 1 : formula->size[letter], &family[letter]);
	return lacks == 0 || sw_region_meet(points, &(sw_region){formula->letters, 1, set}, arena, some);
}

static void run_points(row *r, const sw_formula_sum *sum, int term, const sw_region *points)
{
	for (int n = 0; n < points->count; n++)
		run_letters(r, sum, term, points->set + (int64_t)n * r->formula->letters, 0);
}

static bool run_term(row *r, int term, const sw_region *points, sw_arena *arena)
{
	const sw_formula_sum one = {1, &r->formula->sum.term[term]};
	sw_region some;

	if (!counting(r->formula, term, points, arena, &some))
		return false;
	run_points(r, &one, term, &some);
	return true;
}

static bool lacks_letters(const sw_formula *formula)
{
	bool lacks = false;

	for (int k = 0; k < formula->sum.terms; k++)
		lacks = lacks || sw_formula_lacks(formula, k) != 0;
	return lacks;
}

bool sw_formula_run(const sw_formula_work *work, const sw_region *points, sw_arena *arena)
{
	const sw_formula *formula = work->formula;
	row r = {.work = work, .formula = formula, .letter = formula->letters - 1};
	bool done = true;

	r.walk = SW_NEW(arena, walk, formula->accesses);
	if (r.walk == NULL)
		return false;
	if (!lacks_letters(formula)) {
		run_points(&r, &formula->sum, -1, points);
		return true;
	}
	for (int k = 0; k < formula->sum.terms && done; k++)
		done = run_term(&r, k, points, arena);
	return done;
}

/* ---- sizes ---- */

static int64_t operations_of(const sw_formula_sum *sum)
{
	int64_t count = 0;

	for (int k = 0; k < sum->terms; k++)
		for (int n = 0; n < sum->term[k].factors; n++) {
			const sw_formula_factor *factor = &sum->term[k].factor[n];
			count++;
			for (int a = 0; a < factor->arguments; a++)
				count += operations_of(&factor->argument[a]);
		}
	return count;
}

int64_t sw_formula_operations(const sw_formula *formula)
{
	return operations_of(&formula->sum);
}

static double bound_of_sum(const sw_formula *formula, const sw_formula_sum *sum, const double *most);

static double bound_of_access(const sw_formula *formula, const sw_formula_access *access, const double *most)
{
	double bound = most[access->array];

	for (int d = 0; d < formula->array[access->array].rank; d++) {
		const sw_index *index = &access->index[d];
		if (index->whole || index->graph != NULL)
			bound *= SW_MOST_WEIGHT * (double)formula->array[access->array].size[d];
	}
	return bound;
}

static double bound_of_factor(const sw_formula *formula, const sw_formula_factor *factor, const double *most)
{
	double bound = 0;

	if (factor->kind == SW_FACTOR_ACCESS)
		return bound_of_access(formula, &formula->access[factor->access], most);
	if (factor->kind == SW_FACTOR_NUMBER)
		return number_of(factor->word);
	for (int k = 0; k < factor->arguments; k++)
		bound += (double)weight_of(k) * bound_of_sum(formula, &factor->argument[k], most);
	return bound;
}

static double bound_of_sum(const sw_formula *formula, const sw_formula_sum *sum, const double *most)
{
	double bound = 0;

	for (int k = 0; k < sum->terms; k++) {
		double product = 1;
		for (int n = 0; n < sum->term[k].factors; n++)
			product *= bound_of_factor(formula, &sum->term[k].factor[n], most);
		bound += product;
	}
	return bound;
}

double sw_formula_bound(const sw_formula *formula, const double *most)
{
	double summed = 1;

	for (int letter = formula->kept; letter < formula->letters; letter++)
		summed *= (double)formula->size[letter];
	return summed * bound_of_sum(formula, &formula->sum, most);
}

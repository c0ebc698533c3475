/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grid of processors that moves least.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/choice.h>
#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/scheme.h"

/* ---- most live memory, from coordinates at which something changes ---- */

typedef struct marks {
	int count;
	int64_t at[2 * SW_SCHEME_ARRAYS * (SW_SCHEME_AXES + 1) + 1]; /* ascending */
} marks;

static void add_mark(marks *marks, int64_t at, int64_t extent)
{
	int place = marks->count;

	if (at >= extent)
		return;
	while (place > 0 && marks->at[place - 1] >= at)
		place--;
	if (place < marks->count && marks->at[place] == at)
		return;
	SW_ROOM(marks->at, marks->count);
	memmove(&marks->at[place + 1], &marks->at[place], sizeof *marks->at * (size_t)(marks->count++ - place));
	marks->at[place] = at;
}

/* Blocks of a dimension that one axis after the other cuts: the lengths that are cut, whole blocks and what is left. */
static void mark_dimension(const sw_scheme *scheme, const sw_scheme_array *array, int dim, marks *marks)
{
	int64_t size = scheme->size[array->letter[dim]], length[2 * SW_SCHEME_AXES + 2] = {size};
	int lengths = 1;

	for (int cut = 0; cut < array->home.cuts; cut++) {
		int axis = array->home.cut[cut], before = lengths;
		int64_t extent = scheme->extent[axis];

		if (array->home.place[axis].dim != dim)
			continue;
		size = sw_blocks_of(size, extent);
		for (int n = 0; n < before; n++) {
			add_mark(&marks[axis], length[n] / size, extent);
			add_mark(&marks[axis], length[n] / size + 1, extent);
			length[n] %= size;
		}
		SW_ROOM(length, lengths);
		length[lengths++] = size;
	}
}

int64_t sw_grid_peak(const sw_scheme *scheme)
{
	marks marks[SW_SCHEME_AXES] = {0};
	int64_t at[SW_SCHEME_AXES] = {0}, most = 0;
	int which[SW_SCHEME_AXES] = {0}, axis;
	sw_scheme_plan plan;
	sw_scheme_live live;

	sw_scheme_plan_of(scheme, &plan);
	for (axis = 0; axis < scheme->axes; axis++)
		add_mark(&marks[axis], 0, scheme->extent[axis]);
	for (int array = 0; array < scheme->arrays; array++)
		for (int dim = 0; dim < scheme->array[array].rank; dim++)
			mark_dimension(scheme, &scheme->array[array], dim, marks);
	do {
		sw_scheme_live_of(&plan, at, &live);
		most = sw_larger(most, live.most);
		for (axis = scheme->axes - 1; axis >= 0; axis--) {
			which[axis] = (which[axis] + 1) % marks[axis].count;
			at[axis] = marks[axis].at[which[axis]];
			if (which[axis] > 0)
				break;
		}
	} while (axis >= 0);
	return most;
}

/* ---- grids ---- */

#define SW_MOST_DIVISORS 6720 /* of a number up to 2^40 */

typedef struct search {
	int time;
	int64_t memory;
	int64_t smallest;
	bool any; /* a choice */
	sw_grid_choice best;
} search;

static int64_t peak_with(sw_scheme *scheme, int time, int64_t chunk)
{
	sw_scheme_divide(scheme, time, sw_blocks_of(sw_scheme_block(scheme, time), chunk));
	return sw_grid_peak(scheme);
}

/* Makes steps as long as memory allows; what is then alive at most.  Live memory grows with the steps. */
static int64_t longest_steps(sw_scheme *scheme, const search *search)
{
	int64_t fits = 1, high = sw_scheme_block(scheme, search->time);
	int64_t peak = peak_with(scheme, search->time, high);

	if (peak <= search->memory)
		return peak;
	while (high - fits > 1) {
		int64_t middle = fits + (high - fits) / 2;

		if (peak_with(scheme, search->time, middle) <= search->memory)
			fits = middle;
		else
			high = middle;
	}
	return peak_with(scheme, search->time, fits);
}

static int compare_extents(const sw_scheme *a, const sw_scheme *b)
{
	for (int axis = 0; axis < a->axes; axis++)
		if (a->extent[axis] != b->extent[axis])
			return a->extent[axis] < b->extent[axis] ? -1 : 1;
	return 0;
}

static bool is_better(const sw_grid_choice *a, const sw_grid_choice *b)
{
	if (a->volume != b->volume)
		return a->volume < b->volume;
	if (a->peak != b->peak)
		return a->peak < b->peak;
	if (a->scheme.steps != b->scheme.steps)
		return a->scheme.steps < b->scheme.steps;
	return compare_extents(&a->scheme, &b->scheme) < 0;
}

static bool consider(const sw_scheme *scheme, search *search)
{
	sw_grid_choice choice = {.scheme = *scheme};
	int64_t least;

	if (!sw_scheme_volumes(scheme, &choice.volume))
		return false;
	if (search->any && choice.volume > search->best.volume)
		return true;
	choice.scheme.steps = 1;
	choice.scheme.time = -1;
	least = search->time < 0 ? sw_grid_peak(&choice.scheme) : peak_with(&choice.scheme, search->time, 1);
	search->smallest = sw_smaller(search->smallest, least);
	if (least > search->memory)
		return true;
	choice.peak = search->time < 0 ? least : longest_steps(&choice.scheme, search);
	if (!search->any || is_better(&choice, &search->best))
		search->best = choice;
	search->any = true;
	return true;
}

/* Divisors of the number of processors. */
typedef struct divisors {
	int count;
	int64_t at[SW_MOST_DIVISORS];
} divisors;

static void divisors_of(int64_t n, divisors *divisors)
{
	int64_t primes[63];
	int count = sw_prime_factors(n, primes);

	divisors->count = 1;
	divisors->at[0] = 1;
	for (int p = 0, before = 0; p < count; p++) {
		int end = divisors->count, from = p > 0 && primes[p] == primes[p - 1] ? before : 0;

		for (int d = from; d < end; d++) {
			SW_ROOM(divisors->at, divisors->count);
			divisors->at[divisors->count++] = divisors->at[d] * primes[p];
		}
		before = end;
	}
}

/* All ways to write what is left as a product over the axes from this one on. */
static bool each_grid(sw_scheme *scheme, const divisors *divisors, int axis, int64_t left, search *search)
{
	if (axis == scheme->axes - 1) {
		scheme->extent[axis] = left;
		return consider(scheme, search);
	}
	for (int n = 0; n < divisors->count; n++) {
		if (left % divisors->at[n] != 0)
			continue;
		scheme->extent[axis] = divisors->at[n];
		if (!each_grid(scheme, divisors, axis + 1, left / divisors->at[n], search))
			return false;
	}
	return true;
}

bool sw_grid_choose(const sw_scheme *scheme, int time, int64_t processors, int64_t memory, sw_grid_choice *choice,
	int64_t *smallest, sw_diag *diag)
{
	search search = {.time = time, .memory = memory, .smallest = INT64_MAX};
	sw_scheme grid = *scheme;
	divisors divisors;

	assert(scheme->axes >= 1 && scheme->axes == scheme->spaces && processors >= 1);
	assert(processors <= SW_MAX_DEVICES);
	divisors_of(processors, &divisors);
	if (!each_grid(&grid, &divisors, 0, processors, &search))
		return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the volume does not fit into 64 bits");
	if (!search.any) {
		*smallest = search.smallest;
		sw_diag_set(diag, SW_S01, (sw_span){0, 0}, "no schedule lives in that memory");
		sw_diag_expected(diag, "at least %lld elements on a processor", (long long)search.smallest);
		sw_diag_found(diag, "%lld", (long long)memory);
		return false;
	}
	*choice = search.best;
	return true;
}

/* ---- products of matrices ---- */

static void place(sw_scheme_array *array, int dim, const int *axis, int axes)
{
	for (int n = 0; n < axes; n++) {
		array->home.place[axis[n]] = (sw_distal_place){.dim = dim, .at = -1};
		SW_ROOM(array->home.cut, array->home.cuts);
		array->home.cut[array->home.cuts++] = axis[n];
	}
}

void sw_matrices_scheme(int64_t m, int64_t n, int64_t k, sw_scheme *scheme)
{
	enum { I, J, K };
	static const int letter[3][2] = {{I, J}, {I, K}, {K, J}}; /* which are also the axes that cut them first */
	static const int other[3] = {K, J, I};

	*scheme = (sw_scheme){.letters = 3,
		.size = {m, n, k},
		.axes = 3,
		.extent = {1, 1, 1},
		.spaces = 3,
		.space = {I, J, K},
		.time = -1,
		.steps = 1,
		.arrays = 3};
	for (int array = 0; array < 3; array++) {
		const int first[2] = {letter[array][0], other[array]};

		scheme->array[array] = (sw_scheme_array){.rank = 2,
			.letter = {letter[array][0], letter[array][1]},
			.stepwise = array > 0,
			.home = {.rank = 2, .axes = 3}};
		place(&scheme->array[array], 0, first, 2);
		place(&scheme->array[array], 1, &letter[array][1], 1);
	}
}

void sw_matrices_bound(int64_t m, int64_t n, int64_t k, int64_t processors, int64_t memory, sw_received_bound *bound)
{
	double p = (double)processors, points = (double)m * (double)n * (double)k;
	double arrays = (double)m * (double)n + (double)m * (double)k + (double)n * (double)k;
	double alone = 3 * pow(points / p, 2.0 / 3.0) - arrays / p;
	double with = memory == SW_NO_BOUND || memory < 1 ? 0 :
														2 * points / (p * sqrt((double)memory)) - 2 * (double)memory;

	*bound = (sw_received_bound){fmax(fmax(alone, with), 0), "Al Daas and others 2022"};
	if (with > alone)
		bound->source = "Smith and others 2019";
}

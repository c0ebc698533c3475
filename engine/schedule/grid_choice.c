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
#include "schedule/grid_choice.h"
#include "schedule/scheme.h"

/* ---- most live memory, from coordinates at which something changes ---- */

typedef struct marks {
	int count;
	int64_t at[2 * SW_SCHEME_ARRAYS * (SW_SCHEME_AXES + 2) + 1]; /* ascending */
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

/* The only coordinate that has an array differs from the one behind it. */
static void mark_places(const sw_scheme *scheme, const sw_distal *home, marks *marks)
{
	for (int axis = 0; axis < scheme->axes; axis++)
		if (home->place[axis].dim < 0 && home->place[axis].at >= 0) {
			add_mark(&marks[axis], home->place[axis].at, scheme->extent[axis]);
			add_mark(&marks[axis], home->place[axis].at + 1, scheme->extent[axis]);
		}
}

/* The next combination of marked coordinates; false: it was the last. */
static bool next_marked(const sw_scheme *scheme, const marks *marks, int *which, int64_t *at)
{
	for (int axis = scheme->axes - 1; axis >= 0; axis--) {
		which[axis] = (which[axis] + 1) % marks[axis].count;
		at[axis] = marks[axis].at[which[axis]];
		if (which[axis] > 0)
			return true;
	}
	return false;
}

void sw_grid_figures(const sw_scheme *scheme, sw_grid_choice *choice)
{
	marks marks[SW_SCHEME_AXES] = {0};
	int64_t at[SW_SCHEME_AXES] = {0};
	int which[SW_SCHEME_AXES] = {0};
	sw_scheme_plan plan;
	sw_scheme_one one;

	sw_scheme_plan_of(scheme, &plan);
	choice->received = choice->sent = choice->held = choice->peak = choice->flops = 0;
	for (int axis = 0; axis < scheme->axes; axis++)
		add_mark(&marks[axis], 0, scheme->extent[axis]);
	for (int array = 0; array < scheme->arrays; array++) {
		mark_places(scheme, &scheme->array[array].home, marks);
		for (int dim = 0; dim < scheme->array[array].rank; dim++)
			mark_dimension(scheme, &scheme->array[array], dim, marks);
	}
	do {
		sw_scheme_one_of(&plan, at, &one);
		choice->received = sw_larger(choice->received, one.received);
		choice->sent = sw_larger(choice->sent, one.sent);
		choice->held = sw_larger(choice->held, one.live.held);
		choice->peak = sw_larger(choice->peak, one.live.most);
		choice->flops = sw_larger(choice->flops, one.flops);
	} while (next_marked(scheme, marks, which, at));
}

double sw_schedule_seconds(const sw_schedule_rates *rates, int64_t moved, int64_t flops, int64_t steps)
{
	double leaf = rates->flops > 0 ? (double)flops / rates->flops / (double)steps : 0;
	double messages = moved == 0 ? 0 :
								   (double)moved * rates->bytes / rates->bandwidth / (double)steps + rates->latency;
	double step = rates->overlap ? fmax(leaf, messages) : leaf + messages;

	assert(steps >= 1 && rates->bandwidth > 0);
	return messages + (double)(steps - 1) * step + leaf;
}

void sw_schedule_rates_of(const sw_hardware *hardware, int64_t processors, int bytes, bool overlap,
	sw_schedule_rates *rates)
{
	bool far = hardware->node > 0 && processors > hardware->node;

	*rates = (sw_schedule_rates){.flops = hardware->flops,
		.bandwidth = far ? hardware->network : hardware->bandwidth,
		.latency = far ? hardware->network_latency : hardware->latency,
		.bytes = bytes,
		.overlap = overlap};
}

/* ---- grids ---- */

typedef struct search {
	const sw_grid_question *question;
	int64_t smallest;
	sw_scheme grid;
	int most, count;
	sw_grid_choice *best; /* best first */
	sw_arena *arena;      /* all that others do not beat are kept, in it; NULL: the best */
	bool failed;
} search;

static void cut_time(sw_scheme *scheme, int letter, int64_t steps)
{
	sw_scheme_divide(scheme, letter, steps);
	for (int array = 0; array < scheme->arrays; array++)
		scheme->array[array].stepwise = sw_scheme_array_has(&scheme->array[array], letter);
}

static int64_t peak_with(sw_scheme *scheme, int letter, int64_t chunk)
{
	sw_grid_choice figures;

	cut_time(scheme, letter, sw_blocks_of(sw_scheme_block(scheme, letter), chunk));
	sw_grid_figures(scheme, &figures);
	return figures.peak;
}

/* Steps as long as memory allows, if it allows any: live memory grows with them. */
static bool longest_steps(sw_scheme *scheme, int letter, search *search)
{
	int64_t fits = 1, high = sw_scheme_block(scheme, letter), memory = search->question->memory;
	int64_t least = peak_with(scheme, letter, 1);

	search->smallest = sw_smaller(search->smallest, least);
	if (least > memory)
		return false;
	if (peak_with(scheme, letter, high) <= memory)
		return true;
	while (high - fits > 1) {
		int64_t middle = fits + (high - fits) / 2;

		if (peak_with(scheme, letter, middle) <= memory)
			fits = middle;
		else
			high = middle;
	}
	peak_with(scheme, letter, fits);
	return true;
}

static int compare_extents(const sw_scheme *a, const sw_scheme *b)
{
	for (int axis = 0; axis < a->axes; axis++)
		if (a->extent[axis] != b->extent[axis])
			return a->extent[axis] < b->extent[axis] ? -1 : 1;
	return 0;
}

bool sw_grid_is_better(const sw_grid_choice *a, const sw_grid_choice *b)
{
	if (a->seconds != b->seconds)
		return a->seconds < b->seconds;
	if (a->volume != b->volume)
		return a->volume < b->volume;
	if (a->peak != b->peak)
		return a->peak < b->peak;
	if (a->scheme.steps != b->scheme.steps)
		return a->scheme.steps < b->scheme.steps;
	return compare_extents(&a->scheme, &b->scheme) < 0;
}

static void insert(const sw_grid_choice *choice, int place, search *search)
{
	if (search->count < search->most)
		search->count++;
	memmove(&search->best[place + 1], &search->best[place], sizeof *choice * (size_t)(search->count - 1 - place));
	search->best[place] = *choice;
}

static void keep_best(const sw_grid_choice *choice, search *search)
{
	int place = search->count;

	while (place > 0 && sw_grid_is_better(choice, &search->best[place - 1]))
		place--;
	if (place < search->most)
		insert(choice, place, search);
}

/* Those that move less need more memory: the front is in order by both. */
static void keep_unbeaten(const sw_grid_choice *choice, search *search)
{
	int place = search->count, end;

	while (place > 0 && sw_grid_is_better(choice, &search->best[place - 1]))
		place--;
	if (place > 0 && search->best[place - 1].peak <= choice->peak)
		return;
	for (end = place; end < search->count && search->best[end].peak >= choice->peak;)
		end++;
	if (end > place)
		memmove(&search->best[place], &search->best[end], sizeof *choice * (size_t)(search->count - end));
	search->count -= end - place;
	search->failed |= !SW_GROW(search->arena, search->best, search->count, search->most, 16);
	if (!search->failed)
		insert(choice, place, search);
}

static void keep(const sw_scheme *scheme, int64_t volume, search *search)
{
	const sw_schedule_rates *rates = search->question->rates;
	sw_grid_choice choice;

	sw_grid_figures(scheme, &choice);
	choice.scheme = *scheme;
	choice.volume = volume;
	choice.seconds = 0;
	if (rates != NULL)
		choice.seconds = sw_schedule_seconds(rates, sw_larger(choice.received, choice.sent), choice.flops,
			scheme->steps);
	if (search->arena == NULL)
		keep_best(&choice, search);
	else if (choice.peak <= search->question->memory)
		keep_unbeaten(&choice, search);
}

#define SW_MOST_DOUBLED 10

/* In as few steps as memory allows; by time in twice as many, and so on, too. */
static void consider_steps(sw_scheme *scheme, int letter, int64_t volume, search *search)
{
	if (!longest_steps(scheme, letter, search))
		return;
	keep(scheme, volume, search);
	if (search->question->rates == NULL)
		return;
	for (int n = 0; n < SW_MOST_DOUBLED && scheme->chunk > 1; n++) {
		cut_time(scheme, letter, scheme->steps * 2);
		keep(scheme, volume, search);
	}
}

/* One step, twice as many, and so on, down to single elements. */
static void consider_all_steps(const sw_scheme *scheme, int64_t volume, search *search)
{
	sw_scheme grid = *scheme;

	keep(&grid, volume, search);
	for (int letter = 0; letter < scheme->letters; letter++) {
		if (!(search->question->times >> letter & 1))
			continue;
		cut_time(&grid, letter, 1);
		while (grid.chunk > 1) {
			cut_time(&grid, letter, grid.steps * 2);
			keep(&grid, volume, search);
		}
	}
}

static void consider_other_steps(const sw_scheme *scheme, int64_t volume, search *search)
{
	sw_scheme grid = *scheme;

	for (int letter = 0; letter < scheme->letters; letter++)
		if (search->question->times >> letter & 1)
			consider_steps(&grid, letter, volume, search);
}

static bool consider(const sw_scheme *scheme, search *search)
{
	const sw_grid_question *question = search->question;
	bool by_volume = question->rates == NULL;
	sw_grid_choice figures;
	int64_t volume;

	if (!sw_scheme_volumes(scheme, &volume) || search->failed)
		return false;
	if (search->arena != NULL) {
		consider_all_steps(scheme, volume, search);
		return true;
	}
	if (by_volume && search->count == search->most && volume > search->best[search->most - 1].volume)
		return true;
	sw_grid_figures(scheme, &figures);
	search->smallest = sw_smaller(search->smallest, figures.peak);
	if (figures.peak <= question->memory)
		keep(scheme, volume, search);
	if (figures.peak > question->memory || !by_volume)
		consider_other_steps(scheme, volume, search);
	return true;
}

static bool look_at_grid(void *user)
{
	search *search = user;

	return consider(&search->grid, search);
}

static bool search_all(search *search)
{
	sw_scheme *grid = &search->grid;

	*grid = *search->question->scheme;
	assert(grid->axes >= 1 && grid->axes == grid->spaces);
	grid->time = -1;
	grid->steps = 1;
	for (int array = 0; array < grid->arrays; array++)
		grid->array[array].stepwise = false;
	return sw_each_grid(search->question->processors, grid->axes, grid->extent, look_at_grid, search);
}

int sw_grid_front(const sw_grid_question *question, sw_arena *arena, const sw_grid_choice **front)
{
	search search = {.question = question, .smallest = INT64_MAX, .arena = arena};

	if (!search_all(&search) || search.failed)
		return -1;
	*front = search.best;
	return search.count;
}

int sw_grid_choose(const sw_grid_question *question, sw_grid_choice *choice, int most, int64_t *smallest,
	sw_diag *diag)
{
	search search = {.question = question, .smallest = INT64_MAX, .most = most, .best = choice};

	assert(most >= 1);
	if (!search_all(&search)) {
		sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the volume does not fit into 64 bits");
		return 0;
	}
	if (search.count == 0) {
		*smallest = search.smallest;
		sw_diag_set(diag, SW_S01, (sw_span){0, 0}, "no schedule lives in that memory");
		sw_diag_expected(diag, "at least %lld elements on a processor", (long long)search.smallest);
		sw_diag_found(diag, "%lld", (long long)question->memory);
	}
	return search.count;
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

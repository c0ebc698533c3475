/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The grid of processors that moves least.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/choice.h>
#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/grid_choice.h"
#include "schedule/scheme.h"

typedef struct search {
	const sw_grid_question *question;
	sw_diag *diag;
	int64_t smallest;
	sw_scheme grid;
	int most, count;
	sw_grid_choice *best; /* best first */
	sw_arena *arena;      /* all that others do not beat are kept, in it; NULL: the best */
	sw_arena *scratch;    /* homes are given: each processor is looked at; NULL: they follow from the grid */
	bool failed;
} search;

static void look_at(const sw_scheme *scheme, search *search, sw_grid_choice *figures)
{
	sw_arena_mark mark;
	sw_schedule_totals totals = {0};

	if (search->scratch == NULL) {
		sw_grid_figures(scheme, figures);
		return;
	}
	mark = sw_arena_here(search->scratch);
	search->failed |= !sw_scheme_totals(scheme, search->scratch, &totals, search->diag);
	figures->received = totals.most_received;
	figures->sent = totals.most_sent;
	figures->held = totals.most_held;
	figures->peak = totals.most_peak;
	figures->flops = totals.most_flops;
	sw_arena_back(search->scratch, mark);
}

static void cut_time(sw_scheme *scheme, int letter, int64_t steps)
{
	sw_scheme_divide(scheme, letter, steps);
	for (int array = 0; array < scheme->arrays; array++)
		scheme->array[array].stepwise = sw_scheme_array_has(&scheme->array[array], letter);
}

static int64_t peak_with(sw_scheme *scheme, int letter, int64_t chunk, search *search)
{
	sw_grid_choice figures;

	cut_time(scheme, letter, sw_blocks_of(sw_scheme_block(scheme, letter), chunk));
	look_at(scheme, search, &figures);
	return figures.peak;
}

/* Steps as long as memory allows, if it allows any: live memory grows with them. */
static bool longest_steps(sw_scheme *scheme, int letter, search *search)
{
	int64_t fits = 1, high = sw_scheme_block(scheme, letter), memory = search->question->memory;
	int64_t least = peak_with(scheme, letter, 1, search);

	search->smallest = sw_smaller(search->smallest, least);
	if (least > memory)
		return false;
	if (peak_with(scheme, letter, high, search) <= memory)
		return true;
	while (high - fits > 1) {
		int64_t middle = fits + (high - fits) / 2;

		if (peak_with(scheme, letter, middle, search) <= memory)
			fits = middle;
		else
			high = middle;
	}
	peak_with(scheme, letter, fits, search);
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

	look_at(scheme, search, &choice);
	choice.scheme = *scheme;
	choice.volume = volume;
	choice.seconds = 0;
	if (rates != NULL)
		choice.seconds = sw_schedule_seconds(rates, sw_larger(choice.received, choice.sent), choice.flops,
			choice.held, scheme->steps);
	if (search->arena == NULL)
		keep_best(&choice, search);
	else if (choice.peak <= search->question->memory)
		keep_unbeaten(&choice, search);
}

#define SW_MOST_DOUBLED 10

/* No more than there are elements in the block. */
static int64_t twice_as_many(const sw_scheme *scheme, int letter)
{
	return sw_smaller(scheme->steps * 2, sw_scheme_block(scheme, letter));
}

/* In as few steps as memory allows; by time in twice as many, and so on, too. */
static void consider_steps(sw_scheme *scheme, int letter, int64_t volume, search *search)
{
	if (!longest_steps(scheme, letter, search))
		return;
	keep(scheme, volume, search);
	if (search->question->rates == NULL)
		return;
	for (int n = 0; n < SW_MOST_DOUBLED && scheme->chunk > 1; n++) {
		cut_time(scheme, letter, twice_as_many(scheme, letter));
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
			cut_time(&grid, letter, twice_as_many(&grid, letter));
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
	look_at(scheme, search, &figures);
	search->smallest = sw_smaller(search->smallest, figures.peak);
	if (figures.peak <= question->memory)
		keep(scheme, volume, search);
	if (figures.peak > question->memory || !by_volume)
		consider_other_steps(scheme, volume, search);
	return true;
}

static void one_step(sw_scheme *scheme)
{
	scheme->time = -1;
	scheme->steps = 1;
	for (int array = 0; array < scheme->arrays; array++)
		scheme->array[array].stepwise = false;
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
	one_step(grid);
	return sw_scheme_fits(grid, search->question->processors) &&
		sw_each_grid(search->question->processors, grid->axes, grid->extent, look_at_grid, search);
}

int sw_grid_front(const sw_grid_question *question, sw_arena *arena, const sw_grid_choice **front)
{
	search search = {.question = question, .smallest = INT64_MAX, .arena = arena};

	if (!search_all(&search) || search.failed)
		return -1;
	*front = search.best;
	return search.count;
}

/* How many were found; none: why. */
static int answer(search *search, int64_t *smallest)
{
	if (search->count > 0 || search->smallest == INT64_MAX)
		return search->count;
	*smallest = search->smallest;
	sw_diag_set(search->diag, SW_S01, (sw_span){0, 0}, "no schedule fits into that memory");
	sw_diag_expected(search->diag, "at least %lld elements on a device", (long long)search->smallest);
	sw_diag_found(search->diag, "%lld", (long long)search->question->memory);
	return 0;
}

int sw_grid_choose(const sw_grid_question *question, sw_grid_choice *choice, int most, int64_t *smallest,
	sw_diag *diag)
{
	search search = {.question = question, .smallest = INT64_MAX, .most = most, .best = choice, .diag = diag};

	assert(most >= 1);
	if (!search_all(&search)) {
		sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the numbers do not fit into 64 bits");
		return 0;
	}
	return answer(&search, smallest);
}

/* ---- homes that are given ---- */

/* Has each processor at home what it reads of arrays that several have? */
static bool copies_suffice(const sw_scheme *scheme)
{
	int64_t at[SW_SCHEME_AXES] = {0};
	sw_scheme_plan plan;

	sw_scheme_plan_of(scheme, &plan);
	do {
		for (int n = 0; n < scheme->arrays; n++) {
			const sw_scheme_array *array = &scheme->array[n];
			sw_range home[SW_MAX_DIMS];

			if (!sw_scheme_array_stays(scheme, array) || !sw_scheme_works(&plan, at))
				continue;
			if (n == 0 || !sw_scheme_home(scheme, array, at, home))
				return false;
			for (int dim = 0; dim < array->rank; dim++)
				if (!sw_range_within(sw_scheme_range(&plan, array->letter[dim], at), home[dim]))
					return false;
		}
	} while (sw_scheme_next(scheme, at));
	return true;
}

/* All ways to give letters to axes from this one on; axes behind the last letter have none. */
static bool each_space(search *search, int axis)
{
	sw_scheme *scheme = &search->grid;
	int most = scheme->axes < scheme->letters ? scheme->axes : scheme->letters;

	if (axis == most) {
		scheme->spaces = most;
		return !copies_suffice(scheme) || consider(scheme, search);
	}
	for (int letter = 0; letter < scheme->letters; letter++) {
		bool taken = false;

		for (int before = 0; before < axis; before++)
			taken |= scheme->space[before] == letter;
		scheme->space[axis] = letter;
		if (!taken && !each_space(search, axis + 1))
			return false;
	}
	return true;
}

int sw_spaces_choose(const sw_grid_question *question, sw_grid_choice *choice, int most, int64_t *smallest,
	sw_diag *diag)
{
	search search = {.question = question,
		.smallest = INT64_MAX,
		.most = most,
		.best = choice,
		.diag = diag,
		.grid = *question->scheme,
		.scratch = sw_arena_new()};
	bool looked;

	assert(most >= 1 && question->scheme->axes >= 1);
	if (search.scratch == NULL) {
		sw_diag_memory(diag);
		return 0;
	}
	one_step(&search.grid);
	looked = sw_scheme_fits(&search.grid, sw_scheme_processors(&search.grid)) && each_space(&search, 0);
	sw_arena_free(search.scratch);
	if (!looked || search.failed) {
		if (!search.failed)
			sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the numbers do not fit into 64 bits");
		return 0;
	}
	if (search.smallest == INT64_MAX)
		sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no loops read copies only where they are");
	return answer(&search, smallest);
}

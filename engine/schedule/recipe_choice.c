/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best machine and steps for an algorithm.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "schedule/algorithm.h"
#include "schedule/grid_choice.h"

#define SW_RECIPES_FOUND 2 /* the best and the next */

typedef struct found {
	sw_recipe_question question;
	sw_grid_choice figures;
} found;

typedef struct search {
	const sw_schedule_algorithm *algorithm;
	int64_t memory;
	const sw_schedule_rates *rates;
	sw_arena *scratch;
	int64_t smallest;
	bool failed;
	sw_recipe_question asked;
	int machines, room;
	struct machine *machine;
	bool any; /* of the present machine, and the best on it */
	found here;
	int count;
	found best[SW_RECIPES_FOUND]; /* of all, each on another machine */
	sw_diag *diag;
} search;

static void figures_of(const sw_scheme *scheme, const sw_schedule_totals *totals, const sw_schedule_rates *rates,
	sw_grid_choice *figures)
{
	*figures = (sw_grid_choice){.scheme = *scheme,
		.volume = totals->volume,
		.received = totals->most_received,
		.sent = totals->most_sent,
		.held = totals->most_held,
		.peak = totals->most_peak,
		.flops = totals->most_flops};
	if (rates != NULL)
		figures->seconds = sw_schedule_seconds(rates, sw_larger(figures->received, figures->sent), figures->flops,
			figures->held, scheme->steps);
}

/* Does it live within the bound?  Its figures, then, too. */
static bool look_at(const sw_recipe_question *question, search *search, sw_grid_choice *figures)
{
	sw_arena_mark mark = sw_arena_here(search->scratch);
	sw_schedule_totals totals;
	sw_recipe recipe;

	search->failed |= !sw_recipe_of(search->algorithm, question, search->scratch, &recipe, search->diag) ||
		!sw_scheme_totals(&recipe.scheme, search->scratch, &totals, search->diag);
	if (search->failed)
		return false;
	figures_of(&recipe.scheme, &totals, search->rates, figures);
	sw_arena_back(search->scratch, mark);
	search->smallest = sw_smaller(search->smallest, figures->peak);
	return figures->peak <= search->memory;
}

static void consider(const sw_recipe_question *question, search *search)
{
	sw_grid_choice figures;

	if (!look_at(question, search, &figures) || (search->any && !sw_grid_is_better(&figures, &search->here.figures)))
		return;
	search->here = (found){*question, figures};
	search->any = true;
}

/* The same with steps of so many elements of a block. */
static sw_recipe_question with_chunk(const sw_recipe_question *asked, int64_t block, int64_t chunk,
	const search *search)
{
	sw_recipe_question question = *asked;

	if (search->algorithm->chunk > 0)
		question.chunk = chunk;
	else
		question.steps = (block - 1) / chunk + 1;
	return question;
}

static bool lives(const sw_recipe_question *asked, int64_t block, int64_t chunk, search *search)
{
	sw_recipe_question question = with_chunk(asked, block, chunk, search);
	sw_grid_choice figures;

	return look_at(&question, search, &figures);
}

/* The longest steps that memory allows; 0: none does.  Live memory grows with them. */
static int64_t longest_steps(const sw_recipe_question *question, int64_t block, search *search)
{
	int64_t fits = 1, high = block;

	if (lives(question, block, block, search))
		return block;
	if (!lives(question, block, 1, search))
		return 0;
	while (high - fits > 1) {
		int64_t middle = fits + (high - fits) / 2;

		if (lives(question, block, middle, search))
			fits = middle;
		else
			high = middle;
	}
	return fits;
}

static void consider_steps(const sw_recipe_question *question, search *search)
{
	bool free = sw_schedule_algorithm_is_free(search->algorithm) && question->steps == 0 && question->chunk == 0;
	int64_t block, chunk;
	sw_grid_choice figures;
	sw_recipe_question other;

	if (!free) {
		consider(question, search);
		return;
	}
	look_at(question, search, &figures);
	if (search->failed)
		return;
	block = sw_scheme_block(&figures.scheme, figures.scheme.time);
	chunk = search->rates == NULL ? longest_steps(question, block, search) : block;
	for (; chunk >= 1; chunk = search->rates == NULL ? 0 : chunk / 2) {
		other = with_chunk(question, block, chunk, search);
		consider(&other, search);
	}
}

/* What was found on a machine is one of the best, or it is none. */
static void keep_best(search *search)
{
	int at = search->count;

	assert(search->count <= SW_RECIPES_FOUND);
	for (; at > 0 && sw_grid_is_better(&search->here.figures, &search->best[at - 1].figures); at--)
		if (at < SW_RECIPES_FOUND)
			search->best[at] = search->best[at - 1];
	if (at == SW_RECIPES_FOUND)
		return;
	search->best[at] = search->here;
	search->count += search->count < SW_RECIPES_FOUND;
}

static void consider_machine(search *search)
{
	search->any = false;
	consider_steps(&search->asked, search);
	if (search->any && !search->failed)
		keep_best(search);
}

/* A machine that fits, with what is moved on it, however many steps that takes. */
typedef struct machine {
	int64_t volume;
	int64_t extent[SW_SCHEME_AXES];
} machine;

static bool find_machine(void *user)
{
	search *search = user;
	sw_scheme scheme;
	machine *made;

	if (!sw_schedule_algorithm_fits(search->algorithm, &search->asked))
		return true;
	search->failed = !SW_GROW(search->scratch, search->machine, search->machines, search->room, 64);
	if (search->failed)
		return sw_diag_memory(search->diag);
	made = &search->machine[search->machines++];
	sw_schedule_algorithm_scheme(search->algorithm, search->asked.size, &scheme);
	memcpy(scheme.extent, search->asked.extent, sizeof scheme.extent);
	memcpy(made->extent, search->asked.extent, sizeof made->extent);
	if (!sw_scheme_volumes(&scheme, &made->volume))
		made->volume = INT64_MAX;
	return true;
}

static int by_volume(const void *a, const void *b)
{
	const machine *one = a, *other = b;

	return (one->volume > other->volume) - (one->volume < other->volume);
}

/* Those that move least come first; by volume none follows as many as are asked for that live. */
static void look_at_machines(search *search)
{
	qsort(search->machine, (size_t)search->machines, sizeof *search->machine, by_volume);
	for (int n = 0; n < search->machines && !search->failed; n++) {
		if (search->count == SW_RECIPES_FOUND && search->rates == NULL &&
			search->machine[n].volume > search->best[SW_RECIPES_FOUND - 1].figures.volume)
			return;
		memcpy(search->asked.extent, search->machine[n].extent, sizeof search->asked.extent);
		consider_machine(search);
	}
}

static bool answer(search *search, sw_arena *arena, sw_recipe_choice *choice, sw_diag *diag)
{
	if (search->failed)
		return false;
	if (search->count == 0) {
		choice->smallest = search->smallest;
		sw_diag_set(diag, SW_S01, (sw_span){0, 0},
			"'%s' does not fit into that "
			"memory",
			search->algorithm->name);
		sw_diag_expected(diag, "at least %lld elements on a device", (long long)search->smallest);
		sw_diag_found(diag, "%lld", (long long)search->memory);
		return false;
	}
	choice->figures = search->best[0].figures;
	choice->smallest = search->smallest;
	choice->next = search->count > 1;
	choice->next_figures = search->best[1].figures;
	return sw_recipe_of(search->algorithm, &search->best[0].question, arena, &choice->recipe, diag) &&
		(!choice->next ||
			sw_recipe_of(search->algorithm, &search->best[1].question, arena, &choice->next_recipe, diag));
}

bool sw_recipe_choose(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, int64_t memory,
	const sw_schedule_rates *rates, sw_arena *arena, sw_recipe_choice *choice, sw_diag *diag)
{
	search search = {.algorithm = algorithm,
		.memory = memory,
		.rates = rates,
		.scratch = sw_arena_new(),
		.smallest = INT64_MAX,
		.asked = *question,
		.diag = diag};
	bool found;

	if (search.scratch == NULL)
		return sw_diag_memory(diag);
	search.asked.axes = sw_schedule_algorithm_axes(algorithm);
	memset(search.asked.level, 0, sizeof search.asked.level);
	sw_each_grid(question->processors, search.asked.axes, search.asked.extent, find_machine, &search);
	if (search.machines > 0) {
		look_at_machines(&search);
	} else if (!search.failed) {
		search.asked.axes = 0;
		consider_machine(&search);
	}
	found = answer(&search, arena, choice, diag);
	sw_arena_free(search.scratch);
	return found;
}

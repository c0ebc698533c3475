/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `schedule best [ALGORITHM]`: what is chosen, the next best, and what no schedule gets below.
 */
#include "command/compare/best.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/words.h"
#include "command/compare/compare_schedules.h"
#include "command/programs/algorithm.h"

#define BESTS 2         /* the best and the next */
#define CHOICES_MOST 24 /* grids and steps, among which the next grid is looked for */

struct best {
	struct invocation *run;
	struct contest *contest;
	const sw_recipe *recipe[BESTS]; /* the second is NULL where there is no other grid */
	int64_t smallest;               /* bound of memory that works, where none was found */
	sw_diag *diag;
};

/* ---- an algorithm ---- */

/* COSMA is chosen where each processor has its part of each array. */
static const sw_schedule_algorithm *algorithm_named(sw_str name)
{
	return sw_schedule_algorithm_named(sw_str_is(name, "cosma") ? sw_str_of("cosma-balanced") : name);
}

static bool refuse_algorithm(const struct invocation *run, sw_str name, sw_diag *diag)
{
	const sw_schedule_algorithm *row;
	sw_text names = {0};

	for (int n = 0; (row = sw_schedule_algorithm_at(n)) != NULL; n++)
		if (sw_schedule_algorithm_named(sw_str_of(row->name)) == row)
			sw_text_addf(&names, "%s%s", n > 0 ? ", " : "", row->name);
	sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "there is no algorithm '%.*s'", AS_SHOWN(name));
	sw_diag_expected(diag, "one of %s", sw_text_get(&names));
	sw_text_free(&names);
	return refuse_at(run, name, diag);
}

static bool refuse_statement(const struct invocation *run, sw_str name, const sw_schedule_algorithm *algorithm,
	sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "'%s' computes something else", algorithm->name);
	sw_diag_expected(diag, "%s", algorithm->statement);
	sw_diag_found(diag, "%s", run->session->state.formula->text);
	return refuse_at(run, name, diag);
}

static bool choose_of_algorithm(struct best *best, sw_str name)
{
	struct invocation *run = best->run;
	const struct contest *contest = best->contest;
	const sw_schedule_algorithm *algorithm = algorithm_named(name);
	sw_recipe_choice *choice = SW_NEW_ZERO(run->session->arena, sw_recipe_choice, 1);
	sw_recipe_question question;

	if (choice == NULL)
		return sw_diag_memory(best->diag);
	if (algorithm == NULL)
		return refuse_algorithm(run, name, best->diag);
	if (!algorithm_question(run, algorithm, &question, best->diag))
		return best->diag->code == SW_OK ? refuse_statement(run, name, algorithm, best->diag) : false;
	bool found = sw_recipe_choose(algorithm, &question, contest->live, contest->by_time ? &contest->rates : NULL,
		run->session->arena, choice, best->diag);
	best->recipe[0] = &choice->recipe;
	best->recipe[1] = choice->next ? &choice->next_recipe : NULL;
	best->smallest = found ? 0 : choice->smallest;
	return found;
}

/* ---- all schedules ---- */

/* The first on another grid than the best; NULL: there is none. */
static const sw_grid_choice *next_of(const sw_grid_choice *choice, int count)
{
	for (int n = 1; n < count; n++)
		if (memcmp(choice[n].scheme.extent, choice[0].scheme.extent, sizeof choice[0].scheme.extent) != 0)
			return &choice[n];
	return NULL;
}

static bool choose_of_all(struct best *best)
{
	sw_grid_choice *choice = SW_NEW(best->run->arena, sw_grid_choice, CHOICES_MOST);
	sw_recipe *recipe = SW_NEW(best->run->session->arena, sw_recipe, BESTS);
	sw_scheme scheme;
	sw_grid_question question;

	if (choice == NULL || recipe == NULL)
		return sw_diag_memory(best->diag);
	if (!contest_family(best->contest, &scheme, &question, best->diag))
		return false;
	int count = sw_grid_choose(&question, choice, CHOICES_MOST, &best->smallest, best->diag);
	if (count == 0)
		return false;
	const sw_grid_choice *next = next_of(choice, count);
	best->recipe[0] = &recipe[0];
	best->recipe[1] = next != NULL ? &recipe[1] : NULL;
	return contest_recipe(best->contest, &choice[0].scheme, best->run->session->arena, &recipe[0], best->diag) &&
		(next == NULL ||
			contest_recipe(best->contest, &next->scheme, best->run->session->arena, &recipe[1], best->diag));
}

static bool choose(struct best *best, sw_str algorithm)
{
	return algorithm.length > 0 ? choose_of_algorithm(best, algorithm) : choose_of_all(best);
}

/* ---- too little memory ---- */

static void print_grid(const sw_scheme *scheme, sw_text *text)
{
	for (int axis = 0; axis < scheme->axes; axis++)
		sw_text_addf(text, "%s%lld", axis > 0 ? " x " : "", (long long)scheme->extent[axis]);
}

/* The bound that works has a schedule, which is the hint. */
static bool refuse_memory(struct best *best, sw_str algorithm)
{
	sw_diag why = *best->diag;
	sw_text text = {0};

	if (why.code != SW_S01 || best->smallest <= best->contest->live || best->smallest == SW_NO_BOUND)
		return refuse_budget(best->run, best->diag);
	best->contest->live = best->smallest;
	if (!choose(best, algorithm))
		return refuse_budget(best->run, best->diag);
	const sw_recipe *recipe = best->recipe[0];
	sw_text_addf(&text, "with --live %lld: ", (long long)best->contest->live);
	print_grid(&recipe->scheme, &text);
	sw_text_addf(&text, ", %s: ", words_plural(recipe->scheme.steps, "step", "steps").text);
	for (int n = 0; n < recipe->commands; n++)
		sw_text_addf(&text, ".%s", recipe->command[n]);
	*best->diag = why;
	sw_diag_hint(best->diag, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return refuse_budget(best->run, best->diag);
}

/* ---- what is said of it ---- */

static void say_grid(const struct invocation *run, const char *before, const struct contender *c)
{
	sw_text text = {0};

	print_grid(&c->recipe->scheme, &text);
	document_say(run->answer, 0, "%s%s, %s, %s moved, live %s", before, sw_text_get(&text),
		words_plural(c->steps, "step", "steps").text, words_plural(c->volume, "element", "elements").text,
		words_count(c->peak).text);
	sw_text_free(&text);
}

static bool say_next(const struct best *best, struct fields *out)
{
	struct contender next;

	if (best->recipe[1] == NULL || !best->recipe[1]->exact)
		return true;
	if (!contender_of_recipe(best->recipe[1], best->contest->processors, best->run->arena, &next, best->diag))
		return false;
	const struct rows rows = contenders_rows(&next, 1, 0);
	say_grid(best->run, "next best: ", &next);
	return rows_members(&rows, field_object(out, "next"), best->diag);
}

/* Has each processor its part of each array? */
static bool is_shared(const sw_scheme *scheme)
{
	for (int n = 0; n < scheme->arrays; n++)
		for (int axis = 0; axis < scheme->axes; axis++)
			if (scheme->extent[axis] > 1 && scheme->array[n].home.place[axis].dim < 0)
				return false;
	return true;
}

/* Of products of matrices of which each processor has its part. */
static void say_bound(const struct invocation *run, const struct contest *contest, const struct contender *best,
	struct fields *out)
{
	const sw_scheme *scheme = &best->recipe->scheme;
	sw_received_bound bound;

	if (!contest_is_of_matrices(contest))
		return;
	sw_matrices_bound(scheme->size[0], scheme->size[1], scheme->size[2], contest->processors, contest->live, &bound);
	if (bound.elements <= 0)
		return;
	int64_t least = sw_nearest(ceil(bound.elements * (1 - 1e-12)));
	if (best->received <= least && is_shared(scheme))
		document_say(run->answer, 0,
			"a device receives at most %s, and some device must, if each has its part of each array (%s)",
			words_plural(best->received, "element", "elements").text, bound.source);
	else
		document_say(run->answer, 0,
			"a device receives at most %s; if each has its part of each array, some device must receive "
			"%s (%s)",
			words_plural(best->received, "element", "elements").text, words_count(least).text, bound.source);
	field_number(out, "received_bound", bound.elements);
	field_text(out, "bound_source", bound.source);
}

static bool say(const struct best *best)
{
	struct fields *out = document_fields(best->run->answer, "shardwalk.schedule/1");
	const sw_recipe *recipe = best->recipe[0];
	struct contender first;

	if (!recipe->exact)
		return true;
	if (!contender_of_recipe(recipe, best->contest->processors, best->run->arena, &first, best->diag))
		return false;
	const struct rows rows = contenders_rows(&first, 1, 0);
	say_grid(best->run, "", &first);
	if (!rows_members(&rows, field_object(out, "best"), best->diag))
		return false;
	say_bound(best->run, best->contest, &first, out);
	return say_next(best, out);
}

bool best_take(struct invocation *run, sw_str algorithm, sw_diag *diag)
{
	struct best best = {.run = run, .contest = SW_NEW_ZERO(run->arena, struct contest, 1), .diag = diag};

	assert(run->session->state.formula != NULL);
	if (best.contest == NULL)
		return sw_diag_memory(diag);
	if (!contest_begin(run, best.contest, diag))
		return false;
	if (!choose(&best, algorithm))
		return refuse_memory(&best, algorithm);
	assert(best.recipe[0] != NULL);
	return say(&best) && algorithm_take_recipe(run, best.recipe[0], true, diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `schedule best [ALGORITHM]`: what is chosen, the next best, and what no schedule gets below.
 */
#include "command/compare/best.h"

#include <assert.h>
#include <math.h>

#include "answer/words.h"
#include "command/compare/compare_schedules.h"
#include "command/programs/algorithm.h"

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

static bool choose_algorithm(struct invocation *run, const struct contest *contest, sw_str name, sw_recipe *recipe,
	sw_diag *diag)
{
	const sw_schedule_algorithm *algorithm = algorithm_named(name);
	sw_recipe_question question;
	sw_recipe_choice choice;

	if (algorithm == NULL)
		return refuse_algorithm(run, name, diag);
	if (!algorithm_question(run, algorithm, &question, diag))
		return diag->code == SW_OK ? refuse_statement(run, name, algorithm, diag) : false;
	if (!sw_recipe_choose(algorithm, &question, contest->live, contest->by_time ? &contest->rates : NULL,
			run->session->arena, &choice, diag))
		return refuse_budget(run, diag);
	*recipe = choice.recipe;
	return true;
}

/* ---- what is said of it ---- */

static void say_grid(const struct invocation *run, const char *before, const struct contender *c)
{
	sw_text text = {0};

	for (int axis = 0; axis < c->mesh->count; axis++)
		sw_text_addf(&text, "%s%lld", axis > 0 ? " x " : "", (long long)c->mesh->axis[axis].size);
	document_say(run->answer, 0, "%s%s, %s, %s moved, live %s", before, sw_text_get(&text),
		words_plural(c->steps, "step", "steps").text, words_plural(c->volume, "element", "elements").text,
		words_count(c->peak).text);
	sw_text_free(&text);
}

/* The second best of the family. */
static bool say_next(const struct invocation *run, const struct contest *contest, struct fields *out, sw_diag *diag)
{
	sw_scheme scheme;
	sw_grid_question question;
	sw_grid_choice choice[2];
	sw_recipe recipe;
	struct contender next;
	int64_t smallest;

	if (!contest_family(contest, &scheme, &question, diag))
		return false;
	if (sw_grid_choose(&question, choice, 2, &smallest, diag) < 2)
		return true;
	if (!contest_recipe(contest, &choice[1].scheme, run->arena, &recipe, diag) ||
		!contender_of_recipe(&recipe, contest->processors, run->arena, &next, diag))
		return false;
	const struct rows rows = contenders_rows(&next, 1, 0);
	say_grid(run, "next best: ", &next);
	return rows_members(&rows, field_object(out, "next"), diag);
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
	int64_t least = (int64_t)ceil(bound.elements * (1 - 1e-12));
	if (best->received <= least)
		document_say(run->answer, 0,
			"one receives %s at most, and some processor has to, where each has its part of each array (%s)",
			words_plural(best->received, "element", "elements").text, bound.source);
	else
		document_say(run->answer, 0,
			"one receives %s at most; where each has its part of each array some processor "
			"has to receive %s (%s)",
			words_plural(best->received, "element", "elements").text, words_count(least).text, bound.source);
	field_number(out, "received_bound", bound.elements);
	field_text(out, "bound_source", bound.source);
}

static bool say(const struct invocation *run, const struct contest *contest, const sw_recipe *recipe, bool family,
	sw_diag *diag)
{
	struct fields *out = document_fields(run->answer, "shardwalk.schedule/1");
	struct contender best;

	if (!recipe->exact)
		return true;
	if (!contender_of_recipe(recipe, contest->processors, run->arena, &best, diag))
		return false;
	const struct rows rows = contenders_rows(&best, 1, 0);
	say_grid(run, "", &best);
	if (!rows_members(&rows, field_object(out, "best"), diag))
		return false;
	say_bound(run, contest, &best, out);
	return !family || say_next(run, contest, out, diag);
}

bool best_take(struct invocation *run, sw_str algorithm, sw_diag *diag)
{
	struct contest *contest = SW_NEW_ZERO(run->arena, struct contest, 1);
	sw_recipe *recipe = SW_NEW(run->session->arena, sw_recipe, 1);

	assert(run->session->state.formula != NULL);
	if (contest == NULL || recipe == NULL)
		return sw_diag_memory(diag);
	if (!contest_begin(run, contest, diag))
		return false;
	if (!(algorithm.length > 0 ? choose_algorithm(run, contest, algorithm, recipe, diag) :
								 contest_best(contest, run->session->arena, recipe, diag)))
		return refuse_budget(run, diag);
	return say(run, contest, recipe, algorithm.length == 0, diag) && algorithm_take_recipe(run, recipe, diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algorithms whose figures follow from no formula, as on meshes with levels: their schedule is lowered.
 */
#include <assert.h>

#include <shardwalk/distribution.h>

#include "answer/watch.h"
#include "command/compare/compare_schedules.h"

#define SENDERS_MOST (1 << 16) /* steps of processors, of which it is looked at who sends */

/* An array where the recipe has it, over the present mesh. */
static bool read_array(const struct invocation *run, const sw_recipe *recipe, int n, sw_schedule_array *array,
	sw_diag *diag)
{
	const sw_scheme_array *is = &recipe->scheme.array[n];
	const sw_mesh *mesh = &run->session->state.mesh;
	sw_holding *held = SW_NEW(run->arena, sw_holding, 1);
	struct any_type at;
	sw_text text = {0};
	sw_type type;

	*array = (sw_schedule_array){.name = sw_str_of(recipe->array[n]), .rank = is->rank, .home = held};
	for (int d = 0; d < is->rank; d++)
		array->size[d] = recipe->scheme.size[is->letter[d]];
	if (held == NULL)
		return sw_diag_memory(diag);
	if (!sw_type_replicated(SW_F64, is->rank, array->size, &type, diag))
		return false;
	sw_distal_print_type(mesh, &type, &is->home, &text);
	const char *kept = sw_text_keep(&text, run->arena);
	if (kept == NULL)
		return sw_diag_memory(diag);
	return read_any_type(run, sw_str_of(kept), run->arena, &at, diag) &&
		(sw_holding_of_any(mesh, &at.type, at.words, mesh->order, run->arena, held) || sw_diag_memory(diag));
}

static const sw_lowering *lower(const struct invocation *run, const sw_recipe *recipe, sw_diag *diag)
{
	sw_schedule_problem *problem = SW_NEW_ZERO(run->arena, sw_schedule_problem, 1);
	sw_schedule_array array[SW_SCHEME_ARRAYS];
	const sw_schedule *schedule;

	if (problem == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int n = 0; n < recipe->scheme.arrays; n++)
		if (!read_array(run, recipe, n, &array[n], diag))
			return NULL;
	if (!sw_schedule_problem_of(sw_str_of(recipe->statement), &run->session->state.mesh, array, recipe->scheme.arrays,
			run->arena, problem, diag))
		return NULL;
	schedule = sw_schedule_new(problem, run->arena);
	if (schedule == NULL)
		sw_diag_memory(diag);
	for (int n = 0; n < recipe->commands && schedule != NULL; n++)
		schedule = sw_schedule_read(schedule, sw_str_of(recipe->command[n]), run->arena, NULL, diag);
	return schedule != NULL ? sw_lowering_of(schedule, run->arena, diag) : NULL;
}

bool contest_lower(const struct invocation *run, const sw_recipe *recipe, struct contender *contender, sw_diag *diag)
{
	const sw_lowering *lowering = lower(run, recipe, diag);
	sw_schedule_totals totals;
	struct watch watch;
	bool ok;

	assert(!recipe->moved);
	if (lowering == NULL)
		return false;
	int64_t processors = run->session->state.mesh.devices;
	watch_start(&watch, run->session->console);
	ok = sw_lowering_totals(lowering, lowering->steps <= SENDERS_MOST / processors, &watch.pulse, run->arena, &totals,
		diag);
	watch_end(&watch);
	if (!ok)
		return false;
	contender_of_totals(lowering, &totals, contender);
	contender->name = recipe->algorithm->name;
	contender->recipe = recipe;
	contender->schedule = NULL;
	for (int n = 0; n < recipe->scheme.arrays; n++)
		contender->array[n] = recipe->array[n];
	return true;
}

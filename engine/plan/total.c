/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows from the steps of a plan: sizes, cost, height, peak memory, permutations, normal form.
 *
 * Source: seed 000, figure 11 (costs), section 4.2 (height), definition of the normal form in section 4.3.
 */
#include <shardwalk/plan.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "plan/between.h"
#include "plan/pieces.h"
#include "plan/tile_numbers.h"
#include "step/row.h"

bool sw_plan_room(sw_plan *plan, int steps, sw_arena *arena)
{
	assert(steps >= 0);
	const sw_type *from = &plan->problem.from;
	sw_type *own = SW_NEW(arena, sw_type, 1);
	plan->program.step = SW_NEW_ZERO(arena, sw_step, steps);
	plan->program.value = SW_NEW_ZERO(arena, sw_value, steps + 1);
	if (!own || (!plan->program.step && steps > 0) || !plan->program.value)
		return false;
	*own = *from;
	plan->program.value->type = own;
	plan->program.value->localsize = sw_type_localsize(from);
	plan->program.value->words = plan->problem.from_words;
	memcpy(plan->program.value->tile, from->tile, sizeof plan->program.value->tile);
	return true;
}

bool sw_plan_own(sw_plan *plan, int more, sw_arena *arena)
{
	assert(more >= 0 && plan->program.steps >= 0);
	int room = plan->program.steps + more;
	sw_step *steps = SW_NEW_ZERO(arena, sw_step, room);
	sw_value *value = SW_NEW_ZERO(arena, sw_value, room + 1);
	if ((!steps && room > 0) || !value)
		return false;
	if (plan->program.steps > 0)
		memcpy(steps, plan->program.step, sizeof *steps * (size_t)plan->program.steps);
	memcpy(value, plan->program.value, sizeof *value * (size_t)(plan->program.steps + 1));
	plan->program.step = steps;
	plan->program.value = value;
	return true;
}

static bool total_overflows(sw_diag *diag, int k)
{
	return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the sizes of step %d do not fit into 64 bits", k + 1);
}

static bool total_size(const int64_t *tile, int rank, int64_t *size)
{
	*size = 1;
	for (int i = 0; i < rank; i++)
		if (!sw_mul(*size, tile[i], size))
			return false;
	return true;
}

/* What a step adds to the figures of its plan: its cost is known, and what a device has before and after it together. */
static bool total_add(sw_plan *plan, int k, int64_t live, int *phase)
{
	const sw_step *step = &plan->program.step[k];
	if (!sw_add(plan->cost, step->cost, &plan->cost))
		return false;
	plan->height = sw_larger(plan->height, plan->program.value[k + 1].localsize);
	plan->live_peak = sw_larger(plan->live_peak, live);
	plan->permutes += sw_row(step->op)->among == SW_AMONG_PAIRS;
	int now = sw_collective_of(step->op)->phase;
	plan->normal_form = plan->normal_form && *phase <= now;
	*phase = now;
	return true;
}

static bool total_step(sw_plan *plan, int k, int *phase)
{
	sw_step *step = &plan->program.step[k];
	sw_value *made = &plan->program.value[k + 1];
	int64_t live, before = plan->program.value[k].localsize;
	if (!total_size(made->tile, plan->problem.from.rank, &made->localsize))
		return false;
	step->group_size = sw_step_members(plan, k);
	step->grouped = step->group_size > 0 ? plan->problem.mesh.devices : 0;
	return sw_sized_cost(step->op, (int64_t[]){before, made->localsize},
			   (const sw_type *const[]){sw_plan_sums_before(plan, k), sw_plan_sums_before(plan, k + 1)},
			   &step->cost) &&
		sw_add(before, made->localsize, &live) && total_add(plan, k, live, phase);
}

/* Groups are given. */
static bool total_pieces(sw_plan *plan, int k, int *phase, sw_diag *diag)
{
	sw_piece_figures figures = {0};
	if (!sw_step_piece_figures(plan, k, &figures, diag))
		return false;
	plan->program.value[k + 1].localsize = figures.most;
	plan->program.value[k + 1].on_all = figures.all;
	plan->program.step[k].cost = figures.cost;
	return total_add(plan, k, figures.live, phase) || total_overflows(diag, k);
}

/* Between types of any kind devices have as much as they say. */
static bool total_between(sw_plan *plan, int k, int *phase)
{
	int64_t live = sw_value_live(plan, k), most = sw_value_most(plan, k + 1);
	sw_step *step = &plan->program.step[k];
	step->group_size = step->grouped = 0;
	step->cost = sw_between_cost(&plan->problem, step->rule);
	plan->program.value[k + 1].localsize = most;
	return most >= 0 && step->cost >= 0 && live >= 0 && total_add(plan, k, live, phase);
}

static bool total_any(sw_plan *plan, int k, int *phase, sw_diag *diag)
{
	if (sw_step_on_pieces(plan, k))
		return total_pieces(plan, k, phase, diag);
	bool between = sw_problem_has_words(&plan->problem);
	return (between ? total_between : total_step)(plan, k, phase) || total_overflows(diag, k);
}

void sw_plan_chain(sw_plan *plan)
{
	sw_program *chain = &plan->program;
	int64_t size = sw_dtype_bytes(plan->problem.from.dtype);
	chain->mesh = plan->problem.mesh;
	chain->inputs = 1;
	chain->values = chain->steps + 1;
	chain->returned = chain->steps;
	for (int k = 0; k <= chain->steps; k++) {
		sw_value *value = &chain->value[k];
		value->last = k;
		if (!sw_mul(value->localsize, size, &value->bytes))
			value->bytes = -1;
	}
	for (int k = 0; k < chain->steps; k++) {
		chain->step[k].operands = 1;
		chain->step[k].operand[0] = k;
	}
}

bool sw_plan_total(sw_plan *plan, sw_diag *diag)
{
	bool between = sw_problem_has_words(&plan->problem);
	if (between && !sw_between_is_listed(&plan->problem, diag))
		return false;
	int64_t size = between ? sw_value_most(plan, 0) : sw_type_localsize(&plan->problem.from);
	int phase = 0;
	if (size < 0)
		return sw_diag_memory(diag);
	plan->program.value->localsize = between ? size : plan->program.value->localsize;
	plan->cost = 0;
	plan->height = size;
	plan->live_peak = size;
	plan->permutes = 0;
	plan->normal_form = true;
	for (int k = 0; k < plan->program.steps; k++)
		if (!total_any(plan, k, &phase, diag))
			return false;
	sw_plan_chain(plan);
	return true;
}

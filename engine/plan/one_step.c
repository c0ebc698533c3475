/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One collective from one end of a problem to the other, as a plan.
 */
#include <shardwalk/plan.h>

#include <string.h>

#include "plan/lower_step.h"
#include "plan/tile_numbers.h"

bool sw_plan_one_step(const sw_problem *problem, sw_op op, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_step *step = SW_NEW_ZERO(arena, sw_step, 1);
	sw_type *to = SW_NEW(arena, sw_type, 1);

	if (step == NULL || to == NULL)
		return sw_diag_memory(diag);
	*plan = (sw_plan){.problem = *problem, .strategy = SW_DIRECT, .origin = "by hand", .local_cost = -1};
	plan->count = 1;
	plan->steps = step;
	*to = problem->to;
	step->op = op;
	step->type = to;
	memcpy(step->tile, to->tile, sizeof step->tile);
	sw_step_entries_between(step, problem->from.tile, to->tile, to->rank);
	if (!sw_type_redistributable(&problem->from, &problem->to, diag) || !sw_plan_group(plan, arena, diag) ||
		!sw_plan_total(plan, diag))
		return false;
	plan->budget = plan->height;
	return sw_plan_check(plan, diag);
}

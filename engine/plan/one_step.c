/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One collective from one end of a problem to the other, as a plan.
 */
#include <shardwalk/plan.h>

#include "plan/tile_numbers.h"
#include "step/row.h"

static void set_entries(const sw_problem *problem, sw_step *step, int64_t *tile)
{
	for (int i = 0; i < problem->from.rank; i++) {
		int64_t before = problem->from.tile[i], after = problem->to.tile[i];

		tile[i] = after;
		if (sw_row(step->op)->dealt)
			continue;
		if (after > before)
			step->gather[step->gathers++] = (sw_entry){i, after / before};
		else if (after < before)
			step->split[step->splits++] = (sw_entry){i, before / after};
	}
}

bool sw_plan_one_step(const sw_problem *problem, sw_op op, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_type *to = SW_NEW(arena, sw_type, 1);

	*plan = (sw_plan){.problem = *problem, .strategy = SW_DIRECT, .origin = "by hand", .local_cost = -1};
	if (to == NULL || !sw_plan_room(plan, 1, arena))
		return sw_diag_memory(diag);
	plan->count = 1;
	*to = problem->to;
	plan->steps->op = op;
	plan->value[1].type = to;
	set_entries(problem, plan->steps, plan->value[1].tile);
	if (!sw_type_redistributable(&problem->from, &problem->to, diag) || !sw_plan_group(plan, arena, diag) ||
		!sw_plan_total(plan, diag))
		return false;
	plan->budget = plan->height;
	return sw_plan_check(plan, diag);
}

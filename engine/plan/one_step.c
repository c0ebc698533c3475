/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One collective from one end of a problem to the other, as a plan.
 */
#include <shardwalk/plan.h>

#include <assert.h>
#include <string.h>

#include "plan/tile_numbers.h"
#include "step/entries.h"

bool sw_plan_one_step(const sw_problem *problem, sw_op op, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	assert((unsigned)op < SW_COLLECTIVES);
	sw_type *to = SW_NEW(arena, sw_type, 1);

	*plan = (sw_plan){.problem = *problem, .strategy = SW_DIRECT, .origin = "by hand", .local_cost = -1};
	if (to == NULL || !sw_plan_room(plan, 1, arena))
		return sw_diag_memory(diag);
	plan->program.steps = 1;
	*to = problem->to;
	plan->program.step->op = op;
	plan->program.value[1].type = to;
	memcpy(plan->program.value[1].tile, to->tile, sizeof to->tile);
	if (!sw_step_entries_between(plan->program.step, problem->from.tile, to->tile, to->rank, arena))
		return sw_diag_memory(diag);
	if (!sw_type_redistributable(&problem->from, &problem->to, diag) || !sw_plan_group(plan, arena, diag) ||
		!sw_plan_total(plan, diag))
		return false;
	plan->budget = plan->height;
	return sw_plan_check(plan, diag);
}

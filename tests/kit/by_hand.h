/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans built by hand, operation after operation, so that pictures do not depend on what a planner finds.
 */
#ifndef TESTS_KIT_BY_HAND_H
#define TESTS_KIT_BY_HAND_H

#include <shardwalk/number.h>
#include <shardwalk/plan.h>

#define BY_HAND_STEPS 32

/* Appends the step that `text` says. */
static inline bool by_hand_step(sw_plan *plan, sw_arena *arena, sw_str text, sw_diag *diag)
{
	const sw_problem *problem = &plan->problem;
	const sw_type *before = plan->program.value[plan->program.steps].type;
	sw_call call;
	sw_type *after = SW_NEW(arena, sw_type, 1);
	if (!sw_call_read(&problem->mesh, before, &problem->to, text, &call, after, diag))
		return false;
	sw_step *step = &plan->program.step[plan->program.steps++];
	*step = (sw_step){.op = call.op};
	const sw_entries entries = {call.gathers, call.splits, call.gather, call.split};
	if (!sw_step_keep(step, &entries, arena))
		return sw_diag_memory(diag);
	plan->program.value[plan->program.steps].type = after;
	for (int i = 0; i < after->rank; i++)
		plan->program.value[plan->program.steps].tile[i] = after->tile[i];
	return true;
}

/* The plan of the operations in `ops`, separated by semicolons; "" is the plan without steps. */
static inline bool by_hand(const sw_problem *problem, const char *ops, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	*plan = (sw_plan){.problem = *problem, .strategy = SW_FUSED, .local_cost = -1};
	if (!sw_plan_room(plan, BY_HAND_STEPS, arena))
		return sw_diag_memory(diag);
	for (const char *at = ops; *at && plan->program.steps < BY_HAND_STEPS;) {
		sw_str text = {at, 0};
		while (at[text.length] && at[text.length] != ';')
			text.length++;
		at += text.length + (at[text.length] == ';');
		if (!by_hand_step(plan, arena, sw_str_trim(text), diag))
			return false;
	}
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);
	plan->budget = from > to ? from : to;
	if (!sw_plan_total(plan, diag))
		return false;
	plan->model_cost = (double)plan->cost;
	return sw_plan_group(plan, arena, diag);
}

#endif

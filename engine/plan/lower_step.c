/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appending steps to a plan that is being lowered.
 */
#include "plan/lower_step.h"

#include <assert.h>
#include <string.h>

#include "step/entries.h"

enum { FIRST_ROOM = 6 }; /* for steps */

void sw_lowering_init(sw_lowering *lowering, const sw_space *space, sw_arena *arena, sw_plan *plan)
{
	*lowering = (sw_lowering){.space = space, .arena = arena, .plan = plan};
	plan->program.steps = 0;
	lowering->room = FIRST_ROOM;
	lowering->failed = !sw_plan_room(plan, FIRST_ROOM, arena);
}

static bool make_room(sw_lowering *l)
{
	if (l->failed || l->plan->program.steps < l->room)
		return !l->failed;
	l->failed = !sw_plan_own(l->plan, l->room, l->arena);
	l->room *= 2;
	return !l->failed;
}

sw_value *sw_lower_step(sw_lowering *l, sw_op op, const int64_t *tile)
{
	if (!make_room(l))
		return NULL;
	assert(l->plan->program.steps < l->room);
	sw_step *step = &l->plan->program.step[l->plan->program.steps];
	sw_value *value = &l->plan->program.value[l->plan->program.steps + 1];
	step->op = op;
	memcpy(value->tile, tile, (size_t)l->space->rank * sizeof *tile);
	l->failed = !sw_step_entries_between(step, value[-1].tile, tile, l->space->rank, l->arena);
	if (l->failed)
		return NULL;
	l->plan->program.steps++;
	return value;
}

void sw_lower_to_type(sw_lowering *l, sw_op op, const sw_type *type)
{
	sw_value *value = sw_lower_step(l, op, type->tile);

	if (value != NULL)
		value->type = type;
}

void sw_lower_to_layout(sw_lowering *l, sw_op op, const sw_prime_parts *factors, const sw_layout *layout)
{
	const sw_problem *problem = l->space->problem;
	sw_type *type = SW_NEW(l->arena, sw_type, 1);

	if (type == NULL) {
		l->failed = true;
		return;
	}
	sw_prime_parts_join(&problem->mesh, factors, &problem->to, layout->order, layout->first, type);
	if (l->space->sums)
		sw_prime_parts_join_sums(factors, layout->summed, type);
	sw_lower_to_type(l, op, type);
}

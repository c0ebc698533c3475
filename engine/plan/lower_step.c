/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appending steps to a plan that is being lowered.
 */
#include "plan/lower_step.h"

#include <string.h>

#include "base/room.h"
#include "step/row.h"

enum { FIRST_ROOM = 6 }; /* for steps */

void sw_lowering_init(sw_lowering *lowering, const sw_space *space, sw_arena *arena, sw_plan *plan)
{
	*lowering = (sw_lowering){.space = space, .arena = arena, .plan = plan};
	plan->count = 0;
	lowering->room = FIRST_ROOM;
	lowering->failed = !sw_plan_room(plan, FIRST_ROOM, arena);
}

static bool make_room(sw_lowering *l)
{
	if (l->failed || l->plan->count < l->room)
		return !l->failed;
	l->failed = !sw_plan_own(l->plan, l->room, l->arena);
	l->room *= 2;
	return !l->failed;
}

void sw_step_entries_between(sw_step *step, const int64_t *before, const int64_t *after, int rank)
{
	step->gathers = step->splits = 0;
	for (int i = 0; i < rank && sw_row(step->op)->among != SW_AMONG_ALL; i++) {
		if (after[i] > before[i]) {
			SW_ROOM(step->gather, step->gathers);
			step->gather[step->gathers++] = (sw_entry){i, after[i] / before[i]};
		} else if (after[i] < before[i]) {
			SW_ROOM(step->split, step->splits);
			step->split[step->splits++] = (sw_entry){i, before[i] / after[i]};
		}
	}
}

sw_value *sw_lower_step(sw_lowering *l, sw_op op, const int64_t *tile)
{
	if (!make_room(l))
		return NULL;
	sw_step *step = &l->plan->steps[l->plan->count];
	sw_value *value = &l->plan->value[l->plan->count + 1];
	step->op = op;
	memcpy(value->tile, tile, (size_t)l->space->rank * sizeof *tile);
	sw_step_entries_between(step, value[-1].tile, tile, l->space->rank);
	l->plan->count++;
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

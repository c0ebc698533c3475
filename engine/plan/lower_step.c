/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appending steps to a plan that is being lowered.
 */
#include "plan/lower_step.h"
#include "base/room.h"
#include "step/row.h"

#include <string.h>

void sw_lowering_init(sw_lowering *lowering, const sw_space *space, sw_arena *arena, sw_plan *plan)
{
	*lowering = (sw_lowering){.space = space, .arena = arena, .plan = plan};
	plan->count = 0;
	plan->steps = NULL;
}

static sw_step *new_step(sw_lowering *l)
{
	sw_plan *plan = l->plan;

	if (plan->count == l->room) {
		int room = l->room == 0 ? 6 : 2 * l->room;
		sw_step *steps = SW_NEW(l->arena, sw_step, room);

		if (steps == NULL) {
			l->failed = true;
			return NULL;
		}
		if (plan->count > 0)
			memcpy(steps, plan->steps, (size_t)plan->count * sizeof *steps);
		plan->steps = steps;
		l->room = room;
	}
	return &plan->steps[plan->count];
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

sw_step *sw_lower_step(sw_lowering *l, sw_op op, const int64_t *tile)
{
	sw_step *step = new_step(l);

	if (step == NULL)
		return NULL;
	step->op = op;
	memcpy(step->tile, tile, (size_t)l->space->rank * sizeof *tile);
	sw_step_entries_between(step, sw_plan_tile_before(l->plan, l->plan->count), tile, l->space->rank);
	step->type = NULL;
	step->map = NULL;
	step->groups = step->source = step->first_sender = step->sender = NULL;
	step->groups_text = NULL;
	step->order = NULL;
	step->model_cost = 0;
	l->plan->count++;
	return step;
}

void sw_lower_to_type(sw_lowering *l, sw_op op, const sw_type *type)
{
	sw_step *step = sw_lower_step(l, op, type->tile);

	if (step != NULL)
		step->type = type;
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

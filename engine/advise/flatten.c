/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What DTensor does where a program has flattened dimensions of its mesh: neighbouring gathers of one dimension, and neighbouring sums,
 * are one collective over all their axes.  DTensor merges them where the axes follow each other as the mesh has them, and says so
 * in its warning "... sequential all_gather operations will be performed".
 */
#include <assert.h>

#include "advise/weigh.h"

/* The row of the type in which an axis is; -1: in none. */
static int row_of(const sw_type *type, int axis)
{
	for (int row = 0; row <= type->rank; row++)
		for (int k = type->first[row]; k < type->first[row + 1]; k++)
			if (sw_type_part(type, k).axis == axis)
				return row;
	return -1;
}

/* The axes that leave their rows between two types, all from one row to one other; 0: it is otherwise. */
static unsigned axes_between(const sw_mesh *mesh, const sw_type *from, const sw_type *to)
{
	unsigned axes = 0;
	int left = -1, entered = -1;

	for (int k = 0; k < mesh->count; k++) {
		int a = row_of(from, k), b = row_of(to, k);

		if (a == b)
			continue;
		if (axes != 0 && (a != left || b != entered))
			return 0;
		axes |= 1u << k;
		left = a;
		entered = b;
	}
	return axes;
}

/* Do they follow each other in this row as in the mesh, the first outermost? */
static bool ascends(const sw_type *type, unsigned axes, int row)
{
	int last = SW_MAX_AXES;

	for (int k = row < 0 ? 0 : type->first[row]; row >= 0 && k < type->first[row + 1]; k++) {
		int axis = sw_type_part(type, k).axis;

		if ((axes >> axis & 1) == 0)
			continue;
		if (axis > last)
			return false;
		last = axis;
	}
	return true;
}

static bool is_ordered(const sw_type *from, const sw_type *to, unsigned axes)
{
	int axis = __builtin_ctz(axes), a = row_of(from, axis), b = row_of(to, axis);

	return (a == from->rank || ascends(from, axes, a)) && (b == to->rank || ascends(to, axes, b));
}

/* How many steps from `k` on are of one kind, and can be one; 1: this one alone. */
static int run_from(const sw_plan *now, int k, unsigned *axes)
{
	const sw_program *program = &now->program;
	sw_op op = program->step[k].op;
	int best = 1;

	for (int end = k + 2; end <= program->steps && program->step[end - 1].op == op; end++) {
		const sw_type *from = program->value[k].type, *to = program->value[end].type;
		unsigned between = from != NULL && to != NULL ? axes_between(&now->problem.mesh, from, to) : 0;

		if (between == 0 || !is_ordered(from, to, between))
			break;
		*axes = between;
		best = end - k;
	}
	return best;
}

/* One step between both, of the same kind. */
static bool plan_one(const sw_plan *now, int from, int to, sw_arena *arena, sw_plan *plan)
{
	const sw_plan_options options = {.strategy = SW_FUSED, .sizes_only = true};
	sw_problem *problem = SW_NEW(arena, sw_problem, 1);
	sw_diag why;

	if (problem == NULL)
		return false;
	*problem = now->problem;
	problem->from = *now->program.value[from].type;
	problem->to = *now->program.value[to].type;
	return sw_plan_find(problem, &options, arena, plan, &why) && plan->program.steps == 1 &&
		plan->program.step[0].op == now->program.step[from].op;
}

/* Plans from value to value, each of one step; false: one of them is otherwise. */
static bool plan_all(const sw_plan *now, sw_arena *arena, sw_flattened *flattened, sw_plan *plan)
{
	unsigned axes = 0;

	for (int k = 0, length; k < now->program.steps; k += length) {
		length = run_from(now, k, &axes);
		if (now->program.value[k].type == NULL || now->program.value[k + length].type == NULL ||
			!plan_one(now, k, k + length, arena, &plan[flattened->plans++]))
			return false;
		if (length > 1 && flattened->count < SW_MAX_AXES)
			flattened->axes[flattened->count++] = axes;
	}
	return true;
}

bool sw_advise_flatten(const sw_plan *now, const sw_machine *machine, sw_arena *arena, sw_flattened *flattened,
	sw_diag *diag)
{
	assert(now != NULL && flattened != NULL);
	sw_plan *plan = SW_NEW(arena, sw_plan, now->program.steps + 1);

	*flattened = (sw_flattened){.plan = plan};
	if (plan == NULL)
		return sw_diag_memory(diag);
	if (!plan_all(now, arena, flattened, plan) || flattened->count == 0)
		*flattened = (sw_flattened){.count = 0};
	else
		sw_advise_weigh(now, plan, flattened->plans, machine, &flattened->weight);
	return true;
}

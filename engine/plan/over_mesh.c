/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan over another mesh of the same devices: each part of an axis is a digit of the device's number, and a digit
 * is said again in parts of the other axes.
 */
#include <shardwalk/number.h>
#include <shardwalk/between.h>
#include <shardwalk/plan.h>

#include "array/parts.h"

/* The axis within whose stretch of the device's number the digit at `stride` begins, -1: none. */
static int axis_at(const sw_mesh *mesh, int64_t stride)
{
	for (int a = 0; a < mesh->count; a++)
		if (mesh->axis[a].size > 1 && mesh->axis[a].stride <= stride &&
			stride < mesh->axis[a].stride * mesh->axis[a].size)
			return a;
	return -1;
}

/* Adds the digit of `size` at `stride`, minor parts first; the new count, or -1 where the axes cannot say it. */
static int add_digit(const sw_mesh *mesh, int64_t size, int64_t stride, sw_part *parts, int count)
{
	while (size > 1) {
		int a = axis_at(mesh, stride);
		if (a < 0 || count == SW_MAX_PARTS || stride % mesh->axis[a].stride)
			return -1;
		int64_t low = stride / mesh->axis[a].stride, rest = mesh->axis[a].size / low;
		int64_t taken = rest < size ? rest : size;
		if (mesh->axis[a].size % low || rest % taken || size % taken)
			return -1;
		parts[count++] = (sw_part){a, rest / taken, taken};
		size /= taken;
		stride *= taken;
	}
	return count;
}

static bool type_over(const sw_mesh *from, const sw_type *type, const sw_mesh *mesh, sw_type *over)
{
	sw_part parts[SW_MAX_PARTS], old[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0}, all = 0;
	if (sw_type_sums(type, old) > 0)
		return false;
	for (int dim = 0; dim < type->rank; dim++) {
		int before = all, olds = sw_type_parts(type, dim, old);
		for (int i = 0; i < olds && all >= 0; i++)
			all = add_digit(mesh, old[i].size, sw_part_stride(from, old[i]), parts, all);
		if (all < 0)
			return false;
		count[dim] = all - before;
	}
	*over = *type;
	return sw_type_partition(mesh, over, count, parts, NULL);
}

bool sw_plan_over(const sw_plan *plan, const sw_mesh *mesh, sw_arena *arena, sw_plan *over)
{
	const sw_problem *problem = &plan->problem;
	sw_type *types = SW_NEW(arena, sw_type, plan->program.steps + 1);
	*over = *plan;
	if (!types || !sw_plan_own(over, 0, arena) || mesh->devices != problem->mesh.devices || mesh->order ||
		sw_problem_ordered(problem) || sw_problem_has_words(problem))
		return false;
	over->problem.mesh = *mesh;
	if (!type_over(&problem->mesh, &problem->from, mesh, &over->problem.from) ||
		!type_over(&problem->mesh, &problem->to, mesh, &over->problem.to))
		return false;
	for (int k = 0; k <= plan->program.steps; k++) {
		const sw_type *type = plan->program.value[k].type;
		if (type && !type_over(&problem->mesh, type, mesh, &types[k]))
			return false;
		over->program.value[k].type = type ? &types[k] : NULL;
	}
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems without their axes of size 1, and plans for them over the mesh that was asked for.
 */
#include "plan/singles.h"

#include "step/part_list.h"

/* The axis that axis `kept` of a mesh without axes of size 1 was before. */
static int axis_before(const sw_mesh *mesh, int kept)
{
	int axis = 0;

	for (; mesh->axis[axis].size == 1 || kept-- > 0; axis++)
		;
	return axis;
}

static int axes_above_one(const sw_mesh *mesh)
{
	int count = 0;

	for (int axis = 0; axis < mesh->count; axis++)
		count += mesh->axis[axis].size > 1;
	return count;
}

/* Gives the parts of a type other axes: those whose numbers grow by the same rule everywhere, so that sums keep their order. */
static void renumber(sw_type *type, const int axis[SW_MAX_AXES])
{
	for (int dim = 0; dim <= type->rank; dim++) {
		sw_part_list parts;

		sw_part_list_of(type, dim, &parts);
		for (int p = 0; p < parts.count; p++)
			parts.at[p].axis = axis[parts.at[p].axis];
		sw_part_list_put(type, dim, &parts);
	}
}

const sw_problem *sw_without_singles(const sw_problem *problem, sw_arena *arena)
{
	int kept[SW_MAX_AXES] = {0}, count = axes_above_one(&problem->mesh);
	sw_problem *bare;

	if (count == problem->mesh.count)
		return problem;
	bare = SW_NEW(arena, sw_problem, 1);
	if (bare == NULL)
		return NULL;
	*bare = *problem;
	bare->mesh.count = count > 0 ? count : 1;
	for (int k = 0; k < count; k++) {
		int axis = axis_before(&problem->mesh, k);

		bare->mesh.axis[k] = problem->mesh.axis[axis];
		bare->mesh.axis[k].level = 0;
		kept[axis] = k;
	}
	sw_type_strip(&bare->from);
	sw_type_strip(&bare->to);
	renumber(&bare->from, kept);
	renumber(&bare->to, kept);
	return bare;
}

/* The type that a value has over the mesh that was asked for: that of an end of the problem, where it is one. */
static const sw_type *type_asked(const sw_type *type, const sw_problem *asked, const sw_type *end, sw_arena *arena)
{
	int axis[SW_MAX_AXES] = {0}, count = axes_above_one(&asked->mesh);
	sw_type *own = SW_NEW(arena, sw_type, 1);

	if (own == NULL)
		return NULL;
	*own = end != NULL ? *end : *type;
	for (int k = 0; k < count; k++)
		axis[k] = axis_before(&asked->mesh, k);
	if (end == NULL)
		renumber(own, axis);
	return own;
}

bool sw_answer_asked(const sw_problem *bare, const sw_problem *asked, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	for (int k = 0; k <= plan->program.steps; k++) {
		const sw_type *type = plan->program.value[k].type;
		bool last = k > 0 && k == plan->program.steps, is_to = type == &bare->to;

		if (type == NULL || (bare == asked && !is_to))
			continue;
		is_to = is_to || (last && sw_type_equal(type, &bare->to));
		plan->program.value[k].type = type_asked(type, asked,
			k == 0    ? &asked->from :
				is_to ? &asked->to :
						NULL,
			arena);
		if (plan->program.value[k].type == NULL)
			return sw_diag_memory(diag);
	}
	if (bare != asked)
		plan->problem = *asked;
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems for tests of the engine: from texts and at random; and their plans.  What is wrong with them fails the test.
 */
#ifndef TESTS_KIT_PROBLEM_H
#define TESTS_KIT_PROBLEM_H

#include <string.h>

#include <shardwalk/plan.h>

#include "kit/draw.h"
#include "kit/kit.h"

static inline sw_mesh mesh_of(const char *text)
{
	sw_mesh mesh;
	sw_diag diag;

	if (!sw_mesh_parse(sw_str_of(text), &mesh, &diag))
		fail_msg("mesh %s: %s", text, diag.message);
	return mesh;
}

static inline sw_type type_of(const sw_mesh *mesh, const char *text)
{
	sw_type type;
	sw_diag diag;

	if (!sw_type_parse(mesh, sw_str_of(text), &type, &diag))
		fail_msg("type %s: %s", text, diag.message);
	return type;
}

static inline void read_problem(const char *mesh, const char *ends, sw_problem *problem)
{
	sw_mesh parsed = mesh_of(mesh);
	sw_diag diag;

	if (!sw_problem_parse(&parsed, sw_str_of(ends), problem, &diag))
		fail_msg("%s %s: %s", mesh, ends, diag.message);
}

/* A plan that was checked. */
static inline void find(const sw_problem *problem, const sw_plan_options *options, sw_arena *arena, sw_plan *plan)
{
	sw_diag diag;

	if (!sw_plan_find(problem, options, arena, plan, &diag) || !sw_plan_check(plan, &diag))
		fail_msg("%s", diag.message);
}

/* Brings a plan to devices in these orders. */
static inline bool reorder(sw_plan *plan, const int64_t *before, const int64_t *after, const sw_plan_options *options,
	sw_arena *arena, sw_diag *diag)
{
	plan->problem.mesh.order = before;
	plan->problem.to_order = after;
	return sw_plan_reorder(plan, options, arena, diag);
}

static inline void add_axis(sw_mesh *mesh, int index, int64_t size)
{
	char name[2] = {(char)('a' + index), 0};

	assert_true(sw_mesh_add(mesh, sw_str_of(name), size, NULL));
}

/* A random arrangement of the axes of the mesh over the dimensions of `type`, whose global sizes are set. */
static inline void draw_parts(draw *random, const sw_mesh *mesh, sw_type *type)
{
	int place[SW_MAX_AXES], order[SW_MAX_AXES], count[SW_MAX_DIMS] = {0}, n = 0;
	sw_part parts[SW_MAX_PARTS];
	int64_t left[SW_MAX_DIMS];

	memcpy(left, type->global, sizeof left);
	for (int a = 0; a < mesh->count; a++) {
		int j = draw_below(random, a + 1);

		order[a] = order[j];
		order[j] = a;
	}
	for (int k = 0; k < mesh->count; k++) {
		int dim = draw_below(random, type->rank + 1);

		place[order[k]] = -1;
		if (dim == type->rank || left[dim] % mesh->axis[order[k]].size != 0)
			continue;
		left[dim] /= mesh->axis[order[k]].size;
		place[order[k]] = dim;
		count[dim]++;
	}
	for (int i = 0; i < type->rank; i++)
		for (int k = 0; k < mesh->count; k++)
			if (place[order[k]] == i)
				parts[n++] = (sw_part){order[k], 1, mesh->axis[order[k]].size};
	assert_true(sw_type_partition(mesh, type, count, parts, NULL));
}

static inline void draw_problem(draw *random, const int64_t *axes, int count, int rank, sw_problem *problem)
{
	static const int64_t sizes[] = {2, 3, 4, 6, 8, 12, 16, 24, 36};
	int64_t global[SW_MAX_DIMS];

	memset(problem, 0, sizeof *problem);
	for (int a = 0; a < count; a++)
		add_axis(&problem->mesh, a, axes[a]);
	for (int i = 0; i < rank; i++)
		global[i] = sizes[draw_below(random, (int)(sizeof sizes / sizeof *sizes))];
	assert_true(sw_type_replicated(SW_F32, rank, global, &problem->from, NULL));
	problem->to = problem->from;
	draw_parts(random, &problem->mesh, &problem->from);
	draw_parts(random, &problem->mesh, &problem->to);
}

/* Appends a part at the minor end of a dimension; false where the type does not allow it. */
static inline bool type_with_part(const sw_mesh *mesh, const sw_type *type, int dim, sw_part part, sw_type *out)
{
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0;
	for (int i = 0; i < type->rank; i++) {
		count[i] = type->first[i + 1] - type->first[i] + (i == dim);
		if (i == dim)
			parts[n++] = part;
		for (int p = type->first[i]; p < type->first[i + 1]; p++)
			parts[n++] = sw_type_part(type, p);
	}
	*out = *type;
	return sw_type_partition(mesh, out, count, parts, NULL);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random problems for tests of the engine.
 */
#ifndef SHARDWALK_TESTS_DRAW_PROBLEM_H
#define SHARDWALK_TESTS_DRAW_PROBLEM_H

#include <string.h>

#include <shardwalk/plan.h>

#include "draw.h"

static inline void add_axis(sw_mesh *mesh, int index, int64_t size)
{
	char name[2] = {(char)('a' + index), 0};

	assert_true(sw_mesh_add(mesh, sw_str_of(name), size, NULL));
}

/* A random arrangement of the axes of the mesh over the dimensions of `type`, whose global sizes are set. */
static inline void draw_type(draw *random, const sw_mesh *mesh, sw_type *type)
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

	memset(&problem->mesh, 0, sizeof problem->mesh);
	for (int a = 0; a < count; a++)
		add_axis(&problem->mesh, a, axes[a]);
	for (int i = 0; i < rank; i++)
		global[i] = sizes[draw_below(random, (int)(sizeof sizes / sizeof *sizes))];
	assert_true(sw_type_replicated(SW_F32, rank, global, &problem->from, NULL));
	problem->to = problem->from;
	draw_type(random, &problem->mesh, &problem->from);
	draw_type(random, &problem->mesh, &problem->to);
}

#endif

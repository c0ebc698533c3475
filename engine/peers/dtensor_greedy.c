/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DTensor's greedy planner, and what both planners share: placements and types.
 */
#include "peers/dtensor_redistribute.h"
#include "base/room.h"

#include <assert.h>
#include <string.h>

static const struct {
	const char *name, *why;
} patterns[] = {
	[SW_DTENSOR_MISALIGNED] = {"replicate the misaligned",
		"outer mesh dimensions shard the same dimension differently from the target: it is gathered first"},
	[SW_DTENSOR_INNER_FIRST] = {"inner to outer",
		"from the last mesh dimension to the first, each takes its target placement"},
	[SW_DTENSOR_OUTER_FIRST] = {"outer to inner",
		"what was replicated takes its target placement, first mesh dimension first"},
	[SW_DTENSOR_LEAST_TIME] = {"least modelled time",
		"it is on the first path found that takes the least time in DTensor's model, in which slices are free"},
};

/* ---- placements and types ---- */

bool sw_dtensor_of_type(const sw_mesh *mesh, const sw_type *type, sw_placement *placements)
{
	sw_part sums[SW_MAX_PARTS];
	int terms = sw_type_sums(type, sums);

	for (int m = 0; m < mesh->count; m++)
		placements[m] = (sw_placement){SW_DTENSOR_REPLICATE, 0};
	for (int k = 0; k < terms; k++) {
		if (sums[k].size != mesh->axis[sums[k].axis].size)
			return false;
		placements[sums[k].axis].dim = SW_DTENSOR_PARTIAL;
	}
	for (int i = 0; i < type->rank; i++) {
		int last = type->first[i + 1] - 1;

		for (int k = last; k >= type->first[i]; k--) {
			sw_part part = sw_type_part(type, k);

			if (part.size != mesh->axis[part.axis].size)
				return false;
			placements[part.axis] = (sw_placement){(int8_t)i, (uint8_t)(last - k)};
		}
	}
	return true;
}

/* The mesh dimension that stands here in the shard order of a dimension; -1: there is none. */
static int axis_at(const sw_placement *placements, int axes, int dim, int order)
{
	for (int m = 0; m < axes; m++)
		if (placements[m].dim == dim && placements[m].order == order)
			return m;
	return -1;
}

static bool set_sums(const sw_mesh *mesh, const sw_placement *placements, sw_type *type)
{
	sw_part sums[SW_MAX_AXES];
	int count = 0;

	for (int m = 0; m < mesh->count; m++)
		if (placements[m].dim == SW_DTENSOR_PARTIAL) {
			SW_ROOM(sums, count);
			sums[count++] = (sw_part){m, 1, mesh->axis[m].size};
		}
	return sw_type_set_sums(mesh, type, sums, count, NULL);
}

bool sw_dtensor_to_type(const sw_mesh *mesh, const sw_placement *placements, sw_type *type, int *dim, int64_t *tiles)
{
	sw_part parts[SW_MAX_AXES];
	int count[SW_MAX_DIMS] = {0}, total = 0;

	for (int i = 0; i < type->rank; i++) {
		*dim = i;
		*tiles = 1;
		for (int m = 0; m < mesh->count; m++)
			count[i] += placements[m].dim == i;
		for (int order = count[i] - 1; order >= 0; order--) {
			int axis = axis_at(placements, mesh->count, i, order);

			SW_ROOM(parts, total);
			parts[total++] = (sw_part){axis, 1, mesh->axis[axis].size};
			*tiles *= mesh->axis[axis].size;
		}
		if (type->global[i] % *tiles != 0)
			return false;
	}
	return sw_type_set_sums(mesh, type, NULL, 0, NULL) && sw_type_partition(mesh, type, count, parts, NULL) &&
		set_sums(mesh, placements, type);
}

bool sw_dtensor_default_order(const sw_placement *placements, int axes)
{
	for (int m = 0; m < axes; m++)
		for (int n = m + 1; n < axes; n++)
			if (placements[m].dim >= 0 && placements[m].dim == placements[n].dim &&
				placements[m].order > placements[n].order)
				return false;
	return true;
}

bool sw_dtensor_record(sw_arena *arena, sw_dtensor_plan *plan, int axes, int axis, int from,
	const sw_placement *after, sw_dtensor_pattern why)
{
	assert(axis >= 0 && axis < axes);
	sw_dtensor_step *step = SW_NEW(arena, sw_dtensor_step, 1);
	sw_placement *copy = SW_NEW(arena, sw_placement, axes);

	if (step == NULL || copy == NULL) {
		plan->end = SW_DTENSOR_MEMORY;
		return false;
	}
	memcpy(copy, after, (size_t)axes * sizeof *copy);
	*step = (sw_dtensor_step){axis, from, after[axis].dim, copy, patterns[why].name, patterns[why].why, NULL};
	if (plan->last != NULL)
		plan->last->next = step;
	else
		plan->first = step;
	plan->last = step;
	plan->count++;
	return true;
}

/* ---- greedy ---- */

struct greedy {
	sw_arena *arena;
	sw_dtensor_plan *plan;
	int axes;
	sw_placement now[SW_MAX_AXES], target[SW_MAX_AXES];
};

/* Shard orders that are the default: mesh dimensions ascending. */
static void number_orders(sw_placement *placements, int axes)
{
	int next[SW_MAX_DIMS] = {0};

	for (int m = 0; m < axes; m++)
		placements[m].order = placements[m].dim < 0 ? 0 : (uint8_t)next[placements[m].dim]++;
}

static bool reshard_axis(struct greedy *g, int axis, int dim, sw_dtensor_pattern why)
{
	int from = g->now[axis].dim;

	if (from == dim)
		return true;
	g->now[axis].dim = (int8_t)dim;
	number_orders(g->now, g->axes);
	return sw_dtensor_record(g->arena, g->plan, g->axes, axis, from, g->now, why);
}

/* Do other mesh dimensions further out shard `dim` now than in the target? */
static bool misaligned(const struct greedy *g, int axis, int dim)
{
	for (int m = 0; m < axis; m++)
		if ((g->now[m].dim == dim) != (g->target[m].dim == dim))
			return true;
	return false;
}

static bool is_sharded(const sw_mesh *mesh, const sw_placement *placements)
{
	for (int m = 0; m < mesh->count; m++)
		if (placements[m].dim >= 0 && mesh->axis[m].size > 1)
			return true;
	return false;
}

static bool inner_to_outer(struct greedy *g)
{
	for (int m = g->axes - 1; m >= 0; m--) {
		int dim = g->target[m].dim;
		bool aside = dim >= 0 && misaligned(g, m, dim);

		if (!reshard_axis(g, m, aside ? SW_DTENSOR_REPLICATE : dim,
				aside ? SW_DTENSOR_MISALIGNED : SW_DTENSOR_INNER_FIRST))
			return false;
	}
	return true;
}

void sw_dtensor_greedy(sw_arena *arena, const sw_problem *problem, sw_dtensor_plan *plan)
{
	struct greedy g = {.arena = arena, .plan = plan, .axes = problem->mesh.count};

	*plan = (sw_dtensor_plan){.end = SW_DTENSOR_DONE};
	sw_dtensor_of_type(&problem->mesh, &problem->from, g.now);
	sw_dtensor_of_type(&problem->mesh, &problem->to, g.target);
	if (g.axes > 1 && is_sharded(&problem->mesh, g.now) && !inner_to_outer(&g))
		return;
	for (int m = 0; m < g.axes; m++)
		if (!reshard_axis(&g, m, g.target[m].dim, SW_DTENSOR_OUTER_FIRST))
			return;
}

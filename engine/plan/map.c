/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maps: the base offsets of all devices at once.
 *
 * A type's offsets are a sum over digits of the device number (seed 000, figure 7a), so the map is filled by
 * repeating what is there already, one digit after the other, without a division.
 */
#include <shardwalk/plan.h>

#include <assert.h>
#include <string.h>

#include "plan/tile_numbers.h"

/* The devices [begin, end) hold what those `period` before hold, `step` further along dimension `dim`. */
static void map_repeat(int64_t *map, int rank, int64_t begin, int64_t end, int64_t period, int dim, int64_t step)
{
	for (int64_t d = begin; d < end; d++) {
		int64_t *at = map + d * rank;
		for (int i = 0; i < rank; i++)
			at[i] = at[i - period * rank];
		if (step)
			at[dim] += step;
	}
}

static void map_of_type(const sw_mesh *mesh, const sw_type *type, int64_t *map)
{
	sw_digit digit[SW_MAX_PARTS];
	int count = sw_digits_of_type(mesh, type, digit);
	sw_digits_ascend(digit, count);
	int64_t done = 1;
	memset(map, 0, (size_t)type->rank * sizeof *map);
	for (int k = 0; k < count; k++) {
		int dim = digit[k].dim;
		int64_t stride = digit[k].stride;
		map_repeat(map, type->rank, done, stride, done, 0, 0);
		done = stride * digit[k].size;
		map_repeat(map, type->rank, stride, done, stride, dim, digit[k].weight * type->tile[dim]);
	}
	map_repeat(map, type->rank, done, mesh->devices, done, 0, 0);
}

bool sw_plan_map(const sw_plan *plan, int k, int64_t *map, sw_diag *diag)
{
	assert(k >= 0 && k <= plan->program.steps);
	const sw_mesh *mesh = &plan->problem.mesh;
	if (mesh->devices > SW_MAX_MAP_DEVICES) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "a map of %lld devices is too large", (long long)mesh->devices);
		sw_diag_expected(diag, "at most %lld devices", (long long)SW_MAX_MAP_DEVICES);
		return false;
	}
	const sw_value *value = &plan->program.value[k];
	if (value->words)
		return sw_diag_set(diag, SW_T17, (sw_span){0, 0},
			"%s not a tile type: devices have no tiles with base "
			"offsets",
			k == 0 ? "`from` is" : "its end is");
	if (value->map)
		memcpy(map, value->map, (size_t)(mesh->devices * plan->problem.from.rank) * sizeof *map);
	else
		map_of_type(mesh, sw_plan_sums_before(plan, k), map);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tile numbers: the number of the tile that each device holds.
 */
#include "plan/tile_numbers.h"

#include <string.h>

#include "array/parts.h"

int sw_digits_of_type(const sw_mesh *mesh, const sw_type *type, sw_digit digit[SW_MAX_PARTS])
{
	int count = 0;
	for (int i = 0; i < type->rank; i++) {
		int64_t weight = 1;
		for (int p = type->first[i]; p < type->first[i + 1]; p++) {
			sw_part part = sw_type_part(type, p);
			if (part.size == 1)
				continue;
			digit[count++] = (sw_digit){part.size, sw_part_stride(mesh, part), weight, i};
			weight *= part.size;
		}
	}
	return count;
}

int64_t sw_grid_weights(const int64_t *global, const int64_t *tile, int rank, int64_t weight[SW_MAX_DIMS])
{
	int64_t tiles = 1;
	for (int i = rank - 1; i >= 0; i--) {
		weight[i] = tiles;
		if (global[i] != tile[i])
			tiles *= global[i] / tile[i];
	}
	return tiles;
}

/* Goes on with what is there until `end`: the devices between repeat those `period` before. */
static void numbers_repeat(int32_t *number, int64_t begin, int64_t end, int64_t period, int32_t step)
{
	for (int64_t d = begin; d < end; d++)
		number[d] = number[d - period] + step;
}

void sw_tile_numbers_of_type(const sw_mesh *mesh, const sw_type *type, int32_t *number)
{
	sw_digit digit[SW_MAX_PARTS];
	int64_t weight[SW_MAX_DIMS];
	int count = sw_digits_of_type(mesh, type, digit);
	sw_grid_weights(type->global, type->tile, type->rank, weight);
	sw_digits_ascend(digit, count);
	int64_t done = 1;
	number[0] = 0;
	for (int k = 0; k < count; k++) {
		int64_t stride = digit[k].stride;
		numbers_repeat(number, done, stride, done, 0);
		done = stride * digit[k].size;
		numbers_repeat(number, stride, done, stride, (int32_t)(digit[k].weight * weight[digit[k].dim]));
	}
	numbers_repeat(number, done, mesh->devices, done, 0);
}

/* Are all tiles of the grid held by equally many devices? */
static bool numbers_even(const int32_t *number, int64_t devices, int64_t tiles, int32_t *count, sw_diag *diag)
{
	if (devices % tiles != 0)
		return sw_diag_set(diag, SW_P05, (sw_span){0, 0}, "%lld tiles cannot be held evenly by %lld devices",
			(long long)tiles, (long long)devices);
	memset(count, 0, (size_t)tiles * sizeof *count);
	for (int64_t d = 0; d < devices; d++)
		count[number[d]]++;
	for (int64_t t = 0; t < tiles; t++)
		if (count[t] != devices / tiles)
			return sw_diag_set(diag, SW_P05, (sw_span){0, 0}, "tile %lld is held by %d devices, not by %lld",
				(long long)t, count[t], (long long)(devices / tiles));
	return true;
}

bool sw_tile_numbers_of_map(const sw_problem *problem, const int64_t *tile, const int64_t *map, int32_t *number,
	int32_t *count, sw_diag *diag)
{
	int rank = problem->from.rank;
	const int64_t *global = problem->from.global;
	int64_t weight[SW_MAX_DIMS];
	int64_t tiles = sw_grid_weights(global, tile, rank, weight);
	for (int64_t d = 0; d < problem->mesh.devices; d++) {
		int64_t sum = 0;
		for (int i = 0; i < rank; i++) {
			int64_t offset = map[d * rank + i];
			if (offset < 0 || offset >= global[i] || offset % tile[i] != 0)
				return sw_diag_set(diag, SW_P05, (sw_span){0, 0},
					"offset %lld of device %lld along dimension %d is off the grid of tiles of %lld",
					(long long)offset, (long long)d, i, (long long)tile[i]);
			sum += offset / tile[i] * weight[i];
		}
		number[d] = (int32_t)(sum < problem->mesh.devices ? sum : 0);
	}
	return numbers_even(number, problem->mesh.devices, tiles, count, diag);
}

const sw_type *sw_plan_type_at(const sw_plan *plan, int k)
{
	return k == 0 ? &plan->problem.from : plan->steps[k - 1].type;
}

const int64_t *sw_plan_tile_at(const sw_plan *plan, int k)
{
	return k == 0 ? plan->problem.from.tile : plan->steps[k - 1].tile;
}

bool sw_tile_numbers_at(const sw_plan *plan, int k, int32_t *number, int32_t *count, sw_diag *diag)
{
	const sw_type *type = sw_plan_type_at(plan, k);
	if (type) {
		sw_tile_numbers_of_type(&plan->problem.mesh, type, number);
		return true;
	}
	return sw_tile_numbers_of_map(&plan->problem, sw_plan_tile_at(plan, k), plan->steps[k - 1].map, number, count,
		diag);
}

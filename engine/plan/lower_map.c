/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering to maps: tile positions of every device, step by step.
 */
#include "plan/lower_map.h"
#include "step/row.h"

#include <assert.h>
#include <string.h>

static int64_t devices_of(const sw_lowering *l)
{
	return l->space->problem->mesh.devices;
}

/* Would maps take more than they may? */
static bool is_crowded(sw_lowering *l)
{
	int64_t bytes = devices_of(l) * (l->space->rank + 1) * (int64_t)sizeof(int64_t);
	bool crowded = (int64_t)sw_arena_bytes(l->arena) > SW_MOST_MAP_BYTES - bytes;

	if (crowded && l->crowded != NULL)
		*l->crowded = true;
	return crowded;
}

/* The base offsets after the last step, in new memory. */
static int64_t *last_map(sw_lowering *l)
{
	if (is_crowded(l))
		return NULL;
	int64_t *map = SW_NEW(l->arena, int64_t, devices_of(l) * l->space->rank);

	l->failed = l->failed || map == NULL;
	return map != NULL && sw_plan_map(l->plan, l->plan->program.steps, map, NULL) ? map : NULL;
}

/* Which copy of its tile a device holds, counted by device number: the next of its tile. */
static int64_t next_copy(const sw_lowering *l, const int64_t *tile, const int64_t *offset, int64_t *copies)
{
	int64_t number = 0;

	for (int i = 0; i < l->space->rank; i++)
		number = number * (l->space->problem->from.global[i] / tile[i]) + offset[i] / tile[i];
	return copies[number]++;
}

/* The piece that a device brings: its positions mod the gathered factors, row-major. */
static int64_t piece_brought(const sw_step *step, const int64_t *tile, const int64_t *offset)
{
	int64_t piece = 0;

	for (int k = 0; k < step->gathers; k++)
		piece = piece * step->gather[k].factor +
			offset[step->gather[k].dim] / tile[step->gather[k].dim] % step->gather[k].factor;
	return piece;
}

/* The offset before a step becomes that after it, with tiles of this size. */
static void move_device(const sw_step *step, const int64_t *tile, int64_t piece, int64_t *offset)
{
	for (int k = 0; k < step->gathers; k++) {
		int dim = step->gather[k].dim;

		offset[dim] -= offset[dim] % tile[dim];
	}
	for (int k = step->splits - 1; k >= 0; k--) {
		offset[step->split[k].dim] += piece % step->split[k].factor * tile[step->split[k].dim];
		piece /= step->split[k].factor;
	}
}

bool sw_lower_to_map(sw_lowering *l, sw_op op, const int64_t *tile)
{
	int64_t *map = last_map(l);
	int64_t *copies = map != NULL ? SW_NEW_ZERO(l->arena, int64_t, devices_of(l)) : NULL;
	int64_t before[SW_MAX_DIMS];

	l->failed = l->failed || (map != NULL && copies == NULL);
	if (copies == NULL)
		return false;
	memcpy(before, l->plan->program.value[l->plan->program.steps].tile, sizeof before);
	sw_value *value = sw_lower_step(l, op, tile);
	if (value == NULL)
		return false;
	const sw_step *step = &l->plan->program.step[l->plan->program.steps - 1];
	for (int64_t d = 0; d < devices_of(l); d++) {
		int64_t *offset = map + d * l->space->rank;
		int64_t piece = sw_row(op)->among == SW_AMONG_NONE ? next_copy(l, before, offset, copies) :
															 piece_brought(step, before, offset);

		move_device(step, tile, piece, offset);
	}
	value->map = map;
	return true;
}

bool sw_lower_map_leads_home(const sw_lowering *l)
{
	const sw_problem *problem = l->space->problem;
	const int64_t *map = l->plan->program.value[l->plan->program.steps].map;
	int64_t wanted[SW_MAX_DIMS];

	if (map == NULL)
		return false;
	for (int64_t d = 0; d < devices_of(l); d++) {
		sw_type_offset(&problem->mesh, &problem->to, d, wanted);
		for (int i = 0; i < l->space->rank; i++)
			if (map[d * l->space->rank + i] / problem->to.tile[i] != wanted[i] / problem->to.tile[i])
				return false;
	}
	return true;
}

/* `type` with the parts of `to` in one dimension; false where these cut an axis otherwise than the parts elsewhere. */
static bool type_home(const sw_lowering *l, const sw_type *type, int dim, sw_type *out)
{
	const sw_type *to = &l->space->problem->to;
	sw_part parts[2 * SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0;

	for (int i = 0; i < type->rank; i++) {
		count[i] = sw_type_parts(i == dim ? to : type, i, parts + n);
		n += count[i];
	}
	*out = *type;
	return sw_type_partition(&l->space->problem->mesh, out, count, parts, NULL);
}

static bool gather_map(sw_lowering *l, const int64_t *tile)
{
	int64_t *map = last_map(l);

	if (map == NULL)
		return false;
	sw_value *value = sw_lower_step(l, SW_ALLGATHER, tile);
	if (value == NULL)
		return false;
	for (int64_t d = 0; d < devices_of(l); d++)
		move_device(&l->plan->program.step[l->plan->program.steps - 1], tile, 0, map + d * l->space->rank);
	value->map = map;
	return true;
}

bool sw_lower_gather_one(sw_lowering *l, int dim, const int64_t *tile)
{
	assert(dim >= 0 && dim < l->space->rank);
	const sw_type *type = l->plan->program.value[l->plan->program.steps].type;

	if (type == NULL)
		return gather_map(l, tile);
	sw_type *home = SW_NEW(l->arena, sw_type, 1);
	l->failed = l->failed || home == NULL;
	if (home == NULL || !type_home(l, type, dim, home))
		return false;
	sw_lower_to_type(l, SW_ALLGATHER, home);
	return true;
}

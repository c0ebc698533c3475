/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that change the order of devices while they do what they do anyway.
 *
 * Devices whose tiles, grown by what a step gathers, are one block may end with any pieces of that block.  So a step
 * may exchange the slots of these devices at no price.  What the later steps can still do is the join of their
 * partitions; each step moves the devices that would be lost to the others otherwise, and no more.  With one or two
 * steps a way is found where there is one.
 */
#include "plan/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "plan/tile_numbers.h"
#include "step/row.h"

typedef struct reorder {
	sw_plan *plan;
	sw_arena *arena;
	sw_diag *diag;
	int64_t devices;
	int32_t **block; /* of each slot, for every step */
	int32_t *
		*reach;    /* of each slot: the class that the steps from this one on can move it in; one more row: itself */
	int32_t *at;   /* the slot of each device now */
	int32_t *goal; /* and in the end */
} reorder;

/* A device that has to leave its slot, or a slot that is left. */
typedef struct stray {
	int32_t block, reach, number;
} stray;

/* ---- blocks and what can be reached ---- */

static void blocks_of_step(const reorder *r, int k, int32_t *number)
{
	const sw_step *step = &r->plan->program.step[k];
	const int64_t *global = r->plan->problem.from.global, *tile = r->plan->program.value[k].tile;
	int rank = r->plan->problem.from.rank;
	int64_t grown[SW_MAX_DIMS], weight[SW_MAX_DIMS], of_block[SW_MAX_DIMS];

	memcpy(grown, tile, sizeof *grown * (size_t)rank);
	for (int e = 0; e < step->gathers; e++)
		grown[step->gather[e].dim] *= step->gather[e].factor;
	sw_grid_weights(global, tile, rank, weight);
	sw_grid_weights(global, grown, rank, of_block);
	for (int64_t p = 0; p < r->devices; p++) {
		int64_t sum = 0;

		for (int i = 0; i < rank; i++)
			if (grown[i] != global[i])
				sum += number[p] / weight[i] % (global[i] / tile[i]) / (grown[i] / tile[i]) * of_block[i];
		number[p] = (int32_t)sum;
	}
}

static bool moves_anywhere(const sw_step *step)
{
	return sw_row(step->op)->told == SW_TOLD_BY_TYPE;
}

static bool fill_blocks(const reorder *r, int32_t *count)
{
	for (int k = 0; k < r->plan->program.steps; k++) {
		if (moves_anywhere(&r->plan->program.step[k]))
			memset(r->block[k], 0, sizeof(**r->block) * (size_t)r->devices);
		else if (!sw_tile_numbers_at(r->plan, k, r->block[k], count, r->diag))
			return false;
		else
			blocks_of_step(r, k, r->block[k]);
	}
	return true;
}

static int32_t root_of(int32_t *parent, int32_t p)
{
	while (parent[p] != p)
		p = parent[p] = parent[parent[p]];
	return p;
}

/* The classes of step k and those after it: `parent` ends flat. */
static void join_classes(const reorder *r, int k, int32_t *first)
{
	int32_t *parent = r->reach[k];

	memcpy(parent, r->reach[k + 1], sizeof *parent * (size_t)r->devices);
	memset(first, -1, sizeof *first * (size_t)r->devices);
	for (int32_t p = 0; p < r->devices; p++) {
		int32_t *known = &first[r->block[k][p]];

		if (*known < 0)
			*known = p;
		else
			parent[root_of(parent, p)] = root_of(parent, *known);
	}
	for (int32_t p = 0; p < r->devices; p++)
		parent[p] = root_of(parent, p);
}

/* ---- one step ---- */

static int compare_strays(const void *a, const void *b)
{
	const stray *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->reach != y->reach)
		return x->reach < y->reach ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Devices that later steps could not bring to their goals any more, and the slots that they leave. */
static int64_t find_strays(const reorder *r, int k, stray *device, stray *slot)
{
	const int32_t *block = r->block[k], *reach = r->reach[k + 1];
	int64_t count = 0;

	for (int32_t d = 0; d < r->devices; d++) {
		int32_t p = r->at[d];

		if (reach[p] == reach[r->goal[d]])
			continue;
		device[count] = (stray){block[p], reach[r->goal[d]], d};
		slot[count++] = (stray){block[p], reach[p], p};
	}
	qsort(device, (size_t)count, sizeof *device, compare_strays);
	qsort(slot, (size_t)count, sizeof *slot, compare_strays);
	return count;
}

/* false: they cannot all find a slot in this step. */
static bool put_strays(reorder *r, const stray *device, const stray *slot, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		if (device[i].block != slot[i].block || device[i].reach != slot[i].reach)
			return false;
		r->at[device[i].number] = slot[i].number;
	}
	return true;
}

static const int64_t *order_now(const reorder *r)
{
	int64_t *order = SW_NEW(r->arena, int64_t, r->devices);

	for (int64_t d = 0; order && d < r->devices; d++)
		order[r->at[d]] = d;
	return order;
}

/* ---- all steps ---- */

static bool routed(reorder *r, const int64_t **order, bool *done)
{
	stray *device = SW_NEW(r->arena, stray, 2 * r->devices), *slot = device + r->devices;

	if (!device)
		return sw_diag_memory(r->diag);
	for (int k = 0; k < r->plan->program.steps; k++) {
		int64_t count = find_strays(r, k, device, slot);

		order[k] = NULL;
		if (!put_strays(r, device, slot, count))
			return true;
		if (count && !(order[k] = order_now(r)))
			return sw_diag_memory(r->diag);
	}
	*done = true;
	return true;
}

static bool nothing_to_move(reorder *r, int32_t *number, int32_t *count, bool *done)
{
	if (!sw_tile_numbers_at(r->plan, 0, number, count, r->diag))
		return false;
	*done = true;
	for (int64_t d = 0; *done && d < r->devices; d++)
		*done = number[r->at[d]] == number[r->goal[d]];
	return true;
}

static bool reorder_memory(reorder *r, int32_t **scratch)
{
	int rows = r->plan->program.steps + 1;

	r->block = SW_NEW(r->arena, int32_t *, 2 * rows);
	r->at = SW_NEW(r->arena, int32_t, r->devices * (2 * rows + 4));
	if (!r->block || !r->at)
		return sw_diag_memory(r->diag);
	r->reach = r->block + rows;
	r->goal = r->at + r->devices;
	*scratch = r->goal + r->devices;
	for (int k = 0; k < 2 * rows; k++)
		r->block[k] = *scratch + r->devices * (2 + k);
	return true;
}

bool sw_reorder_in_steps(sw_plan *plan, sw_arena *arena, bool *done, sw_diag *diag)
{
	const int64_t *before = plan->problem.mesh.order, *after = sw_problem_to_order(&plan->problem);
	reorder r = {.plan = plan, .arena = arena, .diag = diag, .devices = plan->problem.mesh.devices};
	const int64_t **order = SW_NEW(arena, const int64_t *, plan->program.steps);
	int32_t *scratch = NULL;

	*done = false;
	if (!order)
		return sw_diag_memory(diag);
	if (r.devices > SW_MAX_MAP_DEVICES || sw_plan_has_sums(plan))
		return true;
	if (!reorder_memory(&r, &scratch))
		return false;
	for (int32_t p = 0; p < r.devices; p++) {
		r.at[sw_device_at(before, p)] = r.goal[sw_device_at(after, p)] = p;
		r.reach[plan->program.steps][p] = p;
	}
	if (plan->program.steps == 0)
		return nothing_to_move(&r, scratch, scratch + r.devices, done);
	if (!fill_blocks(&r, scratch))
		return false;
	for (int k = plan->program.steps - 1; k >= 0; k--)
		join_classes(&r, k, scratch);
	if (!routed(&r, order, done))
		return false;
	for (int k = 0; *done && k < plan->program.steps; k++)
		plan->program.step[k].order = order[k];
	return true;
}

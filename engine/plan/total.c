/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows from the steps of a plan: sizes, cost, height, peak memory, permutations, normal form.
 *
 * Source: seed 000, figure 11 (costs), section 4.2 (height), definition of the normal form in section 4.3.
 */
#include <shardwalk/plan.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "plan/chunk_plan.h"
#include "plan/tile_numbers.h"
#include "step/row.h"

const int64_t *sw_plan_tile_before(const sw_plan *plan, int k)
{
	return sw_plan_tile_at(plan, k);
}

const sw_type *sw_plan_type_before(const sw_plan *plan, int k)
{
	return sw_plan_type_at(plan, k);
}

static bool total_overflows(sw_diag *diag, int k)
{
	return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the sizes of step %d do not fit into 64 bits", k + 1);
}

static bool total_size(const int64_t *tile, int rank, int64_t *size)
{
	*size = 1;
	for (int i = 0; i < rank; i++)
		if (!sw_mul(*size, tile[i], size))
			return false;
	return true;
}

/* What one step adds; `before` is the size of the tile it starts from. */
static bool total_step(sw_plan *plan, int k, int64_t before, int *phase)
{
	sw_step *step = &plan->steps[k];
	int64_t live;
	if (!total_size(step->tile, plan->problem.from.rank, &step->localsize))
		return false;
	step->group_size = sw_step_members(plan, k);
	if (!sw_sized_cost(step->op, (int64_t[]){before, step->localsize},
			(const sw_type *const[]){sw_plan_sums_at(plan, k), sw_plan_sums_at(plan, k + 1)}, &step->cost))
		return false;
	if (!sw_add(plan->cost, step->cost, &plan->cost) || !sw_add(before, step->localsize, &live))
		return false;
	if (plan->height < step->localsize)
		plan->height = step->localsize;
	if (plan->live_peak < live)
		plan->live_peak = live;
	plan->permutes += sw_row(step->op)->among == SW_AMONG_PAIRS;
	int now = sw_collective_of(step->op)->phase;
	plan->normal_form = plan->normal_form && *phase <= now;
	*phase = now;
	return true;
}

bool sw_plan_total(sw_plan *plan, sw_diag *diag)
{
	int64_t size = sw_type_localsize(&plan->problem.from);
	int phase = 0;
	if (plan->chunks > 0)
		return sw_chunk_plan_total(plan, (char[SW_WHERE_SIZE]){0}, diag);
	plan->cost = 0;
	plan->height = size;
	plan->live_peak = size;
	plan->permutes = 0;
	plan->normal_form = true;
	for (int k = 0; k < plan->count; k++) {
		if (!total_step(plan, k, size, &phase))
			return total_overflows(diag, k);
		size = plan->steps[k].localsize;
	}
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of a sum by hand as a plan: each device that is followed is a slot, by the sum and the share that it has in it, and a tile is one
 * number for each piece.
 */
#include <shardwalk/reduction_plan.h>

#include <stdio.h>
#include <string.h>

#include "plan/pieces.h"

/* The slot of a device: those with one share of different sums come in the order of their numbers. */
static int64_t *slots_of(const sw_summing *summing, sw_arena *arena)
{
	int64_t *slot = SW_NEW(arena, int64_t, summing->devices);
	int32_t *sums = SW_NEW_ZERO(arena, int32_t, summing->shares);

	if (slot == NULL || sums == NULL)
		return NULL;
	for (int d = 0; d < summing->devices; d++)
		slot[d] = (int64_t)sums[summing->share[d]]++ * summing->shares + summing->share[d];
	return slot;
}

static bool make_problem(const sw_summing *summing, sw_problem *problem, sw_diag *diag)
{
	char mesh[64], ends[96];
	int sums = summing->devices / summing->shares;

	snprintf(mesh, sizeof mesh, "{sum: %d, share: %d}", sums, summing->shares);
	snprintf(ends, sizeof ends, "i64[{sum}%d, %d]+{share} ~> i64[{sum}%d, %d]", sums, summing->shares, sums,
		summing->shares);
	sw_mesh *of = &problem->mesh;
	return sw_mesh_parse(sw_str_of(mesh), of, diag) && sw_problem_parse(of, sw_str_of(ends), problem, diag);
}

bool sw_summing_plan(const sw_summing *summing, const sw_step *steps, int count, sw_arena *arena, sw_plan *plan,
	sw_diag *diag)
{
	char where[SW_WHERE_SIZE];
	int64_t *slot = slots_of(summing, arena);

	*plan = (sw_plan){.strategy = SW_DIRECT, .origin = "by hand", .local_cost = -1, .program.steps = count};
	if (!make_problem(summing, &plan->problem, diag))
		return false;
	sw_type *to = SW_NEW(arena, sw_type, 1);
	if (slot == NULL || to == NULL || !sw_plan_room(plan, count, arena))
		return sw_diag_memory(diag);
	*to = plan->problem.to;
	for (int k = 0; k < count; k++) {
		plan->program.step[k] = (sw_step){.op = steps[k].op, .by = steps[k].by, .passing = SW_PASSES_ROUND};
		if (!sw_step_lay(&plan->program.step[k], &summing->small, slot, arena))
			return sw_diag_memory(diag);
		if (!sw_plan_follow(plan, k, summing->shares, &(sw_said_types){1, to}, arena, where, diag))
			return false;
	}
	return sw_plan_total(plan, diag);
}

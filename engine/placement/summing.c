/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sum that is carried out step by step: the devices that are followed, their groups, the premises.
 */
#include <shardwalk/summing.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "placement/summing.h"

/* ---- the devices that are followed ---- */

static bool is_whole(sw_hierarchy_kind kind)
{
	return kind < SW_HIERARCHY_SUMMED_ROWS;
}

/* The device numbers that the digits [from, to) add up to, at this index. */
static int64_t digits_at(const sw_hierarchy *hierarchy, int from, int to, int64_t index)
{
	int64_t value = 0;

	for (int k = to - 1; k >= from; k--) {
		value += index % hierarchy->digit[k].size * hierarchy->digit[k].stride;
		index /= hierarchy->digit[k].size;
	}
	return value;
}

/* The factors as digits of the devices that are followed, which count in the order of the hierarchy. */
static void make_small(sw_summing *summing, int64_t most)
{
	const sw_hierarchy *hierarchy = &summing->hierarchy;
	sw_hierarchy *small = &summing->small;
	int64_t stride = 1;

	small->count = hierarchy->count;
	small->others = 0;
	for (int f = hierarchy->count - 1; f >= 0; f--) {
		sw_placed_digit digit = hierarchy->digit[hierarchy->first[f]];

		digit.size = sw_smaller(sw_hierarchy_size(hierarchy, f), most);
		digit.stride = stride;
		stride *= digit.size;
		small->digit[f] = digit;
		small->first[f] = f;
	}
	small->first[hierarchy->count] = hierarchy->count;
	summing->devices = summing->shares = (int)stride;
}

/* The number in the system of a device that is followed. */
static int64_t device_of(const sw_summing *summing, int followed)
{
	const sw_hierarchy *hierarchy = &summing->hierarchy, *small = &summing->small;
	int64_t device = 0;

	for (int f = 0; f < hierarchy->count; f++)
		device += digits_at(hierarchy, hierarchy->first[f], hierarchy->first[f + 1],
			followed / small->digit[f].stride % small->digit[f].size);
	return device;
}

static bool follow_one_sum(sw_summing *summing, sw_arena *arena)
{
	int64_t shares = 1;

	for (int f = 0; f < summing->hierarchy.count; f++)
		if (!sw_mul(shares, sw_hierarchy_size(&summing->hierarchy, f), &shares))
			shares = SW_MAX_FOLLOWED + 1;
	summing->few = shares > SW_MAX_FOLLOWED;
	make_small(summing, summing->few ? 2 : SW_MAX_FOLLOWED);

	int64_t *device = SW_NEW(arena, int64_t, summing->devices);
	int32_t *share = SW_NEW(arena, int32_t, summing->devices);
	if (device == NULL || share == NULL)
		return false;
	for (int d = 0; d < summing->devices; d++) {
		device[d] = device_of(summing, d);
		share[d] = d;
	}
	summing->device = device;
	summing->share = share;
	return true;
}

/* Which share of its sum a device brings: its coordinates along the summed axes. */
static int share_of(const sw_summing *summing, int64_t device, int *shares)
{
	int64_t share = 0, all = 1;

	for (int i = 0; i < summing->sum.placement->axes; i++)
		if (summing->sum.summed >> i & 1) {
			int64_t size = 1;

			for (int j = 0; j < summing->sum.placement->levels; j++)
				size *= summing->sum.placement->factor[i][j];
			share = share * size + sw_placement_coordinate(summing->sum.placement, device, i);
			all *= size;
		}
	*shares = (int)all;
	return (int)share;
}

static bool follow_all(sw_summing *summing, sw_arena *arena)
{
	summing->devices = (int)summing->system->devices;
	summing->small = summing->hierarchy;

	int64_t *device = SW_NEW(arena, int64_t, summing->devices);
	int32_t *share = SW_NEW(arena, int32_t, summing->devices);
	if (device == NULL || share == NULL)
		return false;
	for (int d = 0; d < summing->devices; d++) {
		device[d] = d;
		share[d] = share_of(summing, d, &summing->shares);
	}
	summing->device = device;
	summing->share = share;
	return true;
}

bool sw_summing_start(const sw_system *system, const sw_mesh *axes, const sw_placed_sum *sum, sw_arena *arena,
	sw_summing *summing, sw_diag *diag)
{
	memset(summing, 0, sizeof *summing);
	summing->system = system;
	summing->axes = axes;
	summing->sum = *sum;
	sw_hierarchy_make(sum->placement, sum->kind, sum->summed, sum->kind == SW_HIERARCHY_SUMMED_LEVELS,
		&summing->hierarchy);
	if (is_whole(sum->kind) && system->devices > SW_MAX_FOLLOWED)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"hierarchy %s follows every device, and these are %lld, more than %d", sw_hierarchy_letter(sum->kind),
			(long long)system->devices, SW_MAX_FOLLOWED);
	if (!(is_whole(sum->kind) ? follow_all : follow_one_sum)(summing, arena))
		return sw_diag_memory(diag);
	return sw_pieces_start(&summing->pieces, summing->devices, summing->shares, summing->shares, summing->share,
		arena, diag);
}

bool sw_summing_done(const sw_summing *summing)
{
	return sw_pieces_done(&summing->pieces);
}

/* ---- steps ---- */

int sw_summing_crosses(const sw_summing *summing, const sw_group_name *name)
{
	const sw_hierarchy *hierarchy = &summing->small;
	int from, to;

	sw_group_name_factors(name, hierarchy->count, &from, &to);
	for (int k = hierarchy->first[from]; k < hierarchy->first[to]; k++)
		if (hierarchy->digit[k].size > 1 && !(summing->sum.summed >> hierarchy->digit[k].axis & 1))
			return hierarchy->digit[k].axis;
	return -1;
}

/* A step in all groups, which stay in `arena`, or in none.  false: no memory. */
static bool do_step(sw_summing *summing, const sw_step *step, sw_arena *arena, sw_breach *breach)
{
	int64_t grouped, size;
	const int32_t *member = sw_named_members(&summing->small, &step->by, arena, &grouped, &size);

	return member != NULL && sw_pieces_step(&summing->pieces, step->op, member, grouped, size, breach);
}

sw_premise sw_summing_try(sw_summing *summing, const sw_step *step, sw_arena *arena)
{
	sw_breach breach = {.premise = SW_PREMISE_CROSSES};

	if (sw_summing_crosses(summing, &step->by) < 0)
		do_step(summing, step, arena, &breach);
	return breach.premise;
}

static bool refuse_single(const sw_summing *summing, const sw_step *step, sw_diag *diag)
{
	sw_text text = {0};

	sw_step_print(summing->system, &summing->hierarchy, step, &text);
	sw_diag_set(diag, SW_C02, (sw_span){0, 0}, "each group of `%s` is one device: the step does nothing",
		sw_text_get(&text));
	sw_diag_hint(diag, "name a level further out; `inside root` means all devices of the sum");
	sw_text_free(&text);
	return false;
}

bool sw_summing_apply(sw_summing *summing, const sw_step *step, sw_arena *arena, sw_diag *diag)
{
	int axis = sw_summing_crosses(summing, &step->by);
	sw_breach breach = {.premise = SW_PREMISE_HOLDS};

	if (axis >= 0)
		return sw_summing_refuse_axis(summing, step, axis, arena, diag);
	bool done = do_step(summing, step, arena, &breach);
	if (!done)
		sw_diag_memory(diag);
	else if (breach.size < 2)
		done = refuse_single(summing, step, diag);
	else if (breach.premise != SW_PREMISE_HOLDS)
		done = sw_summing_refuse(summing, step->op, &breach, diag);
	return done;
}

/* ---- programs ---- */

int sw_reduction_sums(const sw_plan *plan, const int64_t *sizes, int factors, sw_arena *arena)
{
	assert(factors >= 0 && factors <= SW_MAX_LEVELS);
	sw_arena_mark mark = sw_arena_here(arena);
	sw_placement placement = {.axes = 1, .levels = factors};
	const sw_placed_sum sum = {&placement, 1, SW_HIERARCHY_SUMMED_LEVELS};
	sw_summing *summing = SW_NEW(arena, sw_summing, 1);
	sw_breach breach = {.premise = SW_PREMISE_HOLDS};

	memcpy(placement.factor[0], sizes, sizeof *sizes * (size_t)factors);
	bool done = summing != NULL && sw_summing_start(NULL, NULL, &sum, arena, summing, NULL);
	for (int k = 0; done && breach.premise == SW_PREMISE_HOLDS && k < plan->program.steps; k++)
		done = do_step(summing, &plan->program.step[k], arena, &breach);
	bool right = done && breach.premise == SW_PREMISE_HOLDS && sw_summing_done(summing);
	sw_arena_back(arena, mark);
	return done ? right : -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tile numbers: the number of the tile that each device holds.
 */
#include "plan/tile_numbers.h"

#include <assert.h>
#include <string.h>

#include "array/parts.h"
#include "step/call.h"
#include "step/part_list.h"
#include "step/row.h"

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
	assert(mesh->devices <= SW_MAX_MAP_DEVICES);
	sw_digit digit[SW_MAX_PARTS];
	int64_t weight[SW_MAX_DIMS];
	int count = sw_digits_of_type(mesh, type, digit);
	sw_grid_weights(type->global, type->tile, type->rank, weight);
	sw_digits_ascend(digit, count);
	int64_t done = 1;
	number[0] = 0;
	for (int k = 0; k < count; k++) {
		int64_t stride = digit[k].stride;
		assert(stride >= done && stride % done == 0);
		numbers_repeat(number, done, stride, done, 0);
		done = stride * digit[k].size;
		numbers_repeat(number, stride, done, stride, (int32_t)(digit[k].weight * weight[digit[k].dim]));
	}
	assert(mesh->devices % done == 0);
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

bool sw_tile_numbers_at(const sw_plan *plan, int k, int32_t *number, int32_t *count, sw_diag *diag)
{
	assert(k >= 0 && k <= plan->program.steps);
	const sw_value *value = &plan->program.value[k];
	if (value->type) {
		sw_tile_numbers_of_type(&plan->problem.mesh, value->type, number);
		return true;
	}
	return sw_tile_numbers_of_map(&plan->problem, value->tile, value->map, number, count, diag);
}

/* ---- terms ---- */

const sw_type *sw_plan_sums_before(const sw_plan *plan, int k)
{
	assert(k >= 0 && k <= plan->program.steps);
	while (k > 0 && !plan->program.value[k].type)
		k--;
	return plan->program.value[k].type;
}

int64_t sw_step_terms(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	return sw_terms_joined(sw_plan_sums_before(plan, k), sw_plan_sums_before(plan, k + 1));
}

bool sw_plan_has_sums(const sw_plan *plan)
{
	bool sums = sw_type_terms(&plan->problem.from) > 1 || sw_type_terms(&plan->problem.to) > 1;
	for (int k = 0; !sums && k < plan->program.steps; k++)
		sums = sw_type_terms(sw_plan_sums_before(plan, k + 1)) > 1;
	return sums;
}

int64_t sw_terms_added(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	int64_t before = sw_type_terms(sw_plan_sums_before(plan, k)),
			after = sw_type_terms(sw_plan_sums_before(plan, k + 1));
	if (!sw_adds_terms(plan->program.step[k].op))
		return 1;
	return before > after ? before / after : after / before;
}

int64_t sw_step_members(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	int64_t members = sw_row(step->op)->among == SW_AMONG_GROUPS ? sw_terms_added(plan, k) : 0;

	for (int e = 0; e < step->gathers; e++)
		members *= step->gather[e].factor;
	return members;
}

/* The sums that one type has beyond another's. */
static void sums_beyond(const sw_type *wide, const sw_type *narrow, sw_part_list *more)
{
	sw_part_list fewer;
	sw_part_list_of(wide, wide->rank, more);
	sw_part_list_of(narrow, narrow->rank, &fewer);
	for (int p = 0; p < fewer.count; p++)
		sw_part_list_remove(more, fewer.at[p]);
	int count = 0;
	for (int p = 0; p < more->count; p++)
		if (more->at[p].size > 1)
			more->at[count++] = more->at[p];
	more->count = sw_parts_order_sums(more->at, count);
}

int sw_step_summed(const sw_plan *plan, int k, sw_part *part)
{
	assert(k >= 0 && k < plan->program.steps);
	sw_part_list summed;
	if (sw_terms_added(plan, k) == 1)
		return 0;
	sums_beyond(sw_plan_sums_before(plan, k), sw_plan_sums_before(plan, k + 1), &summed);
	memcpy(part, summed.at, (size_t)summed.count * sizeof *part);
	return summed.count;
}

/* ---- a step as it is applied by hand ---- */

static bool call_leads_to(const sw_plan *plan, int k, const sw_call *call)
{
	sw_type reached;
	return sw_call_apply(&plan->problem.mesh, plan->program.value[k].type, call, &reached, NULL) &&
		sw_type_equal(&reached, plan->program.value[k + 1].type);
}

/* A reducescatter that pushes just what it sums says so by the order of its sum. */
static void order_sums(const sw_plan *plan, int k, sw_call *call)
{
	sw_call shorter = *call;
	if (call->sums == 0 || call->splits != 1 || call->gathers)
		return;
	sw_call_sum_pushes(&shorter);
	if (call_leads_to(plan, k, &shorter))
		*call = shorter;
}

void sw_plan_call(const sw_plan *plan, int k, sw_call *call)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	const sw_collective *row = sw_row(step->op);
	const sw_type *before = plan->program.value[k].type, *after = plan->program.value[k + 1].type;
	sw_part_list sums = {0};
	sw_step_call(step, call);
	call->has_target = row->told == SW_TOLD_BY_TYPE && after;
	if (call->has_target)
		call->target = *after;
	call->target.dtype_given = false;
	if (!before || !after || call->has_target)
		return;
	const sw_type *ends[] = {before, after};
	int wide = sw_side_of_terms(step->op);
	if (row->told == SW_TOLD_BY_PARTS)
		sums_beyond(ends[wide], ends[!wide], &sums);
	call->sums = sums.count;
	memcpy(call->sum, sums.at, (size_t)sums.count * sizeof *sums.at);
	if (!call->splits || (row->among != SW_AMONG_NONE && call_leads_to(plan, k, call)))
		return;
	sw_call_name_pushes(call, after);
	order_sums(plan, k, call);
}

/* ---- numbers of terms ---- */

void sw_term_numbers_of_type(const sw_mesh *mesh, const sw_type *type, int32_t *number)
{
	for (int64_t p = 0; p < mesh->devices; p++)
		number[p] = (int32_t)sw_type_term(mesh, type, p);
}

/* Are all sums of the narrow type among those of the wide one? */
static bool sums_lie_in(const sw_type *wide, const sw_type *narrow)
{
	sw_part_list all, some;
	sw_part_list_of(wide, wide->rank, &all);
	sw_part_list_of(narrow, narrow->rank, &some);
	for (int p = 0; p < some.count; p++)
		if (!sw_part_list_remove(&all, some.at[p]))
			return false;
	return true;
}

/* Of the slots that have a term the one whose other digits are 0: by these the term after it is known, or is the least. */
static int64_t slot_of_term(const sw_mesh *mesh, const sw_type *type, int64_t term)
{
	int64_t slot = 0;
	for (int p = type->first[type->rank]; p < type->first[type->rank + 1]; p++) {
		sw_part part = sw_type_part(type, p);
		slot += term % part.size * sw_part_stride(mesh, part);
		term /= part.size;
	}
	return slot;
}

static bool sums_keep_digits(const sw_type *before, const sw_type *after)
{
	return sums_lie_in(before, after) || sums_lie_in(after, before);
}

static int64_t joined_of(const sw_mesh *mesh, const sw_type *before, const sw_type *after, bool digits, int64_t term)
{
	return digits ? sw_type_term(mesh, after, slot_of_term(mesh, before, term)) : term % sw_type_terms(after);
}

int64_t sw_term_joined(const sw_mesh *mesh, const sw_type *before, const sw_type *after, int64_t term)
{
	assert(term >= 0 && term < sw_type_terms(before));
	return sw_type_terms(after) == 1 ? 0 : joined_of(mesh, before, after, sums_keep_digits(before, after), term);
}

void sw_terms_join(const sw_mesh *mesh, const sw_type *before, const sw_type *after, int32_t *join)
{
	int64_t terms = sw_type_terms(before);
	bool digits = sums_keep_digits(before, after);
	for (int64_t t = 0; t < terms; t++)
		join[t] = (int32_t)joined_of(mesh, before, after, digits, t);
}

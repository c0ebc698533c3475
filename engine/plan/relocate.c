/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of devices that no mesh has: a plan is made for the places of a mesh, and one permute brings what is at each
 * place from the device that it lies on before to the device that it lies on afterwards.
 */
#include <shardwalk/cost.h>
#include <shardwalk/plan.h>

#include <inttypes.h>
#include <string.h>

#include "plan/finder.h"
#include "plan/places.h"

static int relocate_permute(const sw_plan *plan)
{
	for (int k = 0; k < plan->count; k++)
		if (plan->steps[k].op == SW_ALLPERMUTE)
			return k;
	return -1;
}

static int64_t relocate_size(const sw_plan *plan, int k)
{
	return k ? plan->steps[k - 1].localsize : sw_type_localsize(&plan->problem.from);
}

/* Where the tiles are smallest it costs least. */
static int relocate_cheapest(const sw_plan *plan)
{
	int best = 0;
	for (int k = 1; k <= plan->count; k++)
		if (relocate_size(plan, k) < relocate_size(plan, best))
			best = k;
	return best;
}

/* A step after which every place holds what it held before. */
static bool relocate_step(const sw_plan *plan, int k, bool sizes_only, sw_arena *arena, sw_step *step, sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	*step = (sw_step){.op = SW_ALLPERMUTE, .type = sw_plan_type_at(plan, k)};
	memcpy(step->tile, sw_plan_tile_at(plan, k), sizeof(*step->tile) * (size_t)plan->problem.from.rank);
	if (!step->type)
		step->map = plan->steps[k - 1].map;
	if (step->type == &plan->problem.from) {
		sw_type *own = SW_NEW(arena, sw_type, 1);
		if (!own)
			return sw_diag_memory(diag);
		*own = plan->problem.from;
		step->type = own;
	}
	if (sizes_only)
		return true;
	int32_t *source = SW_NEW(arena, int32_t, devices);
	if (!source)
		return sw_diag_memory(diag);
	for (int64_t i = 0; i < devices; i++)
		source[i] = (int32_t)i;
	step->source = source;
	return true;
}

static bool relocate_insert(sw_plan *plan, int k, bool sizes_only, sw_arena *arena, sw_diag *diag)
{
	sw_step *steps = SW_NEW(arena, sw_step, plan->count + 1);
	if (!steps)
		return sw_diag_memory(diag);
	if (!relocate_step(plan, k, sizes_only, arena, &steps[k], diag))
		return false;
	if (k)
		memcpy(steps, plan->steps, sizeof(*steps) * (size_t)k);
	if (k < plan->count)
		memcpy(steps + k + 1, plan->steps + k, sizeof(*steps) * (size_t)(plan->count - k));
	plan->steps = steps;
	plan->count++;
	return sw_plan_total(plan, diag);
}

static void relocate_price(sw_plan *plan, int k, const sw_machine *machine)
{
	sw_step *step = &plan->steps[k];
	if (plan->model == SW_MODEL_PAPER)
		step->model_cost = (double)step->cost;
	else if (sw_model_is_timed(plan->model))
		step->model_cost = sw_predict_seconds(plan, k, machine ? machine : sw_machine_default());
	else
		step->model_cost = sw_step_model_cost(plan, k);
	plan->model_cost += step->model_cost;
	plan->optimal = false;
}

/* A permute that changes over too may take longer than the one that was planned. */
static void relocate_carry(sw_plan *plan, int k, const sw_machine *machine)
{
	double planned = plan->steps[k].model_cost;
	bool optimal = plan->optimal;
	plan->model_cost -= planned;
	relocate_price(plan, k, machine);
	plan->optimal = optimal && plan->steps[k].model_cost <= planned;
}

static bool relocate_refuse(const sw_plan *plan, const sw_plan_options *options, sw_diag *diag)
{
	sw_diag_set(diag, SW_S01, (sw_span){0, 0}, "a live budget of %" PRId64 " elements is too small for the permute to "
	            "the other order of devices", options->live_budget);
	sw_diag_expected(diag, "at least %" PRId64 " elements", plan->live_peak);
	return false;
}

static int64_t *relocate_copy(const int64_t *ids, int64_t devices, sw_arena *arena)
{
	int64_t *copy = SW_NEW(arena, int64_t, devices);
	for (int64_t i = 0; copy && i < devices; i++)
		copy[i] = ids ? ids[i] : i;
	return copy;
}

static bool relocate_needed(const int64_t *before, const int64_t *after, int64_t devices)
{
	return after && memcmp(before, after, sizeof(*before) * (size_t)devices) != 0;
}

bool sw_plan_relocate(sw_plan *plan, const int64_t *before, const int64_t *after, const sw_plan_options *options,
    sw_arena *arena, sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	sw_plan moved = *plan;
	if (!before && !after)
		return true;
	moved.devices = relocate_copy(before, devices, arena);
	moved.to_devices = after ? relocate_copy(after, devices, arena) : moved.devices;
	if (!moved.devices || !moved.to_devices)
		return sw_diag_memory(diag);
	if (!relocate_needed(moved.devices, moved.to_devices, devices)) {
		*plan = moved;
		return true;
	}
	int at = relocate_permute(plan);
	if (at < 0 && options->without >> SW_ALLPERMUTE & 1) {
		sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "the tiles have to change over to another order of devices, and "
		            "allpermute is forbidden");
		sw_diag_hint(diag, "allow allpermute, or take the same order of devices on both sides");
		return false;
	}
	if (at < 0) {
		at = relocate_cheapest(plan);
		if (!relocate_insert(&moved, at, options->sizes_only, arena, diag))
			return false;
		moved.moved = at + 1;
		relocate_price(&moved, at, options->machine);
		if (options->live_budget > 0 && moved.live_peak > options->live_budget)
			return relocate_refuse(&moved, options, diag);
	} else {
		moved.moved = at + 1;
		relocate_carry(&moved, at, options->machine);
	}
	*plan = moved;
	return true;
}

/* ---- running ---- */

const int64_t *sw_plan_devices(const sw_plan *plan, int k)
{
	return plan->moved > 0 && k >= plan->moved ? plan->to_devices : plan->devices;
}

static bool devices_of_groups(sw_step *step, const int64_t *ids, int64_t devices, sw_arena *arena)
{
	int32_t *groups = SW_NEW(arena, int32_t, devices);
	for (int64_t i = 0; groups && i < devices; i++)
		groups[i] = (int32_t)ids[step->groups[i]];
	step->groups = groups;
	return groups != NULL;
}

static bool devices_of_sources(sw_step *step, const int64_t *before, const int64_t *after, int64_t devices,
    sw_arena *arena)
{
	int32_t *source = SW_NEW(arena, int32_t, devices);
	for (int64_t place = 0; source && place < devices; place++)
		source[after[place]] = (int32_t)before[step->source[place]];
	step->source = source;
	return source != NULL;
}

bool sw_plan_on_devices(sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	for (int k = 0; k < plan->count && plan->devices; k++) {
		sw_step *step = &plan->steps[k];
		const int64_t *before = sw_plan_devices(plan, k), *after = sw_plan_devices(plan, k + 1);
		if ((step->groups && !devices_of_groups(step, before, devices, arena)) ||
		    (step->source && !devices_of_sources(step, before, after, devices, arena)))
			return sw_diag_memory(diag);
	}
	return true;
}

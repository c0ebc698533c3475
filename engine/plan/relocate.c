/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of devices that no mesh has: a plan is made for the places of a mesh, and some of its steps, or one permute
 * more, bring what is at each place from the device that it lies on before to the device that it lies on afterwards.
 */
#include <shardwalk/cost.h>
#include <shardwalk/plan.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plan/check.h"
#include "plan/finder.h"
#include "plan/places.h"
#include "plan/reorder.h"
#include "step/row.h"

static int relocate_permute(const sw_plan *plan)
{
	for (int k = 0; k < plan->count; k++)
		if (sw_row(plan->steps[k].op)->permutes)
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

/* A step that changes over too may take longer than the one that was planned. */
static void relocate_price(sw_plan *plan, const sw_machine *machine)
{
	plan->model_cost = 0;
	for (int k = 0; k < plan->count; k++) {
		sw_step *step = &plan->steps[k];
		if (plan->model == SW_MODEL_PAPER)
			step->model_cost = (double)step->cost;
		else if (sw_model_is_timed(plan->model))
			step->model_cost = sw_predict_seconds(plan, k, machine ? machine : sw_machine_default());
		else
			step->model_cost = sw_step_model_cost(plan, k);
		plan->model_cost += step->model_cost;
	}
}

static bool relocate_refuse(const sw_plan *plan, const sw_plan_options *options, sw_diag *diag)
{
	int bytes = sw_dtype_bytes(plan->problem.from.dtype);
	sw_diag_set(diag, SW_S01, (sw_span){0, 0},
		"a live budget of %s is too small for the permute to the other order of "
		"devices",
		sw_size_said(options->live_budget, bytes, options->unit).text);
	sw_diag_expected(diag, "at least %s", sw_size_said(plan->live_peak, bytes, options->unit).text);
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

/* ---- the change of order ---- */

/* A plan of its own steps, so that the caller's stay as they were. */
static bool relocate_begin(const sw_plan *plan, sw_plan *copy, sw_arena *arena, sw_diag *diag)
{
	*copy = *plan;
	copy->steps = SW_NEW(arena, sw_step, plan->count);
	if (!copy->steps)
		return sw_diag_memory(diag);
	for (int k = 0; k < copy->count; k++) {
		copy->steps[k] = plan->steps[k];
		copy->steps[k].devices = NULL;
		copy->steps[k].first_sender = copy->steps[k].sender = NULL;
	}
	return true;
}

static bool relocate_by_permute(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
{
	int at = relocate_cheapest(plan);
	if (options->without >> SW_ALLPERMUTE & 1) {
		sw_diag_set(diag, SW_S02, (sw_span){0, 0},
			"the tiles have to change over to another order of devices, and "
			"allpermute is forbidden");
		sw_diag_hint(diag, "allow allpermute, or take the same order of devices on both sides");
		return false;
	}
	if (!relocate_insert(plan, at, options->sizes_only, arena, diag))
		return false;
	plan->steps[at].devices = plan->to_devices;
	if (options->live_budget > 0 && plan->live_peak > options->live_budget)
		return relocate_refuse(plan, options, diag);
	return true;
}

/* Every way that there is, the cheapest first: a permute that is planned anyway, the other steps, a permute more. */
static bool relocate_plan(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
{
	int at = relocate_permute(plan);
	bool done = at >= 0;
	if (done)
		plan->steps[at].devices = plan->to_devices;
	else if (!sw_reorder_in_steps(plan, plan->devices, plan->to_devices, arena, &done, diag))
		return false;
	if (!done && !relocate_by_permute(plan, options, arena, diag))
		return false;
	relocate_price(plan, options->machine);
	return true;
}

/* ---- what is proved ---- */

/* What was proved of one order of devices bounds no plan that may change it; what every path over local types costs does. */
static bool relocate_bound(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
{
	int64_t paper = 0, model = 0;
	if (!plan->has_bound)
		return true;
	if (!sw_local_bound(&plan->problem, options, SW_MODEL_PAPER, arena, &paper, diag))
		return false;
	if (plan->model == SW_MODEL_VOLUME && !sw_local_bound(&plan->problem, options, plan->model, arena, &model, diag))
		return false;
	plan->lower_bound = paper < plan->cost ? paper : plan->cost;
	plan->model_bound = (double)(plan->model == SW_MODEL_PAPER ? plan->lower_bound : model);
	plan->model_bound = fmin(plan->model_bound, plan->model_cost);
	plan->optimal = plan->model_bound >= plan->model_cost;
	return true;
}

/* A plan of another strategy may need no permute where this one does. */
static bool relocate_try(sw_plan *plan, sw_strategy strategy, const sw_plan_options *options, sw_arena *arena)
{
	sw_plan_options other = *options;
	sw_plan *found = SW_NEW(arena, sw_plan, 2);
	other.strategy = strategy;
	if (!found || !sw_plan_find(&plan->problem, &other, arena, &found[0], NULL) ||
		!relocate_begin(&found[0], &found[1], arena, NULL))
		return false;
	found[1].devices = plan->devices;
	found[1].to_devices = plan->to_devices;
	if (!relocate_plan(&found[1], &other, arena, NULL) || found[1].model_cost >= plan->model_cost)
		return false;
	found[1].strategy = plan->strategy;
	found[1].has_bound = plan->has_bound;
	found[1].local_cost = plan->local_cost;
	found[1].search = plan->search;
	*plan = found[1];
	return true;
}

static void relocate_others(sw_plan *plan, const sw_plan_options *options, sw_arena *arena)
{
	if (plan->strategy == SW_FUSED && plan->model_cost > plan->model_bound)
		relocate_try(plan, SW_EXACT, options, arena);
	if ((plan->strategy == SW_FUSED || plan->strategy == SW_EXACT) && plan->model_cost > plan->model_bound)
		relocate_try(plan, SW_PAPER, options, arena);
}

bool sw_plan_relocate(sw_plan *plan, const int64_t *before, const int64_t *after, const sw_plan_options *options,
	sw_arena *arena, sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	sw_plan moved;
	if (!before && !after)
		return true;
	if (!relocate_begin(plan, &moved, arena, diag))
		return false;
	moved.devices = relocate_copy(before, devices, arena);
	moved.to_devices = after ? relocate_copy(after, devices, arena) : moved.devices;
	if (!moved.devices || !moved.to_devices)
		return sw_diag_memory(diag);
	if (relocate_needed(moved.devices, moved.to_devices, devices)) {
		if (!relocate_plan(&moved, options, arena, diag) || !relocate_bound(&moved, options, arena, diag))
			return false;
		relocate_others(&moved, options, arena);
		if (!relocate_bound(&moved, options, arena, diag))
			return false;
	}
	*plan = moved;
	return options->sizes_only || sw_plan_record_senders(plan, arena, diag);
}

/* ---- running ---- */

const int64_t *sw_plan_devices(const sw_plan *plan, int k)
{
	while (k > 0 && !plan->steps[k - 1].devices)
		k--;
	return k > 0 ? plan->steps[k - 1].devices : plan->devices;
}

static bool devices_of_groups(const sw_plan *plan, int k, const int64_t *ids, sw_arena *arena, sw_step *step,
	sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	int32_t *groups = SW_NEW(arena, int32_t, devices);
	if (!groups)
		return sw_diag_memory(diag);
	const int32_t *listed = sw_step_groups(plan, k, arena);
	for (int64_t i = 0; listed && i < devices; i++)
		groups[i] = (int32_t)ids[listed[i]];
	step->groups = groups;
	step->groups_text = NULL;
	if (!step->devices || sw_only_gathers(step->op))
		return listed || sw_diag_memory(diag);
	return sw_group_reordered(plan, k, arena, groups, diag);
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

bool sw_step_on_devices(const sw_plan *plan, int k, sw_arena *arena, sw_step *step, sw_diag *diag)
{
	*step = plan->steps[k];
	if (!plan->devices)
		return true;
	const int64_t *before = sw_plan_devices(plan, k), *after = sw_plan_devices(plan, k + 1);
	if ((step->groups || step->groups_text) && !devices_of_groups(plan, k, before, arena, step, diag))
		return false;
	return !step->source || devices_of_sources(step, before, after, plan->problem.mesh.devices, arena) ||
		sw_diag_memory(diag);
}

bool sw_plan_on_devices(sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	sw_step *steps = SW_NEW(arena, sw_step, plan->count);
	if (!steps)
		return sw_diag_memory(diag);
	for (int k = 0; k < plan->count; k++)
		if (!sw_step_on_devices(plan, k, arena, &steps[k], diag))
			return false;
	plan->steps = steps;
	return true;
}

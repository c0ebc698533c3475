/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of devices: a plan is made for the slots of a mesh.  Where the devices lie otherwise in these at the end than in the
 * beginning, some of its steps, or one permute more, bring what is in each slot from the one device to the other.
 */
#include <shardwalk/cost.h>
#include <shardwalk/plan.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bounded_pulse.h"
#include "plan/finder.h"
#include "plan/tile_numbers.h"
#include "plan/reorder.h"
#include "step/row.h"

enum { MOST_OTHER_BEATS = 24 }; /* of the pulse, in the search of another system's planner */

int sw_plan_first_permute(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (sw_row(plan->program.step[k].op)->among == SW_AMONG_PAIRS)
			return k;
	return -1;
}

/* Where the tiles are smallest it costs least. */
static int cheapest_moment(const sw_plan *plan)
{
	int best = 0;
	for (int k = 1; k <= plan->program.steps; k++)
		if (plan->program.value[k].localsize < plan->program.value[best].localsize)
			best = k;
	return best;
}

/* A step after which every slot holds what it held before: value k is there twice. */
static bool insert_permute(sw_plan *plan, int k, sw_arena *arena, sw_diag *diag)
{
	if (!sw_plan_own(plan, 1, arena))
		return sw_diag_memory(diag);
	memmove(plan->program.step + k + 1, plan->program.step + k,
		sizeof(*plan->program.step) * (size_t)(plan->program.steps - k));
	memmove(plan->program.value + k + 1, plan->program.value + k,
		sizeof(*plan->program.value) * (size_t)(plan->program.steps + 1 - k));
	plan->program.step[k] = (sw_step){.op = SW_ALLPERMUTE};
	plan->program.steps++;
	return sw_plan_total(plan, diag);
}

static bool refuse_live(const sw_plan *plan, const sw_plan_options *options, sw_diag *diag)
{
	int bytes = sw_dtype_bytes(plan->problem.from.dtype);
	sw_diag_set(diag, SW_S01, (sw_span){0, 0},
		"a live budget of %s is too small for the permute to the other order of "
		"devices",
		sw_size_said(options->live_budget, bytes, options->unit).text);
	sw_diag_expected(diag, "at least %s", sw_size_said(plan->live_peak, bytes, options->unit).text);
	return false;
}

/* ---- the change of order ---- */

/* A plan of its own steps, so that the caller's stay as they were. */
static bool begin_reorder(const sw_plan *plan, sw_plan *copy, sw_arena *arena, sw_diag *diag)
{
	*copy = *plan;
	if (!sw_plan_own(copy, 0, arena))
		return sw_diag_memory(diag);
	for (int k = 0; k < copy->program.steps; k++) {
		copy->program.step[k].order = NULL;
		copy->program.step[k].first_sender = copy->program.step[k].sender = NULL;
	}
	return true;
}

static bool reorder_by_permute(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
{
	int at = cheapest_moment(plan);
	if (options->without >> SW_ALLPERMUTE & 1) {
		sw_diag_set(diag, SW_S02, (sw_span){0, 0},
			"the tiles must move to another order of devices, but allpermute is forbidden");
		sw_diag_hint(diag, "allow allpermute, or use the same order of devices at both ends");
		return false;
	}
	if (!insert_permute(plan, at, arena, diag))
		return false;
	plan->program.step[at].order = sw_problem_to_order(&plan->problem);
	if (options->live_budget > 0 && plan->live_peak > options->live_budget)
		return refuse_live(plan, options, diag);
	return true;
}

/* Every way that there is, the cheapest first: a permute that is planned anyway, the other steps, a permute more. */
static bool change_order(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
{
	int at = sw_plan_first_permute(plan);
	bool done = at >= 0;
	if (done)
		plan->program.step[at].order = sw_problem_to_order(&plan->problem);
	else if (!sw_reorder_in_steps(plan, arena, &done, diag))
		return false;
	if (!done && !reorder_by_permute(plan, options, arena, diag))
		return false;
	if (!options->sizes_only && !sw_plan_group(plan, arena, diag))
		return false;
	sw_plan_price(plan, options->machine ? options->machine : sw_machine_of_model(options->model));
	const char *unpriced = sw_plan_unpriced(plan);
	return !unpriced || sw_refuse_unpriced(unpriced, diag);
}

/* ---- what is proved ---- */

/* What was proved of one order of devices bounds no plan that may change it; what every path over local types costs does. */
static bool bound_reordered(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
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

/* Other systems ask for no bounds, and work on several dimensions in one step. */
static bool is_within(const sw_plan *plan, const sw_plan *bounded, const sw_plan_options *options)
{
	bool fits = plan->height <= bounded->budget &&
		(options->live_budget == 0 || plan->live_peak <= options->live_budget);
	for (int k = 0; k < plan->program.steps; k++)
		fits = fits && (options->without >> plan->program.step[k].op & 1) == 0;
	return fits && (!sw_strategy_is(bounded->strategy, SW_ONE_DIMENSION) || sw_plan_is_one_dimension(plan));
}

/* A plan of another strategy may need no permute where this one does. */
static void try_other(sw_plan *plan, sw_strategy strategy, const sw_plan_options *options, sw_arena *arena)
{
	sw_plan_options other = *options;
	sw_plan *found = SW_NEW(arena, sw_plan, 2);
	sw_bounded_pulse pulse;
	other.strategy = strategy;
	other.pulse = &pulse.pulse;
	sw_bounded_pulse_init(&pulse, options->pulse,
		sw_strategy_is(strategy, SW_FOLLOWS) ? MOST_OTHER_BEATS : INT64_MAX);
	if (plan->model_cost <= plan->model_bound || !found ||
		!sw_find_in_slots(&plan->problem, &other, arena, &found[0], NULL) ||
		!begin_reorder(&found[0], &found[1], arena, NULL) || !change_order(&found[1], &other, arena, NULL) ||
		found[1].model_cost >= plan->model_cost || !is_within(&found[1], plan, options))
		return;
	sw_plan taken = *plan;
	taken.program.steps = found[1].program.steps;
	taken.program.step = found[1].program.step;
	taken.program.value = found[1].program.value;
	if (!sw_plan_total(&taken, NULL))
		return;
	taken.model_cost = found[1].model_cost;
	*plan = taken;
}

/* Those of the searches first, then other systems' planners. */
static void try_others(sw_plan *plan, const sw_plan_options *options, sw_arena *arena)
{
	static const sw_strategy others[] = {SW_EXACT, SW_PAPER, SW_SHARDY, SW_XLA, SW_DTENSOR, SW_DTENSOR_MIN_COST};
	if (!sw_strategy_is(plan->strategy, SW_SEARCHES))
		return;
	for (size_t k = 0; k < sizeof(others) / sizeof(*others); k++)
		if (others[k] != plan->strategy)
			try_other(plan, others[k], options, arena);
}

/* They live as long as the plan. */
static bool keep_orders(sw_plan *plan, sw_arena *arena, sw_diag *diag)
{
	sw_problem *problem = &plan->problem;
	int64_t devices = problem->mesh.devices;
	bool kept = sw_device_order_copy(problem->mesh.order, devices, arena, &problem->mesh.order) &&
		sw_device_order_copy(problem->to_order, devices, arena, &problem->to_order);
	return kept || sw_diag_memory(diag);
}

bool sw_plan_reorder(sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_diag *diag)
{
	int64_t devices = plan->problem.mesh.devices;
	sw_plan ordered;
	if (!sw_problem_ordered(&plan->problem))
		return true;
	if (!begin_reorder(plan, &ordered, arena, diag) || !keep_orders(&ordered, arena, diag))
		return false;
	if (!sw_device_order_equal(ordered.problem.mesh.order, sw_problem_to_order(&ordered.problem), devices)) {
		if (!change_order(&ordered, options, arena, diag) || !bound_reordered(&ordered, options, arena, diag))
			return false;
		try_others(&ordered, options, arena);
		if (!bound_reordered(&ordered, options, arena, diag))
			return false;
	}
	*plan = ordered;
	return options->sizes_only || sw_plan_record_senders(plan, arena, diag);
}

/* ---- devices in place of slots ---- */

const int64_t *sw_plan_order(const sw_plan *plan, int k)
{
	assert(k >= 0 && k <= plan->program.steps);
	while (k > 0 && !plan->program.step[k - 1].order)
		k--;
	return k > 0 ? plan->program.step[k - 1].order : plan->problem.mesh.order;
}

void sw_device_order_rows(const int64_t *order, int64_t devices, int rank, const int64_t *of_slot, int64_t *of_device)
{
	assert(of_slot != of_device);
	for (int64_t p = 0; p < devices; p++)
		memcpy(of_device + sw_device_at(order, p) * rank, of_slot + p * rank, sizeof(*of_slot) * (size_t)rank);
}

const int64_t *sw_plan_device_map(const sw_plan *plan, int k, sw_arena *arena, sw_diag *diag)
{
	assert(k >= 0 && k <= plan->program.steps);
	int rank = plan->problem.from.rank;
	int64_t devices = plan->problem.mesh.devices, numbers = devices * rank + 1;
	if (devices > SW_MAX_MAP_DEVICES)
		return sw_plan_map(plan, k, NULL, diag), NULL;
	const int64_t *order = sw_plan_order(plan, k);
	int64_t *map = SW_NEW(arena, int64_t, numbers), *ordered = order ? SW_NEW(arena, int64_t, numbers) : map;
	if (!map || !ordered) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (!sw_plan_map(plan, k, map, diag))
		return NULL;
	if (order)
		sw_device_order_rows(order, devices, rank, map, ordered);
	return ordered;
}

static bool groups_on_devices(const sw_plan *plan, int k, sw_arena *arena, sw_step *step)
{
	int64_t devices = plan->problem.mesh.devices;
	const int64_t *order = sw_plan_order(plan, k);
	const int32_t *slots = sw_step_groups(plan, k, arena);
	int32_t *groups = SW_NEW(arena, int32_t, devices);
	for (int64_t n = 0; slots && groups && n < step->grouped; n++)
		groups[n] = (int32_t)sw_device_at(order, slots[n]);
	step->groups = groups;
	step->groups_text = NULL;
	return slots && groups;
}

static bool sources_on_devices(const sw_plan *plan, int k, sw_arena *arena, sw_step *step)
{
	int64_t devices = plan->problem.mesh.devices;
	const int64_t *before = sw_plan_order(plan, k), *after = sw_plan_order(plan, k + 1);
	int32_t *source = SW_NEW(arena, int32_t, devices);
	for (int64_t p = 0; source && p < devices; p++)
		source[sw_device_at(after, p)] = (int32_t)sw_device_at(before, step->source[p]);
	step->source = source;
	return source != NULL;
}

bool sw_step_on_devices(const sw_plan *plan, int k, sw_arena *arena, sw_step *step, sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps);
	*step = plan->program.step[k];
	if (!sw_problem_ordered(&plan->problem))
		return true;
	if ((step->groups || step->groups_text) && !groups_on_devices(plan, k, arena, step))
		return sw_diag_memory(diag);
	return !step->source || sources_on_devices(plan, k, arena, step) || sw_diag_memory(diag);
}

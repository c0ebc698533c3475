/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a plan file, schema shardwalk.plan/2, one row a key.
 */
#include "plan/json_reader.h"

static bool always(const void *of)
{
	return of != NULL;
}

static bool has_bound(const void *of)
{
	return ((const sw_plan *)of)->has_bound;
}

static bool has_local_cost(const void *of)
{
	return ((const sw_plan *)of)->local_cost >= 0;
}

static bool has_model(const void *of)
{
	return ((const sw_plan *)of)->model != SW_MODEL_PAPER;
}

static bool has_model_bound(const void *of)
{
	return has_model(of) && has_bound(of);
}

static bool is_timed_elsewhere(const void *of)
{
	const sw_plan *plan = of;
	return sw_model_is_timed(plan->model) && !plan->timed_here;
}

static bool has_note(const void *of)
{
	return ((const sw_plan *)of)->note != NULL;
}

const sw_field sw_budget_fields[SW_BUDGET_FIELDS] = {
	SW_FIELD("budget", INT, sw_plan, budget, .least = 1),
	SW_FIELD("live_budget", INT, sw_plan, live_budget, .least = 1, .sparse = true),
};

const sw_field sw_figure_fields[SW_FIGURE_FIELDS] = {
	SW_FIELD("cost", INT, sw_plan, cost, .needed = always),
	SW_FIELD("lower_bound", INT, sw_plan, lower_bound, .needed = has_bound, .written = has_bound, .claim = has_bound),
	SW_FIELD("optimal", BOOL, sw_plan, optimal, .written = has_bound, .claim = has_bound),
	SW_FIELD("weak_cost", INT, sw_plan, local_cost, .sparse = true, .claim = has_local_cost),
	SW_FIELD("model_cost", NUMBER, sw_plan, model_cost, .needed = has_model, .written = has_model,
		.claim = is_timed_elsewhere),
	SW_FIELD("model_bound", NUMBER, sw_plan, model_bound, .needed = has_model_bound, .written = has_model_bound,
		.claim = has_model_bound),
	SW_FIELD("height", INT, sw_plan, height, .least = 1, .needed = always),
	SW_FIELD("live_peak", INT, sw_plan, live_peak, .least = 1),
	SW_FIELD("permutes", COUNT, sw_plan, permutes),
	SW_FIELD("normal_form", BOOL, sw_plan, normal_form),
	SW_FIELD("note", TEXT, sw_plan, note, .sparse = true, .claim = has_note),
};

const sw_field sw_search_fields[SW_SEARCH_FIELDS] = {
	SW_FIELD("settled", INT, sw_plan, search.settled),
	SW_FIELD("seen", INT, sw_plan, search.seen),
	SW_FIELD("edges", INT, sw_plan, search.edges),
	SW_FIELD("stopped_at_bytes", INT, sw_plan, search.memory, .least = 1, .sparse = true),
	SW_FIELD("seconds", SECONDS, sw_plan, search.seconds),
};

const sw_field sw_value_fields[SW_VALUE_FIELDS] = {
	SW_FIELD("localsize", INT, sw_value, localsize, .least = 1),
};

/* The last one only where the plan has a model. */
const sw_field sw_step_fields[SW_STEP_FIELDS] = {
	SW_FIELD("cost", INT, sw_step, cost, .needed = always),
	SW_FIELD("model_cost", NUMBER, sw_step, model_cost),
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a plan file, schema shardwalk.plan/1, one row a key.
 */
#include "plan/json_reader.h"

#include <shardwalk/uneven.h>

#define ANY INT64_MIN /* refused by who adds it to the mesh, with a code of its own */

static bool always(const void *of)
{
	return of != NULL;
}

static bool has_live_budget(const void *of)
{
	return ((const sw_plan *)of)->live_budget > 0;
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

static bool is_uneven(const void *of)
{
	return ((const sw_plan *)of)->uneven;
}

static bool has_note(const void *of)
{
	return ((const sw_plan *)of)->note != NULL;
}

static bool has_bandwidth(const void *of)
{
	return ((const sw_axis *)of)->bandwidth > 0;
}

static bool has_latency(const void *of)
{
	return ((const sw_axis *)of)->latency > 0;
}

#define PLAN(member) offsetof(sw_plan, member)

const sw_field sw_budget_fields[SW_BUDGET_FIELDS] = {
	{"budget", SW_FIELD_INT, PLAN(budget), .least = 1},
	{"live_budget", SW_FIELD_INT, PLAN(live_budget), .least = 1, .written = has_live_budget},
};

const sw_field sw_figure_fields[SW_FIGURE_FIELDS] = {
	{"cost", SW_FIELD_INT, PLAN(cost), .least = 0, .needed = always},
	{"lower_bound", SW_FIELD_INT, PLAN(lower_bound), .needed = has_bound, .written = has_bound, .claim = has_bound},
	{"optimal", SW_FIELD_BOOL, PLAN(optimal), .written = has_bound, .claim = has_bound},
	{"weak_cost", SW_FIELD_INT, PLAN(local_cost), .least = 0, .written = has_local_cost, .claim = has_local_cost},
	{"model_cost", SW_FIELD_NUMBER, PLAN(model_cost), .needed = has_model, .written = has_model,
		.claim = is_timed_elsewhere},
	{"model_bound", SW_FIELD_NUMBER, PLAN(model_bound), .needed = has_model_bound, .written = has_model_bound,
		.claim = has_model_bound},
	{"height", SW_FIELD_INT, PLAN(height), .least = 1, .needed = always},
	{"live_peak", SW_FIELD_INT, PLAN(live_peak), .least = 1},
	{"permutes", SW_FIELD_COUNT, PLAN(permutes), .least = 0},
	{"normal_form", SW_FIELD_BOOL, PLAN(normal_form), .least = 0},
	{"uneven", SW_FIELD_BOOL, PLAN(uneven), .written = is_uneven},
	{"note", SW_FIELD_TEXT, PLAN(note), .written = has_note, .claim = has_note},
};

const sw_field sw_search_fields[SW_SEARCH_FIELDS] = {
	{"settled", SW_FIELD_INT, PLAN(search.settled), .least = 0},
	{"seen", SW_FIELD_INT, PLAN(search.seen), .least = 0},
	{"edges", SW_FIELD_INT, PLAN(search.edges), .least = 0},
	{"seconds", SW_FIELD_SECONDS, PLAN(search.seconds), .least = 0},
};

/* The last one only where the plan has a model. */
const sw_field sw_step_fields[SW_STEP_FIELDS] = {
	{"localsize", SW_FIELD_INT, offsetof(sw_step, localsize), .least = 1},
	{"cost", SW_FIELD_INT, offsetof(sw_step, cost), .least = 0, .needed = always},
	{"model_cost", SW_FIELD_NUMBER, offsetof(sw_step, model_cost), .least = 0},
};

const sw_field sw_axis_fields[SW_AXIS_FIELDS] = {
	{"size", SW_FIELD_INT, offsetof(sw_axis, size), .least = ANY, .needed = always},
	{"bandwidth", SW_FIELD_NUMBER, offsetof(sw_axis, bandwidth), .least = ANY, .written = has_bandwidth},
	{"latency", SW_FIELD_NUMBER, offsetof(sw_axis, latency), .least = ANY, .written = has_latency},
};

const sw_field sw_padding_fields[SW_PADDING_FIELDS] = {
	{"elements", SW_FIELD_INT, offsetof(sw_padding_count, total), .least = 0},
	{"of", SW_FIELD_INT, offsetof(sw_padding_count, elements), .least = 0},
	{"most_per_device", SW_FIELD_INT, offsetof(sw_padding_count, most), .least = 0},
	{"empty_devices", SW_FIELD_INT, offsetof(sw_padding_count, empty), .least = 0},
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans from JSON, schema shardwalk.plan/2.  The text is read as written, value by value, then the checker derives
 * everything again; whatever is wrong is said with the position of the value in the text.
 */
#include <shardwalk/plan.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/problem_json.h>

#include "array/parts.h"
#include "cost/alike.h"
#include "plan/check.h"
#include "plan/finder.h"
#include "plan/inside.h"
#include "plan/json_reader.h"
#include "step/row.h"

#define SCHEMA "shardwalk.plan/"

/* ---- figures ---- */

/* What the file does not say is what the steps say; what it says is kept, for the checker to judge. */
static bool read_step_figures(sw_plan_reader *r, json_t *root)
{
	json_t *list = json_object_get(root, "steps");
	for (int k = 0; k < r->plan->program.steps; k++) {
		sw_step *step = &r->plan->program.step[k];
		json_t *object = json_array_get(list, (size_t)k);
		sw_reader_at_step(r, k, ".");
		step->model_cost = NAN;
		if (!sw_fields_read(&r->in, object, sw_value_fields, SW_VALUE_FIELDS, &r->plan->program.value[k + 1]) ||
			!sw_fields_read(&r->in, object, sw_step_fields, SW_STEP_FIELDS, step))
			return false;
		if (isnan(step->model_cost) && r->plan->model != SW_MODEL_PAPER)
			return sw_json_refuse(&r->in, SW_P01, "model_cost", "is missing");
		if (isnan(step->model_cost))
			step->model_cost = (double)step->cost;
	}
	r->in.where[0] = '\0';
	return true;
}

/* What the plan costs, and the bounds: under a model that the file does not say they are those in elements. */
static bool read_costs(const sw_plan_reader *r, json_t *root)
{
	sw_plan *plan = r->plan;
	json_t *called = json_object_get(root, "optimal");
	plan->has_bound = (called && !json_is_null(called)) || json_object_get(root, "lower_bound");
	plan->local_cost = plan->lower_bound = -1;
	plan->model_cost = plan->model_bound = NAN;
	if (!sw_fields_read(&r->in, root, sw_figure_fields, SW_FIGURE_FIELDS, plan))
		return false;
	if (isnan(plan->model_cost))
		plan->model_cost = (double)plan->cost;
	if (isnan(plan->model_bound))
		plan->model_bound = (double)plan->lower_bound;
	return true;
}

static bool read_search(sw_plan_reader *r, json_t *root)
{
	bool ok;
	sw_plan *plan = r->plan;
	json_t *search = sw_json_read_value(&r->in, root, "search", SW_KIND_OBJECT, SW_OPTIONAL, &ok);
	if (!search)
		return ok;
	snprintf(r->in.where, sizeof r->in.where, "search.");
	ok = sw_fields_read(&r->in, search, sw_search_fields, SW_SEARCH_FIELDS, plan);
	if (ok)
		r->in.where[0] = '\0';
	return ok;
}

static bool read_unit(sw_plan_reader *r, json_t *root)
{
	sw_str name = {0};
	if (!sw_json_read_string(&r->in, root, "budget_unit", SW_OPTIONAL, &name))
		return false;
	return !name.at || sw_unit_parse(name, &r->plan->unit) ||
		sw_json_refuse(&r->in, SW_P01, "budget_unit", "is not elements, B, GB or GiB");
}

static bool read_chunks(sw_plan_reader *r, json_t *root)
{
	json_t *value = json_object_get(root, "chunks");
	if (!value)
		return true;
	if (!json_is_integer(value) || json_integer_value(value) < 1 || json_integer_value(value) > SW_MAX_MAP_DEVICES)
		return sw_json_refuse(&r->in, SW_P01, "chunks", "is not a number of chunks");
	r->pieces = (int)json_integer_value(value);
	int64_t terms = sw_terms_joined(&r->plan->problem.from, &r->plan->problem.to);
	if (r->pieces == terms)
		return true;
	sw_json_refuse(&r->in, SW_P03, "chunks", "is not the number of terms of a sum");
	sw_diag_expected(r->in.diag, "%lld", (long long)terms);
	sw_diag_found(r->in.diag, "%d", r->pieces);
	return false;
}

static bool read_passing(sw_plan_reader *r, json_t *root)
{
	sw_str way = {0};
	if (!sw_json_read_string(&r->in, root, "allreduce", SW_OPTIONAL, &way))
		return false;
	r->passing = sw_str_is(way, "tree") ? SW_PASSES_BY_TREES : SW_PASSES_ROUND;
	return way.at == NULL || sw_str_is(way, "tree") || sw_str_is(way, "ring") ||
		sw_json_refuse(&r->in, SW_P01, "allreduce", "is not ring or tree");
}

static bool read_figures(sw_plan_reader *r, json_t *root)
{
	sw_plan *plan = r->plan;
	if (!sw_plan_total(plan, r->in.diag) || !read_step_figures(r, root))
		return false;
	int permutes = plan->permutes;
	plan->budget = plan->height;
	bool read = sw_fields_read(&r->in, root, sw_budget_fields, SW_BUDGET_FIELDS, plan) && read_unit(r, root) &&
		read_costs(r, root) && read_search(r, root);
	if (read && permutes != plan->permutes) {
		sw_json_refuse(&r->in, SW_P03, "permutes", "is not the number of permutations");
		sw_diag_expected(r->in.diag, "%d", permutes);
		sw_diag_found(r->in.diag, "%d", plan->permutes);
		return false;
	}
	return read;
}

static bool read_head(const sw_plan_reader *r, json_t *root)
{
	sw_str schema = {0}, name = {0}, strategy = {0}, model = {0}, machine = {0};
	if (!json_is_object(root))
		return sw_diag_set(r->in.diag, SW_P01, sw_json_locate(r->in.text, ""), "a plan is a JSON object");
	if (!sw_json_read_string(&r->in, root, "schema", SW_REQUIRED, &schema))
		return false;
	if (schema.length < strlen(SCHEMA) || memcmp(schema.at, SCHEMA, strlen(SCHEMA)) != 0)
		return sw_json_refuse(&r->in, SW_P01, "schema", "is not that of a plan");
	if (!sw_str_is(schema, SCHEMA "1") && !sw_str_is(schema, SCHEMA "2"))
		return sw_json_refuse(&r->in, SW_P02, "schema", "is of a version that this program does not support");
	if (!sw_json_read_string(&r->in, root, "name", SW_OPTIONAL, &name) ||
		!sw_json_read_string(&r->in, root, "strategy", SW_REQUIRED, &strategy) ||
		!sw_json_read_string(&r->in, root, "model", SW_OPTIONAL, &model) ||
		!sw_json_read_string(&r->in, root, "machine", SW_OPTIONAL, &machine))
		return false;
	r->plan->strategy = SW_DIRECT;
	r->plan->model = SW_MODEL_PAPER;
	sw_strategy_parse(strategy, &r->plan->strategy, NULL);
	if (model.at && !sw_model_parse(model, &r->plan->model, r->in.diag))
		return sw_json_refuse_shifted(&r->in, "model");
	return sw_json_keep(&r->in, name, &r->plan->name) && sw_json_keep(&r->in, machine, &r->plan->machine) &&
		sw_json_keep(&r->in, strategy, &r->plan->origin);
}

/* ---- the order in groups ---- */

static bool read_before(const int64_t *a, const int64_t *b, int rank)
{
	for (int i = 0; i < rank; i++)
		if (a[i] != b[i])
			return a[i] < b[i];
	return false;
}

/* Plans of others list the members of a group as they like; ours stand in the order of their pieces, which is the
 * order of the base offsets. */
static bool read_order_step(const sw_plan_reader *r, int k)
{
	sw_step *step = &r->plan->program.step[k];
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	const int64_t *order = sw_plan_order(r->plan, k);
	const int32_t *list = sw_step_groups(r->plan, k, r->in.arena);
	int32_t *sorted = SW_NEW(r->in.arena, int32_t, devices);
	sw_arena_mark mark = sw_arena_here(r->in.arena);
	if (!list || !sorted)
		return sw_diag_memory(r->in.diag);
	const int64_t *map = sw_plan_device_map(r->plan, sw_only_gathers(step->op) ? k : k + 1, r->in.arena, r->in.diag);
	if (!map)
		return false;
	for (int64_t d = 0; d < devices; d++) {
		const int64_t *piece = map + sw_device_at(order, list[d]) * rank;
		int64_t at = d, begin = d - d % step->group_size;
		for (; at > begin && read_before(piece, map + sw_device_at(order, sorted[at - 1]) * rank, rank); at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = list[d];
	}
	step->groups = sorted;
	step->groups_text = NULL;
	sw_arena_back(r->in.arena, mark);
	return true;
}

static bool read_order(const sw_plan_reader *r)
{
	int64_t devices = r->plan->problem.mesh.devices;
	if (sw_plan_is_ours(r->plan) || devices > SW_MAX_MAP_DEVICES)
		return true;
	for (int k = 0; k < r->plan->program.steps; k++)
		if (r->plan->program.step[k].group_size > 0 && r->plan->program.step[k].passing == SW_PASSES_AT_ONCE &&
			!read_order_step(r, k))
			return false;
	return true;
}

/* ---- the whole ---- */

static bool same_cost(double said, double right)
{
	return fabs(said - right) <= 1e-9 * fabs(right);
}

/* What the step costs under the model of the plan; of an exchange between others than the ends it is as read. */
static double model_cost_of(const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	if (plan->model == SW_MODEL_PAPER)
		return (double)step->cost;
	return sw_is_exchange(plan, k) && plan->program.steps > 1 ? step->model_cost : sw_step_model_cost(plan, k);
}

/* Costs in elements follow from the steps; seconds do so on one machine only. */
static bool check_model(sw_plan_reader *r)
{
	const sw_plan *plan = r->plan;
	double sum = 0;
	if (sw_model_is_timed(plan->model))
		return true;
	for (int k = 0; k < plan->program.steps; k++) {
		double right = model_cost_of(plan, k);
		sw_reader_at_step(r, k, ".");
		if (!same_cost(plan->program.step[k].model_cost, right))
			return sw_json_refuse(&r->in, SW_P03, "model_cost",
				"is not the cost of the step under the model %s: %.12g", sw_model_name(plan->model), right);
		sum += right;
	}
	r->in.where[0] = '\0';
	return same_cost(plan->model_cost, sum) ||
		sw_json_refuse(&r->in, SW_P03, "model_cost", "is not the sum of the steps");
}

static bool read_check(sw_plan_reader *r)
{
	char where[SW_WHERE_SIZE];
	if (sw_plan_check_at(r->plan, r->prefix, where, r->in.diag))
		return read_order(r) && check_model(r);
	if (r->in.diag && r->in.diag->code != SW_E01)
		r->in.diag->at = sw_json_locate(r->in.text, where);
	return false;
}

static bool read_parsed(sw_plan_reader *r, json_t *root)
{
	return read_head(r, root) && sw_json_read_problem(&r->in, root, &r->plan->problem) && sw_reader_orders(r, root) &&
		read_chunks(r, root) && read_passing(r, root) && sw_reader_steps(r, root) && sw_reader_order_change(r) &&
		read_figures(r, root) && read_check(r);
}

/* What the outer step says is judged by the checker. */
static bool read_inside(sw_plan_reader *r, json_t *object)
{
	sw_plan *inside = r->plan;
	sw_str machine = {0};
	if (!sw_json_read_string(&r->in, object, "machine", SW_OPTIONAL, &machine) ||
		!sw_json_keep(&r->in, machine, &inside->machine) || !read_chunks(r, object) || !read_passing(r, object) ||
		!sw_reader_steps(r, object) || !sw_plan_total(inside, r->in.diag) || !read_step_figures(r, object))
		return false;
	inside->budget = inside->height;
	for (int k = 0; k < inside->program.steps; k++)
		inside->model_cost += inside->program.step[k].model_cost;
	return true;
}

bool sw_reader_inside(const sw_plan_reader *r, json_t *object, int k)
{
	bool ok;
	char base[SW_WHERE_SIZE];
	sw_problem of;
	json_t *value = sw_json_read_value(&r->in, object, "inside", SW_KIND_OBJECT, SW_OPTIONAL, &ok);
	if (!value)
		return ok;
	sw_plan *inside = SW_NEW_ZERO(r->in.arena, sw_plan, 1);
	if (!inside)
		return sw_diag_memory(r->in.diag);
	if (r->base[0] || !sw_inside_problem(r->plan, k, &of))
		return sw_json_refuse(&r->in, SW_P05, "inside", "is not between two types");
	*inside = (sw_plan){.strategy = SW_DIRECT,
		.origin = "reduction",
		.model = r->plan->model,
		.local_cost = -1,
		.program.claimed = true};
	inside->problem = of;
	snprintf(base, sizeof base, "steps[%d].inside.", k);
	sw_plan_reader reader = {.in = r->in, .plan = inside, .base = base};
	memcpy(reader.in.where, base, sizeof base);
	r->plan->program.step[k].inside = inside;
	return read_inside(&reader, value);
}

static bool read_plan(sw_str text, bool prefix, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_plan read = {0};
	sw_plan_reader r = {.in = {text, arena, diag, "", SW_P01}, .plan = &read, .prefix = prefix, .base = ""};
	json_t *root = sw_json_parse(text, "this is not JSON: ", diag);
	if (!root) {
		sw_diag_hint(diag, "plan files are JSON of the schema shardwalk.plan/2, as `export plan` writes them");
		return false;
	}
	read.program.claimed = true;
	bool done = read_parsed(&r, root);
	json_decref(root);
	if (done)
		*plan = read;
	return done;
}

bool sw_plan_read(sw_str text, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	return read_plan(text, false, arena, plan, diag);
}

bool sw_plan_read_prefix(sw_str text, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	return read_plan(text, true, arena, plan, diag);
}

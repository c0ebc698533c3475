/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans from JSON, schema shardwalk.plan/1.  The text is read as written, value by value, then the checker derives
 * everything again; whatever is wrong is said with the place of the value in the text.
 */
#include <shardwalk/plan.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "plan/check.h"
#include "plan/finder.h"
#include "plan/json_place.h"
#include "plan/json_reader.h"

#define SCHEMA "shardwalk.plan/"

/* ---- the problem ---- */

static bool read_axis(const sw_reader *r, json_t *axis, const char *key, sw_mesh *mesh)
{
	sw_reader inner = *r;
	sw_str name = {0};
	int64_t size = 0;
	double bandwidth = 0, latency = 0;
	snprintf(inner.where, sizeof inner.where, "%s.", key);
	if (!json_is_object(axis))
		return sw_reader_fail(r, SW_P01, key, "is not an object");
	if (!sw_reader_string(&inner, axis, "axis", REQUIRED, &name) ||
		!sw_reader_int(&inner, axis, "size", REQUIRED, &size) ||
		!sw_reader_number(&inner, axis, "bandwidth", OPTIONAL, &bandwidth) ||
		!sw_reader_number(&inner, axis, "latency", OPTIONAL, &latency))
		return false;
	if (!sw_mesh_add(mesh, name, size, r->diag))
		return sw_reader_shift(r, key);
	if (bandwidth < 0 || latency < 0)
		return sw_reader_fail(r, SW_M07, key, "has a negative link");
	mesh->axis[mesh->count - 1].bandwidth = bandwidth;
	mesh->axis[mesh->count - 1].latency = latency;
	return true;
}

static bool read_mesh(const sw_reader *r, json_t *root, sw_mesh *mesh)
{
	bool ok;
	json_t *list = sw_reader_value(r, root, "mesh", JSON_ARRAY, REQUIRED, &ok), *axis;
	size_t n;
	if (!ok)
		return false;
	if (json_array_size(list) == 0)
		return sw_reader_fail(r, SW_P01, "mesh", "has no axis");
	memset(mesh, 0, sizeof *mesh);
	json_array_foreach(list, n, axis)
	{
		char key[32];
		snprintf(key, sizeof key, "mesh[%zu]", n);
		if (!read_axis(r, axis, key, mesh))
			return false;
	}
	return true;
}

static bool read_global(const sw_reader *r, json_t *root)
{
	const sw_type *from = &r->plan->problem.from;
	bool ok;
	json_t *list = sw_reader_value(r, root, "global", JSON_ARRAY, OPTIONAL, &ok);
	if (!list)
		return ok;
	bool same = json_array_size(list) == (size_t)from->rank;
	for (int i = 0; same && i < from->rank; i++)
		same = json_is_integer(json_array_get(list, (size_t)i)) &&
			json_integer_value(json_array_get(list, (size_t)i)) == from->global[i];
	return same || sw_reader_fail(r, SW_P03, "global", "is not the array of 'from'");
}

/* What an end says of its padding is what its type says. */
static bool read_padding_of(const sw_reader *r, json_t *object, int end)
{
	const sw_problem *problem = &r->plan->problem;
	sw_padding_count count;
	sw_reader inner = *r;
	sw_type_padding(&problem->mesh, end ? &problem->to : &problem->from, &count);
	const struct {
		const char *key;
		int64_t right;
	} counts[] = {{"elements", count.total}, {"of", count.elements}, {"most_per_device", count.most},
		{"empty_devices", count.empty}};
	snprintf(inner.where, sizeof inner.where, "padding[%d].", end);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		int64_t said = counts[i].right;
		if (!sw_reader_int(&inner, object, counts[i].key, OPTIONAL, &said))
			return false;
		if (said != counts[i].right)
			return sw_reader_fail(&inner, SW_P03, counts[i].key, "is not what the tiles say");
	}
	return true;
}

static bool read_padding(const sw_reader *r, json_t *root)
{
	bool ok;
	json_t *list = sw_reader_value(r, root, "padding", JSON_ARRAY, OPTIONAL, &ok);
	for (int end = 0; ok && list && end < 2; end++)
		ok = read_padding_of(r, json_array_get(list, (size_t)end), end);
	return ok;
}

static bool read_unpadded(const sw_reader *r, json_t *root)
{
	sw_problem *problem = &r->plan->problem;
	bool ok;
	json_t *list = sw_reader_value(r, root, "unpadded", JSON_ARRAY, OPTIONAL, &ok);
	if (!list)
		return ok;
	bool fits = json_array_size(list) == (size_t)problem->from.rank;
	for (int i = 0; fits && i < problem->from.rank; i++) {
		int64_t real = json_integer_value(json_array_get(list, (size_t)i));
		fits = json_is_integer(json_array_get(list, (size_t)i)) && real >= 1 && real <= problem->from.global[i];
		problem->from.padding[i] = problem->to.padding[i] = problem->from.global[i] - real;
	}
	problem->from.pads = problem->to.pads = fits && sw_type_padded(&problem->from);
	return fits ? read_padding(r, root) :
				  sw_reader_fail(r, SW_P03, "unpadded", "is not the size of the array before it was padded");
}

static bool read_problem(const sw_reader *r, json_t *root)
{
	sw_problem *problem = &r->plan->problem;
	sw_str name = {0};
	sw_dtype dtype = SW_F32;
	if (!read_mesh(r, root, &problem->mesh) || !sw_reader_string(r, root, "dtype", OPTIONAL, &name))
		return false;
	if (name.at && !sw_dtype_parse(name, &dtype, r->diag))
		return sw_reader_shift(r, "dtype");
	return sw_reader_type(r, root, "from", dtype, &problem->from) &&
		sw_reader_type(r, root, "to", dtype, &problem->to) && read_global(r, root) && read_unpadded(r, root);
}

/* ---- figures ---- */

/* What the file does not say is what the steps say; what it says is kept, for the checker to judge. */
static bool read_step_figures(sw_reader *r, json_t *root)
{
	json_t *list = json_object_get(root, "steps");
	for (int k = 0; k < r->plan->count; k++) {
		sw_step *step = &r->plan->steps[k];
		json_t *object = json_array_get(list, (size_t)k);
		snprintf(r->where, sizeof r->where, "steps[%d].", k);
		sw_needed model = r->plan->model == SW_MODEL_PAPER ? OPTIONAL : REQUIRED;
		step->model_cost = (double)step->cost;
		if (!sw_reader_int(r, object, "localsize", OPTIONAL, &step->localsize) ||
			!sw_reader_int(r, object, "cost", REQUIRED, &step->cost) ||
			!sw_reader_number(r, object, "model_cost", model, &step->model_cost))
			return false;
	}
	r->where[0] = '\0';
	return true;
}

static bool read_bounds(const sw_reader *r, json_t *root)
{
	sw_plan *plan = r->plan;
	bool called = false;
	plan->weak_cost = -1;
	plan->lower_bound = -1;
	sw_needed model = plan->model == SW_MODEL_PAPER ? OPTIONAL : REQUIRED;
	if (!sw_reader_bool(r, root, "optimal", &plan->optimal, &called))
		return false;
	plan->has_bound = called || json_object_get(root, "lower_bound");
	if (!sw_reader_int(r, root, "lower_bound", plan->has_bound ? REQUIRED : OPTIONAL, &plan->lower_bound) ||
		!sw_reader_int(r, root, "weak_cost", OPTIONAL, &plan->weak_cost))
		return false;
	plan->model_cost = (double)plan->cost;
	plan->model_bound = (double)plan->lower_bound;
	return sw_reader_number(r, root, "model_cost", model, &plan->model_cost) &&
		sw_reader_number(r, root, "model_bound", plan->has_bound ? model : OPTIONAL, &plan->model_bound);
}

static bool read_search(sw_reader *r, json_t *root)
{
	bool ok;
	sw_plan *plan = r->plan;
	json_t *search = sw_reader_value(r, root, "search", JSON_OBJECT, OPTIONAL, &ok);
	if (!search)
		return ok;
	snprintf(r->where, sizeof r->where, "search.");
	ok = sw_reader_int(r, search, "settled", OPTIONAL, &plan->search.settled) &&
		sw_reader_int(r, search, "seen", OPTIONAL, &plan->search.seen) &&
		sw_reader_int(r, search, "edges", OPTIONAL, &plan->search.edges) &&
		sw_reader_number(r, search, "seconds", OPTIONAL, &plan->search.seconds);
	if (ok)
		r->where[0] = '\0';
	return ok;
}

static bool read_unit(sw_reader *r, json_t *root)
{
	sw_str name = {0};
	if (!sw_reader_string(r, root, "budget_unit", OPTIONAL, &name))
		return false;
	return !name.at || sw_unit_parse(name, &r->plan->unit) ||
		sw_reader_fail(r, SW_P01, "budget_unit", "is not elements, B, GB or GiB");
}

static bool read_figures(sw_reader *r, json_t *root)
{
	sw_plan *plan = r->plan;
	int64_t permutes;
	if (!sw_plan_total(plan, r->diag) || !read_step_figures(r, root))
		return false;
	permutes = plan->permutes;
	plan->budget = plan->height;
	bool read = sw_reader_int(r, root, "budget", OPTIONAL, &plan->budget) &&
		sw_reader_int(r, root, "live_budget", OPTIONAL, &plan->live_budget) && read_unit(r, root) &&
		sw_reader_int(r, root, "cost", REQUIRED, &plan->cost) && read_bounds(r, root) &&
		sw_reader_int(r, root, "height", REQUIRED, &plan->height) &&
		sw_reader_int(r, root, "live_peak", OPTIONAL, &plan->live_peak) &&
		sw_reader_int(r, root, "permutes", OPTIONAL, &permutes) &&
		sw_reader_bool(r, root, "normal_form", &plan->normal_form, NULL) &&
		sw_reader_bool(r, root, "uneven", &plan->uneven, NULL) && read_search(r, root);
	if (read && permutes != plan->permutes) {
		sw_reader_fail(r, SW_P03, "permutes", "is not the number of permutations");
		sw_diag_expected(r->diag, "%d", plan->permutes);
		sw_diag_found(r->diag, "%lld", (long long)permutes);
		return false;
	}
	return read;
}

static bool read_head(const sw_reader *r, json_t *root)
{
	sw_str schema = {0}, name = {0}, strategy = {0}, model = {0}, machine = {0}, note = {0};
	if (!json_is_object(root))
		return sw_diag_set(r->diag, SW_P01, sw_json_locate(r->text, ""), "a plan is a JSON object");
	if (!sw_reader_string(r, root, "schema", REQUIRED, &schema))
		return false;
	if (schema.length < strlen(SCHEMA) || memcmp(schema.at, SCHEMA, strlen(SCHEMA)) != 0)
		return sw_reader_fail(r, SW_P01, "schema", "is not that of a plan");
	if (!sw_str_is(schema, SCHEMA "1"))
		return sw_reader_fail(r, SW_P02, "schema", "is of a version that this program does not know");
	if (!sw_reader_string(r, root, "name", OPTIONAL, &name) ||
		!sw_reader_string(r, root, "strategy", REQUIRED, &strategy) ||
		!sw_reader_string(r, root, "model", OPTIONAL, &model) ||
		!sw_reader_string(r, root, "machine", OPTIONAL, &machine) ||
		!sw_reader_string(r, root, "note", OPTIONAL, &note))
		return false;
	r->plan->strategy = SW_DIRECT;
	r->plan->model = SW_MODEL_PAPER;
	sw_strategy_parse(strategy, &r->plan->strategy, NULL);
	if (model.at && !sw_model_parse(model, &r->plan->model, r->diag))
		return sw_reader_shift(r, "model");
	return sw_reader_keep(r, name, &r->plan->name) && sw_reader_keep(r, machine, &r->plan->machine) &&
		sw_reader_keep(r, strategy, &r->plan->origin) && sw_reader_keep(r, note, &r->plan->note);
}

/* ---- the order in groups ---- */

static bool read_before(const int64_t *map, int rank, int32_t a, int32_t b)
{
	for (int i = 0; i < rank; i++)
		if (map[a * rank + i] != map[b * rank + i])
			return map[a * rank + i] < map[b * rank + i];
	return false;
}

/* Plans of others list the members of a group as they like; ours stand in the order of their pieces, which is the
 * order of the base offsets. */
static bool read_order_step(const sw_reader *r, int k, int64_t *map)
{
	sw_step *step = &r->plan->steps[k];
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	const int32_t *list = sw_step_groups(r->plan, k, r->arena);
	int32_t *sorted = SW_NEW(r->arena, int32_t, devices);
	if (!list || !sorted)
		return sw_diag_memory(r->diag);
	if (!sw_plan_map(r->plan, step->op == SW_ALLGATHER ? k : k + 1, map, r->diag))
		return false;
	for (int64_t d = 0; d < devices; d++) {
		int64_t at = d, begin = d - d % step->group_size;
		for (; at > begin && read_before(map, rank, list[d], sorted[at - 1]); at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = list[d];
	}
	step->groups = sorted;
	step->groups_text = NULL;
	return true;
}

static bool read_order(const sw_reader *r)
{
	int64_t devices = r->plan->problem.mesh.devices;
	if (sw_plan_is_ours(r->plan) || devices > SW_MAX_MAP_DEVICES)
		return true;
	int64_t *map = SW_NEW(r->arena, int64_t, devices * r->plan->problem.from.rank);
	if (!map)
		return sw_diag_memory(r->diag);
	for (int k = 0; k < r->plan->count; k++)
		if (r->plan->steps[k].group_size > 0 && !read_order_step(r, k, map))
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
	const sw_step *step = &plan->steps[k];
	if (plan->model == SW_MODEL_PAPER)
		return (double)step->cost;
	return step->op == SW_EXCHANGE && plan->count > 1 ? step->model_cost : sw_step_model_cost(plan, k);
}

/* Costs in elements follow from the steps; seconds do so on one machine only. */
static bool check_model(sw_reader *r)
{
	const sw_plan *plan = r->plan;
	double sum = 0;
	if (sw_model_is_timed(plan->model) || plan->uneven)
		return true;
	for (int k = 0; k < plan->count; k++) {
		double right = model_cost_of(plan, k);
		snprintf(r->where, sizeof r->where, "steps[%d].", k);
		if (!same_cost(plan->steps[k].model_cost, right))
			return sw_reader_fail(r, SW_P03, "model_cost", "is not what the step costs under the model %s: %.12g",
				sw_model_name(plan->model), right);
		sum += right;
	}
	r->where[0] = '\0';
	return same_cost(plan->model_cost, sum) || sw_reader_fail(r, SW_P03, "model_cost", "is not the sum of the steps");
}

static bool read_check(sw_reader *r)
{
	char where[SW_WHERE_SIZE];
	if (sw_plan_check_at(r->plan, r->prefix, where, r->diag))
		return read_order(r) && check_model(r);
	if (r->diag && r->diag->code != SW_E01)
		r->diag->at = sw_json_locate(r->text, where);
	return false;
}

static bool read_parsed(sw_reader *r, json_t *root)
{
	return read_head(r, root) && read_problem(r, root) && sw_reader_steps(r, root) && sw_reader_order(r, root) &&
		read_figures(r, root) && read_check(r);
}

/* The byte at which the parser gave up, or the last one. */
static sw_span place_of(const json_error_t *error, sw_str text)
{
	size_t at = error->position > 0 ? (size_t)error->position - 1 : 0;
	if (at >= text.length)
		at = text.length > 0 ? text.length - 1 : 0;
	return (sw_span){at, text.length > 0 ? at + 1 : at};
}

static bool read_plan(sw_str text, bool prefix, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	json_error_t error;
	sw_plan read = {0};
	sw_reader r = {.text = text, .arena = arena, .plan = &read, .diag = diag, .prefix = prefix};
	json_t *root = json_loadb(text.at ? text.at : "", text.length, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		sw_diag_set(diag, SW_B04, place_of(&error, text), "this is not JSON: %s", error.text);
		sw_diag_hint(diag, "plan files are JSON of the schema shardwalk.plan/1, as `export plan` writes them");
		return false;
	}
	read.claimed = true;
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans from JSON, schema shardwalk.plan/1.  The text is read as written, value by value, then the checker derives
 * everything again; whatever is wrong is said with the place of the value in the text.
 */
#include <shardwalk/plan.h>

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plan/check.h"
#include "plan/iota.h"
#include "plan/json_place.h"

#define SCHEMA "shardwalk.plan/"

typedef struct reader {
	sw_str text;
	sw_arena *arena;
	sw_plan *plan;
	sw_diag *diag;
	char where[SW_WHERE_SIZE]; /* the object that is being read: "" or "steps[2]." */
} reader;

/* ---- what can go wrong ---- */

static bool read_fail(const reader *r, sw_code code, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool read_fail(const reader *r, sw_code code, const char *key, const char *format, ...)
{
	char path[2 * SW_WHERE_SIZE], reason[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	snprintf(path, sizeof path, "%s%s", r->where, key);
	return sw_diag_set(r->diag, code, sw_json_locate(r->text, path), "'%s' %s", path, reason);
}

/* A text inside the file was refused by its own parser: move its places into the file. */
static bool read_shift(const reader *r, const char *key)
{
	if (!r->diag)
		return false;
	char path[2 * SW_WHERE_SIZE];
	snprintf(path, sizeof path, "%s%s", r->where, key);
	sw_span at = sw_json_locate(r->text, path);
	bool plain = at.end > at.begin && r->text.at[at.begin] == '"' &&
	             !memchr(r->text.at + at.begin, '\\', at.end - at.begin);
	if (plain && (r->diag->at.begin || r->diag->at.end)) {
		sw_diag_shift(r->diag, at.begin + 1);
	} else {
		r->diag->at = at;
		r->diag->also = (sw_span){0, 0};
	}
	return false;
}

/* ---- values by key ---- */

typedef enum needed { OPTIONAL, REQUIRED } needed;

static const char *const kind_names[] = {
	[JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list", [JSON_STRING] = "text", [JSON_INTEGER] = "a whole number",
	[JSON_REAL] = "a number", [JSON_TRUE] = "true or false"};

/* The value of `key` if it is of this kind.  NULL and *ok where it is optional and not there (or null). */
static json_t *read_value(const reader *r, json_t *object, const char *key, json_type kind, needed need, bool *ok)
{
	json_t *value = json_object_get(object, key);
	*ok = true;
	if (!value || (need == OPTIONAL && json_is_null(value))) {
		if (need == REQUIRED)
			*ok = read_fail(r, SW_P01, key, "is missing");
		return NULL;
	}
	bool fits = kind == JSON_TRUE ? json_is_boolean(value) : kind == JSON_REAL ? json_is_number(value)
	                                                                            : json_typeof(value) == kind;
	if (!fits)
		*ok = read_fail(r, SW_P01, key, "is not %s", kind_names[kind]);
	return fits ? value : NULL;
}

static bool read_int(const reader *r, json_t *object, const char *key, needed need, int64_t *out)
{
	bool ok;
	json_t *value = read_value(r, object, key, JSON_INTEGER, need, &ok);
	if (value)
		*out = json_integer_value(value);
	return ok;
}

static bool read_number(const reader *r, json_t *object, const char *key, needed need, double *out)
{
	bool ok;
	json_t *value = read_value(r, object, key, JSON_REAL, need, &ok);
	if (value)
		*out = json_number_value(value);
	return ok;
}

static bool read_bool(const reader *r, json_t *object, const char *key, bool *out, bool *there)
{
	bool ok;
	json_t *value = read_value(r, object, key, JSON_TRUE, OPTIONAL, &ok);
	if (value)
		*out = json_is_true(value);
	if (there)
		*there = value != NULL;
	return ok;
}

/* A slice of the document, which lives as long as the reader. */
static bool read_string(const reader *r, json_t *object, const char *key, needed need, sw_str *out)
{
	bool ok;
	json_t *value = read_value(r, object, key, JSON_STRING, need, &ok);
	if (value)
		*out = (sw_str){json_string_value(value), json_string_length(value)};
	return ok;
}

static bool read_keep(const reader *r, sw_str text, const char **out)
{
	if (!text.at)
		return true;
	*out = sw_arena_copy(r->arena, text.at, text.length);
	return *out || sw_diag_memory(r->diag);
}

/* ---- the problem ---- */

static bool read_axis(const reader *r, json_t *axis, const char *key, sw_mesh *mesh)
{
	reader inner = *r;
	sw_str name = {0};
	int64_t size = 0;
	double bandwidth = 0, latency = 0;
	snprintf(inner.where, sizeof inner.where, "%s.", key);
	if (!json_is_object(axis))
		return read_fail(r, SW_P01, key, "is not an object");
	if (!read_string(&inner, axis, "axis", REQUIRED, &name) || !read_int(&inner, axis, "size", REQUIRED, &size) ||
	    !read_number(&inner, axis, "bandwidth", OPTIONAL, &bandwidth) ||
	    !read_number(&inner, axis, "latency", OPTIONAL, &latency))
		return false;
	if (!sw_mesh_add(mesh, name, size, r->diag))
		return read_shift(r, key);
	if (bandwidth < 0 || latency < 0)
		return read_fail(r, SW_M07, key, "has a negative link");
	mesh->axis[mesh->count - 1].bandwidth = bandwidth;
	mesh->axis[mesh->count - 1].latency = latency;
	return true;
}

static bool read_mesh(const reader *r, json_t *root, sw_mesh *mesh)
{
	bool ok;
	json_t *list = read_value(r, root, "mesh", JSON_ARRAY, REQUIRED, &ok), *axis;
	size_t n;
	if (!ok)
		return false;
	if (json_array_size(list) == 0)
		return read_fail(r, SW_P01, "mesh", "has no axis");
	memset(mesh, 0, sizeof *mesh);
	json_array_foreach(list, n, axis) {
		char key[32];
		snprintf(key, sizeof key, "mesh[%zu]", n);
		if (!read_axis(r, axis, key, mesh))
			return false;
	}
	return true;
}

static bool read_type(const reader *r, json_t *object, const char *key, sw_dtype dtype, sw_type *type)
{
	sw_str text = {0};
	if (!read_string(r, object, key, REQUIRED, &text))
		return false;
	if (!sw_type_parse(&r->plan->problem.mesh, text, type, r->diag))
		return read_shift(r, key);
	if (type->dtype_given && type->dtype != dtype)
		return read_fail(r, SW_P03, key, "has another element type than 'dtype'");
	type->dtype = dtype;
	type->dtype_given = true;
	return true;
}

static bool read_global(const reader *r, json_t *root)
{
	const sw_type *from = &r->plan->problem.from;
	bool ok;
	json_t *list = read_value(r, root, "global", JSON_ARRAY, OPTIONAL, &ok);
	if (!list)
		return ok;
	bool same = json_array_size(list) == (size_t)from->rank;
	for (int i = 0; same && i < from->rank; i++)
		same = json_is_integer(json_array_get(list, (size_t)i)) &&
		       json_integer_value(json_array_get(list, (size_t)i)) == from->global[i];
	return same || read_fail(r, SW_P03, "global", "is not the array of 'from'");
}

static bool read_problem(const reader *r, json_t *root)
{
	sw_problem *problem = &r->plan->problem;
	sw_str name = {0};
	sw_dtype dtype = SW_F32;
	if (!read_mesh(r, root, &problem->mesh) || !read_string(r, root, "dtype", OPTIONAL, &name))
		return false;
	if (name.at && !sw_dtype_parse(name, &dtype, r->diag))
		return read_shift(r, "dtype");
	return read_type(r, root, "from", dtype, &problem->from) && read_type(r, root, "to", dtype, &problem->to) &&
	       read_global(r, root);
}

/* ---- a step ---- */

static bool read_entry(const reader *r, json_t *entry, const char *key, sw_entry *out)
{
	json_t *dim = json_array_get(entry, 0), *factor = json_array_get(entry, 1);
	if (json_array_size(entry) != 2 || !json_is_integer(dim) || !json_is_integer(factor))
		return read_fail(r, SW_P01, key, "holds something that is not [dimension, factor]");
	if (json_integer_value(dim) < 0 || json_integer_value(dim) >= r->plan->problem.from.rank)
		return read_fail(r, SW_P05, key, "names dimension %lld of an array of %d", (long long)json_integer_value(dim),
		    r->plan->problem.from.rank);
	*out = (sw_entry){(int)json_integer_value(dim), json_integer_value(factor)};
	return true;
}

/* Entries come by ascending dimension, whatever order the file has. */
static bool read_entries(const reader *r, json_t *step, const char *key, sw_entry *entry, int *count)
{
	bool ok;
	size_t n;
	json_t *list = read_value(r, step, key, JSON_ARRAY, OPTIONAL, &ok), *item;
	if (!ok)
		return false;
	if (json_array_size(list) > SW_MAX_DIMS)
		return read_fail(r, SW_P05, key, "has too many entries");
	json_array_foreach(list, n, item) {
		sw_entry read = {0};
		int at = (*count)++;
		if (!read_entry(r, item, key, &read))
			return false;
		for (; at > 0 && entry[at - 1].dim > read.dim; at--)
			entry[at] = entry[at - 1];
		entry[at] = read;
	}
	return true;
}

static bool read_device(const reader *r, json_t *value, const char *key, int32_t *out)
{
	if (!json_is_integer(value))
		return read_fail(r, SW_P01, key, "holds something that is no device");
	int64_t device = json_integer_value(value);
	if (device < 0 || device >= r->plan->problem.mesh.devices)
		return read_fail(r, SW_P05, key, "names device %lld of %lld", (long long)device,
		    (long long)r->plan->problem.mesh.devices);
	*out = (int32_t)device;
	return true;
}

static int32_t *read_room(const reader *r, const char *key)
{
	int32_t *room = NULL;
	if (r->plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		read_fail(r, SW_S08, key, "lists more devices than can be checked");
	else if (!(room = SW_NEW(r->arena, int32_t, r->plan->problem.mesh.devices)))
		sw_diag_memory(r->diag);
	return room;
}

static bool read_groups_list(const reader *r, json_t *list, sw_step *step)
{
	int32_t *room = read_room(r, "groups");
	int64_t devices = r->plan->problem.mesh.devices, done = 0;
	size_t n, m;
	json_t *group, *device;
	if (!room)
		return false;
	json_array_foreach(list, n, group) {
		char key[SW_WHERE_SIZE];
		snprintf(key, sizeof key, "groups[%zu]", n);
		if (!json_is_array(group))
			return read_fail(r, SW_P01, key, "is not a list of devices");
		if ((int64_t)json_array_size(group) != step->group_size || done + step->group_size > devices)
			return read_fail(r, SW_P05, key, "makes no partition of %lld devices into groups of %lld", (long long)devices,
			    (long long)step->group_size);
		json_array_foreach(group, m, device)
			if (!read_device(r, device, key, &room[done++]))
				return false;
	}
	step->groups = room;
	return done == devices || read_fail(r, SW_P05, "groups", "holds %lld of %lld devices", (long long)done,
	                              (long long)devices);
}

static bool read_groups_text(const reader *r, json_t *value, sw_step *step)
{
	sw_iota iota;
	sw_str text = {json_string_value(value), json_string_length(value)};
	if (!sw_iota_parse(text, r->plan->problem.mesh.devices, &iota))
		return read_fail(r, SW_P05, "groups", "is no list of %lld devices in the form \"[4,2]<=[2,4]T(1,0)\"",
		    (long long)r->plan->problem.mesh.devices);
	if (iota.size != step->group_size)
		return read_fail(r, SW_P05, "groups", "has groups of %lld devices, not of %lld", (long long)iota.size,
		    (long long)step->group_size);
	return read_keep(r, text, &step->groups_text);
}

static bool read_groups(const reader *r, json_t *object, sw_step *step)
{
	if (step->op != SW_ALLGATHER && step->op != SW_ALLTOALL)
		return true;
	json_t *value = json_object_get(object, "groups");
	step->group_size = 1;
	for (int e = 0; e < step->gathers; e++)
		if (step->gather[e].factor < 2 || step->gather[e].factor > r->plan->problem.mesh.devices / step->group_size)
			return read_fail(r, SW_P05, "gather", "gathers by %lld", (long long)step->gather[e].factor);
		else
			step->group_size *= step->gather[e].factor;
	if (!value && r->plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		return true;
	if (!value)
		return read_fail(r, SW_P01, "groups", "is missing");
	if (json_is_string(value))
		return read_groups_text(r, value, step);
	return json_is_array(value) ? read_groups_list(r, value, step) : read_fail(r, SW_P01, "groups", "is not a list");
}

static bool read_pair_list(const reader *r, json_t *list, sw_step *step)
{
	int32_t *source = read_room(r, "pairs");
	int64_t devices = r->plan->problem.mesh.devices;
	size_t n;
	json_t *pair;
	if (!source)
		return false;
	memset(source, -1, (size_t)devices * sizeof *source);
	json_array_foreach(list, n, pair) {
		char key[SW_WHERE_SIZE];
		int32_t from, to;
		snprintf(key, sizeof key, "pairs[%zu]", n);
		if (json_array_size(pair) != 2)
			return read_fail(r, SW_P01, key, "is not [source, destination]");
		if (!read_device(r, json_array_get(pair, 0), key, &from) || !read_device(r, json_array_get(pair, 1), key, &to))
			return false;
		if (source[to] >= 0)
			return read_fail(r, SW_P05, key, "gives device %d a second tile", to);
		source[to] = from;
	}
	step->source = source;
	return (int64_t)json_array_size(list) == devices ||
	       read_fail(r, SW_P05, "pairs", "holds %zu of %lld devices", json_array_size(list), (long long)devices);
}

/* ["type before", "type after"]: both must be what the steps say. */
static bool read_pair_types(const reader *r, json_t *list, int k)
{
	const sw_type *right[2] = {sw_plan_type_before(r->plan, k), r->plan->steps[k].type};
	for (int n = 0; n < 2; n++) {
		json_t *text = json_array_get(list, (size_t)n);
		sw_type said;
		char key[SW_WHERE_SIZE];
		snprintf(key, sizeof key, "pairs[%d]", n);
		if (!json_is_string(text))
			return read_fail(r, SW_P01, key, "is not a type");
		if (!sw_type_parse(&r->plan->problem.mesh, sw_str_of(json_string_value(text)), &said, r->diag))
			return read_shift(r, key);
		said.dtype = r->plan->problem.from.dtype;
		if (!right[n] || !sw_type_same_map(&r->plan->problem.mesh, right[n], &said))
			return read_fail(r, SW_P03, key, "is not the type %s the step", n ? "after" : "before");
	}
	return true;
}

static bool read_pairs(const reader *r, json_t *object, int k)
{
	bool ok;
	sw_step *step = &r->plan->steps[k];
	if (step->op != SW_ALLPERMUTE)
		return true;
	json_t *list = read_value(r, object, "pairs", JSON_ARRAY, REQUIRED, &ok);
	if (!list)
		return ok;
	if (json_array_size(list) == 2 && json_is_string(json_array_get(list, 0)))
		return read_pair_types(r, list, k);
	return read_pair_list(r, list, step);
}

/* The tile after the step: as written, else from the type, else what the entries make of the tile before. */
static bool read_tile(const reader *r, json_t *object, int k)
{
	bool ok;
	sw_step *step = &r->plan->steps[k];
	int rank = r->plan->problem.from.rank;
	json_t *list = read_value(r, object, "localtype", JSON_ARRAY, OPTIONAL, &ok);
	if (!ok)
		return false;
	if (!list && !step->type)
		return read_fail(r, SW_P01, "localtype", "is missing, and there is no type");
	if (list && json_array_size(list) != (size_t)rank)
		return read_fail(r, SW_P03, "localtype", "has another number of dimensions than the array");
	for (int i = 0; i < rank; i++) {
		json_t *size = json_array_get(list, (size_t)i);
		if (list && !json_is_integer(size))
			return read_fail(r, SW_P01, "localtype", "is not a list of sizes");
		step->tile[i] = list ? json_integer_value(size) : step->type->tile[i];
		if (step->tile[i] < 1 || r->plan->problem.from.global[i] % step->tile[i] != 0)
			return read_fail(r, SW_P03, "localtype", "has %lld, which does not divide dimension %d",
			    (long long)step->tile[i], i);
	}
	return true;
}

static bool read_step_type(const reader *r, json_t *object, sw_step *step)
{
	json_t *value = json_object_get(object, "type");
	if (!value || json_is_null(value))
		return true;
	sw_type *type = SW_NEW(r->arena, sw_type, 1);
	if (!type)
		return sw_diag_memory(r->diag);
	step->type = type;
	return read_type(r, object, "type", r->plan->problem.from.dtype, type);
}

static bool read_step(reader *r, json_t *object, int k)
{
	sw_step *step = &r->plan->steps[k];
	sw_str name = {0};
	if (!json_is_object(object))
		return read_fail(r, SW_P01, "", "is not an object");
	snprintf(r->where, sizeof r->where, "steps[%d].", k);
	if (!read_string(r, object, "op", REQUIRED, &name))
		return false;
	step->op = sw_op_named(name);
	if (step->op == SW_OP_COUNT)
		return read_fail(r, SW_P05, "op", "names no operation");
	return read_entries(r, object, "gather", step->gather, &step->gathers) &&
	       read_entries(r, object, "split", step->split, &step->splits) && read_step_type(r, object, step) &&
	       read_tile(r, object, k) && read_groups(r, object, step) && read_pairs(r, object, k);
}

/* ---- maps ---- */

static bool read_map(const reader *r, json_t *list, int64_t *map)
{
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	size_t d;
	json_t *offset;
	if (!json_is_array(list) || (int64_t)json_array_size(list) != devices)
		return read_fail(r, SW_P01, "", "is not a list of %lld devices", (long long)devices);
	json_array_foreach(list, d, offset) {
		char key[SW_WHERE_SIZE];
		snprintf(key, sizeof key, "[%zu]", d);
		if (!json_is_array(offset) || json_array_size(offset) != (size_t)rank)
			return read_fail(r, SW_P01, key, "is not a list of %d offsets", rank);
		for (int i = 0; i < rank; i++) {
			if (!json_is_integer(json_array_get(offset, (size_t)i)))
				return read_fail(r, SW_P01, key, "is not a list of offsets");
			map[(int64_t)d * rank + i] = json_integer_value(json_array_get(offset, (size_t)i));
		}
	}
	return true;
}

/* A map beside a type says the same; where there is no type, it is what the step has. */
static bool read_map_use(const reader *r, int k, const int64_t *map, int64_t *right)
{
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	if (k > 0 && !r->plan->steps[k - 1].type) {
		r->plan->steps[k - 1].map = map;
		return true;
	}
	if (!sw_plan_map(r->plan, k, right, r->diag))
		return false;
	for (int64_t d = 0; d < devices; d++)
		if (memcmp(map + d * rank, right + d * rank, (size_t)rank * sizeof *map) != 0) {
			char key[SW_WHERE_SIZE];
			snprintf(key, sizeof key, "[%lld]", (long long)d);
			return read_fail(r, SW_P03, key, "is not where the type puts that device");
		}
	return true;
}

static bool read_maps(reader *r, json_t *root)
{
	bool ok;
	r->where[0] = '\0';
	json_t *list = read_value(r, root, "maps", JSON_ARRAY, OPTIONAL, &ok);
	if (!list)
		return ok;
	int64_t size = r->plan->problem.mesh.devices * r->plan->problem.from.rank;
	if (r->plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		return read_fail(r, SW_S08, "maps", "lists more devices than can be checked");
	if (json_array_size(list) != (size_t)r->plan->count + 1)
		return read_fail(r, SW_P03, "maps", "has %zu maps for %d steps", json_array_size(list), r->plan->count);
	int64_t *right = SW_NEW(r->arena, int64_t, size);
	for (int k = 0; k <= r->plan->count; k++) {
		int64_t *map = SW_NEW(r->arena, int64_t, size);
		if (!map || !right)
			return sw_diag_memory(r->diag);
		snprintf(r->where, sizeof r->where, "maps[%d]", k);
		if (!read_map(r, json_array_get(list, (size_t)k), map) || !read_map_use(r, k, map, right))
			return false;
	}
	r->where[0] = '\0';
	return true;
}

static bool read_steps(reader *r, json_t *root)
{
	bool ok;
	json_t *list = read_value(r, root, "steps", JSON_ARRAY, REQUIRED, &ok);
	if (!ok)
		return false;
	if (json_array_size(list) > 1 << 20)
		return read_fail(r, SW_P01, "steps", "has too many steps");
	r->plan->count = (int)json_array_size(list);
	r->plan->steps = SW_NEW_ZERO(r->arena, sw_step, r->plan->count);
	if (!r->plan->steps)
		return sw_diag_memory(r->diag);
	for (int k = 0; k < r->plan->count; k++) {
		snprintf(r->where, sizeof r->where, "steps[%d]", k);
		if (!read_step(r, json_array_get(list, (size_t)k), k))
			return false;
	}
	if (!read_maps(r, root))
		return false;
	for (int k = 0; k < r->plan->count; k++)
		if (!r->plan->steps[k].type && !r->plan->steps[k].map) {
			snprintf(r->where, sizeof r->where, "steps[%d].", k);
			return read_fail(r, SW_P01, "type", "is null, and there are no maps");
		}
	return true;
}

/* ---- figures ---- */

/* What the file does not say is what the steps say; what it says is kept, for the checker to judge. */
static bool read_step_figures(reader *r, json_t *root)
{
	json_t *list = json_object_get(root, "steps");
	for (int k = 0; k < r->plan->count; k++) {
		sw_step *step = &r->plan->steps[k];
		json_t *object = json_array_get(list, (size_t)k);
		snprintf(r->where, sizeof r->where, "steps[%d].", k);
		needed model = r->plan->model == SW_MODEL_PAPER ? OPTIONAL : REQUIRED;
		step->model_cost = (double)step->cost;
		if (!read_int(r, object, "localsize", OPTIONAL, &step->localsize) ||
		    !read_int(r, object, "cost", REQUIRED, &step->cost) ||
		    !read_number(r, object, "model_cost", model, &step->model_cost))
			return false;
	}
	r->where[0] = '\0';
	return true;
}

static bool read_bounds(const reader *r, json_t *root)
{
	sw_plan *plan = r->plan;
	bool called = false;
	plan->weak_cost = -1;
	plan->lower_bound = -1;
	needed model = plan->model == SW_MODEL_PAPER ? OPTIONAL : REQUIRED;
	if (!read_bool(r, root, "optimal", &plan->optimal, &called))
		return false;
	plan->has_bound = called || json_object_get(root, "lower_bound");
	if (!read_int(r, root, "lower_bound", plan->has_bound ? REQUIRED : OPTIONAL, &plan->lower_bound) ||
	    !read_int(r, root, "weak_cost", OPTIONAL, &plan->weak_cost))
		return false;
	plan->model_cost = (double)plan->cost;
	plan->model_bound = (double)plan->lower_bound;
	return read_number(r, root, "model_cost", model, &plan->model_cost) &&
	       read_number(r, root, "model_bound", plan->has_bound ? model : OPTIONAL, &plan->model_bound);
}

static bool read_search(reader *r, json_t *root)
{
	bool ok;
	sw_plan *plan = r->plan;
	json_t *search = read_value(r, root, "search", JSON_OBJECT, OPTIONAL, &ok);
	if (!search)
		return ok;
	snprintf(r->where, sizeof r->where, "search.");
	ok = read_int(r, search, "settled", OPTIONAL, &plan->search.settled) &&
	     read_int(r, search, "seen", OPTIONAL, &plan->search.seen) &&
	     read_int(r, search, "edges", OPTIONAL, &plan->search.edges) &&
	     read_number(r, search, "seconds", OPTIONAL, &plan->search.seconds);
	if (ok)
		r->where[0] = '\0';
	return ok;
}

static bool read_figures(reader *r, json_t *root)
{
	sw_plan *plan = r->plan;
	int64_t permutes;
	if (!sw_plan_total(plan, r->diag) || !read_step_figures(r, root))
		return false;
	permutes = plan->permutes;
	plan->budget = plan->height;
	bool read = read_int(r, root, "budget", OPTIONAL, &plan->budget) &&
	            read_int(r, root, "live_budget", OPTIONAL, &plan->live_budget) &&
	            read_int(r, root, "cost", REQUIRED, &plan->cost) && read_bounds(r, root) &&
	            read_int(r, root, "height", REQUIRED, &plan->height) &&
	            read_int(r, root, "live_peak", OPTIONAL, &plan->live_peak) &&
	            read_int(r, root, "permutes", OPTIONAL, &permutes) &&
	            read_bool(r, root, "normal_form", &plan->normal_form, NULL) &&
	            read_bool(r, root, "uneven", &plan->uneven, NULL) && read_search(r, root);
	if (read && permutes != plan->permutes) {
		read_fail(r, SW_P03, "permutes", "is not the number of permutations");
		sw_diag_expected(r->diag, "%d", plan->permutes);
		sw_diag_found(r->diag, "%lld", (long long)permutes);
		return false;
	}
	return read;
}

static bool read_head(const reader *r, json_t *root)
{
	sw_str schema = {0}, name = {0}, strategy = {0}, model = {0};
	if (!json_is_object(root))
		return sw_diag_set(r->diag, SW_P01, sw_json_locate(r->text, ""), "a plan is a JSON object");
	if (!read_string(r, root, "schema", REQUIRED, &schema))
		return false;
	if (schema.length < strlen(SCHEMA) || memcmp(schema.at, SCHEMA, strlen(SCHEMA)) != 0)
		return read_fail(r, SW_P01, "schema", "is not that of a plan");
	if (!sw_str_is(schema, SCHEMA "1"))
		return read_fail(r, SW_P02, "schema", "is of a version that this program does not know");
	if (!read_string(r, root, "name", OPTIONAL, &name) || !read_string(r, root, "strategy", REQUIRED, &strategy) ||
	    !read_string(r, root, "model", OPTIONAL, &model))
		return false;
	r->plan->strategy = SW_DIRECT;
	r->plan->model = SW_MODEL_PAPER;
	sw_strategy_parse(strategy, &r->plan->strategy, NULL);
	if (model.at && !sw_model_parse(model, &r->plan->model, r->diag))
		return read_shift(r, "model");
	return read_keep(r, name, &r->plan->name) && read_keep(r, strategy, &r->plan->origin);
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
static bool read_order_step(const reader *r, int k, int64_t *map)
{
	sw_step *step = &r->plan->steps[k];
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	const int32_t *list = sw_plan_group_list(r->plan, k, r->arena);
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

static bool read_order(const reader *r)
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

static bool read_check(reader *r)
{
	char where[SW_WHERE_SIZE];
	if (sw_plan_check_at(r->plan, where, r->diag))
		return read_order(r);
	if (r->diag && r->diag->code != SW_E01)
		r->diag->at = sw_json_locate(r->text, where);
	return false;
}

static bool read_parsed(reader *r, json_t *root)
{
	return read_head(r, root) && read_problem(r, root) && read_steps(r, root) && read_figures(r, root) && read_check(r);
}

bool sw_plan_read(sw_str text, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	json_error_t error;
	sw_plan read = {0};
	reader r = {.text = text, .arena = arena, .plan = &read, .diag = diag};
	json_t *root = json_loadb(text.at ? text.at : "", text.length, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		size_t at = error.position > 0 ? (size_t)error.position - 1 : 0;
		at = at < text.length ? at : text.length;
		return sw_diag_set(diag, SW_B04, (sw_span){at, at + 1}, "this is not JSON: %s", error.text);
	}
	bool done = read_parsed(&r, root);
	json_decref(root);
	if (done)
		*plan = read;
	return done;
}

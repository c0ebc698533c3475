/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes, types and problems as JSON, both ways.
 */
#include <shardwalk/problem_json.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

/* ---- meshes ---- */

#define ANY INT64_MIN /* refused by who adds it to the mesh, with a code of its own */

struct axis {
	const char *name;
	int64_t size;
	double bandwidth, latency;
	int64_t level; /* 0: the outermost, which is not written */
};

static bool always(const void *of)
{
	return of != NULL;
}

static const sw_field axis_fields[] = {
	SW_FIELD("axis", TEXT, struct axis, name, .needed = always),
	SW_FIELD("size", INT, struct axis, size, .least = ANY, .needed = always),
	SW_FIELD("bandwidth", NUMBER, struct axis, bandwidth, .least = ANY, .sparse = true),
	SW_FIELD("latency", NUMBER, struct axis, latency, .least = ANY, .sparse = true),
	SW_FIELD("level", INT, struct axis, level, .least = 1, .sparse = true),
};

enum { AXIS_FIELDS = sizeof axis_fields / sizeof *axis_fields };

static double known(double value)
{
	return value > 0 ? value : NAN;
}

void sw_json_mesh(sw_json *json, const sw_mesh *mesh)
{
	sw_json_open(json, '[', false);
	for (int a = 0; a < mesh->count; a++) {
		const sw_axis *of = &mesh->axis[a];
		struct axis axis = {of->name, of->size, known(of->bandwidth), known(of->latency), of->level};
		sw_json_open(json, '{', false);
		sw_fields_write(json, axis_fields, AXIS_FIELDS, &axis);
		sw_json_close(json);
	}
	sw_json_close(json);
}

/* Is the last axis of the level of the one before it, or of the next? */
static bool levels_ascend(const sw_mesh *mesh)
{
	const sw_axis *last = &mesh->axis[mesh->count - 1];
	int64_t before = mesh->count > 1 ? last[-1].level : 0;
	return last->level == before || (mesh->count > 1 && last->level == before + 1);
}

static bool read_axis(const sw_json_in *in, json_t *object, const char *key, sw_mesh *mesh)
{
	sw_json_in inner = sw_json_inside(in, key);
	struct axis said = {.name = NULL};
	if (!sw_json_is(in, object, key, SW_KIND_OBJECT) ||
		!sw_fields_read(&inner, object, axis_fields, AXIS_FIELDS, &said))
		return false;
	if (!sw_mesh_add(mesh, sw_str_of(said.name), said.size, in->diag))
		return sw_json_refuse_shifted(in, key);
	if (said.bandwidth < 0 || said.latency < 0)
		return sw_json_refuse(in, SW_M07, key, "has a negative link");
	mesh->axis[mesh->count - 1].bandwidth = said.bandwidth;
	mesh->axis[mesh->count - 1].latency = said.latency;
	mesh->axis[mesh->count - 1].level = said.level;
	return levels_ascend(mesh) ||
		sw_json_refuse(in, SW_M01, key, "has a level before that of the axis before it, or skips one");
}

/* [{"axis": "x", "size": 4}, ...] */
static bool read_axes(const sw_json_in *in, json_t *list, const char *key, sw_mesh *mesh)
{
	size_t n;
	json_t *axis;
	json_array_foreach(list, n, axis)
	{
		char where[SW_WHERE_SIZE];
		snprintf(where, sizeof where, "%s[%zu]", key, n);
		if (!read_axis(in, axis, where, mesh))
			return false;
	}
	return true;
}

/* {"x": 4, "y": 6} */
static bool read_sizes(const sw_json_in *in, json_t *object, const char *key, sw_mesh *mesh)
{
	const char *name;
	json_t *size;
	json_object_foreach(object, name, size)
	{
		char where[SW_WHERE_SIZE];
		snprintf(where, sizeof where, "%s.%s", key, name);
		if (!sw_json_is(in, size, where, SW_KIND_INT))
			return false;
		if (!sw_mesh_add(mesh, sw_str_of(name), json_integer_value(size), in->diag))
			return sw_json_refuse_shifted(in, where);
	}
	return true;
}

bool sw_json_read_mesh(const sw_json_in *in, json_t *object, const char *key, sw_mesh *mesh)
{
	bool ok;
	sw_str text = {0};
	json_t *value = json_object_get(object, key);
	if (json_is_string(value))
		return sw_json_read_string(in, object, key, SW_REQUIRED, &text) &&
			(sw_mesh_parse(text, mesh, in->diag) || sw_json_refuse_shifted(in, key));
	memset(mesh, 0, sizeof *mesh);
	if (json_is_object(value))
		return read_sizes(in, value, key, mesh);
	value = sw_json_read_value(in, object, key, SW_KIND_LIST, SW_REQUIRED, &ok);
	return ok && read_axes(in, value, key, mesh);
}

/* ---- types ---- */

void sw_json_type(sw_json *json, const sw_mesh *mesh, const sw_type *type)
{
	sw_json_type_any(json, mesh, type, NULL);
}

void sw_json_type_any(sw_json *json, const sw_mesh *mesh, const sw_type *type, const sw_distribution *words)
{
	size_t begin = sw_json_text_begin(json);
	if (words)
		sw_distribution_print(mesh, words, false, json->text);
	else
		sw_type_print(mesh, type, false, json->text);
	sw_json_text_end(json, begin);
}

bool sw_json_read_dtype(const sw_json_in *in, json_t *object, const char *key, sw_dtype *dtype, bool *given)
{
	sw_str name = {0};
	if (!sw_json_read_string(in, object, key, SW_OPTIONAL, &name))
		return false;
	*given = name.at != NULL;
	return !*given || sw_dtype_parse(name, dtype, in->diag) || sw_json_refuse_shifted(in, key);
}

bool sw_json_read_type(const sw_json_in *in, json_t *value, const char *key, const sw_mesh *mesh, bool pads,
	sw_type *type)
{
	if (!sw_json_is(in, value, key, SW_KIND_TEXT))
		return false;
	sw_str text = {json_string_value(value), json_string_length(value)};
	return sw_type_parse_as(mesh, text, pads, type, in->diag) || sw_json_refuse_shifted(in, key);
}

static bool set_dtype(const sw_json_in *in, const char *key, sw_dtype dtype, sw_type *type)
{
	if (type->dtype_given && type->dtype != dtype)
		return sw_json_refuse(in, SW_P03, key, "has an element type different from 'dtype'");
	type->dtype = dtype;
	type->dtype_given = true;
	return true;
}

bool sw_json_read_type_of(const sw_json_in *in, json_t *value, const char *key, const sw_mesh *mesh, sw_dtype dtype,
	sw_type *type)
{
	return sw_json_read_type(in, value, key, mesh, false, type) && set_dtype(in, key, dtype, type);
}

bool sw_json_read_type_any(const sw_json_in *in, json_t *value, const char *key, const sw_mesh *mesh, sw_dtype dtype,
	sw_type *type, const sw_distribution **words)
{
	if (!sw_json_is(in, value, key, SW_KIND_TEXT))
		return false;
	sw_str text = {json_string_value(value), json_string_length(value)};
	return (sw_type_parse_any(mesh, text, NULL, in->arena, type, words, in->diag) ||
			   sw_json_refuse_shifted(in, key)) &&
		set_dtype(in, key, dtype, type);
}

/* ---- padding ---- */

static const sw_field padding_fields[] = {
	SW_FIELD("elements", INT, sw_padding_count, total),
	SW_FIELD("of", INT, sw_padding_count, elements),
	SW_FIELD("most_per_device", INT, sw_padding_count, most),
	SW_FIELD("empty_devices", INT, sw_padding_count, empty),
};

enum { PADDING_FIELDS = sizeof padding_fields / sizeof *padding_fields };

/* The array without its padding, and how much of what the devices hold at both ends is padding. */
static void write_unpadded(sw_json *json, const sw_problem *problem)
{
	int64_t real[SW_MAX_DIMS];
	const sw_type *const ends[] = {&problem->from, &problem->to};
	if (!sw_type_padded(&problem->from))
		return;
	sw_type_real(&problem->from, real);
	sw_json_key(json, "unpadded");
	sw_json_ints(json, real, problem->from.rank);
	sw_json_key(json, "padding");
	sw_json_open(json, '[', false);
	for (int i = 0; i < 2; i++) {
		sw_padding_count count;
		sw_type_padding(&problem->mesh, ends[i], &count);
		sw_json_open(json, '{', false);
		sw_fields_write(json, padding_fields, PADDING_FIELDS, &count);
		sw_json_close(json);
	}
	sw_json_close(json);
}

/* What an end says of its padding is what its type says. */
static bool read_padding_of(const sw_json_in *in, json_t *object, const sw_problem *problem, int end)
{
	sw_padding_count count;
	sw_json_in inner = sw_json_inside(in, end ? "padding[1]" : "padding[0]");
	sw_type_padding(&problem->mesh, end ? &problem->to : &problem->from, &count);
	sw_padding_count said = count;
	if (!sw_fields_read(&inner, object, padding_fields, PADDING_FIELDS, &said))
		return false;
	for (int i = 0; i < PADDING_FIELDS; i++) {
		size_t at = padding_fields[i].at;
		if (memcmp((const char *)&said + at, (const char *)&count + at, sizeof(int64_t)) != 0)
			return sw_json_refuse(&inner, SW_P03, padding_fields[i].key, "does not match the tiles");
	}
	return true;
}

static bool read_padding(const sw_json_in *in, json_t *object, const sw_problem *problem)
{
	bool ok;
	json_t *list = sw_json_read_value(in, object, "padding", SW_KIND_LIST, SW_OPTIONAL, &ok);
	for (int end = 0; ok && list && end < 2; end++)
		ok = read_padding_of(in, json_array_get(list, (size_t)end), problem, end);
	return ok;
}

static bool read_unpadded(const sw_json_in *in, json_t *object, sw_problem *problem)
{
	bool ok;
	json_t *list = sw_json_read_value(in, object, "unpadded", SW_KIND_LIST, SW_OPTIONAL, &ok);
	if (!list)
		return ok;
	if (problem->from_words || problem->to_words)
		return sw_json_refuse(in, SW_P03, "unpadded", "is for tile types, but at least one of these is not");
	int64_t real[SW_MAX_DIMS];
	bool fits = json_array_size(list) == (size_t)problem->from.rank;
	for (int i = 0; fits && i < problem->from.rank; i++) {
		real[i] = json_integer_value(json_array_get(list, (size_t)i));
		fits = json_is_integer(json_array_get(list, (size_t)i)) && real[i] >= 1 && real[i] <= problem->from.global[i];
	}
	if (!fits)
		return sw_json_refuse(in, SW_P03, "unpadded", "is not the size of the array before padding");
	sw_type_set_real(&problem->from, real);
	sw_type_set_real(&problem->to, real);
	return read_padding(in, object, problem);
}

/* ---- problems ---- */

void sw_json_problem(sw_json *json, const sw_problem *problem)
{
	sw_json_key(json, "mesh");
	sw_json_mesh(json, &problem->mesh);
	sw_json_key(json, "dtype");
	sw_json_string(json, sw_dtype_name(problem->from.dtype));
	sw_json_key(json, "global");
	sw_json_ints(json, problem->from.global, problem->from.rank);
	write_unpadded(json, problem);
	sw_json_key(json, "from");
	sw_json_type_any(json, &problem->mesh, &problem->from, problem->from_words);
	sw_json_key(json, "to");
	sw_json_type_any(json, &problem->mesh, &problem->to, problem->to_words);
}

static bool read_global(const sw_json_in *in, json_t *object, const sw_type *from)
{
	bool ok;
	json_t *list = sw_json_read_value(in, object, "global", SW_KIND_LIST, SW_OPTIONAL, &ok);
	if (!list)
		return ok;
	bool same = json_array_size(list) == (size_t)from->rank;
	for (int i = 0; same && i < from->rank; i++)
		same = json_is_integer(json_array_get(list, (size_t)i)) &&
			json_integer_value(json_array_get(list, (size_t)i)) == from->global[i];
	return same || sw_json_refuse(in, SW_P03, "global", "is not the array of 'from'");
}

bool sw_json_read_problem(const sw_json_in *in, json_t *object, sw_problem *problem)
{
	sw_dtype dtype = SW_F32;
	bool given;
	problem->to_order = NULL;
	if (!sw_json_read_mesh(in, object, "mesh", &problem->mesh))
		return false;
	if (!problem->mesh.count)
		return sw_json_refuse(in, SW_P01, "mesh", "has no axis");
	const sw_mesh *mesh = &problem->mesh;
	return sw_json_read_dtype(in, object, "dtype", &dtype, &given) &&
		sw_json_read_type_any(in, json_object_get(object, "from"), "from", mesh, dtype, &problem->from,
			&problem->from_words) &&
		sw_json_read_type_any(in, json_object_get(object, "to"), "to", mesh, dtype, &problem->to,
			&problem->to_words) &&
		read_global(in, object, &problem->from) && read_unpadded(in, object, problem);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A problem as an object of JSON.
 */
#include "command/batch/problem_json.h"
#include "command/ends.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/problem_json.h>
#include <shardwalk/uneven.h>

static const sw_span nowhere = {0, 0};

/* What a line says of one end beside its text. */
struct end {
	const char *key, *order, *mesh_key, *ids_key;
	sw_mesh mesh;
	bool two;               /* the line says two meshes */
	const int64_t *numbers; /* of the devices in the slots, where they are not 0, 1, 2, ... in any order; else NULL */
	sw_sharding *sharding;
};

/* ---- values and their positions ---- */

static json_t *value_of(const struct problem_json *of, const char *key)
{
	json_t *value = json_object_get(of->json, key);
	return json_is_null(value) ? NULL : value;
}

static sw_str text_of(json_t *value)
{
	return (sw_str){json_string_value(value), json_string_length(value)};
}

static void hint_line(sw_diag *diag)
{
	sw_diag_hint(diag,
		"a line is {\"name\": ..., \"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": "
		"\"[12]\"}");
}

/* The value of the key was refused: marks the position in it, or what stands between its quotes. */
/* What says an end that the line does not have as a text. */
static const struct descriptor_keys {
	const char *end, *entries, *grid, *order;
} descriptor_keys[] = {{"from", "desca", "grida", "ordera"}, {"to", "descc", "gridc", "orderc"}};

static bool refuse_value(const struct problem_json *of, const char *key)
{
	sw_diag *diag = of->in.diag;
	for (int i = 0; of->described && i < 2; i++)
		if (strcmp(key, descriptor_keys[i].end) == 0) {
			diag->at = sw_json_locate(of->line, descriptor_keys[i].entries);
			return false;
		}
	if (diag->at.begin || diag->at.end)
		return sw_json_refuse_shifted(&of->in, key);
	sw_span at = sw_json_locate(of->line, key);
	bool quoted = at.end > at.begin + 2 && of->line.at[at.begin] == '"';
	diag->at = quoted ? (sw_span){at.begin + 1, at.end - 1} : at;
	return false;
}

static bool refuse_key(const struct problem_json *of, const char *key, sw_diag *diag)
{
	bool there = value_of(of, key) != NULL;
	sw_diag_set(diag, SW_B03, nowhere, there ? "\"%s\" is of the wrong kind" : "\"%s\" is missing", key);
	sw_diag_expected(diag, "%s", key_read(key)->expected);
	hint_line(diag);
	return there ? refuse_value(of, key) : false;
}

/* The value of a key, of one of the kinds that it may be of; NULL where it is not there. */
static bool take(const struct problem_json *of, const char *key, sw_needed need, json_t **value, sw_diag *diag)
{
	*value = value_of(of, key);
	bool fits = *value ? (key_read(key)->kinds >> json_typeof(*value)) & 1 : need == SW_OPTIONAL;
	return fits || refuse_key(of, key, diag);
}

/* ---- meshes ---- */

static bool refuse_grid(const char *name, const char *size, sw_diag *diag)
{
	sw_diag_set(diag, SW_N05, nowhere, "the mesh '%.40s' of %.20s devices has no axes", name, size);
	sw_diag_expected(diag, "{\"AXIS\": SIZE, ...}");
	sw_diag_hint(diag,
		"two meshes are \"src_mesh\": {\"a\": 2, \"b\": 4}, \"dst_mesh\": {\"c\": 8}; \"to_mesh_device_ids\" "
		"lists the devices of the second");
	return false;
}

/* Sizes that are no numbers: what other systems say of meshes of which they know less, or more. */
static bool check_sizes(json_t *mesh, sw_diag *diag)
{
	const char *name;
	json_t *size;
	json_object_foreach(mesh, name, size)
	{
		if (json_is_string(size) && strchr(json_string_value(size), 'x'))
			return refuse_grid(name, json_string_value(size), diag);
		if (json_is_string(size))
			return sw_diag_set(diag, SW_N03, nowhere, "the size of axis '%s' is unknown", name);
	}
	return true;
}

/* A mesh of no axes is none. */
static bool read_mesh(const struct problem_json *of, const char *key, sw_mesh *mesh, sw_diag *diag)
{
	json_t *value;
	mesh->count = 0;
	mesh->order = NULL;
	if (!take(of, key, SW_OPTIONAL, &value, diag) || !check_sizes(value, diag))
		return false;
	if (!value || sw_json_read_mesh(&of->in, of->json, key, mesh))
		return true;
	if (diag->code == SW_B03)
		hint_line(diag);
	return false;
}

static bool refuse_no_mesh(const struct problem_json *of, sw_diag *diag)
{
	json_t *value;
	return take(of, "mesh", SW_REQUIRED, &value, diag) && sw_diag_set(diag, SW_M01, nowhere, "the mesh has no axes");
}

/* ---- orders ---- */

static bool refuse_ids(const struct problem_json *of, const char *key, const sw_mesh *mesh, sw_diag *diag)
{
	sw_diag_set(diag, SW_N04, nowhere, "\"%s\" does not name each device of the mesh once", key);
	if (mesh->count)
		sw_diag_expected(diag, "each of 0 to %lld once", (long long)mesh->devices - 1);
	return refuse_value(of, key);
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

/* The devices in the slots of a mesh: an order of 0 to N - 1, or other numbers, each once, which two meshes may have. */
static bool take_ids(const struct problem_json *of, const char *key, json_t *list, struct end *end, sw_diag *diag)
{
	size_t count = json_array_size(list);
	int64_t *ids = SW_NEW(of->arena, int64_t, count), *sorted = SW_NEW(of->arena, int64_t, count);
	bool iota = true, once = true;
	if (!ids || !sorted)
		return sw_diag_memory(diag);
	for (size_t i = 0; i < count; i++) {
		json_t *id = json_array_get(list, i);
		ids[i] = sorted[i] = json_integer_value(id);
		once = once && json_is_integer(id) && ids[i] >= 0;
		iota = iota && ids[i] == (int64_t)i;
	}
	qsort(sorted, count, sizeof *sorted, compare_numbers);
	for (size_t i = 1; i < count; i++)
		once = once && sorted[i] != sorted[i - 1];
	bool first = count == 0 || sorted[count - 1] == (int64_t)count - 1;
	if (!once || (!first && !end->two))
		return refuse_ids(of, key, &end->mesh, diag);
	end->mesh.order = first && !iota ? ids : NULL;
	end->numbers = first ? NULL : ids;
	return true;
}

static bool read_ids(const struct problem_json *of, struct end *end, sw_diag *diag)
{
	json_t *list = value_of(of, end->ids_key);
	size_t count = json_array_size(list);
	if (!list)
		return true;
	if (!end->mesh.count && count == 1)
		return sw_diag_set(diag, SW_N02, nowhere, "the whole array is on one device (maximal)");
	if (!json_is_array(list) || !end->mesh.count || (int64_t)count != end->mesh.devices)
		return refuse_ids(of, end->ids_key, &end->mesh, diag);
	return take_ids(of, end->ids_key, list, end, diag);
}

/* One entry of an order, the tensor's dimension and those of the mesh: [0, [1, 0]], or an object of "tensor_dim" and
 * "mesh_dims". */
static bool order_dimension(json_t *entry, json_t **dim, json_t **axes)
{
	bool named = json_is_object(entry);
	*dim = named ? json_object_get(entry, "tensor_dim") : json_array_get(entry, 0);
	*axes = named ? json_object_get(entry, "mesh_dims") : json_array_get(entry, 1);
	size_t size = named ? json_object_size(entry) : json_array_size(entry);
	return size == 2 && json_is_integer(*dim) && json_is_array(*axes);
}

static bool take_order(const struct problem_json *of, const char *key, int64_t dim, json_t *axes,
	sw_sharding *sharding, sw_diag *diag)
{
	int64_t numbers[SW_MAX_AXES];
	size_t count = json_array_size(axes);
	if (!json_is_array(axes) || count > SW_MAX_AXES)
		return refuse_key(of, key, diag);
	for (size_t i = 0; i < count; i++) {
		if (!json_is_integer(json_array_get(axes, i)))
			return refuse_key(of, key, diag);
		numbers[i] = json_integer_value(json_array_get(axes, i));
	}
	return sw_sharding_order_by(sharding, dim, numbers, (int)count, diag) || refuse_value(of, key);
}

static bool dimension_number(const char *text, int64_t *dim)
{
	bool digits = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 4;
	*dim = 0;
	for (; digits && *text; text++)
		*dim = 10 * *dim + (*text - '0');
	return digits;
}

static bool read_order(const struct problem_json *of, const char *key, sw_sharding *sharding, sw_diag *diag)
{
	json_t *order, *axes, *dim;
	const char *text;
	size_t i;
	int64_t number;
	if (!take(of, key, SW_OPTIONAL, &order, diag))
		return false;
	json_object_foreach(order, text, axes)
	{
		if (!dimension_number(text, &number))
			return refuse_key(of, key, diag);
		if (!take_order(of, key, number, axes, sharding, diag))
			return false;
	}
	for (i = 0; i < json_array_size(order); i++) {
		if (!order_dimension(json_array_get(order, i), &dim, &axes))
			return refuse_key(of, key, diag);
		if (!take_order(of, key, json_integer_value(dim), axes, sharding, diag))
			return false;
	}
	return true;
}

/* ---- the array ---- */

/* The element type that the line says beside its types; *given tells whether it does. */
static bool read_dtype(const struct problem_json *of, sw_dtype *dtype, bool *given, sw_diag *diag)
{
	json_t *value;
	return take(of, "dtype", SW_OPTIONAL, &value, diag) &&
		sw_json_read_dtype(&of->in, of->json, "dtype", dtype, given);
}

static bool read_shape(const struct problem_json *of, sw_type *shape, bool *given, sw_diag *diag)
{
	json_t *sizes;
	int64_t global[SW_MAX_DIMS];
	sw_dtype dtype = SW_F32;
	bool typed;
	if (!take(of, "shape", SW_OPTIONAL, &sizes, diag))
		return false;
	size_t rank = json_array_size(sizes);
	*given = sizes != NULL;
	if (rank > SW_MAX_DIMS)
		return sw_diag_set(diag, SW_T06, nowhere, "more than %d dimensions", SW_MAX_DIMS);
	for (size_t i = 0; i < rank; i++) {
		global[i] = json_integer_value(json_array_get(sizes, i));
		if (global[i] < 1)
			return sw_diag_set(diag, SW_T05, nowhere, "a size in \"shape\" is not a number of at least 1");
	}
	if (!read_dtype(of, &dtype, &typed, diag) || !sw_type_replicated(dtype, (int)rank, global, shape, diag))
		return false;
	shape->dtype_given = typed;
	return true;
}

static bool is_array_of(const sw_type *type, const sw_type *shape)
{
	bool same = type->rank == shape->rank;
	for (int i = 0; same && i < type->rank; i++)
		same = shape->global[i] == sw_type_size(type, i);
	return same;
}

static bool refuse_shape(const struct problem_json *of, const sw_type *type, sw_diag *diag)
{
	sw_text sizes = {0};
	for (int i = 0; i < type->rank; i++)
		sw_text_addf(&sizes, "%s%lld", i ? ", " : "", (long long)sw_type_size(type, i));
	sw_diag_set(diag, SW_T09, nowhere, "\"from\" does not have the shape in \"shape\"");
	sw_diag_expected(diag, "\"shape\": [%s]", sw_text_get(&sizes));
	sw_diag_hint(diag, "types contain their shape: \"shape\" may be left out");
	sw_text_free(&sizes);
	return refuse_value(of, "from");
}

/* A type says its shape itself; where the line says it too the two agree. */
static bool check_shape(const struct problem_json *of, const sw_type *type, sw_diag *diag)
{
	sw_type shape;
	bool given;
	return !value_of(of, "shape") ||
		(read_shape(of, &shape, &given, diag) && (is_array_of(type, &shape) || refuse_shape(of, type, diag)));
}

/* ---- types of the language ---- */

/* "sub" of two dimensions, [IA, JA, M, N] from 1 on, is what of the array is moved. */
static sw_str within_sub(const struct problem_json *of, sw_str text)
{
	json_t *sub = value_of(of, "sub");
	int64_t number[4];
	sw_text words = {0};
	if (json_array_size(sub) != 4)
		return text;
	for (size_t i = 0; i < 4; i++)
		number[i] = json_integer_value(json_array_get(sub, i));
	sw_text_add_str(&words, text);
	sw_text_addf(&words, " only %lld:%lld, %lld:%lld", (long long)number[0] - 1,
		(long long)(number[0] - 1 + number[2]), (long long)number[1] - 1, (long long)(number[1] - 1 + number[3]));
	size_t length = words.length;
	const char *kept = sw_text_keep(&words, of->arena);
	return (sw_str){kept, kept ? length : 0};
}

static bool read_any_end(const struct problem_json *of, const char *key, sw_str text, const sw_mesh *mesh,
	sw_type *type, const sw_distribution **words, sw_diag *diag)
{
	const sw_distribution_names names = {.rule = of->rule, .pads = of->pads};
	return sw_type_parse_any(mesh, within_sub(of, text), &names, of->arena, type, words, diag) ||
		refuse_value(of, key);
}

static bool read_end(const struct problem_json *of, const char *key, const sw_mesh *mesh, sw_type *type,
	const sw_distribution **words, sw_diag *diag)
{
	json_t *value;
	if (!take(of, key, SW_REQUIRED, &value, diag))
		return false;
	if (sw_notation_known(text_of(value)) && of->any)
		return read_any_end(of, key, text_of(value), mesh, type, words, diag);
	if (sw_notation_known(text_of(value)))
		return sw_json_read_type(&of->in, value, key, mesh, of->pads, type);
	sw_notation_refuse(text_of(value), diag);
	return refuse_value(of, key);
}

static bool agree_dtype(const struct problem_json *of, const char *key, sw_dtype dtype, sw_type *type, sw_diag *diag)
{
	if (type->dtype_given && type->dtype != dtype) {
		sw_diag_set(diag, SW_T09, nowhere, "\"%s\" and \"dtype\" say different element types", key);
		sw_diag_expected(diag, "%s", sw_dtype_name(dtype));
		sw_diag_found(diag, "%s", sw_dtype_name(type->dtype));
		return refuse_value(of, key);
	}
	type->dtype = dtype;
	type->dtype_given = true;
	return true;
}

/* What "dtype" says holds for both ends, and so does what one of them says. */
static bool agree_dtypes(const struct problem_json *of, sw_problem *problem, sw_diag *diag)
{
	sw_dtype dtype;
	bool given;
	return read_dtype(of, &dtype, &given, diag) &&
		(!given ||
			(agree_dtype(of, "from", dtype, &problem->from, diag) &&
				agree_dtype(of, "to", dtype, &problem->to, diag)));
}

static bool read_types(struct problem_json *of, sw_problem *problem, sw_diag *diag)
{
	problem->to_order = NULL;
	problem->from_words = problem->to_words = NULL;
	if (!read_mesh(of, "mesh", &problem->mesh, diag))
		return false;
	if (!problem->mesh.count)
		return refuse_no_mesh(of, diag);
	if (!read_end(of, "from", &problem->mesh, &problem->from, &problem->from_words, diag) ||
		!read_end(of, "to", &problem->mesh, &problem->to, &problem->to_words, diag) ||
		!agree_dtypes(of, problem, diag) || !check_shape(of, &problem->from, diag))
		return false;
	if (!sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, diag))
		return refuse_value(of, "to");
	return sw_uneven_same_array(&problem->from, &problem->to, diag) || refuse_value(of, "to");
}

/* ---- shardings of other systems ---- */

/* A text may name its devices itself, and then has to name those of the mesh. */
static bool check_mesh(const struct problem_json *of, const struct end *end, sw_diag *diag)
{
	const sw_sharding *s = end->sharding;
	if (!end->mesh.count || s->kind != SW_SHARDING_TILED || s->mesh.devices == 0)
		return true;
	if (s->mesh.devices != end->mesh.devices) {
		sw_diag_set(diag, SW_N05, nowhere, "the sharding is over %lld devices, \"%s\" has %lld",
			(long long)s->mesh.devices, end->mesh_key, (long long)end->mesh.devices);
		sw_diag_expected(diag, "both over the same devices");
		return refuse_value(of, end->key);
	}
	bool said = end->mesh.order || end->numbers;
	if (!said || (end->mesh.order && s->mesh.order == end->mesh.order) || (end->numbers && !s->own_mesh))
		return true;
	sw_diag_set(diag, SW_N05, nowhere,
		"the sharding lists its devices itself, and \"%s\" lists them in another order", end->ids_key);
	sw_diag_expected(diag, "one of them");
	return refuse_value(of, end->ids_key);
}

static bool read_sharding_of(const struct problem_json *of, int rank, struct end *end, sw_diag *diag)
{
	sw_notation_context context = {.mesh = end->mesh.count ? &end->mesh : NULL,
		.rank = rank,
		.pads = of->pads,
		.numbers = end->two};
	json_t *text;
	if (!take(of, end->key, SW_REQUIRED, &text, diag))
		return false;
	if (!sw_sharding_parse(text_of(text), &context, of->arena, end->sharding, diag))
		return refuse_value(of, end->key);
	if (end->sharding->kind == SW_SHARDING_WORDS)
		end->sharding->words = within_sub(of, end->sharding->words);
	if (!read_order(of, end->order, end->sharding, diag) || !check_mesh(of, end, diag))
		return false;
	end->sharding->numbers = end->numbers ? end->numbers : end->sharding->numbers;
	end->sharding->listed = end->sharding->listed || (end->two && value_of(of, end->ids_key));
	return true;
}

/* Marks the end that is wrong by itself, else the second, which does not go with the first. */
static bool refuse_end(const struct problem_json *of, const struct end *from, const struct end *to,
	const sw_type *shape, sw_diag *diag)
{
	const sw_type *known = shape ? shape : to->sharding->has_shape ? &to->sharding->shape : NULL;
	bool first = sharding_is_wrong(from->sharding, known, from->mesh.devices, of->arena, diag->code);
	const char *key = first ? from->key : to->key;
	return refuse_value(of, key);
}

/* Sentences, one a line, each with the name of the problem. */
void problem_remarks(struct problem_json *of, const char *lines)
{
	while (lines && *lines) {
		size_t length = strcspn(lines, "\n");
		sw_text_addf(&of->remark, "%s%s: %.*s", of->remark.length ? "\n" : "", of->name ? of->name : "-", (int)length,
			lines);
		lines += length + (lines[length] == '\n');
	}
}

/* Both ends; of two meshes each has its own, and so do shardings that say theirs themselves. */
static void begin_ends(const struct problem_json *of, struct end *from, struct end *to)
{
	bool named = value_of(of, "src_mesh"), two = named || value_of(of, "to_mesh");
	bool numbered = two || value_of(of, "to_mesh_device_ids");
	*from = (struct end){.key = "from",
		.order = "from_shard_order",
		.mesh_key = named ? "src_mesh" : "mesh",
		.ids_key = "mesh_device_ids",
		.two = numbered || !value_of(of, "mesh"),
		.sharding = SW_NEW(of->arena, sw_sharding, 1)};
	*to = (struct end){.key = "to",
		.order = "to_shard_order",
		.mesh_key = named ? "dst_mesh" :
			two           ? "to_mesh" :
							"mesh",
		.ids_key = numbered ? "to_mesh_device_ids" : "mesh_device_ids",
		.two = from->two,
		.sharding = SW_NEW(of->arena, sw_sharding, 1)};
}

static bool read_shardings(struct problem_json *of, sw_problem *problem, sw_diag *diag)
{
	struct end from, to;
	sw_reading *reading = SW_NEW(of->arena, sw_reading, 1);
	sw_type shape;
	bool sized;
	begin_ends(of, &from, &to);
	if (!from.sharding || !to.sharding || !reading)
		return sw_diag_memory(diag);
	if (!read_mesh(of, from.mesh_key, &from.mesh, diag) || !read_mesh(of, to.mesh_key, &to.mesh, diag) ||
		!read_ids(of, &from, diag) || !read_ids(of, &to, diag) || !read_shape(of, &shape, &sized, diag))
		return false;
	int rank = sized ? shape.rank : -1;
	if (!read_sharding_of(of, rank, &from, diag) || !read_sharding_of(of, rank, &to, diag))
		return false;
	if (!sw_sharding_problem(from.sharding, to.sharding, sized ? &shape : NULL, of->arena, reading, diag))
		return refuse_end(of, &from, &to, sized ? &shape : NULL, diag);
	problem_remarks(of, from.sharding->note);
	if (!from.sharding->note || !to.sharding->note || strcmp(from.sharding->note, to.sharding->note) != 0)
		problem_remarks(of, to.sharding->note);
	problem_remarks(of, reading->remark);
	*problem = reading->problem;
	return agree_dtypes(of, problem, diag);
}

/* ---- placements of other libraries ---- */

/* One end over the mesh of the line, which may also be a type of the language. */
static bool read_placed_end(struct problem_json *of, const char *key, const sw_mesh *mesh, sw_type *type,
	const sw_distribution **words, sw_diag *diag)
{
	struct end end = {.key = key, .order = "", .mesh_key = "mesh", .sharding = SW_NEW(of->arena, sw_sharding, 1)};
	json_t *text;
	if (!end.sharding)
		return sw_diag_memory(diag);
	if (!take(of, key, SW_REQUIRED, &text, diag))
		return false;
	if (written_as(NULL, text_of(text)) != WRITTEN_AS_SHARDING)
		return read_end(of, key, mesh, type, words, diag);
	end.mesh = *mesh;
	if (!read_sharding_of(of, -1, &end, diag))
		return false;
	problem_remarks(of, end.sharding->note);
	return sw_sharding_any(end.sharding, mesh, NULL, of->arena, type, words, diag) || refuse_value(of, key);
}

/* Has an end words, and the line a mesh for both? */
static bool is_placed_line(const struct problem_json *of)
{
	sw_str from = text_of(value_of(of, "from")), to = text_of(value_of(of, "to"));
	return from.length && to.length && value_of(of, "mesh") &&
		(sw_notation_has_words(sw_notation_guess(from)) || sw_notation_has_words(sw_notation_guess(to)));
}

static bool read_placed(struct problem_json *of, sw_problem *problem, sw_diag *diag)
{
	*problem = (sw_problem){0};
	if (!read_mesh(of, "mesh", &problem->mesh, diag))
		return false;
	return read_placed_end(of, "from", &problem->mesh, &problem->from, &problem->from_words, diag) &&
		read_placed_end(of, "to", &problem->mesh, &problem->to, &problem->to_words, diag) &&
		agree_dtypes(of, problem, diag) && check_shape(of, &problem->from, diag) &&
		((sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, diag) &&
			 sw_type_redistributable(&problem->from, &problem->to, diag)) ||
			refuse_value(of, "to"));
}

/* ---- the whole ---- */

/* "name" or "id", text or number. */
static bool read_name(struct problem_json *of, sw_diag *diag)
{
	const char *key = value_of(of, "name") ? "name" : "id";
	json_t *value;
	if (!take(of, key, SW_OPTIONAL, &value, diag))
		return false;
	of->name = json_string_value(value);
	if (!json_is_integer(value))
		return true;
	char digits[32];
	int length = snprintf(digits, sizeof(digits), "%lld", (long long)json_integer_value(value));
	of->name = sw_arena_copy(of->arena, digits, (size_t)length);
	return of->name || sw_diag_memory(diag);
}

static bool is_foreign_line(const struct problem_json *of)
{
	const char *from = json_string_value(value_of(of, "from")), *to = json_string_value(value_of(of, "to"));
	if (!from || !to)
		return false;
	for (int i = 0; i < KEYS_READ; i++)
		if (keys_read[i].notation && value_of(of, keys_read[i].name))
			return true;
	return written_as(NULL, sw_str_of(from)) == WRITTEN_AS_SHARDING ||
		written_as(NULL, sw_str_of(to)) == WRITTEN_AS_SHARDING || json_is_null(json_object_get(of->json, "mesh")) ||
		strstr(from, "replicated") || strstr(from, "block-cyclic");
}

/* ---- descriptors of ScaLAPACK ---- */

/* Adds the numbers of a list, with this between them.  false: it is none of so many. */
static bool add_numbers(const json_t *list, size_t count, const char *between, sw_text *text)
{
	bool fits = json_array_size(list) == count;
	for (size_t i = 0; i < count && fits; i++) {
		const json_t *number = json_array_get(list, i);
		fits = json_is_integer(number);
		sw_text_addf(text, "%s%lld", i > 0 ? between : "", (long long)json_integer_value(number));
	}
	return fits;
}

static bool refuse_list(struct problem_json *of, const char *key, const char *expected, sw_diag *diag)
{
	sw_diag_set(diag, SW_B03, nowhere, value_of(of, key) ? "\"%s\" is not one" : "\"%s\" is missing", key);
	sw_diag_expected(diag, "%s", expected);
	diag->at = sw_json_locate(of->line, key);
	return false;
}

/* An end as the text that the notation reads. */
static bool put_descriptor(struct problem_json *of, const struct descriptor_keys *keys, sw_diag *diag)
{
	const char *order = json_string_value(value_of(of, keys->order));
	sw_text text = {0};
	sw_text_add(&text, "DESC = (");
	bool entries = add_numbers(value_of(of, keys->entries), json_array_size(value_of(of, keys->entries)), ", ",
					   &text) &&
		json_is_array(value_of(of, keys->entries));
	sw_text_add(&text, ") on ");
	bool grid = add_numbers(value_of(of, keys->grid), 2, " x ", &text);
	sw_text_add(&text, order && strcmp(order, "C") == 0 ? " column-major" : "");
	if (entries && grid)
		json_object_set_new(of->json, keys->end, json_string(sw_text_get(&text)));
	sw_text_free(&text);
	return (entries || refuse_list(of, keys->entries, "a descriptor of ScaLAPACK, 9 whole numbers", diag)) &&
		(grid || refuse_list(of, keys->grid, "[ROWS, COLUMNS] of processes", diag));
}

/* "desca" and "descc" say both ends where no texts do. */
static bool take_descriptors(struct problem_json *of, sw_diag *diag)
{
	if (value_of(of, "from") || value_of(of, "to") || !value_of(of, "desca") || !value_of(of, "descc"))
		return true;
	of->described = true;
	return put_descriptor(of, &descriptor_keys[0], diag) && put_descriptor(of, &descriptor_keys[1], diag);
}

bool problem_json_read(struct problem_json *of, sw_problem *problem, sw_diag *diag)
{
	of->json = sw_json_parse(of->line, "not JSON: ", diag);
	if (!of->json)
		return false;
	of->in = (sw_json_in){.text = of->line, .arena = of->arena, .diag = diag, .code = SW_B03};
	if (!take_descriptors(of, diag))
		return false;
	bool (*read)(struct problem_json *, sw_problem *, sw_diag *) = is_placed_line(of) ? read_placed :
		is_foreign_line(of)                                                           ? read_shardings :
																						read_types;
	return read_name(of, diag) && keys_check(of->json, of->line, of->named, &of->remark, diag) &&
		read(of, problem, diag);
}

/* ---- for answers ---- */

sw_str problem_text(const struct problem_json *of, const char *key)
{
	const json_t *value = json_object_get(of->json, key);
	return (sw_str){json_string_value(value), json_string_length(value)};
}

struct fields *problem_fields(struct problem_json *of, const char *schema)
{
	of->answer = of->for_programs ? fields_new(of->arena) : NULL;
	field_text(of->answer, "schema", schema);
	field_text(of->answer, "name", of->name);
	return of->answer;
}

void problem_words(const struct problem_json *of, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	sw_text_addf(of->out, "%-14s ", of->name ? of->name : "-");
	sw_text_addv(of->out, format, arguments);
	sw_text_add_char(of->out, '\n');
	va_end(arguments);
}

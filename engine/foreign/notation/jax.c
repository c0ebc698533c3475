/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JAX: PartitionSpec, the shardings made of it, and what jax.typeof says.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "array/parts.h"

static const sw_span nowhere = {0, 0};

/* ---- specs ---- */

static bool jax_read_axis_name(sw_reader *reader)
{
	sw_str name;
	sw_span at;
	return sw_scan_name(&reader->scan, "None, the name of an axis, or a tuple of them", nowhere, &name, &at) &&
		sw_read_part(reader, name, at, 1, 0);
}

static bool jax_read_axis_names(sw_reader *reader, sw_py_list *list)
{
	while (sw_py_next(list))
		if (!jax_read_axis_name(reader))
			return false;
	return list->ok;
}

/* One name, or several in parentheses. */
static bool jax_read_axes(sw_reader *reader)
{
	sw_py_list list;
	bool several = sw_py_open(&list, &reader->scan, "(", NULL);
	return several ? jax_read_axis_names(reader, &list) : jax_read_axis_name(reader);
}

static bool jax_read_entry(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at = sw_scan_next_span(&reader->scan);
	size_t before = reader->scan.at;
	sw_span word_at;
	sw_str word = sw_py_word(&reader->scan, &word_at);
	if (sw_str_is(word, "None"))
		return sw_read_end_dim(reader, at);
	if (sw_str_is(word, "UNCONSTRAINED")) {
		if (!sw_read_end_dim(reader, at))
			return false;
		out->open |= 1u << (out->rank - 1);
		return true;
	}
	reader->scan.at = before;
	return jax_read_axes(reader) && sw_read_end_dim(reader, at);
}

/* `unreduced={'x'}` after the dimensions. */
static bool jax_read_keyword(sw_reader *reader, bool *found)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	bool unreduced = sw_read_word(reader, "unreduced");
	*found = unreduced || sw_read_word(reader, "reduced");
	if (!*found)
		return true;
	if (!sw_scan_expect(&reader->scan, '=', "'='", nowhere))
		return false;
	bool frozen = sw_read_word(reader, "frozenset") && sw_read_sign(reader, "(");
	sw_py_list list;
	return sw_py_open(&list, &reader->scan, "{", "'{' and axes") && jax_read_axis_names(reader, &list) &&
		(!frozen || sw_scan_expect(&reader->scan, ')', "')'", list.open)) &&
		sw_read_end_subgroup(reader, unreduced ? SW_SUBGROUP_UNREDUCED : SW_SUBGROUP_REPLICATED, at);
}

/* After `P` or `PartitionSpec`. */
static bool jax_read_spec(sw_reader *reader)
{
	sw_py_list list;
	bool keyword, keywords = false;
	reader->out->extends = true;
	if (!sw_py_open(&list, &reader->scan, "(", "'(' and an entry for each dimension"))
		return false;
	while (sw_py_next(&list)) {
		if (!jax_read_keyword(reader, &keyword))
			return false;
		keywords = keywords || keyword;
		if (keywords && !keyword)
			return sw_read_refuse(reader, "dimensions before unreduced={...}");
		if (!keyword && !jax_read_entry(reader))
			return false;
	}
	return list.ok;
}

static bool jax_is_spec(sw_str word)
{
	return sw_str_is(word, "P") || sw_str_is(word, "PartitionSpec");
}

/* `spec=` or, in older versions, `partition_spec=` */
static bool jax_read_keyword_spec(sw_reader *reader)
{
	bool keyword = sw_read_word(reader, "spec") || sw_read_word(reader, "partition_spec");
	if (keyword && !sw_scan_expect(&reader->scan, '=', "'='", nowhere))
		return false;
	sw_span at;
	size_t before = reader->scan.at;
	if (jax_is_spec(sw_py_word(&reader->scan, &at)))
		return jax_read_spec(reader);
	reader->scan.at = before;
	return sw_read_refuse(reader, "PartitionSpec(...)");
}

/* After `NamedSharding`; the mesh may be a variable called so. */
static bool jax_read_named(sw_reader *reader)
{
	sw_py_list list;
	bool mesh;
	if (!sw_py_open(&list, &reader->scan, "(", "'(' and the mesh"))
		return false;
	sw_py_named(&reader->scan, "mesh");
	if (!sw_read_jax_mesh(reader, &mesh))
		return false;
	if (!mesh && !sw_read_word(reader, "mesh"))
		return sw_read_refuse(reader, "Mesh(...)");
	return sw_scan_expect(&reader->scan, ',', "a comma and the spec", nowhere) && jax_read_keyword_spec(reader) &&
		sw_py_rest(&list);
}

/* ---- single devices ---- */

/* The number behind the last letter of a name such as TFRT_CPU_0; -1: there is none. */
static int64_t jax_last_number(sw_str name)
{
	int64_t number = 0;
	size_t first = name.length;
	while (first > 0 && name.at[first - 1] >= '0' && name.at[first - 1] <= '9')
		first--;
	if (first == name.length || name.length - first > 9)
		return -1;
	for (size_t i = first; i < name.length; i++)
		number = number * 10 + (name.at[i] - '0');
	return number;
}

/* `(id=3, process_index=0, coords=(0,0,0))`, after the device's class */
static bool jax_read_device_id(sw_reader *reader, int64_t *id)
{
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "(", NULL))
		return true;
	while (sw_py_next(&list))
		if (!sw_py_named(&reader->scan, "id"))
			sw_py_value(&reader->scan);
		else if (!sw_read_number(reader, "number of the device", 0, SW_MAX_DEVICES, id))
			return false;
	return list.ok;
}

/* `CpuDevice(id=3)`, `cuda:3`, `TFRT_CPU_3`, `jax.devices()[3]` */
static bool jax_read_device(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at, open;
	int64_t id = jax_last_number(sw_scan_word(&reader->scan, &at));
	if (!jax_read_device_id(reader, &id))
		return false;
	open = sw_scan_next_span(&reader->scan);
	if (sw_read_sign(reader, ":") && !sw_read_number(reader, "number of the device", 0, SW_MAX_DEVICES, &id))
		return false;
	if (sw_scan_take(&reader->scan, '[') &&
		(!sw_read_number(reader, "number of the device", 0, SW_MAX_DEVICES, &id) ||
			!sw_scan_expect(&reader->scan, ']', "']'", open)))
		return false;
	out->kind = SW_SHARDING_MAXIMAL;
	out->device = id;
	return id >= 0 || sw_diag_set(reader->scan.diag, SW_N01, at, "this device has no number");
}

/* After `SingleDeviceSharding`. */
static bool jax_read_single(sw_reader *reader)
{
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "(", "'(' and the device"))
		return false;
	sw_py_named(&reader->scan, "device");
	return jax_read_device(reader) && sw_py_rest(&list);
}

static bool jax_read_gspmd(sw_reader *reader)
{
	sw_py_list list;
	return sw_py_open(&list, &reader->scan, "(", "'('") && sw_read_hlo(reader) && sw_py_rest(&list);
}

static const struct {
	const char *word;
	sw_reader_function *read; /* what follows it */
} jax_words[] = {{"P", jax_read_spec}, {"PartitionSpec", jax_read_spec}, {"NamedSharding", jax_read_named},
	{"MeshPspecSharding", jax_read_named}, {"SingleDeviceSharding", jax_read_single},
	{"GSPMDSharding", jax_read_gspmd}};

bool sw_read_jax(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at;
	bool mesh;
	size_t before = reader->scan.at;
	sw_str word = sw_py_word(&reader->scan, &at);
	out->notation = SW_NOTATION_JAX;
	for (size_t i = 0; i < sizeof(jax_words) / sizeof(*jax_words); i++)
		if (sw_str_is(word, jax_words[i].word))
			return jax_words[i].read(reader);
	reader->scan.at = before;
	out->kind = SW_SHARDING_MESH;
	if (!sw_read_jax_mesh(reader, &mesh))
		return false;
	if (!mesh)
		out->kind = SW_SHARDING_TILED;
	return mesh ||
		sw_read_refuse(reader,
			"P(...), PartitionSpec(...), NamedSharding(...), SingleDeviceSharding(...), "
			"Mesh(...) or make_mesh(...)");
}

/* ---- jax.typeof ---- */

static bool typeof_read_dim(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at = sw_scan_next_span(&reader->scan);
	int64_t size;
	if (out->rank == SW_MAX_DIMS)
		return sw_read_end_dim(reader, at);
	if (!sw_read_number(reader, "size of the dimension", 1, INT64_MAX, &size))
		return false;
	out->shape.global[out->rank] = size;
	return (!sw_scan_take(&reader->scan, '@') || jax_read_axes(reader)) && sw_read_end_dim(reader, at);
}

/* The first of the axes over which values vary: `V:x`, or the name alone as earlier versions print it. */
static bool typeof_read_varying(sw_reader *reader)
{
	sw_span at;
	if (sw_read_sign(reader, "V:")) {
		sw_py_value(&reader->scan);
		return true;
	}
	int next = sw_scan_word(&reader->scan, &at).length ? sw_scan_peek(&reader->scan) : 0;
	return next == ',' || next == '}' || sw_read_refuse(reader, "V:, U: or R: and axes");
}

static bool typeof_read_sum(sw_reader *reader, sw_span at)
{
	return jax_read_axes(reader) && sw_read_end_subgroup(reader, SW_SUBGROUP_UNREDUCED, at);
}

/* `{V:x, U:(y,z), R:w}`: axes over which values vary, are parts of a sum, were summed */
static bool typeof_read_states(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	bool varies = false;
	for (bool more = sw_scan_take(scan, '{'); more;) {
		sw_span at = sw_scan_next_span(scan);
		bool sum = sw_read_sign(reader, "U:"), summed = !sum && sw_read_sign(reader, "R:");
		varies |= !sum && !summed;
		if (summed)
			sw_py_value(&reader->scan);
		else if (!(sum ? typeof_read_sum(reader, at) : typeof_read_varying(reader)))
			return false;
		if (!sw_scan_list(scan, '}', "a comma or '}'", open, &more))
			return false;
	}
	if (varies)
		sw_read_note(reader,
			"names in braces after the bracket are manual axes over which values vary: that is not a sharding");
	return true;
}

/* `<host>` after the element type says in which memory. */
static bool typeof_read_dtype(sw_reader *reader, sw_dtype *dtype)
{
	sw_span at;
	sw_str word = sw_py_word(&reader->scan, &at);
	if (!sw_dtype_parse(word, dtype, reader->scan.diag)) {
		if (reader->scan.diag)
			reader->scan.diag->at = at;
		return false;
	}
	if (sw_scan_take(&reader->scan, '<'))
		return sw_scan_word(&reader->scan, &at).length ? sw_scan_expect(&reader->scan, '>', "'>'", at) :
														 sw_read_refuse(reader, "the name of a memory");
	return true;
}

/* `float32[8@x,4]{V:y}` */
static bool typeof_read(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span open;
	int64_t global[SW_MAX_DIMS];
	sw_dtype dtype;
	if (!typeof_read_dtype(reader, &dtype))
		return false;
	open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '[', "'[' and the dimensions", nowhere))
		return false;
	for (bool more = !sw_scan_take(&reader->scan, ']'); more;)
		if (!typeof_read_dim(reader) || !sw_scan_list(&reader->scan, ']', "a comma or ']'", open, &more))
			return false;
	if (!typeof_read_states(reader))
		return false;
	memcpy(global, out->shape.global, sizeof(global));
	if (!sw_type_replicated(dtype, out->rank, global, &out->shape, reader->scan.diag))
		return false;
	out->has_shape = out->shape.dtype_given = true;
	return true;
}

/* After `ShapeDtypeStruct`: `(shape=(16, 16), dtype=float32, sharding=NamedSharding(...))` */
static bool typeof_read_struct(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_py_list list;
	sw_numbers sizes = {0};
	sw_dtype dtype = SW_F32;
	bool sharded = false, ok = sw_py_open(&list, scan, "(", "'('");
	while (ok && sw_py_next(&list))
		if (sw_py_named(scan, "shape"))
			ok = sw_read_sizes(reader, &sizes);
		else if (sw_py_named(scan, "dtype"))
			ok = typeof_read_dtype(reader, &dtype);
		else if (sw_py_named(scan, "sharding"))
			ok = sharded = sw_read_jax(reader);
		else
			sw_py_value(scan);
	return ok && list.ok &&
		(sharded ? sw_read_shape(reader, dtype, &sizes) : sw_read_refuse(reader, "sharding=NamedSharding(...)"));
}

bool sw_read_jax_type(sw_reader *reader)
{
	sw_span at;
	size_t before = reader->scan.at;
	sw_str word = sw_py_word(&reader->scan, &at);
	sw_py_list list;
	reader->out->notation = SW_NOTATION_JAX_TYPE;
	if (sw_str_is(word, "ShapeDtypeStruct"))
		return typeof_read_struct(reader);
	if (sw_str_is(word, "ShapedArray"))
		return sw_py_open(&list, &reader->scan, "(", "'(' and a type such as float32[8@x,4]") &&
			typeof_read(reader) && sw_py_rest(&list);
	reader->scan.at = before;
	return typeof_read(reader);
}

/* ---- printing ---- */

static void jax_print_names(const sw_sharding *s, int slot, const char *quote, const char *comma, sw_text *text)
{
	int count = s->first[slot + 1] - s->first[slot];
	sw_text_add(text, count > 1 ? "(" : "");
	for (int i = s->first[slot]; i < s->first[slot + 1]; i++)
		sw_text_addf(text, "%s%s%s%s", i > s->first[slot] ? comma : "", quote, s->mesh.axis[s->parts[i].axis].name,
			quote);
	sw_text_add(text, count > 1 ? ")" : "");
}

static void jax_print_spec(const sw_sharding *s, sw_text *text)
{
	sw_sharding fine;
	sw_sharding_refine(s, &fine);
	sw_text_add(text, "PartitionSpec(");
	for (int d = 0; d < fine.rank; d++) {
		sw_text_add(text, d ? ", " : "");
		if (fine.first[d] == fine.first[d + 1])
			sw_text_add(text, fine.open >> d & 1 ? "PartitionSpec.UNCONSTRAINED" : "None");
		else
			jax_print_names(&fine, d, "'", ", ", text);
	}
	sw_text_add(text, fine.rank == 1 ? "," : "");
	for (int g = 0; g < fine.subgroups; g++) {
		int slot = fine.rank + g;
		if (fine.subgroup[g] != SW_SUBGROUP_UNREDUCED || fine.first[slot] == fine.first[slot + 1])
			continue;
		sw_text_addf(text, "%sunreduced={", fine.rank ? fine.rank == 1 ? " " : ", " : "");
		for (int i = fine.first[slot]; i < fine.first[slot + 1]; i++)
			sw_text_addf(text, "%s'%s'", i > fine.first[slot] ? ", " : "", fine.mesh.axis[fine.parts[i].axis].name);
		sw_text_add(text, "}");
	}
	sw_text_add(text, ")");
}

bool sw_print_jax(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	bool named = s->own_mesh && s->notation == SW_NOTATION_JAX;
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_jax(s, arena, text, diag);
	if (s->kind == SW_SHARDING_MAXIMAL) {
		sw_text_addf(text, "SingleDeviceSharding(jax.devices()[%" PRId64 "])", s->device);
		return true;
	}
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_JAX, "it has no tiles");
	if (named) {
		sw_text_add(text, "NamedSharding(mesh=");
		sw_mesh_jax(s, arena, text, diag);
		sw_text_add(text, ", spec=");
	}
	jax_print_spec(s, text);
	sw_text_add(text, named ? ")" : "");
	return true;
}

/* The name of an element type as numpy writes it. */
static void typeof_print_dtype(sw_dtype dtype, sw_text *text)
{
	static const struct {
		char letter;
		const char *name;
	} kinds[] = {{'i', "int"}, {'u', "uint"}, {'f', "float"}, {'b', "bfloat"}, {'c', "complex"}};
	const char *name = sw_dtype_name(dtype), *digits = name + strcspn(name, "0123456789");
	bool plain = digits[strspn(digits, "0123456789")] == '\0';
	const char *longer = dtype == SW_PRED ? "bool" : dtype == SW_F8E5M2 ? "float8_e5m2" : NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !longer && plain; i++)
		if (*name == kinds[i].letter) {
			sw_text_addf(text, "%s%s", kinds[i].name, digits);
			return;
		}
	sw_text_add(text, longer ? longer : name);
}

static void typeof_print_sum(const sw_sharding *s, sw_text *text)
{
	for (int g = 0; g < s->subgroups; g++) {
		if (s->subgroup[g] != SW_SUBGROUP_UNREDUCED || sw_subgroup_first(s, g) == sw_subgroup_first(s, g + 1))
			continue;
		sw_text_add(text, "{U:");
		jax_print_names(s, s->rank + g, "", ",", text);
		sw_text_add(text, "}");
	}
}

bool sw_print_jax_type(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_JAX_TYPE, "it has no tiles");
	if (!s->has_shape)
		return sw_print_refuse(diag, SW_NOTATION_JAX_TYPE, "the sizes of the array are unknown");
	typeof_print_dtype(s->shape.dtype, text);
	sw_sharding_refine(s, &fine);
	sw_text_add(text, "[");
	for (int d = 0; d < fine.rank; d++) {
		sw_text_addf(text, "%s%" PRId64, d ? "," : "", fine.shape.global[d]);
		if (fine.first[d] < fine.first[d + 1]) {
			sw_text_add(text, "@");
			jax_print_names(&fine, d, "", ",", text);
		}
	}
	sw_text_add(text, "]");
	typeof_print_sum(&fine, text);
	return true;
}

bool sw_mesh_jax(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	(void)diag;
	sw_sharding_refine(s, &fine);
	const sw_mesh *mesh = &fine.mesh;
	if (fine.mesh.order) {
		sw_text_add(text, "Mesh(device_ids=array(");
		sw_print_rows(mesh, fine.mesh.order, 0, 0, text);
		sw_text_add(text, "), axis_names=(");
		for (int i = 0; i < mesh->count; i++)
			sw_text_addf(text, "%s'%s'%s", i ? ", " : "", mesh->axis[i].name, mesh->count == 1 ? "," : "");
		sw_text_add(text, "))");
		return true;
	}
	sw_text_add(text, "Mesh(");
	for (int i = 0; i < mesh->count; i++)
		sw_text_addf(text, "%s'%s': %" PRId64, i ? ", " : "", mesh->axis[i].name, mesh->axis[i].size);
	sw_text_add(text, ")");
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JAX: PartitionSpec, NamedSharding, meshes in all the ways they print, and what jax.typeof says.
 */
#include "notation/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "array/parts.h"

static const sw_span nowhere = {0, 0};

/* ---- meshes ---- */

/* Rows of names: ('x', 'y') or just 'x' */
static bool jax_read_names(sw_reader *reader, sw_str *name, sw_span *at, int *count)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	*count = 0;
	if (!sw_scan_take(&reader->scan, '('))
		return sw_scan_name(&reader->scan, "the name of an axis", nowhere, &name[0], &at[0]) && (*count = 1);
	for (bool more = true; more;) {
		if (*count && sw_scan_take(&reader->scan, ')'))
			return true;
		if (*count == SW_MAX_AXES)
			return sw_read_refuse(reader, "at most 64 names");
		if (!sw_scan_name(&reader->scan, "the name of an axis", open, &name[*count], &at[*count]))
			return false;
		++*count;
		if (!sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
	}
	return true;
}

/* The mesh of these sizes, and the names that come next. */
static bool jax_read_named_sizes(sw_reader *reader, const int64_t *size, int sizes)
{
	sw_str name[SW_MAX_AXES];
	sw_span at[SW_MAX_AXES], all = sw_scan_next_span(&reader->scan);
	sw_sharding *out = reader->out;
	int count;
	if (!jax_read_names(reader, name, at, &count))
		return false;
	all.end = reader->scan.at;
	if (count != sizes) {
		sw_diag_set(reader->scan.diag, SW_N01, all, "%d names for %d axes", count, sizes);
		sw_diag_expected(reader->scan.diag, "%d names", sizes);
		return false;
	}
	out->mesh = (sw_mesh){.devices = 1};
	out->ids = NULL;
	out->named = out->own_mesh = true;
	for (int i = 0; i < count; i++)
		if (!sw_mesh_add(&out->mesh, name[i], size[i], reader->scan.diag)) {
			if (reader->scan.diag)
				reader->scan.diag->at = at[i];
			return false;
		}
	return true;
}

/* Steps over `, keyword=value` and so on up to ')'. */
static bool jax_skip_rest(sw_reader *reader, sw_span open)
{
	for (bool more;;) {
		if (!sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
		if (!more || sw_scan_take(&reader->scan, ')'))
			return true;
		sw_read_skip(reader);
	}
}

static bool jax_read_ids_mesh(sw_reader *reader)
{
	sw_numbers ids = {0};
	int64_t dim[SW_MAX_DIMS];
	int dims;
	sw_span at = sw_scan_next_span(&reader->scan);
	bool array = sw_read_word(reader, "array") || sw_read_word(reader, "np.array");
	if ((array && !sw_scan_expect(&reader->scan, '(', "'('", nowhere)) ||
	    !sw_read_array(reader, &ids, dim, &dims) || (array && !sw_scan_expect(&reader->scan, ')', "')'", at)))
		return false;
	at.end = reader->scan.at;
	if (!sw_scan_expect(&reader->scan, ',', "a comma and the names of the axes", nowhere))
		return false;
	if (sw_read_word(reader, "axis_names") && !sw_scan_expect(&reader->scan, '=', "'='", nowhere))
		return false;
	if (!jax_read_named_sizes(reader, dim, dims))
		return false;
	if (reader->out->mesh.devices != ids.count)
		return sw_diag_set(reader->scan.diag, SW_N04, at, "the rows of devices are not equally long");
	return sw_read_ids(reader, ids.at, ids.count, at);
}

/* `np.array(jax.devices()).reshape(4, 2), ('x','y')` */
static bool jax_read_reshaped(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	int64_t size[SW_MAX_AXES];
	while (sw_scan_peek(scan) >= 0 && !sw_read_sees(reader, ".reshape"))
		scan->at++;
	if (!sw_read_sign(reader, ".reshape"))
		return sw_read_refuse(reader, "the shape of the mesh, .reshape(4, 2)");
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and the sizes of the axes", nowhere))
		return false;
	bool nested = sw_scan_take(scan, '(');
	int sizes = sw_read_numbers(reader, ')', open, "size of the axis", 1, size, SW_MAX_AXES);
	if (sizes < 0 || (nested && !sw_scan_expect(scan, ')', "')'", open)))
		return false;
	if (!sw_scan_expect(scan, ',', "a comma and the names of the axes", nowhere))
		return false;
	if (sw_read_word(reader, "axis_names"))
		sw_read_sign(reader, "=");
	return jax_read_named_sizes(reader, size, sizes);
}

/* `'x': 4, 'y': 2, axis_types=(Auto, Auto))` */
static bool jax_read_sized(sw_reader *reader, sw_span open)
{
	sw_sharding *out = reader->out;
	out->mesh = (sw_mesh){.devices = 1};
	out->ids = NULL;
	out->named = out->own_mesh = true;
	while (sw_read_sees(reader, "'") || sw_read_sees(reader, "\"")) {
		sw_str name;
		sw_span at;
		int64_t size;
		bool more;
		if (!sw_scan_name(&reader->scan, "the name of an axis", nowhere, &name, &at) ||
		    !sw_scan_expect(&reader->scan, ':', "':' and the axis's size", nowhere) ||
		    !sw_read_number(reader, "size of the axis", 1, SW_MAX_DEVICES, &size))
			return false;
		if (!sw_mesh_add(&out->mesh, name, size, reader->scan.diag)) {
			if (reader->scan.diag)
				reader->scan.diag->at = at;
			return false;
		}
		if (!sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
		if (!more || sw_scan_take(&reader->scan, ')'))
			return true;
	}
	sw_read_skip(reader);
	return jax_skip_rest(reader, open);
}

/* After `Mesh` or `AbstractMesh`. */
static bool jax_read_mesh(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '(', "'(' and the mesh", nowhere))
		return false;
	if (sw_read_sees(reader, "'") || sw_read_sees(reader, "\"") || sw_read_sees(reader, ")"))
		return sw_read_sees(reader, ")") ? sw_read_refuse(reader, "the axes") : jax_read_sized(reader, open);
	if (sw_read_word(reader, "device_ids")) {
		if (!sw_scan_expect(&reader->scan, '=', "'='", nowhere) || !jax_read_ids_mesh(reader))
			return false;
	} else if (sw_read_sees(reader, "[") || sw_read_sees(reader, "(") || sw_read_sees(reader, "array")) {
		if (!jax_read_ids_mesh(reader))
			return false;
	} else if (!jax_read_reshaped(reader)) {
		return false;
	}
	return jax_skip_rest(reader, open);
}

/* After `make_mesh`. */
static bool jax_read_make_mesh(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	int64_t size[SW_MAX_AXES];
	if (!sw_scan_expect(&reader->scan, '(', "'('", nowhere))
		return false;
	if (sw_read_word(reader, "axis_shapes"))
		sw_read_sign(reader, "=");
	sw_span inner = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '(', "'(' and the sizes of the axes", nowhere))
		return false;
	int sizes = 0;
	for (bool more = true; more;) {
		if (sizes && sw_scan_take(&reader->scan, ')'))
			break;
		if (sizes == SW_MAX_AXES)
			return sw_read_refuse(reader, "at most 64 sizes");
		if (!sw_read_number(reader, "size of the axis", 1, SW_MAX_DEVICES, &size[sizes++]) ||
		    !sw_scan_list(&reader->scan, ')', "a comma or ')'", inner, &more))
			return false;
	}
	if (!sw_scan_expect(&reader->scan, ',', "a comma and the names of the axes", nowhere))
		return false;
	if (sw_read_word(reader, "axis_names"))
		sw_read_sign(reader, "=");
	return jax_read_named_sizes(reader, size, sizes) && jax_skip_rest(reader, open);
}

/* ---- specs ---- */

static bool jax_read_axis_name(sw_reader *reader)
{
	sw_str name;
	sw_span at;
	return sw_scan_name(&reader->scan, "None, the name of an axis, or a tuple of them", nowhere, &name, &at) &&
		sw_read_part(reader, name, at, 1, 0);
}

/* Names up to `close`. */
static bool jax_read_axis_names(sw_reader *reader, char close, sw_span open)
{
	if (sw_scan_take(&reader->scan, close))
		return true;
	for (bool more = true; more;) {
		if (!jax_read_axis_name(reader) ||
		    !sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, &more))
			return false;
		if (more && sw_scan_take(&reader->scan, close))
			return true;
	}
	return true;
}

static bool jax_read_entry(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at = sw_scan_next_span(&reader->scan);
	size_t before = reader->scan.at;
	sw_span word_at;
	sw_str word = sw_read_call(reader, &word_at);
	if (sw_str_is(word, "None"))
		return sw_read_end_dim(reader, at);
	if (sw_str_is(word, "UNCONSTRAINED")) {
		if (!sw_read_end_dim(reader, at))
			return false;
		out->open |= 1u << (out->rank - 1);
		return true;
	}
	reader->scan.at = before;
	bool ok = sw_scan_take(&reader->scan, '(') ? jax_read_axis_names(reader, ')', at) : jax_read_axis_name(reader);
	return ok && sw_read_end_dim(reader, at);
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
	sw_span open = sw_scan_next_span(&reader->scan);
	return sw_scan_expect(&reader->scan, '{', "'{' and axes", nowhere) &&
		jax_read_axis_names(reader, '}', open) && (!frozen || sw_scan_expect(&reader->scan, ')', "')'", open)) &&
		sw_read_end_subgroup(reader, unreduced ? SW_SUBGROUP_UNREDUCED : SW_SUBGROUP_REPLICATED, at);
}

/* After `P` or `PartitionSpec`. */
static bool jax_read_spec(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	bool keyword, keywords = false;
	reader->out->extends = true;
	if (!sw_scan_expect(&reader->scan, '(', "'(' and an entry for each dimension", nowhere))
		return false;
	for (bool more = true; more;) {
		if (sw_scan_take(&reader->scan, ')'))
			return true;
		if (!jax_read_keyword(reader, &keyword))
			return false;
		keywords = keywords || keyword;
		if (keywords && !keyword)
			return sw_read_refuse(reader, "dimensions before unreduced={...}");
		if (!keyword && !jax_read_entry(reader))
			return false;
		if (!sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
	}
	return true;
}

static bool jax_is_spec(sw_str word)
{
	return sw_str_is(word, "P") || sw_str_is(word, "PartitionSpec");
}

static bool jax_read_some_mesh(sw_reader *reader, sw_str word)
{
	return sw_str_is(word, "make_mesh") ? jax_read_make_mesh(reader) : jax_read_mesh(reader);
}

static bool jax_is_mesh(sw_str word)
{
	return sw_str_is(word, "Mesh") || sw_str_is(word, "AbstractMesh") || sw_str_is(word, "make_mesh");
}

/* After `NamedSharding`. */
static bool jax_read_named(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan), at;
	if (!sw_scan_expect(&reader->scan, '(', "'(' and the mesh", nowhere))
		return false;
	size_t before = reader->scan.at;
	if (!(sw_read_word(reader, "mesh") && sw_read_sign(reader, "=")))
		reader->scan.at = before;
	before = reader->scan.at;
	sw_str word = sw_read_call(reader, &at);
	if (jax_is_mesh(word)) {
		if (!jax_read_some_mesh(reader, word))
			return false;
	} else if (!sw_str_is(word, "mesh")) {
		reader->scan.at = before;
		return sw_read_refuse(reader, "Mesh(...)");
	}
	if (!sw_scan_expect(&reader->scan, ',', "a comma and the spec", nowhere))
		return false;
	if (sw_read_word(reader, "spec") && !sw_scan_expect(&reader->scan, '=', "'='", nowhere))
		return false;
	before = reader->scan.at;
	if (jax_is_spec(sw_read_call(reader, &at)))
		return jax_read_spec(reader) && jax_skip_rest(reader, open);
	reader->scan.at = before;
	return sw_read_refuse(reader, "PartitionSpec(...)");
}

bool sw_read_jax(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at, open;
	size_t before = reader->scan.at;
	sw_str word = sw_read_call(reader, &at);
	out->notation = SW_NOTATION_JAX;
	if (jax_is_spec(word))
		return jax_read_spec(reader);
	if (sw_str_is(word, "NamedSharding"))
		return jax_read_named(reader);
	if (jax_is_mesh(word)) {
		out->kind = SW_SHARDING_MESH;
		return jax_read_some_mesh(reader, word);
	}
	if (sw_str_is(word, "GSPMDSharding")) {
		open = sw_scan_next_span(&reader->scan);
		return sw_scan_expect(&reader->scan, '(', "'('", nowhere) && sw_read_hlo(reader) &&
			jax_skip_rest(reader, open);
	}
	reader->scan.at = before;
	return sw_read_refuse(reader, "P(...), PartitionSpec(...), NamedSharding(...), Mesh(...) or make_mesh(...)");
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
	if (sw_scan_take(&reader->scan, '@')) {
		sw_span open = sw_scan_next_span(&reader->scan);
		bool ok = sw_scan_take(&reader->scan, '(') ? jax_read_axis_names(reader, ')', open) :
			jax_read_axis_name(reader);
		if (!ok)
			return false;
	}
	return sw_read_end_dim(reader, at);
}

bool sw_read_jax_type(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span at, open;
	int64_t global[SW_MAX_DIMS];
	sw_str word = sw_read_call(reader, &at);
	sw_dtype dtype;
	out->notation = SW_NOTATION_JAX_TYPE;
	if (!sw_dtype_parse(word, &dtype, reader->scan.diag)) {
		if (reader->scan.diag)
			reader->scan.diag->at = at;
		return false;
	}
	open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '[', "'[' and the dimensions", nowhere))
		return false;
	for (bool more = !sw_scan_take(&reader->scan, ']'); more;)
		if (!typeof_read_dim(reader) || !sw_scan_list(&reader->scan, ']', "a comma or ']'", open, &more))
			return false;
	if (sw_read_sees(reader, "{")) { /* axes over which it varies: no sharding */
		reader->scan.at++;
		out->varies = true;
		while (sw_scan_peek(&reader->scan) >= 0 && !sw_scan_take(&reader->scan, '}'))
			reader->scan.at++;
	}
	memcpy(global, out->shape.global, sizeof(global));
	if (!sw_type_replicated(dtype, out->rank, global, &out->shape, reader->scan.diag))
		return false;
	out->shape.dtype_given = true;
	out->has_shape = true;
	return true;
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
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_JAX, "it cuts no array in tiles");
	if (named) {
		sw_text_add(text, "NamedSharding(mesh=");
		sw_mesh_jax(s, arena, text, diag);
		sw_text_add(text, ", spec=");
	}
	jax_print_spec(s, text);
	sw_text_add(text, named ? ")" : "");
	return true;
}

bool sw_print_jax_type(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_JAX_TYPE, "it cuts no array in tiles");
	if (!s->has_shape)
		return sw_print_refuse(diag, SW_NOTATION_JAX_TYPE, "the sizes of the array are not known");
	static const struct {
		char letter;
		const char *name;
	} kinds[] = {{'i', "int"}, {'u', "uint"}, {'f', "float"}, {'b', "bfloat"}, {'c', "complex"}};
	const char *name = sw_dtype_name(s->shape.dtype), *digits = name + strcspn(name, "0123456789");
	bool plain = digits[strspn(digits, "0123456789")] == '\0';
	const char *longer = s->shape.dtype == SW_PRED ? "bool" : s->shape.dtype == SW_F8E5M2 ? "float8_e5m2" : NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !longer && plain; i++)
		if (*name == kinds[i].letter) {
			sw_text_add(text, kinds[i].name);
			sw_text_add(text, digits);
			name = NULL;
			break;
		}
	if (name)
		sw_text_add(text, longer ? longer : name);
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
	return true;
}

bool sw_mesh_jax(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	(void)diag;
	sw_sharding_refine(s, &fine);
	const sw_mesh *mesh = &fine.mesh;
	if (fine.ids) {
		sw_text_add(text, "Mesh(device_ids=array(");
		sw_print_rows(mesh, fine.ids, 0, 0, text);
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

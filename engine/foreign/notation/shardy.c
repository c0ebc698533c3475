/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings over named meshes as the Shardy dialect writes them, and as XLA prints them (V3): the same lists of
 * axes, with and without quotes.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

static const sw_span nowhere = {0, 0};

/* ---- meshes ---- */

static bool shardy_read_ids(sw_reader *reader)
{
	sw_numbers ids = {0};
	int64_t dim[SW_MAX_DIMS];
	int dims;
	sw_sharding *out = reader->out;
	sw_span at = sw_scan_next_span(&reader->scan);
	if (!sw_read_array(reader, &ids, dim, &dims))
		return false;
	at.end = reader->scan.at;
	if (out->mesh.count == 0 && ids.count == 1) {
		out->kind = SW_SHARDING_MAXIMAL;
		out->device = ids.at[0];
		return true;
	}
	if (ids.count == out->mesh.devices)
		return sw_read_ids(reader, ids.at, ids.count, at);
	sw_diag_set(reader->scan.diag, SW_N04, at, "%" PRId64 " devices for a mesh of %" PRId64, ids.count,
		out->mesh.devices);
	sw_diag_expected(reader->scan.diag, "%" PRId64 " devices", out->mesh.devices);
	return false;
}

/* `<["x"=4, "y"=2], device_ids=[...]>` */
static bool shardy_read_mesh(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span angle = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '<', "'<' and the mesh", nowhere))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and the axes", angle) || !sw_read_mesh_axes(reader, ']', open))
		return false;
	if (reader->out->mesh.count == 0)
		reader->out->mesh.devices = 0;
	if (sw_scan_take(scan, ',')) {
		if (!sw_read_word(reader, "device_ids") || !sw_read_sign(reader, "="))
			return sw_read_refuse(reader, "device_ids=[...]");
		if (!shardy_read_ids(reader))
			return false;
	}
	return sw_scan_expect(scan, '>', "'>' after the mesh", angle);
}

static bool shardy_read_name(sw_reader *reader)
{
	sw_span at;
	sw_str name = sw_scan_word(&reader->scan, &at);
	if (name.length == 0 || name.length >= SW_NAME_SIZE)
		return sw_read_refuse(reader, "the name of the mesh");
	memcpy(reader->out->mesh_name, name.at, name.length);
	return true;
}

/* `@mesh`, which the context knows, or `mesh<...>` */
static bool shardy_read_reference(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	if (sw_read_sign(reader, "@"))
		return shardy_read_name(reader) &&
			(!(reader->context && reader->context->mesh) || sw_read_need_mesh(reader, at));
	if (sw_read_word(reader, "mesh"))
		return shardy_read_mesh(reader);
	return sw_read_refuse(reader, "@ and the name of the mesh, or mesh<...>");
}

/* ---- dimensions ---- */

static bool shardy_read_priority(sw_reader *reader, int d)
{
	sw_scan *scan = &reader->scan;
	if (scan->at >= scan->text.length || scan->text.at[scan->at] != 'p')
		return true;
	scan->at++;
	return sw_read_number(reader, "priority", 0, INT64_MAX, &reader->out->priority[d]);
}

static bool shardy_read_axes(sw_reader *reader, sw_span open, bool *is_open)
{
	*is_open = false;
	if (sw_scan_take(&reader->scan, '}'))
		return true;
	for (bool more = true; more;) {
		if (sw_read_sign(reader, "?")) {
			*is_open = true;
			return sw_scan_expect(&reader->scan, '}', "'}' after '?'", open);
		}
		if (!sw_read_axis(reader) || !sw_scan_list(&reader->scan, '}', "a comma or '}'", open, &more))
			return false;
	}
	return true;
}

static bool shardy_read_dim(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span open = sw_scan_next_span(&reader->scan);
	bool is_open;
	if (!sw_scan_expect(&reader->scan, '{', "'{' and the axes of the dimension", nowhere) ||
		!shardy_read_axes(reader, open, &is_open) || !sw_read_end_dim(reader, open))
		return false;
	if (is_open)
		out->open |= 1u << (out->rank - 1);
	return shardy_read_priority(reader, out->rank - 1);
}

static bool shardy_read_dims(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '[', "'[' and the dimensions", nowhere))
		return false;
	if (sw_scan_take(&reader->scan, ']'))
		return true;
	for (bool more = true; more;)
		if (!shardy_read_dim(reader) || !sw_scan_list(&reader->scan, ']', "a comma or ']'", open, &more))
			return false;
	return true;
}

static const struct shardy_state {
	const char *name;
	sw_subgroup state;
} shardy_states[] = {{"replicated", SW_SUBGROUP_REPLICATED}, {"manual", SW_SUBGROUP_MANUAL},
	{"unreduced", SW_SUBGROUP_UNREDUCED}};

#define SHARDY_STATES ((int)(sizeof(shardy_states) / sizeof(*shardy_states)))

static bool shardy_read_state(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	for (int i = 0; i < SHARDY_STATES; i++) {
		bool is_open;
		if (!sw_read_word(reader, shardy_states[i].name))
			continue;
		if (!sw_scan_expect(&reader->scan, '=', "'=' and axes in braces", nowhere))
			return false;
		sw_span open = sw_scan_next_span(&reader->scan);
		return sw_scan_expect(&reader->scan, '{', "'{' and axes", nowhere) &&
			shardy_read_axes(reader, open, &is_open) && sw_read_end_subgroup(reader, shardy_states[i].state, at);
	}
	if (sw_read_word(reader, "metadata")) {
		sw_read_sign(reader, "=");
		sw_py_value(&reader->scan);
		return true;
	}
	return sw_read_refuse(reader, "replicated={...}, unreduced={...} or manual={...}");
}

/* Dimensions and states, up to `close`. */
static bool shardy_read_body(sw_reader *reader, char close, sw_span open)
{
	if (!shardy_read_dims(reader))
		return false;
	for (bool more;;) {
		if (!sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, &more))
			return false;
		if (!more)
			return true;
		if (!shardy_read_state(reader))
			return false;
	}
}

static bool shardy_read_one(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	return sw_scan_expect(&reader->scan, '<', "'<'", nowhere) && shardy_read_reference(reader) &&
		sw_scan_expect(&reader->scan, ',', "a comma after the mesh", open) && shardy_read_body(reader, '>', open);
}

static bool shardy_read_tuple(sw_reader *reader)
{
	enum { MOST = 256 };
	sw_sharding *out = reader->out;
	sw_span angle = sw_scan_next_span(&reader->scan), open;
	sw_sharding *items = SW_NEW_ZERO(reader->arena, sw_sharding, MOST);
	int count = 0;
	if (!items)
		return sw_diag_memory(reader->scan.diag);
	if (!sw_scan_expect(&reader->scan, '<', "'<'", nowhere))
		return false;
	open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '[', "'['", angle))
		return false;
	for (bool more = true; more;) {
		if (count == MOST)
			return sw_read_refuse(reader, "at most 256 shardings");
		reader->out = &items[count++];
		reader->out->notation = SW_NOTATION_SHARDY;
		bool ok = shardy_read_one(reader);
		reader->out = out;
		if (!ok || !sw_scan_list(&reader->scan, ']', "a comma or ']'", open, &more))
			return false;
	}
	out->kind = SW_SHARDING_TUPLE;
	out->items = items;
	out->count = count;
	return sw_scan_expect(&reader->scan, '>', "'>'", angle);
}

/* Operations whose lines say a sharding. */
static bool shardy_is_operation(sw_str word)
{
	static const char *const names[] = {"sdy.sharding_constraint", "sdy.reshard", "sdy.all_gather", "sdy.all_slice",
		"sdy.all_to_all", "sdy.all_reduce", "sdy.reduce_scatter", "sdy.collective_permute",
		"sdy.sharded_to_unreduced", "sdy.replicated_to_unreduced"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (sw_str_is(word, names[i]))
			return true;
	return false;
}

bool sw_read_shardy(sw_reader *reader)
{
	sw_span at;
	reader->out->notation = SW_NOTATION_SHARDY;
	if (sw_read_sees(reader, "%"))
		return sw_read_shardy_line(reader);
	sw_read_sign(reader, "#");
	if (sw_read_sees(reader, "<"))
		return shardy_read_one(reader);
	if (sw_read_sees(reader, "["))
		return shardy_read_dims(reader);
	size_t before = reader->scan.at;
	sw_str word = sw_scan_word(&reader->scan, &at);
	if (sw_str_is(word, "sdy.sharding"))
		return shardy_read_one(reader);
	if (sw_str_is(word, "sdy.sharding_per_value"))
		return shardy_read_tuple(reader);
	if (sw_str_is(word, "sdy.mesh")) {
		reader->out->kind = SW_SHARDING_MESH;
		if (sw_read_sign(reader, "@") &&
			!(shardy_read_name(reader) && sw_scan_expect(&reader->scan, '=', "'=' and the mesh", nowhere)))
			return false;
		bool ok = shardy_read_mesh(reader);
		reader->out->count = reader->out->kind == SW_SHARDING_MAXIMAL;
		reader->out->kind = SW_SHARDING_MESH;
		return ok;
	}
	reader->scan.at = before;
	if (shardy_is_operation(word))
		return sw_read_shardy_line(reader);
	return sw_read_refuse(reader,
		"#sdy.sharding<...>, #sdy.sharding_per_value<...>, sdy.mesh, or a line with sdy.reshard");
}

/* ---- named shardings of XLA ---- */

/* `device_ids=(0,2,1,3)` or `device_ids=([4,2]T(1,0))` after the axes */
static bool named_read_order(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_span open = sw_scan_next_span(&reader->scan);
	size_t before = reader->scan.at;
	sw_digit digit[SW_MAX_PARTS];
	int64_t devices;
	if (!sw_read_sign(reader, "(") || !sw_read_sees(reader, "[")) {
		reader->scan.at = before;
		return shardy_read_ids(reader);
	}
	int count = sw_digits_scan(&reader->scan, digit, SW_MAX_PARTS, &devices);
	if (count < 0 || !sw_scan_expect(&reader->scan, ')', "')'", open))
		return false;
	sw_span at = {open.begin, reader->scan.at};
	if (devices != out->mesh.devices || devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(reader->scan.diag, SW_N04, at, "%" PRId64 " devices for a mesh of %" PRId64, devices,
			out->mesh.devices);
	int64_t *ids = SW_NEW(reader->arena, int64_t, devices);
	if (!ids)
		return sw_diag_memory(reader->scan.diag);
	sw_digits_expand(digit, count, ids);
	return sw_read_ids(reader, ids, devices, at);
}

/* What follows it stands after a comma that is still to come. */
bool sw_read_mesh_and_order(sw_reader *reader)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '[', "'[' and the axes", nowhere) || !sw_read_mesh_axes(reader, ']', open))
		return false;
	size_t before = reader->scan.at;
	if (sw_scan_take(&reader->scan, ',') && sw_read_word(reader, "device_ids")) {
		sw_read_sign(reader, "=");
		return named_read_order(reader);
	}
	reader->scan.at = before;
	return true;
}

bool sw_read_hlo_named(sw_reader *reader)
{
	static const struct {
		const char *word;
		sw_sharding_kind kind;
	} whole[] = {{"replicated", SW_SHARDING_TILED}, {"unreduced", SW_SHARDING_UNREDUCED},
		{"manual", SW_SHARDING_MANUAL}};
	sw_sharding *out = reader->out;
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	out->notation = SW_NOTATION_HLO_NAMED;
	if (!sw_scan_expect(scan, '{', "'{'", nowhere))
		return false;
	if (sw_read_word(reader, "maximal_mesh")) {
		out->kind = SW_SHARDING_MAXIMAL;
		return sw_scan_expect(scan, '[', "'['", open) &&
			(sw_read_word(reader, "device_id") || sw_read_refuse(reader, "device_id=N")) &&
			sw_scan_expect(scan, '=', "'='", nowhere) &&
			sw_read_number(reader, "number of the device", 0, SW_MAX_DEVICES, &out->device) &&
			sw_scan_expect(scan, ']', "']'", nowhere) && sw_scan_expect(scan, '}', "'}'", open);
	}
	if (!sw_read_word(reader, "mesh"))
		return sw_read_refuse(reader, "mesh[...]");
	if (!sw_read_mesh_and_order(reader) || !sw_scan_expect(scan, ',', "a comma after the mesh", open))
		return false;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		size_t before = scan->at;
		if (sw_read_word(reader, whole[i].word) && sw_scan_take(scan, '}')) {
			out->kind = whole[i].kind;
			out->extends = out->kind == SW_SHARDING_TILED;
			return true;
		}
		scan->at = before;
	}
	return shardy_read_body(reader, '}', open);
}

/* ---- printing ---- */

/* Without quotes to be written, those that need some have them. */
static void shardy_name(const char *name, const char *quote, sw_text *text)
{
	if (*quote == '\0')
		sw_mesh_print_name(name, text);
	else
		sw_text_addf(text, "%s%s%s", quote, name, quote);
}

static void shardy_print_parts(const sw_sharding *s, int slot, const char *quote, const char *comma, sw_text *text)
{
	for (int i = s->first[slot]; i < s->first[slot + 1]; i++) {
		const sw_axis *axis = &s->mesh.axis[s->parts[i].axis];
		sw_text_add(text, i > s->first[slot] ? comma : "");
		shardy_name(axis->name, quote, text);
		if (s->parts[i].size != axis->size)
			sw_text_addf(text, ":(%" PRId64 ")%" PRId64, s->parts[i].pre, s->parts[i].size);
	}
}

static void shardy_print_dims(const sw_sharding *s, const char *quote, const char *comma, sw_text *text)
{
	sw_text_add(text, "[");
	for (int d = 0; d < s->rank; d++) {
		bool some = s->first[d] < s->first[d + 1];
		sw_text_add(text, d ? ", {" : "{");
		shardy_print_parts(s, d, quote, comma, text);
		if (s->open >> d & 1)
			sw_text_addf(text, "%s?", some ? comma : "");
		sw_text_add(text, "}");
		if (s->priority[d] >= 0)
			sw_text_addf(text, "p%" PRId64, s->priority[d]);
	}
	sw_text_add(text, "]");
	for (int g = 0; g < s->subgroups; g++) {
		if (sw_subgroup_first(s, g) == sw_subgroup_first(s, g + 1))
			continue;
		for (int i = 0; i < SHARDY_STATES; i++)
			if (shardy_states[i].state == s->subgroup[g])
				sw_text_addf(text, ", %s={", shardy_states[i].name);
		shardy_print_parts(s, s->rank + g, quote, comma, text);
		sw_text_add(text, "}");
	}
}

static void shardy_print_axes(const sw_mesh *mesh, const char *quote, const char *comma, sw_text *text)
{
	sw_text_add(text, "[");
	for (int i = 0; i < mesh->count; i++) {
		sw_text_add(text, i ? comma : "");
		shardy_name(mesh->axis[i].name, quote, text);
		sw_text_addf(text, "=%" PRId64, mesh->axis[i].size);
	}
	sw_text_add(text, "]");
}

static void shardy_print_list(const int64_t *ids, int64_t count, char open, char close, const char *comma,
	sw_text *text)
{
	sw_text_add_char(text, open);
	for (int64_t i = 0; i < count; i++)
		sw_text_addf(text, "%s%" PRId64, i ? comma : "", ids[i]);
	sw_text_add_char(text, close);
}

static void shardy_print_mesh(const sw_sharding *s, sw_text *text)
{
	shardy_print_axes(&s->mesh, "\"", ", ", text);
	if (s->kind == SW_SHARDING_MESH && s->count)
		sw_text_addf(text, ", device_ids=[%" PRId64 "]", s->device);
	if (!s->mesh.order)
		return;
	sw_text_add(text, ", device_ids=");
	shardy_print_list(s->mesh.order, s->mesh.devices, '[', ']', ", ", text);
}

static bool shardy_can(const sw_sharding *s, sw_notation notation, sw_diag *diag)
{
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, notation, "it has no tiles");
	for (int g = 0; g < s->subgroups; g++)
		if (notation == SW_NOTATION_SHARDY && s->subgroup[g] == SW_SUBGROUP_MANUAL &&
			sw_subgroup_first(s, g) < sw_subgroup_first(s, g + 1))
			return sw_print_refuse(diag, notation, "manual axes are given with the computation there");
	return true;
}

bool sw_print_shardy(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_shardy(s, arena, text, diag);
	if (s->kind == SW_SHARDING_TUPLE && s->notation == SW_NOTATION_SHARDY) {
		for (int i = 0; i < s->count; i++) {
			sw_text one = {0};
			bool ok = sw_print_shardy(&s->items[i], arena, &one, diag);
			sw_text_addf(text, "%s%s", i ? ", " : "#sdy.sharding_per_value<[", ok ? sw_text_get(&one) + 13 : "");
			sw_text_free(&one);
			if (!ok)
				return false;
		}
		sw_text_add(text, "]>");
		return true;
	}
	if (s->kind == SW_SHARDING_MAXIMAL) {
		sw_text_addf(text, "#sdy.sharding<mesh<[], device_ids=[%" PRId64 "]>, []>", s->device);
		return true;
	}
	if (!shardy_can(s, SW_NOTATION_SHARDY, diag))
		return false;
	if (s->own_mesh && s->notation == SW_NOTATION_SHARDY) {
		sw_text_add(text, "#sdy.sharding<mesh<");
		shardy_print_mesh(s, text);
		sw_text_add(text, ">, ");
	} else {
		sw_text_addf(text, "#sdy.sharding<@%s, ", *s->mesh_name ? s->mesh_name : "mesh");
	}
	shardy_print_dims(s, "\"", ", ", text);
	sw_text_add(text, ">");
	return true;
}

bool sw_mesh_shardy(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	(void)diag;
	sw_text_addf(text, "sdy.mesh @%s = <", *s->mesh_name ? s->mesh_name : "mesh");
	shardy_print_mesh(s, text);
	sw_text_add(text, ">");
	return true;
}

bool sw_print_hlo_named(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	static const char *const whole[] =
		{[SW_SHARDING_TILED] = "replicated", [SW_SHARDING_MANUAL] = "manual", [SW_SHARDING_UNREDUCED] = "unreduced"};
	(void)arena;
	if (s->kind == SW_SHARDING_MAXIMAL) {
		sw_text_addf(text, "{maximal_mesh[device_id=%" PRId64 "]}", s->device);
		return true;
	}
	bool named = s->kind == SW_SHARDING_MANUAL || s->kind == SW_SHARDING_UNREDUCED;
	if (!named && !shardy_can(s, SW_NOTATION_HLO_NAMED, diag))
		return false;
	sw_text_add(text, "{mesh");
	shardy_print_axes(&s->mesh, "", ",", text);
	if (s->mesh.order) {
		sw_text_add(text, ", device_ids=");
		shardy_print_list(s->mesh.order, s->mesh.devices, '(', ')', ",", text);
	}
	sw_text_add(text, ", ");
	if (named || (s->extends && s->rank == 0 && s->first[s->subgroups] == 0))
		sw_text_add(text, whole[s->kind]);
	else
		shardy_print_dims(s, "", ", ", text);
	sw_text_add(text, "}");
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * TensorFlow's DTensor: layouts as they print, with their mesh, and as programs make them.
 *
 *     sharding_specs:x,unsharded, mesh:|x=4,y=2|0,1,2,3,4,5,6,7|0,1,...|/job:localhost/...
 *     Layout(['x', 'unsharded'], mesh)
 *
 * A mesh prints as its name, its axes, the numbers of all devices, those of the process, and the names of devices,
 * with bars between them; `*CPU` in place of all that follows the axes numbers the devices 0, 1, 2, ...
 */
#include "foreign/notation/read.h"
#include "base/room.h"

#include <inttypes.h>
#include <string.h>

static const sw_span nowhere = {0, 0};

/* ---- meshes ---- */

/* `x=4,y=2` up to a bar */
static bool layout_axes(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_sharding *out = reader->out;
	out->mesh = (sw_mesh){.devices = 1};
	out->named = out->own_mesh = true;
	do {
		sw_span at;
		int64_t size;
		sw_str name = sw_scan_word(scan, &at);
		if (!name.length || !sw_scan_take(scan, '='))
			return sw_read_refuse(reader, "an axis and its size, such as x=4");
		if (!sw_read_number(reader, "size of the axis", 1, SW_MAX_DEVICES, &size))
			return false;
		if (!sw_mesh_add(&out->mesh, name, size, scan->diag)) {
			if (scan->diag)
				scan->diag->at = at;
			return false;
		}
	} while (sw_scan_take(scan, ','));
	return true;
}

/* The numbers of devices between two bars.  They count up; a mesh that does not begin with device 0 is told of. */
static bool layout_ids(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_numbers ids = {0};
	int64_t id;
	sw_span at = sw_scan_next_span(scan);
	do {
		if (!sw_read_number(reader, "number of a device", 0, SW_MAX_DEVICES, &id) ||
			!sw_numbers_add(&ids, id, reader->arena, scan->diag))
			return false;
	} while (sw_scan_take(scan, ','));
	at.end = scan->at;
	if (ids.count != reader->out->mesh.devices)
		return sw_diag_set(scan->diag, SW_N04, at, "%" PRId64 " devices for a mesh of %" PRId64, ids.count,
			reader->out->mesh.devices);
	int64_t first = ids.at[0];
	bool up = true;
	for (int64_t i = 0; i < ids.count; i++)
		up = up && ids.at[i] == first + i;
	if (!up)
		return sw_read_ids(reader, ids.at, ids.count, at);
	if (first > 0)
		sw_read_note(reader, "devices are numbered from 0 here; the text counts them from %" PRId64 " on", first);
	return true;
}

/* After `mesh:`: a name, axes, and what else stands between bars, up to the end of the text or of its bracket. */
static bool layout_read_mesh(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	sw_scan_word(scan, &at);
	if (!sw_scan_expect(scan, '|', "'|' and the axes of the mesh", nowhere) || !layout_axes(reader))
		return false;
	if (sw_scan_take(scan, '|') && sw_scan_peek(scan) >= '0' && sw_scan_peek(scan) <= '9' && !layout_ids(reader))
		return false;
	while (sw_scan_peek(scan) >= 0 && !strchr(">\"'", sw_scan_peek(scan)))
		scan->at++;
	return true;
}

/* `[('x', 4), ('y', 2)]` in `create_mesh(...)` and in `<Mesh object with dims=...>` */
static bool layout_read_pairs(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_sharding *out = reader->out;
	sw_span open = sw_scan_next_span(scan), at;
	if (!sw_scan_expect(scan, '[', "'[' and pairs such as ('x', 4)", nowhere))
		return false;
	out->mesh = (sw_mesh){.devices = 1};
	out->named = out->own_mesh = true;
	for (bool more = true; more && !(out->mesh.count && sw_scan_take(scan, ']'));) {
		sw_str name;
		int64_t size;
		sw_span pair = sw_scan_next_span(scan);
		if (!sw_scan_expect(scan, '(', "'(' and an axis", open) ||
			!sw_scan_name(scan, "the name of an axis", pair, &name, &at) ||
			!sw_scan_expect(scan, ',', "a comma and the axis's size", pair) ||
			!sw_read_number(reader, "size of the axis", 1, SW_MAX_DEVICES, &size) ||
			!sw_scan_expect(scan, ')', "')'", pair))
			return false;
		if (!sw_mesh_add(&out->mesh, name, size, scan->diag)) {
			if (scan->diag)
				scan->diag->at = at;
			return false;
		}
		if (!sw_scan_list(scan, ']', "a comma or ']'", open, &more))
			return false;
	}
	return true;
}

/* ---- specs ---- */

static bool layout_is(sw_str word, const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < length && word.length == length; i++)
		if ((word.at[i] | 0x20) != name[i])
			return false;
	return word.length == length;
}

/* The axis that cuts a dimension, `unsharded`, or `any` and `match`, which leave it to the compiler. */
static bool layout_spec(sw_reader *reader, sw_str word, sw_span at)
{
	sw_sharding *out = reader->out;
	bool open = layout_is(word, "any") || layout_is(word, "match");
	if (!open && !layout_is(word, "unsharded") && !sw_read_part(reader, word, at, 1, 0))
		return false;
	if (!sw_read_end_dim(reader, at))
		return false;
	out->open |= open ? 1u << (out->rank - 1) : 0;
	return true;
}

/* Words that name axes are read before the mesh that stands behind them. */
typedef struct layout_words {
	int count;
	bool scalar;
	sw_str word[SW_MAX_DIMS];
	sw_span at[SW_MAX_DIMS];
} layout_words;

static bool layout_add(sw_reader *reader, layout_words *words, sw_str word, sw_span at)
{
	if (words->count == SW_MAX_DIMS)
		return sw_diag_set(reader->scan.diag, SW_T06, at, "more than %d dimensions", SW_MAX_DIMS);
	words->word[words->count] = word;
	SW_ROOM(words->at, words->count);
	words->at[words->count++] = at;
	return true;
}

static bool layout_dims(sw_reader *reader, const layout_words *words, sw_span at)
{
	if (!sw_read_need_mesh(reader, at))
		return false;
	for (int i = 0; i < words->count; i++)
		if (!layout_spec(reader, words->word[i], words->at[i]))
			return false;
	return true;
}

/* After `sharding_specs:`: `x,unsharded, mesh:|x=4,y=2|*CPU` */
static bool layout_read_printed(sw_reader *reader, sw_span all)
{
	sw_scan *scan = &reader->scan;
	layout_words words = {0};
	bool mesh = false;
	for (bool more = true; more && !mesh; more = mesh || sw_scan_take(scan, ',')) {
		sw_span at;
		sw_str word = sw_scan_word(scan, &at);
		mesh = sw_str_is(word, "mesh") && sw_read_sign(reader, ":");
		if (mesh)
			break;
		words.scalar = words.scalar || sw_str_is(word, "scalar");
		if (!word.length)
			return sw_read_refuse(reader, "the axis of a dimension, unsharded, or mesh:...");
		if (!sw_str_is(word, "scalar") && !layout_add(reader, &words, word, at))
			return false;
	}
	if (!mesh && sw_read_word(reader, "mesh"))
		mesh = sw_read_sign(reader, ":");
	return (!mesh || layout_read_mesh(reader)) && layout_dims(reader, &words, all);
}

/* `['x', 'unsharded']`, `[dtensor.UNSHARDED, "x"]` */
static bool layout_read_list(sw_reader *reader, layout_words *words)
{
	sw_scan *scan = &reader->scan;
	sw_py_list list;
	sw_span at;
	sw_py_named(scan, "sharding_specs");
	if (!sw_py_open(&list, scan, "[", "'[' and an entry for each dimension"))
		return false;
	while (sw_py_next(&list)) {
		sw_str word;
		bool quoted = sw_read_sees(reader, "'") || sw_read_sees(reader, "\"");
		if (quoted ? !sw_scan_name(scan, "an axis", list.open, &word, &at) :
					 !(word = sw_py_word(&reader->scan, &at)).length)
			return sw_read_refuse(reader, "an axis in quotes, or UNSHARDED");
		if (!layout_add(reader, words, word, at))
			return false;
	}
	return list.ok;
}

/* After `Layout`: `(['x', 'unsharded'], mesh)`, with the mesh as it prints or a variable */
static bool layout_read_call(sw_reader *reader, sw_span all)
{
	sw_scan *scan = &reader->scan;
	layout_words words = {0};
	sw_py_list list;
	if (!sw_py_open(&list, scan, "(", "'(' and the specs") || !layout_read_list(reader, &words) ||
		!sw_scan_expect(scan, ',', "a comma and the mesh", list.open))
		return false;
	sw_py_named(scan, "mesh");
	if (sw_read_sees(reader, "<Mesh")) {
		while (sw_scan_peek(scan) >= 0 && !sw_read_sign(reader, "dims="))
			scan->at++;
		if (!layout_read_pairs(reader))
			return false;
		while (sw_scan_peek(scan) >= 0 && !sw_read_sign(reader, ">"))
			scan->at++;
	} else {
		sw_py_value(&reader->scan);
	}
	return sw_py_rest(&list) && layout_dims(reader, &words, all);
}

/* `dtensor.create_mesh([("x", 4), ("y", 2)], devices=...)` */
static bool layout_read_maker(sw_reader *reader)
{
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "(", "'(' and pairs such as ('x', 4)"))
		return false;
	sw_py_named(&reader->scan, "mesh_dims");
	reader->out->kind = SW_SHARDING_MESH;
	return layout_read_pairs(reader) && sw_py_rest(&list);
}

bool sw_read_layout(sw_reader *reader)
{
	sw_span all = sw_scan_next_span(&reader->scan), at;
	size_t before = reader->scan.at;
	reader->out->notation = SW_NOTATION_LAYOUT;
	bool angle = sw_read_sign(reader, "#dtensor.layout<");
	if (sw_read_word(reader, "sharding_specs") && sw_read_sign(reader, ":"))
		return layout_read_printed(reader, all) && (!angle || sw_scan_expect(&reader->scan, '>', "'>'", all));
	reader->scan.at = before;
	sw_str word = sw_py_word(&reader->scan, &at);
	if (sw_str_is(word, "Layout"))
		return layout_read_call(reader, all);
	if (sw_str_is(word, "create_mesh") || sw_str_is(word, "create_distributed_mesh"))
		return layout_read_maker(reader);
	reader->scan.at = before;
	return sw_read_refuse(reader, "sharding_specs:..., Layout([...], mesh) or create_mesh([...])");
}

/* ---- printing ---- */

static void layout_print_mesh(const sw_mesh *mesh, sw_text *text)
{
	sw_text_add(text, "mesh:|");
	for (int i = 0; i < mesh->count; i++)
		sw_text_addf(text, "%s%s=%" PRId64, i ? "," : "", mesh->axis[i].name, mesh->axis[i].size);
	sw_text_add(text, "|*CPU");
}

/* Names without the signs and words of the notation. */
static bool layout_names(const sw_mesh *mesh)
{
	static const char *const taken[] = {"unsharded", "any", "match", "scalar", "mesh"};
	bool ok = true;
	for (int i = 0; i < mesh->count; i++) {
		sw_str name = sw_str_of(mesh->axis[i].name);
		for (size_t k = 0; k < sizeof(taken) / sizeof(*taken); k++)
			ok = ok && !layout_is(name, taken[k]);
		ok = ok && sw_scan_is_bare(name);
	}
	return ok;
}

bool sw_print_layout(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_LAYOUT, "it has no tiles");
	if (s->mesh.order)
		return sw_print_refuse(diag, SW_NOTATION_LAYOUT, "its mesh has the devices in order");
	sw_sharding_refine(s, &fine);
	if (!layout_names(&fine.mesh))
		return sw_print_refuse(diag, SW_NOTATION_LAYOUT, "names of axes have letters and digits only there");
	sw_text_add(text, "sharding_specs:");
	for (int d = 0; d < fine.rank; d++) {
		if (fine.first[d + 1] - fine.first[d] > 1)
			return sw_print_refuse(diag, SW_NOTATION_LAYOUT, "one axis at most cuts a dimension");
		sw_text_addf(text, "%s%s", d ? "," : "",
			fine.first[d] < fine.first[d + 1] ? fine.mesh.axis[fine.parts[fine.first[d]].axis].name :
				fine.open >> d & 1            ? "any" :
												"unsharded");
	}
	sw_text_add(text, fine.rank ? ", " : "scalar, ");
	layout_print_mesh(&fine.mesh, text);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sharding of XLA in other words: the text form of an OpSharding proto, and the picture that JAX draws of the first two dimensions
 * (jax.debug.visualize_sharding).  Both are written as XLA prints a sharding, and read as that.
 *
 *     type: OTHER                              ┌───────┬───────┐
 *     tile_assignment_dimensions: 2            │CPU 0,1│CPU 2,3│
 *     iota_reshape_dims: 2                     └───────┴───────┘
 */
#define _GNU_SOURCE
#include "foreign/notation/rewritten.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#define BAR "\xE2\x94\x82"    /* │ */
#define CORNER "\xE2\x94\x8C" /* ┌ */
#define PROTO_MOST ((int64_t)1 << 22)

static sw_str take_line(sw_str *text)
{
	const char *end = text->length ? memchr(text->at, '\n', text->length) : NULL;
	sw_str line = {text->at, end ? (size_t)(end - text->at) : text->length};
	*text = sw_str_behind(*text, line.length + (end != NULL));
	return sw_str_trim(line);
}

/* ---- a proto ---- */

static bool is_proto(sw_str text)
{
	static const char *const begins[] = {"goo.gle/debug", "type: OTHER", "type: MAXIMAL", "type: MANUAL",
		"type: REPLICATED", "type: UNKNOWN", "tile_assignment_dimensions:"};
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (sw_str_starts(text, begins[i]))
			return true;
	return false;
}

/* The values of one key, with commas between them, and the sign before them. */
static int add_values(sw_str proto, const char *key, const char *before, sw_text *text)
{
	int count = 0;
	while (proto.length) {
		sw_str rest = sw_str_past(take_line(&proto), key), value = sw_str_trim(rest);
		if (!value.length)
			continue;
		sw_text_add(text, count++ ? "," : before);
		sw_text_add_str(text, value);
	}
	return count;
}

/* `last_tile_dims: REPLICATED`, as `last_tile_dims={replicated}` */
static void add_subgroups(sw_str proto, sw_text *text)
{
	size_t begin = text->length;
	if (!add_values(proto, "last_tile_dims: ", " last_tile_dims={", text))
		return;
	for (size_t i = begin; i < text->length; i++)
		if (text->data[i] >= 'A' && text->data[i] <= 'Z')
			text->data[i] = (char)(text->data[i] - 'A' + 'a');
	sw_text_add_char(text, '}');
}

static void write_proto(sw_str proto, sw_text *text)
{
	static const struct {
		const char *type, *as;
	} types[] = {{"type: MANUAL", "{manual}"}, {"type: UNKNOWN", "{unknown}"}, {"type: REPLICATED", "{replicated}"}};
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (sw_str_holds(proto, types[i].type)) {
			sw_text_add(text, types[i].as);
			return;
		}
	if (sw_str_holds(proto, "type: MAXIMAL")) {
		add_values(proto, "tile_assignment_devices: ", "{maximal device=", text);
		sw_text_add_char(text, '}');
		return;
	}
	if (!add_values(proto, "tile_assignment_dimensions: ", "{devices=[", text)) {
		sw_text_add(text, "{replicated}");
		return;
	}
	sw_text_add_char(text, ']');
	add_values(proto, "tile_assignment_devices: ", "", text);
	int dims = add_values(proto, "iota_reshape_dims: ", "<=[", text);
	sw_text_add(text, dims ? "]" : "");
	if (dims > 1 && add_values(proto, "iota_transpose_perm: ", "T(", text))
		sw_text_add_char(text, ')');
	add_subgroups(proto, text);
	sw_text_add(text, sw_str_holds(proto, "replicate_on_last_tile_dim: true") ? " last_tile_dim_replicate}" : "}");
}

/* ---- a picture ---- */

/* `CPU 0,4` in a cell: adds the numbers behind the last blank; how many, 0: it is empty. */
static int add_cell(sw_str cell, bool first, sw_text *text)
{
	int count = 0;
	cell = sw_str_trim(cell);
	for (size_t i = cell.length; i-- > 0;)
		if (cell.at[i] == ' ') {
			cell = sw_str_behind(cell, i + 1);
			break;
		}
	for (size_t at = 0; cell.length && at <= cell.length;) {
		int64_t device;
		if (!sw_read_int(sw_str_split(cell, &at, SW_NESTING_PLAIN), &device, NULL) || device < 0)
			return -1;
		sw_text_addf(text, "%s%" PRId64, first && !count ? "" : ",", device);
		count++;
	}
	return count;
}

struct picture {
	int rows, columns, copies, lines;
};

/* The cells of a line that has some.  false: they are none, or others than in the lines before. */
static bool add_row(sw_str line, struct picture *p, sw_text *text)
{
	int cells = 0, filled = 0;
	for (sw_str rest = sw_str_past(line, BAR); rest.length; cells++) {
		const char *end = memmem(rest.at, rest.length, BAR, strlen(BAR));
		if (!end)
			return false;
		int count = add_cell((sw_str){rest.at, (size_t)(end - rest.at)}, !p->rows && !filled, text);
		if (count < 0 || (count && p->copies && count != p->copies))
			return false;
		filled += count > 0;
		p->copies = count ? count : p->copies;
		rest = sw_str_behind(rest, (size_t)(end - rest.at) + strlen(BAR));
	}
	p->lines += cells > 0;
	if (!filled)
		return true;
	bool fits = filled == cells && (!p->rows || p->columns == cells);
	p->rows++;
	p->columns = cells;
	return fits;
}

static bool write_picture(sw_str picture, sw_text *text)
{
	struct picture p = {0};
	sw_text devices = {0};
	bool ok = true;
	while (ok && picture.length)
		ok = add_row(take_line(&picture), &p, &devices);
	ok = ok && p.rows && !devices.failed;
	bool flat = p.rows == 1 && p.lines == 1;
	if (ok && flat)
		sw_text_addf(text, "{devices=[%d", p.columns);
	else if (ok)
		sw_text_addf(text, "{devices=[%d,%d", p.rows, p.columns);
	if (ok && p.copies > 1)
		sw_text_addf(text, ",%d", p.copies);
	if (ok)
		sw_text_addf(text, "]%s%s}", sw_text_get(&devices), p.copies > 1 ? " last_tile_dim_replicate" : "");
	sw_text_free(&devices);
	return ok;
}

/* ---- both ---- */

bool sw_is_rewritten(sw_str text)
{
	text = sw_str_trim(text);
	return is_proto(text) || sw_str_starts(text, CORNER);
}

static bool refuse(sw_reader *reader, size_t length)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_N01, (sw_span){0, length},
		"the cells of the picture are not all devices, equally many in each");
	sw_diag_expected(diag, "cells such as CPU 0,4 between lines");
	sw_diag_hint(diag, "cells over several rows or columns are not read: print the sharding instead");
	return false;
}

bool sw_read_rewritten(sw_reader *reader)
{
	sw_text text = {0};
	sw_str whole = reader->scan.text, body = sw_str_trim(whole);
	bool ok = true;
	if ((int64_t)whole.length > PROTO_MOST)
		return sw_read_refuse(reader, "a shorter text");
	if (is_proto(body))
		write_proto(body, &text);
	else
		ok = write_picture(body, &text);
	char *copy = ok && !text.failed ? sw_arena_copy(reader->arena, sw_text_get(&text), text.length) : NULL;
	size_t length = text.length;
	sw_text_free(&text);
	if (!ok)
		return refuse(reader, whole.length);
	if (!copy)
		return sw_diag_memory(reader->scan.diag);
	reader->scan.text = (sw_str){copy, length};
	reader->scan.at = 0;
	if (sw_read_hlo(reader))
		return true;
	if (reader->scan.diag)
		reader->scan.diag->at = reader->scan.diag->also = (sw_span){0, whole.length};
	return false;
}

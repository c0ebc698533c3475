/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types of the paper, and arrays as the scaling book writes them.
 */
#include "notation/read.h"

#include <inttypes.h>
#include <string.h>

#include "array/parts.h"

static const sw_span nowhere = {0, 0};

/* ---- the paper ---- */

bool sw_read_paper(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_scan *scan = &reader->scan;
	sw_mesh none = {0};
	const sw_mesh *mesh = reader->context && reader->context->mesh ? reader->context->mesh : &none;
	out->notation = SW_NOTATION_PAPER;
	if (!sw_type_parse_as(mesh, scan->text, reader->context && reader->context->pads, &out->shape, scan->diag))
		return false;
	scan->at = scan->text.length;
	out->mesh = *mesh;
	out->ids = reader->context ? reader->context->ids : NULL;
	out->named = mesh != &none;
	out->has_shape = true;
	for (int d = 0; d < out->shape.rank; d++) {
		int begin = out->shape.first[d], end = out->shape.first[d + 1];
		for (int i = 0; i < end - begin; i++)
			out->parts[begin + i] = out->shape.parts[end - 1 - i];
		out->first[d + 1] = end;
		out->priority[d] = -1;
	}
	out->rank = out->shape.rank;
	return true;
}

bool sw_print_paper(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_type type;
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_paper(s, arena, text, diag);
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_PAPER, "it cuts no array in tiles");
	if (s->ids && s->notation != SW_NOTATION_PAPER)
		return sw_print_refuse(diag, SW_NOTATION_PAPER, "its mesh has the devices in their order");
	if (!s->has_shape)
		return sw_print_refuse(diag, SW_NOTATION_PAPER, "the sizes of the array are not known");
	if (!sw_sharding_type(s, NULL, arena, &type, diag))
		return false;
	sw_type_print(&s->mesh, &type, true, text);
	return true;
}

bool sw_mesh_paper(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	(void)diag;
	sw_text_add(text, "mesh ");
	sw_mesh_print(&s->mesh, text);
	return true;
}

/* ---- the scaling book ---- */

/* The axis whose name is the longest beginning of `text`; the book writes axes in capitals. */
static size_t book_axis(const sw_mesh *mesh, sw_str text)
{
	size_t best = 0;
	for (int i = 0; i < mesh->count; i++) {
		size_t length = strlen(mesh->axis[i].name);
		if (length > best && length <= text.length && memcmp(mesh->axis[i].name, text.at, length) == 0)
			best = length;
	}
	return best;
}

/* XY, {XY}, {X,Y}: subscripts, major to minor. */
static bool book_subscripts(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	bool braces = sw_scan_take(scan, '{');
	if (!sw_read_need_mesh(reader, open))
		return false;
	do {
		sw_span at;
		sw_str word = sw_scan_word(scan, &at);
		if (word.length == 0)
			return sw_read_refuse(reader, "axes of the mesh, such as X or XY");
		for (size_t i = 0; i < word.length;) {
			sw_str rest = {word.at + i, word.length - i};
			size_t length = book_axis(&reader->out->mesh, rest);
			sw_str name = {rest.at, length ? length : 1};
			sw_span place = {at.begin + i, at.begin + i + name.length};
			if (!sw_read_part(reader, name, place, 1, 0))
				return false;
			i += name.length;
		}
	} while (braces && sw_scan_take(scan, ','));
	return !braces || sw_scan_expect(scan, '}', "'}'", open);
}

/* `I_XY`, `I`, `16`: one dimension. */
static bool book_dim(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan);
	size_t end = at.begin;
	while (end < at.end && scan->text.at[end] != '_')
		end++;
	if (end == at.begin || sw_scan_peek(scan) < 0)
		return sw_read_refuse(reader, "the letter of a dimension, such as I or I_X");
	scan->at = end;
	bool cut = sw_read_sign(reader, "_");
	return (!cut || book_subscripts(reader)) && sw_read_end_dim(reader, at);
}

bool sw_read_book(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_str name;
	sw_span at;
	reader->out->notation = SW_NOTATION_BOOK;
	if (!sw_scan_name(scan, "the name of an array, such as A", nowhere, &name, &at))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and the dimensions", nowhere))
		return false;
	for (bool more = !sw_scan_take(scan, ']'); more;)
		if (!book_dim(reader) || !sw_scan_list(scan, ']', "a comma or ']'", open, &more))
			return false;
	open = sw_scan_next_span(scan);
	if (!sw_scan_take(scan, '{'))
		return true;
	at = sw_scan_next_span(scan);
	if (!sw_read_sign(reader, "U_") && !sw_read_sign(reader, "U"))
		return sw_read_refuse(reader, "U_ and the axes of a sum");
	return book_subscripts(reader) && sw_scan_expect(scan, '}', "'}'", open) &&
		sw_read_end_subgroup(reader, SW_SUBGROUP_UNREDUCED, at);
}

static void book_print_axes(const sw_sharding *s, int slot, sw_text *text)
{
	bool lone = true;
	for (int i = s->first[slot]; i < s->first[slot + 1]; i++)
		lone = lone && s->mesh.axis[s->parts[i].axis].name[1] == '\0';
	sw_text_add(text, lone ? "_" : "_{");
	for (int i = s->first[slot]; i < s->first[slot + 1]; i++)
		sw_text_addf(text, "%s%s", !lone && i > s->first[slot] ? "," : "", s->mesh.axis[s->parts[i].axis].name);
	sw_text_add(text, lone ? "" : "}");
}

bool sw_print_book(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	static const char letters[] = "IJKLMNOPQRSTUVWX";
	sw_sharding fine;
	(void)arena;
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_BOOK, "it cuts no array in tiles");
	if (s->ids)
		return sw_print_refuse(diag, SW_NOTATION_BOOK, "its mesh has the devices in their order");
	sw_sharding_refine(s, &fine);
	sw_text_add(text, "A[");
	for (int d = 0; d < fine.rank; d++) {
		sw_text_addf(text, "%s%c", d ? ", " : "", letters[d]);
		if (fine.first[d] < fine.first[d + 1])
			book_print_axes(&fine, d, text);
	}
	sw_text_add(text, "]");
	for (int g = 0; g < fine.subgroups; g++)
		if (fine.subgroup[g] == SW_SUBGROUP_UNREDUCED && fine.first[fine.rank + g] < fine.first[fine.rank + g + 1]) {
			sw_text_add(text, " {U");
			book_print_axes(&fine, fine.rank + g, text);
			sw_text_add(text, "}");
		}
	return true;
}

bool sw_mesh_book(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	sw_sharding_refine(s, &fine);
	return sw_mesh_paper(&fine, arena, text, diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notations that name axes of the mesh by number, dimension by dimension: Alpa's `S01R`, Paddle's `dims_mapping`, the
 * shard dialect of MLIR.
 */
#include "notation/read.h"

#include <inttypes.h>

static const sw_span nowhere = {0, 0};

static bool numbered_axis(sw_reader *reader, int64_t axis, sw_span at)
{
	const sw_mesh *mesh = &reader->out->mesh;
	if (axis < mesh->count)
		return sw_read_part(reader, sw_str_of(mesh->axis[axis].name), at, 1, 0);
	sw_diag_set(reader->scan.diag, SW_T02, at, "the mesh has no axis number %" PRId64, axis);
	sw_diag_expected(reader->scan.diag, "a number from 0 to %d", mesh->count - 1);
	return false;
}

/* ---- Alpa: one letter a dimension, `S` with the numbers of axes as digits ---- */

static bool alpa_dim(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = {scan->at, scan->at + 1};
	if (scan->text.at[scan->at++] == 'R')
		return sw_read_end_dim(reader, at);
	if (scan->text.at[at.begin] != 'S' || scan->at == scan->text.length || scan->text.at[scan->at] < '0' ||
	    scan->text.at[scan->at] > '9') {
		scan->at = at.begin;
		return sw_read_refuse(reader, "R, or S and the numbers of axes");
	}
	for (; scan->at < scan->text.length && scan->text.at[scan->at] >= '0' && scan->text.at[scan->at] <= '9'; scan->at++)
		if (!numbered_axis(reader, scan->text.at[scan->at] - '0', (sw_span){scan->at, scan->at + 1}))
			return false;
	return sw_read_end_dim(reader, at);
}

bool sw_read_alpa(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	reader->out->notation = SW_NOTATION_ALPA;
	if (!sw_read_need_mesh(reader, at))
		return false;
	sw_scan_peek(&reader->scan);
	while (reader->scan.at < at.end)
		if (!alpa_dim(reader))
			return false;
	return true;
}

/* ---- Paddle: `dims_mapping=[0,-1]` ---- */

static bool paddle_dim(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	int64_t axis;
	if (sw_read_sign(reader, "-"))
		return (sw_read_sign(reader, "1") || sw_read_refuse(reader, "-1, for a dimension that is whole")) &&
			sw_read_end_dim(reader, at);
	return sw_read_number(reader, "number of an axis, or -1", 0, SW_MAX_AXES, &axis) &&
		numbered_axis(reader, axis, at) && sw_read_end_dim(reader, at);
}

bool sw_read_paddle(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan), open;
	reader->out->notation = SW_NOTATION_PADDLE;
	if (!sw_read_word(reader, "dims_mapping"))
		return sw_read_refuse(reader, "dims_mapping=[...]");
	if (!sw_scan_take(scan, '='))
		sw_scan_take(scan, ':');
	open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and a number for each dimension", nowhere) || !sw_read_need_mesh(reader, at))
		return false;
	for (bool more = !sw_scan_take(scan, ']'); more;)
		if (!paddle_dim(reader) || !sw_scan_list(scan, ']', "a comma or ']'", open, &more))
			return false;
	return true;
}

/* ---- MLIR: `#shard.sharding<@mesh, split_axes = [[0],[1]]>` ---- */

static bool mlir_dim(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan), at;
	int64_t axis;
	if (!sw_scan_expect(scan, '[', "'[' and the axes of a dimension", nowhere))
		return false;
	for (bool more = !sw_scan_take(scan, ']'); more;) {
		at = sw_scan_next_span(scan);
		if (!sw_read_number(reader, "number of an axis", 0, SW_MAX_AXES, &axis) || !numbered_axis(reader, axis, at) ||
		    !sw_scan_list(scan, ']', "a comma or ']'", open, &more))
			return false;
	}
	return sw_read_end_dim(reader, open);
}

static bool mlir_dims(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	if (sw_read_word(reader, "split_axes") && !sw_scan_expect(scan, '=', "'='", nowhere))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and lists of axes", nowhere))
		return false;
	for (bool more = !sw_scan_take(scan, ']'); more;)
		if (!mlir_dim(reader) || !sw_scan_list(scan, ']', "a comma or ']'", open, &more))
			return false;
	reader->out->extends = true;
	return true;
}

bool sw_read_mlir(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan), name;
	reader->out->notation = SW_NOTATION_MLIR;
	sw_read_sign(reader, "#");
	if (!sw_read_word(reader, "shard.sharding") && !sw_read_word(reader, "mesh.sharding") &&
	    !sw_read_word(reader, "mesh.shard"))
		return sw_read_refuse(reader, "#shard.sharding<@mesh, split_axes = [[0], [1]]>");
	sw_span open = sw_scan_next_span(scan);
	bool angle = sw_scan_take(scan, '<');
	if (!sw_scan_expect(scan, '@', "'@' and the name of the mesh", nowhere) || !sw_read_need_mesh(reader, at))
		return false;
	if (!sw_scan_word(scan, &name).length)
		return sw_read_refuse(reader, "the name of the mesh");
	sw_scan_take(scan, ',');
	return mlir_dims(reader) && (!angle || sw_scan_expect(scan, '>', "'>'", open));
}

/* ---- printing ---- */

/* Whole axes, each with its number, and nothing else that these notations have no words for. */
static bool numbered_can(const sw_sharding *s, sw_notation notation, int most, sw_diag *diag)
{
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, notation, "it cuts no array in tiles");
	if (s->ids)
		return sw_print_refuse(diag, notation, "its mesh has the devices in their order");
	for (int g = 0; g < s->subgroups; g++)
		if (s->subgroup[g] != SW_SUBGROUP_REPLICATED && sw_subgroup_first(s, g) < sw_subgroup_first(s, g + 1))
			return sw_print_refuse(diag, notation, "it has no words for sums and manual axes");
	for (int i = 0; i < s->first[s->rank]; i++)
		if (s->parts[i].size != s->mesh.axis[s->parts[i].axis].size)
			return sw_print_refuse(diag, notation, "it knows no parts of axes");
		else if (s->parts[i].axis >= most)
			return sw_print_refuse(diag, notation, "an axis's number is one digit");
	return true;
}

bool sw_print_alpa(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (!numbered_can(s, SW_NOTATION_ALPA, 10, diag))
		return false;
	for (int d = 0; d < s->rank; d++) {
		sw_text_add(text, s->first[d] < s->first[d + 1] ? "S" : "R");
		for (int i = s->first[d]; i < s->first[d + 1]; i++)
			sw_text_addf(text, "%d", s->parts[i].axis);
	}
	return s->rank > 0 || sw_print_refuse(diag, SW_NOTATION_ALPA, "there is no dimension");
}

bool sw_print_paddle(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (!numbered_can(s, SW_NOTATION_PADDLE, SW_MAX_AXES, diag))
		return false;
	for (int d = 0; d < s->rank; d++)
		if (s->first[d + 1] - s->first[d] > 1)
			return sw_print_refuse(diag, SW_NOTATION_PADDLE, "one axis at most cuts a dimension");
	sw_text_add(text, "dims_mapping=[");
	for (int d = 0; d < s->rank; d++)
		sw_text_addf(text, "%s%d", d ? "," : "", s->first[d] < s->first[d + 1] ? s->parts[s->first[d]].axis : -1);
	sw_text_add(text, "]");
	return true;
}

bool sw_print_mlir(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (!numbered_can(s, SW_NOTATION_MLIR, SW_MAX_AXES, diag))
		return false;
	sw_text_add(text, "#shard.sharding<@mesh, split_axes = [");
	for (int d = 0; d < s->rank; d++) {
		sw_text_add(text, d ? ", [" : "[");
		for (int i = s->first[d]; i < s->first[d + 1]; i++)
			sw_text_addf(text, "%s%d", i > s->first[d] ? ", " : "", s->parts[i].axis);
		sw_text_add(text, "]");
	}
	sw_text_add(text, "]>");
	return true;
}

bool sw_mesh_mlir(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	(void)diag;
	sw_text_add(text, "shard.grid @mesh(shape = ");
	for (int i = 0; i < s->mesh.count; i++)
		sw_text_addf(text, "%s%" PRId64, i ? "x" : "", s->mesh.axis[i].size);
	sw_text_add(text, ")");
	return true;
}

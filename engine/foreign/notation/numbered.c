/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notations that name axes of the mesh by number, dimension by dimension: Alpa's `S01R` and Colossal-AI's `[S01, R]`,
 * Paddle's `dims_mapping` and GSPMD's `mesh_split`, the shard dialect of MLIR.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>

static const sw_span nowhere = {0, 0};

bool sw_read_axis_number(sw_reader *reader, int64_t axis, sw_span at)
{
	const sw_mesh *mesh = &reader->out->mesh;
	if (axis < mesh->count)
		return sw_read_part(reader, sw_str_of(mesh->axis[axis].name), at, 1, 0);
	sw_diag_set(reader->scan.diag, SW_T02, at, "the mesh has no axis number %" PRId64, axis);
	sw_diag_expected(reader->scan.diag, "a number from 0 to %d", mesh->count - 1);
	return false;
}

/* ---- Alpa and Colossal-AI: one letter a dimension, `S` with the numbers of axes as digits, major first ---- */

static bool alpa_dim(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = {scan->at, scan->at + 1};
	char letter = scan->at < scan->text.length ? scan->text.at[scan->at] : '\0';
	if (letter == 'R') {
		scan->at++;
		return sw_read_end_dim(reader, at);
	}
	bool digit = scan->at + 1 < scan->text.length && scan->text.at[scan->at + 1] >= '0' &&
		scan->text.at[scan->at + 1] <= '9';
	if (letter != 'S' || !digit)
		return sw_read_refuse(reader, "R, or S and the numbers of axes");
	for (scan->at++; scan->at < scan->text.length && scan->text.at[scan->at] >= '0' && scan->text.at[scan->at] <= '9';
		 scan->at++)
		if (!sw_read_axis_number(reader, scan->text.at[scan->at] - '0', (sw_span){scan->at, scan->at + 1}))
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

/* `device_mesh_shape: (4, 2)` behind a sequence: where no mesh is known its axes are called m0, m1, ... */
static bool colossal_read_mesh(sw_reader *reader, size_t *end)
{
	sw_scan *scan = &reader->scan;
	size_t before = scan->at;
	sw_numbers sizes = {0};
	while (sw_scan_peek(scan) >= 0 && !sw_read_sees(reader, "device_mesh_shape"))
		scan->at++;
	*end = scan->text.length;
	if (sw_read_word(reader, "device_mesh_shape")) {
		if (!sw_scan_expect(scan, ':', "':' and the sizes of the mesh", nowhere))
			return false;
		sw_span at = sw_scan_next_span(scan);
		if (!sw_read_sizes(reader, &sizes) || !sw_read_numbered_mesh(reader, sizes.at, sizes.count, at))
			return false;
		*end = scan->at;
	}
	scan->at = before;
	return true;
}

/* `S0,R` up to `close`, or to what is no letter */
static bool colossal_dims(sw_reader *reader, char close, sw_span open)
{
	for (bool more = true; more;) {
		sw_scan_peek(&reader->scan);
		if (!alpa_dim(reader))
			return false;
		if (!close)
			more = sw_scan_take(&reader->scan, ',');
		else if (!sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, &more))
			return false;
	}
	return true;
}

/* `[S0, R]`, or as a ShardingSpec prints: `DistSpec: shard_sequence: S0,R device_mesh_shape: (4, 2)` */
bool sw_read_colossal(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan);
	size_t end = 0;
	reader->out->notation = SW_NOTATION_COLOSSAL;
	if (sw_read_word(reader, "DistSpec"))
		sw_read_sign(reader, ":");
	bool printed = sw_read_word(reader, "shard_sequence") || sw_read_word(reader, "sharding_sequence");
	if (printed && !sw_read_sign(reader, ":") && !sw_read_sign(reader, "="))
		return sw_read_refuse(reader, "':' and the sequence, such as S0,R");
	if (printed && !colossal_read_mesh(reader, &end))
		return false;
	sw_span open = sw_scan_next_span(scan);
	bool bracket = sw_scan_take(scan, '[');
	if (!sw_read_need_mesh(reader, at) || !colossal_dims(reader, bracket ? ']' : '\0', open))
		return false;
	scan->at = printed && end > scan->at ? end : scan->at;
	return true;
}

/* ---- Paddle and GSPMD: a number for each dimension, -1 where it is whole ---- */

static bool mapping_dim(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	int64_t axis;
	if (sw_read_sign(reader, "-"))
		return (sw_read_sign(reader, "1") || sw_read_refuse(reader, "-1, for a dimension that is whole")) &&
			sw_read_end_dim(reader, at);
	return sw_read_number(reader, "number of an axis, or -1", 0, SW_MAX_AXES, &axis) &&
		sw_read_axis_number(reader, axis, at) && sw_read_end_dim(reader, at);
}

static bool mapping_dims(sw_reader *reader, sw_span at)
{
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "[", "'[' and a number for each dimension") ||
		!sw_read_need_mesh(reader, at))
		return false;
	while (sw_py_next(&list))
		if (!mapping_dim(reader))
			return false;
	return list.ok;
}

/* `dims_mapping=[0,-1]`, or `ProcessMesh(...)` alone */
bool sw_read_paddle(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan);
	bool mesh;
	reader->out->notation = SW_NOTATION_PADDLE;
	if (!sw_read_dtensor_mesh(reader, &mesh))
		return false;
	if (mesh) {
		reader->out->kind = SW_SHARDING_MESH;
		return true;
	}
	if (!sw_read_word(reader, "dims_mapping"))
		return sw_read_refuse(reader, "dims_mapping=[...]");
	if (!sw_scan_take(scan, '='))
		sw_scan_take(scan, ':');
	return mapping_dims(reader, at);
}

/* `mesh_split(x, mesh, [0, -1])`: the tensor's name and the mesh's stay unread */
bool sw_read_gspmd(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan), word_at;
	sw_py_list list;
	reader->out->notation = SW_NOTATION_GSPMD;
	sw_str word = sw_py_word(&reader->scan, &word_at);
	if (!sw_str_is(word, "mesh_split") && !sw_str_is(word, "MeshSplit")) {
		scan->at = at.begin;
		return sw_read_refuse(reader, "mesh_split(x, mesh, [0, -1])");
	}
	if (!sw_py_open(&list, scan, "(", "'(' and the tensor"))
		return false;
	for (int i = 0; i < 2; i++) {
		sw_py_value(scan);
		if (!sw_scan_expect(scan, ',', "a comma, after the tensor and after the mesh", list.open))
			return false;
	}
	if (!sw_py_named(scan, "dims_mapping"))
		sw_py_named(scan, "tensor_split_dims_mapping");
	return mapping_dims(reader, at) && sw_py_rest(&list);
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
		if (!sw_read_number(reader, "number of an axis", 0, SW_MAX_AXES, &axis) ||
			!sw_read_axis_number(reader, axis, at) || !sw_scan_list(scan, ']', "a comma or ']'", open, &more))
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

/* `shard.grid @mesh(shape = 4x2)`: its axes have numbers and no names */
static bool mlir_grid(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_numbers sizes = {0};
	sw_span at = sw_scan_next_span(scan), open, name;
	int64_t size;
	if (!sw_scan_expect(scan, '@', "'@' and the name of the grid", nowhere))
		return false;
	if (!sw_scan_word(scan, &name).length)
		return sw_read_refuse(reader, "the name of the grid");
	open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and the shape", nowhere))
		return false;
	if (!sw_read_word(reader, "shape") || !sw_read_sign(reader, "="))
		return sw_read_refuse(reader, "shape = 4x2");
	sw_scan_peek(scan);
	do {
		if (!sw_read_digits(reader, &size))
			return sw_read_refuse(reader, "the size of an axis; a size known only at run time cannot be planned");
		if (!sw_numbers_add(&sizes, size, reader->arena, scan->diag))
			return false;
	} while (sw_read_sign(reader, "x"));
	at.end = scan->at;
	reader->out->kind = SW_SHARDING_MESH;
	return sw_scan_expect(scan, ')', "')'", open) && sw_read_numbered_mesh(reader, sizes.at, sizes.count, at);
}

static bool mlir_sharding(sw_reader *reader, sw_span at)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan), name;
	bool angle = sw_scan_take(scan, '<');
	if (!sw_scan_expect(scan, '@', "'@' and the name of the mesh", nowhere) || !sw_read_need_mesh(reader, at))
		return false;
	if (!sw_scan_word(scan, &name).length)
		return sw_read_refuse(reader, "the name of the mesh");
	sw_scan_take(scan, ',');
	if (!mlir_dims(reader) || (angle && !sw_scan_expect(scan, '>', "'>'", open)))
		return false;
	if (sw_scan_take(scan, ':')) /* `: !shard.sharding` */
		scan->at = scan->text.length;
	return true;
}

static const struct {
	const char *word;
	bool grid;
} mlir_words[] = {{"shard.sharding", false}, {"mesh.sharding", false}, {"mesh.shard", false}, {"shard.grid", true},
	{"mesh.mesh", true}};

/* `%s = shard.sharding @mesh split_axes = [[0], [1]] : !shard.sharding` too */
bool sw_read_mlir(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan), name;
	reader->out->notation = SW_NOTATION_MLIR;
	if (sw_read_sign(reader, "%") && (!sw_scan_word(scan, &name).length || !sw_scan_take(scan, '=')))
		return sw_read_refuse(reader, "%name = shard.sharding @mesh split_axes = [[0], [1]]");
	sw_read_sign(reader, "#");
	for (size_t i = 0; i < sizeof(mlir_words) / sizeof(*mlir_words); i++)
		if (sw_read_word(reader, mlir_words[i].word))
			return mlir_words[i].grid ? mlir_grid(reader) : mlir_sharding(reader, at);
	return sw_read_refuse(reader, "#shard.sharding<@mesh, split_axes = [[0], [1]]>");
}

/* ---- printing ---- */

/* Whole axes, each with its number, and nothing else that these notations have no words for. */
static bool numbered_can(const sw_sharding *s, sw_notation notation, int most, sw_diag *diag)
{
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, notation, "it has no tiles");
	if (s->mesh.order)
		return sw_print_refuse(diag, notation, "its mesh has the devices in order");
	for (int g = 0; g < s->subgroups; g++)
		if (s->subgroup[g] != SW_SUBGROUP_REPLICATED && sw_subgroup_first(s, g) < sw_subgroup_first(s, g + 1))
			return sw_print_refuse(diag, notation, "it cannot express sums and manual axes");
	for (int i = 0; i < s->first[s->rank]; i++)
		if (s->parts[i].size != s->mesh.axis[s->parts[i].axis].size)
			return sw_print_refuse(diag, notation, "it cannot express parts of axes");
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

bool sw_print_colossal(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (!numbered_can(s, SW_NOTATION_COLOSSAL, 10, diag))
		return false;
	sw_text_add(text, "[");
	for (int d = 0; d < s->rank; d++) {
		sw_text_addf(text, "%s%c", d ? ", " : "", s->first[d] < s->first[d + 1] ? 'S' : 'R');
		for (int i = s->first[d]; i < s->first[d + 1]; i++)
			sw_text_addf(text, "%d", s->parts[i].axis);
	}
	sw_text_add(text, "]");
	return s->rank > 0 || sw_print_refuse(diag, SW_NOTATION_COLOSSAL, "there is no dimension");
}

/* `[0, -1]` */
static bool mapping_print(const sw_sharding *s, sw_notation notation, const char *comma, sw_text *text, sw_diag *diag)
{
	if (!numbered_can(s, notation, SW_MAX_AXES, diag))
		return false;
	for (int d = 0; d < s->rank; d++)
		if (s->first[d + 1] - s->first[d] > 1)
			return sw_print_refuse(diag, notation, "one axis at most cuts a dimension");
	sw_text_add(text, "[");
	for (int d = 0; d < s->rank; d++)
		sw_text_addf(text, "%s%d", d ? comma : "", s->first[d] < s->first[d + 1] ? s->parts[s->first[d]].axis : -1);
	sw_text_add(text, "]");
	return true;
}

bool sw_print_paddle(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_paddle(s, arena, text, diag);
	sw_text_add(text, "dims_mapping=");
	return mapping_print(s, SW_NOTATION_PADDLE, ",", text, diag);
}

bool sw_print_gspmd(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	sw_text_add(text, "mesh_split(x, mesh, ");
	if (!mapping_print(s, SW_NOTATION_GSPMD, ", ", text, diag))
		return false;
	sw_text_add(text, ")");
	return true;
}

bool sw_print_mlir(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	if (s->kind == SW_SHARDING_MESH)
		return sw_mesh_mlir(s, arena, text, diag);
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

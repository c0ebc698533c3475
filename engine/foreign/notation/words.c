/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that say what no tiles say: as types with words over a grid of devices.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

static const sw_span nowhere = {0, 0};

/* ---- grids ---- */

/* The dimension of the grid that axis `axis` of the mesh is. */
static int dimension_of(const sw_grid *grid, int axis)
{
	return grid->turned ? grid->count - 1 - axis : axis;
}

/* Does the mesh that is known have these sizes, on devices in their order? */
static bool takes_known(sw_reader *reader, sw_grid *grid)
{
	const sw_mesh *mesh = reader->context != NULL ? reader->context->mesh : NULL;
	bool same = mesh != NULL && mesh->order == NULL && mesh->count == grid->count;

	for (int axis = 0; same && axis < mesh->count; axis++)
		same = mesh->axis[axis].size == grid->size[dimension_of(grid, axis)];
	for (int axis = 0; same && axis < mesh->count; axis++)
		memcpy(grid->name[dimension_of(grid, axis)], mesh->axis[axis].name, SW_NAME_SIZE);
	if (same)
		reader->out->mesh = *mesh;
	return same;
}

/* x; r and c; a, b, c, ... */
static void name_dimensions(sw_grid *grid)
{
	static const char *const names[2][2] = {{"x"}, {"r", "c"}};

	for (int dim = 0; dim < grid->count; dim++)
		if (grid->count <= 2)
			memcpy(grid->name[dim], names[grid->count - 1][dim], 2);
		else
			sw_axis_name(dim, grid->name[dim]);
}

static bool refuse_mesh(sw_reader *reader, sw_span at)
{
	if (reader->scan.diag != NULL)
		reader->scan.diag->at = at;
	return false;
}

bool sw_read_take_grid(sw_reader *reader, sw_grid *grid, sw_span at)
{
	sw_sharding *out = reader->out;

	out->named = out->own_mesh = true;
	if (takes_known(reader, grid))
		return true;
	out->mesh = (sw_mesh){.devices = 1};
	name_dimensions(grid);
	for (int axis = 0; axis < grid->count; axis++) {
		int dim = dimension_of(grid, axis);
		if (!sw_mesh_add(&out->mesh, sw_str_of(grid->name[dim]), grid->size[dim], reader->scan.diag))
			return refuse_mesh(reader, at);
	}
	return true;
}

bool sw_read_take_devices(sw_reader *reader, int64_t devices, sw_span at)
{
	const sw_mesh *known = reader->context != NULL ? reader->context->mesh : NULL;
	sw_sharding *out = reader->out;

	out->named = out->own_mesh = true;
	if (known != NULL && known->order == NULL && known->devices >= devices) {
		out->mesh = *known;
		return true;
	}
	out->mesh = (sw_mesh){.devices = 1};
	return sw_mesh_add(&out->mesh, sw_str_of("d"), devices, reader->scan.diag) || refuse_mesh(reader, at);
}

bool sw_read_turned(sw_reader *reader)
{
	sw_read_sign(reader, ",");
	if (sw_read_word(reader, "row-major"))
		return false;
	return sw_read_word(reader, "column-major") || sw_read_word(reader, "col-major");
}

static bool refuse_grid(sw_reader *reader, const char *expected)
{
	sw_read_refuse(reader, expected);
	sw_diag_hint(reader->scan.diag,
		"`on 2 x 3` is a grid of 2 rows and 3 columns, ranks row by row; a following `column-major` counts "
		"them column by column");
	return false;
}

bool sw_read_on_grid(sw_reader *reader, sw_grid *grid)
{
	*grid = (sw_grid){0};
	if (!sw_read_word(reader, "on"))
		return true;
	do {
		int64_t size;
		sw_scan_peek(&reader->scan);
		if (grid->count == SW_MAX_DIMS)
			return refuse_grid(reader, "at most 16 dimensions of the grid");
		if (!sw_read_digits(reader, &size) || size < 1 || size > SW_MAX_DEVICES)
			return refuse_grid(reader, "the size of the grid of processes");
		grid->size[grid->count++] = size;
	} while (sw_read_sign(reader, "x") || sw_read_sign(reader, "*"));
	sw_read_word(reader, "locales");
	grid->turned = sw_read_turned(reader);
	return true;
}

bool sw_read_signed(sw_reader *reader, int64_t *number)
{
	bool minus = sw_read_sign(reader, "-");

	if (!minus)
		sw_read_sign(reader, "+");
	sw_scan_peek(&reader->scan);
	if (!sw_read_digits(reader, number))
		return false;
	*number = minus ? -*number : *number;
	return true;
}

void sw_read_pass(sw_reader *reader, const char *signs)
{
	sw_scan *scan = &reader->scan;

	for (int c = sw_scan_peek(scan); c > 0 && strchr(signs, c) != NULL; c = sw_scan_peek(scan))
		scan->at++;
}

/* ---- the type ---- */

bool sw_read_words(sw_reader *reader, sw_text *type, sw_span at)
{
	sw_sharding *out = reader->out;
	sw_diag *diag = reader->scan.diag;
	const sw_distribution *words;
	size_t length = type->length;
	const char *kept = type->failed ? NULL : sw_arena_copy(reader->arena, sw_text_get(type), length);

	sw_text_free(type);
	if (kept == NULL)
		return sw_diag_memory(diag);
	out->kind = SW_SHARDING_WORDS;
	out->words = (sw_str){kept, length};
	if (!sw_type_parse_any(&out->mesh, out->words, NULL, reader->arena, &out->shape, &words, diag)) {
		if (diag != NULL)
			diag->at = at;
		if (diag != NULL)
			diag->also = nowhere;
		return false;
	}
	out->has_shape = true;
	sw_type_replicated(out->shape.dtype, out->shape.rank, out->shape.global, &out->shape, NULL);
	out->rank = out->shape.rank;
	memset(out->first, 0, sizeof out->first);
	return true;
}

void sw_words_print_over(sw_str type, const sw_mesh *mesh, sw_text *text)
{
	int depth = 0;

	for (size_t i = 0; i < type.length; i++) {
		char c = type.at[i];
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
		sw_text_add_char(text, c);
		if (c != ']' || depth > 0)
			continue;
		sw_text_add(text, " over ");
		sw_mesh_print(mesh, text);
	}
}

static bool refuse_small(const sw_sharding *s, const sw_mesh *mesh, sw_diag *diag)
{
	sw_text wants = {0};

	sw_mesh_print(&s->mesh, &wants);
	sw_diag_set(diag, SW_N05, nowhere, "the grid has %" PRId64 " processes, and the mesh %" PRId64 " devices",
		s->mesh.devices, mesh->devices);
	sw_diag_expected(diag, "a mesh of at least %" PRId64 " devices", s->mesh.devices);
	sw_diag_found(diag, "%" PRId64, mesh->devices);
	sw_diag_hint(diag, "`mesh %s` is the grid itself", sw_text_get(&wants));
	sw_text_free(&wants);
	return false;
}

static bool words_over(const sw_sharding *s, const sw_mesh *mesh, sw_arena *arena, sw_type *type,
	const sw_distribution **words, sw_diag *diag)
{
	sw_text text = {0};

	if (s->mesh.devices > mesh->devices)
		return refuse_small(s, mesh, diag);
	if (sw_mesh_equal(&s->mesh, mesh))
		sw_text_add_str(&text, s->words);
	else
		sw_words_print_over(s->words, &s->mesh, &text);
	bool ok = text.failed ?
		sw_diag_memory(diag) :
		sw_type_parse_any(mesh, (sw_str){sw_text_get(&text), text.length}, NULL, arena, type, words, diag);
	sw_text_free(&text);
	return ok;
}

bool sw_sharding_any(const sw_sharding *s, const sw_mesh *mesh, const sw_type *shape, sw_arena *arena, sw_type *type,
	const sw_distribution **words, sw_diag *diag)
{
	*words = NULL;
	if (s->kind == SW_SHARDING_WORDS)
		return words_over(s, mesh, arena, type, words, diag);
	return sw_sharding_over(s, mesh, shape, arena, type, diag);
}

/* ---- problems ---- */

/* The mesh of the one that is tiles, or that both have, or the devices of the larger one without a grid. */
static bool mesh_of_both(const sw_sharding *from, const sw_sharding *to, sw_mesh *mesh, sw_diag *diag)
{
	const sw_sharding *tiles = from->kind != SW_SHARDING_WORDS ? from : to->kind != SW_SHARDING_WORDS ? to : NULL;
	int64_t most = from->mesh.devices > to->mesh.devices ? from->mesh.devices : to->mesh.devices;

	if (tiles == NULL && sw_mesh_equal(&from->mesh, &to->mesh))
		tiles = from;
	if (tiles != NULL && tiles->mesh.count > 0) {
		*mesh = tiles->mesh;
		return true;
	}
	*mesh = (sw_mesh){.devices = 1};
	return sw_mesh_add(mesh, sw_str_of("d"), most, diag);
}

bool sw_words_problem(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag)
{
	sw_problem *problem = &reading->problem;

	*reading = (sw_reading){0};
	if (shape == NULL)
		shape = from->has_shape ? &from->shape : &to->shape;
	return mesh_of_both(from, to, &problem->mesh, diag) &&
		sw_sharding_any(from, &problem->mesh, shape, arena, &problem->from, &problem->from_words, diag) &&
		sw_sharding_any(to, &problem->mesh, shape, arena, &problem->to, &problem->to_words, diag) &&
		sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, diag) &&
		sw_type_redistributable(&problem->from, &problem->to, diag);
}

/* Is it defined in both or in neither, with the same elements; -1: no memory. */
static int same_on(const sw_holding *a, const sw_holding *b, int64_t device, sw_arena *arena)
{
	sw_region has[2];

	if (sw_holding_defined(a, device) != sw_holding_defined(b, device))
		return 0;
	if (!sw_holding_region(a, device, arena, &has[0]) || !sw_holding_region(b, device, arena, &has[1]))
		return -1;
	return sw_region_equal(&has[0], &has[1]);
}

int64_t sw_words_differ(const sw_sharding *a, const sw_sharding *b, sw_arena *arena, int64_t *first, sw_diag *diag)
{
	sw_reading *reading = SW_NEW(arena, sw_reading, 1);
	sw_holding held[2];
	int64_t differ = 0;

	if (reading == NULL)
		return sw_diag_memory(diag) - 1;
	if (!sw_words_problem(a, b, NULL, arena, reading, diag))
		return -1;
	if (!sw_problem_holdings(&reading->problem, arena, &held[0], &held[1]))
		return sw_diag_memory(diag) - 1;
	for (int64_t d = 0; d < held->devices; d++) {
		int same = same_on(&held[0], &held[1], d, arena);
		if (same < 0)
			return sw_diag_memory(diag) - 1;
		if (same == 0 && differ++ == 0)
			*first = d;
	}
	return differ;
}

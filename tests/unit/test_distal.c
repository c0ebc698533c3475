/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes with levels and tensor distribution notation: recorded placements, drawn ones against the definition of the paper and against
 * types, refusals with their places, texts that are damaged.
 */
#include <shardwalk/distal.h>
#include <shardwalk/distribution.h>
#include <shardwalk/notation.h>
#include <shardwalk/problem_json.h>

#include <inttypes.h>

#include <jansson.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/problem.h"

/* ---- meshes with levels ---- */

static const struct level_row {
	const char *mesh, *printed; /* NULL: the same */
	int levels[4];              /* axes of each, 0 after the last */
} level_rows[] = {
	{"{nx: 2, ny: 2; g: 2}", NULL, {2, 1}},
	{"{x: 4, y: 6}", NULL, {2}},
	{"{a:1;b:2;c:3 @ 10GB/s}", "{a: 1; b: 2; c: 3 @ 10GB/s}", {1, 1, 1}},
	{"{\"odd name\": 3 ; x: 1 , y: 2}", "{\"odd name\": 3; x: 1, y: 2}", {1, 2}},
};

/* Read from text or from JSON, and back. */
static void has_levels(void **state)
{
	const struct level_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh), again;
	sw_text text = {0};
	sw_json json;
	int first, end = 0, level = 0;

	for (; row->levels[level] > 0; level++) {
		int before = end;
		sw_mesh_level(&mesh, level, &first, &end);
		assert_int_equal(first, before);
		assert_int_equal(end - first, row->levels[level]);
	}
	assert_int_equal(sw_mesh_levels(&mesh), level);
	sw_mesh_level(&mesh, level, &first, &end);
	assert_int_equal(first, end);
	sw_mesh_print(&mesh, &text);
	assert_string_equal(sw_text_get(&text), row->printed != NULL ? row->printed : row->mesh);
	sw_text_clear(&text);
	sw_text_add(&text, "{\"mesh\": ");
	sw_json_start(&json, &text, true);
	sw_json_mesh(&json, &mesh);
	sw_text_add_char(&text, '}');
	assert_int_equal(strstr(sw_text_get(&text), "\"level\": 1") != NULL, level > 1);
	json_t *object = json_loads(sw_text_get(&text), 0, NULL);
	const sw_json_in in = {.text = sw_str_of(sw_text_get(&text)), .arena = arena};
	assert_true(sw_json_read_mesh(&in, object, "mesh", &again));
	assert_true(sw_mesh_equal(&mesh, &again));
	json_decref(object);
	sw_text_free(&text);
}

static void levels_are_part_of_a_mesh(void **state)
{
	sw_mesh with = mesh_of("{x: 2; y: 3}"), without = mesh_of("{x: 2, y: 3}");

	(void)state;
	assert_false(sw_mesh_equal(&with, &without));
	assert_int_equal(with.devices, without.devices);
	assert_int_equal(with.axis[0].stride, 3);
}

static const char *const wrong_levels[] = {
	"[{\"axis\": \"x\", \"size\": 2, \"level\": 1}]",
	"[{\"axis\": \"x\", \"size\": 2}, {\"axis\": \"y\", \"size\": 2, \"level\": 2}]",
	"[{\"axis\": \"x\", \"size\": 2}, {\"axis\": \"y\", \"size\": 2, \"level\": 1}, {\"axis\": \"z\", \"size\": 2}]",
};

static void refused_levels(void **state)
{
	sw_text text = {0};
	sw_mesh mesh;
	sw_diag diag = {.code = SW_OK};

	sw_text_addf(&text, "{\"mesh\": %s}", *(const char *const *)*state);
	json_t *object = json_loads(sw_text_get(&text), 0, NULL);
	const sw_json_in in = {.text = sw_str_of(sw_text_get(&text)), .arena = arena, .diag = &diag};
	assert_non_null(object);
	assert_false(sw_json_read_mesh(&in, object, "mesh", &mesh));
	assert_int_equal(diag.code, SW_M01);
	json_decref(object);
	sw_text_free(&text);
}

/* ---- recorded placements ---- */

static int64_t number_of(const json_t *list, size_t i)
{
	return (int64_t)json_integer_value(json_array_get(list, i));
}

static const char *text_of(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

/* The mesh of a list of levels, in a text. */
static sw_mesh machine_of(const json_t *levels)
{
	sw_text text = {0};
	size_t i, j;
	json_t *sizes, *size;
	int count = 0;

	json_array_foreach(levels, i, sizes)
	{
		json_array_foreach(sizes, j, size)
		{
			sw_text_addf(&text, "%sm%d: %" PRId64,
				count == 0 ? "{" :
					j == 0 ? "; " :
							 ", ",
				count, (int64_t)json_integer_value(size));
			count++;
		}
	}
	sw_text_add_char(&text, '}');
	sw_mesh mesh = mesh_of(sw_text_get(&text));
	sw_text_free(&text);
	return mesh;
}

/* One text, or one a level in brackets; kept in the arena. */
static const char *placement_of(const json_t *distribution)
{
	sw_text text = {0};
	size_t i;
	json_t *level;

	if (json_is_string(distribution))
		return json_string_value(distribution);
	json_array_foreach(distribution, i, level)
		sw_text_addf(&text, "%s%s", i == 0 ? "[" : ", ", json_string_value(level));
	sw_text_add_char(&text, ']');
	return sw_text_keep(&text, arena);
}

static void array_of(const json_t *shape, sw_type *array)
{
	int64_t size[SW_MAX_DIMS];

	for (size_t dim = 0; dim < json_array_size(shape); dim++)
		size[dim] = number_of(shape, dim);
	assert_true(sw_type_replicated(SW_F64, (int)json_array_size(shape), size, array, NULL));
}

/* The parts of a line, as a type with the same parts: `[{m2,m0}9, 12] by nested on {m1: 0}`. */
static void read_parts(const sw_mesh *mesh, const json_t *line, const sw_type *array, sw_distal *distal)
{
	const json_t *distribution = json_object_get(line, "distribution"),
				 *parts = json_object_get(distribution, "parts");
	sw_text text = {0};
	sw_type type;
	const sw_distribution *words;
	const char *why = NULL, *name;
	json_t *at;

	for (int dim = 0; dim < array->rank; dim++) {
		const json_t *axes = json_array_get(parts, (size_t)dim);
		sw_text_add(&text, dim == 0 ? "[" : ", ");
		for (size_t i = json_array_size(axes); i > 0; i--)
			sw_text_addf(&text, "%sm%" PRId64, i == json_array_size(axes) ? "{" : ",", number_of(axes, i - 1));
		sw_text_addf(&text, "%s%" PRId64, json_array_size(axes) > 0 ? "}" : "", array->global[dim]);
	}
	sw_text_add(&text, "] by nested");
	json_object_foreach(json_object_get(distribution, "fixed"), name, at)
		sw_text_addf(&text, " on {m%s: %" PRId64 "}", name, (int64_t)json_integer_value(at));
	if (!sw_type_parse_any(mesh, sw_str_of(sw_text_get(&text)), NULL, arena, &type, &words, NULL) ||
		!sw_distal_of(mesh, &type, words, arena, distal, &why))
		fail_msg("%s: %s", sw_text_get(&text), why != NULL ? why : "is no type");
	sw_text_free(&text);
}

static void check_boxes(const json_t *line, const sw_mesh *mesh, const sw_type *array, const sw_distal *distal)
{
	const json_t *boxes = json_object_get(line, "boxes"), *held = json_object_get(line, "held");

	assert_int_equal(json_array_size(boxes), mesh->devices);
	for (int64_t d = 0; d < mesh->devices; d++) {
		const json_t *box = json_array_get(boxes, (size_t)d);
		int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS];
		bool some = sw_distal_box(mesh, array->global, distal, d, low, high);
		assert_int_equal(some, !json_is_null(box));
		for (int dim = 0; some && dim < array->rank; dim++) {
			assert_int_equal(low[dim], number_of(json_array_get(box, (size_t)dim), 0));
			assert_int_equal(high[dim], number_of(json_array_get(box, (size_t)dim), 1));
		}
		assert_int_equal(sw_distal_held(mesh, array->global, distal, d), number_of(held, (size_t)d));
	}
}

/* Axes of size 1 may be left out in one of them. */
static void same_boxes(const sw_mesh *mesh, const sw_type *array, const sw_distal *a, const sw_distal *b)
{
	for (int64_t d = 0; d < mesh->devices; d++) {
		int64_t low[2][SW_MAX_DIMS], high[2][SW_MAX_DIMS];
		bool some = sw_distal_box(mesh, array->global, a, d, low[0], high[0]);
		assert_int_equal(some, sw_distal_box(mesh, array->global, b, d, low[1], high[1]));
		for (int dim = 0; some && dim < array->rank; dim++)
			assert_true(low[0][dim] == low[1][dim] && high[0][dim] == high[1][dim]);
	}
}

/* The type that says the same has the same boxes, and is the placement again. */
static void check_type(const sw_mesh *mesh, const sw_type *array, const sw_distal *distal)
{
	sw_text text = {0};
	sw_type type;
	const sw_distribution *words;
	sw_holding holding;
	sw_distal again;
	sw_diag diag = {.code = SW_OK};
	const char *why = NULL;

	sw_distal_print_type(mesh, array, distal, &text);
	if (!sw_type_parse_any(mesh, sw_str_of(sw_text_get(&text)), NULL, arena, &type, &words, &diag))
		fail_msg("%s: %s", sw_text_get(&text), diag.message);
	assert_true(sw_holding_of_any(mesh, &type, words, NULL, arena, &holding));
	for (int64_t d = 0; d < mesh->devices; d++) {
		int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS];
		bool some = sw_distal_box(mesh, array->global, distal, d, low, high);
		assert_int_equal(sw_holding_size(&holding, d), sw_distal_held(mesh, array->global, distal, d));
		if (!some || array->rank == 0)
			continue;
		assert_true(sw_holding_has(&holding, d, low));
		for (int dim = 0; dim < array->rank; dim++)
			high[dim]--;
		assert_true(sw_holding_has(&holding, d, high));
	}
	if (!sw_distal_of(mesh, &type, words, arena, &again, &why))
		fail_msg("%s: %s", sw_text_get(&text), why != NULL ? why : "no memory");
	same_boxes(mesh, array, distal, &again);
	sw_text_free(&text);
}

static void check_lowered(const json_t *line, const sw_mesh *mesh, const sw_distal *distal)
{
	sw_text text = {0};

	sw_distal_lower(mesh, distal, "T", &text);
	assert_string_equal(sw_text_get(&text), text_of(line, "lowered"));
	sw_text_free(&text);
}

/* What is printed is read as the same. */
static void check_printed(const sw_mesh *mesh, const sw_type *array, const sw_distal *distal)
{
	sw_text text = {0};
	sw_distal again;
	sw_diag diag = {.code = SW_OK};
	const char *why = NULL;

	assert_true(sw_distal_print(mesh, distal, &text, &why));
	if (!sw_distal_parse(mesh, array->rank, sw_str_of(sw_text_get(&text)), &again, &diag))
		fail_msg("%s: %s", sw_text_get(&text), diag.message);
	assert_int_equal(again.cuts, distal->cuts);
	for (int axis = 0; axis < mesh->count; axis++) {
		assert_int_equal(again.place[axis].dim, distal->place[axis].dim);
		assert_int_equal(again.place[axis].at, distal->place[axis].at);
	}
	sw_text_free(&text);
}

static void placed_line(const json_t *line)
{
	const json_t *distribution = json_object_get(line, "distribution");
	sw_mesh mesh = machine_of(json_object_get(line, "machine"));
	sw_type array;
	sw_distal distal;
	sw_diag diag = {.code = SW_OK};

	array_of(json_object_get(line, "shape"), &array);
	if (json_is_object(distribution)) {
		read_parts(&mesh, line, &array, &distal);
	} else {
		if (!sw_distal_parse(&mesh, array.rank, sw_str_of(placement_of(distribution)), &distal, &diag))
			fail_msg("%s: %s", text_of(line, "name"), diag.message);
		check_lowered(line, &mesh, &distal);
		check_printed(&mesh, &array, &distal);
	}
	check_boxes(line, &mesh, &array, &distal);
	check_type(&mesh, &array, &distal);
}

/* The error by the name of the file, and a place in the text of that array. */
static void illegal_line(const json_t *line)
{
	const char *where = text_of(line, "where"), *error = text_of(line, "error");
	char array[64];
	sw_code code = SW_OK;
	sw_distal distal;
	sw_diag diag = {.code = SW_OK};

	if (sscanf(where, "distribution %63s", array) != 1)
		return;
	for (int n = 0; sw_error_at(n) != NULL; n++)
		if (strcmp(sw_error_at(n)->of, "distribution") == 0 && strcmp(sw_error_at(n)->name, error) == 0)
			code = sw_error_at(n)->code;
	assert_int_not_equal(code, SW_OK);
	sw_mesh mesh = machine_of(json_object_get(line, "machine"));
	const char *text = placement_of(json_object_get(json_object_get(line, "distributions"), array));
	const json_t *shape = json_object_get(json_object_get(line, "shapes"), array);
	assert_false(sw_distal_parse(&mesh, (int)json_array_size(shape), sw_str_of(text), &distal, &diag));
	assert_int_equal(diag.code, code);
	assert_true(diag.at.begin < diag.at.end && diag.at.end <= strlen(text) && diag.hint[0] != '\0');
}

static void each_line(const char *name, void (*check)(const json_t *line))
{
	FILE *file = cases_open(name);
	char *line = NULL;
	size_t room = 0;
	int lines = 0;

	if (file == NULL)
		skip();
	for (; getline(&line, &room, file) > 0; lines++) {
		json_t *object = json_loads(line, 0, NULL);
		assert_non_null(object);
		sw_arena_clear(arena);
		check(object);
		json_decref(object);
	}
	assert_true(lines > 0);
	free(line);
	fclose(file);
}

static void recorded_placements(void **state)
{
	(void)state;
	each_line("distal-placements.jsonl", placed_line);
}

static void recorded_refusals(void **state)
{
	(void)state;
	each_line("distal-illegal.jsonl", illegal_line);
}

/* ---- drawn placements ---- */

struct drawn {
	sw_mesh mesh;
	sw_type array;
	sw_text text;
};

/* A place of an axis: a dimension that the level does not use yet, a coordinate, or all. */
static char draw_place(draw *from, int rank, int64_t size, unsigned *used)
{
	int dim = rank > 0 ? draw_below(from, rank) : 0;

	if (rank > 0 && draw_below(from, 5) < 3 && !(*used >> dim & 1)) {
		*used |= 1u << dim;
		return (char)('p' + dim);
	}
	return draw_below(from, 2) ? '*' : (char)('0' + draw_below(from, (int)size));
}

static void draw_placement(draw *from, struct drawn *out)
{
	int levels = 1 + draw_below(from, 3), rank = draw_below(from, 4), axes = 0;
	int64_t size[4];
	sw_text machine = {0};

	out->text = (sw_text){0};
	for (int dim = 0; dim < rank; dim++)
		size[dim] = 1 + draw_below(from, 11);
	for (int level = 0; level < levels; level++) {
		unsigned used = 0;
		sw_text_add(&out->text, level > 0 ? ", " : levels > 1 ? "[" : "");
		for (int dim = 0; dim < rank; dim++)
			sw_text_add_char(&out->text, (char)('p' + dim));
		sw_text_add(&out->text, "->");
		for (int k = draw_below(from, 2); k >= 0; k--, axes++) {
			int64_t n = 1 + draw_below(from, 4);
			sw_text_addf(&machine, "%sm%d: %" PRId64,
				axes == 0                                   ? "{" :
					machine.data[machine.length - 1] == ';' ? " " :
															  ", ",
				axes, n);
			sw_text_add_char(&out->text, draw_place(from, rank, n, &used));
		}
		sw_text_add(&machine, level + 1 < levels ? ";" : "}");
	}
	sw_text_add(&out->text, levels > 1 ? "]" : "");
	out->mesh = mesh_of(sw_text_get(&machine));
	assert_true(sw_type_replicated(SW_F32, rank, size, &out->array, NULL));
	sw_text_free(&machine);
}

/* Has the device with these coordinates the index, by the text alone?  Level after level the block is cut, and the number of the piece
 * that has the index is the coordinate. */
static bool has_by_text(const struct drawn *drawn, int64_t device, const int64_t *index)
{
	int64_t block[4], at[4];
	const char *text = sw_text_get(&drawn->text);
	bool right = false;
	int axis = 0;

	for (int dim = 0; dim < drawn->array.rank; dim++) {
		block[dim] = drawn->array.global[dim];
		at[dim] = index[dim];
	}
	for (; *text != '\0'; text++) {
		right = (right || *text == '>') && *text != ',' && *text != ']';
		if (!right || *text == '>')
			continue;
		int64_t coordinate = sw_mesh_coordinate(&drawn->mesh, device, axis), size = drawn->mesh.axis[axis].size;
		int dim = *text - 'p';
		axis++;
		if (*text >= '0' && *text <= '9' && coordinate != *text - '0')
			return false;
		if (dim < 0)
			continue;
		block[dim] = (block[dim] + size - 1) / size;
		if (at[dim] / block[dim] != coordinate)
			return false;
		at[dim] %= block[dim];
	}
	return true;
}

static void check_elements(const struct drawn *drawn, const sw_distal *distal)
{
	int64_t elements = 1, index[4], low[SW_MAX_DIMS], high[SW_MAX_DIMS];

	for (int dim = 0; dim < drawn->array.rank; dim++)
		elements *= drawn->array.global[dim];
	for (int64_t d = 0; d < drawn->mesh.devices; d++) {
		bool some = sw_distal_box(&drawn->mesh, drawn->array.global, distal, d, low, high);
		for (int64_t n = 0; n < elements; n++) {
			bool has = some;
			int64_t rest = n;
			for (int dim = drawn->array.rank - 1; dim >= 0; dim--) {
				index[dim] = rest % drawn->array.global[dim];
				rest /= drawn->array.global[dim];
				has = has && index[dim] >= low[dim] && index[dim] < high[dim];
			}
			if (has != has_by_text(drawn, d, index))
				fail_msg("%s: device %" PRId64 ", element %" PRId64, sw_text_get(&drawn->text), d, n);
		}
	}
}

/* P maps each element to one color, F each color to the devices that have its elements: section 3.2. */
static void check_colors(const struct drawn *drawn, const sw_distal *distal)
{
	sw_distal_colors colors;
	sw_distal_color color;
	int64_t held = 0, elements = 0, all = 1;

	sw_distal_colors_begin(&drawn->mesh, drawn->array.global, distal, &colors);
	while (sw_distal_colors_next(&colors, &color)) {
		int64_t size = 1, low[SW_MAX_DIMS], high[SW_MAX_DIMS], before = -1;
		for (int dim = 0; dim < drawn->array.rank; dim++)
			size *= color.high[dim] - color.low[dim];
		for (int64_t n = 0; n < color.devices; n++) {
			int64_t device = sw_distal_color_device(&colors, &color, n);
			assert_true(device > before);
			before = device;
			assert_true(sw_distal_box(&drawn->mesh, drawn->array.global, distal, device, low, high));
			for (int dim = 0; dim < drawn->array.rank; dim++)
				assert_true(low[dim] == color.low[dim] && high[dim] == color.high[dim]);
			for (int i = 0; i < colors.axes; i++)
				assert_int_equal(sw_mesh_coordinate(&drawn->mesh, device, colors.axis[i]), color.coordinate[i]);
		}
		elements += size;
		held += size * color.devices;
	}
	for (int dim = 0; dim < drawn->array.rank; dim++)
		all *= drawn->array.global[dim];
	assert_int_equal(elements, all);
	for (int64_t d = 0; d < drawn->mesh.devices; d++)
		held -= sw_distal_held(&drawn->mesh, drawn->array.global, distal, d);
	assert_int_equal(held, 0);
}

static void drawn_placements(void **state)
{
	draw from = draw_start("drawn placements");

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct drawn drawn;
		sw_distal distal;
		sw_diag diag = {.code = SW_OK};
		sw_arena_clear(arena);
		draw_placement(&from, &drawn);
		if (!sw_distal_parse(&drawn.mesh, drawn.array.rank, sw_str_of(sw_text_get(&drawn.text)), &distal, &diag))
			fail_msg("%s: %s", sw_text_get(&drawn.text), diag.message);
		check_elements(&drawn, &distal);
		check_colors(&drawn, &distal);
		check_printed(&drawn.mesh, &drawn.array, &distal);
		check_type(&drawn.mesh, &drawn.array, &distal);
		sw_text_free(&drawn.text);
	}
}

/* ---- names, commas, spaces ---- */

static const struct same_row {
	const char *mesh;
	int rank;
	const char *text, *printed;
} same_rows[] = {
	{"{x: 2, y: 3}", 2, "xy->xy", "xy->xy"},
	{"{x: 2, y: 3}", 2, " b a -> * ", NULL},
	{"{x: 2, y: 3}", 2, "ba -> 1b", "ba->1b"},
	{"{x: 2, y: 3}", 2, "row,col->col,*", "row,col->col,*"},
	{"{x: 2, y: 3}", 2, "row, col -> 0, row", "row,col->0,row"},
	{"{x: 20}", 1, "x->,12", NULL},
	{"{x: 20, y: 2}", 1, "x->12,x", "x->12,x"},
	{"{x: 2, y: 2; g: 2}", 2, "[xy->xy, zw->z]", "[xy->xy, xy->x]"},
	{"{x: 2, y: 2; g: 2}", 2, "[row,col->row,col, r,c->c]", "[row,col->row,col, row,col->col]"},
	{"{x: 2, y: 2; g: 2}", 2, "[row,col->row,*, zw->w]", "[row,col->row,*, row,col->col]"},
	{"{x: 2, y: 2; g: 2, h: 2}", 2, "[xy->0x, row,col->col,1]", "[xy->0x, xy->y1]"},
	{"{x: 2; g: 2}", 0, "[->0, ->*]", "[->0, ->*]"},
	{"{x: 2}", 0, "->1", "->1"},
	{"{x: 2}", 1, "[x->x]", "x->x"},
	{"{x: 20; y: 20}", 1, "[x->x, x->x]", "[x->x, x->x]"},
};

static void same_placement(void **state)
{
	const struct same_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_distal distal;
	sw_text text = {0};
	const char *why = NULL;
	sw_diag diag = {.code = SW_OK};
	bool ok = sw_distal_parse(&mesh, row->rank, sw_str_of(row->text), &distal, &diag);

	assert_int_equal(ok, row->printed != NULL);
	if (!ok) {
		assert_int_equal(diag.code, SW_N01);
		return;
	}
	assert_true(sw_distal_print(&mesh, &distal, &text, &why));
	assert_string_equal(sw_text_get(&text), row->printed);
	sw_text_free(&text);
}

/* ---- which texts are placements ---- */

static const struct guess_row {
	const char *text;
	bool is;
} guess_rows[] = {
	{"f64[9, 9] xy->xy", true},
	{"[9,9]xy -> x*", true},
	{"f64[] ->0", true},
	{"f64[9] row,col->row", true},
	{"f64[8, 8] [xy->xy, zw->z]", true},
	{"f64[] [->0, ->*]", true},
	{"[12] -> [12]", false},
	{"[12] on 0 -> [12]", false},
	{"[12] on 0,1 -> [12] on 2", false},
	{"[3{x}12] -> [12]", false},
	{"f64[] -> u", false},
	{"[12] shift 1 -> [12]", false},
	{"xy->xy", false},
	{"a -> b", false},
};

static void guessed_placement(void **state)
{
	const struct guess_row *row = *state;
	sw_str sizes, places;

	assert_int_equal(sw_distal_is(sw_str_of(row->text), &sizes, &places), row->is);
	assert_int_equal(sw_notation_guess(sw_str_of(row->text)) == SW_NOTATION_DISTAL, row->is);
}

/* ---- refusals ---- */

static const struct refused_row {
	const char *mesh, *text, *marked; /* ^ under the place, ~ under the second one */
	sw_code code;
	const char *expected, *found;
} refused_rows[] = {
	{"{x: 2, y: 2; g: 2}", "f64[8, 8] xy->xy", "          ^^^^^^", SW_D01, "2 texts", "1"},
	{"{x: 2, y: 2}", "f64[8, 8] [xy->xy, xy->x]", "          ^^^^^^^^^^^^^^^", SW_D01, "1 text", "2"},
	{"{x: 2, y: 2}", "f64[8, 8] xyz->xy", "          ^^^", SW_D02, "2 names on the left", "3"},
	{"{x: 2, y: 2}", "f64[8] ->0*", "       ^^", SW_D02, "1 name on the left", "0"},
	{"{x: 2, y: 2}", "f64[8, 8] xy -> x", "                ^", SW_D03, "2 places on the right", "1"},
	{"{x: 2; g: 2, h: 3}", "f64[8, 8] [xy->x, xy->xy*]", "                      ^^^", SW_D03, "2 places on the right",
		"3"},
	{"{x: 2, y: 2}", "f64[8, 8] xx->x*", "          ~^", SW_D04,
		"a name for each dimension, and each at one axis of a level at most", "'x' again"},
	{"{x: 2, y: 2}", "f64[8, 8] xy->yy", "              ~^", SW_D04,
		"a name for each dimension, and each at one axis of a level at most", "'y' again"},
	{"{x: 2, y: 2}", "f64[8, 8] xy->xz", "          ~~   ^", SW_D05, "x, y, a coordinate or *", "'z'"},
	{"{x: 2, y: 2}", "f64[8, 8] row,col->row,cal", "          ~~~~~~~      ^^^", SW_D05,
		"row, col, a coordinate or *", "'cal'"},
	{"{x: 2, y: 2}", "f64[8, 8] xy->x9", "               ^", SW_D06, "0 to 1", "9"},
	{"{x: 2, y: 2; g: 4}", "f64[8, 8] [xy->xy, xy->4]", "                       ^", SW_D06, "0 to 3", "4"},
	{"{x: 2, y: 2}", "f64[8, 8] xy->x!", "               ^", SW_N01, "the name of a dimension, a coordinate or *",
		"'!'"},
	{"{x: 2}", "f64[8] x->", "        ^^", SW_D03, "1 place on the right", "0"},
	{"{x: 2}", "f64[0] x->x", "    ^", SW_T05, NULL, NULL},
};

static sw_span marked(const char *marks, char mark)
{
	const char *first = strchr(marks, mark), *last = strrchr(marks, mark);
	return first == NULL ? (sw_span){0, 0} : (sw_span){(size_t)(first - marks), (size_t)(last - marks) + 1};
}

static void refused_placement(void **state)
{
	const struct refused_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	const sw_notation_context context = {.mesh = &mesh, .rank = -1};
	sw_sharding *s = SW_NEW(arena, sw_sharding, 1);
	sw_diag diag = {.code = SW_OK};

	assert_false(sw_sharding_parse(sw_str_of(row->text), &context, arena, s, &diag));
	assert_int_equal(diag.code, row->code);
	sw_span at = marked(row->marked, '^'), also = marked(row->marked, '~');
	if (diag.at.begin != at.begin || diag.at.end != at.end || diag.also.begin != also.begin ||
		diag.also.end != also.end)
		fail_msg("%zu to %zu, also %zu to %zu", diag.at.begin, diag.at.end, diag.also.begin, diag.also.end);
	assert_true(diag.hint[0] != '\0');
	if (row->expected != NULL) {
		assert_string_equal(diag.expected, row->expected);
		assert_string_equal(diag.found, row->found);
	}
}

/* ---- printed ---- */

static const struct print_row {
	const char *mesh, *type, *text; /* or why not */
} print_rows[] = {
	{"{x: 3, y: 3}", "f64[3{x}9, 3{y}9]", "f64[9, 9] xy->xy"},
	{"{x: 3, y: 3}", "[{x}8, 9] by nested on {y: 0}", "[8, 9] xy->x0"},
	{"{x: 3, y: 3}", "[{x}8, 9] by chunk", "[8, 9] xy->x*"},
	{"{x: 3, y: 3}", "[9] on 5", "[9] x->12"},
	{"{x: 3, y: 3}", "[]", "[] ->**"},
	{"{x: 2; g: 2}", "[2{g,x}8]", "[8] [x->x, x->x]"},
	{"{x: 2; g: 2}", "[2{x,g}8]", "an axis of an inner level cuts a dimension before one of an outer level"},
	{"{z: 2, x: 2, y: 3}", "[{z,x}8, {y}9]", "two axes of one level cut a dimension"},
	{"{x: 4}", "[4{x:(1)2}8]", "parts of axes cut a dimension, but here only whole axes can"},
	{"{x: 4}", "[8]+{x}", "it has partial sums, but here values are complete"},
	{"{x: 4}", "[{x}9] by balanced",
		"its pieces differ: here an axis divides the size of the block before it, rounded up"},
	{"{x: 4}", "[1{x,..}9]", "parts of axes cut a dimension, but here only whole axes can"},
	{"{x: 4}", "[2{x}8] on 0,2", "words say what devices have, but here only coordinates of axes can"},
	{"{x: 4}", "[2{x}8] shift 1", "words say what devices have, but here only coordinates of axes can"},
	{"{x: 4}", "[8] on 0 union [8] on 3", "it is a list or a union, but here all devices have equal boxes"},
};

static void printed_or_not(void **state)
{
	const struct print_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_type type;
	const sw_distribution *words;
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0}, printed = {0};

	if (!sw_type_parse_any(&mesh, sw_str_of(row->type), NULL, arena, &type, &words, &diag))
		fail_msg("%s: %s", row->type, diag.message);
	sw_type_print_any(&mesh, &type, words, type.dtype_given, &text);
	sw_sharding *s = SW_NEW_ZERO(arena, sw_sharding, 1);
	*s = (sw_sharding){.kind = SW_SHARDING_WORDS,
		.named = true,
		.mesh = mesh,
		.rank = type.rank,
		.has_shape = true,
		.shape = type,
		.words = {sw_text_get(&text), text.length}};
	bool ok = sw_sharding_print(s, SW_NOTATION_DISTAL, arena, &printed, &diag);
	assert_true(ok || diag.code == SW_N02);
	if (ok ? strcmp(sw_text_get(&printed), row->text) != 0 : strstr(diag.message, row->text) == NULL)
		fail_msg("%s", ok ? sw_text_get(&printed) : diag.message);
	sw_text_free(&text);
	sw_text_free(&printed);
}

/* ---- texts that are damaged ---- */

static const char *const whole[] = {"xy->xy", "xy->x0", "row,col->row,col", "->0", "[xy->xy, zw->z]",
	"[row,col->row,*, r,c->c]", "x->12,x", "[xy->*1, row,col->col]"};
static const char *const meshes[] = {"{x: 3, y: 3}", "{x: 2, y: 2; g: 2}", "{x: 20, y: 2}", "{x: 2}"};

static void damaged_texts(void **state)
{
	static const char signs[] = "xyrc,->*0129[] \t!\xc3";
	draw from = draw_start("damaged placements");
	int read = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		const char *text = whole[draw_below(&from, (int)COUNT(whole))];
		sw_mesh mesh = mesh_of(meshes[draw_below(&from, (int)COUNT(meshes))]);
		size_t length = strlen(text);
		char *copy = malloc(length + 1); /* of its length alone: whoever reads further is caught */
		sw_distal distal = {0};
		sw_diag diag = {.code = SW_OK};
		memcpy(copy, text, length);
		for (int n = draw_below(&from, 3); n > 0 && length > 0; n--)
			copy[draw_below(&from, (int)length)] = signs[draw_below(&from, (int)sizeof signs - 1)];
		length -= draw_below(&from, 4) == 0 && length > 0 ? 1 : 0;
		sw_str damaged = {copy, length}, sizes, places;
		int rank = draw_below(&from, 4);
		bool ok = sw_distal_parse(&mesh, rank, damaged, &distal, &diag);
		sw_distal_is(damaged, &sizes, &places);
		assert_true(
			ok ? distal.rank == rank : diag.code != SW_OK && diag.at.end <= length && diag.also.end <= length);
		if (ok) {
			sw_type array;
			int64_t size[SW_MAX_DIMS] = {5, 7, 4};
			assert_true(sw_type_replicated(SW_F32, rank, size, &array, NULL));
			check_printed(&mesh, &array, &distal);
		}
		read += ok;
		free(copy);
	}
	assert_in_range(read, 100, 20000);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(has_levels, level_rows, mesh),
		TEST(levels_are_part_of_a_mesh),
		TEXTS(refused_levels, wrong_levels),
		TEST(recorded_placements),
		TEST(recorded_refusals),
		TEST(drawn_placements),
		ROWS(same_placement, same_rows, text),
		ROWS(guessed_placement, guess_rows, text),
		ROWS(refused_placement, refused_rows, text),
		ROWS(printed_or_not, print_rows, type),
		TEST(damaged_texts),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A type: what it says in numbers, and a ruler for every dimension.
 *
 * A ruler has a row for each axis of the dimension, major on top, where the axis's coordinate stands over the
 * tiles it selects, and the base offsets below.
 */
#include <stdio.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/beside.h"
#include "views/draw.h"
#include "views/general.h"
#include "views/schedule_views.h"
#include "views/tiles.h"

#define BESIDE 100   /* columns from which two types stand side by side */
#define SLOT_MOST 16 /* columns of one tile on a ruler */
#define DEVICES_SHOWN 64
#define DEVICES_ROOM 24 /* columns for them */

/* ---- figures ---- */

static int64_t type_tiles(const sw_type *type, int dim)
{
	return type->tile[dim] > 0 ? type->global[dim] / type->tile[dim] : 1;
}

/* How long a device reads its tile from its own memory, once. */
static int line_reading(const struct view_input *in, struct canvas *out, int y)
{
	const sw_hardware *hardware = in->hardware;
	if (!hardware || hardware->memory <= 0)
		return y;
	double bytes = (double)sw_type_localsize(in->type) * sw_dtype_bytes(in->type->dtype);
	return draw_note(out, 2, y, ROLE_TEXT, "reading the tile once from memory: %s on hardware %s",
		words_seconds(bytes / hardware->memory).text, hardware->name);
}

/* How many tiles there are, of how many terms, on how many devices each, and what that is in all. */
static int line_counts(const struct view_input *in, struct canvas *out, int y)
{
	int64_t terms = sw_type_terms(in->type);
	sw_text of = {0};
	if (terms > 1)
		sw_text_addf(&of, " of %s", words_plural(terms, "term", "terms").text);
	y = draw_note(out, 2, y, ROLE_TEXT, "%s%s, each on %s: %s",
		words_plural(sw_type_tiles(in->type), "tile", "tiles").text, sw_text_get(&of),
		words_plural(sw_type_copies(in->mesh, in->type), "device", "devices").text,
		words_on_all(sw_type_localsize(in->type), in->type->dtype, SW_UNIT_ELEMENTS, in->mesh->devices).text);
	sw_text_free(&of);
	return y;
}

static int line_sizes(const struct view_input *in, struct canvas *out, int y)
{
	const sw_type *type = in->type;
	sw_text text = {0};
	sw_type_print_tile(type->tile, type->rank, &text);
	y = draw_note(out, 2, y, ROLE_TEXT, "tile   %s: %s, %s", sw_text_get(&text),
		words_plural(sw_type_localsize(type), "element", "elements").text,
		words_bytes(sw_type_localsize(type), type->dtype).text);
	y = line_reading(in, out, y);
	sw_text_clear(&text);
	sw_type_print_tile(type->global, type->rank, &text);
	y = draw_note(out, 2, y, ROLE_TEXT, "array  %s: %s, %s", sw_text_get(&text),
		words_plural(sw_type_globalsize(type), "element", "elements").text,
		words_bytes(sw_type_globalsize(type), type->dtype).text);
	sw_text_free(&text);
	return line_counts(in, out, y);
}

/* The devices of the first tile that differ along a part alone: ` (0-1)`; nothing where the mesh has an order of its own. */
static void part_devices_text(const struct view_input *in, sw_part part, sw_text *text)
{
	int64_t devices[DEVICES_SHOWN];
	int64_t listed = part.size < DEVICES_SHOWN ? part.size : DEVICES_SHOWN;
	if (in->devices)
		return;
	for (int64_t i = 0; i < listed; i++)
		devices[i] = i * part_stride(in->mesh, part);
	sw_text_add(text, " (");
	devices_text(in->mesh, devices, listed, part.size, DEVICES_ROOM, text);
	sw_text_add(text, ")");
}

/* A row for each part that is summed over. */
static int lines_sums(const struct view_input *in, struct canvas *out, int y)
{
	const sw_type *type = in->type;
	for (int i = type->first[type->rank]; i < type->first[type->rank + 1]; i++) {
		sw_part part = sw_type_part(type, i);
		sw_text name = {0}, devices = {0};
		part_text(in->mesh, part, &name);
		part_devices_text(in, part, &devices);
		y = draw_note(out, 2, y, ROLE_TEXT, "sum over %s: %s, on devices that differ only along it%s",
			sw_text_get(&name), words_plural(part.size, "term", "terms").text, sw_text_get(&devices));
		sw_text_free(&name);
		sw_text_free(&devices);
	}
	return y;
}

/* How much of an axis the type uses: the product of its parts. */
static int64_t axis_used(const sw_type *type, int axis)
{
	int64_t used = 1;
	for (int i = 0; i < type->first[type->rank + 1]; i++)
		if (sw_type_part(type, i).axis == axis)
			used *= sw_type_part(type, i).size;
	return used;
}

static int line_unused(const struct view_input *in, struct canvas *out, int y)
{
	sw_text text = {0};
	for (int i = 0; i < in->mesh->count; i++) {
		int64_t rest = in->mesh->axis[i].size / axis_used(in->type, i);
		if (rest == 1)
			continue;
		sw_text_add(&text, text.length ? ", " : "");
		sw_mesh_print_name(in->mesh->axis[i].name, &text);
		sw_text_addf(&text, rest == in->mesh->axis[i].size ? " (%lld)" : " (%lld of it)", (long long)rest);
	}
	if (text.length)
		y = draw_note(out, 2, y, ROLE_TEXT, "unused, so there are copies along them: %s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* ---- rulers ---- */

struct ruler {
	const sw_mesh *mesh;
	const sw_type *type;
	int dim;          /* the rank: a ruler of the sums, a term in the place of a tile */
	int64_t count;    /* tiles, or terms */
	int64_t last;     /* the largest number on the scale */
	int64_t position; /* of the tile that holds the followed element; -1: none */
	int x, label;     /* left end of the picture; columns of the axis names before it */
	struct stretch stretch[STRETCHES_MAX];
	int stretches, width; /* columns of a stretch, its left line included */
};

static int digits_of(int64_t n)
{
	return snprintf(NULL, 0, "%lld", (long long)n);
}

static int label_width(const struct ruler *ruler, int room)
{
	sw_text text = {0};
	int width = 6;
	for (int i = ruler->type->first[ruler->dim]; i < ruler->type->first[ruler->dim + 1]; i++) {
		sw_text_clear(&text);
		part_text(ruler->mesh, sw_type_part(ruler->type, i), &text);
		int here = canvas_text_width(sw_text_get(&text));
		width = here > width ? here : width;
	}
	sw_text_free(&text);
	return width < room ? width : room;
}

static void ruler_layout(struct ruler *ruler, int width)
{
	int64_t tiles = ruler->count;
	int digits = digits_of(ruler->last);
	int more = digits_of(tiles) + 3;
	ruler->label = label_width(ruler, width / 4);
	ruler->x = 2 + ruler->label + 1;
	int room = width - ruler->x - digits;
	int least = digits + 2;
	least = tiles * least > room && more > least ? more : least;
	ruler->stretches = fold_stretches(tiles, room / least, -1, ruler->stretch);
	ruler->width = room / ruler->stretches;
	ruler->width = ruler->width > SLOT_MOST ? SLOT_MOST : ruler->width;
}

/* The coordinate of part `i` of the dimension at tile `position`; where the stretch is folded, -1. */
static int64_t coordinate_at(const struct ruler *ruler, int part, struct stretch stretch)
{
	int64_t position = stretch.from;
	if (stretch_folded(stretch))
		return -1;
	for (int i = ruler->type->first[ruler->dim]; i < part; i++)
		position /= sw_type_part(ruler->type, i).size;
	return position % sw_type_part(ruler->type, part).size;
}

/* How many tiles lie under one coordinate of part `part`. */
static int64_t tiles_under(const struct ruler *ruler, int part)
{
	int64_t tiles = 1;
	for (int i = ruler->type->first[ruler->dim]; i < part; i++)
		tiles *= sw_type_part(ruler->type, i).size;
	return tiles;
}

/* Do two stretches that stand side by side lie under the same coordinate of the part and all more major ones? */
static bool stretches_joined(const struct ruler *ruler, int part, int stretch)
{
	struct stretch a = ruler->stretch[stretch - 1], b = ruler->stretch[stretch];
	int64_t under = tiles_under(ruler, part);
	return !stretch_folded(a) && !stretch_folded(b) && a.from / under == b.from / under;
}

static void ruler_draw_coordinate(struct canvas *out, int x, int y, int room, enum role role, int64_t coordinate,
	bool marked)
{
	char word[32];
	if (coordinate >= 0)
		snprintf(word, sizeof(word), "%s%lld", marked ? "▶" : "", (long long)coordinate);
	else
		snprintf(word, sizeof(word), "%s…", marked ? "▶" : "");
	canvas_put_center(out, x, y, room, marked ? ROLE_CURRENT : coordinate < 0 ? ROLE_DIM : role, word);
}

static void ruler_draw_part(const struct ruler *ruler, struct canvas *out, int y, int part)
{
	enum role role = role_of_axis(sw_type_part(ruler->type, part).axis);
	sw_text text = {0};
	part_text(ruler->mesh, sw_type_part(ruler->type, part), &text);
	canvas_put_cut(out, 2, y, ruler->label, role, sw_text_get(&text));
	sw_text_free(&text);
	for (int begin = 0, end; begin < ruler->stretches; begin = end) {
		int64_t coordinate = coordinate_at(ruler, part, ruler->stretch[begin]);
		for (end = begin + 1; end < ruler->stretches && stretches_joined(ruler, part, end); end++)
			;
		int x = ruler->x + begin * ruler->width;
		canvas_lines(out, x, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
		ruler_draw_coordinate(out, x + 1, y, (end - begin) * ruler->width - 1, role, coordinate,
			ruler->stretch[begin].from <= ruler->position && ruler->position <= ruler->stretch[end - 1].to);
	}
	canvas_lines(out, ruler->x + ruler->stretches * ruler->width, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
}

/* The scale under the axes: where every tile begins, or the number of every term. */
static int ruler_draw_scale(const struct ruler *ruler, struct canvas *out, int y)
{
	bool terms = ruler->dim == ruler->type->rank;
	int64_t tile = terms ? 1 : ruler->type->tile[ruler->dim];
	int length = ruler->stretches * ruler->width + 1;
	canvas_hline(out, ruler->x, y, length, ROLE_BORDER, 0);
	canvas_put_cut(out, 2, y + 1, ruler->label, ROLE_LABEL, terms ? "term" : "offset");
	for (int i = 0; i < ruler->stretches; i++) {
		struct stretch stretch = ruler->stretch[i];
		int x = ruler->x + i * ruler->width;
		canvas_lines(out, x, y, ROLE_BORDER, LINE_UP | LINE_LEFT * (i > 0) | LINE_RIGHT);
		if (stretch_folded(stretch))
			canvas_putf(out, x, y + 1, ROLE_DIM, "+%lld", (long long)(stretch.to - stretch.from + 1));
		else
			canvas_putf(out, x, y + 1, ROLE_NUMBER, "%lld", (long long)(stretch.from * tile + terms));
	}
	canvas_lines(out, ruler->x + length - 1, y, ROLE_BORDER, LINE_UP | LINE_LEFT);
	if (!terms)
		canvas_putf(out, ruler->x + length - 1, y + 1, ROLE_NUMBER, "%lld", (long long)ruler->last);
	return y + 2;
}

static int ruler_draw(struct ruler *ruler, struct canvas *out, int y)
{
	ruler_layout(ruler, out->width);
	for (int part = ruler->type->first[ruler->dim + 1] - 1; part >= ruler->type->first[ruler->dim]; part--)
		ruler_draw_part(ruler, out, y++, part);
	return ruler_draw_scale(ruler, out, y) + 1;
}

static int dimension_draw(const struct view_input *in, const struct view_options *opt, struct canvas *out, int y,
	int dim)
{
	const sw_type *type = in->type;
	struct words elements = words_plural(type->global[dim], "element", "elements");
	if (type->first[dim] == type->first[dim + 1])
		return draw_note(out, 0, y, ROLE_LABEL, "dimension %d: %s, whole on every device", dim, elements.text);
	struct words tiles = words_plural(type_tiles(type, dim), "tile", "tiles");
	struct ruler ruler = {.mesh = in->mesh, .type = type, .dim = dim};
	ruler.count = type_tiles(type, dim);
	ruler.last = type->global[dim];
	ruler.position = opt->element ? opt->element[dim] / type->tile[dim] : -1;
	y = draw_note(out, 0, y, ROLE_LABEL, "dimension %d: %s, %s of %s; minor axis nearest to the scale", dim,
		elements.text, tiles.text, words_count(type->tile[dim]).text);
	return ruler_draw(&ruler, out, y);
}

/* Where values are still to be summed: which coordinates hold which term. */
static int sums_draw(const struct view_input *in, struct canvas *out, int y)
{
	const sw_type *type = in->type;
	int64_t terms = sw_type_terms(type);
	struct ruler ruler = {.mesh = in->mesh, .type = type, .dim = type->rank, .position = -1};
	if (terms == 1)
		return y;
	ruler.count = ruler.last = terms;
	y = draw_note(out, 0, y, ROLE_LABEL, "sum: %s of every tile; their sum is the value",
		words_plural(terms, "term", "terms").text);
	return ruler_draw(&ruler, out, y);
}

static int element_note(const sw_type *type, const struct view_options *opt, struct canvas *out, int y)
{
	sw_text text = {0};
	if (!opt->element || !type->first[type->rank])
		return y;
	sw_type_print_tile(opt->element, type->rank, &text);
	y = draw_note(out, 0, y, ROLE_NOTE, "▶ the tile of element %s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* Without a type, that of the step that is looked at. */
static struct view_input type_choose(const struct view_input *in, int step)
{
	struct view_input chosen = *in;
	if (in->type || !in->plan)
		return chosen;
	struct holding holding = holding_of_step(in->plan, step);
	chosen.mesh = holding.mesh;
	chosen.type = holding.type;
	chosen.type_name = holding.name;
	return chosen;
}

/* Its text, its sizes, and a ruler for every dimension; the next row. */
static int type_draw(const struct view_input *in, const struct view_options *opt, struct canvas *out, int y)
{
	y = draw_type_rows(out, 2, y, out->width - 2, in->mesh, in->type, true);
	y = line_sizes(in, out, y);
	y = lines_sums(in, out, y);
	y = line_unused(in, out, y) + 1;
	if (!in->type->rank)
		y = draw_note(out, 0, y, ROLE_LABEL, "no dimensions: one element, on every device");
	for (int dim = 0; dim < in->type->rank; dim++)
		y = dimension_draw(in, opt, out, y, dim);
	y = sums_draw(in, out, y);
	y = element_note(in->type, opt, out, y);
	struct holding holding = holding_of_type(in->mesh, in->type, NULL);
	return holding_note(&holding, out, y);
}

/* The types before and after a step. */
static void step_types_draw(const struct view_input *given, const struct view_options *opt, struct canvas *out)
{
	struct canvas pictures[2] = {{0}, {0}};
	char rest[40];
	snprintf(rest, sizeof(rest), "before and after step %d", opt->step);
	for (int i = 0; i < 2; i++) {
		struct view_input in = type_choose(given, opt->step - 1 + i);
		canvas_reset(&pictures[i], opt->width >= BESIDE ? (opt->width - 2) / 2 : opt->width);
		draw_note(&pictures[i], 0, 0, ROLE_LABEL, i ? "after:" : "before:");
		if (in.type)
			type_draw(&in, opt, &pictures[i], 1);
		else
			draw_note(&pictures[i], 2, 1, ROLE_NOTE, "no type: see its map");
	}
	tiles_beside(out, draw_title(out, 0, "type", rest) + 1, pictures, 2);
	canvas_free(&pictures[0]);
	canvas_free(&pictures[1]);
}

bool view_type(const struct view_input *given, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (given->schedule)
		return schedule_types(given, opt, out, diag);
	if (is_general(given))
		return general_type(given, opt, out, diag);
	struct view_input chosen = type_choose(given, opt->step), *in = &chosen;
	bool of_step = !given->type && given->plan && opt->step > 0 && opt->step <= given->plan->program.steps;
	if (of_step && draw_begin("type", opt, out))
		step_types_draw(given, opt, out);
	if (of_step)
		return true;
	if (!in->type || !in->mesh)
		return draw_missing(diag, "type", "type, for instance: from [3{x}12, 2{y}12]");
	if (!draw_begin("type", opt, out))
		return true;
	type_draw(in, opt, out, draw_title(out, 0, "type", in->type_name ? in->type_name : ""));
	return true;
}

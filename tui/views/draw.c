/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views have in common: titles, folding, numbers, types with coloured axes.
 */
#include "views/draw.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"

/* ---- beginning ---- */

bool draw_begin(const char *view, const struct view_options *opt, struct canvas *out)
{
	canvas_reset(out, opt->width);
	if (opt->width >= VIEW_MIN_WIDTH)
		return true;
	draw_note(out, 0, 0, ROLE_NOTE, "%s: needs %d columns", view, VIEW_MIN_WIDTH);
	return false;
}

bool draw_missing(sw_diag *diag, const char *what, const char *hint)
{
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no %s yet", what);
	sw_diag_hint(diag, "%s", hint);
	return false;
}

void view_draw_empty(const sw_diag *diag, int width, struct canvas *out)
{
	canvas_reset(out, width);
	int y = canvas_put_wrapped(out, 0, 0, out->width, 0, ROLE_TEXT, diag->message);
	canvas_put_wrapped(out, 0, y, out->width, 2, ROLE_NOTE, diag->hint);
}

int draw_title(struct canvas *out, int y, const char *name, const char *rest)
{
	int x = canvas_put(out, 0, y, ROLE_TITLE, name) + 2;
	if (!*rest)
		return y + 1;
	if (x + canvas_text_width(rest) <= out->width)
		return canvas_put_wrapped(out, x, y, out->width - x, 0, ROLE_TEXT, rest);
	return canvas_put_wrapped(out, 2, y + 1, out->width - 2, 2, ROLE_TEXT, rest);
}

int draw_note(struct canvas *out, int x, int y, enum role role, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	y = canvas_put_wrapped(out, x, y, out->width - x, 2, role, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static bool bar_ends_within(const struct canvas *canvas, int end)
{
	for (int y = 0; y < end; y++)
		for (int x = 0; x < canvas->width; x++) {
			uint32_t glyph = canvas_cell_at(canvas, x, y)->glyph;
			if (glyph > GLYPH_FULL && glyph < GLYPH_FULL + 8)
				return true;
		}
	return false;
}

int draw_note_ends(struct canvas *out, int end, int y)
{
	if (!bar_ends_within(out, end))
		return y;
	return draw_note(out, 0, y, ROLE_NOTE, "▌ half a cell, ▎ a quarter: where a bar ends");
}

/* ---- folding ---- */

static int slots_singles(struct stretch *stretches, int n, int64_t from, int64_t to)
{
	assert(from >= to || n + (to - from) <= STRETCHES_MAX);
	for (int64_t i = from; i < to; i++)
		stretches[n++] = (struct stretch){i, i};
	return n;
}

static int slots_gap(struct stretch *stretches, int n, int64_t from, int64_t to)
{
	assert(from >= to || n < STRETCHES_MAX);
	if (from < to)
		stretches[n++] = (struct stretch){from, to - 1};
	return n;
}

int fold_stretches(int64_t count, int room, int64_t keep, struct stretch stretches[STRETCHES_MAX])
{
	assert(count >= 0);
	room = room < 1 ? 1 : room > STRETCHES_MAX ? STRETCHES_MAX : room;
	if (count <= room)
		return slots_singles(stretches, 0, 0, count);
	int64_t head = room - 2 > 0 ? room - 2 : 0;
	int64_t tail = room >= 3 ? count - 1 : count;
	if (room >= 3 && room < 5 && keep >= head && keep < tail) {
		int n = slots_gap(stretches, 0, 0, keep);
		n = slots_singles(stretches, n, keep, keep + 1);
		return slots_gap(stretches, n, keep + 1, count);
	}
	if (room < 5 || keep < head || keep >= tail) {
		int n = slots_singles(stretches, 0, 0, room == 2 ? 1 : head);
		n = slots_gap(stretches, n, n, tail);
		return slots_singles(stretches, n, tail, count);
	}
	head -= 2;
	int n = slots_singles(stretches, 0, 0, head);
	n = slots_gap(stretches, n, head, keep);
	n = slots_singles(stretches, n, keep, keep + 1);
	n = slots_gap(stretches, n, keep + 1, tail);
	return slots_singles(stretches, n, tail, count);
}

/* ---- types and axes ---- */

int64_t part_stride(const sw_mesh *mesh, sw_part part)
{
	const sw_axis *axis = &mesh->axis[part.axis];
	return axis->stride * (axis->size / (part.pre * part.size));
}

void part_text(const sw_mesh *mesh, sw_part part, sw_text *text)
{
	sw_mesh_print_name(mesh->axis[part.axis].name, text);
	if (part.pre != 1 || part.size != mesh->axis[part.axis].size)
		sw_text_addf(text, ":(%lld)%lld", (long long)part.pre, (long long)part.size);
}

static int part_draw(struct canvas *row, int x, const sw_mesh *mesh, sw_part part)
{
	sw_text text = {0};
	part_text(mesh, part, &text);
	x = canvas_put(row, x, 0, role_of_axis(part.axis), sw_text_get(&text));
	sw_text_free(&text);
	return x;
}

/* Dimension `dim` with what stands before and after it. */
static int dimension_draw(struct canvas *row, int x, const sw_mesh *mesh, const sw_type *type, int dim)
{
	int from = type->first[dim], to = type->first[dim + 1];
	if (from == to)
		return canvas_putf(row, x, 0, ROLE_TYPE, "%lld", (long long)type->global[dim]);
	x = canvas_putf(row, x, 0, ROLE_TYPE, "%lld{", (long long)type->tile[dim]);
	for (int i = from; i < to; i++) {
		x = part_draw(row, x, mesh, sw_type_part(type, i));
		x = canvas_put(row, x, 0, ROLE_TYPE, i + 1 < to ? "," : "}");
	}
	return canvas_putf(row, x, 0, ROLE_TYPE, "%lld", (long long)type->global[dim]);
}

/* `+{x,y}`, where values are still to be summed; how long it is. */
static int sums_draw(struct canvas *row, const sw_mesh *mesh, const sw_type *type)
{
	int from = type->first[type->rank], to = type->first[type->rank + 1], x = 0;
	for (int i = from; i < to; i++) {
		x = canvas_put(row, x, 0, ROLE_TYPE, i > from ? "," : "+{");
		x = part_draw(row, x, mesh, sw_type_part(type, i));
	}
	return from < to ? canvas_put(row, x, 0, ROLE_TYPE, "}") : 0;
}

/* Columns that no dimension of any type exceeds: 104 parts of 64 bytes, and their numbers. */
#define ROW_COLUMNS (SW_MAX_PARTS * (SW_NAME_SIZE + 48))

/* Copies the first `length` columns of a row to where there is `room`, cut with an ellipsis. */
static int row_take(struct canvas *out, int x, int y, int room, const struct canvas *row, int length)
{
	if (room <= 0)
		return x;
	if (length <= room) {
		canvas_copy_area(out, x, y, row, &(struct canvas_area){0, 0, length, 1});
		return x + length;
	}
	int keep = canvas_cell_at(row, room - 1, 0)->glyph == CELL_RIGHT_HALF ? room - 2 : room - 1;
	canvas_copy_area(out, x, y, row, &(struct canvas_area){0, 0, keep, 1});
	canvas_put_glyph(out, x + keep, y, ROLE_TYPE, GLYPH_ELLIPSIS);
	return x + keep + 1;
}

int draw_type_rows(struct canvas *out, int x, int y, int room, const sw_mesh *mesh, const sw_type *type, bool dtype)
{
	assert(room >= 1);
	struct canvas row = {0};
	canvas_reset(&row, ROW_COLUMNS);
	int at = x, end = x + room;
	if (dtype)
		at = canvas_put(out, at, y, ROLE_TYPE, sw_dtype_name(type->dtype));
	at = canvas_put(out, at, y, ROLE_TYPE, "[");
	for (int i = 0; i < type->rank; i++) {
		int length = dimension_draw(&row, 0, mesh, type, i);
		length = canvas_put(&row, length, 0, ROLE_TYPE, i + 1 < type->rank ? ", " : "]");
		if (at + length > end + (i + 1 < type->rank) && at > x + 1) {
			at = x + 1;
			y++;
		}
		at = row_take(out, at, y, end - at + (i + 1 < type->rank), &row, length);
		canvas_reset(&row, ROW_COLUMNS);
	}
	if (!type->rank)
		at = canvas_put(out, at, y, ROLE_TYPE, "]");
	int length = sums_draw(&row, mesh, type);
	if (at + length > end && at > x + 1) {
		at = x + 1;
		y++;
	}
	row_take(out, at, y, end - at, &row, length);
	canvas_free(&row);
	return y + 1;
}

/* ---- the table of views ---- */

const struct view views[] = {
	{"mesh", "axes, sizes, links and prime factors; device numbers as a grid over two axes; with a step its groups",
		view_mesh, .of = OF_MESH, .follows_program = true},
	{"type",
		"a ruler for every dimension; sizes, tiles, copies, sums and unused axes; with a step before and after it",
		view_type, .of = OF_TYPE, .draws_words = true, .draws_schedule = true},
	{"tiles", "which devices hold which tile, over two dimensions, before and after a step", view_tiles,
		.of = OF_ENDS, .takes_step = true, .of_products = true, .draws_words = true, .draws_schedule = true},
	{"devices", "which part of the array each device holds, before and after a step", view_devices, .of = OF_ENDS,
		.takes_step = true, .draws_words = true},
	{"heights", "memory after each step as bars, with the budget and the live memory", view_heights, .of = OF_PLAN,
		.draws_pieces = true, .draws_words = true},
	{"film", "the whole plan as a row of pictures, with what moves, memory, and time in proportion", view_film,
		.of = OF_PLAN, .takes_step = true, .draws_pieces = true, .draws_words = true, .draws_program = true,
		.late = 3},
	{"rewriting", "one rewriting of a sequence: the rule, the steps it takes and makes, heights before and after",
		view_rewriting, .of = OF_FILM},
	{"rounds",
		"one collective hop by hop: what each device holds of every piece, sends and has added, and the time so far",
		view_rounds, .of = OF_PLAN, .takes_step = true, .has_rounds = true},
	{"plan", "the steps with types, sizes, costs and groups, and their totals", view_plan, .of = OF_PLAN,
		.draws_pieces = true, .draws_words = true},
	{"compare", "several plans in one table, best first", view_compare, .of = OF_STATE},
	{"histogram", "costs of many problems against those of one strategy: `compare FILE` draws it", view_histogram,
		.of = OF_STATE},
	{"pareto", "the plans that trade memory for cost or time best", view_pareto, .of = OF_STATE},
	{"graph", "the search graph, one level for each local size, from high to low", view_graph, .of = OF_WALK},
	{"traffic", "who sends how much to whom, in one step or in all", view_traffic, .of = OF_PLAN, .takes_step = true,
		.takes_total = true, .draws_words = true, .draws_schedule = true, .follows_program = true},
	{"terms",
		"each block of the products of a program as a sum of its terms, and the devices that multiply "
		"them",
		view_terms, .of = OF_STATE},
	{"indices", "which indices of the products of a program each device multiplies", view_indices, .of = OF_STATE},
	{"system", "the levels of a system, its ports, and the load of a step on chunks", view_system, .of = OF_SUM},
	{"placement", "which coordinates along the axes of parallelism each device has, and which are summed together",
		view_placement, .of = OF_SUM},
	{"groups",
		"the devices that work together in a step on chunks, or in every step that a hierarchy "
		"names",
		view_groups, .of = OF_GROUPS},
	{"state", "which shares of which chunks every device holds, before or after a step on chunks", view_state,
		.of = OF_SUM},
	{"hierarchies", "the factors of the placement in five orders, a to e", view_hierarchies, .of = OF_SUM},
	{"reductions", "the programs that compute the present sum, on every placement, as bars", view_reductions,
		.of = OF_SUMS},
	{"needs",
		"what each device needs for a formula but does not hold, with owner and place in the message; for one "
		"device alpha, beta and gamma",
		view_needs, .of = OF_FORMULA, .draws_schedule = true, .schema = "shardwalk.compute/1", .fields = needs_fields,
		.late = 2},
	{"tasks",
		"the tasks of a repeated formula in layers, what each needs, the critical path, and those that may start",
		view_tasks, .of = OF_TASKS, .schema = "shardwalk.tasks/1", .fields = tasks_view_fields, .late = 2},
	{"loops",
		"the loops of a schedule: extent, place or time, what is communicated there; its notation, and pseudocode",
		view_loops, .of = OF_SCHEDULE, .schema = "shardwalk.schedule/1", .fields = schedule_view_fields, .late = 3},
	{"holds",
		"what each device holds in a step of a schedule, where it comes from, and how much memory it "
		"takes",
		view_holds, .of = OF_SCHEDULE, .takes_step = true, .schema = "shardwalk.schedule/1",
		.fields = schedule_view_fields, .late = 3},
	{"execution", "devices against time: the points of a schedule, and what moves before them", view_execution,
		.of = OF_SCHEDULE, .takes_step = true, .schema = "shardwalk.schedule/1", .fields = schedule_view_fields,
		.late = 3},
	{"times", "measured and predicted time of every step, as a table and as bars", view_times, .of = OF_RUN},
	{"program", "the values of the program with types, memory and time, its redistributions, and their totals",
		view_program, .of = OF_PROGRAM, .late = 1},
	{"derivation", "the rule that gives each value of the program its type, as a tree of T-SPMD, with D-SPMD",
		view_derivation, .of = OF_PROGRAM, .late = 1},
	{"sets", "the elements that each device holds under a type of any kind, who holds one, and what one device has",
		view_sets, .of = OF_SETS, .schema = "shardwalk.sets/1", .fields = sets_fields, .late = 2},
	{"relation",
		"which devices each device needs, which need it, the pattern of the messages, and what no "
		"device holds",
		view_relation, .of = OF_RELATION, .schema = "shardwalk.relation/1", .fields = relation_fields, .late = 2},
};
const int view_count = sizeof(views) / sizeof(*views);

const struct view *view_named(sw_str name)
{
	for (int i = 0; i < view_count; i++)
		if (sw_str_is(name, views[i].name))
			return &views[i];
	return NULL;
}

struct view_options view_options_default(int width)
{
	return (struct view_options){
		.width = width,
		.hop = VIEW_ALL,
		.step = VIEW_ALL,
		.dims = {VIEW_ALL, VIEW_ALL},
		.fold = true,
		.axes = {VIEW_ALL, VIEW_ALL},
		.device = VIEW_ALL,
	};
}

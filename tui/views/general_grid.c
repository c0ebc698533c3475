/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array as a grid of cells: two dimensions of it, or the only one row below row, a row for each period in which owners come again.
 */
#include "views/general_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/relation.h>

#include "canvas/glyphs.h"
#include "views/draw.h"

#define ROWS_MOST 40
#define ROWS_OF_LINE 24                 /* of an array of one dimension */
#define COLUMNS_MOST 128                /* of cells */
#define LOOKS_MOST ((int64_t)1 << 21)   /* at cells, for each device by itself */
#define PERIODS_MOST ((int64_t)1 << 40) /* longer ones are none */
#define CELL_MOST 13                    /* columns of a cell, its blank included */
#define TOLD_MOST 3                     /* devices that stand in a cell */
#define ALIKE_LEAST 4                   /* rows that are left out where they are like the one above */

struct grid_cell {
	int64_t element[SW_MAX_DIMS];
	int64_t holders, first[TOLD_MOST]; /* how many, and the lowest of them */
	bool marked, followed;
	char text[48];
};

struct grid {
	const sw_holding *held;
	const struct view_options *opt;
	struct owners owners;
	sw_arena *arena;
	struct grid_signs *signs;
	int64_t count[2]; /* cells down and across, in all */
	struct stretch stretch[2][STRETCHES_MAX];
	int shown[2];
	int label, width;       /* columns of the labels, and of a cell */
	struct grid_cell *cell; /* of what is shown, row by row */
};

/* ---- units and periods ---- */

/* What starts and ends of a holding's runs divide in each dimension, and how often they come again. */
struct measure {
	int64_t unit[SW_MAX_DIMS], period[SW_MAX_DIMS];
};

static void join_period(int64_t *period, int64_t step)
{
	int64_t joined;

	if (*period == 0)
		*period = step;
	else if (sw_mul(*period / sw_gcd(*period, step), step, &joined) && joined < PERIODS_MOST)
		*period = joined;
	else
		*period = PERIODS_MOST;
}

static void measure_family(const sw_family *f, int64_t global, int64_t *unit, int64_t *period)
{
	*unit = sw_gcd(*unit, f->first);
	if (f->first + (f->count - 1) * f->step + f->run < global || f->count > 1)
		*unit = sw_gcd(*unit, f->run);
	if (f->count > 1) {
		*unit = sw_gcd(*unit, f->step);
		join_period(period, f->step);
	}
}

static bool measure_holding(const sw_holding *held, struct measure *measure)
{
	sw_arena *arena = sw_arena_new();
	bool measured = arena != NULL;

	for (int64_t device = 0; measured && device < held->devices; device++) {
		sw_region region;
		sw_arena_clear(arena);
		measured = sw_holding_region(held, device, arena, &region);
		for (int i = 0; measured && i < region.count * region.rank; i++)
			for (int k = 0; k < region.set[i].count; k++)
				measure_family(&region.set[i].family[k], held->global[i % region.rank],
					&measure->unit[i % region.rank], &measure->period[i % region.rank]);
	}
	sw_arena_free(arena);
	return measured;
}

/* ---- layout ---- */

static int64_t cells_of(int64_t size, int64_t unit)
{
	return (size + unit - 1) / unit;
}

/* The first dimension that is cut and is not `other`, else the first that is not. */
static int dim_beside(const sw_holding *held, const struct measure *measure, int other)
{
	for (int cut = 1; cut >= 0; cut--)
		for (int dim = 0; dim < held->rank; dim++)
			if (dim != other && (cut == 0 || measure->unit[dim] < held->global[dim]))
				return dim;
	return VIEW_ALL;
}

static void choose_dims(const sw_holding *held, const struct measure *measure, const struct view_options *opt,
	int dims[2])
{
	bool chosen = opt->dims[0] != opt->dims[1];

	for (int i = 0; i < 2; i++)
		dims[i] = chosen && opt->dims[i] < held->rank ? opt->dims[i] : VIEW_ALL;
	if (held->rank <= 1) {
		dims[0] = VIEW_ALL;
		dims[1] = held->rank - 1;
		return;
	}
	for (int i = 0; i < 2; i++)
		dims[i] = dims[i] == VIEW_ALL ? dim_beside(held, measure, dims[1 - i]) : dims[i];
	if (!chosen && dims[0] > dims[1]) {
		int dim = dims[0];
		dims[0] = dims[1];
		dims[1] = dim;
	}
}

/* The cells of a row of an array of one dimension: a period, or as many as fit. */
static int64_t cells_in_row(const struct grid *grid, int64_t all, int64_t period, int fit)
{
	int64_t unit = grid->signs->unit[1], cells = period / unit;

	return period > 0 && cells > 1 && cells < all ? cells : all <= fit ? all : fit >= 20 ? fit - fit % 10 : fit;
}

static void lay_out(struct grid *grid, const struct measure *measure, const struct view_options *opt)
{
	const sw_holding *held = grid->held;
	struct grid_signs *signs = grid->signs;
	int fit, rows = opt->height > 0 ? opt->height : held->rank == 1 ? ROWS_OF_LINE : ROWS_MOST;

	for (int side = 0; side < 2; side++) {
		int dim = signs->dims[side];
		signs->unit[side] = dim == VIEW_ALL ? 1 : measure->unit[dim];
		grid->count[side] = dim == VIEW_ALL ? 1 : cells_of(held->global[dim], signs->unit[side]);
	}
	grid->label = held->rank == 0 ?
		0 :
		snprintf(NULL, 0, "%lld", (long long)held->global[held->rank == 1 ? 0 : signs->dims[0]]);
	fit = (opt->width - grid->label - 3) / grid->width;
	fit = fit < 1 ? 1 : fit > COLUMNS_MOST ? COLUMNS_MOST : fit;
	if (held->rank == 1) {
		int64_t all = grid->count[1], row = cells_in_row(grid, all, measure->period[0], fit);
		signs->period = row * signs->unit[1];
		signs->wrapped = row < all && signs->period != measure->period[0];
		grid->count[0] = cells_of(all, row);
		grid->count[1] = row;
	}
	grid->shown[0] = fold_stretches(grid->count[0], rows, -1, grid->stretch[0]);
	grid->shown[1] = fold_stretches(grid->count[1], fit, -1, grid->stretch[1]);
	grid->label += grid->count[0] > 9; /* of what is left out */
}

/* ---- who holds what ---- */

/* false: there is no such element. */
static bool element_of(const struct grid *grid, int64_t row, int64_t column, int64_t *element)
{
	const sw_holding *held = grid->held;
	const struct grid_signs *signs = grid->signs;

	for (int dim = 0; dim < held->rank; dim++) {
		int64_t at = grid->opt->fixed[dim];
		element[dim] = at < held->global[dim] ? at : held->global[dim] - 1;
	}
	if (held->rank == 1)
		element[0] = (row * grid->count[1] + column) * signs->unit[1];
	else
		for (int side = 0; side < 2; side++)
			if (signs->dims[side] != VIEW_ALL)
				element[signs->dims[side]] = (side == 0 ? row : column) * signs->unit[side];
	for (int dim = 0; dim < held->rank; dim++)
		if (element[dim] >= held->global[dim])
			return false;
	return true;
}

static struct grid_cell *cell_at(const struct grid *grid, int row, int column)
{
	return &grid->cell[row * grid->shown[1] + column];
}

static bool is_shown(const struct grid *grid, int row, int column, int64_t *element)
{
	struct stretch down = grid->stretch[0][row], across = grid->stretch[1][column];

	return !stretch_folded(down) && !stretch_folded(across) && element_of(grid, down.from, across.from, element);
}

static void add_holder(struct grid_cell *cell, int64_t device, int64_t marked)
{
	if (cell->holders < TOLD_MOST)
		cell->first[cell->holders] = device;
	cell->holders++;
	cell->marked = cell->marked || device == marked;
}

static bool look_by_device(struct grid *grid, struct grid_cell **cell, int count)
{
	sw_arena *arena = sw_arena_new();
	bool looked = arena != NULL;

	for (int64_t device = 0; looked && device < grid->held->devices; device++) {
		sw_region region;
		sw_arena_clear(arena);
		looked = sw_holding_region(grid->held, device, arena, &region);
		for (int i = 0; looked && i < count; i++)
			if (sw_region_has(&region, cell[i]->element))
				add_holder(cell[i], device, grid->opt->device);
	}
	sw_arena_free(arena);
	return looked;
}

/* Some cells as what one device each needs. */
static sw_relation *need_cells(const struct grid *grid, const sw_holding *held, struct grid_cell **cell, int count,
	sw_arena *arena)
{
	int rank = held->rank;
	sw_region *needed = SW_NEW_ZERO(arena, sw_region, held->devices);
	sw_indices *set = SW_NEW(arena, sw_indices, count * rank);
	sw_family *family = SW_NEW(arena, sw_family, count * rank);
	sw_holding *cells = SW_NEW(arena, sw_holding, 1);

	(void)grid;
	if (needed == NULL || set == NULL || family == NULL || cells == NULL)
		return NULL;
	for (int64_t device = 0; device < held->devices; device++)
		needed[device].rank = rank;
	for (int i = 0; i < count; i++) {
		for (int dim = 0; dim < rank; dim++) {
			int64_t at = cell[i]->element[dim];
			set[i * rank + dim] = sw_indices_range(at, at + 1, &family[i * rank + dim]);
		}
		needed[i] = (sw_region){rank, 1, &set[i * rank]};
	}
	*cells = *held;
	cells->region = needed;
	cells->rule = NULL;
	cells->offset = NULL;
	cells->digits = 0;
	cells->slot = NULL;
	cells->summed = NULL;
	return sw_relation_new(held, cells, NULL, arena, NULL);
}

static bool look_by_relation(struct grid *grid, struct grid_cell **cell, int count)
{
	sw_holding held = *grid->held;
	sw_arena *arena = sw_arena_new();
	bool looked = arena != NULL;

	held.terms = 1;
	for (int from = 0; looked && from < count; from += (int)held.devices) {
		sw_arena_clear(arena);
		int some = (int)sw_smaller(count - from, held.devices);
		sw_relation *relation = need_cells(grid, &held, cell + from, some, arena);
		int32_t *list = SW_NEW(arena, int32_t, held.devices);
		looked = relation != NULL && list != NULL;
		for (int i = 0; looked && i < some; i++) {
			int64_t holders = sw_relation_before(relation, i, list);
			looked = holders >= 0;
			for (int64_t k = 0; k < holders; k++)
				add_holder(cell[from + i], list[k], grid->opt->device);
		}
	}
	sw_arena_free(arena);
	return looked;
}

/* `a`, `a b`, or of many the first and how many more: `a+7`. */
static void cell_text(const struct grid *grid, struct grid_cell *cell)
{
	struct grid_signs *signs = grid->signs;
	bool letters = owners_sign_width(&grid->owners) == 1;
	int at = snprintf(cell->text, sizeof cell->text, "%s", cell->marked ? "*" : "");

	if (cell->holders == 0)
		return;
	if (cell->holders > TOLD_MOST) {
		snprintf(cell->text + at, sizeof cell->text - (size_t)at, "%s+%lld",
			owners_sign(&grid->owners, cell->first[0]).text, (long long)cell->holders - 1);
		signs->more = true;
	}
	for (int64_t k = 0; k < cell->holders && cell->holders <= TOLD_MOST; k++)
		at += snprintf(cell->text + at, sizeof cell->text - (size_t)at, "%s%s", k > 0 && !letters ? "," : "",
			owners_sign(&grid->owners, cell->first[k]).text);
	signs->several = signs->several || (cell->holders > 1 && cell->holders <= TOLD_MOST);
}

static bool is_followed(const struct grid *grid, const struct grid_cell *cell)
{
	const int64_t *element = grid->opt->element;
	const struct grid_signs *signs = grid->signs;

	for (int dim = 0; dim < grid->held->rank && element != NULL; dim++) {
		int64_t unit = dim == signs->dims[1] ? signs->unit[1] : dim == signs->dims[0] ? signs->unit[0] : 1;
		if (element[dim] < cell->element[dim] || element[dim] >= cell->element[dim] + unit)
			return false;
	}
	return element != NULL;
}

static bool fill_cells(struct grid *grid)
{
	int all = grid->shown[0] * grid->shown[1], count = 0;
	struct grid_cell **cell = SW_NEW(grid->arena, struct grid_cell *, all + 1);
	bool looked;

	grid->cell = SW_NEW_ZERO(grid->arena, struct grid_cell, all + 1);
	if (cell == NULL || grid->cell == NULL)
		return false;
	for (int i = 0; i < all; i++)
		if (is_shown(grid, i / grid->shown[1], i % grid->shown[1], grid->cell[i].element))
			cell[count++] = &grid->cell[i];
	looked = grid->held->devices * count <= LOOKS_MOST || grid->held->rank == 0 ? look_by_device(grid, cell, count) :
																				  look_by_relation(grid, cell, count);
	for (int i = 0; i < count; i++) {
		cell_text(grid, cell[i]);
		cell[i]->followed = is_followed(grid, cell[i]);
		grid->signs->nobody = grid->signs->nobody || cell[i]->holders == 0;
		grid->signs->marked = grid->signs->marked || cell[i]->marked;
		grid->signs->element = grid->signs->element || cell[i]->followed;
	}
	return looked;
}

static int longest_text(const struct grid *grid)
{
	int longest = 1;

	for (int i = 0; i < grid->shown[0] * grid->shown[1]; i++)
		longest = (int)sw_larger(longest, (int64_t)strlen(grid->cell[i].text));
	return longest;
}

/* ---- drawing ---- */

static int column_x(const struct grid *grid, int column)
{
	return grid->label + 1 + column * grid->width;
}

static void draw_cell(const struct grid *grid, struct canvas *out, int y, int row, int column)
{
	const struct grid_cell *cell = cell_at(grid, row, column);
	int x = column_x(grid, column);
	int64_t element[SW_MAX_DIMS];
	enum role role;

	if (stretch_folded(grid->stretch[0][row]) || stretch_folded(grid->stretch[1][column])) {
		canvas_put_glyph(out, x, y, ROLE_DIM, GLYPH_ELLIPSIS);
		return;
	}
	if (!is_shown(grid, row, column, element))
		return;
	if (cell->holders == 0) {
		canvas_put_glyph(out, x, y, ROLE_DIM, GLYPH_DOT);
	} else {
		role = cell->marked ? ROLE_CURRENT : owners_role(&grid->owners, cell->first[0]);
		for (int i = 0; i < grid->width; i++)
			canvas_put_glyph(out, x + i, y, role, ' ');
		canvas_put_cut(out, x, y, grid->width, role, cell->text);
	}
	if (cell->followed)
		canvas_put_glyph(out, x + grid->width - 1, y, ROLE_CURRENT, GLYPH_HOLDS);
}

static bool rows_alike(const struct grid *grid, int a, int b)
{
	for (int column = 0; column < grid->shown[1]; column++) {
		const struct grid_cell *one = cell_at(grid, a, column), *other = cell_at(grid, b, column);
		int64_t element[SW_MAX_DIMS];
		if (strcmp(one->text, other->text) != 0 || one->followed || other->followed ||
			is_shown(grid, a, column, element) != is_shown(grid, b, column, element))
			return false;
	}
	return true;
}

/* The shown row behind those that are left out below this one: they are like it, and what was not looked at may follow. */
static int row_behind(const struct grid *grid, int row)
{
	int next = row + 1;

	if (grid->held->rank != 1 || stretch_folded(grid->stretch[0][row]))
		return row + 1;
	while (next < grid->shown[0] && !stretch_folded(grid->stretch[0][next]) && rows_alike(grid, row, next))
		next++;
	if (next - row - 1 < ALIKE_LEAST)
		return row + 1;
	return next < grid->shown[0] && stretch_folded(grid->stretch[0][next]) ? next + 1 : next;
}

/* Numbers of columns, as many as do not touch. */
static void draw_heads(const struct grid *grid, struct canvas *out, int y)
{
	int free = 0;

	for (int column = 0; column < grid->shown[1]; column++) {
		struct stretch across = grid->stretch[1][column];
		char text[32];
		int x = column_x(grid, column);
		snprintf(text, sizeof text, stretch_folded(across) ? "+%lld" : "%lld",
			(long long)(stretch_folded(across) ? across.to - across.from + 1 : across.from * grid->signs->unit[1]));
		if (x < free || x + (int)strlen(text) > out->width)
			continue;
		free = canvas_put(out, x, y, stretch_folded(across) ? ROLE_DIM : ROLE_LABEL, text) + 1;
		grid->signs->folded = grid->signs->folded || stretch_folded(across);
	}
}

/* The index at which a row begins, or how many rows are left out. */
static void draw_label(const struct grid *grid, struct canvas *out, int y, struct stretch down, bool left_out)
{
	int64_t first = down.from * (grid->held->rank == 1 ? grid->signs->period : grid->signs->unit[0]);
	char text[32];

	snprintf(text, sizeof text, left_out ? "+%lld" : "%lld", (long long)(left_out ? down.to - down.from + 1 : first));
	canvas_put_right(out, 0, y, grid->label, left_out ? ROLE_DIM : ROLE_LABEL, text);
	grid->signs->folded = grid->signs->folded || left_out;
}

static void draw_left_out(const struct grid *grid, struct canvas *out, int y, int from, int to)
{
	draw_label(grid, out, y, (struct stretch){grid->stretch[0][from].from, grid->stretch[0][to].to}, true);
	for (int column = 0; column < grid->shown[1]; column++)
		canvas_put_glyph(out, column_x(grid, column), y, ROLE_DIM, GLYPH_ELLIPSIS);
}

static int draw_rows(const struct grid *grid, struct canvas *out, int y)
{
	for (int row = 0, next; row < grid->shown[0]; row = next) {
		struct stretch down = grid->stretch[0][row];
		next = row_behind(grid, row);
		if (grid->held->rank > 0)
			draw_label(grid, out, y, down, stretch_folded(down));
		for (int column = 0; column < grid->shown[1]; column++)
			draw_cell(grid, out, y, row, column);
		y++;
		if (next == row + 1)
			continue;
		draw_left_out(grid, out, y++, row + 1, next - 1);
		grid->signs->alike = true;
	}
	return y;
}

static void draw_grid(const struct grid *grid, struct canvas *out, int y)
{
	int bottom, width = grid->shown[1] * grid->width + 2;

	if (grid->held->rank > 0)
		draw_heads(grid, out, y);
	bottom = draw_rows(grid, out, y + 2);
	canvas_box(out, grid->label, y + 1, width, bottom - y, ROLE_BORDER, 0);
}

bool grid_draw_holding(const sw_mesh *mesh, const sw_holding *held, const sw_holding *compare,
	const struct view_options *opt, struct canvas *out, int y, struct grid_signs *signs)
{
	struct grid grid = {.held = held, .opt = opt, .owners = owners_of_mesh(mesh), .signs = signs};
	struct measure measure = {{0}, {0}};
	bool drawn;

	for (int dim = 0; dim < held->rank; dim++)
		measure.unit[dim] = held->global[dim];
	drawn = measure_holding(held, &measure) && (compare == NULL || measure_holding(compare, &measure));
	for (int dim = 0; dim < held->rank; dim++)
		measure.unit[dim] = measure.unit[dim] > 0 ? measure.unit[dim] : 1;
	choose_dims(held, &measure, opt, signs->dims);
	grid.width = owners_sign_width(&grid.owners) + 1;
	grid.arena = sw_arena_new();
	for (int width = 0; drawn && width < grid.width;) {
		width = grid.width;
		lay_out(&grid, &measure, opt);
		drawn = grid.arena != NULL && fill_cells(&grid);
		grid.width = drawn ? (int)sw_smaller(sw_larger(width, longest_text(&grid) + 1), CELL_MOST) : width;
	}
	if (drawn)
		draw_grid(&grid, out, y);
	sw_arena_free(grid.arena);
	return drawn;
}

/* ---- the legend ---- */

static int note_dims(const struct grid_signs *signs, struct canvas *out, int y)
{
	if (signs->dims[0] == VIEW_ALL && signs->unit[1] > 1)
		return draw_note(out, 0, y, ROLE_NOTE, "a cell is %s",
			words_plural(signs->unit[1], "element", "elements").text);
	if (signs->unit[0] > 1 || signs->unit[1] > 1)
		return draw_note(out, 0, y, ROLE_NOTE, "a cell is a block of %s by %s", words_count(signs->unit[0]).text,
			words_plural(signs->unit[1], "element", "elements").text);
	return y;
}

int grid_legend(const sw_mesh *mesh, const struct grid_signs *signs, const struct view_options *opt,
	struct canvas *out, int y)
{
	struct owners owners = owners_of_mesh(mesh);
	bool letters = owners_sign_width(&owners) == 1;
	const struct words sign = owners_sign_words(&owners, opt);
	int64_t last = mesh->devices - 1;
	sw_text text = {0};

	if (letters && last > 0)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s: the device that holds it, a: %s to %s: %s", sign.text,
			words_device_first(mesh, 0).text, owners_sign(&owners, last).text, words_device_first(mesh, last).text);
	else
		y = draw_note(out, 0, y, ROLE_NOTE, "%s: the device that holds it", sign.text);
	y = note_dims(signs, out, y);
	if (signs->several)
		sw_text_addf(&text, "; %s%s%s: device %s and device %s", owners_sign(&owners, 0).text, letters ? "" : ",",
			owners_sign(&owners, 1).text, words_device(mesh, 0).text, words_device(mesh, 1).text);
	if (signs->more)
		sw_text_addf(&text, "; %s+3: device %s and 3 more", owners_sign(&owners, 0).text, words_device(mesh, 0).text);
	if (signs->nobody)
		sw_text_add(&text, "; ·: no device");
	if (signs->folded)
		sw_text_addf(&text, "; +3 at an edge: 3 left out%s",
			signs->alike ? ", on the left rows like the one above" : "");
	if (text.length > 0)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&text) + 2);
	sw_text_free(&text);
	if (signs->marked)
		y = draw_note(out, 0, y, ROLE_NOTE, "*: held by device %s", words_device_first(mesh, opt->device).text);
	return signs->element ? draw_note(out, 0, y, ROLE_NOTE, "◀: the followed element") : y;
}

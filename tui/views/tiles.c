/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which devices hold which tile: a grid over two dimensions of the array, before and after a step.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/draw.h"
#include "views/holding.h"

#define LIST_ROOM 4096 /* devices listed for one cell; more are counted */
#define CELL_MOST 24   /* columns of a cell */
#define ROWS_MOST 40   /* rows of tiles where no height is asked for */

/* One grid while it is drawn. */
struct grid {
	const struct holding *now, *before; /* before: NULL, or what to compare with */
	const struct view_options *opt;
	int dims[2]; /* down and across; VIEW_ALL: the array has no such dimension */
	int rows, columns;
	struct stretch row[STRETCHES_MAX], column[STRETCHES_MAX];
	int label, cell;  /* columns of the row labels and of a cell */
	bool rules;       /* lines between rows */
	bool short_lists; /* some list does not fit: then all say "0+3" */
	int64_t *devices;
};

/* ---- which dimensions ---- */

static int64_t tiles_in_all(const struct holding *shown, int count, int dim)
{
	int64_t tiles = 0;
	for (int i = 0; i < count; i++)
		tiles += holding_tiles(&shown[i], dim);
	return tiles;
}

/* The dimension with most tiles that is not `other`; the first of equals. */
static int dim_most(const struct holding *shown, int count, int other)
{
	int best = VIEW_ALL;
	for (int dim = 0; dim < shown->rank; dim++)
		if (dim != other && (best == VIEW_ALL || tiles_in_all(shown, count, dim) > tiles_in_all(shown, count, best)))
			best = dim;
	return best;
}

static void dims_choose(const struct holding *shown, int count, const struct view_options *opt, int dims[2])
{
	for (int i = 0; i < 2; i++)
		dims[i] = opt->dims[i] >= 0 && opt->dims[i] < shown->rank ? opt->dims[i] : VIEW_ALL;
	if (dims[0] == dims[1])
		dims[1] = VIEW_ALL;
	bool chosen = dims[0] != VIEW_ALL || dims[1] != VIEW_ALL;
	for (int i = 0; i < 2; i++)
		if (dims[1 - i] == VIEW_ALL && shown->rank > 0)
			dims[1 - i] = dim_most(shown, count, dims[i]);
	if (!chosen && dims[0] > dims[1] && dims[1] != VIEW_ALL) {
		int dim = dims[0];
		dims[0] = dims[1];
		dims[1] = dim;
	}
}

static int64_t grid_tiles(const struct grid *grid, int side)
{
	return grid->dims[side] == VIEW_ALL ? 1 : holding_tiles(grid->now, grid->dims[side]);
}

static int64_t digits_of(int64_t n)
{
	int64_t digits = 1;
	for (; n > 9; n /= 10)
		digits++;
	return digits;
}

/* ---- cells ---- */

/* Where a dimension stands that is neither shown nor folded. */
static int64_t tile_fixed(const struct holding *holding, const struct view_options *opt, int dim)
{
	int64_t tiles = holding_tiles(holding, dim), at = opt->fixed[dim];
	return at < 0 ? 0 : at < tiles ? at : tiles - 1;
}

static struct tile_choice grid_choice(const struct grid *grid, int64_t row, int64_t column)
{
	struct tile_choice choice;
	for (int i = 0; i < SW_MAX_DIMS; i++)
		choice.position[i] = grid->opt->fold || i >= grid->now->rank ? VIEW_ALL : tile_fixed(grid->now, grid->opt, i);
	if (grid->dims[0] != VIEW_ALL)
		choice.position[grid->dims[0]] = row;
	if (grid->dims[1] != VIEW_ALL)
		choice.position[grid->dims[1]] = column;
	return choice;
}

static bool cell_kept(const struct grid *grid, int64_t listed, int64_t count)
{
	if (!grid->before || !count || listed < count)
		return false;
	for (int64_t i = 0; i < listed; i++)
		if (!holding_kept(grid->before, grid->now, grid->devices[i]))
			return false;
	return true;
}

static bool cell_has(const struct grid *grid, int64_t listed, int64_t device)
{
	for (int64_t i = 0; i < listed; i++)
		if (grid->devices[i] == device)
			return true;
	return false;
}

/* The text of one cell in at most `room` columns, and its role. */
static enum role cell_text(const struct grid *grid, int64_t row, int64_t column, int room, sw_text *text)
{
	struct tile_choice choice = grid_choice(grid, row, column);
	int64_t count;
	int64_t listed = holding_list(grid->now, &choice, LIST_ROOM, grid->devices, &count);
	bool kept = cell_kept(grid, listed, count);
	bool marked = grid->opt->device >= 0 && cell_has(grid, listed, grid->opt->device);
	sw_text_add(text, marked ? "*" : "");
	sw_text_add(text, kept ? "=" : "");
	devices_text(grid->devices, listed, count, grid->short_lists ? 0 : room - marked - kept, text);
	return marked ? ROLE_CURRENT : kept ? ROLE_KEPT : grid->before ? ROLE_MOVED : ROLE_NUMBER;
}

/* ---- layout ---- */

/* The narrowest cell that says something: "12+3", a base offset, or the count of a folded column. */
static int cell_least(const struct grid *grid)
{
	int64_t devices = digits_of(grid->now->mesh->devices - 1);
	int64_t copies = 1, most = 0;
	for (int64_t i = 0; i < 2; i++) {
		int64_t last = grid->dims[i] == VIEW_ALL ? 0 : grid->now->global[grid->dims[i]];
		most = digits_of(last) > most ? digits_of(last) : most;
		copies *= grid_tiles(grid, (int)i);
	}
	copies = grid->now->mesh->devices / (copies > 0 ? copies : 1);
	int64_t width = devices + (copies > 1 ? 1 + digits_of(copies - 1) : 0);
	width = width > most + 1 ? width : most + 1;
	return (int)width + (grid->before != NULL) + (grid->opt->device >= 0);
}

/* The longest cell, and whether any list had to be shortened. */
static int longest_cell(const struct grid *grid, int room, bool *shortened)
{
	int longest = 0;
	sw_text text = {0};
	for (int r = 0; r < grid->rows; r++) {
		for (int c = 0; c < grid->columns; c++) {
			if (stretch_folded(grid->row[r]) || stretch_folded(grid->column[c]))
				continue;
			sw_text_clear(&text);
			cell_text(grid, grid->row[r].from, grid->column[c].from, room, &text);
			int width = canvas_text_width(sw_text_get(&text));
			longest = width > longest ? width : longest;
			*shortened |= strchr(sw_text_get(&text), '+') != NULL;
		}
	}
	sw_text_free(&text);
	return longest;
}

/* The tile along a side that the marked device holds, or -1. */
static int64_t grid_keep(const struct grid *grid, int side)
{
	int64_t offset[SW_MAX_DIMS], device = grid->opt->device;
	if (device < 0 || device >= grid->now->mesh->devices || grid->dims[side] == VIEW_ALL)
		return -1;
	holding_offset(grid->now, device, offset);
	return offset[grid->dims[side]] / grid->now->tile[grid->dims[side]];
}

static void grid_layout(struct grid *grid, int width, int height)
{
	int64_t down = grid->dims[0] == VIEW_ALL ? 0 : grid->now->global[grid->dims[0]];
	int least = cell_least(grid);
	grid->label = (int)digits_of(down) + 1;
	int room = width - grid->label - 1;
	int fit = room / (least + 1);
	grid->rows = fold_stretches(grid_tiles(grid, 0), height, grid_keep(grid, 0), grid->row);
	grid->columns = fold_stretches(grid_tiles(grid, 1), fit, grid_keep(grid, 1), grid->column);
	int most = room / grid->columns - 1;
	most = most > CELL_MOST ? CELL_MOST : most < 1 ? 1 : most;
	bool shortened = false;
	int longest = longest_cell(grid, most, &shortened);
	if (shortened) {
		grid->short_lists = true;
		longest = longest_cell(grid, most, &shortened);
	}
	grid->cell = longest > least ? longest : least;
	grid->cell = grid->cell > most ? most : grid->cell;
	grid->rules = grid->rows <= 8 && 2 * grid->rows <= height;
}

/* ---- drawing ---- */

static void label_text(const struct grid *grid, int side, struct stretch stretch, char text[32])
{
	int64_t tile = grid->dims[side] == VIEW_ALL ? 1 : grid->now->tile[grid->dims[side]];
	if (stretch_folded(stretch))
		snprintf(text, 32, "+%lld", (long long)(stretch.to - stretch.from + 1));
	else
		snprintf(text, 32, "%lld", (long long)(stretch.from * tile));
}

static void grid_draw_row(const struct grid *grid, struct canvas *out, int y, int r)
{
	char label[32];
	sw_text text = {0};
	label_text(grid, 0, grid->row[r], label);
	canvas_put_right(out, 0, y, grid->label, stretch_folded(grid->row[r]) ? ROLE_DIM : ROLE_LABEL, label);
	for (int c = 0; c < grid->columns; c++) {
		int x = grid->label + 1 + c * (grid->cell + 1);
		enum role role = ROLE_DIM;
		sw_text_clear(&text);
		if (stretch_folded(grid->row[r]) || stretch_folded(grid->column[c]))
			sw_text_add(&text, "…");
		else
			role = cell_text(grid, grid->row[r].from, grid->column[c].from, grid->cell, &text);
		canvas_put_center(out, x, y, grid->cell, role, sw_text_get(&text));
	}
	sw_text_free(&text);
}

static int grid_draw_cells(const struct grid *grid, struct canvas *out, int y)
{
	int width = grid->columns * (grid->cell + 1) + 1, step = grid->rules ? 2 : 1;
	int height = grid->rows * step + (grid->rules ? 1 : 2);
	canvas_box(out, grid->label, y + 1, width, height, ROLE_BORDER, 0);
	for (int c = 0; c < grid->columns; c++) {
		char label[32];
		label_text(grid, 1, grid->column[c], label);
		canvas_put_center(out, grid->label + 1 + c * (grid->cell + 1), y, grid->cell,
			stretch_folded(grid->column[c]) ? ROLE_DIM : ROLE_LABEL, label);
		canvas_vline(out, grid->label + c * (grid->cell + 1), y + 1, height, ROLE_BORDER, 0);
	}
	for (int r = 0; r < grid->rows; r++) {
		grid_draw_row(grid, out, y + 2 + r * step, r);
		if (grid->rules)
			canvas_hline(out, grid->label, y + 1 + r * step, width, ROLE_BORDER, 0);
	}
	return y + 1 + height;
}

static int grid_draw_head(const struct grid *grid, struct canvas *out, int y)
{
	const struct holding *now = grid->now;
	sw_text head = {0};
	if (now->step >= 0)
		sw_text_addf(&head, now->step ? "after step %d" : "before the first step", now->step);
	if (now->name)
		sw_text_addf(&head, "%s%s", head.length ? ", " : "", now->name);
	if (head.length)
		y = draw_note(out, 0, y, ROLE_LABEL, "%s:", sw_text_get(&head));
	sw_text_free(&head);
	if (now->type)
		return draw_type_rows(out, 0, y, out->width, now->mesh, now->type, false);
	return draw_note(out, 0, y, ROLE_NOTE, "no distributed type: tiles stand where its map says");
}

static bool grid_draw(struct canvas *out, const struct holding *now, const struct holding *before,
	const struct view_options *opt, const int dims[2], int width, int height)
{
	struct grid grid = {.now = now, .before = before, .opt = opt, .dims = {dims[0], dims[1]}};
	canvas_reset(out, width);
	grid.devices = malloc(LIST_ROOM * sizeof(*grid.devices));
	if (!grid.devices)
		return false;
	grid_layout(&grid, width, height);
	int y = grid_draw_head(&grid, out, 0);
	grid_draw_cells(&grid, out, y);
	free(grid.devices);
	return true;
}

static int used_width(const struct canvas *canvas)
{
	int width = 0;
	for (int y = 0; y < canvas->height; y++)
		for (int x = width; x < canvas->width; x++)
			if (canvas_glyph_at(canvas, x, y, false) != ' ')
				width = x + 1;
	return width;
}

/* Two grids: side by side where there is room, else one below the other. */
static int place_grids(struct canvas *out, int y, const struct canvas grids[2], int count)
{
	int left = used_width(&grids[0]);
	canvas_copy(out, 0, y, &grids[0], 0, 0, out->width, grids[0].height);
	if (count == 1)
		return y + grids[0].height;
	if (left + 4 + used_width(&grids[1]) <= out->width) {
		canvas_copy(out, left + 4, y, &grids[1], 0, 0, grids[1].width, grids[1].height);
		return y + (grids[0].height > grids[1].height ? grids[0].height : grids[1].height);
	}
	canvas_copy(out, 0, y + grids[0].height + 1, &grids[1], 0, 0, out->width, grids[1].height);
	return y + grids[0].height + 1 + grids[1].height;
}

static int note_dims(struct canvas *out, int y, const struct holding *shown, const struct view_options *opt,
	const int dims[2])
{
	if (dims[0] != VIEW_ALL && dims[1] != VIEW_ALL)
		y = draw_note(out, 0, y, ROLE_TEXT, "dimension %d down, dimension %d across, tiles by their base offset",
			dims[0], dims[1]);
	else if (dims[0] != VIEW_ALL || dims[1] != VIEW_ALL)
		y = draw_note(out, 0, y, ROLE_TEXT, "dimension 0 %s, tiles by their base offset",
			dims[0] != VIEW_ALL ? "down" : "across");
	for (int i = 0; i < shown->rank; i++) {
		if (i == dims[0] || i == dims[1])
			continue;
		if (opt->fold && holding_tiles(shown, i) > 1)
			y = draw_note(out, 0, y, ROLE_NOTE, "dimension %d is folded: its %s stand in one cell", i,
				words_plural(holding_tiles(shown, i), "tile", "tiles").text);
		else if (!opt->fold)
			y = draw_note(out, 0, y, ROLE_NOTE, "dimension %d stands at tile %lld of %lld", i,
				(long long)tile_fixed(shown, opt, i), (long long)holding_tiles(shown, i));
	}
	return y;
}

static int note_legend(struct canvas *out, int y, int count, const struct view_options *opt)
{
	y = draw_note(out, 0, y, ROLE_NOTE,
		"0-3: devices 0 to 3; 0+3: device 0 and 3 more; +3 at an edge: 3 tiles folded");
	if (count == 2)
		y = draw_note(out, 0, y, ROLE_NOTE, "=: nothing arrives there, its devices held it before");
	if (opt->device >= 0)
		y = draw_note(out, 0, y, ROLE_NOTE, "*: held by device %lld", (long long)opt->device);
	return y;
}

bool view_tiles(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct holding shown[2];
	struct canvas grids[2] = {{0}, {0}};
	int dims[2];
	int count = holding_choose(in, opt, shown, diag);
	if (!count)
		return false;
	if (!draw_begin("tiles", opt, out))
		return true;
	dims_choose(shown, count, opt, dims);
	bool narrow = count == 2 && opt->width >= 100;
	int height = opt->height > 16 ? (opt->height - 8) / (narrow ? 1 : count) - 5 : opt->height ? 4 : ROWS_MOST;
	bool drawn = true;
	for (int i = 0; i < count && drawn; i++)
		drawn = grid_draw(&grids[i], &shown[i], i ? &shown[0] : NULL, opt, dims,
			narrow ? (opt->width - 4) / 2 : opt->width, height);
	int y = draw_title(out, 0, "tiles", words_plural(shown[0].mesh->devices, "device", "devices").text);
	y = note_dims(out, y, &shown[count - 1], opt, dims);
	y = place_grids(out, y + 1, grids, count);
	y = holding_note_order(shown, count, out, note_legend(out, y, count, opt));
	holding_note(&shown[0], out, y);
	canvas_free(&grids[0]);
	canvas_free(&grids[1]);
	return drawn || sw_diag_memory(diag);
}

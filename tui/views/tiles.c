/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which devices hold which tile: a grid over two dimensions of the array, before and after a step.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/beside.h"
#include "views/draw.h"
#include "views/general.h"
#include "views/schedule_views.h"
#include "views/tiles.h"

#define CELL_MOST 24                                          /* columns of a cell */
#define PAINTED_MOST ((int64_t)STRETCHES_MAX * STRETCHES_MAX) /* columns that are painted by first owners */
#define GAP 2                                                 /* columns between two pictures */
#define ROWS_MOST 40                                          /* rows of tiles where no height is asked for */

/* One grid while it is drawn. */
struct grid {
	const struct tiles *tiles;
	int rows, columns;
	struct stretch row[STRETCHES_MAX], column[STRETCHES_MAX];
	int label, cell;  /* columns of the row labels and of a cell */
	int lines;        /* of a cell: a term each, or all in one */
	bool rules;       /* lines between rows */
	bool short_lists; /* some list does not fit: then all say "0+3" */
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

void tiles_dims(const struct holding *shown, int count, const struct view_options *opt, int dims[2])
{
	assert(count >= 1);
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

int64_t tiles_along(const struct tiles *tiles, int side)
{
	assert(side == 0 || side == 1);
	return tiles->dims[side] == VIEW_ALL ? 1 : holding_tiles(tiles->now, tiles->dims[side]);
}

struct tile_choice tiles_choice(const struct tiles *tiles, int64_t row, int64_t column)
{
	struct tile_choice choice;
	for (int i = 0; i < SW_MAX_DIMS; i++)
		choice.position[i] = tiles->opt->fold || i >= tiles->now->rank ? VIEW_ALL :
																		 tile_fixed(tiles->now, tiles->opt, i);
	if (tiles->dims[0] != VIEW_ALL)
		choice.position[tiles->dims[0]] = row;
	if (tiles->dims[1] != VIEW_ALL)
		choice.position[tiles->dims[1]] = column;
	return choice;
}

static bool is_kept(const struct tiles *tiles, int64_t listed, int64_t count)
{
	if (!tiles->before || !count || listed < count)
		return false;
	for (int64_t i = 0; i < listed; i++)
		if (!holding_kept(tiles->before, tiles->now, tiles->devices[i]))
			return false;
	return true;
}

static bool is_listed(const struct tiles *tiles, int64_t listed, int64_t device)
{
	for (int64_t i = 0; i < listed; i++)
		if (tiles->devices[i] == device)
			return true;
	return false;
}

static void note_signs(struct signs_used *used, bool marked, bool kept, const char *list)
{
	used->marked |= marked;
	used->kept |= kept;
	used->run |= strchr(list, '-') && list[1];
	used->stride |= strstr(list, "..") != NULL;
	if (!used->more && strchr(list, '+'))
		used->more = sscanf(list, "%31[A-Z0-9]+%lld", used->first, &used->others) == 2;
}

/* The devices that hold a term of what is chosen, or all of it, as holding_list says them. */
static int64_t devices_list(const struct tiles *tiles, const struct tile_choice *choice, int64_t term, int64_t *count)
{
	int64_t listed = holding_list(tiles->now, choice, LIST_ROOM, tiles->devices, count), own = 0;
	if (term == VIEW_ALL)
		return listed;
	for (int64_t i = 0; i < listed; i++)
		if (holding_term(tiles->now, tiles->devices[i]) == term)
			tiles->devices[own++] = tiles->devices[i];
	*count /= holding_terms(tiles->now);
	return own;
}

/* The devices of each term by themselves, `0-1 + 2-3`; false where there are no terms, or there is no room for them. */
static bool terms_text(const struct tiles *tiles, int64_t listed, int64_t count, int room, sw_text *text)
{
	int64_t terms = holding_terms(tiles->now), own[LIST_ROOM];
	if (terms == 1 || terms > count || listed < count)
		return false;
	for (int64_t t = 0; t < terms && (room <= 0 || (int)text->length <= room); t++) {
		int64_t n = 0;
		for (int64_t i = 0; i < listed; i++)
			if (holding_term(tiles->now, tiles->devices[i]) == t)
				own[n++] = tiles->devices[i];
		sw_text_add(text, t ? " + " : "");
		devices_text(tiles->now->mesh, own, n, n, room > 0 ? (room - 3 * (int)(terms - 1)) / (int)terms : 0, text);
	}
	if (room > 0 && (int)text->length > room)
		sw_text_clear(text);
	else
		tiles->used->terms = true;
	return text->length > 0;
}

enum role tiles_holders(const struct tiles *tiles, int64_t row, int64_t column, int64_t term, int room, sw_text *text)
{
	struct tile_choice choice = tiles_choice(tiles, row, column);
	int64_t count;
	sw_text list = {0};
	int64_t listed = devices_list(tiles, &choice, term, &count);
	bool kept = is_kept(tiles, listed, count);
	bool marked = tiles->opt->device >= 0 && is_listed(tiles, listed, tiles->opt->device);
	const char *plus = term > 0 ? "+ " : "";
	room = room > 0 ? room - marked - kept - 2 * (term > 0) : 0;
	if (term != VIEW_ALL || !terms_text(tiles, listed, count, room, &list)) {
		devices_text(tiles->now->mesh, tiles->devices, listed, count, room, &list);
		tiles->used->crowd = term == VIEW_ALL && holding_terms(tiles->now) > 1 ? holding_terms(tiles->now) :
																				 tiles->used->crowd;
	}
	tiles->used->stacked |= term > 0;
	sw_text_addf(text, "%s%s%s%s", plus, marked ? "*" : "", kept ? "=" : "", sw_text_get(&list));
	note_signs(tiles->used, marked, kept, sw_text_get(&list));
	sw_text_free(&list);
	return marked ? ROLE_CURRENT : kept ? ROLE_KEPT : tiles->before ? ROLE_MOVED : ROLE_NUMBER;
}

/* Panes with colours have devices in one of them. */
static bool has_colons(const struct view_options *opt)
{
	return opt->letters || !opt->terse;
}

void tiles_end(const struct tiles *tiles, int room, sw_text *text)
{
	assert(text);
	if (has_colons(tiles->opt) && text->length && canvas_text_width(sw_text_get(text)) < room)
		sw_text_add(text, ":");
}

bool tiles_followed(const struct tiles *tiles, int64_t row, int64_t column)
{
	const int64_t at[2] = {row, column}, *element = tiles->opt->element;
	for (int side = 0; side < 2 && element; side++) {
		int dim = tiles->dims[side];
		if (dim != VIEW_ALL && element[dim] / tiles->now->tile[dim] != at[side])
			return false;
	}
	if (element)
		tiles->used->element = true;
	return element != NULL;
}

/* The text of one line of a cell in at most `room` columns, and its role. */
static enum role cell_text(const struct grid *grid, int64_t row, int64_t column, int line, int room, sw_text *text)
{
	int64_t term = grid->lines > 1 ? line : VIEW_ALL;
	enum role role = tiles_holders(grid->tiles, row, column, term, grid->short_lists ? 0 : room, text);
	return tiles_followed(grid->tiles, row, column) ? ROLE_CURRENT : role;
}

/* ---- layout ---- */

/* The narrowest cell that says something: "12+3", a base offset, or the count of a folded column. */
static int cell_least(const struct grid *grid)
{
	int64_t devices = words_device_room(grid->tiles->now->mesh);
	int64_t copies = 1, most = 0;
	for (int64_t i = 0; i < 2; i++) {
		int64_t last = grid->tiles->dims[i] == VIEW_ALL ? 0 : grid->tiles->now->global[grid->tiles->dims[i]];
		most = digits_of(last) > most ? digits_of(last) : most;
		copies *= tiles_along(grid->tiles, (int)i);
	}
	copies = grid->tiles->now->mesh->devices / (copies > 0 ? copies : 1);
	int64_t width = devices + (copies > 1 ? 1 + digits_of(copies - 1) : 0);
	width = width > most + 1 ? width : most + 1;
	return (int)width + 2 * (grid->lines > 1) + (grid->tiles->before != NULL) + (grid->tiles->opt->device >= 0);
}

/* Does a list say how many more devices there are, `0+3`? */
static bool is_shortened(const char *list)
{
	for (const char *plus = strchr(list, '+'); plus; plus = strchr(plus + 1, '+'))
		if (plus > list && plus[-1] != ' ' && plus[1] != ' ')
			return true;
	return false;
}

/* The longest line of a cell, and whether any list had to be shortened. */
static int longest_cell(const struct grid *grid, int room, bool *shortened)
{
	int longest = 0;
	sw_text text = {0};
	for (int at = 0; at < grid->rows * grid->columns * grid->lines; at++) {
		struct stretch row = grid->row[at / grid->lines / grid->columns];
		struct stretch column = grid->column[at / grid->lines % grid->columns];
		if (stretch_folded(row) || stretch_folded(column))
			continue;
		sw_text_clear(&text);
		cell_text(grid, row.from, column.from, at % grid->lines, room, &text);
		int width = canvas_text_width(sw_text_get(&text));
		longest = width > longest ? width : longest;
		*shortened |= is_shortened(sw_text_get(&text));
	}
	sw_text_free(&text);
	return longest;
}

/* The tile along a side that the marked device holds, or -1. */
static int64_t grid_keep(const struct grid *grid, int side)
{
	int64_t offset[SW_MAX_DIMS], device = grid->tiles->opt->device;
	if (device < 0 || device >= grid->tiles->now->mesh->devices || grid->tiles->dims[side] == VIEW_ALL)
		return -1;
	holding_offset(grid->tiles->now, device, offset);
	return offset[grid->tiles->dims[side]] / grid->tiles->now->tile[grid->tiles->dims[side]];
}

/* A line for each term, where rows enough are left. */
static int grid_lines(const struct grid *grid, int height)
{
	int64_t terms = holding_terms(grid->tiles->now), rows = tiles_along(grid->tiles, 0);
	return terms <= TERMS_STACKED && terms * (rows < 4 ? rows : 4) <= height ? (int)terms : 1;
}

static void grid_layout(struct grid *grid, int width, int height)
{
	grid->lines = grid_lines(grid, height);
	int64_t down = grid->tiles->dims[0] == VIEW_ALL ? 0 : grid->tiles->now->global[grid->tiles->dims[0]];
	int least = cell_least(grid);
	grid->label = (int)digits_of(down) + 1;
	int room = width - grid->label - 1;
	int fit = room / (least + 1);
	grid->rows = fold_stretches(tiles_along(grid->tiles, 0), height / grid->lines, grid_keep(grid, 0), grid->row);
	grid->columns = fold_stretches(tiles_along(grid->tiles, 1), fit, grid_keep(grid, 1), grid->column);
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
	grid->rules = grid->rows <= 8 && (grid->lines + 1) * grid->rows <= height;
}

/* ---- drawing ---- */

static void label_text(const struct grid *grid, int side, struct stretch stretch, char text[32])
{
	int64_t tile = grid->tiles->dims[side] == VIEW_ALL ? 1 : grid->tiles->now->tile[grid->tiles->dims[side]];
	if (stretch_folded(stretch))
		snprintf(text, 32, "+%lld", (long long)(stretch.to - stretch.from + 1));
	else
		snprintf(text, 32, "%lld", (long long)(stretch.from * tile));
}

/* The first owners of the middle row of a tile, from its left to its right. */
static void cell_paint(const struct grid *grid, struct canvas *out, int x, int y, int r, int c, int term)
{
	const struct tiles *tiles = grid->tiles;
	struct tile_choice choice = tiles_choice(tiles, grid->row[r].from, grid->column[c].from);
	int across = tiles->dims[1];
	if (!owners_known(tiles->owners, PAINTED_MOST))
		return;
	for (int i = 0; i < grid->cell; i++) {
		int64_t element[SW_MAX_DIMS];
		for (int dim = 0; dim < tiles->now->rank; dim++)
			element[dim] = choice.position[dim] == VIEW_ALL ? VIEW_ALL : choice.position[dim] * tiles->now->tile[dim];
		if (tiles->dims[0] != VIEW_ALL)
			element[tiles->dims[0]] += tiles->now->tile[tiles->dims[0]] / 2;
		if (across != VIEW_ALL)
			element[across] += (int64_t)((double)i / grid->cell * (double)tiles->now->tile[across]);
		int64_t owner = owners_at(tiles->owners, element, term);
		if (!canvas_cell_at(out, x + i, y)->glyph)
			canvas_put_glyph(out, x + i, y, ROLE_TEXT, ' ');
		if (owner >= 0)
			canvas_paint(out, x + i, y, 1, owners_role(tiles->owners, owner));
	}
}

/* A line of a row of cells: all of it, or a term. */
static void grid_draw_line(const struct grid *grid, struct canvas *out, int y, int r, int line)
{
	char label[32];
	sw_text text = {0};
	label_text(grid, 0, grid->row[r], label);
	if (!line)
		canvas_put_right(out, 0, y, grid->label, stretch_folded(grid->row[r]) ? ROLE_DIM : ROLE_NOTE, label);
	for (int c = 0; c < grid->columns; c++) {
		int x = grid->label + 1 + c * (grid->cell + 1);
		enum role role = ROLE_DIM;
		sw_text_clear(&text);
		if (stretch_folded(grid->row[r]) || stretch_folded(grid->column[c]))
			sw_text_add(&text, line ? "" : "…");
		else
			role = cell_text(grid, grid->row[r].from, grid->column[c].from, line, grid->cell, &text);
		if (role != ROLE_DIM)
			tiles_end(grid->tiles, grid->cell, &text);
		canvas_put_center(out, x, y, grid->cell, role, sw_text_get(&text));
		if (role != ROLE_DIM && role != ROLE_CURRENT)
			cell_paint(grid, out, x, y, r, c, line);
		grid->tiles->used->folded |= stretch_folded(grid->row[r]) || stretch_folded(grid->column[c]);
	}
	sw_text_free(&text);
}

static int grid_draw_cells(const struct grid *grid, struct canvas *out, int y)
{
	int width = grid->columns * (grid->cell + 1) + 1, step = grid->lines + grid->rules;
	int height = grid->rows * step + (grid->rules ? 1 : 2);
	canvas_box(out, grid->label, y + 1, width, height, ROLE_BORDER, 0);
	for (int c = 0; c < grid->columns; c++) {
		char label[32];
		label_text(grid, 1, grid->column[c], label);
		canvas_put_center(out, grid->label + 1 + c * (grid->cell + 1), y, grid->cell,
			stretch_folded(grid->column[c]) ? ROLE_DIM : ROLE_NOTE, label);
		canvas_vline(out, grid->label + c * (grid->cell + 1), y + 1, height, ROLE_BORDER, 0);
	}
	for (int r = 0; r < grid->rows; r++) {
		for (int line = 0; line < grid->lines; line++)
			grid_draw_line(grid, out, y + 2 + r * step + line, r, line);
		if (grid->rules)
			canvas_hline(out, grid->label, y + 1 + r * step, width, ROLE_BORDER, 0);
	}
	return y + 1 + height;
}

int tiles_draw_head(const struct tiles *tiles, struct canvas *out, int y)
{
	const struct holding *now = tiles->now;
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
	return draw_note(out, 0, y, ROLE_NOTE, "not a distributed type: tiles are where its map says");
}

static void grid_draw(const struct tiles *tiles, struct canvas *out, int width, int height)
{
	struct grid grid = {.tiles = tiles};
	grid_layout(&grid, width, height);
	grid_draw_cells(&grid, out, tiles_draw_head(tiles, out, 0));
}

/* Which numbers are offsets, and which are devices. */
static int note_numbers(struct canvas *out, int y, const struct holding *shown, const struct view_options *opt,
	const char *axes, const char *where)
{
	sw_text sign = {0};
	if (has_colons(opt))
		sw_text_addf(&sign, " (%s:)", words_device(shown->mesh, 0).text);
	y = draw_note(out, 0, y, ROLE_TEXT, "%s; offsets at the edges, devices%s in %s", axes, sw_text_get(&sign), where);
	sw_text_free(&sign);
	return y;
}

static int note_dims(struct canvas *out, int y, const struct holding *shown, const struct view_options *opt,
	const int dims[2], const char *where)
{
	char axes[80];
	if (dims[0] != VIEW_ALL && dims[1] != VIEW_ALL)
		snprintf(axes, sizeof(axes), "dimension %d down, %d across", dims[0], dims[1]);
	else
		snprintf(axes, sizeof(axes), "dimension 0 %s", dims[0] != VIEW_ALL ? "down" : "across");
	if (dims[0] != VIEW_ALL || dims[1] != VIEW_ALL)
		y = note_numbers(out, y, shown, opt, axes, where);
	for (int i = 0; i < shown->rank; i++) {
		if (i == dims[0] || i == dims[1])
			continue;
		if (opt->fold && holding_tiles(shown, i) > 1)
			y = draw_note(out, 0, y, ROLE_NOTE, "dimension %d is folded: its %s are in one cell", i,
				words_plural(holding_tiles(shown, i), "tile", "tiles").text);
		else if (!opt->fold)
			y = draw_note(out, 0, y, ROLE_NOTE, "dimension %d is at tile %lld of %lld", i,
				(long long)tile_fixed(shown, opt, i), (long long)holding_tiles(shown, i));
	}
	return y;
}

static void add_sign(sw_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_sign(sw_text *text, const char *format, ...)
{
	va_list arguments;
	sw_text_add(text, text->length ? "; " : "");
	va_start(arguments, format);
	sw_text_addv(text, format, arguments);
	va_end(arguments);
}

/* How lists of devices are read. */
static void add_lists(const sw_mesh *mesh, const struct signs_used *used, sw_text *text)
{
	const struct words names[] = {words_device(mesh, 0), words_device(mesh, 1), words_device(mesh, 2),
		words_device(mesh, 3), words_device(mesh, 6)};
	const char *first = names[0].text;
	if (used->run)
		add_sign(text, "%s-%s: devices %s to %s", first, names[3].text, first, names[3].text);
	if (used->stride)
		add_sign(text, "%s,%s..%s: every second one from %s to %s", first, names[2].text, names[4].text, first,
			names[4].text);
	if (used->more)
		add_sign(text, "%s+%lld: device %s and %lld more", used->first, used->others, used->first, used->others);
	if (used->terms)
		add_sign(text, "%s + %s: they hold terms, and the tile is their sum", first, names[1].text);
	if (used->stacked)
		add_sign(text, "+ %s below %s: it holds another term of the same tile, which is their sum", names[1].text,
			first);
	if (used->crowd && !used->stacked)
		add_sign(text, "the devices of a tile hold %lld terms, and the tile is their sum", (long long)used->crowd);
}

/* Only what stands in this picture is explained. */
int tiles_legend(const sw_mesh *mesh, const struct signs_used *used, const struct view_options *opt,
	struct canvas *out, int y)
{
	sw_text text = {0};
	add_lists(mesh, used, &text);
	if (used->folded)
		add_sign(&text, "+3 at an edge: 3 tiles folded");
	if (used->kept)
		add_sign(&text, "=: nothing arrives there; its devices held it before");
	if (text.length)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&text));
	sw_text_free(&text);
	if (used->marked)
		y = draw_note(out, 0, y, ROLE_NOTE, "*: held by device %s", words_device_first(mesh, opt->device).text);
	return used->element ? draw_note(out, 0, y, ROLE_NOTE, "heavy: the tile of the followed element") : y;
}

/* ---- one or two pictures ---- */

struct drawing {
	const struct view_input *in;
	struct holding shown[2];
	int count;
	struct owners owners;
	struct signs_used used;
	struct tiles tiles;
	struct scale scale;
	bool to_scale;
	struct canvas grids[2];
};

/* Side by side where they fit so, else one below the other. */
static void drawing_scale(struct drawing *drawing, int width, int room)
{
	int height = room > 12 ? room - 8 : 0;
	drawing->to_scale = scale_new(&drawing->scale, &drawing->tiles, drawing->in, drawing->shown, drawing->count,
		drawing->count == 2 ? (width - GAP) / 2 : width, height);
	if (drawing->to_scale || drawing->count == 1)
		return;
	scale_free(&drawing->scale);
	drawing->to_scale = scale_new(&drawing->scale, &drawing->tiles, drawing->in, drawing->shown, drawing->count,
		width, height ? height / 2 - 2 : 0);
}

static void drawing_draw(struct drawing *drawing, const struct view_options *opt)
{
	bool narrow = drawing->count == 2 &&
		(drawing->to_scale ? 2 * scale_width(&drawing->scale) + GAP <= opt->width : opt->width >= 100);
	int width = narrow ? (opt->width - GAP) / 2 : opt->width;
	int height = opt->height > 16 ? (opt->height - 8) / (narrow ? 1 : drawing->count) - 5 :
		opt->height               ? 4 :
									ROWS_MOST;
	for (int i = 0; i < drawing->count; i++) {
		struct tiles tiles = drawing->tiles;
		tiles.now = &drawing->shown[i];
		tiles.before = i ? &drawing->shown[0] : NULL;
		struct owners owners = owners_in(&drawing->owners, tiles.now);
		tiles.owners = &owners;
		canvas_reset(&drawing->grids[i], width);
		if (drawing->to_scale)
			scale_draw(&drawing->scale, &tiles, &drawing->grids[i]);
		else
			grid_draw(&tiles, &drawing->grids[i], width, height);
	}
}

static int drawing_notes(const struct drawing *drawing, const struct view_options *opt, struct canvas *out, int y)
{
	const struct scale *scale = &drawing->scale;
	if (drawing->to_scale)
		y = owners_note(&drawing->owners, opt, out, y);
	else if (owners_known(&drawing->owners, PAINTED_MOST))
		y = owners_note_colour(&drawing->owners, opt, out, y);
	if (drawing->to_scale && (scale->unit[0] > 1 || scale->unit[1] > 1))
		y = draw_note(out, 0, y, ROLE_NOTE, "a cell is a block of %s by %s", words_count(scale->unit[0]).text,
			words_plural(scale->unit[1], "element", "elements").text);
	if (drawing->to_scale && scale->flat)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"a number in a cell, with a colon where there is room: the device of the tile that begins there%s; "
			"numbers at the edges: offsets",
			drawing->used.covered ? ", and covers letters where no letter follows it" : "");
	y = tiles_legend(drawing->shown[0].mesh, &drawing->used, opt, out, y);
	y = holding_note_order(drawing->shown, drawing->count, out, y);
	return holding_note(&drawing->shown[0], out, y);
}

bool view_tiles(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (in->schedule)
		return schedule_tiles(in, opt, out, diag);
	if (is_general(in))
		return general_tiles(in, opt, out, diag);
	struct drawing drawing = {.in = in};
	drawing.count = holding_choose(in, opt, drawing.shown, diag);
	if (!drawing.count)
		return false;
	if (!draw_begin("tiles", opt, out))
		return true;
	drawing.owners = owners_of(in, drawing.shown, drawing.count);
	drawing.tiles =
		(struct tiles){.now = &drawing.shown[0], .opt = opt, .owners = &drawing.owners, .used = &drawing.used};
	drawing.tiles.devices = malloc(LIST_ROOM * sizeof(int64_t));
	if (!drawing.tiles.devices)
		return sw_diag_memory(diag);
	tiles_dims(drawing.shown, drawing.count, opt, drawing.tiles.dims);
	drawing_scale(&drawing, opt->width, opt->room);
	drawing_draw(&drawing, opt);
	int y = holding_title(drawing.shown, drawing.count, "tiles", out);
	y = note_dims(out, y, &drawing.shown[drawing.count - 1], opt, drawing.tiles.dims,
		drawing.to_scale && drawing.scale.flat ? "cells" :
			drawing.to_scale                   ? "lines" :
												 "boxes");
	y = tiles_beside(out, y + !(drawing.to_scale && drawing.scale.flat), drawing.grids, drawing.count);
	drawing_notes(&drawing, opt, out, y);
	scale_free(&drawing.scale);
	free(drawing.tiles.devices);
	canvas_free(&drawing.grids[0]);
	canvas_free(&drawing.grids[1]);
	return true;
}

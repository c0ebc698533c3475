/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles to scale: every element, or block of elements, in the colour of its first owner, and the borders of tiles
 * above.  From step to step the colours stand still and the borders move.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"
#include "views/tiles.h"

#define GROWN_MOST 4  /* rows of a cell in a large pane */
#define WIDER_MOST 3  /* columns of a cell above two a row, so that a pane that is too low for more rows is used */
#define ROWS_MOST 32  /* of single elements, where no height is known */
#define LABEL_MOST 8  /* columns for which a list of devices widens cells */
#define TERMS_MOST 24 /* and lists of the devices of each term */

/* ---- what a cell is ---- */

/* Borders of these count: all steps of the plan, or what is shown. */
struct borders {
	const struct view_input *in;
	const struct holding *shown;
	int shown_count;
	bool film; /* all steps of the plan */
	int count;
};

static struct holding borders_at(const struct borders *borders, int i)
{
	return borders->film ? holding_of_step(borders->in->plan, i) : borders->shown[i];
}

/* Elements that are never apart. */
static bool unit_find(const struct tiles *tiles, const struct borders *borders, int dim, int64_t *unit)
{
	*unit = dim == VIEW_ALL ? 1 : sw_gcd(tiles->now->global[dim], tiles->owners->first.tile[dim]);
	for (int i = 0; i < borders->count && dim != VIEW_ALL; i++) {
		struct holding holding = borders_at(borders, i);
		if (!holding_known(&holding))
			return false;
		*unit = sw_gcd(*unit, holding.tile[dim]);
	}
	return true;
}

static struct borders borders_of_film(const struct view_input *in, const struct holding *shown, int count)
{
	bool of_plan = in->plan && !in->type;
	return (struct borders){in, shown, count, of_plan, of_plan ? in->plan->program.steps + 1 : count};
}

bool scale_units(const struct tiles *tiles, const struct view_input *in, const struct holding *shown, int count,
	int64_t unit[2])
{
	struct borders film = borders_of_film(in, shown, count);
	return unit_find(tiles, &film, tiles->dims[0], &unit[0]) && unit_find(tiles, &film, tiles->dims[1], &unit[1]);
}

static bool units_find(struct scale *scale, const struct tiles *tiles, const struct borders *borders, bool elements)
{
	for (int side = 0; side < 2; side++) {
		int dim = tiles->dims[side];
		if (!unit_find(tiles, borders, dim, &scale->unit[side]))
			return false;
		scale->unit[side] = elements ? 1 : scale->unit[side];
		int64_t units = dim == VIEW_ALL ? 1 : tiles->now->global[dim] / scale->unit[side];
		if (units < 1 || units > UNITS_MOST)
			return false;
		scale->units[side] = (int)units;
	}
	return true;
}

static bool is_border(const struct scale *scale, const struct holding *holding, const int dims[2], int side, int at)
{
	int dim = dims[side];
	return at == 0 || at == scale->units[side] ||
		(dim != VIEW_ALL && at * scale->unit[side] % holding->tile[dim] == 0);
}

/* Cells between lines, so that tiles of one size are drawn in one size whatever borders are within them. */
static int64_t cells_between(const struct scale *scale, const struct tiles *tiles, const struct borders *borders,
	int side)
{
	int dim = tiles->dims[side];
	int64_t between = 0;
	for (int i = 0; i < borders->count && dim != VIEW_ALL; i++)
		between = sw_gcd(between, borders_at(borders, i).tile[dim] / scale->unit[side]);
	return between ? between : scale->units[side];
}

static void rules_find(struct scale *scale, const struct tiles *tiles, const struct borders *borders, int side)
{
	int64_t between = scale->even ? cells_between(scale, tiles, borders, side) : 0;
	for (int at = 0; at <= scale->units[side]; at++) {
		scale->ruled[side][at] = between && at % between == 0;
		for (int i = 0; i < borders->count; i++) {
			struct holding holding = borders_at(borders, i);
			scale->ruled[side][at] |= is_border(scale, &holding, tiles->dims, side, at);
		}
	}
}

/* ---- how large it is ---- */

static void cells_place(struct scale *scale, int rows, int columns)
{
	scale->cell[0] = rows;
	scale->cell[1] = columns;
	for (int side = 0; side < 2; side++) {
		int at = 0;
		for (int i = 0; i <= scale->units[side]; i++) {
			at += scale->ruled[side][i];
			scale->at[side][i] = at;
			at += scale->cell[side];
		}
	}
}

int scale_width(const struct scale *scale)
{
	return scale->label + scale->at[1][scale->units[1]];
}

int scale_height(const struct scale *scale)
{
	return 1 + scale->at[0][scale->units[0]];
}

/* Do cells of this size fit?  They are placed all the same. */
static bool cells_fit(struct scale *scale, int rows, int columns, int width, int height)
{
	cells_place(scale, rows, columns);
	return scale_width(scale) <= width && (!height || scale_height(scale) <= height);
}

/* The columns that a cell needs, so that lists of devices fit above their tiles. */
static int cell_for_lists(const struct tiles *tiles, const struct scale *scale, const struct holding *shown,
	int count)
{
	int needs = 1, most = scale->terms > 1 ? TERMS_MOST : LABEL_MOST;
	sw_text text = {0};
	for (int i = 0; i < count; i++) {
		struct tiles one = *tiles;
		struct signs_used unused = {0};
		one.now = &shown[i];
		one.before = i ? &shown[0] : NULL;
		one.used = &unused;
		int dim = one.dims[1];
		int span = dim == VIEW_ALL ? 1 : (int)(shown[i].tile[dim] / scale->unit[1]);
		for (int64_t row = 0; row < tiles_along(&one, 0); row++)
			for (int64_t column = 0; column < tiles_along(&one, 1); column++) {
				sw_text_clear(&text);
				tiles_holders(&one, row, column, VIEW_ALL, most, &text);
				int width = canvas_text_width(sw_text_get(&text));
				int each = ((width < most ? width : most) + span - 1) / (span < 1 ? 1 : span);
				needs = each > needs ? each : needs;
			}
	}
	sw_text_free(&text);
	return needs;
}

/* As large as there is room for; where no height is known, as small as it can be read. */
static bool cells_choose(struct scale *scale, int least, int lists, int width, int height)
{
	int rows = scale->terms;
	if (lists > least && cells_fit(scale, rows, lists, width, 0))
		least = lists;
	if (!cells_fit(scale, rows, least, width, 0))
		return false;
	int columns = least;
	while (height && rows < GROWN_MOST &&
		cells_fit(scale, rows + 1, 2 * (rows + 1) > columns ? 2 * (rows + 1) : columns, width, height))
		columns = scale->cell[1], rows++;
	while (height && columns < 2 * rows + WIDER_MOST && cells_fit(scale, rows, columns + 1, width, 0))
		columns++;
	cells_place(scale, rows, columns);
	return true;
}

/* ---- who owns it ---- */

static size_t cell_at(const struct scale *scale, int row, int column, int term)
{
	return ((size_t)row * (size_t)scale->units[1] + (size_t)column) * (size_t)scale->terms + (size_t)term;
}

static bool owners_room(struct scale *scale, const struct tiles *tiles)
{
	size_t count = (size_t)scale->units[0] * (size_t)scale->units[1] * (size_t)scale->terms;
	scale->role = malloc(count * sizeof(*scale->role));
	scale->sign = malloc(count * sizeof(*scale->sign));
	return scale->role && scale->sign && owners_known(tiles->owners, (int64_t)count);
}

static void owners_find(struct scale *scale, const struct tiles *tiles)
{
	int64_t terms = holding_terms(tiles->now);
	for (int row = 0; row < scale->units[0]; row++)
		for (int column = 0; column < scale->units[1]; column++) {
			int64_t element[SW_MAX_DIMS];
			for (int i = 0; i < tiles->now->rank; i++)
				element[i] = tiles->opt->fold ? VIEW_ALL :
												tiles_choice(tiles, 0, 0).position[i] * tiles->now->tile[i];
			if (tiles->dims[0] != VIEW_ALL)
				element[tiles->dims[0]] = row * scale->unit[0];
			if (tiles->dims[1] != VIEW_ALL)
				element[tiles->dims[1]] = column * scale->unit[1];
			for (int term = 0; term < scale->terms && term < terms; term++) {
				size_t at = cell_at(scale, row, column, term);
				int64_t owner = owners_at(tiles->owners, element, term);
				scale->role[at] = owner < 0 ? ROLE_DIM : owners_role(tiles->owners, owner);
				scale->sign[at] = owners_sign(tiles->owners, owner);
			}
		}
}

/* The most terms of all that is drawn, which are stacked in every cell. */
static int64_t terms_most(const struct borders *borders)
{
	int64_t most = 1;
	for (int i = 0; i < borders->count; i++) {
		struct holding holding = borders_at(borders, i);
		most = holding_terms(&holding) > most ? holding_terms(&holding) : most;
	}
	return most;
}

/* The columns that a sign needs, a blank, and with terms a plus. */
static int cell_least(const struct scale *scale, const struct tiles *tiles)
{
	return owners_sign_width(tiles->owners) + 1 + (scale->terms > 1);
}

/* Cells of elements, or of blocks, in one column each beside their signs. */
static bool cells_start(struct scale *scale, const struct tiles *tiles, const struct borders *borders, int width,
	bool elements)
{
	if (!units_find(scale, tiles, borders, elements))
		return false;
	rules_find(scale, tiles, borders, 0);
	rules_find(scale, tiles, borders, 1);
	int64_t down = tiles->dims[0] == VIEW_ALL ? 0 : tiles->now->global[tiles->dims[0]] - 1;
	scale->label = snprintf(NULL, 0, "%lld", (long long)down);
	cells_place(scale, scale->terms, cell_least(scale, tiles));
	return scale_width(scale) <= width;
}

/* Single elements where all of them fit and are whole. */
static bool scale_try(struct scale *scale, const struct tiles *tiles, const struct borders *borders, int width,
	int height)
{
	int64_t terms = terms_most(borders);
	if (terms > TERMS_STACKED)
		return false;
	scale->terms = (int)terms;
	bool elements = terms == 1 && cells_start(scale, tiles, borders, width, true) &&
		scale_height(scale) <= (height ? height : ROWS_MOST);
	if (!elements && !cells_start(scale, tiles, borders, width, false))
		return false;
	return cells_choose(scale, cell_least(scale, tiles),
		cell_for_lists(tiles, scale, borders->shown, borders->shown_count), width, height);
}

/* Tiles of one size in one size, where there is room for it. */
static bool scale_fits(struct scale *scale, const struct tiles *tiles, const struct borders *borders, int width,
	int height)
{
	scale->even = true;
	if (scale_try(scale, tiles, borders, width, height) && (!height || scale_height(scale) <= height))
		return true;
	scale->even = false;
	return scale_try(scale, tiles, borders, width, height);
}

#define LEGEND_ROWS 3 /* of a pane, which may be scrolled to */

/* In a low pane rows stand one below the other, so that more of them are in sight. */
static void rows_flatten(struct scale *scale)
{
	scale->flat = true;
	for (int i = 1; i <= scale->units[0]; i++)
		scale->ruled[0][i] = false;
	cells_place(scale, 1, scale->cell[1]);
}

bool scale_new(struct scale *scale, const struct tiles *tiles, const struct view_input *in,
	const struct holding *shown, int count, int width, int height)
{
	assert(count >= 1 && width >= 0 && height >= 0);
	struct borders pair = {in, shown, count, false, count}, film = borders_of_film(in, shown, count);
	*scale = (struct scale){0};
	bool fits = scale_fits(scale, tiles, &film, width, height);
	if (fits && height && scale_height(scale) > height) {
		rules_find(scale, tiles, &pair, 0);
		cells_place(scale, scale->terms, scale->cell[1]);
	}
	fits = fits || scale_fits(scale, tiles, &pair, width, height);
	if (fits && height && scale->terms == 1 && scale_height(scale) > height + LEGEND_ROWS)
		rows_flatten(scale);
	return fits && owners_room(scale, tiles);
}

void scale_free(struct scale *scale)
{
	free(scale->role);
	free(scale->sign);
}

/* ---- drawing ---- */

/* The term that stands in a row of a cell. */
static int term_in(const struct scale *scale, int row, int terms)
{
	return row > 0 ? row * terms / scale->cell[0] : 0;
}

/* A cell with the lines' room before it, as far as no border runs there. */
static void cell_draw(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int y, int row,
	int column)
{
	int terms = (int)holding_terms(tiles->now), begin = scale->at[0][row], left_at = scale->at[1][column];
	int top = scale->at[0][row] - (scale->ruled[0][row] && !is_border(scale, tiles->now, tiles->dims, 0, row));
	int left = scale->at[1][column] -
		(scale->ruled[1][column] && !is_border(scale, tiles->now, tiles->dims, 1, column));
	for (int dy = top; dy < scale->at[0][row] + scale->cell[0]; dy++)
		for (int dx = left; dx < scale->at[1][column] + scale->cell[1]; dx++)
			canvas_put_glyph(out, scale->label + dx, y + dy,
				scale->role[cell_at(scale, row, column, term_in(scale, dy - begin, terms))], ' ');
	for (int term = 0; term < terms; term++) {
		size_t at = cell_at(scale, row, column, term);
		int dy = (term * scale->cell[0] + terms - 1) / terms;
		canvas_putf(out, scale->label + left_at, y + begin + dy, scale->role[at], "%s%s",
			term                 ? "+" :
				scale->terms > 1 ? " " :
								   "",
			scale->sign[at].text);
	}
}

static void borders_draw(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int y)
{
	int across = scale->at[1][scale->units[1]], down = scale->at[0][scale->units[0]];
	for (int i = 0; i <= scale->units[0]; i++)
		if (scale->ruled[0][i] && is_border(scale, tiles->now, tiles->dims, 0, i))
			canvas_hline(out, scale->label, y + scale->at[0][i] - 1, across, ROLE_BORDER, 0);
	for (int i = 0; i <= scale->units[1]; i++)
		if (is_border(scale, tiles->now, tiles->dims, 1, i))
			canvas_vline(out, scale->label + scale->at[1][i] - 1, y, down, ROLE_BORDER, 0);
}

static int tile_units(const struct scale *scale, const struct tiles *tiles, int side)
{
	int dim = tiles->dims[side];
	return dim == VIEW_ALL ? 1 : (int)(tiles->now->tile[dim] / scale->unit[side]);
}

/* The cells of a row or column of tiles, `from` to before `to`. */
static void tile_span(const struct scale *scale, const struct tiles *tiles, int side, int64_t at, int *from, int *to)
{
	int units = tile_units(scale, tiles, side);
	*from = (int)at * units;
	*to = *from + units < scale->units[side] ? *from + units : scale->units[side];
}

/* Heavy lines at both sides of the tile of the followed element. */
static void sides_draw(const struct scale *scale, struct canvas *out, int x, int y, int width, int rows)
{
	canvas_vline(out, x - 1, y, rows, ROLE_WARN, LINE_HEAVY);
	if (x + width < scale_width(scale))
		canvas_vline(out, x + width, y, rows, ROLE_WARN, LINE_HEAVY);
}

/* The cells of the first row of a tile. */
struct first_row {
	int top, left, right; /* left to before right */
	int room;             /* columns */
	int place[UNITS_MOST];
};

/* Where their letters go when `label` columns are before them: each in its cell, or as near behind it as may be; false: they do
 * not all fit. */
static bool letters_place(const struct scale *scale, struct first_row *row, int label)
{
	int free = label;
	for (int i = row->left; i < row->right; i++) {
		int own = scale->at[1][i] - scale->at[1][row->left];
		row->place[i - row->left] = own > free ? own : free;
		free = row->place[i - row->left] + 1;
	}
	return free <= row->room;
}

/* Where only letters say whose an element is, those below the name of the device follow it; false: there is no room for
 * them. */
static bool letters_add(const struct scale *scale, const struct tiles *tiles, struct first_row *row, sw_text *name)
{
	int label = canvas_text_width(sw_text_get(name));
	bool colon = letters_place(scale, row, label + 1);
	if (owners_sign_width(tiles->owners) > 1 || !(colon || letters_place(scale, row, label)))
		return false;
	sw_text_add(name, colon ? ":" : "");
	for (int i = row->left, at = label + colon; i < row->right; i++, at++) {
		for (; at < row->place[i - row->left]; at++)
			sw_text_add_char(name, ' ');
		sw_text_add(name, scale->sign[cell_at(scale, row->top, i, 0)].text);
	}
	return true;
}

/* The first row of a tile: who holds it, and the colours, or the letters, of the elements that are there; a colon ends the
 * name, where a letter would follow. */
static void first_row_draw(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int x, int y,
	struct first_row *row, sw_text *name)
{
	bool letters = name->length && tiles->opt->letters && letters_add(scale, tiles, row, name);
	tiles->used->covered |= name->length && tiles->opt->letters && !letters;
	if (name->length && !letters && canvas_text_width(sw_text_get(name)) < row->room)
		sw_text_add(name, ":");
	canvas_put_cut(out, x, y, row->room, ROLE_TEXT, sw_text_get(name));
	for (int i = row->left; i < row->right; i++)
		canvas_paint(out, scale->label + scale->at[1][i], y,
			i + 1 < row->right ? scale->at[1][i + 1] - scale->at[1][i] : scale->cell[1],
			scale->role[cell_at(scale, row->top, i, 0)]);
	for (int i = row->left; letters && i < row->right; i++)
		canvas_paint(out, x + row->place[i - row->left], y, 1, scale->role[cell_at(scale, row->top, i, 0)]);
}

static void tile_draw_flat(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int y,
	int64_t row, int64_t column)
{
	int bottom;
	struct first_row first;
	sw_text text = {0};
	tile_span(scale, tiles, 0, row, &first.top, &bottom);
	tile_span(scale, tiles, 1, column, &first.left, &first.right);
	int x = scale->label + scale->at[1][first.left], line = y + scale->at[0][first.top];
	first.room = scale->at[1][first.right - 1] + scale->cell[1] - scale->at[1][first.left];
	(void)tiles_holders(tiles, row, column, VIEW_ALL, first.room, &text);
	first_row_draw(scale, tiles, out, x, line, &first, &text);
	if (tiles_followed(tiles, row, column))
		sides_draw(scale, out, x, line, first.room, bottom - first.top);
	sw_text_free(&text);
}

/* Who holds a tile stands in the line above it; that of the followed element is drawn heavily. */
static void tile_draw(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int y, int64_t row,
	int64_t column)
{
	int top, bottom, left, right;
	sw_text text = {0};
	tile_span(scale, tiles, 0, row, &top, &bottom);
	tile_span(scale, tiles, 1, column, &left, &right);
	int x = scale->label + scale->at[1][left] - 1, up = y + scale->at[0][top] - 1;
	int width = scale->at[1][right - 1] + scale->cell[1] - scale->at[1][left] + 2;
	int height = scale->at[0][bottom - 1] + scale->cell[0] - scale->at[0][top] + 2;
	bool followed = tiles_followed(tiles, row, column);
	if (followed)
		canvas_box(out, x, up, width, height, ROLE_WARN, LINE_HEAVY);
	enum role role = tiles_holders(tiles, row, column, VIEW_ALL, width - 2, &text);
	tiles_end(tiles, width - 2, &text);
	canvas_put_cut(out, x + 1, up, width - 2, followed ? ROLE_WARN : role, sw_text_get(&text));
	sw_text_free(&text);
}

/* The number of the first row or column of each tile. */
static void offsets_draw(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int y)
{
	int free = 0;
	for (int i = 0; i < scale->units[0]; i++)
		if (tiles->dims[0] != VIEW_ALL && is_border(scale, tiles->now, tiles->dims, 0, i)) {
			char text[32];
			snprintf(text, sizeof(text), "%lld", (long long)(i * scale->unit[0]));
			canvas_put_right(out, 0, y + 1 + scale->at[0][i], scale->label, ROLE_NOTE, text);
		}
	for (int i = 0; i < scale->units[1]; i++) {
		int x = scale->label + scale->at[1][i];
		if (tiles->dims[1] == VIEW_ALL || !is_border(scale, tiles->now, tiles->dims, 1, i) || x < free)
			continue;
		free = canvas_putf(out, x, y, ROLE_NOTE, "%lld", (long long)(i * scale->unit[1])) + 1;
	}
}

static void element_draw(const struct scale *scale, const struct tiles *tiles, struct canvas *out, int y)
{
	int at[2];
	if (!tiles->opt->element)
		return;
	for (int side = 0; side < 2; side++)
		at[side] = tiles->dims[side] == VIEW_ALL ? 0 :
												   (int)(tiles->opt->element[tiles->dims[side]] / scale->unit[side]);
	for (int dy = 0; dy < scale->cell[0]; dy++)
		canvas_paint(out, scale->label + scale->at[1][at[1]], y + scale->at[0][at[0]] + dy, scale->cell[1],
			ROLE_CURRENT);
}

void scale_draw(struct scale *scale, const struct tiles *tiles, struct canvas *out)
{
	owners_find(scale, tiles);
	int y = tiles_draw_head(tiles, out, 0);
	offsets_draw(scale, tiles, out, y++);
	for (int row = 0; row < scale->units[0]; row++)
		for (int column = 0; column < scale->units[1]; column++)
			cell_draw(scale, tiles, out, y, row, column);
	borders_draw(scale, tiles, out, y);
	for (int followed = 0; followed < 2; followed++)
		for (int64_t row = 0; row < tiles_along(tiles, 0); row++)
			for (int64_t column = 0; column < tiles_along(tiles, 1); column++)
				if (tiles_followed(tiles, row, column) == followed)
					(scale->flat ? tile_draw_flat : tile_draw)(scale, tiles, out, y, row, column);
	element_draw(scale, tiles, out, y);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of elements: of one dimension a bar, of more a grid over the first two, the others folded.
 */
#include "views/need_sets.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/draw.h"
#include "views/sets.h"

#define NAME_ROOM 7
#define COLUMNS_MOST 96
#define ROWS_MOST 16
#define ARROWS_MOST 12 /* senders at the side of a row; more are counted */

/* Cells of a picture, and which of them have something of a set: 0, or what is drawn there. */
struct cells {
	int rows, columns;
	unsigned char has[ROWS_MOST][COLUMNS_MOST];
};

/* The first index of a cell of a dimension that is drawn in so many. */
static int64_t cell_begin(int64_t size, int cells, int at)
{
	return size / cells * at + size % cells * at / cells;
}

/* The dimension across is the last that is drawn. */
static int64_t size_down(const struct set_picture *p)
{
	return p->rank > 1 ? p->global[0] : 1;
}

static bool has_window(const struct set_picture *p)
{
	return p->rank == 1 && p->window[1] > 0;
}

static int64_t size_across(const struct set_picture *p)
{
	return has_window(p) ? p->window[1] - p->window[0] : p->global[p->rank > 1 ? 1 : 0];
}

/* The first index that is drawn across. */
static int64_t begin_across(const struct set_picture *p)
{
	return has_window(p) ? p->window[0] : 0;
}

/* Beside them there is room for indices. */
static int columns_there(const struct set_picture *p)
{
	return (int)sw_larger(8, p->out->width - NAME_ROOM - 18);
}

static bool is_drawn(const struct set_picture *p)
{
	return p->rank > 0 && size_down(p) > 0 && size_across(p) > 0;
}

static void size_cells(struct set_picture *p, struct cells *cells)
{
	cells->rows = (int)sw_smaller(size_down(p), ROWS_MOST);
	cells->columns = (int)sw_smaller(size_across(p), sw_smaller(COLUMNS_MOST, columns_there(p)));
	memset(cells->has, 0, sizeof cells->has);
	p->block[0] = sw_larger(p->block[0], (size_down(p) + cells->rows - 1) / cells->rows);
	p->block[1] = sw_larger(p->block[1], (size_across(p) + cells->columns - 1) / cells->columns);
	p->folded = p->folded || p->rank > 2;
}

/* The cells of a dimension in which some indices are. */
static bool shade_line(struct set_picture *p, const sw_indices *set, int64_t begin, int64_t size, int cells,
	bool *line)
{
	for (int c = 0; c < cells; c++) {
		sw_family family;
		sw_indices both,
			here = sw_indices_range(begin + cell_begin(size, cells, c), begin + cell_begin(size, cells, c + 1),
				&family);
		if (!sw_indices_meet(&here, set, p->arena, &both))
			return false;
		line[c] = sw_indices_size(&both) > 0;
	}
	return true;
}

static bool shade(struct set_picture *p, const sw_region *region, unsigned char mark, struct cells *cells)
{
	bool down[ROWS_MOST] = {true}, across[COLUMNS_MOST];

	for (int i = 0; i < region->count; i++) {
		const sw_indices *set = &region->set[(size_t)i * (size_t)region->rank];
		if ((p->rank > 1 && !shade_line(p, &set[0], 0, size_down(p), cells->rows, down)) ||
			!shade_line(p, &set[p->rank > 1], begin_across(p), size_across(p), cells->columns, across))
			return false;
		for (int r = 0; r < cells->rows; r++)
			for (int c = 0; c < cells->columns; c++)
				if (down[r] && across[c])
					cells->has[r][c] = mark;
	}
	return true;
}

/* ---- one dimension ---- */

/* The first index of a set, and the one behind its last. */
static void widen(const sw_region *region, int64_t window[2])
{
	for (int k = 0; k < region->count; k++)
		for (int f = 0; f < region->set[k].count; f++) {
			const sw_family *family = &region->set[k].family[f];
			window[0] = sw_smaller(window[0], family->first);
			window[1] = sw_larger(window[1], family->first + (family->count - 1) * family->step + family->run);
		}
}

void set_window(struct set_picture *p, const sw_region *a, const sw_region *b)
{
	int64_t window[2] = {INT64_MAX, 0}, length;

	p->window[0] = p->window[1] = 0;
	if (p->rank != 1 || p->global[0] <= columns_there(p))
		return;
	widen(a, window);
	widen(b, window);
	length = window[1] - window[0];
	if (length <= 0 || length > p->global[0] / 4)
		return;
	length = sw_larger(length, (columns_there(p) - length) / 2);
	p->window[0] = sw_larger(0, window[0] - length / 2);
	p->window[1] = sw_smaller(p->global[0], window[1] + length / 2);
}

static int draw_bar(struct set_picture *p, const struct cells *cells, enum role role)
{
	for (int c = 0; c < cells->columns; c++)
		canvas_put_glyph(p->out, NAME_ROOM + c, p->y, cells->has[0][c] ? role : ROLE_DIM,
			cells->has[0][c] ? GLYPH_FULL : GLYPH_DOT);
	return NAME_ROOM + cells->columns + 2;
}

/* The column of the first index of a message. */
static int column_of(const struct set_picture *p, const struct cells *cells, const sw_region *region)
{
	int64_t first = INT64_MAX;
	int c = 0;

	for (int k = 0; k < region->count; k++)
		for (int f = 0; f < region->set[k].count; f++)
			first = sw_smaller(first, region->set[k].family[f].first);
	while (c + 1 < cells->columns && begin_across(p) + cell_begin(size_across(p), cells->columns, c + 1) <= first)
		c++;
	return NAME_ROOM + c;
}

void set_arrows(struct set_picture *p, const sw_messages *messages)
{
	struct cells cells;
	int free = 0;

	if (p->rank != 1 || !is_drawn(p))
		return;
	size_cells(p, &cells);
	for (int64_t k = 0; k < messages->count; k++) {
		int x = column_of(p, &cells, &messages->message[k].region);
		canvas_put_glyph(p->out, x, p->y + 1, ROLE_MOVED, GLYPH_ARROW_DOWN);
		if (x >= free)
			free = canvas_put(p->out, x, p->y, ROLE_LABEL, words_device(p->mesh, messages->message[k].sender).text) +
				1;
	}
	if (free > 0)
		p->y += 2;
}

/* ---- several dimensions ---- */

#define MARK_OWN 1
#define MARK_SENT 2 /* and more: who sends it, message by message, as far as marks go */
#define MARK_MOST 255

static unsigned char mark_of(int64_t message)
{
	return (unsigned char)sw_smaller(MARK_SENT + message, MARK_MOST);
}

static void draw_cell(struct set_picture *p, int x, int y, unsigned char mark, enum role role,
	const sw_messages *messages)
{
	bool letters = owners_sign_width(p->owners) == 1;
	int32_t sender;

	if (mark < MARK_SENT) {
		canvas_put_glyph(p->out, x, y, mark ? role : ROLE_DIM, mark ? GLYPH_FULL : GLYPH_DOT);
		return;
	}
	sender = messages->message[mark - MARK_SENT].sender;
	if (letters)
		canvas_put(p->out, x, y, owners_role(p->owners, sender), owners_sign(p->owners, sender).text);
	else
		canvas_put_glyph(p->out, x, y, ROLE_MOVED, GLYPH_SHADE2);
	p->letters = p->letters || letters;
}

/* The first row of cells in which something of a message is. */
static int row_of(const struct cells *cells, unsigned char mark)
{
	for (int r = 0; r < cells->rows; r++)
		if (memchr(cells->has[r], mark, (size_t)cells->columns) != NULL)
			return r;
	return -1;
}

/* Who sends what begins in a row: `← 1 3`. */
static void draw_senders(struct set_picture *p, const struct cells *cells, int x, int y, int row,
	const sw_messages *messages)
{
	int told = 0, more = 0;

	for (int64_t k = 0; messages != NULL && k < messages->count; k++) {
		if (row_of(cells, mark_of(k)) != row)
			continue;
		if (told == 0) {
			canvas_put_glyph(p->out, x, y, ROLE_MOVED, GLYPH_ARROW_LEFT);
			x += 2;
		}
		if (told++ < ARROWS_MOST && x + 8 < p->out->width)
			x = canvas_putf(p->out, x, y, ROLE_LABEL, "%d", messages->message[k].sender) + 1;
		else
			more++;
	}
	if (more > 0)
		canvas_putf(p->out, x, y, ROLE_DIM, "+%d", more);
}

static void draw_grid(struct set_picture *p, const struct cells *cells, enum role role, const sw_messages *messages)
{
	int label = (int)sw_larger(NAME_ROOM, snprintf(NULL, 0, "%lld", (long long)size_down(p)));

	for (int r = 0; r < cells->rows; r++, p->y++) {
		char text[32];
		snprintf(text, sizeof text, "%lld", (long long)cell_begin(size_down(p), cells->rows, r));
		canvas_put_right(p->out, 0, p->y, label, ROLE_LABEL, text);
		for (int c = 0; c < cells->columns; c++)
			draw_cell(p, label + 1 + c, p->y, cells->has[r][c], role, messages);
		draw_senders(p, cells, label + cells->columns + 3, p->y, r, messages);
	}
}

static bool shade_messages(struct set_picture *p, const sw_messages *messages, struct cells *cells)
{
	for (int64_t k = 0; messages != NULL && k < messages->count; k++)
		if (!shade(p, &messages->message[k].region, mark_of(k), cells))
			return false;
	return true;
}

/* ---- any ---- */

bool set_draw(struct set_picture *p, const char *name, const sw_region *region, enum role role,
	const sw_messages *messages)
{
	struct cells cells;
	int x = NAME_ROOM;
	sw_text text = {0};

	canvas_put(p->out, 0, p->y, ROLE_LABEL, name);
	if (is_drawn(p)) {
		size_cells(p, &cells);
		if (!shade(p, region, MARK_OWN, &cells) || (p->rank > 1 && !shade_messages(p, messages, &cells)))
			return false;
		x = p->rank == 1 ? draw_bar(p, &cells, role) : x;
	}
	region_text(region, p->arena, &text);
	p->y = canvas_put_wrapped(p->out, x, p->y, p->out->width - x, 0, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	if (is_drawn(p) && p->rank > 1)
		draw_grid(p, &cells, role, messages);
	return true;
}

void set_legend(struct set_picture *p)
{
	if (has_window(p))
		p->y = draw_note(p->out, 0, p->y, ROLE_NOTE, "bars: elements %lld to %lld of %lld", (long long)p->window[0],
			(long long)p->window[1] - 1, (long long)p->global[0]);
	if (p->letters)
		p->y = draw_note(p->out, 0, p->y, ROLE_NOTE,
			"← a number: the device that sends what begins in that row; its letter: what it sends, a: device "
			"0");
	if (p->block[0] > 1 && p->block[1] > 0)
		p->y = draw_note(p->out, 0, p->y, ROLE_NOTE, "a cell is a block of at most %s by %s",
			words_count(p->block[0]).text, words_plural(p->block[1], "element", "elements").text);
	else if (p->block[1] > 1)
		p->y = draw_note(p->out, 0, p->y, ROLE_NOTE, "a cell is at most %s",
			words_plural(p->block[1], "element", "elements").text);
	if (p->folded)
		p->y = draw_note(p->out, 0, p->y, ROLE_NOTE, "dimensions after the first two are folded into the cells");
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables are kept as they were answered: their heads are found in the picture again, by the columns of the command.
 */
#include "screen/heads.h"

#include <assert.h>
#include <string.h>

#include "command/command.h"
#include "screen/enter.h"
#include "screen/imports.h"
#include "screen/listed.h"
#include "screen/panes.h"

enum { HEAD_MOST = 40, HEADS_LEAST = 3 };

static bool is_blank(const struct canvas *canvas, int x, int y)
{
	return x >= canvas->width || canvas_glyph_at(canvas, x, y, true) == ' ';
}

/* The words from `x` on, up to two blanks; *end is behind them. */
static sw_str words_at(const struct canvas *canvas, int x, int y, char text[HEAD_MOST], int *end)
{
	size_t length = 0;
	while (x < canvas->width && !(is_blank(canvas, x, y) && is_blank(canvas, x + 1, y))) {
		uint32_t glyph = canvas_glyph_at(canvas, x++, y, true);
		if (length < HEAD_MOST)
			text[length++] = glyph < 128 ? (char)glyph : '?';
	}
	*end = x;
	return (sw_str){text, length};
}

/* NULL: no column has this head. */
static const char *word_of(const struct command *command, sw_str head)
{
	const char *word = NULL;
	for (int t = 0; t < COMMAND_TABLES && command->rows[t] && !word; t++)
		word = rows_head_word(command->rows[t], head);
	return word;
}

static void find_in_row(const struct canvas *canvas, const struct command *command, int y, struct frame *frame)
{
	char text[HEAD_MOST];
	frame->heads = 0;
	frame->heads_y = y;
	for (int x = 0, end; x < canvas->width; x = end) {
		end = x + 1;
		if (is_blank(canvas, x, y))
			continue;
		const char *word = word_of(command, words_at(canvas, x, y, text, &end));
		if (word && frame->heads < TABLE_COLUMNS)
			frame->head[frame->heads++] = (struct head_spot){x, end - x, word};
	}
}

void heads_find(const struct canvas *canvas, const char *command, struct frame *frame)
{
	const struct command *of = command_exact(sw_str_of(command));
	assert(of != NULL && frame != NULL);
	for (int y = 0; y < canvas->height; y++) {
		find_in_row(canvas, of, y, frame);
		if (frame->heads >= HEADS_LEAST)
			return;
	}
	frame->heads = 0;
}

/* ---- the list below them ---- */

static bool row_blank(const struct canvas *canvas, int y)
{
	for (int x = 0; x < canvas->width; x++)
		if (!is_blank(canvas, x, y))
			return false;
	return true;
}

/* Does a row of the list begin here?  What wraps goes on below with nothing in the first column. */
static bool begins(const struct canvas *canvas, const struct list_place *list, int y)
{
	const struct cell *cell = canvas_cell_at(canvas, list->left, y);
	return !cell->lines && !(is_blank(canvas, list->left, y) && is_blank(canvas, list->right, y));
}

/* The next column from `c` on that is headed so; words are cut where a column is narrow.  -1: none is. */
static int column_headed(const struct table *table, int c, sw_str head)
{
	while (head.length && (strchr(".~?", head.at[head.length - 1]) || head.at[head.length - 1] == ' '))
		head.length--;
	while (c < table->columns && strncmp(table->column[c].head, head.at, head.length) != 0)
		c++;
	return c < table->columns ? c : -1;
}

/* Are all words of a row heads of the table, in their order? */
static bool row_heads(const struct canvas *canvas, const struct table *table, int y)
{
	char text[HEAD_MOST];
	int words = 0, c = 0;
	for (int x = 0, end; x < canvas->width && c >= 0; x = end) {
		end = x + 1;
		if (is_blank(canvas, x, y))
			continue;
		c = column_headed(table, c, words_at(canvas, x, y, text, &end));
		c += c >= 0;
		words++;
	}
	return c >= 0 && words >= HEADS_LEAST;
}

/* The row in which the heads of a table are; -1: none. */
static int head_row(const struct canvas *canvas, const struct table *table)
{
	for (int y = 0; y < canvas->height; y++)
		if (row_heads(canvas, table, y))
			return y;
	return -1;
}

/* Where the first column has names, in its first column of cells, what is further in goes on. */
static void keep(const struct canvas *canvas, int head, int64_t count, bool names, struct frame *frame)
{
	struct list_place list = {.head = head, .from = head + 1};
	int y = list.from;
	assert(count >= 0);
	frame->list = (struct list_place){.from = 0};
	if (head < 0)
		return;
	while (list.left < canvas->width && is_blank(canvas, list.left, head))
		list.left++;
	list.right = list.left;
	while (!names && list.right + 1 < canvas->width && !is_blank(canvas, list.right + 1, head))
		list.right++;
	while (list.from < canvas->height && !begins(canvas, &list, list.from))
		list.from++;
	for (y = list.from; y < canvas->height && !row_blank(canvas, y); y++)
		if (begins(canvas, &list, y) && count-- == 0)
			break;
	list.end = y;
	if (list.end > list.from)
		frame->list = list;
}

void heads_keep(const struct canvas *canvas, int head, int64_t count, struct frame *frame)
{
	keep(canvas, head, count, false, frame);
}

void heads_keep_list(const struct canvas *canvas, const struct listing *listing, struct frame *frame)
{
	const struct table *table = listing_table(listing);
	if (table != NULL)
		keep(canvas, head_row(canvas, table), table_rows(table), false, frame);
	else
		keep(canvas, frame->heads > 0 ? frame->heads_y : -1, listing_count(listing), true, frame);
}

int heads_rows(const struct frame *frame, int row, int height)
{
	const struct list_place *list = &frame->list;
	int rows = list->from - list->head;
	return row >= list->from && row < list->end && height > rows + 1 ? rows : 0;
}

int heads_stay(const struct frame *frame, int top, int height)
{
	int rows = frame->list.from - frame->list.head;
	return !frame->scrolls && top > frame->list.head ? heads_rows(frame, top + rows, height) : 0;
}

int heads_row_end(const struct pane *pane, int row)
{
	const struct list_place *list = &pane->frame.list;
	int y = row + 1;
	while (row >= list->from && y < list->end && y < pane->picture.height && !begins(&pane->picture, list, y))
		y++;
	return y;
}

void heads_hidden(const struct pane *pane, int top, int *above, int *below)
{
	const struct list_place *list = &pane->frame.list;
	int first = top + heads_stay(&pane->frame, top, pane->height), last = top + pane->height;
	*above = *below = 0;
	for (int y = list->from; y < list->end && y < pane->picture.height; y++) {
		bool row = begins(&pane->picture, list, y);
		*above += row && y < first;
		*below += row && y >= last;
	}
}

/* ---- clicks ---- */

/* Lists it again in the order of a column, with the other options that it was listed with. */
static void order_listed(struct screen *screen, const struct listing *listing, const char *word)
{
	sw_text options = {0};
	listing_options(listing, &options);
	screen_do(screen, false, "%s%s --by %s", listing->asked, sw_text_get(&options), word);
	sw_text_free(&options);
}

static void order_by(struct screen *screen, int view, const char *word)
{
	const struct listing *listing = listed_of(screen, view);
	if (view == PANE_IMPORTS)
		imports_order_by(screen, word);
	else if (view == PANE_REDUCTIONS)
		order_reductions(screen, word);
	else if (listing)
		order_listed(screen, listing, word);
	else
		screen_do(screen, false, "compare --by %s", word);
}

void heads_click(struct screen *screen, const struct pane *pane, int x, int y)
{
	const struct frame *frame = &pane->frame;
	if (!frame->scrolls) {
		int top = screen->viewpoint.top[pane->view];
		x += screen->viewpoint.left[pane->view];
		y += y >= 0 && y < heads_stay(frame, top, pane->height) ? frame->list.head : top;
	}
	for (int k = 0; k < frame->heads && y == frame->heads_y; k++)
		if (x >= frame->head[k].x && x < frame->head[k].x + frame->head[k].width) {
			order_by(screen, pane->view, frame->head[k].word);
			return;
		}
}

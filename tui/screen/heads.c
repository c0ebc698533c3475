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
	else if (listing)
		order_listed(screen, listing, word);
	else
		screen_do(screen, false, "compare --by %s", word);
}

void heads_click(struct screen *screen, const struct pane *pane, int x, int y)
{
	const struct frame *frame = &pane->frame;
	if (!frame->scrolls) {
		x += screen->viewpoint.left[pane->view];
		y += screen->viewpoint.top[pane->view];
	}
	for (int k = 0; k < frame->heads && y == frame->heads_y; k++)
		if (x >= frame->head[k].x && x < frame->head[k].x + frame->head[k].width) {
			order_by(screen, pane->view, frame->head[k].word);
			return;
		}
}

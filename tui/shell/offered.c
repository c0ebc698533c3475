/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of what is offered: with their meanings, or side by side.
 */
#include "shell/offered.h"

#include "canvas/canvas.h"

void candidates_free(struct candidates *candidates)
{
	sw_arena_free(candidates->arena);
	*candidates = (struct candidates){0};
}

static int widest(const struct candidates *candidates, bool *about)
{
	int most = 1;
	for (int i = 0; i < candidates->count; i++) {
		int width = canvas_text_width(candidates->row[i].text);
		most = width > most ? width : most;
		*about |= *candidates->row[i].about != '\0';
	}
	return most;
}

void candidates_print(const struct candidates *candidates, int width, int rows, sw_text *text)
{
	struct canvas canvas = {0};
	struct canvas_style plain = {.ascii = true};
	bool about = false;
	int column = widest(candidates, &about) + 2;
	int across = about || column > width ? 1 : width / column, shown = candidates->count;
	if (shown > rows * across)
		shown = rows > 1 ? (rows - 1) * across : across;
	canvas_reset(&canvas, width > 1 ? width - 1 : 1);
	for (int i = 0; i < shown; i++) {
		int x = i % across * column, indent = column < width / 2 ? column : width / 2;
		int room = about ? indent - 1 : canvas.width - x;
		canvas_put_cut(&canvas, x, i / across, room, ROLE_TEXT, candidates->row[i].text);
		if (about)
			canvas_put_cut(&canvas, indent, i, canvas.width - indent, ROLE_TEXT, candidates->row[i].about);
	}
	if (shown < candidates->count)
		canvas_putf(&canvas, 0, canvas.height, ROLE_DIM, "... and %d more: type more letters",
			candidates->count - shown);
	canvas_print(&canvas, &plain, text);
	canvas_free(&canvas);
}

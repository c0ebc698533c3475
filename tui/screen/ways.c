/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways to compute a product: the table that a command answered.
 */
#include "screen/ways.h"

#include <stdio.h>
#include <string.h>

#define HEAD "A multiplied as"

static bool row_has(const struct canvas *canvas, int y, const char *words)
{
	const struct canvas_style style = {.ascii = true};
	sw_text text = {0};
	canvas_print_rows(canvas, y, y + 1, &style, &text);
	bool has = strstr(sw_text_get(&text), words) != NULL;
	sw_text_free(&text);
	return has;
}

/* The row with the heads; -1: there is none. */
static int heads_of(const struct canvas *canvas, int from)
{
	for (int y = from < 0 ? 0 : from; y < canvas->height; y++)
		if (row_has(canvas, y, HEAD))
			return y;
	return -1;
}

/* The options of the command that listed them, which stand at its end: they say in which order the ways are. */
static void options_keep(struct screen *screen, const char *command)
{
	const char *options = strstr(command, " --");
	size_t length = options ? strcspn(options, ";|>\n") : 0;
	snprintf(screen->ways_options, sizeof(screen->ways_options), "%.*s", (int)length, options ? options : "");
}

void ways_keep(struct screen *screen, const char *line, int row)
{
	const struct canvas *output = &screen->output;
	const char *command = strstr(line, "einsum");
	command = command ? command : strstr(line, "ways");
	if (!command || heads_of(output, row) < 0)
		return;
	options_keep(screen, command);
	canvas_reset(&screen->ways, output->width);
	canvas_copy_area(&screen->ways, 0, 0, output, &(struct canvas_area){0, row, output->width, output->height - row});
	screen->viewpoint.way = 0;
}

bool ways_missing(const struct screen *screen)
{
	return screen->session->state.product && !screen->ways.height;
}

int ways_number(const struct canvas *canvas, int y)
{
	int x = canvas_glyph_at(canvas, 0, y, true) == '*', number = 0, digits = 0;
	while (x < 8 && canvas_glyph_at(canvas, x, y, true) == ' ')
		x++;
	for (; x < 8 && canvas_glyph_at(canvas, x, y, true) >= '0' && canvas_glyph_at(canvas, x, y, true) <= '9'; x++) {
		number = 10 * number + (int)(canvas_glyph_at(canvas, x, y, true) - '0');
		digits++;
	}
	return digits && canvas_glyph_at(canvas, x, y, true) == ' ' ? number : 0;
}

int ways_count(const struct canvas *canvas, int n, int *row)
{
	int y = heads_of(canvas, 0), count = 0;
	for (y = y < 0 ? canvas->height : y + 1; y < canvas->height; y++) {
		if (!ways_number(canvas, y))
			continue;
		count++;
		if (count == n)
			*row = y;
	}
	return count;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of what was compared: the table as it was answered; of ways to compute a formula a row is under the cursor, to be taken.
 */
#include <stdio.h>
#include <string.h>

#include "screen/compared.h"
#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/panes.h"

#define NAME_SIZE 24

static bool is_blank(const struct canvas *canvas, int x, int y)
{
	return canvas_glyph_at(canvas, x, y, true) == ' ';
}

/* The column of grids, where a row is that of the heads of schedules; -1: it is not. */
static int grids_at(const struct canvas *canvas, int y)
{
	const struct canvas_style style = {.ascii = true};
	sw_text text = {0};

	canvas_print_rows(canvas, y, y + 1, &style, &text);
	const char *row = sw_text_get(&text), *grid = strstr(row, " grid ");
	int column = strncmp(row, "schedule ", 9) == 0 && grid != NULL ? (int)(grid - row) + 1 : -1;
	sw_text_free(&text);
	return column;
}

/* The same of the first such row from `from` on, which is *heads; -1: the table is one of something else. */
static int column_of(const struct canvas *canvas, int from, int *heads)
{
	int column = -1;

	for (*heads = from; *heads < canvas->height && column < 0; ++*heads)
		column = grids_at(canvas, *heads);
	--*heads;
	return column;
}

void compared_keep(struct screen *screen, int row)
{
	const struct canvas *output = &screen->output;
	int heads;

	if (column_of(output, row < 0 ? 0 : row, &heads) < 0 || heads < 1)
		return;
	canvas_reset(&screen->compare, output->width);
	canvas_copy_area(&screen->compare, 0, 0, output,
		&(struct canvas_area){0, heads - 1, output->width, output->height - heads + 1});
	screen->viewpoint.compared = 0;
}

static bool is_row(const struct canvas *canvas, int column, int y)
{
	uint32_t digit = canvas_glyph_at(canvas, column, y, true);

	return y < canvas->height && is_blank(canvas, column - 1, y) && is_blank(canvas, column - 2, y) && digit >= '0' &&
		digit <= '9';
}

/* How many rows there are, from *first on. */
static int rows_of(const struct canvas *canvas, int *first)
{
	int heads = 0, column = column_of(canvas, 0, &heads), count = 0;

	*first = heads + 1;
	while (column >= 0 && is_row(canvas, column, *first + count))
		count++;
	return count;
}

static void name_of(const struct canvas *canvas, int y, char name[NAME_SIZE])
{
	int x = 0;

	for (; x < NAME_SIZE - 1 && !is_blank(canvas, x, y); x++)
		name[x] = (char)canvas_glyph_at(canvas, x, y, true);
	name[x] = '\0';
}

/* The row under the cursor, from 1, of those that there are; 0: none. */
static int row_now(const struct screen *screen, int count)
{
	int row = screen->viewpoint.compared;

	return row > count ? count : row;
}

static void show_row(const struct canvas *compare, int row, int first, struct canvas *out, struct frame *frame)
{
	char name[NAME_SIZE];

	name_of(compare, first + row - 1, name);
	canvas_paint(out, 0, first + row - 1, (int)strlen(name), ROLE_CURRENT);
	frame->row = first + row - 1;
	snprintf(frame->object, sizeof(frame->object), "%s; Enter takes it", name);
}

bool draw_compare(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	const struct canvas *compare = &screen->compare;
	int first;
	(void)width, (void)height;
	if (!compare->height) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "nothing was compared yet");
		sw_diag_hint(diag, "Enter, or: compare");
		return false;
	}
	canvas_reset(out, compare->width);
	canvas_copy(out, 0, 0, compare);
	heads_find(compare, "compare", frame);
	int count = rows_of(compare, &first), row = row_now(screen, count);
	if (row > 0)
		show_row(compare, row, first, out, frame);
	else
		snprintf(frame->object, sizeof(frame->object), "%s",
			count > 0 ? "schedules side by side; Down chooses one" : "strategies side by side; Enter plans again");
	frame->at = row;
	frame->of = row > 0 ? count : 0;
	return true;
}

bool move_compare(struct screen *screen, int across, int down)
{
	int first, count = rows_of(&screen->compare, &first), row = row_now(screen, count) + across + down;

	if (count == 0)
		return false;
	screen->viewpoint.compared = row < 0 ? 0 : row > count ? count : row;
	if (screen->viewpoint.compared == 0)
		screen->viewpoint.top[PANE_COMPARE] = 0;
	return true;
}

void open_compare(struct screen *screen)
{
	char name[NAME_SIZE];
	int first, count = rows_of(&screen->compare, &first), row = row_now(screen, count);

	if (row == 0) {
		screen_do(screen, false, "compare");
		return;
	}
	name_of(&screen->compare, first + row - 1, name);
	screen_do(screen, false, "schedule %s", name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of ways: the table as it was answered, with a way under the cursor.
 */
#include <stdio.h>

#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/panes.h"
#include "screen/ways.h"

bool draw_ways(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct canvas *ways = &screen->ways;
	int row = -1, way = screen->viewpoint.way;
	(void)width, (void)height;
	if (!ways->height) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no ways of a product were listed yet");
		sw_diag_hint(diag, "einsum ij,jk->ik [4, 6], [6, 8] as [4, 8] lists them; W again shows them here");
		return false;
	}
	canvas_reset(out, ways->width);
	canvas_copy(out, 0, 0, ways);
	int count = ways_count(ways, way, &row);
	if (row >= 0)
		canvas_paint(out, 0, row, 5, ROLE_CURRENT);
	heads_find(ways, "ways", frame);
	frame->row = row;
	frame->at = way;
	frame->of = way ? count : 0;
	if (way)
		snprintf(frame->object, sizeof(frame->object), "way %d; Enter makes it the program", ways_number(ways, row));
	return true;
}

bool move_ways(struct screen *screen, int across, int down)
{
	int row, count = ways_count(&screen->ways, 0, &row), *way = &screen->viewpoint.way;
	if (!count)
		return false;
	*way += across + down;
	*way = *way < 0 ? 0 : *way > count ? count : *way;
	if (!*way)
		screen->viewpoint.top[PANE_WAYS] = 0;
	return true;
}

static void take_way(struct screen *screen)
{
	int row = -1;
	ways_count(&screen->ways, screen->viewpoint.way, &row);
	if (row >= 0)
		screen_do(screen, false, "ways %d%s", ways_number(&screen->ways, row), screen->ways_options);
}

void open_ways(struct screen *screen)
{
	if (!screen->ways.height)
		screen_say(screen, ROLE_NOTE, "there are no ways to choose from; at the prompt: einsum");
	else if (!screen->viewpoint.way)
		screen_say(screen, ROLE_NOTE, "choose a way first: Down");
	else
		take_way(screen);
}

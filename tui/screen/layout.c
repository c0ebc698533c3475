/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of layouts, and dividing the screen.
 */
#include "screen/layout.h"

#include <string.h>

#include "language/names.h"
#include "screen/panes.h"

#define WIDE 100       /* columns from which panes stand side by side */
#define PANE_LEAST 4   /* rows of a pane, the line above it included */

#define FOCUS (-1)
#define END PANE_COUNT

const struct layout layouts[] = {
	{"one", "the view with the focus, alone", {FOCUS, END}, 100},
	{"walk", "the graph, and the edges of the chosen node", {PANE_GRAPH, PANE_EDGES, END}, 60},
	{"plan", "the steps, and their memory", {PANE_PLAN, PANE_HEIGHTS, END}, 55},
	{"tiles", "the tiles, and the steps that move them", {PANE_TILES, PANE_PLAN, END}, 65},
	{"traffic", "the traffic, and the steps that make it", {PANE_TRAFFIC, PANE_PLAN, END}, 65},
	{"talk", "the view with the focus, and what commands answered", {FOCUS, PANE_OUTPUT, END}, 60},
	{"all", "graph, plan, tiles and heights", {PANE_GRAPH, PANE_PLAN, PANE_TILES, PANE_HEIGHTS}, 50},
};
const int layout_count = sizeof(layouts) / sizeof(*layouts);

bool layout_shows(const struct layout *layout, int view)
{
	for (int i = 0; i < PANES_MOST && layout->views[i] != END; i++)
		if (layout->views[i] == view)
			return true;
	return false;
}

const char *screen_layout_name(int n)
{
	return n < layout_count ? layouts[n].name : NULL;
}

static const char *layout_at(const void *context, int n)
{
	(void)context;
	return screen_layout_name(n);
}

int layout_named(sw_str name, sw_diag *diag)
{
	return name_find(&(struct names){layout_at, NULL, "layout", "`help layout` lists them"}, name, SW_L08, diag);
}

/* ---- dividing ---- */

static void pane_put(struct screen *screen, int view, int x, int y, int width, int height)
{
	struct pane *pane = &screen->panes[screen->pane_count++];
	pane->view = view;
	pane->x = x;
	pane->y = y + 1;
	pane->width = width;
	pane->height = height - 1;
}

static int views_of(const struct screen *screen, int *views)
{
	const struct layout *layout = &layouts[screen->zoomed ? 0 : screen->eye.layout];
	int count = 0;
	for (int i = 0; i < PANES_MOST && layout->views[i] != END; i++) {
		int view = layout->views[i] == FOCUS ? screen->eye.view : layout->views[i];
		if (count && view == views[0])
			continue;
		views[count++] = view;
	}
	return count;
}

static void place_two(struct screen *screen, const int *views, int width, int height, int share)
{
	if (width >= WIDE) {
		int left = width * share / 100;
		pane_put(screen, views[0], 0, 0, left, height);
		pane_put(screen, views[1], left + 1, 0, width - left - 1, height);
		return;
	}
	int top = height * share / 100;
	top = top > height - PANE_LEAST ? height - PANE_LEAST : top < PANE_LEAST ? PANE_LEAST : top;
	pane_put(screen, views[0], 0, 0, width, top);
	pane_put(screen, views[1], 0, top, width, height - top);
}

static void place_four(struct screen *screen, const int *views, int width, int height)
{
	int left = width / 2, top = height / 2;
	for (int i = 0; i < 4; i++)
		pane_put(screen, views[i], i % 2 ? left + 1 : 0, i / 2 ? top : 0, i % 2 ? width - left - 1 : left,
		    i / 2 ? height - top : top);
}

void layout_place(struct screen *screen, int width, int height)
{
	int views[PANES_MOST];
	int count = views_of(screen, views);
	screen->pane_count = 0;
	if (count == 4 && (width < WIDE || height < 16)) {
		views[0] = screen->eye.view;
		count = 1;
	}
	if (count == 2 && width < WIDE && height < 2 * PANE_LEAST) {
		views[0] = screen->eye.view;
		count = 1;
	}
	if (count == 4)
		place_four(screen, views, width, height);
	else if (count == 2)
		place_two(screen, views, width, height, layouts[screen->eye.layout].share);
	else
		pane_put(screen, views[0], 0, 0, width, height);
}

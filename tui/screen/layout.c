/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of layouts, and dividing the screen.
 */
#include "screen/layout.h"

#include <string.h>

#include "language/names.h"
#include "screen/panes.h"

#define WIDE 100     /* columns from which panes stand side by side */
#define HIGH 36      /* rows from which a third one stands below the second */
#define PANE_LEAST 4 /* rows of a pane, the line above it included */

#define FOCUS (-1)
#define END PANE_COUNT

/* The third view is there where the screen is wide and high. */
const struct layout layouts[] = {
	{"one", "the view with the focus, alone", {FOCUS, END}, 100, 0},
	{"walk", "the graph, the edges of the chosen node, and the plan", {PANE_GRAPH, PANE_EDGES, PANE_PLAN, END}, 60,
		60},
	{"plan", "the steps, their memory and their traffic", {PANE_PLAN, PANE_HEIGHTS, PANE_TRAFFIC, END}, 50, 50},
	{"tiles", "the tiles, the steps that move them, and their memory", {PANE_TILES, PANE_PLAN, PANE_HEIGHTS, END}, 60,
		0},
	{"traffic", "the traffic, the steps that make it, and the tiles", {PANE_TRAFFIC, PANE_PLAN, PANE_TILES, END}, 55,
		0},
	{"budget", "memory against cost, the memory of the steps, and the steps",
		{PANE_PARETO, PANE_HEIGHTS, PANE_PLAN, END}, 55, 0},
	{"types", "the mesh with the groups of the step, the steps, and the types before and after",
		{PANE_MESH, PANE_PLAN, PANE_TYPE, END}, 50, 0},
	{"sums", "the groups of a step on chunks, what devices then hold, the placement and the ports",
		{PANE_GROUPS, PANE_STATE, PANE_PLACEMENT, PANE_SYSTEM}, 50, 0},
	{"sets", "what devices hold, who needs what from whom, and the tiles",
		{PANE_SETS, PANE_RELATION, PANE_TILES, END}, 50, 50},
	{"tasks", "the tasks of a formula, and what devices need for it", {PANE_TASKS, PANE_NEEDS, END}, 60, 60},
	{"schedule", "what devices hold, when and where points run, and the loops",
		{PANE_HOLDS, PANE_EXECUTION, PANE_LOOPS, END}, 45, 62},
	{"moves", "who sends to whom in a step of a schedule, what devices hold and need, and the tiles",
		{PANE_TRAFFIC, PANE_HOLDS, PANE_TILES, PANE_NEEDS}, 50, 0},
	{"talk", "the view with the focus, and the answers of commands", {FOCUS, PANE_OUTPUT, END}, 60, 60},
	{"all", "graph, plan, tiles and heights", {PANE_GRAPH, PANE_PLAN, PANE_TILES, PANE_HEIGHTS}, 50, 0},
};
const int layout_count = sizeof(layouts) / sizeof(*layouts);

bool layout_shows(const struct layout *layout, int view)
{
	for (int i = 0; i < PANES_MOST && layout->views[i] != END; i++)
		if (layout->views[i] == view)
			return true;
	return false;
}

CHOICES(layout_choice, layout_count, layouts[n].name, "")

int layout_of_view(int view)
{
	return choice_named(KIND_LAYOUT, sw_str_of(pane_rows[view].layout), NULL);
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
	const struct layout *layout = &layouts[screen->zoomed ? 0 : screen->viewpoint.layout];
	int count = 0;
	for (int i = 0; i < PANES_MOST && layout->views[i] != END; i++) {
		int view = layout->views[i] == FOCUS ? screen->viewpoint.view : layout->views[i];
		if (count && view == views[0])
			continue;
		views[count++] = view;
	}
	return count;
}

static void place_stacked(struct screen *screen, const int *views, int width, int height, int share)
{
	int top = height * share / 100;
	top = top > height - PANE_LEAST ? height - PANE_LEAST : top < PANE_LEAST ? PANE_LEAST : top;
	pane_put(screen, views[0], 0, 0, width, top);
	pane_put(screen, views[1], 0, top, width, height - top);
}

/* The first on the left, the others on the right, one below the other. */
static void place_beside(struct screen *screen, const int *views, int count, int width, int height, int share)
{
	int left = width * share / 100, top = count > 2 ? height / 2 : height;
	pane_put(screen, views[0], 0, 0, left, height);
	pane_put(screen, views[1], left + 1, 0, width - left - 1, top);
	if (count > 2)
		pane_put(screen, views[2], left + 1, top, width - left - 1, height - top);
}

static void place_four(struct screen *screen, const int *views, int width, int height)
{
	int left = width / 2, top = height / 2;
	for (int i = 0; i < 4; i++)
		pane_put(screen, views[i], i % 2 ? left + 1 : 0, i / 2 ? top : 0, i % 2 ? width - left - 1 : left,
			i / 2 ? height - top : top);
}

/* How many of the views there is room for; the one with the focus is among them. */
static int views_fit(const struct screen *screen, int *views, int count, int width, int height)
{
	bool wide = width >= WIDE, stacks = layouts[screen->viewpoint.layout].stacked && height >= 2 * PANE_LEAST;
	int fit = wide && height >= HIGH ? count : wide ? 2 : stacks ? 2 : 1;
	fit = fit < count ? fit : count;
	for (int i = fit; i < count; i++)
		if (views[i] == screen->viewpoint.view)
			views[fit - 1] = views[i];
	return fit;
}

void layout_place(struct screen *screen, int width, int height)
{
	int views[PANES_MOST];
	int there = views_of(screen, views), count = views_fit(screen, views, there, width, height);
	int share = layouts[screen->viewpoint.layout].share;
	screen->pane_count = 0;
	if (count == 4)
		place_four(screen, views, width, height);
	else if (count > 1 && width >= WIDE)
		place_beside(screen, views, count, width, height, share);
	else if (count > 1)
		place_stacked(screen, views, width, height, layouts[screen->viewpoint.layout].stacked);
	else
		pane_put(screen, views[0], 0, 0, width, height);
}

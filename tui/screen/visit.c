/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A screen is made and freed; going from view to view.
 */
#include "screen/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/compare/compare_schedules.h"
#include "language/names.h"
#include "screen/layout.h"
#include "screen/listed.h"
#include "screen/output.h"
#include "screen/panes.h"
#include "screen/player.h"
#include "screen/enter.h"
#include "screen/second.h"
#include "screen/waiting.h"

struct viewpoint viewpoint_at_first(void)
{
	struct viewpoint viewpoint = {.view = PANE_GRAPH, .device = VIEW_ALL, .fold = true, .dims = {VIEW_ALL, VIEW_ALL}};
	viewpoint.layout = layout_of_view(viewpoint.view);
	return viewpoint;
}

struct screen *screen_of(struct session *session)
{
	struct screen *screen = session->screen;
	if (screen)
		return screen;
	screen = session->screen = calloc(1, sizeof(*screen));
	if (!screen)
		return NULL;
	screen->session = session;
	session->print_screen = screen_print;
	screen->viewpoint = viewpoint_at_first();
	screen->trail[0] = screen->viewpoint;
	screen->trail_count = 1;
	screen->repeat = 's';
	screen->width = 80;
	screen->height = 24;
	snprintf(screen->prompt, sizeof(screen->prompt), "shardwalk> ");
	output_begin(screen);
	return screen;
}

void screen_free(struct session *session)
{
	struct screen *screen = session->screen;
	if (!screen)
		return;
	session->screen = NULL;
	session->print_screen = NULL;
	for (int i = 0; i < PANES_MOST; i++)
		canvas_free(&screen->panes[i].picture);
	canvas_free(&screen->output);
	canvas_free(&screen->listed);
	for (int i = 0; i < LISTED_COUNT; i++)
		listing_free(&screen->listings[i]);
	second_free(screen);
	drawn_free(&screen->sets);
	drawn_free(&screen->relation);
	player_free(screen);
	waiting_free(screen);
	sw_text_free(&screen->echo);
	sw_text_free(&screen->script);
	sw_text_free(&screen->copied);
	sw_arena_free(screen->edges.arena);
	graph_forget(&screen->graph);
	search_graph_forget(&screen->places);
	free(screen);
}

/* ---- from view to view ---- */

static void trail_keep(struct screen *screen)
{
	const struct state *state = &screen->session->state;
	screen->viewpoint.has_node = state->has_focus;
	memcpy(screen->viewpoint.node, state->focus, sizeof(screen->viewpoint.node));
	screen->trail[screen->trail_at] = screen->viewpoint;
}

static void trail_push(struct screen *screen)
{
	if (screen->trail_at + 1 == TRAIL_MOST) {
		memmove(screen->trail, screen->trail + 1, (TRAIL_MOST - 1) * sizeof(*screen->trail));
		screen->trail_at--;
	}
	screen->trail[++screen->trail_at] = screen->viewpoint;
	screen->trail_count = screen->trail_at + 1;
}

/* The layout that shows it best.  Schedules that trade memory have no steps to stand beside them. */
static int layout_for(const struct screen *screen, int view)
{
	if (view == PANE_PARETO && schedules_are_present(screen->session))
		return choice_named(KIND_LAYOUT, sw_str_of("one"), NULL);
	int moves = choice_named(KIND_LAYOUT, sw_str_of("moves"), NULL);
	bool scheduled = pane_of_schedule(screen, view) && moves >= 0 && layout_shows(&layouts[moves], view);
	return scheduled ? moves : layout_of_view(view);
}

void screen_visit(struct screen *screen, int view)
{
	if (view == screen->viewpoint.view)
		return;
	trail_keep(screen);
	if (!layout_shows(&layouts[screen->viewpoint.layout], view)) {
		int layout = layout_for(screen, view);
		screen->viewpoint.layout = layout < 0 ? 0 : layout;
	}
	screen->viewpoint.view = view;
	trail_push(screen);
}

void screen_layout_set(struct screen *screen, int layout)
{
	if (layout == screen->viewpoint.layout && !screen->zoomed)
		return;
	trail_keep(screen);
	screen->viewpoint.layout = layout;
	screen->zoomed = false;
	if (layouts[layout].views[0] >= 0 && !layout_shows(&layouts[layout], screen->viewpoint.view))
		screen->viewpoint.view = layouts[layout].views[0];
	trail_push(screen);
}

/* The view before or after, as it was left; the node that was chosen there is chosen again. */
void screen_trail(struct screen *screen, int direction)
{
	int to = screen->trail_at + direction;
	sw_node node;
	if (to < 0 || to >= screen->trail_count)
		return;
	trail_keep(screen);
	screen->trail_at = to;
	screen->viewpoint = screen->trail[to];
	screen_echo(screen, true, "focus %s", pane_rows[screen->viewpoint.view].name);
	sw_walk *walk = screen_walked(screen);
	if (screen->viewpoint.has_node && walk && !screen->busy &&
		sw_walk_node_at(walk, screen->viewpoint.node, &node, NULL) && node.id)
		screen_do(screen, true, "goto %d", node.id);
}

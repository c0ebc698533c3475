/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph on the screen: the drawing by levels, or the one in lanes; moving from node to node.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "session/walks.h"
#include "views/draw.h"
#include "views/walk_words.h"

static void frame_fill(const struct screen *screen, sw_walk *walk, const sw_node *node, struct frame *frame)
{
	sw_text text = {0};
	sw_text_addf(&text, node->id ? "node %d " : "unseen ", node->id);
	sw_walk_print_place(walk, node->place, &text);
	if (node->id)
		sw_text_addf(&text, ", distance %s", words_cost(walk, node->distance).text);
	snprintf(frame->object, sizeof(frame->object), "%.95s", sw_text_get(&text));
	sw_text_free(&text);
	frame->at = node->id;
	frame->of = screen->graph.seen;
	frame->scrolls = true;
}

/* Edges are drawn out of nodes that the search settled, and, refused ones too, of every node. */
static void look_read(struct screen *screen, struct search_look *look)
{
	const struct edge_list *edges = edges_of_node(screen);
	look->filter = screen->filter[PANE_GRAPH].text;
	look->edge = -1;
	look->spots = screen->spots.spot;
	look->spot_room = SPOTS_MOST;
	if (!edges)
		return;
	look->edges = edges->edges;
	look->edge_count = edges->count;
	look->edge = screen->viewpoint.view == PANE_EDGES ? screen->viewpoint.edge : -1;
}

enum { LEGEND_FROM = 8 }; /* rows of a pane that has a legend */

bool need_walk(struct screen *screen)
{
	sw_walk *walk;
	sw_diag ignored;
	return session_walked(screen->session, &walk, &ignored);
}

bool draw_graph(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	sw_walk *walk;
	struct search_look look = {0};
	if (!session_walked(screen->session, &walk, diag) || !screen_node(screen, &look.cursor))
		return false;
	int number = screen_walk_number(screen);
	graph_follow(&screen->graph, walk, number);
	canvas_reset(out, width);
	int below = height >= LEGEND_FROM ? search_signs_rows(width) : 0; /* whatever is there: nodes keep their places */
	if (!search_graph_follow(&screen->places, walk, number, width, height - below))
		return sw_diag_memory(diag);
	look_read(screen, &look);
	if (screen->viewpoint.lanes)
		search_lanes_draw(&screen->places, &look, height - below, &screen->lanes_top, out);
	else
		search_graph_draw(&screen->places, &look, out, 0);
	screen->spots.count = look.spot_count;
	if (below)
		search_signs_draw(&screen->places, screen->viewpoint.lanes, below, out, height - below);
	frame_fill(screen, walk, &look.cursor, frame);
	return !screen->graph.failed || sw_diag_memory(diag);
}

/* ---- moving ---- */

void graph_choose(struct screen *screen, int id)
{
	screen->viewpoint.edge = 0;
	screen_do(screen, true, "goto %d", id);
}

struct spot_at {
	int x, y;
};

/* Where a node stands; one without a place stands at the end of its level. */
static struct spot_at spot_of(const struct graph_layout *layout, int id, int64_t size)
{
	const struct graph_place *place = id ? &layout->place[id - 1] : NULL;
	if (place && place->y >= 0)
		return (struct spot_at){place->x, place->y};
	const struct graph_strip *strip = &layout->strip[graph_strip_of(layout, size)];
	return (struct spot_at){layout->width, strip->y + (strip->rows - 1) * (1 + layout->drop)};
}

static bool is_there(const struct screen *screen, sw_walk *walk, int id)
{
	const char *filter = screen->filter[PANE_GRAPH].text;
	return id <= sw_walk_seen(walk) && (!*filter || search_node_has(walk, id, filter));
}

/* How far a place is in a direction; INT_MAX: not that way. */
static int distance_to(struct spot_at from, const struct graph_place *to, int across, int down)
{
	int x = to->x - from.x, y = to->y - from.y;
	int ahead = across ? x * across : y * down, aside = abs(across ? y : x);
	if (to->y < 0 || ahead <= 0)
		return INT_MAX;
	return across ? ahead + 16 * aside : 8 * ahead + aside;
}

/* The next node in a direction: in the row first, or in the rows nearby. */
static int neighbour(const struct screen *screen, sw_walk *walk, const sw_node *node, int across, int down)
{
	const struct graph_layout *layout = &screen->places.layout;
	struct spot_at from = spot_of(layout, node->id, node->size);
	int best = 0, least = INT_MAX, seen = sw_walk_seen(walk);
	for (int id = 1; id <= seen && id <= layout->count; id++) {
		int distance = distance_to(from, &layout->place[id - 1], across, down);
		if (distance >= least || id == node->id || !is_there(screen, walk, id))
			continue;
		least = distance;
		best = id;
	}
	return best;
}

static int step_from(const struct screen *screen, sw_walk *walk, const sw_node *node, int across, int down)
{
	if (screen->viewpoint.lanes)
		return search_lanes_next(&screen->places, node->id, across + down);
	return neighbour(screen, walk, node, across, down);
}

bool move_graph(struct screen *screen, int across, int down)
{
	sw_node node;
	sw_walk *walk = screen_walked(screen);
	int steps = abs(across + down), id = 0;
	if (!walk || screen->places.walk != walk || !screen_node(screen, &node))
		return false;
	across = (across > 0) - (across < 0);
	down = (down > 0) - (down < 0);
	for (; steps > 0; steps--) {
		int next = step_from(screen, walk, &node, across, down);
		if (!next || !sw_walk_node(walk, next, &node))
			break;
		id = next;
	}
	if (id)
		graph_choose(screen, id);
	else
		screen_say(screen, ROLE_NOTE, "no node is farther that way");
	return true;
}

/* The first node of the picture, or the last one. */
void graph_end(struct screen *screen, int direction)
{
	const struct graph_layout *layout = &screen->places.layout;
	sw_walk *walk = screen_walked(screen);
	int best = 0;
	for (int id = 1; id <= layout->count && walk; id++) {
		const struct graph_place *place = &layout->place[id - 1], *now = best ? &layout->place[best - 1] : place;
		int later = place->y != now->y ? place->y - now->y : place->x - now->x;
		if (place->y >= 0 && (!best || later * direction > 0) && is_there(screen, walk, id))
			best = id;
	}
	if (best)
		graph_choose(screen, best);
}

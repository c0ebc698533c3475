/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The edges out of the chosen node: operation, end, cost; on demand those that are refused, with the reason.
 */
#include <stdio.h>
#include <string.h>

#include "screen/enter.h"
#include "screen/panes.h"
#include "screen/visit.h"
#include "session/walks.h"
#include "views/draw.h"
#include "views/walk_words.h"

static bool is_current(const struct screen *screen, const sw_node *node, const sw_walk *walk)
{
	const struct edge_list *list = &screen->edges;
	return list->arena && list->number == screen_walk_number(screen) && list->seen == sw_walk_seen(walk) &&
		list->settled == sw_walk_settled(walk) && list->refused == screen->viewpoint.refused &&
		memcmp(list->tile, node->place, sizeof(list->tile)) == 0;
}

const struct edge_list *edges_of_node(struct screen *screen)
{
	struct edge_list *list = &screen->edges;
	const sw_walk *walk = screen_walked(screen);
	sw_node node;
	if (!walk || !screen_node(screen, &node))
		return NULL;
	if (is_current(screen, &node, walk))
		return list;
	sw_arena_free(list->arena);
	*list = (struct edge_list){.arena = sw_arena_new()};
	if (!list->arena)
		return NULL;
	list->number = screen_walk_number(screen);
	list->seen = sw_walk_seen(walk);
	list->settled = sw_walk_settled(walk);
	list->refused = screen->viewpoint.refused;
	memcpy(list->tile, node.place, sizeof(list->tile));
	list->count = sw_walk_edges(walk, node.place, list->refused, list->arena, &list->edges);
	list->count = list->count < 0 ? 0 : list->count;
	return list;
}

static void edge_text(const sw_walk *walk, const sw_edge *edge, sw_text *text)
{
	sw_walk_print_move(walk, &edge->move, text);
	if (edge->state == SW_EDGE_REFUSED) {
		sw_text_addf(text, " refused: %s", edge->why);
		return;
	}
	sw_text_add(text, " → ");
	sw_walk_print_place(walk, edge->place, text);
	if (edge->node)
		sw_text_addf(text, " (%d)", edge->node);
	sw_text_addf(text, ", %s %s, %s", sw_walk_words_of(walk)->unit > 0 ? "takes" : "cost",
		words_cost(walk, edge->move.cost).text, words_edge(edge->state));
}

static int edge_draw(struct canvas *out, int y, const sw_walk *walk, const sw_edge *edge, bool chosen)
{
	sw_text text = {0};
	enum role role = chosen            ? ROLE_CURRENT :
		edge->state == SW_EDGE_REFUSED ? ROLE_WALL :
		edge->state == SW_EDGE_TREE    ? ROLE_PATH :
										 ROLE_TEXT;
	edge_text(walk, edge, &text);
	canvas_put(out, 0, y, chosen ? ROLE_CURRENT : ROLE_TEXT, chosen ? "▶" : " ");
	y = canvas_put_wrapped(out, 2, y, out->width - 2, 2, role, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

bool draw_edges(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	sw_walk *walk;
	sw_node node;
	(void)height;
	if (!session_walked(screen->session, &walk, diag) || !screen_node(screen, &node))
		return false;
	const struct edge_list *list = edges_of_node(screen);
	canvas_reset(out, width);
	if (!list)
		return sw_diag_memory(diag);
	if (screen->viewpoint.edge >= list->count)
		screen->viewpoint.edge = list->count ? list->count - 1 : 0;
	int y = 0;
	for (int i = 0; i < list->count; i++) {
		if (i == screen->viewpoint.edge)
			frame->row = y;
		y = edge_draw(out, y, walk, &list->edges[i], i == screen->viewpoint.edge);
	}
	if (!list->count)
		draw_note(out, 0, y, ROLE_NOTE, "no edge leads out of this node");
	snprintf(frame->object, sizeof(frame->object), "of %s%d%s", node.id ? "node " : "a node never seen", node.id,
		screen->viewpoint.refused ? ", refused ones too" : "");
	if (!node.id)
		snprintf(frame->object, sizeof(frame->object), "of a node never seen");
	if (list->count == SW_EDGES_MOST)
		draw_note(out, 0, y, ROLE_NOTE, "the first %d edges; there are more", list->count);
	frame->at = list->count ? screen->viewpoint.edge + 1 : 0;
	frame->of = list->count;
	return true;
}

bool move_edges(struct screen *screen, int across, int down)
{
	const struct edge_list *list = edges_of_node(screen);
	int edge = screen->viewpoint.edge + down + across;
	if (!list || !list->count)
		return false;
	screen->viewpoint.edge = edge < 0 ? 0 : edge >= list->count ? list->count - 1 : edge;
	return true;
}

/* From the graph, Enter goes to the edges; there it follows the chosen one. */
void open_edges(struct screen *screen)
{
	screen_visit(screen, PANE_EDGES);
}

void open_edge(struct screen *screen)
{
	const struct edge_list *list = edges_of_node(screen);
	sw_text text = {0};
	if (!list || !list->count) {
		screen_say(screen, ROLE_WARN, "there is no edge to follow");
		return;
	}
	const sw_edge *edge = &list->edges[screen->viewpoint.edge];
	if (edge->state == SW_EDGE_REFUSED) {
		screen_say(screen, ROLE_BAD, "refused: %s", edge->why);
		return;
	}
	sw_walk_print_place(screen_walked(screen), edge->place, &text);
	screen->viewpoint.edge = 0;
	screen_do(screen, true, "goto %s", sw_text_get(&text));
	sw_text_free(&text);
}

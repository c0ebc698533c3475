/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph as an answer: the drawing, then the best path step by step, and the edges of a node in words.
 */
#include <stdio.h>
#include <stdlib.h>

#include <shardwalk/number.h>

#include "views/draw.h"
#include "views/search_graph.h"
#include "views/walk_words.h"

#define PATH_MOST 64
#define EDGES_MOST 200
#define ROWS_BELOW 14 /* that are left for words, where a height is asked for */

struct graph {
	const sw_walk *walk;
	sw_node focus;
	int *path; /* to the goal, or to the focus */
	int path_length;
	sw_arena *arena;
	sw_edge *edges; /* of the focus */
	int edge_count;
};

/* ---- reading the walk ---- */

static bool path_read(struct graph *graph)
{
	int goal = sw_walk_goal(graph->walk);
	int end = goal ? goal : graph->focus.id;
	graph->path_length = sw_walk_path(graph->walk, end, NULL, 0);
	graph->path = malloc(((size_t)graph->path_length + 1) * sizeof(*graph->path));
	if (!graph->path)
		return false;
	sw_walk_path(graph->walk, end, graph->path, graph->path_length);
	return true;
}

static bool graph_read(struct graph *graph, const struct view_input *in, const struct view_options *opt)
{
	int current = sw_walk_current(in->walk) ? sw_walk_current(in->walk) : sw_walk_start(in->walk);
	graph->walk = in->walk;
	graph->arena = sw_arena_new();
	if (!graph->arena || !sw_walk_node(in->walk, opt->node, &graph->focus))
		sw_walk_node(in->walk, current, &graph->focus);
	if (graph->arena && (opt->refused || opt->node))
		graph->edge_count = sw_walk_edges(in->walk, graph->focus.place, opt->refused, graph->arena, &graph->edges);
	return graph->arena && graph->edge_count >= 0 && path_read(graph);
}

static void graph_free(struct graph *graph)
{
	free(graph->path);
	sw_arena_free(graph->arena);
}

/* ---- the best path, and edges ---- */

static int path_draw_node(const struct graph *graph, struct canvas *out, int y, int id)
{
	sw_node node;
	sw_text text = {0};
	if (!sw_walk_node(graph->walk, id, &node))
		return y;
	sw_text_addf(&text, "%d ", id);
	sw_walk_print_place(graph->walk, node.place, &text);
	if (!node.is_start) {
		sw_text_add(&text, " by ");
		sw_walk_print_move(graph->walk, &node.via, &text);
		sw_text_addf(&text, ", +%s = %s", words_cost(graph->walk, node.via.cost).text,
			words_cost(graph->walk, node.distance).text);
	}
	y = draw_note(out, 2, y, ROLE_PATH, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int path_draw(const struct graph *graph, struct canvas *out, int y)
{
	struct stretch stretches[STRETCHES_MAX];
	bool goal = graph->path_length > 0 && graph->path[graph->path_length - 1] == sw_walk_goal(graph->walk);
	const char *to = !goal ? "to the current node" : sw_walk_done(graph->walk) ? "to the goal" : "to the goal so far";
	if (graph->path_length < 2)
		return y;
	y = draw_note(out, 0, y, ROLE_LABEL, "best path %s:", to);
	int n = fold_stretches(graph->path_length, PATH_MOST, -1, stretches);
	for (int k = 0; k < n; k++) {
		if (stretch_folded(stretches[k]))
			y = draw_note(out, 2, y, ROLE_DIM, "… %lld more", (long long)(stretches[k].to - stretches[k].from + 1));
		else
			y = path_draw_node(graph, out, y, graph->path[stretches[k].from]);
	}
	return y;
}

static const char *const edge_words[] = {
	[SW_EDGE_NEW] = "new",
	[SW_EDGE_BETTER] = "better",
	[SW_EDGE_TREE] = "tree",
	[SW_EDGE_NO_BETTER] = "no better",
	[SW_EDGE_REFUSED] = "refused",
};

static int edge_draw(const struct graph *graph, struct canvas *out, int y, const sw_edge *edge)
{
	bool refused = edge->state == SW_EDGE_REFUSED;
	sw_text text = {0};
	sw_walk_print_move(graph->walk, &edge->move, &text);
	sw_text_add(&text, " → ");
	sw_walk_print_place(graph->walk, edge->place, &text);
	if (edge->node)
		sw_text_addf(&text, " (%d)", edge->node);
	if (!refused)
		sw_text_addf(&text, ", %s %s", sw_walk_words_of(graph->walk)->unit > 0 ? "takes" : "cost",
			words_cost(graph->walk, edge->move.cost).text);
	sw_text_addf(&text, ", %s%s%s", edge_words[edge->state], refused ? ": " : "", refused ? edge->why : "");
	y = draw_note(out, 2, y, refused ? ROLE_WALL : ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int edges_draw(const struct graph *graph, struct canvas *out, int y)
{
	struct stretch stretches[STRETCHES_MAX];
	y = draw_note(out, 0, y, ROLE_LABEL, "edges of node %d:", graph->focus.id);
	int n = fold_stretches(graph->edge_count, EDGES_MOST, -1, stretches);
	for (int k = 0; k < n; k++) {
		if (stretch_folded(stretches[k]))
			y = draw_note(out, 2, y, ROLE_DIM, "… %lld more", (long long)(stretches[k].to - stretches[k].from + 1));
		else
			y = edge_draw(graph, out, y, &graph->edges[stretches[k].from]);
	}
	return y;
}

/* All rows of the second drawing. */
static int lanes_draw_all(const struct graph *graph, const struct search_look *look, struct canvas *out, int y,
	bool *ok)
{
	struct search_graph places = {0};
	struct canvas picture = {0};
	int top = 0;
	canvas_reset(&picture, out->width);
	*ok = search_graph_follow(&places, graph->walk, 0, out->width, 0);
	if (*ok)
		search_lanes_draw(&places, look, 0, &top, &picture);
	canvas_copy(out, 0, y, &picture);
	y += picture.height;
	canvas_free(&picture);
	if (*ok)
		y = search_signs_draw(&places, true, 0, out, y);
	search_graph_forget(&places);
	return y;
}

static int levels_draw(struct graph *graph, const struct view_options *opt, struct canvas *out, int y, bool *ok)
{
	struct search_graph places = {0};
	struct search_look look = {.cursor = graph->focus,
		.edges = graph->edges,
		.edge_count = graph->edge_count,
		.edge = -1};
	if (opt->lanes)
		return lanes_draw_all(graph, &look, out, y, ok);
	int height = opt->height > ROWS_BELOW + 4 ? opt->height - ROWS_BELOW : opt->height ? 4 : 0;
	*ok = search_graph_follow(&places, graph->walk, 0, out->width, height);
	if (*ok)
		y = search_signs_draw(&places, false, 0, out, search_graph_draw(&places, &look, out, y));
	search_graph_forget(&places);
	return y;
}

/* What `0:2` means in an operation on several dimensions, where there is one on the path or among the edges. */
static int pairs_draw(const struct graph *graph, bool edges, struct canvas *out, int y)
{
	bool pairs = false;
	sw_node node;
	for (int k = 0; k < graph->path_length; k++)
		pairs |= sw_walk_node(graph->walk, graph->path[k], &node) && !node.is_start &&
			entries_are_pairs(node.via.gathers, node.via.splits);
	for (int i = 0; edges && i < graph->edge_count; i++)
		pairs |= entries_are_pairs(graph->edges[i].move.gathers, graph->edges[i].move.splits);
	return pairs ? pairs_note(out, y) : y;
}

bool view_graph(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct graph graph = {0};
	if (!in->walk)
		return draw_missing(diag, "search", "after mesh and redistribute, type: step");
	if (!draw_begin("graph", opt, out))
		return true;
	bool done = graph_read(&graph, in, opt);
	if (done) {
		char rest[320];
		int seen = sw_walk_seen(in->walk), settled = sw_walk_settled(in->walk);
		snprintf(rest, sizeof(rest), "%s seen, %s visited, %s in the frontier",
			words_plural(seen, "node", "nodes").text, words_count(settled).text, words_count(seen - settled).text);
		int y = levels_draw(&graph, opt, out, draw_title(out, 0, "graph", rest), &done);
		y = draw_note_ends(out, y, y);
		y = path_draw(&graph, out, y);
		if (opt->refused)
			y = edges_draw(&graph, out, y);
		pairs_draw(&graph, opt->refused, out, y);
	}
	graph_free(&graph);
	return done || sw_diag_memory(diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk as a graph.  The edges by which nodes were best reached make a tree, from left to right; the others only
 * lie over it.
 */
#include "export/dot.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/color.h"
#include "views/draw.h"

enum { NODES_MOST = 600, UNSEEN_MOST = 200 };

/* A node that no step reached. */
struct beyond {
	int64_t tile[SW_MAX_DIMS];
	int64_t size;
};

struct graph {
	const sw_walk *walk;
	sw_text *text;
	sw_arena *arena;
	int rank;
	int shown;         /* seen nodes 1 to shown are drawn */
	int *path, length; /* to the goal, or to the current node */
	struct beyond beyond[UNSEEN_MOST];
	int unseen;
};

/* ---- reading ---- */

static bool read_path(struct graph *graph)
{
	int end = sw_walk_goal(graph->walk) ? sw_walk_goal(graph->walk) : sw_walk_current(graph->walk);
	if (!end)
		end = sw_walk_start(graph->walk);
	graph->length = sw_walk_path(graph->walk, end, NULL, 0);
	graph->path = SW_NEW(graph->arena, int, graph->length + 1);
	if (!graph->path)
		return false;
	sw_walk_path(graph->walk, end, graph->path, graph->length);
	return true;
}

static bool is_on_path(const struct graph *graph, int id)
{
	for (int i = 0; i < graph->length; i++)
		if (graph->path[i] == id)
			return true;
	return false;
}

static bool is_path_edge(const struct graph *graph, int from, int to)
{
	for (int i = 0; i + 1 < graph->length; i++)
		if (graph->path[i] == from && graph->path[i + 1] == to)
			return true;
	return false;
}

/* The number of a node that was not reached, -1 where there is no room for it. */
static int beyond_at(struct graph *graph, const int64_t *tile, int64_t size)
{
	size_t bytes = (size_t)graph->rank * sizeof(*tile);
	for (int i = 0; i < graph->unseen; i++)
		if (memcmp(graph->beyond[i].tile, tile, bytes) == 0)
			return i;
	if (graph->unseen == UNSEEN_MOST)
		return -1;
	memcpy(graph->beyond[graph->unseen].tile, tile, bytes);
	graph->beyond[graph->unseen].size = size;
	return graph->unseen++;
}

/* ---- nodes ---- */

static enum role role_of(const struct graph *graph, const sw_node *node)
{
	if (node->is_goal)
		return ROLE_GOAL;
	if (is_on_path(graph, node->id))
		return ROLE_PATH;
	return node->state == SW_NODE_SETTLED ? ROLE_SETTLED : ROLE_FRONTIER;
}

static void add_node(const struct graph *graph, const sw_node *node)
{
	sw_text words = {0};
	sw_text *text = graph->text;
	bool current = node->id == sw_walk_current(graph->walk);
	sw_walk_print_place(graph->walk, node->place, &words);
	sw_text_addf(&words, "%s%s\nsize %s\n%s %s", node->is_start ? " start" : "", node->is_goal ? " goal" : "",
		words_count(node->size).text, node->state == SW_NODE_SETTLED ? "distance" : "at most",
		words_count(node->distance).text);
	if (node->order)
		sw_text_addf(&words, ", visited %d.", node->order);
	sw_text_addf(text, "\tn%d [label=", node->id);
	dot_add_string(text, sw_text_get(&words));
	sw_text_add(text, ", color=\"");
	color_add_role(text, role_of(graph, node));
	sw_text_addf(text, "\"%s%s%s];\n", node->state == SW_NODE_SETTLED ? "" : ", style=\"rounded,dotted\"",
		is_on_path(graph, node->id) ? ", penwidth=3" : "", current ? ", peripheries=2" : "");
	sw_text_free(&words);
}

static void add_beyond(const struct graph *graph, int i)
{
	sw_text words = {0};
	sw_walk_print_place(graph->walk, graph->beyond[i].tile, &words);
	sw_text_addf(&words, "\nsize %s", words_count(graph->beyond[i].size).text);
	sw_text_addf(graph->text, "\tu%d [label=", i);
	dot_add_string(graph->text, sw_text_get(&words));
	sw_text_add(graph->text, ", style=\"rounded,dashed\", color=\"");
	color_add_role(graph->text, ROLE_UNSEEN);
	sw_text_add(graph->text, "\"];\n");
	sw_text_free(&words);
}

/* ---- edges ---- */

static void add_arrow(const struct graph *graph, int from, const sw_edge *edge, const char *end)
{
	sw_text words = {0};
	bool path = edge->node && is_path_edge(graph, from, edge->node), tree = edge->state == SW_EDGE_TREE || path;
	sw_move_print(&edge->move, &words);
	sw_text_addf(&words, " %s", words_count(edge->move.cost).text);
	sw_text_addf(graph->text, "\tn%d -> %s [%s=", from, end, tree ? "label" : "tooltip");
	dot_add_string(graph->text, sw_text_get(&words));
	if (!tree)
		sw_text_add(graph->text, edge->node ? ", style=dotted, constraint=false" : ", style=dashed");
	else if (path)
		sw_text_add(graph->text, ", style=bold, penwidth=3");
	if (!tree || path) {
		sw_text_add(graph->text, ", color=\"");
		color_add_role(graph->text, path ? ROLE_PATH : ROLE_DIM);
		sw_text_add_char(graph->text, '"');
	}
	sw_text_add(graph->text, "];\n");
	sw_text_free(&words);
}

/* Edges of nodes that are not settled lead only to what nobody has reached: the search has not looked along
 * the others. */
static void add_edge(struct graph *graph, const sw_node *node, const sw_edge *edge)
{
	char end[24];
	if (edge->node && (node->state != SW_NODE_SETTLED || edge->node > graph->shown))
		return;
	int beyond = edge->node ? 0 : beyond_at(graph, edge->place, edge->size);
	if (beyond < 0)
		return;
	snprintf(end, sizeof(end), edge->node ? "n%d" : "u%d", edge->node ? edge->node : beyond);
	add_arrow(graph, node->id, edge, end);
}

static bool add_edges(struct graph *graph, const sw_node *node, sw_diag *diag)
{
	sw_edge *edges;
	sw_arena *arena = sw_arena_new();
	int count = arena ? sw_walk_edges(graph->walk, node->place, false, arena, &edges) : -1;
	for (int i = 0; i < count; i++)
		add_edge(graph, node, &edges[i]);
	sw_arena_free(arena);
	return count >= 0 || sw_diag_memory(diag);
}

/* ---- the whole ---- */

static void add_title(const struct graph *graph)
{
	sw_text words = {0};
	const sw_problem *problem = sw_walk_problem(graph->walk);
	int left_out = sw_walk_seen(graph->walk) - graph->shown;
	sw_type_print(&problem->mesh, &problem->from, true, &words);
	sw_text_add(&words, "  to  ");
	sw_type_print(&problem->mesh, &problem->to, true, &words);
	sw_text_add(&words, "\nover ");
	sw_mesh_print(&problem->mesh, &words);
	sw_text_addf(&words, ", budget %s\n%s visited, %s seen",
		words_short(sw_walk_largest(graph->walk), problem->from.dtype, sw_walk_unit(graph->walk)).text,
		words_count(sw_walk_settled(graph->walk)).text, words_count(sw_walk_seen(graph->walk)).text);
	if (left_out > 0)
		sw_text_addf(&words, "; %s seen later are left out", words_count(left_out).text);
	sw_text_add(graph->text, "\tlabel=");
	dot_add_string(graph->text, sw_text_get(&words));
	sw_text_add(graph->text,
		";\n\tlabelloc=t;\n\trankdir=LR;\n"
		"\tnode [shape=box, style=rounded, fontname=\"monospace\"];\n"
		"\tedge [fontname=\"monospace\", fontsize=10];\n");
	sw_text_free(&words);
}

static bool add_graph(struct graph *graph, sw_diag *diag)
{
	sw_node node;
	sw_text_add(graph->text, "digraph search {\n");
	add_title(graph);
	for (int id = 1; id <= graph->shown; id++) {
		sw_walk_node(graph->walk, id, &node);
		add_node(graph, &node);
	}
	if (!sw_walk_goal(graph->walk))
		beyond_at(graph, sw_walk_problem(graph->walk)->to.tile, sw_type_localsize(&sw_walk_problem(graph->walk)->to));
	for (int id = 1; id <= graph->shown; id++) {
		sw_walk_node(graph->walk, id, &node);
		if (!add_edges(graph, &node, diag))
			return false;
	}
	for (int i = 0; i < graph->unseen; i++)
		add_beyond(graph, i);
	sw_text_add(graph->text, "}\n");
	return true;
}

bool dot_add_walk(const sw_walk *walk, sw_text *text, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	struct graph *graph = arena ? SW_NEW_ZERO(arena, struct graph, 1) : NULL;
	if (!graph) {
		sw_arena_free(arena);
		return sw_diag_memory(diag);
	}
	int seen = sw_walk_seen(walk);
	graph->walk = walk;
	graph->text = text;
	graph->arena = arena;
	graph->rank = sw_walk_places(walk);
	graph->shown = seen < NODES_MOST ? seen : NODES_MOST;
	bool ok = read_path(graph) ? add_graph(graph, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph: one level for each local size, the largest on top, so that the height on the page is the height
 * in memory.  Above it stands the wall that the budget is.
 *
 * Of a level with many nodes those are shown that matter: the current one, the best path, both ends, then the
 * first seen; the rest is counted.  What is shown is fetched, so a graph of 100 000 nodes costs as much as its
 * picture.
 */
#include <stdio.h>
#include <stdlib.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/draw.h"

#define LEVELS_MOST 40 /* where no height is asked for */
#define PATH_MOST 64
#define EDGES_MOST 200

struct level {
	int64_t size;
	int from, to; /* ids[from] to ids[to - 1] */
};

struct graph {
	const sw_walk *walk;
	int rank;
	int focus;
	int *ids; /* of all seen nodes by descending localsize */
	int seen;
	struct level *levels;
	int level_count;
	int *path; /* to the goal, or to the focus */
	int path_length;
	int label; /* columns of the sizes */
};

/* ---- reading the walk ---- */

static int64_t size_of(const struct graph *graph, int at)
{
	sw_node node;
	return sw_walk_node(graph->walk, graph->ids[at], &node) ? node.localsize : 0;
}

/* The end of the level that begins at `from`: doubling steps, then halving. */
static int level_end(const struct graph *graph, int from, int64_t size)
{
	int step = 1, low = from;
	while (low + step < graph->seen && size_of(graph, low + step) == size) {
		low += step;
		step *= 2;
	}
	int high = low + step < graph->seen ? low + step : graph->seen;
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		if (size_of(graph, middle) == size)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static bool levels_read(struct graph *graph)
{
	int room = 0;
	for (int at = 0; at < graph->seen;) {
		if (graph->level_count == room) {
			room = room ? 2 * room : 64;
			struct level *more = realloc(graph->levels, (size_t)room * sizeof(*more));
			if (!more)
				return false;
			graph->levels = more;
		}
		struct level *level = &graph->levels[graph->level_count++];
		*level = (struct level){.size = size_of(graph, at), .from = at};
		level->to = level_end(graph, at, level->size);
		at = level->to;
	}
	return true;
}

static bool path_read(struct graph *graph)
{
	int goal = sw_walk_goal(graph->walk);
	int end = goal ? goal : graph->focus;
	graph->path_length = sw_walk_path(graph->walk, end, NULL, 0);
	graph->path = malloc(((size_t)graph->path_length + 1) * sizeof(*graph->path));
	if (!graph->path)
		return false;
	sw_walk_path(graph->walk, end, graph->path, graph->path_length);
	return true;
}

static bool graph_read(struct graph *graph, const struct view_input *in, const struct view_options *opt)
{
	graph->walk = in->walk;
	graph->rank = sw_walk_problem(in->walk)->from.rank;
	graph->seen = sw_walk_seen(in->walk);
	graph->focus = opt->node > 0 && opt->node <= graph->seen ? opt->node : sw_walk_current(in->walk);
	graph->focus = graph->focus ? graph->focus : sw_walk_start(in->walk);
	graph->ids = malloc(((size_t)graph->seen + 1) * sizeof(*graph->ids));
	if (!graph->ids)
		return false;
	sw_walk_levels(in->walk, graph->ids, graph->seen);
	return path_read(graph) && levels_read(graph);
}

static void graph_free(struct graph *graph)
{
	free(graph->ids);
	free(graph->levels);
	free(graph->path);
}

/* ---- nodes ---- */

static bool on_path(const struct graph *graph, int id)
{
	for (int i = 0; i < graph->path_length; i++)
		if (graph->path[i] == id)
			return true;
	return false;
}

/* A node as the picture writes it: sign, number, local type, distance, and what is special about it. */
static enum role node_text(const struct graph *graph, int id, sw_text *text)
{
	sw_node node;
	sw_text_clear(text);
	if (!sw_walk_node(graph->walk, id, &node))
		return ROLE_DIM;
	bool settled = node.state == SW_NODE_SETTLED, path = on_path(graph, id), focus = id == graph->focus;
	sw_text_addf(text, "%s%s%d ", focus ? "▶" : "", settled ? "●" : "○", id);
	sw_type_print_tile(node.tile, graph->rank, text);
	sw_text_addf(text, " %lld%s", (long long)node.distance, path ? " ★" : "");
	sw_text_add(text, node.is_start ? " start" : "");
	sw_text_add(text, node.is_goal ? " goal" : "");
	if (focus)
		return ROLE_CURRENT;
	return node.is_goal ? ROLE_GOAL : path ? ROLE_PATH : settled ? ROLE_SETTLED : ROLE_FRONTIER;
}

static bool has_id(const int *ids, int count, int id)
{
	for (int i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* Adds a node that matters where it is of this level and not there yet. */
static int level_add(const struct graph *graph, const struct level *level, int *ids, int count, int room, int id)
{
	sw_node node;
	if (count == room || has_id(ids, count, id) || !sw_walk_node(graph->walk, id, &node) ||
		node.localsize != level->size)
		return count;
	ids[count] = id;
	return count + 1;
}

/* The nodes of a level in the order in which they are shown, those that matter first; returns how many of `room`. */
static int level_nodes(const struct graph *graph, const struct level *level, int *ids, int room)
{
	int count = level_add(graph, level, ids, 0, room, graph->focus);
	count = level_add(graph, level, ids, count, room, sw_walk_start(graph->walk));
	count = level_add(graph, level, ids, count, room, sw_walk_goal(graph->walk));
	for (int i = 0; i < graph->path_length; i++)
		count = level_add(graph, level, ids, count, room, graph->path[i]);
	int first = count;
	for (int i = level->from; i < level->to && count < room; i++)
		if (!has_id(ids, first, graph->ids[i]))
			ids[count++] = graph->ids[i];
	return count;
}

/* ---- levels ---- */

static int rest_draw(const struct level *level, struct canvas *out, int x, int y, int shown)
{
	int64_t rest = level->to - level->from - shown;
	if (rest > 0)
		canvas_putf(out, x, y, ROLE_DIM, "+%s", words_count(rest).text);
	return y;
}

/* Draws a level in at most `rows` rows; returns the next row. */
static int level_draw(const struct graph *graph, struct canvas *out, int y, const struct level *level, int rows)
{
	int ids[256];
	int left = graph->label + 3, x = left, row = 0, shown = 0;
	int count = level_nodes(graph, level, ids, 256);
	sw_text text = {0};
	canvas_put_right(out, 0, y, graph->label, ROLE_NUMBER, words_count(level->size).text);
	for (; shown < count; shown++) {
		enum role role = node_text(graph, ids[shown], &text);
		int width = canvas_text_width(sw_text_get(&text));
		bool last = row + 1 == rows;
		int reserve = last && shown + 1 < level->to - level->from ? 8 : 0;
		if (x + width + reserve > out->width && x > left) {
			if (last)
				break;
			x = left;
			row++;
		}
		x = canvas_put_cut(out, x, y + row, out->width - x - reserve, role, sw_text_get(&text)) + 2;
	}
	rest_draw(level, out, x, y + row, shown);
	sw_text_free(&text);
	canvas_vline(out, graph->label + 1, y, row + 1, ROLE_BORDER, 0);
	for (int i = 0; i <= row; i++)
		canvas_lines(out, graph->label + 1, y + i, ROLE_BORDER, LINE_UP | LINE_DOWN);
	return y + row + 1;
}

static int levels_folded(const struct graph *graph, struct canvas *out, int y, struct stretch stretch)
{
	int64_t nodes = 0;
	for (int64_t i = stretch.from; i <= stretch.to; i++)
		nodes += graph->levels[i].to - graph->levels[i].from;
	canvas_put_right(out, 0, y, graph->label, ROLE_DIM, "…");
	canvas_lines(out, graph->label + 1, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	char text[320];
	snprintf(text, sizeof(text), "%s, %s", words_plural(stretch.to - stretch.from + 1, "level", "levels").text,
		words_plural(nodes, "node", "nodes").text);
	return canvas_put_wrapped(out, graph->label + 3, y, out->width - graph->label - 3, 0, ROLE_DIM, text);
}

static int focus_level(const struct graph *graph)
{
	sw_node node;
	if (!sw_walk_node(graph->walk, graph->focus, &node))
		return -1;
	for (int i = 0; i < graph->level_count; i++)
		if (graph->levels[i].size == node.localsize)
			return i;
	return -1;
}

static int wall_draw(const struct graph *graph, struct canvas *out, int y)
{
	char text[160];
	snprintf(text, sizeof(text), " wall: budget of %s ",
		words_size(sw_walk_budget(graph->walk), sw_walk_problem(graph->walk)->from.dtype, sw_walk_unit(graph->walk))
			.text);
	canvas_hline(out, 0, y, out->width, ROLE_WALL, LINE_HEAVY);
	canvas_put_cut(out, graph->label + 1, y, out->width - graph->label - 1, ROLE_WALL, text);
	return y + 1;
}

static int levels_draw(struct graph *graph, const struct view_options *opt, struct canvas *out, int y)
{
	struct stretch stretches[STRETCHES_MAX];
	int focus = focus_level(graph);
	int room = opt->height > 16 ? opt->height - 14 : opt->height ? 4 : LEVELS_MOST;
	int n = fold_stretches(graph->level_count, room, focus, stretches);
	graph->label = canvas_text_width(words_count(sw_walk_budget(graph->walk)).text);
	graph->label = graph->label < out->width / 4 ? graph->label : out->width / 4;
	y = wall_draw(graph, out, y);
	for (int k = 0; k < n; k++) {
		int rows = stretches[k].from == focus ? 4 : n < room / 2 ? 2 : 1;
		if (stretch_folded(stretches[k]))
			y = levels_folded(graph, out, y, stretches[k]);
		else
			y = level_draw(graph, out, y, &graph->levels[stretches[k].from], rows);
	}
	return y;
}

/* ---- the best path, and edges ---- */

static int path_draw_node(const struct graph *graph, struct canvas *out, int y, int id)
{
	sw_node node;
	sw_text text = {0};
	if (!sw_walk_node(graph->walk, id, &node))
		return y;
	sw_text_addf(&text, "%d ", id);
	sw_type_print_tile(node.tile, graph->rank, &text);
	if (!node.is_start) {
		sw_text_add(&text, " by ");
		move_text(&node.via, &text);
		sw_text_addf(&text, ", +%lld = %lld", (long long)node.via.cost, (long long)node.distance);
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
	move_text(&edge->move, &text);
	sw_text_add(&text, " → ");
	sw_type_print_tile(edge->tile, graph->rank, &text);
	if (edge->node)
		sw_text_addf(&text, " (%d)", edge->node);
	if (!refused)
		sw_text_addf(&text, ", cost %lld", (long long)edge->move.cost);
	sw_text_addf(&text, ", %s%s%s", edge_words[edge->state], refused ? ": " : "", refused ? edge->why : "");
	y = draw_note(out, 2, y, refused ? ROLE_WALL : ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static bool edges_draw(const struct graph *graph, struct canvas *out, int y)
{
	sw_node node;
	sw_edge *edges;
	struct stretch stretches[STRETCHES_MAX];
	sw_arena *arena = sw_arena_new();
	int count = -1;
	if (arena && sw_walk_node(graph->walk, graph->focus, &node))
		count = sw_walk_edges(graph->walk, node.tile, true, arena, &edges);
	if (count >= 0) {
		y = draw_note(out, 0, y, ROLE_LABEL, "edges of node %d:", graph->focus);
		int n = fold_stretches(count, EDGES_MOST, -1, stretches);
		for (int k = 0; k < n; k++) {
			if (stretch_folded(stretches[k]))
				y = draw_note(out, 2, y, ROLE_DIM, "… %lld more",
					(long long)(stretches[k].to - stretches[k].from + 1));
			else
				y = edge_draw(graph, out, y, &edges[stretches[k].from]);
		}
	}
	sw_arena_free(arena);
	return count >= 0;
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
		snprintf(rest, sizeof(rest), "%s seen, %s settled, %s in the frontier",
			words_plural(graph.seen, "node", "nodes").text, words_count(sw_walk_settled(in->walk)).text,
			words_count(graph.seen - sw_walk_settled(in->walk)).text);
		int y = draw_title(out, 0, "graph", rest);
		y = levels_draw(&graph, opt, out, y);
		y = draw_note(out, 0, y, ROLE_NOTE,
			"● settled  ○ frontier  ▶ current  ★ best path; number, local type, distance; +9: 9 more nodes");
		y = path_draw(&graph, out, y);
		done = !opt->refused || edges_draw(&graph, out, y);
	}
	graph_free(&graph);
	return done || sw_diag_memory(diag);
}

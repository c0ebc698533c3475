/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search as rows in the order of visits, with a lane for each node that leads to others.
 */
#include <stdlib.h>
#include <string.h>

#include "canvas/glyphs.h"
#include "canvas/lanes.h"
#include "views/draw.h"
#include "views/search_graph.h"
#include "views/walk_words.h"

#define BAR 16 /* columns */
#define MOVE 19

struct lanes {
	const struct search_graph *graph;
	const sw_walk *walk;
	const struct search_look *look;
	int *id; /* by row; 0: the node under the cursor, which was never seen */
	struct lane_row *row;
	int count, settled; /* rows; those that were settled, before the one of the cursor where that was not */
	int lanes, most;    /* how many there are, may be */
};

struct turn {
	int order, id;
};

static int by_order(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->id < y->id ? -1 : 1;
}

static int order_of(const struct search_graph *graph, int id)
{
	return graph->whole ? graph->orders[id - 1] : sw_walk_node_order(graph->walk, id);
}

static int nodes_of(const struct search_graph *graph)
{
	return graph->whole ? graph->ahead_count : sw_walk_seen(graph->walk);
}

/* Nodes in the order in which they are settled, those of the future too where they are known; *count of them.  NULL: no
 * memory. */
static struct turn *turns_read(const struct search_graph *graph, int *count)
{
	int nodes = nodes_of(graph);
	struct turn *turns = calloc((size_t)nodes + 2, sizeof(*turns));
	*count = 0;
	for (int id = 1; turns && id <= nodes; id++)
		if (order_of(graph, id))
			turns[(*count)++] = (struct turn){order_of(graph, id), id};
	if (turns)
		qsort(turns, (size_t)*count, sizeof(*turns), by_order);
	return turns;
}

static int parent_of(const struct search_graph *graph, int id)
{
	return graph->whole ? graph->ahead[id - 1].parent + 1 : sw_walk_node_parent(graph->walk, id);
}

/* Marks the rows of the best path to the goal, or to the cursor. */
static void path_mark(struct lanes *lanes, const int *row_of)
{
	int goal = sw_walk_goal(lanes->walk);
	for (int id = goal ? goal : lanes->look->cursor.id; id; id = sw_walk_node_parent(lanes->walk, id))
		if (row_of[id] >= 0 && lanes->row[row_of[id]].parent >= 0)
			lanes->row[row_of[id]].path = true;
}

static bool rows_fill(struct lanes *lanes, const struct turn *turns, int count)
{
	const struct search_graph *graph = lanes->graph;
	int nodes = sw_walk_seen(lanes->walk), cursor = lanes->look->cursor.id;
	nodes = nodes > nodes_of(graph) ? nodes : nodes_of(graph);
	int *row_of = malloc(((size_t)nodes + 1) * sizeof(*row_of));
	if (!row_of)
		return false;
	memset(row_of, -1, ((size_t)nodes + 1) * sizeof(*row_of));
	for (int i = 0; i < count; i++) {
		int id = turns[i].id, parent = parent_of(graph, id);
		lanes->id[i] = id;
		lanes->row[i] = (struct lane_row){.parent = parent ? row_of[parent] : -1};
		row_of[id] = i;
		lanes->settled += id <= sw_walk_seen(lanes->walk) && sw_walk_node_order(lanes->walk, id) > 0;
	}
	lanes->lanes = lanes_lay_out(lanes->row, count, lanes->most);
	lanes->count = lanes->settled;
	for (int i = 0; i < lanes->count; i++)
		lanes->row[i].last = i;
	for (int i = 0; i < lanes->count; i++)
		if (lanes->row[i].parent >= 0)
			lanes->row[lanes->row[i].parent].last = i;
	if (cursor ? row_of[cursor] < 0 || row_of[cursor] >= lanes->settled : lanes->look->cursor.size > 0) {
		lanes->id[lanes->count] = cursor;
		lanes->row[lanes->count] = (struct lane_row){.parent = -1, .lane = -1, .last = lanes->count};
		row_of[cursor] = lanes->count++;
	}
	path_mark(lanes, row_of);
	free(row_of);
	return true;
}

static bool lanes_read(struct lanes *lanes)
{
	int count;
	struct turn *turns = turns_read(lanes->graph, &count);
	lanes->id = calloc((size_t)count + 2, sizeof(*lanes->id));
	lanes->row = calloc((size_t)count + 2, sizeof(*lanes->row));
	bool ok = turns && lanes->id && lanes->row && rows_fill(lanes, turns, count);
	free(turns);
	return ok;
}

static void lanes_free(struct lanes *lanes)
{
	free(lanes->id);
	free(lanes->row);
}

/* ---- rows ---- */

struct columns {
	int number, type, move, distance, bar, goal; /* where each begins; 0: left out */
	int digits, types, distances;                /* their widths */
	int64_t most;                                /* size of a whole bar */
};

static int text_width(int64_t n)
{
	return canvas_text_width(words_count(n).text);
}

static struct columns columns_measure(const struct lanes *lanes, int width)
{
	struct columns columns = {.types = 4};
	int distances = 0;
	for (int i = 0; i < lanes->count; i++) {
		int64_t distance = lanes->id[i] ? sw_walk_node_distance(lanes->walk, lanes->id[i]) : 0;
		int width_here = canvas_text_width(words_cost(lanes->walk, distance).text);
		distances = width_here > distances ? width_here : distances;
	}
	for (int i = 0; i < lanes->graph->ahead_count; i++) {
		const struct graph_node *node = &lanes->graph->ahead[i];
		int type = node->full - (node->whole ? 4 : 2);
		columns.types = type > columns.types ? type : columns.types;
	}
	columns.most = sw_walk_largest(lanes->walk);
	columns.digits = text_width(nodes_of(lanes->graph)) + 1;
	columns.distances = distances;
	columns.number = 2 * lanes->lanes + 2;
	columns.type = columns.number + columns.digits + 1;
	int x = columns.type + columns.types + 2;
	columns.move = x + MOVE + 2 + columns.distances < width ? x : 0;
	x += columns.move ? MOVE + 2 : 0;
	columns.distance = x + columns.distances <= width ? x : 0;
	x += columns.distance ? columns.distances + 2 : 0;
	columns.bar = x + BAR + 8 < width ? x : 0;
	columns.goal = x + (columns.bar ? BAR + 2 : 0);
	return columns;
}

static enum role row_role(const struct lanes *lanes, int row, const sw_node *node)
{
	if (node->id == lanes->look->cursor.id)
		return ROLE_CURRENT;
	return node->is_goal ? ROLE_GOAL : lanes->row[row].path ? ROLE_PATH : ROLE_TEXT;
}

static void row_draw(const struct lanes *lanes, const struct columns *columns, int row, struct canvas *out, int y)
{
	sw_node node = lanes->look->cursor;
	sw_text text = {0};
	if (lanes->id[row] && !sw_walk_node(lanes->walk, lanes->id[row], &node))
		return;
	bool cursor = node.id == lanes->look->cursor.id, settled = node.id && node.state == SW_NODE_SETTLED;
	enum role role = row_role(lanes, row, &node);
	int x = 1 + lanes_column(&lanes->row[row], lanes->lanes), room = out->width;
	canvas_put_glyph(out, x, y,
		cursor      ? ROLE_CURRENT :
			settled ? ROLE_SETTLED :
					  ROLE_FRONTIER,
		settled     ? GLYPH_SETTLED :
			node.id ? GLYPH_FRONTIER :
					  GLYPH_UNSEEN);
	if (cursor)
		canvas_put_glyph(out, 0, y, ROLE_CURRENT, GLYPH_CURRENT);
	if (node.id)
		canvas_put_right(out, columns->number, y, columns->digits, role, words_count(node.id).text);
	sw_walk_print_place(lanes->walk, node.place, &text);
	canvas_put_cut(out, columns->type, y, room - columns->type, role, sw_text_get(&text));
	sw_text_clear(&text);
	if (node.is_start || !node.id)
		sw_text_add(&text, node.id ? "start" : "not seen yet");
	else
		sw_walk_print_move(lanes->walk, &node.via, &text);
	if (columns->move)
		canvas_put_cut(out, columns->move, y, MOVE, ROLE_OP, sw_text_get(&text));
	if (columns->distance && node.id)
		canvas_put_right(out, columns->distance, y, columns->distances, ROLE_NUMBER,
			words_cost(lanes->walk, node.distance).text);
	if (columns->bar)
		canvas_bar(out, columns->bar, y, BAR, ROLE_BAR, (double)node.size, (double)columns->most);
	if (node.is_goal && columns->goal + 6 <= room)
		canvas_put(out, columns->goal, y, ROLE_GOAL, "★ goal");
	sw_text_free(&text);
}

static bool row_hidden(const struct lanes *lanes, int row)
{
	const char *filter = lanes->look->filter;
	return filter && *filter && lanes->id[row] != lanes->look->cursor.id &&
		!search_node_has(lanes->walk, lanes->id[row], filter);
}

/* The rows that a filter leaves, without lanes between them. */
static void rows_filter(struct lanes *lanes)
{
	int kept = 0;
	if (!lanes->look->filter || !*lanes->look->filter)
		return;
	for (int i = 0; i < lanes->count; i++) {
		if (row_hidden(lanes, i))
			continue;
		lanes->id[kept] = lanes->id[i];
		lanes->row[kept] = (struct lane_row){.parent = -1, .lane = -1, .last = kept};
		kept++;
	}
	lanes->count = kept;
	lanes->lanes = 0;
}

/* The window moves no further than it has to so that the cursor is in it. */
static void top_follow(const struct lanes *lanes, int height, int *top)
{
	int at = -1;
	for (int i = 0; i < lanes->count; i++)
		at = lanes->id[i] == lanes->look->cursor.id ? i : at;
	*top = at >= 0 && at < *top ? at : *top;
	*top = at >= *top + height ? at - height + 1 : *top;
	*top = *top + height > lanes->count ? lanes->count - height : *top;
	*top = *top < 0 ? 0 : *top;
}

void search_lanes_draw(const struct search_graph *graph, const struct search_look *look, int height, int *top,
	struct canvas *out)
{
	struct lanes lanes = {.graph = graph, .walk = graph->walk, .look = look, .most = out->width / 5};
	if (lanes_read(&lanes)) {
		rows_filter(&lanes);
		struct columns columns = columns_measure(&lanes, out->width);
		height = height ? height : lanes.count;
		top_follow(&lanes, height, top);
		int end = *top + height < lanes.count ? *top + height : lanes.count;
		lanes_draw(&(struct lane_rows){lanes.row, lanes.count, lanes.lanes}, *top, end, out, 1, 0);
		for (int row = *top; row < end; row++)
			row_draw(&lanes, &columns, row, out, row - *top);
	} else {
		out->failed = true;
	}
	lanes_free(&lanes);
}

int search_lanes_next(const struct search_graph *graph, int id, int direction)
{
	int count, found = 0;
	struct turn *turns = turns_read(graph, &count);
	int settled = 0;
	while (turns && settled < count && turns[settled].id <= sw_walk_seen(graph->walk) &&
		sw_walk_node_order(graph->walk, turns[settled].id))
		settled++;
	int at = settled;
	for (int i = 0; i < settled; i++)
		at = turns[i].id == id ? i : at;
	at += direction;
	if (at >= 0 && at < settled)
		found = turns[at].id;
	free(turns);
	return found;
}

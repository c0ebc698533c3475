/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph: what its nodes are called, where they stand, how they look.
 */
#include "views/search_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/glyphs.h"
#include "views/draw.h"

#define PATH_MOST 256

/* ---- names ---- */

void search_node_name(const sw_walk *walk, int id, sw_text *text)
{
	int64_t tile[SW_MAX_DIMS];
	sw_walk_node_place(walk, id, tile);
	sw_text_addf(text, "%d ", id);
	sw_walk_print_place(walk, tile, text);
	sw_text_add(text, id == sw_walk_start(walk) ? " start" : id == sw_walk_goal(walk) ? " goal" : "");
}

void search_digits(const char *text, char digits[24])
{
	size_t n = 0;
	for (; *text; text++) {
		if (*text == ' ' || *text == '\xc2' || *text == '\xa0')
			continue;
		if (*text < '0' || *text > '9' || n == 22) {
			n = 0;
			break;
		}
		digits[n++] = *text;
	}
	digits[n] = '\0';
}

static bool number_has(int64_t number, const char *digits)
{
	char text[24];
	snprintf(text, sizeof(text), "%lld", (long long)number);
	return strstr(text, digits) != NULL;
}

bool search_node_has(const sw_walk *walk, int id, const char *text)
{
	char digits[24];
	sw_text name = {0};
	search_node_name(walk, id, &name);
	bool has = strstr(sw_text_get(&name), text) != NULL;
	sw_text_free(&name);
	search_digits(text, digits);
	if (has || !*digits)
		return has;
	int64_t distance = sw_walk_node_distance(walk, id);
	int parent = sw_walk_node_parent(walk, id);
	return number_has(distance, digits) ||
		(parent && number_has(distance - sw_walk_node_distance(walk, parent), digits));
}

/* ---- running ahead ---- */

static int digits_count(int64_t n)
{
	int count = 1;
	while (n /= 10)
		count++;
	return count;
}

/* Columns of a number and its place. */
static int name_length(const sw_walk *walk, int id)
{
	int64_t place[SW_MAX_DIMS];
	sw_text text = {0};
	sw_walk_node_place(walk, id, place);
	sw_text_addf(&text, "%d ", id);
	sw_walk_print_place(walk, place, &text);
	int length = (int)text.length;
	sw_text_free(&text);
	return length;
}

/* `length`: of its name. */
static struct graph_node node_read(const sw_walk *walk, int id, int length)
{
	enum { START = 6, GOAL = 2 }; /* ` start`, and `★ ` in place of ` goal` */
	bool start = id == sw_walk_start(walk), goal = id == sw_walk_goal(walk);
	int full = 1 + length + (start ? START : goal ? GOAL : 0), name = 1 + digits_count(id);
	return (struct graph_node){.size = sw_walk_node_size(walk, id),
		.parent = sw_walk_node_parent(walk, id) - 1,
		.name = name,
		.full = full,
		.whole = start || goal};
}

struct ahead {
	int64_t beats;
};

static bool ahead_goes_on(void *context, const char *what, long long done, long long total)
{
	struct ahead *ahead = context;
	(void)what;
	(void)done;
	(void)total;
	return ++ahead->beats * 65536 < SEARCH_AHEAD_EDGES;
}

/* Runs a second search as far as may be; returns whether it came to its end. */
static bool run_ahead(sw_walk *ahead)
{
	struct ahead count = {0};
	const sw_pulse pulse = {ahead_goes_on, &count};
	sw_diag why = {.code = SW_OK};
	sw_walk_pulse(ahead, &pulse);
	while (why.code == SW_OK && sw_walk_seen(ahead) <= SEARCH_AHEAD && sw_walk_edges_seen(ahead) < SEARCH_AHEAD_EDGES)
		sw_walk_step(ahead, &why);
	sw_walk_pulse(ahead, NULL);
	return why.code == SW_S07 && sw_walk_seen(ahead) <= SEARCH_AHEAD;
}

static void mark_path(struct search_graph *graph, const sw_walk *ahead)
{
	for (int id = sw_walk_goal(ahead); id; id = sw_walk_node_parent(ahead, id))
		graph->ahead[id - 1].straight = true;
}

static bool graph_begin(struct search_graph *graph)
{
	sw_walk *ahead = sw_walk_again(graph->walk, NULL);
	if (!ahead)
		return false;
	graph->whole = run_ahead(ahead);
	graph->ahead_count = sw_walk_seen(ahead);
	graph->ahead = calloc((size_t)graph->ahead_count + 1, sizeof(*graph->ahead));
	graph->orders = calloc((size_t)graph->ahead_count + 1, sizeof(*graph->orders));
	bool ok = graph->ahead && graph->orders;
	for (int i = 0; ok && i < graph->ahead_count; i++) {
		graph->ahead[i] = node_read(ahead, i + 1, name_length(ahead, i + 1));
		graph->orders[i] = sw_walk_node_order(ahead, i + 1);
		graph->ahead[i].name = graph->whole ? graph->ahead[i].name : 6;
	}
	if (ok && graph->whole)
		mark_path(graph, ahead);
	if (graph->whole)
		graph->future = ahead;
	else
		sw_walk_free(ahead);
	return ok;
}

void search_graph_forget(struct search_graph *graph)
{
	graph_layout_free(&graph->layout);
	free(graph->ahead);
	free(graph->orders);
	free(graph->length);
	sw_walk_free(graph->future);
	*graph = (struct search_graph){0};
}

/* ---- places ---- */

static int label_width(const sw_walk *walk, int width)
{
	int label = canvas_text_width(words_count(sw_walk_largest(walk)).text);
	return label < width / 4 ? label : width / 4;
}

int search_graph_first(const struct search_graph *graph, int width)
{
	return label_width(graph->walk, width) + 2;
}

static bool graph_place(struct search_graph *graph, int width, int height)
{
	struct graph_layout *layout = &graph->layout;
	if (layout->count && layout->width == width && layout->height == height)
		return true;
	if (graph->whole)
		return graph_layout_make(layout, graph->ahead, graph->ahead_count, width, height);
	return graph_layout_rows(layout, graph->ahead, graph->ahead_count, width, height);
}

/* Lengths of names are found once: all nodes are placed anew where the picture has another size. */
static bool lengths_grow(struct search_graph *graph, int seen)
{
	if (graph->lengths > seen)
		graph->lengths = seen;
	if (graph->lengths_room < seen) {
		int room = 2 * seen;
		int *length = realloc(graph->length, (size_t)room * sizeof(*length));
		if (!length)
			return false;
		graph->length = length;
		graph->lengths_room = room;
	}
	for (; graph->lengths < seen; graph->lengths++)
		graph->length[graph->lengths] = name_length(graph->walk, graph->lengths + 1);
	return true;
}

/* Nodes that came, or were taken back, since the picture was drawn last. */
static bool graph_grow(struct search_graph *graph)
{
	struct graph_layout *layout = &graph->layout;
	int seen = sw_walk_seen(graph->walk);
	bool ok = true;
	if (graph->whole)
		return true;
	graph_layout_drop(layout, seen > graph->ahead_count ? seen : graph->ahead_count);
	ok = layout->count >= seen || lengths_grow(graph, seen);
	while (ok && layout->count < seen) {
		struct graph_node node = node_read(graph->walk, layout->count + 1, graph->length[layout->count]);
		node.name = 1 + digits_count(layout->count + 1);
		ok = graph_layout_add(layout, &node);
	}
	return ok;
}

bool search_graph_follow(struct search_graph *graph, const sw_walk *walk, int number, int width, int height)
{
	if (graph->walk != walk || graph->number != number || !graph->ahead) {
		search_graph_forget(graph);
		graph->walk = walk;
		graph->number = number;
		if (!graph_begin(graph))
			return false;
	}
	int columns = width - label_width(walk, width) - 3, rows = height ? height - 1 : 0;
	columns = columns < 8 ? 8 : columns;
	rows = height && rows < 1 ? 1 : rows;
	return graph_place(graph, columns, rows) && graph_grow(graph);
}

bool search_graph_hides(const struct search_graph *graph)
{
	for (int i = 0; i < graph->layout.strips; i++)
		if (graph->layout.strip[i].spare && graph->layout.strip[i].nodes > graph->layout.strip[i].shown)
			return true;
	return false;
}

bool search_graph_brackets(const struct search_graph *graph)
{
	return !graph->layout.tree && graph->layout.gutter > 1;
}

/* ---- how nodes look ---- */

struct showing {
	const sw_walk *walk;
	struct search_look *look;
	int path[PATH_MOST], path_length;
};

static bool on_path(const struct showing *showing, int id)
{
	for (int i = 0; i < showing->path_length; i++)
		if (showing->path[i] == id)
			return true;
	return false;
}

/* The node under the cursor never is. */
static bool is_filtered(const struct showing *showing, int id)
{
	const char *filter = showing->look->filter;
	return filter && *filter && id != showing->look->cursor.id && !search_node_has(showing->walk, id, filter);
}

static bool node_look(void *context, int node, struct graph_look *look)
{
	const struct showing *showing = context;
	const sw_walk *walk = showing->walk;
	int id = node + 1;
	if (id < 1 || id > sw_walk_seen(walk) || is_filtered(showing, id))
		return false;
	bool settled = sw_walk_node_order(walk, id) > 0, path = on_path(showing, id);
	look->sign = settled ? GLYPH_SETTLED : GLYPH_FRONTIER;
	look->role = id == sw_walk_goal(walk) ? ROLE_GOAL : path ? ROLE_PATH : settled ? ROLE_SETTLED : ROLE_FRONTIER;
	look->parent = sw_walk_node_parent(walk, id) - 1;
	if (look->parent >= 0 && is_filtered(showing, look->parent + 1))
		look->parent = -1;
	look->path = path && look->parent >= 0;
	return true;
}

static void node_name(void *context, int node, bool full, sw_text *text)
{
	const struct showing *showing = context;
	int64_t tile[SW_MAX_DIMS];
	sw_text_addf(text, "%d", node + 1);
	if (!full)
		return;
	sw_walk_node_place(showing->walk, node + 1, tile);
	sw_text_add_char(text, ' ');
	sw_walk_print_place(showing->walk, tile, text);
	sw_text_add(text,
		node + 1 == sw_walk_goal(showing->walk)      ? " ★" :
			node + 1 == sw_walk_start(showing->walk) ? " start" :
													   "");
}

static void size_name(void *context, int64_t size, sw_text *text)
{
	(void)context;
	sw_text_add(text, words_count(size).text);
}

/* The operation by which its parent leads to a node. */
static void way_name(void *context, int node, sw_text *text)
{
	const struct showing *showing = context;
	sw_node read;
	if (sw_walk_node(showing->walk, node + 1, &read) && read.parent)
		sw_walk_print_move(showing->walk, &read.via, text);
}

/* The best path to the goal, or to the node under the cursor. */
static void path_read(struct showing *showing)
{
	int end = sw_walk_goal(showing->walk);
	end = end ? end : showing->look->cursor.id;
	int length = sw_walk_path(showing->walk, end, NULL, 0);
	showing->path_length = length < PATH_MOST ? length : PATH_MOST;
	sw_walk_path(showing->walk, end, showing->path, showing->path_length);
}

/* ---- the wall ---- */

/* Draws the wall; the local types that refused edges would lead to stand on it, and their columns in `columns`. */
static void wall_draw(const struct showing *showing, const struct search_graph *graph, struct canvas *out, int y,
	int *columns)
{
	const sw_walk *walk = showing->walk;
	const sw_problem *problem = sw_walk_problem(walk);
	const struct search_look *look = showing->look;
	int label = label_width(walk, out->width);
	char text[160];
	for (int i = 0; i < look->edge_count; i++)
		columns[i] = -1;
	if (!problem) {
		canvas_put_cut(out, 0, y, out->width, ROLE_LABEL, "terms not yet added");
		return;
	}
	snprintf(text, sizeof(text), " memory budget: %s ",
		words_size(sw_walk_largest(walk), problem->from.dtype, sw_walk_unit(walk)).text);
	canvas_hline(out, 0, y, out->width, ROLE_WALL, LINE_HEAVY);
	int x = canvas_put_cut(out, 2, y, out->width - 2, ROLE_WALL, text) + 1;
	x = x < label + 4 ? label + 4 : x;
	for (int i = 0; i < look->edge_count; i++) {
		const sw_edge *edge = &look->edges[i];
		sw_text name = {0};
		if (edge->state != SW_EDGE_REFUSED || edge->size <= sw_walk_largest(walk))
			continue;
		sw_text_add(&name, "█");
		sw_walk_print_place(walk, edge->place, &name);
		sw_text_addf(&name, " %s", words_count(edge->size).text);
		int width = canvas_text_width(sw_text_get(&name));
		if (x + width + 1 < out->width && x < label + 3 + graph->layout.width) {
			columns[i] = x;
			x = canvas_put(out, x, y, ROLE_WALL, sw_text_get(&name)) + 2;
		}
		sw_text_free(&name);
	}
}

/* ---- edges ---- */

/* The number that a local type has, or will have once it is seen; 0: nobody knows. */
static int future_id(const struct search_graph *graph, const int64_t *tile)
{
	sw_node node;
	return sw_walk_node_at(graph->future ? graph->future : graph->walk, tile, &node, NULL) ? node.id : 0;
}

/* The node that an edge would lead to, in the layout; -1: it has no place, or is hidden. */
static int edge_end(const struct showing *showing, const struct search_graph *graph, const sw_edge *edge)
{
	size_t bytes = sizeof(int64_t) * (size_t)sw_walk_places(showing->walk);
	bool nowhere = edge->state == SW_EDGE_REFUSED &&
		(edge->size > sw_walk_largest(showing->walk) || !memcmp(edge->place, showing->look->cursor.place, bytes));
	int id = nowhere ? 0 : edge->node ? edge->node : future_id(graph, edge->place);
	return id && id <= sw_walk_seen(showing->walk) && is_filtered(showing, id) ? -1 : id - 1;
}

static int edges_read(const struct showing *showing, const struct search_graph *graph, const int *columns,
	struct graph_edge *edges)
{
	const struct search_look *look = showing->look;
	int count = 0;
	for (int i = 0; i < look->edge_count; i++) {
		const sw_edge *edge = &look->edges[i];
		bool refused = edge->state == SW_EDGE_REFUSED;
		int node = edge_end(showing, graph, edge);
		if (node < 0 && columns[i] < 0)
			continue;
		edges[count++] = (struct graph_edge){.node = columns[i] >= 0 ? -1 : node,
			.column = columns[i],
			.refused = refused,
			.role = i == look->edge ? ROLE_OP :
				refused             ? ROLE_WALL :
									  ROLE_DIM};
	}
	return count;
}

/* A node under the cursor that was never seen stands where it will be seen, or at the end of its level. */
static void unseen_draw(const struct showing *showing, const struct search_graph *graph, struct canvas *out, int y)
{
	const sw_node *node = &showing->look->cursor;
	const struct graph_layout *layout = &graph->layout;
	sw_text text = {0};
	if (node->id || !node->size)
		return;
	sw_text_add(&text, "▶◌ ");
	sw_walk_print_place(showing->walk, node->place, &text);
	sw_text_addf(&text, " not seen yet%s", node->is_goal ? " ★" : "");
	int id = future_id(graph, node->place), width = canvas_text_width(sw_text_get(&text));
	const struct graph_place *place = id && id <= layout->count ? &layout->place[id - 1] : NULL;
	int row = place ? place->y : layout->strip[graph_strip_of(layout, node->size)].y;
	int left = label_width(showing->walk, out->width) + 3, x = place ? left + place->x - 1 : out->width;
	x = x + width > out->width ? out->width - width : x;
	x = x < 0 ? 0 : x;
	canvas_put_cut(out, x, y + (row < 0 ? 0 : row), out->width - x, ROLE_CURRENT, sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- the picture ---- */

int search_graph_draw(const struct search_graph *graph, struct search_look *look, struct canvas *out, int y)
{
	struct showing showing = {.walk = graph->walk, .look = look};
	const struct graph_source source = {&showing, node_look, node_name, size_name, way_name};
	size_t room = (size_t)look->edge_count + 1;
	int *columns = calloc(room, sizeof(*columns)), kept[PATH_MOST];
	struct graph_edge *edges = calloc(room, sizeof(*edges));
	out->failed |= !columns || !edges;
	if (columns && edges) {
		path_read(&showing);
		wall_draw(&showing, graph, out, y, columns);
		for (int i = 0; i < showing.path_length; i++)
			kept[i] = showing.path[i] - 1;
		struct graph_picture picture = {.layout = &graph->layout,
			.source = &source,
			.top = y + 1,
			.label = label_width(graph->walk, out->width),
			.cursor = look->cursor.id - 1,
			.kept = kept,
			.kept_count = showing.path_length,
			.edges = edges,
			.edge_count = edges_read(&showing, graph, columns, edges),
			.spots = look->spots,
			.spot_room = look->spot_room};
		graph_draw(&picture, out);
		look->spot_count = picture.spot_count;
		unseen_draw(&showing, graph, out, y + 1);
	}
	free(columns);
	free(edges);
	int rows = graph->layout.used > graph->layout.height ? graph->layout.used : graph->layout.height;
	return y + 1 + rows;
}

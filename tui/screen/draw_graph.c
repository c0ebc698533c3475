/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph as it stands on the screen: a level for each local size, the largest on top under the wall of
 * the budget; nodes in boxes where there is room, else in rows; large levels show the part around the walk.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "views/draw.h"

#define PATH_MOST 256

struct picture {
	struct screen *screen;
	const struct graph_index *graph;
	const sw_walk *walk;
	struct canvas *out;
	sw_node chosen;
	int path[PATH_MOST], path_length;
	const struct edge_list *edges;
	int label, cell, per_row; /* columns of sizes, of a node; nodes in a row */
	int tall;                 /* rows of a node: 3 in boxes, else 1 */
	int chosen_level;
};

static bool has_id(const int *ids, int count, int id)
{
	for (int i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* ---- one node ---- */

/* What leads there from the chosen node: '>' the chosen edge, '-' another one. */
static char node_reached(const struct picture *picture, int id)
{
	const struct edge_list *edges = picture->edges;
	for (int i = 0; edges && i < edges->count; i++)
		if (edges->edges[i].node == id && edges->edges[i].state != SW_EDGE_REFUSED)
			return edges->edges[i].node == edges->edges[picture->screen->viewpoint.edge % edges->count].node ? '>' :
																											   '-';
	return 0;
}

static enum role node_role(const struct picture *picture, const sw_node *node, bool path)
{
	if (node->id == picture->chosen.id)
		return ROLE_CURRENT;
	if (node->is_goal)
		return ROLE_GOAL;
	return path ? ROLE_PATH : node->state == SW_NODE_SETTLED ? ROLE_SETTLED : ROLE_FRONTIER;
}

static enum role node_text(const struct picture *picture, int id, sw_text *text)
{
	sw_node node;
	sw_text_clear(text);
	if (!sw_walk_node(picture->walk, id, &node))
		return ROLE_DIM;
	bool path = has_id(picture->path, picture->path_length, id);
	char reached = node_reached(picture, id);
	sw_text_add(text, id == picture->chosen.id ? "▶" : reached == '>' ? "→" : reached ? "-" : " ");
	sw_text_add(text, node.state == SW_NODE_SETTLED ? "●" : "○");
	sw_text_addf(text, "%d ", id);
	sw_type_print_tile(node.tile, sw_walk_problem(picture->walk)->from.rank, text);
	sw_text_addf(text, " %lld%s", (long long)node.distance, path ? " ★" : "");
	sw_text_add(text, node.is_start ? " start" : node.is_goal ? " goal" : "");
	return node_role(picture, &node, path);
}

static void spot_add(struct picture *picture, int x, int y, int id)
{
	struct spots *spots = &picture->screen->spots;
	if (spots->count < SPOTS_MOST)
		spots->spot[spots->count++] = (struct spot){x, y, picture->cell, picture->tall, id};
}

static void node_draw(struct picture *picture, int x, int y, int id)
{
	sw_text text = {0};
	enum role role = node_text(picture, id, &text);
	bool chosen = id == picture->chosen.id;
	int inside = picture->tall == 3 ? 1 : 0;
	if (inside)
		canvas_box(picture->out, x, y, picture->cell, 3, chosen ? ROLE_TITLE : ROLE_BORDER, chosen ? LINE_HEAVY : 0);
	canvas_put_cut(picture->out, x + inside, y + inside, picture->cell - 2 * inside, role, sw_text_get(&text));
	spot_add(picture, x, y, id);
	sw_text_free(&text);
}

/* ---- one level ---- */

/* The place in a level around which it is shown: the chosen node, else one on the best path, else its first. */
static int level_middle(const struct picture *picture, const struct graph_level *level)
{
	int place = graph_place_of(level, picture->chosen.id);
	for (int i = 0; place < 0 && i < picture->path_length; i++)
		place = graph_place_of(level, picture->path[i]);
	return place < 0 ? 0 : place;
}

/* Draws a level in `rows` rows of nodes; returns the next row. */
static int level_draw(struct picture *picture, int y, const struct graph_level *level, int rows)
{
	int room = rows * picture->per_row, from = 0, x = picture->label + 3;
	if (level->count > room) {
		from = level_middle(picture, level) / picture->per_row - (rows - 1) / 2;
		int last = (level->count + picture->per_row - 1) / picture->per_row - rows;
		from = (from < 0 ? 0 : from > last ? last : from) * picture->per_row;
	}
	int shown = level->count - from < room ? level->count - from : room;
	int height = (shown + picture->per_row - 1) / picture->per_row * picture->tall;
	canvas_put_right(picture->out, 0, y + picture->tall / 2, picture->label, ROLE_NUMBER,
		words_count(level->size).text);
	for (int i = 0; i < height; i++)
		canvas_lines(picture->out, picture->label + 1, y + i, ROLE_BORDER, LINE_UP | LINE_DOWN);
	for (int i = 0; i < shown; i++)
		node_draw(picture, x + i % picture->per_row * (picture->cell + 1), y + i / picture->per_row * picture->tall,
			level->ids[from + i]);
	return y + height;
}

/* How many of a level are left out stands at its right end. */
static void level_rest(struct picture *picture, int y, const struct graph_level *level, int rows)
{
	char text[100];
	int rest = level->count - rows * picture->per_row;
	if (rest <= 0)
		return;
	snprintf(text, sizeof(text), " +%s", words_count(rest).text);
	int width = canvas_text_width(text);
	canvas_put(picture->out, picture->out->width - width, y - 1, ROLE_DIM, text);
}

/* ---- all levels ---- */

static int rows_needed(const struct picture *picture, int level)
{
	return (picture->graph->levels[level].count + picture->per_row - 1) / picture->per_row;
}

static long rows_of_all(const struct picture *picture)
{
	long rows = 0;
	for (int i = 0; i < picture->graph->level_count; i++)
		rows += rows_needed(picture, i);
	return rows;
}

static int level_rows(const struct picture *picture, int level, int height, bool all)
{
	int needed = rows_needed(picture, level);
	int most = all ? needed : level == picture->chosen_level ? (height / 3 > 1 ? height / 3 : 1) : 1;
	return needed < most ? needed : most;
}

static int levels_folded(struct picture *picture, int y, int from, int to)
{
	int64_t nodes = 0;
	for (int i = from; i < to; i++)
		nodes += picture->graph->levels[i].count;
	canvas_put_right(picture->out, 0, y, picture->label, ROLE_DIM, "…");
	canvas_lines(picture->out, picture->label + 1, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	canvas_putf(picture->out, picture->label + 3, y, ROLE_DIM, "%s, %s",
		words_plural(to - from, "level", "levels").text, words_plural(nodes, "node", "nodes").text);
	return y + 1;
}

/* The levels that fit, around the chosen one. */
static void levels_fit(const struct picture *picture, int height, bool all, int *first, int *end)
{
	int count = picture->graph->level_count, at = picture->chosen_level < 0 ? 0 : picture->chosen_level;
	int rows = count ? level_rows(picture, at, height, all) * picture->tall : 0;
	*first = at;
	*end = count ? at + 1 : 0;
	for (bool more = true; more;) {
		more = false;
		int room = height - rows - (*first > 0) - (*end < count);
		if (*end < count && level_rows(picture, *end, height, all) * picture->tall <= room) {
			rows += level_rows(picture, (*end)++, height, all) * picture->tall;
			more = true;
		}
		room = height - rows - (*first > 0) - (*end < count);
		if (*first > 0 && level_rows(picture, *first - 1, height, all) * picture->tall <= room) {
			rows += level_rows(picture, --*first, height, all) * picture->tall;
			more = true;
		}
	}
}

static void levels_draw(struct picture *picture, int y, int height)
{
	int first, end;
	long rows = rows_of_all(picture);
	bool all = rows <= height;
	picture->tall = rows * 3 <= height && picture->cell >= 8 ? 3 : 1;
	levels_fit(picture, height, all, &first, &end);
	if (first > 0)
		y = levels_folded(picture, y, 0, first);
	for (int i = first; i < end; i++) {
		int shown = level_rows(picture, i, height, all);
		y = level_draw(picture, y, &picture->graph->levels[i], shown);
		level_rest(picture, y, &picture->graph->levels[i], shown);
	}
	if (end < picture->graph->level_count)
		levels_folded(picture, y, end, picture->graph->level_count);
}

/* ---- the wall ---- */

/* With refused edges shown: what stands above the budget, beyond the wall. */
static int beyond_draw(struct picture *picture, int y)
{
	sw_text text = {0};
	int rank = sw_walk_problem(picture->walk)->from.rank, x = picture->label + 3;
	for (int i = 0; picture->edges && picture->screen->viewpoint.refused && i < picture->edges->count; i++) {
		const sw_edge *edge = &picture->edges->edges[i];
		if (edge->state != SW_EDGE_REFUSED || edge->localsize <= sw_walk_budget(picture->walk))
			continue;
		sw_text_clear(&text);
		sw_text_add(&text, "█");
		sw_type_print_tile(edge->tile, rank, &text);
		sw_text_addf(&text, " %lld", (long long)edge->localsize);
		if (x + canvas_text_width(sw_text_get(&text)) > picture->out->width)
			break;
		x = canvas_put(picture->out, x, y, ROLE_WALL, sw_text_get(&text)) + 2;
	}
	sw_text_free(&text);
	return x > picture->label + 3 ? y + 1 : y;
}

static int wall_draw(struct picture *picture, int y)
{
	char text[160];
	y = beyond_draw(picture, y);
	snprintf(text, sizeof(text), " wall: budget of %s ",
		words_size(sw_walk_budget(picture->walk), sw_walk_problem(picture->walk)->from.dtype,
			sw_walk_unit(picture->walk))
			.text);
	canvas_hline(picture->out, 0, y, picture->out->width, ROLE_WALL, LINE_HEAVY);
	canvas_put_cut(picture->out, picture->label + 1, y, picture->out->width - picture->label - 1, ROLE_WALL, text);
	return y + 1;
}

/* A node that was chosen along an edge, and that the search has not seen yet. */
static int unseen_draw(struct picture *picture, int y)
{
	sw_text text = {0};
	if (picture->chosen.id)
		return y;
	sw_text_add(&text, "▶◌ ");
	sw_type_print_tile(picture->chosen.tile, sw_walk_problem(picture->walk)->from.rank, &text);
	sw_text_addf(&text, " size %lld, not seen yet%s", (long long)picture->chosen.localsize,
		picture->chosen.is_goal ? " goal" : "");
	canvas_put_cut(picture->out, picture->label + 3, y, picture->out->width - picture->label - 3, ROLE_CURRENT,
		sw_text_get(&text));
	sw_text_free(&text);
	return y + 1;
}

/* ---- the picture ---- */

/* The longest name of the first, the last and the chosen node of every level. */
static int name_width(const struct picture *picture)
{
	const struct graph_index *graph = picture->graph;
	size_t most = 0;
	sw_text text = {0};
	for (int i = 0; i < graph->level_count; i++) {
		const struct graph_level *level = &graph->levels[i];
		const int ids[] = {level->ids[0], level->ids[level->count - 1], level->ids[level_middle(picture, level)]};
		for (size_t k = 0; k < sizeof(ids) / sizeof(*ids); k++) {
			sw_text_clear(&text);
			graph_name(picture->walk, ids[k], &text);
			most = text.length > most ? text.length : most;
		}
	}
	sw_text_free(&text);
	return (int)most;
}

static void picture_measure(struct picture *picture)
{
	sw_node last;
	int width = picture->out->width;
	picture->label = canvas_text_width(words_count(sw_walk_budget(picture->walk)).text);
	picture->label = picture->label < width / 4 ? picture->label : width / 4;
	long long distance = sw_walk_node(picture->walk, picture->graph->seen, &last) ? last.distance : 0;
	char number[32];
	picture->cell = name_width(picture) + 5 + snprintf(number, sizeof(number), " %lld", distance) + 1;
	int room = width - picture->label - 3;
	picture->cell = picture->cell > room ? room : picture->cell;
	picture->per_row = (room + 1) / (picture->cell + 1);
	picture->per_row = picture->per_row < 1 ? 1 : picture->per_row;
}

static void path_read(struct picture *picture)
{
	int end = sw_walk_goal(picture->walk);
	end = end ? end : picture->chosen.id;
	int length = sw_walk_path(picture->walk, end, NULL, 0);
	picture->path_length = length < PATH_MOST ? length : PATH_MOST;
	sw_walk_path(picture->walk, end, picture->path, picture->path_length);
}

static void frame_fill(const struct picture *picture, struct frame *frame)
{
	sw_text text = {0};
	const sw_node *node = &picture->chosen;
	sw_text_addf(&text, node->id ? "node %d " : "unseen ", node->id);
	sw_type_print_tile(node->tile, sw_walk_problem(picture->walk)->from.rank, &text);
	if (node->id)
		sw_text_addf(&text, ", distance %lld", (long long)node->distance);
	if (*picture->graph->filter)
		sw_text_addf(&text, " &%s", picture->graph->filter);
	snprintf(frame->object, sizeof(frame->object), "%.95s", sw_text_get(&text));
	sw_text_free(&text);
	frame->at = node->id;
	frame->of = picture->graph->seen;
	frame->scrolls = true;
}

bool draw_graph(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	sw_walk *walk;
	struct picture picture = {.screen = screen, .graph = &screen->graph, .out = out};
	if (!session_walk(screen->session, &walk, diag) || !screen_node(screen, &picture.chosen))
		return false;
	graph_follow(&screen->graph, walk, screen->session->state.walk->number, screen->filter[PANE_GRAPH].text);
	canvas_reset(out, width);
	picture.walk = walk;
	picture.edges = edges_of_node(screen);
	path_read(&picture);
	picture_measure(&picture);
	picture.chosen_level = graph_level_of(picture.graph, picture.chosen.localsize);
	screen->spots.count = 0;
	screen->spots.per_row = picture.per_row;
	int y = unseen_draw(&picture, wall_draw(&picture, 0));
	levels_draw(&picture, y, height - y);
	if (!picture.graph->level_count)
		draw_note(out, 0, y, ROLE_NOTE, "no node has '%s'; Esc takes the filter away", picture.graph->filter);
	frame_fill(&picture, frame);
	return !screen->graph.failed || sw_diag_memory(diag);
}

/* ---- moving ---- */

void graph_choose(struct screen *screen, int id)
{
	screen->viewpoint.edge = 0;
	screen_do(screen, true, "goto %d", id);
}

/* The node next to the chosen one: across in its level, down by rows, and from level to level. */
static int neighbour(const struct screen *screen, const sw_node *node, int across, int down)
{
	const struct graph_index *graph = &screen->graph;
	int at = graph_level_of(graph, node->localsize);
	int per_row = screen->spots.per_row ? screen->spots.per_row : 1;
	int place = at < 0 ? -1 : graph_place_of(&graph->levels[at], node->id);
	if (place < 0)
		return graph->level_count ? graph->levels[0].ids[0] : 0;
	int next = place + across + down * per_row;
	const struct graph_level *level = &graph->levels[at];
	bool row_there = down > 0 ? next / per_row <= (level->count - 1) / per_row : next >= 0;
	if (!down || row_there) {
		next = down && next >= level->count ? level->count - 1 : next;
		return next >= 0 && next < level->count ? level->ids[next] : 0;
	}
	int other = at + (down > 0 ? 1 : -1);
	if (other < 0 || other >= graph->level_count)
		return 0;
	level = &graph->levels[other];
	int column = place % per_row, last = (level->count - 1) / per_row * per_row;
	next = column + (down > 0 ? 0 : last);
	return level->ids[next < level->count ? next : level->count - 1];
}

bool move_graph(struct screen *screen, int across, int down)
{
	sw_node node;
	int64_t steps = across + down > 0 ? across + down : -(across + down);
	int id = 0;
	if (!screen_node(screen, &node))
		return false;
	for (; steps > 0; steps--) {
		int next = neighbour(screen, &node, across ? (across > 0) - (across < 0) : 0, (down > 0) - (down < 0));
		if (!next || !sw_walk_node(screen->graph.walk, next, &node))
			break;
		id = next;
	}
	if (id)
		graph_choose(screen, id);
	else
		screen_say(screen, ROLE_NOTE, "no node is further that way");
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph, drawn: places that stay, edges that do not cross, pictures as they were.
 */
#define _GNU_SOURCE
#include <locale.h>

#include "canvas/lanes.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "kit/stage.h"

#define FIGURE_13_SMALL "mesh {a: 2, b: 2, c: 2}\n[8, 8{c}16, 64] ~> [2{c,a}8, 16, 32{b}64]"
#define FIGURE_13_P2 "mesh {a: 2, b: 2, c: 2}\n[80, 40{c}80, 72, 64] ~> [40{b}80, 80, 36{c}72, 64]"
#define FIGURE_13_P3 "mesh {a: 2, b: 2, c: 2}\n[296, 360, 156{c}312] ~> [74{b,c}296, 180{a}360, 312]"

static struct session session;

static struct screen *opened(const char *lines, const char *view)
{
	struct screen *screen = stage_open(&session, lines);
	type_lines(screen, view);
	return screen;
}

static bool is_drawn(const struct screen *screen, int id)
{
	for (int i = 0; i < screen->spots.count; i++)
		if (screen->spots.spot[i].node == id - 1)
			return true;
	return false;
}

/* ---- pictures ---- */

static const struct scene {
	const char *name, *lines, *keys;
} scenes[] = {
	{"graph-p1", STAGE_FIGURE_13_P1, "f"},
	{"graph-start", STAGE_FIGURE_13_P1, ""},
	{"graph-level", STAGE_ONE_LEVEL, "f u"},
	{"graph-upwards", STAGE_UPWARDS, "f u r"},
	{"graph-beyond", "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", "s s r"},
	{"graph-many", STAGE_MANY, "s s s s s s s s"},
	{"graph-lanes", STAGE_ONE_LEVEL, "f v k k"},
};

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	sw_text found = {0};
	struct screen *screen = opened(scene->lines, "layout one");
	look(screen, 80, 24, NULL);
	press(screen, scene->keys);
	pictures_add(screen, &found);
	assert_snapshot("screens", scene->name, sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

/* The view as an answer draws it, without its heading and the words below. */
static void drawn(const char *lines, int width, sw_text *text)
{
	struct screen *screen = opened(lines, "finish");
	struct search_graph graph = {0};
	struct search_look look = {.edge = -1};
	struct canvas canvas = {0};
	canvas_reset(&canvas, width);
	assert_true(screen_node(screen, &look.cursor));
	assert_true(search_graph_follow(&graph, screen_walked(screen), 0, width, 0));
	search_graph_draw(&graph, &look, &canvas, 0);
	canvas_print(&canvas, &(struct canvas_style){0}, text);
	canvas_free(&canvas);
	search_graph_forget(&graph);
	stage_close(&session);
}

/* Levels from large to small, children of one size on a row below their parent, the best path heavy and straight. */
static void figure_13_is_drawn(void **state)
{
	static const char picture[] =
		"━━ memory budget: 21 196 800 elements ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n"
		"21 196 800 ┤                                ●1 [360, 184, 320] start\n"
		"           │             ╭──────────────────╂─────────┬──────────────┬─────┬──────┬─────┬──────╮\n"
		"           │             │ dynslice(0, 2)   ┃         │              │     │      │     ○8     ○9\n"
		"10 598 400 ┤             ●2 [180, 184, 320] ┃         ●4             │     ●6     │\n"
		"           │  ╭───────┬──┴──┬───────╮       ┃      ╭──┴──╮           │            │\n"
		"           │  │       │     ○12     ○13     ┃      │     ○17         │            │ dynslice(2, 4)\n"
		" 5 299 200 ┤  ●10     ●11 [180, 184, 160]   ●3     ●16               ●5           ●7 [360, 184, 80]\n"
		"           │    [180, 92, 320]      ╭───────┨ [90, 184, 320]         │            │\n"
		"           │                        ●14    ▶●15 [90, 368, 160] ★     ○18          ○19 [180, 368, 80]\n";
	sw_text found = {0};
	(void)state;
	drawn(STAGE_FIGURE_13_P1, 100, &found);
	assert_same("figure 13, P1", picture, sw_text_get(&found));
	sw_text_free(&found);
}

/* A row a node in the order of settling, a lane a parent. */
static void figure_13_has_lanes(void **state)
{
	static const char picture[] =
		" ●          1 [8, 8, 64]       start                   0  ████████████████\n"
		" ┠─●        2 [4, 8, 64]       dynslice(0, 2)          0  ████████\n"
		" ┡━┿━●      3 [2, 8, 64]       dynslice(0, 4)          0  ████\n"
		" ├─┼─╂─●    4 [8, 4, 64]       dynslice(1, 2)          0  ████████\n"
		" ├─┼─╂─┼─●  5 [8, 2, 64]       dynslice(1, 4)          0  ████\n"
		" ├─┼─╂─┼─●  6 [8, 8, 32]       dynslice(2, 2)          0  ████████\n"
		" ╰─┼─╂─┼─●  7 [8, 8, 16]       dynslice(2, 4)          0  ████\n"
		"   ├─╂─┼─● 10 [4, 4, 64]       dynslice(1, 2)          0  ████\n"
		"   ╰─╂─┼─● 11 [4, 8, 32]       dynslice(2, 2)          0  ████\n"
		"     ┃ ╰─● 16 [8, 4, 32]       dynslice(2, 2)          0  ████\n"
		"     ┠───● 14 [1, 16, 64]      alltoall(1, 0, 2)    1024  ████\n"
		"▶    ┗━━━● 15 [2, 16, 32]      alltoall(1, 2, 2)    1024  ████              ★ goal\n";
	struct screen *screen = opened(FIGURE_13_SMALL, "layout one\nfinish");
	struct search_look at = {.edge = -1};
	struct canvas canvas = {0};
	sw_text found = {0};
	int top = 0;
	(void)state;
	look(screen, 100, 40, NULL);
	assert_true(screen_node(screen, &at.cursor));
	canvas_reset(&canvas, 100);
	search_lanes_draw(&screen->places, &at, 36, &top, &canvas);
	canvas_print(&canvas, &(struct canvas_style){0}, &found);
	assert_same("lanes", picture, sw_text_get(&found));
	sw_text_free(&found);
	canvas_free(&canvas);
	stage_close(&session);
}

/* ---- places ---- */

#define NODES 4096

/* Where each node was drawn that has a place of its own; x 0: nowhere yet. */
struct seen {
	int x, y;
};

static void places_compare(const struct screen *screen, struct seen *seen, const char *name)
{
	for (int i = 0; i < screen->spots.count; i++) {
		const struct graph_spot *spot = &screen->spots.spot[i];
		if (spot->node >= NODES || screen->places.layout.place[spot->node].y < 0)
			continue;
		struct seen *was = &seen[spot->node];
		if (was->x && (was->x != spot->x || was->y != spot->y))
			fail_msg("%s: node %d moved from %d, %d to %d, %d", name, spot->node + 1, was->x, was->y, spot->x,
				spot->y);
		*was = (struct seen){spot->x, spot->y};
	}
}

static void nodes_stay_where_they_are(void **state)
{
	const struct stage_problem *problem = *state;
	for (size_t size = 0; size < COUNT(picture_sizes); size++) {
		static struct seen seen[NODES];
		struct screen *screen = opened(problem->lines, "layout walk");
		sw_node node;
		memset(seen, 0, sizeof(seen));
		for (int i = 0; i < 80 && !(i && sw_walk_done(screen_walk(screen))); i++) {
			char line[32];
			look(screen, picture_sizes[size].width, picture_sizes[size].height, NULL);
			places_compare(screen, seen, problem->name);
			assert_true(screen_node(screen, &node) && is_drawn(screen, node.id));
			snprintf(line, sizeof(line), "%s %d", i % 7 == 6 ? "back" : "step", problem->by);
			type_lines(screen, line);
		}
		look(screen, picture_sizes[size].width, picture_sizes[size].height, NULL);
		places_compare(screen, seen, problem->name);
		stage_close(&session);
	}
}

static void all_nodes_stand_there(void **state)
{
	static const char *const layouts_of[] = {"layout walk", "layout one"};
	(void)state;
	for (size_t i = 0; i < COUNT(layouts_of); i++) {
		struct screen *screen = opened(STAGE_ONE_LEVEL, layouts_of[i]);
		type_lines(screen, "finish");
		look(screen, 120, 36, NULL);
		assert_int_equal(sw_walk_seen(screen_walk(screen)), 58);
		for (int id = 1; id <= 58; id++)
			assert_true(is_drawn(screen, id));
		stage_close(&session);
	}
}

/* Start, goal, best path and cursor are in sight however small the pane is. */
static void what_matters_is_in_sight(void **state)
{
	(void)state;
	for (int height = 12; height <= 40; height += 7) {
		struct screen *screen = opened(STAGE_MANY, "layout one\nstep 200");
		const sw_walk *walk = screen_walk(screen);
		int path[64], length = sw_walk_path(walk, sw_walk_goal(walk), path, 64);
		look(screen, 60, height, NULL);
		assert_true(sw_walk_goal(walk) && length > 1 && length < 64);
		for (int i = 0; i < length; i++)
			if (!is_drawn(screen, path[i]))
				fail_msg("node %d of the best path is not in sight at 60x%d", path[i], height);
		stage_close(&session);
	}
}

/* ---- edges ---- */

static const struct crossing {
	const char *name, *lines;
	int width, height, crossings; /* -1: it stands in rows */
} crossings[] = {
	{"figure 13, P1", STAGE_FIGURE_13_P1, 88, 36, 0},
	{"figure 13, P1, small", FIGURE_13_SMALL, 70, 20, 0},
	{"figure 13, P2", FIGURE_13_P2, 100, 36, 0},
	{"figure 13, P3", FIGURE_13_P3, 100, 36, 0},
	{"example 3.1", "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", 70, 20, 0},
	{"figure 13, P2, small", "mesh {a: 2, b: 2, c: 2}\n[16, 8{c}16, 8, 64] ~> [8{b}16, 16, 4{c}8, 64]", 100, 36, 0},
	{"figure 13, P3, small", "mesh {a: 2, b: 2, c: 2}\n[8, 8, 4{c}8] ~> [2{b,c}8, 4{a}8, 8]", 100, 36, 0},
	{"figure 13, P4", "mesh {a: 2, b: 2, c: 2}\n[8{c}16, 16, 16, 8{a}16, 16, 8{b}16] ~> [16, 16, 16, 16, 16, 8{a}16]",
		100, 36, -1},
	{"figure 13, P4, small", "mesh {a: 2, b: 2, c: 2}\n[2{c}4, 4, 4, 2{a}4, 4, 2{b}4] ~> [4, 4, 4, 4, 4, 2{a}4]", 100,
		36, -1},
	{"example 6.8", "mesh {a: 8}\n[1{a}8, 8{}8] ~> [8{}8, 1{a}8]", 100, 36, 0},
	{"example 7.1", "mesh {a0: 2, a1: 2, a2: 2}\n[1{a0,a1,a2}8, 8] ~> [8, 1{a0,a1,a2}8]", 100, 36, 0},
	{"figure 4", "mesh {x: 4, y: 2, z: 4}\n[8{y}16, 4{x}16] ~> [16, 16]", 100, 36, 8},
	{"listing 3", "mesh {devs: 32}\n[32, 64{devs}2048] ~> [1{devs}32, 2048]", 100, 36, 0},
	{"figure 3", "mesh {xdev: 4, ydev: 4}\n[64{ydev,xdev}1024, 128] ~> [64{xdev,ydev}1024, 128]", 100, 36, 0},
	{"figure 5", "mesh {x: 4, y: 4}\n[32{x,y}512, 128] ~> [128{x}512, 32{y}128]", 100, 36, 0},
	{"figure 5, b", "mesh {x: 4, y: 4}\n[32{x}128, 512, 32{y}128] ~> [128, 32{y,x}512, 128]", 100, 36, 0},
	{"figure 5, c", "mesh {x: 4, y: 4}\n[32{x}128, 512, 32{y}128] ~> [128, 128{y}512, 128]", 100, 36, 24},
	{"principles", "mesh {x: 2, y: 2, z: 3}\n[3{x,y}12, 12] ~> [12, 2{z,y}12]", 100, 36, 4},
	{"proofs", "mesh {x: 2, y: 3, z: 2}\n[3{x}6, 2{y}6, 6] ~> [6, 6, 1{z,y}6]", 100, 36, 6},
	{"one level", STAGE_ONE_LEVEL, 62, 36, 0},
	{"one level, wide", STAGE_ONE_LEVEL, 190, 40, 0},
	{"upwards", STAGE_UPWARDS, 110, 36, 20},
};

static void edges_cross_no_more_often(void **state)
{
	const struct crossing *row = *state;
	struct screen *screen = opened(row->lines, "step");
	struct search_graph graph = {0};
	int label = 3 + canvas_text_width("21 196 800");
	assert_true(search_graph_follow(&graph, screen_walked(screen), 0, row->width + label, row->height));
	assert_int_equal(graph.layout.tree, row->crossings >= 0);
	assert_int_equal(graph_layout_crossings(&graph.layout), row->crossings < 0 ? 0 : row->crossings);
	search_graph_forget(&graph);
	stage_close(&session);
}

/* The number before the first child of a column: the lines of the brackets lead up to it. */
static int number_before(const struct canvas *canvas, int x, int y)
{
	int number = 0, tens = 1;
	while (canvas_cell_at(canvas, x, y)->lines & LINE_UP)
		y--;
	assert_true(canvas_cell_at(canvas, x, y)->lines & LINE_LEFT);
	for (x--; canvas_cell_at(canvas, x, y)->glyph >= '0' && canvas_cell_at(canvas, x, y)->glyph <= '9'; x--) {
		number += tens * (int)(canvas_cell_at(canvas, x, y)->glyph - '0');
		tens *= 10;
	}
	return number;
}

/* All nodes have a place, and their numbers and edges are there. */
static void assert_whole(const struct canvas *canvas, const struct search_look *look, const sw_walk *walk)
{
	sw_text text = {0};
	assert_int_equal(look->spot_count, sw_walk_seen(walk));
	canvas_print(canvas, &(struct canvas_style){0}, &text);
	assert_non_null(strstr(sw_text_get(&text), "] start"));
	assert_non_null(strstr(sw_text_get(&text), "] ★"));
	sw_text_free(&text);
}

/* Where a graph has no room as a tree, a bracket before each node leads to the number of its parent. */
static void rows_have_edges_too(void **state)
{
	static const char *const lines[][2] =
		{{"mesh {a: 2, b: 2, c: 2}\n[8{c}16, 16, 16, 8{a}16, 16, 8{b}16] ~> [16, 16, 16, 16, 16, 8{a}16]", "finish"},
			{STAGE_MANY, "finish"},
			{"mesh {a: 64, b: 64, c: 64}\n[1{a}64, 64, 64, 1{b}64] ~> [64, 1{b}64, 1{a}64, 64]\nbudget 64x",
				"step 240"}};
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct screen *screen = opened(lines[i][0], lines[i][1]);
		const sw_walk *walk = screen_walk(screen);
		struct search_graph graph = {0};
		struct graph_spot spots[128];
		struct search_look look = {.edge = -1, .spots = spots, .spot_room = 128};
		struct canvas canvas = {0};
		canvas_reset(&canvas, 80);
		assert_true(search_graph_follow(&graph, screen_walked(screen), 0, 80, 20));
		assert_false(graph.layout.tree);
		search_graph_draw(&graph, &look, &canvas, 0);
		if (graph.whole)
			assert_whole(&canvas, &look, walk);
		assert_int_equal(graph.whole, i < 2);
		assert_true(look.spot_count > 40);
		for (int k = 0; k < look.spot_count; k++) {
			int parent = sw_walk_node_parent(walk, spots[k].node + 1);
			if (parent)
				assert_int_equal(number_before(&canvas, spots[k].x - 1, spots[k].y), parent);
		}
		canvas_free(&canvas);
		search_graph_forget(&graph);
		stage_close(&session);
	}
}

/* ---- any graph ---- */

#define RANDOM_NODES 60

static int forest(draw *from, struct graph_node *nodes, bool rises)
{
	int count = 1 + draw_below(from, RANDOM_NODES), levels = 1 + draw_below(from, 5);
	for (int i = 0; i < count; i++) {
		int parent = i ? draw_below(from, i + 1) - 1 : -1, level = draw_below(from, levels);
		int least = parent < 0 || rises ? 0 : levels - 1 - (int)nodes[parent].size;
		level = level < least ? least : level;
		nodes[i] = (struct graph_node){.size = levels - 1 - level,
			.parent = parent,
			.name = i < 9 ? 2 : 3,
			.full = 6 + draw_below(from, 8),
			.whole = draw_below(from, 9) == 0,
			.straight = draw_below(from, 5) == 0};
	}
	return count;
}

/* Names and ways stand in cells of their own, inside; each node is below or above its parent as its size is. */
static void assert_layout(const struct graph_layout *layout)
{
	static unsigned char taken[100][200];
	memset(taken, 0, sizeof(taken));
	for (int i = 0; i < layout->count; i++) {
		const struct graph_node *node = &layout->node[i];
		const struct graph_place *place = &layout->place[i];
		int name = layout->tree && (layout->full || node->whole) ? node->full : node->name;
		assert_true(place->y >= 0 || !layout->tree);
		if (place->y < 0)
			continue;
		assert_true(place->x >= 1 && place->y < layout->height);
		for (int x = place->x; x < place->x + name && layout->tree; x++) {
			assert_true(x < layout->width && !taken[place->y][x]);
			taken[place->y][x] = 1;
		}
		if (node->parent >= 0 && layout->tree) {
			int64_t above = layout->node[node->parent].size - node->size;
			int down = place->y - layout->place[node->parent].y;
			assert_true(above < 0 ? down < 0 : down > 0);
		}
	}
}

static void any_graph_is_placed(void **state)
{
	draw random = draw_start("any_graph_is_placed");
	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct graph_node nodes[RANDOM_NODES];
		struct graph_layout layout = {0};
		bool rises = draw_below(&random, 2);
		int count = forest(&random, nodes, rises);
		assert_true(
			graph_layout_make(&layout, nodes, count, 20 + draw_below(&random, 150), 4 + draw_below(&random, 60)));
		assert_layout(&layout);
		if (!rises)
			assert_int_equal(graph_layout_crossings(&layout), 0);
		graph_layout_free(&layout);
	}
}

/* Nodes that come one by one take free places of their levels, and give them back. */
static void nodes_come_and_go(void **state)
{
	draw random = draw_start("nodes_come_and_go");
	(void)state;
	for (int i = 0; i < 300; i++) {
		struct graph_node nodes[RANDOM_NODES];
		struct graph_layout layout = {0};
		struct graph_place before[RANDOM_NODES];
		int count = forest(&random, nodes, true), known = 1 + draw_below(&random, count);
		assert_true(
			graph_layout_rows(&layout, nodes, known, 20 + draw_below(&random, 80), 3 + draw_below(&random, 20)));
		for (int n = known; n < count; n++)
			assert_true(graph_layout_add(&layout, &nodes[n]));
		memcpy(before, layout.place, (size_t)count * sizeof(*before));
		graph_layout_drop(&layout, known);
		for (int n = known; n < count; n++)
			assert_true(graph_layout_add(&layout, &nodes[n]));
		for (int n = 0; n < count; n++) {
			assert_int_equal(before[n].x, layout.place[n].x);
			assert_int_equal(before[n].y, layout.place[n].y);
			for (int k = 0; k < n; k++)
				assert_true(before[n].y < 0 || before[n].y != before[k].y || before[n].x != before[k].x);
		}
		graph_layout_free(&layout);
	}
}

/* While a lane is open no other node has it. */
static void lanes_are_their_own(void **state)
{
	draw random = draw_start("lanes_are_their_own");
	(void)state;
	for (int i = 0; i < 500; i++) {
		struct lane_row rows[80];
		int count = 1 + draw_below(&random, 80);
		for (int k = 0; k < count; k++)
			rows[k] = (struct lane_row){.parent = k ? draw_below(&random, k + 1) - 1 : -1};
		int most = 1 + draw_below(&random, 70), lanes = lanes_lay_out(rows, count, most);
		assert_true(lanes <= most && lanes <= LANES_MOST);
		for (int k = 0; k < count; k++) {
			assert_true(rows[k].lane < lanes && (rows[k].lane < 0 || rows[k].last > k));
			for (int other = 0; other < k; other++)
				assert_true(rows[k].lane < 0 || rows[other].lane != rows[k].lane || rows[other].last < k);
		}
	}
}

/* ---- finding ---- */

static void numbers_are_found(void **state)
{
	struct screen *screen = opened(STAGE_FIGURE_13_P1, "layout one\nstep 10");
	sw_node node;
	(void)state;
	look(screen, 100, 40, NULL);
	press(screen, "g / 2 1 1 9 6 8 0 0 Enter");
	assert_true(screen_node(screen, &node) && node.distance == 21196800);
	press(screen, "/ Esc g / 1 0 Space 5 9 8 Space 4 0 0 Enter");
	assert_true(screen_node(screen, &node) && node.distance == 10598400);
	stage_close(&session);
}

/* A filter leaves the node under the cursor, and stands in the title once. */
static void filter_leaves_the_cursor(void **state)
{
	struct screen *screen = opened(STAGE_FIGURE_13_P1, "layout one\nstep 10\ngoto 2");
	sw_text text = {0};
	(void)state;
	look(screen, 100, 40, NULL);
	press(screen, "& 2 1 1 9 6 8 0 0 Enter");
	look(screen, 100, 40, &text);
	assert_true(is_drawn(screen, 2) && is_drawn(screen, 8) && is_drawn(screen, 9) && !is_drawn(screen, 1));
	const char *first = strstr(sw_text_get(&text), "&21196800");
	assert_non_null(first);
	assert_null(strstr(first + 1, "&21196800"));
	press(screen, "v");
	assert_true(screen->viewpoint.lanes);
	sw_text_free(&text);
	stage_close(&session);
}

/* Arrows reach every node of the picture. */
static void arrows_go_everywhere(void **state)
{
	static const char *const lines[] = {STAGE_FIGURE_13_P1, STAGE_ONE_LEVEL, STAGE_UPWARDS};
	static const int keys[] = {KEY_NAME_UP, KEY_NAME_DOWN, KEY_NAME_LEFT, KEY_NAME_RIGHT};
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct screen *screen = opened(lines[i], "layout one\nfinish\nset echo never");
		int seen = sw_walk_seen(screen_walk(screen)), waiting[64], count = 1;
		bool reached[64] = {false};
		waiting[0] = sw_walk_start(screen_walk(screen));
		reached[waiting[0]] = true;
		look(screen, 100, 40, NULL);
		for (int at = 0; at < count; at++) {
			for (size_t k = 0; k < COUNT(keys); k++) {
				sw_node node;
				graph_choose(screen, waiting[at]);
				screen_key(screen, keys[k]);
				assert_true(screen_node(screen, &node));
				if (!reached[node.id])
					waiting[count++] = node.id;
				reached[node.id] = true;
			}
		}
		assert_int_equal(count, seen);
		stage_close(&session);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(figure_13_is_drawn),
		TEST(figure_13_has_lanes),
		TEST(all_nodes_stand_there),
		TEST(what_matters_is_in_sight),
		TEST(rows_have_edges_too),
		TEST(any_graph_is_placed),
		TEST(nodes_come_and_go),
		TEST(lanes_are_their_own),
		TEST(numbers_are_found),
		TEST(filter_leaves_the_cursor),
		TEST(arrows_go_everywhere),
		ROWS(scene_is_as_before, scenes, name),
		ROWS(nodes_stay_where_they_are, stage_problems, name),
		ROWS(edges_cross_no_more_often, crossings, name),
	};
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

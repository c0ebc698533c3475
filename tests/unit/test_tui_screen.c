/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Screens without a terminal: whole pictures compared with those in tests/screens (UPDATE=1 writes them anew), and
 * what keys do.
 */
#define _GNU_SOURCE
#include <locale.h>
#include <unistd.h>

#include "kit/draw.h"
#include "host/file.h"
#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "kit/stage.h"
#include "screen/wall.h"
#include "session/live.h"
#include "session/schedules.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "views/imports.h"
#include "kit/kit.h"

static const char paper[] = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]";
static const char trades[] = "mesh {a: 2, c: 2}\n[4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]\nmodel latency";
static const char cube[] = "mesh {x: 2, y: 3, z: 2}\n[6{x}12, 4{y}12, 6{z}12] ~> [4{y}12, 6{z}12, 6{x}12]";

static const char ring[] = "mesh {x: 8}\nhardware v4p\n[2{x}16, 16] ~> [16, 16]";

static const char contexts[] =
	"system {node: 4 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 16}\nplace 1\nreduce {data} f32[1048576]\n"
	"walk reductions\n";

static const char product[] = "mesh {x: 2, y: 2}\ntype A = f32[4{x}8, 4{y}8]\ntype B = f32[4{x}8, 4{y}8]\n"
							  "einsum ij,jk->ik A, B as [4{x}8, 4{y}8]\nways 2\n";
static const char halo[] =
	"mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\ncompute y[i] = 2*x[i] - x[i-1] - x[i+1]\ntasks 15 --every 3\n";
static const char cannon[] = "mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9\n";
static const char placed[] =
	"system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 4, shard: 2}\nreduce {data} f32[1048576]\n"
	"placements\n";

static void assert_said(const struct screen *screen, const char *words)
{
	if (!strstr(screen->message, words))
		fail_msg("the message is '%s', not '%s'", screen->message, words);
}

/* ---- pictures as they were ---- */

static const struct scene {
	const char *name, *lines, *keys;
} scenes[] = {
	{"start", "", ""},
	{"graph", paper, "s s Down r"},
	{"edges", paper, "s e j"},
	{"contexts", contexts, "1"},
	{"tiles", paper, "P 2 s + E 5 , 7 Enter"},
	{"devices", cube, "P 2 t f"},
	{"heights", paper, "P 3 s"},
	{"compare", paper, "P 7"},
	{"compare-chosen", paper, "P 7 Down Down"},
	{"plan", paper, "P 4 j j"},
	{"traffic", paper, "P 5 s E 5 , 7 Enter"},
	{"mesh", paper, "P M s E 5 , 7 Enter"},
	{"mesh-down", paper, "P M s s s"},
	{"types", paper, "P Y s Z E 5 , 7 Enter"},
	{"times", paper, "6"},
	{"relation", paper, "P F"},
	{"sets", paper, "P D"},
	{"ways", product, "W Down"},
	{"program", product, "O Down"},
	{"product-tiles", product, "2"},
	{"needs", halo, "A Right"},
	{"tasks", halo, "K s s"},
	{"holds", cannon, "B s Right"},
	{"execution", cannon, "X s s Right Right"},
	{"loops", cannon, "C"},
	{"schedule-tiles", cannon, "2 s"},
	{"schedule-traffic", cannon, "5 s"},
	{"placements", placed, "F5 Down"},
	{"views", paper, "P z"},
	{"rewriting", paper, "9 s"},
	{"rounds", ring, "P H s s w s"},
	{"pareto", trades, "P 0 Down"},
	{"output", paper, "s 8"},
	{"help", paper, "?"},
	{"search", paper, "? / b u d g"},
};

static void scene_draw(const struct scene *scene, sw_text *all)
{
	struct session session;
	struct screen *screen = stage_open(&session, scene->lines);
	struct canvas canvas = {0};
	look(screen, 80, 24, NULL);
	press(screen, scene->keys);
	pictures_add(screen, all);
	screen_compose(screen, 12, 3, &canvas);
	picture_add(&canvas, 0, all);
	canvas_free(&canvas);
	stage_close(&session);
}

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	sw_text found = {0};
	scene_draw(scene, &found);
	assert_snapshot("screens", scene->name, sw_text_get(&found));
	sw_text_free(&found);
}

/* ---- the tables ---- */

static void tables_agree(void **state)
{
	(void)state;
	for (int i = 0; i < key_row_count; i++) {
		assert_non_null(action_named(sw_str_of(key_rows[i].action)));
		for (int k = 0; k < i; k++)
			assert_true(key_rows[i].key != key_rows[k].key);
	}
	for (int i = 0; i < action_count; i++)
		assert_null(command_exact(sw_str_of(actions[i].name)));
	for (int i = 0; i < PANE_COUNT; i++) {
		struct session session;
		struct screen *screen = stage_open(&session, "");
		assert_true(layout_of_view(i) >= 0);
		screen->viewpoint.view = i;
		for (int k = 0; actions_useful(screen)[k]; k++)
			assert_non_null(action_named(sw_str_of(actions_useful(screen)[k])));
		stage_close(&session);
	}
}

static void keys_have_names(void **state)
{
	(void)state;
	for (int i = 0; i < key_row_count; i++) {
		sw_text name = {0};
		key_print(key_rows[i].key, &name);
		assert_int_equal(key_named((sw_str){sw_text_get(&name), name.length}), key_rows[i].key);
		sw_text_free(&name);
	}
	assert_int_equal(key_named(sw_str_of("ä")), 0xe4);
	assert_int_equal(key_named(sw_str_of("pgdn")), KEY_NAME_PAGE_DOWN);
	assert_int_equal(key_named(sw_str_of("C-l")), 12);
	assert_int_equal(key_named(sw_str_of("nonsense")), -1);
	assert_int_equal(key_named(sw_str_of("")), -1);
}

/* All that has a key stands in the help. */
static void help_is_complete(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	struct frame frame = {0};
	struct canvas canvas = {0};
	sw_text text = {0};
	(void)state;
	assert_true(draw_help(screen, 200, 40, &canvas, &frame, NULL));
	canvas_print(&canvas, &(struct canvas_style){0}, &text);
	for (int i = 0; i < action_count; i++)
		assert_non_null(strstr(sw_text_get(&text), actions[i].about));
	for (int role = 0; role < ROLE_COUNT; role++)
		assert_non_null(strstr(sw_text_get(&text), role_about((enum role)role)));
	sw_text_free(&text);
	canvas_free(&canvas);
	stage_close(&session);
}

/* ---- keys ---- */

static void bar_has(struct screen *screen, int width, const char *words)
{
	sw_text text = {0};
	look(screen, width, 24, &text);
	const char *bar = sw_text_get(&text);
	for (const char *next = bar; next && next[1]; next = strchr(next + 1, '\n'))
		bar = next;
	if (!strstr(bar, words))
		fail_msg("no '%s' in the bar: %s", words, bar);
	sw_text_free(&text);
}

static void bar_keeps_help_and_leaving(void **state)
{
	static const char *const views[] = {"1", "e", "2", "3", "4", "5", "8", "9", "0"};
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 60, 24, NULL);
	press(screen, "P");
	for (size_t i = 0; i < COUNT(views); i++) {
		press(screen, views[i]);
		for (int width = 24; width <= 100; width += 12) {
			bar_has(screen, width, "? help");
			bar_has(screen, width, "q leave");
		}
	}
	stage_close(&session);
}

static void bar_says_what_stops(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 60, 24, NULL);
	press(screen, "P 2 c");
	bar_has(screen, 60, "Space pause");
	screen->running = false;
	screen->busy = true;
	bar_has(screen, 60, "C-c stop");
	screen->busy = false;
	stage_close(&session);
}

static void tiles_without_a_plan_step_nothing(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "2 Z s");
	assert_non_null(strstr(screen->message, "there is no plan yet; P makes one"));
	press(screen, "P s");
	assert_int_equal(plan_step(screen), 1);
	stage_close(&session);
}

static void copies_are_told_on_a_line(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "P 4 y");
	assert_non_null(strstr(screen->message, "copied"));
	assert_non_null(strstr(sw_text_get(&screen->copied), "\n"));
	for (const char *at = screen->message; *at; at++)
		assert_true((unsigned char)*at >= ' ');
	stage_close(&session);
}

static void keys_leave_a_script(void **state)
{
	struct session session, again;
	struct screen *screen = stage_open(&session, paper), *second;
	sw_node here, there;
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "s s s b Down Right e j Enter P 2 s s + 4 1");
	screen_flush_echo(screen);
	assert_non_null(strstr(sw_text_get(&screen->script), "step\nstep\nstep\nback\ngoto"));
	assert_non_null(strstr(sw_text_get(&screen->script), "show tiles --step 2 --device 0\n"));
	second = stage_open(&again, paper);
	type_lines(second, sw_text_get(&screen->script));
	assert_int_equal(again.failures, 0);
	assert_true(screen_node(screen, &here) && screen_node(second, &there));
	assert_int_equal(here.id, there.id);
	assert_int_equal(sw_walk_settled(screen_walk(screen)), sw_walk_settled(screen_walk(second)));
	assert_int_equal(second->viewpoint.view, screen->viewpoint.view);
	stage_close(&session);
	stage_close(&again);
}

static void keys_say_why_not(void **state)
{
	static const struct {
		const char *lines, *keys, *words;
	} rows[] = {
		{"", "s", "no `mesh` is defined yet"},
		{"mesh {x: 4}", "e", "no `from` is defined yet"},
		{"mesh {x: 4}\nfrom [2{x}8]", "m", "no `to` is defined yet"},
		{paper, "+", "no plan yet"},
		{paper, "t", "this works in tiles"},
		{paper, "n", "no search yet"},
		{paper, "[", "no view before"},
		{paper, "]", "no view after"},
		{paper, "b", "error[S07]"},
		{paper, "J", "J means nothing here"},
		{paper, "P 4 k", "before the first step"},
		{paper, "P 4 f j", "after the last step"},
		{paper, "P 4 R", "choose a step first"},
		{paper, "1 k", "no node is farther"},
		{paper, "6 Enter", "nothing to open"},
		{paper, "q", ""},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, rows[i].lines);
		look(screen, 80, 24, NULL);
		press(screen, rows[i].keys);
		assert_said(screen, rows[i].words);
		assert_int_equal(screen->leaving, strcmp(rows[i].keys, "q") == 0);
		assert_false(session.leaving);
		stage_close(&session);
	}
}

static void what_can_run_is_measured(void **state)
{
	static const char *const lines[] = {paper, "mesh {x: 4}\n[3{x}12] ~> [1{x,..}12]",
		"mesh {x: 4}\ntype x = [3{x}12]\ntype y = x\ny[i] = x[i-1]"};
	const struct action *measure = action_named(sw_str_of("measure"));
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, lines[i]);
		assert_null(action_refused(screen, measure));
		stage_close(&session);
	}
}

/* Every key on every view, with and without something to look at. */
static void any_key_may_be_pressed(void **state)
{
	static const char *const lines[] = {"", "mesh {x: 4}", paper, cube};
	(void)state;
	for (size_t l = 0; l < COUNT(lines); l++) {
		for (int view = 0; view < PANE_COUNT; view++) {
			struct session session;
			struct screen *screen = stage_open(&session, lines[l]);
			look(screen, 80, 24, NULL);
			screen_visit(screen, view);
			for (int i = 0; i < key_row_count; i++) {
				if (strncmp(key_rows[i].action, "save-", 5) == 0 || strcmp(key_rows[i].action, "leave-program") == 0)
					continue;
				screen_key(screen, key_rows[i].key);
				look(screen, 60 + i % 80, 10 + i % 30, NULL);
				if (screen->ask.row)
					screen_key(screen, KEY_ESC);
			}
			stage_close(&session);
		}
	}
}

static void assert_file_has(const char *name, const char *part)
{
	sw_text text = {0};
	assert_true(file_read(name, &text, NULL));
	if (!strstr(sw_text_get(&text), part))
		fail_msg("no %s in %s", part, name);
	sw_text_free(&text);
	unlink(name);
}

static void screens_and_pictures_are_saved(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	char before[4096];
	const char *folder = getenv("TMP") ? getenv("TMP") : "/tmp";
	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(folder), 0);
	press(screen, "s s 1 p S");
	assert_file_has("shardwalk-graph.txt", "memory budget: 6 elements");
	assert_file_has("shardwalk-graph.svg", "<title id=\"name0\">graph</title>");
	assert_string_equal(screen->message, "the picture is in shardwalk-graph.svg");
	screen_take_line(screen, "export svg plan.svg plan naive");
	assert_file_has("plan.svg", "strategy naive, 24 devices");
	screen_take_line(screen, "path");
	look(screen, 80, 24, NULL);
	assert_int_equal(chdir(before), 0);
	stage_close(&session);
}

static void any_size_is_survived(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	press(screen, "s s P");
	for (int layout = 0; layout < layout_count; layout++) {
		screen_layout_set(screen, layout);
		for (int width = 1; width < 220; width += width < 40 ? 1 : 17)
			for (int height = 1; height < 60; height += height < 14 ? 1 : 9)
				look(screen, width, height, NULL);
	}
	stage_close(&session);
}

static bool node_is_drawn(const struct screen *screen, int id)
{
	for (int i = 0; i < screen->spots.count; i++)
		if (screen->spots.spot[i].node == id - 1)
			return true;
	return false;
}

static void resize_keeps_what_is_chosen(void **state)
{
	static const int widths[] = {200, 40, 80, 24, 120}, heights[] = {50, 10, 24, 7, 16};
	struct session session;
	struct screen *screen = stage_open(&session, cube);
	sw_node before, after;
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "s s s s G");
	assert_true(screen_node(screen, &before));
	for (size_t i = 0; i < COUNT(widths); i++) {
		look(screen, widths[i], heights[i], NULL);
		assert_true(screen_node(screen, &after));
		assert_int_equal(before.id, after.id);
		assert_true(node_is_drawn(screen, before.id));
	}
	press(screen, "P 4 j j");
	for (size_t i = 0; i < COUNT(widths); i++) {
		look(screen, widths[i], heights[i], NULL);
		const struct pane *pane = screen_pane(screen, PANE_PLAN);
		int row = pane->frame.row - screen->viewpoint.top[PANE_PLAN];
		assert_int_equal(plan_step(screen), 2);
		assert_true(row >= 0 && row < pane->height);
	}
	stage_close(&session);
}

/* Rewritings are gone through like steps, to the last one; the plan stays where it is. */
static void rewritings_are_a_film(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "9 b");
	assert_said(screen, "this is the first rewriting");
	press(screen, "s s b Right");
	assert_int_equal(screen->viewpoint.rewriting, 3);
	assert_int_equal(screen->viewpoint.step, 0);
	press(screen, "f s");
	assert_said(screen, "this is the last rewriting");
	press(screen, "c");
	assert_int_equal(screen->viewpoint.rewriting, 1);
	while (screen->running)
		screen_tick(screen);
	assert_said(screen, "this is the last rewriting");
	assert_int_equal(screen->viewpoint.rewriting, 5);
	stage_close(&session);
}

/* The wall goes through the sizes that a tile can have; plan and search follow it, and a plan by hand stays. */
static void wall_is_a_slider(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	sw_problem problem;
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "f P 3 <");
	assert_said(screen, "does not fit");
	press(screen, ">");
	assert_said(screen, "the budget is 12 elements");
	assert_int_equal(sw_walk_largest(screen_walk(screen)), 12);
	assert_true(sw_walk_done(screen_walk(screen)));
	assert_int_equal(screen_plan(screen)->budget, 12);
	press(screen, "> <");
	assert_int_equal(screen_plan(screen)->budget, 12);
	assert_true(session_problem(&session, &problem, NULL));
	static const int64_t walls[] = {5, 6, 12, 18, 24, 36, 48, 72, 144, 0};
	for (size_t i = 0; i + 1 < COUNT(walls); i++)
		assert_int_equal(wall_next(&problem, walls[i], 1), walls[i + 1]);
	assert_int_equal(wall_next(&problem, 144, -1), 72);
	assert_int_equal(wall_next(&problem, 6, -1), 0);
	type_lines(screen, "undo\nundo\nreplace 2 allgather(1)");
	const sw_plan *plan = screen_plan(screen);
	press(screen, "3 >");
	assert_said(screen, "was not made here, so it stays");
	assert_ptr_equal(screen_plan(screen), plan);
	press(screen, "4 >");
	assert_said(screen, "this works in tiles");
	stage_close(&session);
}

/* The curve is gone through by arrows, follows the wall, and Enter takes its plan. */
static void trades_are_a_view(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, trades);
	sw_text text = {0};
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "0");
	assert_int_equal(screen->viewpoint.view, PANE_PARETO);
	int count = (int)screen_pane(screen, PANE_PARETO)->frame.of;
	assert_true(count > 1);
	press(screen, "Down Enter");
	assert_non_null(screen_plan(screen));
	assert_int_equal(screen_plan(screen)->height, session.pareto_set->plans[1]->height);
	press(screen, "Up Up Enter");
	assert_int_equal(screen_plan(screen)->height, session.pareto_set->plans[0]->height);
	look(screen, 120, 36, &text);
	assert_non_null(strstr(sw_text_get(&text), "plan 1; Enter takes it"));
	sw_text_free(&text);
	stage_close(&session);
}

/* Of strategies that were compared Enter takes the plan of the row under the cursor; without one it compares again. */
static void strategies_are_taken_from_their_table(void **state)
{
	static const int widths[] = {80, 120, 40};
	struct session session;
	struct screen *screen = stage_open(&session,
		"mesh {x: 2, y: 4}\nredistribute [4{x}8, 16] ~> [8, 2{x,y}16]\ncompare");
	sw_text text = {0};
	(void)state;
	press(screen, "7");
	for (int k = 0; k < 3; k++) {
		sw_text_clear(&text);
		look(screen, widths[k], 40, &text);
		assert_non_null(strstr(sw_text_get(&text), k < 2 ? "strategies side by side; Down chooses one" : "compare"));
	}
	look(screen, 120, 36, NULL);
	press(screen, "Down");
	sw_text_clear(&text);
	look(screen, 120, 36, &text);
	assert_non_null(strstr(sw_text_get(&text), "direct; Enter takes its plan"));
	assert_int_equal(screen_pane(screen, PANE_COMPARE)->frame.of, 4);
	press(screen, "Enter");
	look(screen, 120, 36, NULL);
	assert_int_equal(session.state.plan->plan.strategy, SW_DIRECT);
	press(screen, "7 Down Down Down Down Down Down");
	look(screen, 120, 36, NULL);
	assert_int_equal(screen_pane(screen, PANE_COMPARE)->frame.at, 4);
	press(screen, "Enter");
	assert_int_equal(session.state.plan->plan.strategy, SW_NAIVE);
	press(screen, "7 Up Up Up Up Enter");
	look(screen, 120, 36, NULL);
	assert_int_equal(screen_pane(screen, PANE_COMPARE)->frame.at, 0);
	assert_int_equal(session.state.plan->plan.strategy, SW_NAIVE);
	sw_text_free(&text);
	stage_close(&session);
}

/* Of schedules that were compared it takes them, too. */
static void schedules_are_taken_from_their_table(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session,
		"mesh {x: 3, y: 3}\ntype A = f64[3{x}9, 3{y}9]\ntype B = A\ntype C = A\ncompute A(i,j) = B(i,k) * C(k,j)\n"
		"schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(3,3))");
	sw_text text = {0};
	(void)state;
	look(screen, 120, 36, NULL);
	assert_true(screen_do(screen, false, "compare"));
	press(screen, "7");
	look(screen, 120, 36, &text);
	assert_non_null(strstr(sw_text_get(&text), "schedules side by side; Down chooses one"));
	assert_int_equal(screen_pane(screen, PANE_COMPARE)->frame.of, 0);
	sw_text_clear(&text);
	press(screen, "Down");
	look(screen, 120, 36, &text);
	assert_non_null(strstr(sw_text_get(&text), "best; Enter takes it"));
	int count = (int)screen_pane(screen, PANE_COMPARE)->frame.of;
	assert_true(count >= 10);
	for (int k = 0; k < count + 3; k++)
		press(screen, "Down");
	look(screen, 120, 36, NULL);
	assert_int_equal(screen_pane(screen, PANE_COMPARE)->frame.at, count);
	press(screen, "Up Enter");
	look(screen, 120, 36, NULL);
	assert_non_null(session_kept_schedule(&session.state));
	assert_true(session_kept_schedule(&session.state) == session.state.taken);
	assert_true(screen_do(screen, false, "schedule own"));
	assert_int_equal(session_kept_schedule(&session.state)->schedule->commands, 1);
	sw_text_free(&text);
	stage_close(&session);
}

static const char *import_line(void)
{
	static char line[512];
	const char *source = getenv("SRC");
	snprintf(line, sizeof(line), "import %s/tests/logs/warnings.log", source ? source : ".");
	return line;
}

static void imports_look_as_before(void **state)
{
	const struct scene scene = {"imports", import_line(), "I Down"};
	const void *at = &scene;
	(void)state;
	scene_is_as_before((void **)&at);
}

/* Rows of the last import: arrows choose, / filters, Enter takes one, y copies its advice. */
static void imports_are_a_view(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	sw_problem room;
	sw_text text = {0};
	(void)state;
	look(screen, 100, 30, NULL);
	press(screen, "I");
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "no table of imports shown yet"));
	press(screen, "Enter");
	assert_said(screen, "there is no row to take");
	type_lines(screen, import_line());
	press(screen, "Down");
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "row 2; Enter takes it"));
	assert_non_null(strstr(sw_text_get(&text), ">2"));
	assert_non_null(strstr(sw_text_get(&text), "In all, as often as they occur"));
	int all = (int)screen_pane(screen, PANE_IMPORTS)->frame.of;
	press(screen, "Enter");
	assert_true(session.state.has[DEFINED_FROM]);
	const sw_problem *taken = import_problem(&session.imports->imports->row[1], &room);
	assert_int_equal(session.state.from.global[0], taken->from.global[0]);
	press(screen, "/ c o p y Enter");
	look(screen, 100, 30, NULL);
	int left = (int)screen_pane(screen, PANE_IMPORTS)->frame.of;
	assert_true(left > 0 && left < all);
	press(screen, "G k k g y");
	assert_said(screen, "its advice is copied");
	assert_non_null(strstr(sw_text_get(&screen->copied), "with_sharding_constraint"));
	press(screen, "Esc & z z z z Enter");
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "no row matches"));
	press(screen, "Esc");
	look(screen, 100, 30, NULL);
	assert_int_equal(screen_pane(screen, PANE_IMPORTS)->frame.of, all);
	sw_text_free(&text);
	stage_close(&session);
}

/* A click on a head orders rows, again in reverse order; keys order and fold them. */
static void imports_have_orders(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	sw_text text = {0};
	(void)state;
	type_lines(screen, import_line());
	press(screen, "I");
	look(screen, 100, 30, &text);
	const struct pane *pane = screen_pane(screen, PANE_IMPORTS);
	assert_true(pane->frame.heads > 5);
	assert_non_null(strstr(sw_text_get(&text), "row 1; Enter takes it"));
	int saved = -1;
	for (int k = 0; k < pane->frame.heads; k++)
		saved = strcmp(pane->frame.head[k].word, "saved") == 0 ? k : saved;
	assert_true(saved >= 0);
	heads_click(screen, pane, pane->frame.head[saved].x, pane->frame.heads_y + 1);
	assert_null(screen->viewpoint.import_by);
	heads_click(screen, pane, pane->frame.head[saved].x, pane->frame.heads_y);
	assert_said(screen, "sorted by saved");
	heads_click(screen, screen_pane(screen, PANE_IMPORTS), pane->frame.head[saved].x, pane->frame.heads_y);
	assert_said(screen, "the last first");
	sw_text_clear(&text);
	look(screen, 100, 30, &text);
	assert_null(strstr(sw_text_get(&text), "row 1; Enter takes it"));
	press(screen, "% % =");
	assert_said(screen, "rows of one line are merged");
	press(screen, "= =");
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "by kind; row "));
	assert_non_null(strstr(sw_text_get(&text), "operations"));
	press(screen, "=");
	assert_said(screen, "rows are not merged");
	press(screen, "1 %");
	assert_said(screen, "only the view of imports");
	sw_text_free(&text);
	stage_close(&session);
}

/* What is no redistribution is below the rows, and alone where there are none. */
static void imports_have_collectives(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	const char *source = getenv("SRC");
	char line[512];
	sw_text text = {0};
	(void)state;
	snprintf(line, sizeof(line), "import %s/tests/hlo/traffic/rattn.hlo", source ? source : ".");
	type_lines(screen, line);
	press(screen, "I");
	look(screen, 120, 36, &text);
	assert_non_null(strstr(sw_text_get(&text), "none are in chains"));
	assert_non_null(strstr(sw_text_get(&text), "2 rings of 4"));
	press(screen, "Down Enter");
	assert_said(screen, "there is no row to take");
	snprintf(line, sizeof(line), "import %s/tests/hlo/loop.hlo", source ? source : ".");
	type_lines(screen, line);
	press(screen, "I");
	sw_text_clear(&text);
	look(screen, 120, 60, &text);
	assert_non_null(strstr(sw_text_get(&text), "are in chains"));
	sw_text_free(&text);
	stage_close(&session);
}

static void views_are_visited_again(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "P 4 j 2 s 1 [");
	assert_int_equal(screen->viewpoint.view, PANE_TILES);
	assert_int_equal(screen->viewpoint.step, 2);
	press(screen, "[");
	assert_int_equal(screen->viewpoint.view, PANE_PLAN);
	assert_int_equal(screen->viewpoint.step, 1);
	press(screen, "] ]");
	assert_int_equal(screen->viewpoint.view, PANE_GRAPH);
	press(screen, "]");
	assert_said(screen, "no view after");
	stage_close(&session);
}

static void escape_leaves_one_thing(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "s s P 2 + & x Esc c Esc");
	assert_false(screen->running);
	assert_int_equal(screen->viewpoint.device, 0);
	press(screen, "Esc");
	assert_int_equal(screen->viewpoint.device, VIEW_ALL);
	press(screen, "? & 1 Enter");
	assert_string_equal(screen->filter[PANE_HELP].text, "1");
	press(screen, "Esc");
	assert_string_equal(screen->filter[PANE_HELP].text, "");
	press(screen, "Esc");
	assert_int_equal(screen->viewpoint.view, PANE_TILES);
	press(screen, "Esc Esc Esc");
	assert_false(screen->leaving);
	stage_close(&session);
}

static void search_tells_which_match(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	sw_node node;
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "s s s / [ 6");
	assert_said(screen, "match 1 of 1 for '[6'");
	assert_true(screen_node(screen, &node) && node.place[0] == 6);
	press(screen, "Enter n");
	assert_said(screen, "wrapped around");
	press(screen, "/ q q");
	assert_said(screen, "no match for 'qq'");
	press(screen, "Esc ? / p l a n Enter");
	long long at = screen->search.at;
	press(screen, "n");
	assert_int_equal(screen->search.at, at + 1);
	press(screen, "N");
	assert_int_equal(screen->search.at, at);
	stage_close(&session);
}

/* A key that cannot act says what is missing, and only where that is what it misses. */
static void keys_say_what_is_missing(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	(void)state;
	press(screen, "f");
	assert_string_equal(screen->message, "f: no `mesh` is defined yet; for instance: mesh {x: 4, y: 6}");
	press(screen, ">");
	assert_string_equal(screen->message, ">: no `mesh` is defined yet; for instance: mesh {x: 4, y: 6}");
	press(screen, "n");
	assert_string_equal(screen->message, "n (next): no search yet; / begins one");
	press(screen, "]");
	assert_string_equal(screen->message, "] (forward): there is no view after this one");
	stage_close(&session);
}

/* A plan by hand without its other end has steps, and no picture that opens; what is asked for stays at Ctrl-L and Ctrl-Z. */
static void nothing_opens_without_a_picture(void **state)
{
	static const char by_hand[] = "mesh {x: 4}\nfrom [2{x}8]\napply allgather(0)";
	struct session session;
	struct screen *screen = stage_open(&session, by_hand);
	(void)state;
	press(screen, "V");
	look(screen, 80, 24, NULL);
	press(screen, "Enter");
	assert_said(screen, "nothing to open: the film has no picture");
	press(screen, "/ a");
	screen_key(screen, KEY_CONTROL('l'));
	assert_true(screen->redraw);
	screen_key(screen, KEY_CONTROL('z'));
	assert_true(screen->suspend);
	assert_string_equal(screen->ask.text, "a");
	stage_close(&session);
}

/* Matches below what can be scrolled to the top are each come to, and then the first again. */
static void search_passes_the_end(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	press(screen, "P 4");
	look(screen, 80, 24, NULL);
	press(screen, "/ a l l Enter");
	int of = (int)screen->search.of;
	assert_true(of > 2);
	for (int i = 2; i <= of; i++) {
		look(screen, 80, 24, NULL);
		press(screen, "n");
		assert_int_equal(screen->search.at, i);
	}
	look(screen, 80, 24, NULL);
	press(screen, "n");
	assert_said(screen, "wrapped around");
	assert_int_equal(screen->search.at, 1);
	look(screen, 80, 24, NULL);
	press(screen, "N");
	assert_int_equal(screen->search.at, of);
	stage_close(&session);
}

static void filter_hides_the_rest(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "s s g & g o a l Enter");
	assert_int_equal(screen->spots.count, 2); /* the goal, and the start, on which the cursor stands */
	assert_true(node_is_drawn(screen, 1) && node_is_drawn(screen, 4));
	press(screen, "Esc");
	assert_int_equal(screen->spots.count, sw_walk_seen(screen_walk(screen)));
	press(screen, "& 1 2 Enter");
	assert_true(node_is_drawn(screen, 4)); /* by its distance */
	press(screen, "Esc");
	press(screen, "? & z o o m Enter");
	assert_said(screen, "only rows with 'zoom'; Esc shows all");
	assert_int_equal(screen_pane(screen, PANE_HELP)->picture.height, 1);
	stage_close(&session);
}

/* In a list too; a search shows its match though the chosen row is elsewhere, up to the next key. */
static void lists_keep_their_cursor(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	sw_text text = {0};
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "P 4 j j & l o w e r Enter");
	const struct pane *pane = screen_pane(screen, PANE_PLAN);
	assert_true(pane->frame.row >= 0 && pane->frame.row < pane->picture.height);
	press(screen, "Esc g / p r o v e d Enter");
	look(screen, 80, 14, &text);
	screen_key(screen, 'n');
	look(screen, 80, 14, &text);
	assert_non_null(strstr(sw_text_get(&text), "optimal: proved"));
	screen_key(screen, 'b');
	sw_text_clear(&text);
	look(screen, 80, 14, &text);
	assert_null(strstr(sw_text_get(&text), "optimal: proved"));
	sw_text_free(&text);
	stage_close(&session);
}

static void bind_changes_keys(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	type_lines(screen, "bind w go-step\nbind F2 plan paper\nbind s none");
	press(screen, "w");
	assert_int_equal(sw_walk_settled(screen_walk(screen)), 1);
	press(screen, "s");
	assert_said(screen, "s means nothing here");
	press(screen, "F2");
	assert_non_null(screen_plan(screen));
	long long failures = session.failures;
	type_lines(screen, "bind nokey step\nbind w nonsense");
	assert_int_equal(session.failures, failures + 2);
	stage_close(&session);
}

static void failing_commands_leave_all_as_it_was(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "s P 4 j");
	struct viewpoint viewpoint = screen->viewpoint;
	const sw_plan *plan = screen_plan(screen);
	type_lines(screen,
		"nonsense\nmesh {x: 0}\nreplace 9 allgather(0)\nreplace 1 allgather(7)\ngoto [5,5]\nlayout none");
	assert_int_equal(session.failures, 6);
	assert_ptr_equal(screen_plan(screen), plan);
	assert_int_equal(screen->viewpoint.step, viewpoint.step);
	assert_int_equal(screen->viewpoint.view, viewpoint.view);
	assert_int_equal(screen->message_role, ROLE_BAD);
	stage_close(&session);
}

static void replacing_says_what_is_impossible(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	press(screen, "P");
	int count = screen_plan(screen)->program.steps;
	type_lines(screen, "replace 2 allgather(1)");
	assert_said(screen, "it ends with");
	assert_int_equal(session.state.hand->count, 2);
	press(screen, "U");
	assert_int_equal(screen_plan(screen)->program.steps, count);
	assert_null(session.state.hand);
	stage_close(&session);
}

static int beats;

static void press_stop(struct screen *screen)
{
	beats++;
	screen_key(screen, '2');
	screen_key(screen, 's');
	assert_said(screen, "a command is running");
	screen_key(screen, KEY_CONTROL('c'));
}

static void work_is_stopped_and_kept(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session,
		"mesh {a: 64, b: 64, c: 64}\n"
		"[1{a}64, 64, 64, 1{b}64] ~> [64, 1{b}64, 1{a}64, 64]\nbudget 64x");
	(void)state;
	screen->poll = press_stop;
	beats = 0;
	type_lines(screen, "step 100000");
	screen->poll = NULL;
	assert_int_equal(beats, 1);
	assert_int_equal(screen->viewpoint.view, PANE_TILES);
	type_lines(screen, "step 2");
	int settled = sw_walk_settled(screen_walk(screen));
	assert_true(settled >= 2 && settled < 1000);
	stage_close(&session);
}

/* Keys while a run goes on: what looks acts, what changes something is refused with the way out, leaving asks. */
static void keys_while_a_run_goes_on(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	struct live_run live = {.what = "run", .launch = 1, .launches = 1, .takes = true, .has = 1u << SW_FUSED};
	struct records records = {.arena = sw_arena_new()};
	(void)state;
	press(screen, "s s s P");
	live.records = &records;
	session.live = &live;
	screen->busy = true;
	press(screen, "6 m");
	assert_said(screen, "a run is under way; C-c ends it and keeps its results, a adds a strategy");
	press(screen, "4");
	assert_int_equal(screen->viewpoint.view, PANE_PLAN);
	look(screen, 80, 24, NULL);
	press(screen, "1");
	look(screen, 80, 24, NULL);
	press(screen, "Down");
	assert_int_equal(session.failures, 0);
	assert_true(session.state.has_focus && screen->busy); /* goto ran beside it, and it goes on */
	press(screen, "4 a");
	assert_said(screen, "naive paper exact");
	press(screen, "x l a Enter");
	assert_said(screen, "xla joins at the next launch");
	press(screen, "a Enter");
	assert_said(screen, "naive joins at the next launch");
	assert_true(live.wanted == (1u << SW_XLA | 1u << SW_NAIVE));
	press(screen, "a f u s e d Enter");
	assert_said(screen, "fused is already running");
	press(screen, "q n");
	assert_false(screen->leaving);
	assert_int_equal(screen->stops, 0);
	press(screen, "Esc");
	assert_said(screen, "C-c stops the running command");
	live.takes = false;
	press(screen, "a");
	assert_said(screen, "run takes no strategies");
	press(screen, "q y");
	assert_true(screen->leaving);
	assert_int_equal(screen->stops, 1);
	assert_false(session.leaving);
	press(screen, "Q y");
	assert_true(session.leaving);
	session.live = NULL;
	screen->busy = false;
	sw_arena_free(records.arena);
	stage_close(&session);
	screen = stage_open(&session, "");
	press(screen, "6 m");
	assert_said(screen, "mesh {x: 4, y: 6}");
	stage_close(&session);
}

/* ---- products and programs ---- */

/* A click on a head asks for the table again, in the order of that column. */
static void click_head(struct screen *screen, int view, const char *word)
{
	const struct pane *pane = screen_pane(screen, view);
	int head = -1;
	assert_non_null(pane);
	for (int k = 0; k < pane->frame.heads; k++)
		head = strcmp(pane->frame.head[k].word, word) == 0 ? k : head;
	assert_true(head >= 0);
	int x = pane->frame.head[head].x + 1, y = pane->frame.heads_y;
	heads_click(screen, pane, x - screen->viewpoint.left[view], y - screen->viewpoint.top[view]);
	look(screen, 100, 30, NULL);
}

static void answered_tables_have_orders(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2, y: 2}");
	sw_text text = {0};
	(void)state;
	type_lines(screen, "einsum ij,jk->ik [4{x}8, 8{y}16], [8{y}16, 6] as [4{x}8, 6]");
	press(screen, "W");
	look(screen, 100, 30, NULL);
	click_head(screen, PANE_WAYS, "flops");
	assert_string_equal(screen->listings[LISTED_WAYS].options, " --by flops");
	click_head(screen, PANE_WAYS, "memory");
	assert_string_equal(screen->listings[LISTED_WAYS].options, " --by memory");
	/* all ways are there, however high the window is, and the last one comes into sight */
	assert_int_equal(table_rows(listing_table(listed_of(screen, PANE_WAYS))), 37);
	press(screen, "G");
	look(screen, 80, 24, &text);
	assert_non_null(strstr(sw_text_get(&text), "37 of 37"));
	sw_text_clear(&text);
	press(screen, "g Down Down");
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "; Enter makes it the program"));
	stage_close(&session);
	/* what was asked is asked again, with the options that it had */
	screen = stage_open(&session,
		"system p2-a100 4\naxes {data: 8, shard: 8}\nplacements {data} 8GiB, {shard} 1MiB --limit 2");
	press(screen, "F5");
	look(screen, 100, 30, NULL);
	click_head(screen, PANE_PLACEMENTS, "best_s");
	assert_string_equal(screen->listings[LISTED_PLACEMENTS].asked, "placements {data} 8GiB, {shard} 1MiB");
	assert_string_equal(screen->listings[LISTED_PLACEMENTS].options, " --limit 2 --by best_s");
	click_head(screen, PANE_PLACEMENTS, "allreduce_s");
	assert_string_equal(screen->listings[LISTED_PLACEMENTS].options, " --limit 2 --by allreduce_s");
	assert_int_equal(session.failures, 0);
	stage_close(&session);
	screen = stage_open(&session, paper);
	type_lines(screen, "compare");
	press(screen, "7");
	look(screen, 100, 30, NULL);
	click_head(screen, PANE_COMPARE, "height");
	sw_text_clear(&text);
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "plans, by height"));
	sw_text_free(&text);
	stage_close(&session);
}

/* After `compute` the trades are schedules: Enter takes the one under the cursor, whatever order they are in. */
static void traded_schedules_are_taken(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session,
		"mesh {x: 3, y: 3}\ntype A = f64[3{x}9, 3{y}9]\ntype B = A\ntype C = A\n"
		"compute A(i,j) = B(i,k) * C(k,j)\nschedule cannon");
	(void)state;
	look(screen, 100, 30, NULL);
	press(screen, "0");
	look(screen, 100, 30, NULL);
	const struct listing *listing = listed_of(screen, PANE_PARETO);
	assert_non_null(listing);
	click_head(screen, PANE_PARETO, "max_sent");
	assert_string_equal(listing->options, " --by max_sent");
	press(screen, "Down Down");
	/* processors of one step and of three send as little as each other */
	assert_int_equal(listing_number(listing), 3);
	press(screen, "Enter");
	assert_said(screen, "it is now the schedule: 3 steps");
	assert_int_equal(session.failures, 0);
	stage_close(&session);
}

/* Enter takes the way under the cursor, in the order in which they are listed, and a redistribution of the program it is. */
static void ways_and_redistributions_are_taken(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2, y: 2}");
	sw_text text = {0};
	(void)state;
	look(screen, 100, 30, NULL);
	press(screen, "W");
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "einsum ij,jk->ik"));
	type_lines(screen, "einsum ij,jk->ik [4{x}8, 8{y}16], [8{y}16, 6] as [4{x}8, 6] --by memory");
	press(screen, "Enter");
	assert_said(screen, "choose a way first");
	press(screen, "Down Down Down Up");
	sw_text_clear(&text);
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "way 2; Enter makes it the program"));
	press(screen, "Enter");
	assert_said(screen, "way 2 is the present program");
	assert_string_equal(screen->listings[LISTED_WAYS].options, " --by memory");
	press(screen, "O Enter");
	assert_said(screen, "choose a redistribution first");
	press(screen, "Down Down Enter");
	assert_int_equal(session.state.entered, 2);
	sw_text_clear(&text);
	look(screen, 100, 30, &text);
	assert_non_null(strstr(sw_text_get(&text), "redistribution 2; Enter makes it the problem"));
	assert_null(strstr(sw_text_get(&text), "no plan"));
	assert_int_equal(session.failures, 0);
	sw_text_free(&text);
	stage_close(&session);
}

/* ---- the index of the graph ---- */

/* Every name that is kept is that of its node. */
static void assert_index(const struct screen *screen)
{
	const struct graph_index *graph = &screen->graph;
	const char *at = graph->names;
	for (int id = 1; id <= graph->named; id++) {
		sw_text name = {0};
		search_node_name(screen_walked(screen), id, &name);
		sw_text_add_char(&name, '\n');
		assert_int_equal(strncmp(at, sw_text_get(&name), name.length), 0);
		at += name.length;
		sw_text_free(&name);
	}
	assert_ptr_equal(at, graph->names + graph->names_length);
	assert_true(graph->named <= sw_walk_seen(screen_walk(screen)));
}

/* Matches are those nodes whose name or numbers have the text, forwards and backwards. */
static void assert_matches(struct screen *screen, const char *text)
{
	long long at, of, count = 0;
	bool wrapped;
	int last = 0, seen = sw_walk_seen(screen_walk(screen));
	for (int id = 1; id <= seen; id++)
		count += search_node_has(screen_walked(screen), id, text);
	for (int id = 1; id <= seen; id++) {
		if (!search_node_has(screen_walked(screen), id, text))
			continue;
		assert_int_equal(graph_search(&screen->graph, text, id - 1, 1, &wrapped, &at, &of), id);
		assert_true(!wrapped && of == count);
		assert_int_equal(graph_search(&screen->graph, text, id + 1, -1, &wrapped, &at, &of), id);
		last = id;
	}
	int first = graph_search(&screen->graph, text, seen, 1, &wrapped, &at, &of);
	assert_true(wrapped && of == count && at == (count > 0));
	assert_int_equal(graph_search(&screen->graph, text, first, -1, &wrapped, &at, &of), last);
}

static void index_follows_the_walk(void **state)
{
	draw random = draw_start("index_follows_the_walk");
	struct session session;
	struct screen *screen = stage_open(&session,
		"mesh {a: 12, b: 6}\n[1{a}12, 36, 6{b}36] ~> [12, 3{a}36, 6{b}36]\nbudget 4x");
	(void)state;
	look(screen, 80, 24, NULL);
	for (int i = 0; i < 60; i++) {
		char line[32];
		snprintf(line, sizeof(line), "%s %d", draw_below(&random, 3) ? "step" : "back", 1 + draw_below(&random, 6));
		type_lines(screen, line);
		look(screen, 80, 24, NULL);
		assert_index(screen);
		if (draw_below(&random, 4) == 0) {
			graph_prepare(&screen->graph);
			assert_int_equal(screen->graph.named, screen->graph.seen);
		}
	}
	long long at, of;
	bool wrapped;
	assert_int_equal(graph_search(&screen->graph, " start", 1, 1, &wrapped, &at, &of), 1);
	assert_true(wrapped && at == 1 && of == 1);
	for (int k = 0; k < 4; k++) {
		static const char *const needles[] = {"12", "zz", "[2", "1"};
		assert_matches(screen, needles[k]);
		type_lines(screen, k % 2 ? "back 9" : "step 15");
		look(screen, 80, 24, NULL);
		assert_matches(screen, needles[k]);
	}
	stage_close(&session);
}

/* ---- from key to picture ---- */

/* The linker sends the picture's questions about single nodes through here (Makefile). */
static long long asked;
bool __real_sw_walk_node(const sw_walk *walk, int id, sw_node *node);
bool __wrap_sw_walk_node(const sw_walk *walk, int id, sw_node *node);
int64_t __real_sw_walk_node_size(const sw_walk *walk, int id);
int64_t __wrap_sw_walk_node_size(const sw_walk *walk, int id);
void __real_sw_walk_node_place(const sw_walk *walk, int id, int64_t *tile);
void __wrap_sw_walk_node_place(const sw_walk *walk, int id, int64_t *tile);

bool __wrap_sw_walk_node(const sw_walk *walk, int id, sw_node *node)
{
	asked++;
	return __real_sw_walk_node(walk, id, node);
}

int64_t __wrap_sw_walk_node_size(const sw_walk *walk, int id)
{
	asked++;
	return __real_sw_walk_node_size(walk, id);
}

void __wrap_sw_walk_node_place(const sw_walk *walk, int id, int64_t *tile)
{
	asked++;
	__real_sw_walk_node_place(walk, id, tile);
}

#define THROUGH(type, name) \
	type __real_##name(const sw_walk *walk, int id); \
	type __wrap_##name(const sw_walk *walk, int id); \
	type __wrap_##name(const sw_walk *walk, int id) \
	{ \
		asked++; \
		return __real_##name(walk, id); \
	}
THROUGH(int64_t, sw_walk_node_distance)
THROUGH(int, sw_walk_node_parent)
THROUGH(int, sw_walk_node_order)

/* More than a picture of 200x50 asks for, about some hundred nodes. */
#define DRAWN 10000

static bool is_of_tiles(const struct cell *cell)
{
	return cell->lines ||
		(cell->role >= role_of_owner(0, 0) && cell->role <= role_of_owner(CANVAS_HUES - 1, CANVAS_LIGHTS - 1));
}

/* The area of all rows and columns of a pane in which elements of tiles or the lines between them stand. */
static int area_of_tiles(const struct pane *pane)
{
	int left = pane->width, right = 0, top = pane->height, bottom = 0;
	for (int y = 0; y < pane->picture.height && y < pane->height; y++)
		for (int x = 0; x < pane->picture.width && x < pane->width; x++) {
			if (!is_of_tiles(canvas_cell_at(&pane->picture, x, y)))
				continue;
			left = x < left ? x : left;
			right = x >= right ? x + 1 : right;
			top = y < top ? y : top;
			bottom = y + 1;
		}
	return (right - left) * (bottom - top);
}

/* The tiles of the tour's problem use the pane that they have. */
static void tiles_fill_their_pane(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 120, 36, NULL);
	press(screen, "P 2");
	for (int step = 0; step <= 3; step++) {
		look(screen, 120, 36, NULL);
		const struct pane *pane = screen_pane(screen, PANE_TILES);
		if (2 * area_of_tiles(pane) < pane->width * pane->height)
			fail_msg("after step %d %d of %dx%d cells", step, area_of_tiles(pane), pane->width, pane->height);
		press(screen, "s");
	}
	stage_close(&session);
}

/* A key asks for what the picture shows, not for all there is; a search names all nodes once, and looks at their numbers
 * where a number is searched. */
static void large_graphs_cost_what_is_drawn(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, STAGE_LARGE);
	int all = sw_walk_seen(screen_walk(screen)), whole = 0;
	(void)state;
	assert_true(all > 100000);
	look(screen, 200, 50, NULL);
	for (size_t i = 0; i < COUNT(stage_keys); i++) {
		asked = 0;
		screen_key(screen, key_named(sw_str_of(stage_keys[i])));
		look(screen, 200, 50, NULL);
		assert_in_range(asked, 1, 4 * all + DRAWN);
		whole += asked > DRAWN;
	}
	assert_in_range(whole, 1, 6);
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(tables_agree),
		TEST(keys_have_names),
		TEST(help_is_complete),
		TEST(bar_keeps_help_and_leaving),
		TEST(bar_says_what_stops),
		TEST(tiles_without_a_plan_step_nothing),
		TEST(tiles_fill_their_pane),
		TEST(copies_are_told_on_a_line),
		TEST(keys_leave_a_script),
		TEST(keys_say_why_not),
		TEST(what_can_run_is_measured),
		TEST(any_key_may_be_pressed),
		TEST(screens_and_pictures_are_saved),
		TEST(any_size_is_survived),
		TEST(resize_keeps_what_is_chosen),
		TEST(rewritings_are_a_film),
		TEST(wall_is_a_slider),
		TEST(imports_look_as_before),
		TEST(imports_are_a_view),
		TEST(imports_have_orders),
		TEST(imports_have_collectives),
		TEST(trades_are_a_view),
		TEST(strategies_are_taken_from_their_table),
		TEST(schedules_are_taken_from_their_table),
		TEST(views_are_visited_again),
		TEST(escape_leaves_one_thing),
		TEST(search_tells_which_match),
		TEST(keys_say_what_is_missing),
		TEST(nothing_opens_without_a_picture),
		TEST(search_passes_the_end),
		TEST(filter_hides_the_rest),
		TEST(lists_keep_their_cursor),
		TEST(bind_changes_keys),
		TEST(failing_commands_leave_all_as_it_was),
		TEST(replacing_says_what_is_impossible),
		TEST(work_is_stopped_and_kept),
		TEST(answered_tables_have_orders),
		TEST(traded_schedules_are_taken),
		TEST(ways_and_redistributions_are_taken),
		TEST(keys_while_a_run_goes_on),
		TEST(index_follows_the_walk),
		TEST(large_graphs_cost_what_is_drawn),
		ROWS(scene_is_as_before, scenes, name),
	};
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

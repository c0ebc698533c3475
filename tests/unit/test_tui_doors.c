/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Doors: every view has a key, the start has a problem of each theory, the picture opens on what was made last, rows are taken by Enter, the
 * tour gives the session back, and what was answered stands from its beginning.
 */
#define _GNU_SOURCE
#include "kit/draw.h"
#include "kit/stage.h"

#include "screen/actions.h"
#include "screen/menu.h"
#include "screen/opens.h"
#include "screen/panes.h"
#include "screen/player.h"
#include "screen/start.h"
#include "screen/terminal.h"
#include "screen/waiting.h"

static bool shows(struct screen *screen, int width, int height, const char *words)
{
	sw_text text = {0};
	look(screen, width, height, &text);
	bool there = strstr(sw_text_get(&text), words) != NULL;
	sw_text_free(&text);
	return there;
}

static void assert_shows(struct screen *screen, int width, int height, const char *words)
{
	sw_text text = {0};
	look(screen, width, height, &text);
	if (!strstr(sw_text_get(&text), words))
		fail_msg("'%s' is not there:\n%s", words, sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- every view has a key ---- */

static void menus_have_keys(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}\n[4{x}8] ~> [8]");
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "z");
	assert_true(screen->menu.open);
	for (int view = 0; view < PANE_COUNT; view++)
		if (!*screen->menu.key[view])
			fail_msg("%s has no key", pane_rows[view].name);
	press(screen, "Esc");
	for (int view = 0; view < PANE_COUNT; view++) {
		screen_key(screen, key_named(sw_str_of(screen->menu.key[view])));
		look(screen, 80, 24, NULL);
		assert_int_equal(screen->viewpoint.view, view);
	}
	stage_close(&session);
}

/* What is typed is looked for in names before sentences. */
static void menus_filter_by_names(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}\n[4{x}8] ~> [8]\nplan");
	(void)state;
	for (int view = 0; view < PANE_COUNT; view++) {
		look(screen, 80, 24, NULL);
		press(screen, "z");
		for (const char *at = pane_rows[view].name; *at; at++)
			screen_key(screen, *at);
		look(screen, 80, 24, NULL);
		screen_key(screen, KEY_ENTERED);
		assert_string_equal(pane_rows[screen->viewpoint.view].name, pane_rows[view].name);
	}
	press(screen, "z t i");
	assert_shows(screen, 80, 24, "▶ 2  tiles");
	stage_close(&session);
}

/* What is not drawn to find out whether it is there is there just when it can be drawn. */
static void menus_say_what_can_be_drawn(void **state)
{
	static const char *const lines[] = {"mesh {x: 4, y: 4}",
		"mesh {x: 4, y: 4}\nredistribute [16, 16]+{x,y} ~> [4{x}16, 16]",
		"mesh {x: 4, y: 4}\nredistribute [4{x}16, 16] ~> [16, 4{y}16]\nplan",
		"mesh {x: 3}\nset uneven pad\nredistribute [{x}10] ~> [10]",
		"mesh {x: 4}\nredistribute [16] ~> [4{x}16]\nfrom [16] on 0",
		"mesh {x: 4, y: 4}\nschedule cannon m=16 n=16 k=16",
		"mesh {x: 4}\ntype B = f32[4{x}16]\ntype A = f32[4{x}16]\ncompute A(i) = B(i) + B(i+1)"};
	static const int views[] = {PANE_RELATION, PANE_HOLDS, PANE_EXECUTION, PANE_LOOPS, PANE_NEEDS, PANE_OUTPUT,
		PANE_GRAPH, PANE_EDGES, PANE_COMPARE};
	(void)state;
	for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
		struct session session;
		struct screen *screen = stage_open(&session, lines[k]);
		look(screen, 80, 24, NULL);
		screen_key(screen, 'z');
		for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
			struct canvas canvas = {0};
			struct frame frame = {.row = -1};
			sw_diag diag = {.code = SW_OK};
			canvas_reset(&canvas, 80);
			bool drawn = pane_draw_view(screen, views[v], &(struct canvas_area){0, 0, 80, 24}, &canvas, &frame,
				&diag);
			assert_int_equal(screen->menu.there[views[v]], drawn || opens_with(screen, views[v]) != NULL);
			canvas_free(&canvas);
		}
		stage_close(&session);
	}
}

/* What opening a view makes is there: it is not grey, and opens with something to see. */
static void menus_offer_what_is_made(void **state)
{
	static const struct {
		const char *lines;
		int view;
	} rows[] = {
		{"mesh {x: 2}\n[4{x}8] ~> [8]", PANE_COMPARE},
		{"mesh {x: 2}\n[4{x}8] ~> [8]", PANE_PARETO},
		{"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]", PANE_COMPARE},
		{"system p2-a100 4\naxes {data: 8, shard: 8}", PANE_PLACEMENTS},
		{"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[1048576]\nplace 2", PANE_COMPARE},
	};
	(void)state;
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct session session;
		struct screen *screen = stage_open(&session, rows[k].lines);
		look(screen, 80, 24, NULL);
		press(screen, "z");
		assert_true(screen->menu.there[rows[k].view]);
		assert_false(screen->menu.there[PANE_IMPORTS]);
		press(screen, "Esc");
		view_open(screen, rows[k].view);
		look(screen, 80, 24, NULL);
		assert_int_equal(session.failures, 0);
		assert_false(screen_pane(screen, rows[k].view)->frame.empty);
		stage_close(&session);
	}
}

/* Without ends nothing is compared, and opening the view runs nothing that fails. */
static void nothing_is_made_of_nothing(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}");
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "z");
	assert_false(screen->menu.there[PANE_COMPARE]);
	press(screen, "Esc 7 W 0 O F5");
	assert_int_equal(session.failures, 0);
	stage_close(&session);
}

/* ---- samples ---- */

/* Each opens, with something to see in the view that it opens on, and nothing fails. */
static void samples_open(void **state)
{
	(void)state;
	for (int row = 1; row < start_count(); row++) {
		struct session session;
		struct screen *screen = stage_open(&session, "");
		start_offer(screen);
		assert_int_equal(screen->viewpoint.view, PANE_START);
		look(screen, 80, 24, NULL);
		screen->viewpoint.start = row;
		press(screen, "Enter");
		start_follow(screen);
		assert_int_equal(session.failures, 0);
		assert_int_not_equal(screen->viewpoint.view, PANE_START);
		struct canvas canvas = {0};
		struct frame frame = {.row = -1};
		sw_diag diag = {.code = SW_OK};
		canvas_reset(&canvas, 80);
		if (!pane_draw_view(screen, screen->viewpoint.view, &(struct canvas_area){0, 0, 80, 24}, &canvas, &frame,
				&diag))
			fail_msg("sample %d, %s: %s", row, pane_rows[screen->viewpoint.view].name, diag.message);
		canvas_free(&canvas);
		press(screen, "F2");
		assert_int_equal(screen->viewpoint.view, PANE_START);
		stage_close(&session);
	}
}

/* ---- the picture opens on what is there ---- */

static const struct opens_row {
	const char *lines, *view;
} opens_rows[] = {
	{"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]", "ways"},
	{"program mesh {x: 2} fn f(a : [4{x}8, 6]) -> [8, 3{x}6] { b = redistribute a as [8, 3{x}6] return b }",
		"program"},
	{"system p2-a100 4\naxes {data: 8, shard: 8}\nplace [[2 4] [2 4]]", "placement"},
	{"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[1048576]\nplace [[2 4] [2 4]]\nreductions",
		"reductions"},
	{"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[1048576]\nplace [[2 4] [2 4]]\nreductions 1",
		"film"},
	{"mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\ncompute y[i] = x[i-1] + x[i+1]", "needs"},
	{"mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\ncompute y[i] = x[i-1] + x[i+1]\ntasks 3", "tasks"},
	{"mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9", "film"},
	{"set opens stay\nmesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9", "holds"},
	{"mesh {x: 2}\n[4{x}8] ~> [8]", "graph"},
	{"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]\n[4{x}8] ~> [8]\nplan", "film"},
	{"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]\nways 1", "film"},
	{"set opens stay\nmesh {x: 2}\n[4{x}8] ~> [8]\nplan", "graph"},
	{"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[1048576]\nplace [[2 4] [2 4]]\nreductions\napply "
	 "reducescatter inside node",
		"state"},
	{"mesh {x: 2}\n[4{x}8] ~> [8]\napply allgather(0)", "film"},
	{"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]\ncompare", "compare"},
	{"", "start"},
};

static void opens(void **state)
{
	const struct opens_row *row = *state;
	struct session session;
	struct screen *screen = stage_open(&session, row->lines);
	start_offer(screen);
	look(screen, 80, 24, NULL);
	assert_int_equal(session.failures, 0);
	assert_string_equal(pane_rows[screen->viewpoint.view].name, row->view);
	assert_null(session.shown);
	stage_close(&session);
}

/* A new plan opens its film from views that show no plan. */
static void a_plan_opens_its_film(void **state)
{
	static const struct {
		const char *set, *keys;
		int view;
	} rows[] = {{"set opens film", "P", PANE_FILM}, {"set opens film", "3 P", PANE_HEIGHTS},
		{"set opens film", "8 P", PANE_FILM}, {"set opens stay", "P", PANE_GRAPH},
		{"set opens film", "P 1", PANE_GRAPH}};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, "mesh {x: 2}\n[4{x}8] ~> [8]");
		screen_take_line(screen, rows[i].set);
		press(screen, rows[i].keys);
		assert_non_null(session.state.plan);
		assert_int_equal(screen->viewpoint.view, rows[i].view);
		stage_close(&session);
	}
}

/* ---- rows are taken ---- */

static void reductions_are_taken(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session,
		"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace [[4 2] [1 8]]");
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "F9 Enter");
	assert_non_null(strstr(screen->message, "choose a program first"));
	press(screen, "G");
	assert_int_equal(screen->viewpoint.reduction, screen->reductions);
	press(screen, "Down g");
	assert_int_equal(screen->viewpoint.reduction, 0);
	press(screen, "Down Down Down");
	assert_shows(screen, 80, 24, "program 1 on placement B; Enter takes it");
	press(screen, "Enter");
	assert_int_equal(session.failures, 0);
	assert_non_null(session.state.plan);
	/* the third bar is the first of the second placement, below those of the fastest */
	sw_text text = {0};
	sw_placement_print(&session.state.placing->placement, &text);
	assert_string_equal(sw_text_get(&text), "[2 4] [2 4]");
	assert_int_equal(session.state.plan->program, 1);
	sw_text_free(&text);
	stage_close(&session);
}

/* A reduction program has no tiles: keys of tiles say so, and what there is instead; in the film they follow its devices. */
static void programs_have_no_tiles(void **state)
{
	static const char *const keys[] = {"+", "-", "t", "x", "o", "<", "T", "E", "R"};
	static const int views[] = {PANE_TILES, PANE_TRAFFIC, PANE_PLAN, PANE_STATE};
	struct session session;
	struct screen *screen = stage_open(&session,
		"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[1048576]\nplace [[2 4] [2 4]]\nreductions 1");
	(void)state;
	look(screen, 80, 24, NULL);
	for (size_t v = 0; v < COUNT(views); v++)
		for (size_t k = 0; k < COUNT(keys); k++) {
			view_open(screen, views[v]);
			press(screen, keys[k]);
			bool elsewhere = *keys[k] == '<' && views[v] != PANE_TILES;
			if (!elsewhere && !strstr(screen->message, "reduction program"))
				fail_msg("%s in %s: %s", keys[k], pane_rows[views[v]].name, screen->message);
		}
	press(screen, "V +");
	assert_null(strstr(screen->message, "reduction program"));
	assert_int_equal(screen->viewpoint.device, 0);
	assert_int_equal(session.failures, 0);
	stage_close(&session);
}

/* ---- the tour ---- */

static void tours_give_back(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {mine: 8}\n[2{mine}16] ~> [16]\nplan");
	(void)state;
	look(screen, 80, 24, NULL);
	screen_take_line(screen, "tour 3");
	player_follow(screen);
	look(screen, 80, 24, NULL);
	assert_string_equal(session.state.mesh.axis[0].name, "x");
	press(screen, "Esc");
	player_follow(screen);
	assert_string_equal(session.state.mesh.axis[0].name, "mine");
	assert_non_null(session.state.plan);
	press(screen, "U");
	assert_string_equal(session.state.mesh.axis[0].name, "x");
	screen_take_line(screen, "undo");
	stage_close(&session);
}

/* ---- answers ---- */

static void answers_begin_at_their_beginning(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}");
	(void)state;
	look(screen, 80, 24, NULL);
	screen->typing = true;
	screen_take_line(screen, "help");
	prompt_return(screen);
	assert_false(screen->typing);
	assert_shows(screen, 80, 24, "> help");
	assert_shows(screen, 80, 24, "8 shows all of it");
	press(screen, "j");
	assert_false(shows(screen, 80, 24, "> help"));
	press(screen, "8");
	assert_shows(screen, 80, 24, "> help");
	stage_close(&session);
}

/* What was meant is in sight, below a row that is wider than the screen. */
static void what_was_meant_is_in_sight(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}\n[4{x}8] ~> [8]");
	(void)state;
	look(screen, 80, 24, NULL);
	screen->typing = true;
	screen_take_line(screen, "plan --budgt 4x");
	assert_shows(screen, 80, 24, "did you mean '--budget'?");
	stage_close(&session);
}

/* All words up to an empty row are in the other text in their order, which takes more rows for them. */
static void assert_words_follow(const char *words, const char *in)
{
	int rows = 0, rows_in = 0;
	assert_true(words && in);
	while (*words && strncmp(words, "\n\n", 2) != 0) {
		char word[80];
		size_t length = strcspn(words, " \n");
		snprintf(word, sizeof(word), "%.*s", (int)length, words);
		const char *at = strstr(in, word);
		if (!at)
			fail_msg("'%s' is lost in: %s", word, in);
		for (; in < at; in++)
			rows_in += *in == '\n';
		in += length;
		rows += words[length] == '\n';
		words += length + (words[length] && strncmp(words + length, "\n\n", 2) != 0);
	}
	assert_true(rows > 2 && rows_in > rows);
}

/* In a window that became narrower sentences are broken again, tables and pictures are not; no word is lost. */
static void answers_fit_a_narrower_window(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}");
	sw_text wide = {0}, narrow = {0};
	(void)state;
	look(screen, 120, 30, NULL);
	screen_take_line(screen, "layout one");
	screen_take_line(screen, "focus output");
	screen_take_line(screen, "help plan");
	screen_take_line(screen, "help reductions");
	look(screen, 120, 60, &wide);
	screen_take_line(screen, "focus output");
	look(screen, 50, 60, &narrow);
	assert_words_follow(strstr(sw_text_get(&wide), "reductions [N"), strstr(sw_text_get(&narrow), "reductions [N"));
	assert_non_null(strstr(sw_text_get(&narrow), "rs-ag               a reducescatter and an"));
	sw_text_free(&wide);
	sw_text_free(&narrow);
	stage_close(&session);
}

static void colons_are_dropped(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, ":mesh {x: 2}\n : show mesh");
	(void)state;
	assert_int_equal(session.failures, 0);
	assert_true(session.state.has[DEFINED_MESH]);
	assert_string_equal(prompt_command("show : x"), "show : x");
	assert_string_equal(prompt_command("::plan"), "plan");
	(void)screen;
	stage_close(&session);
}

/* ---- what the bar says ---- */

static void questions_say_what_ends_them(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan");
	static const char *const keys[] = {"/", "&", "E", "z"};
	(void)state;
	for (int tour = 0; tour < 2; tour++) {
		if (tour) {
			screen_take_line(screen, "tour 4");
			player_follow(screen);
			screen->player.keys = "";
			screen->player.typed = NULL;
		}
		for (size_t k = 0; k < COUNT(keys); k++) {
			look(screen, 80, 24, NULL);
			screen_key(screen, key_named(sw_str_of(keys[k])));
			assert_non_null(screen->ask.row);
			assert_shows(screen, 80, 24, k < 3 ? "Enter keeps it  Esc drops it" : "Esc closes the menu");
			screen_key(screen, KEY_ESC);
			assert_null(screen->ask.row);
		}
	}
	stage_close(&session);
}

/* ---- sequences that nobody typed ---- */

static const char *sequence;

static int next_byte(void)
{
	return *sequence ? (unsigned char)*sequence++ : -1;
}

static const struct swallowed_row {
	const char *bytes, *rest;
	bool text;
} swallowed_rows[] = {
	{"I", "", false},
	{"Im", "m", false},
	{"<0;3;4mq", "q", false},
	{"M abq", "q", false},
	{"99;9~1", "1", false},
	{"?1;2c8", "8", false},
	{"", "", false},
	{"1", "", false},
	{"1$r0m\033\\x", "x", true},
	{"1;rgb:00/00/00\ax", "x", true},
	{"", "", true},
};

static void swallowed(void **state)
{
	const struct swallowed_row *row = *state;
	sequence = row->bytes;
	if (row->text)
		sequence_text(next_byte);
	else
		assert_int_equal(sequence_control(next_byte), *row->bytes != '\0');
	assert_string_equal(sequence, row->rest);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(a_plan_opens_its_film),
		TEST(menus_have_keys),
		TEST(menus_filter_by_names),
		TEST(menus_offer_what_is_made),
		TEST(menus_say_what_can_be_drawn),
		TEST(nothing_is_made_of_nothing),
		TEST(samples_open),
		ROWS(opens, opens_rows, view),
		TEST(reductions_are_taken),
		TEST(programs_have_no_tiles),
		TEST(tours_give_back),
		TEST(answers_begin_at_their_beginning),
		TEST(what_was_meant_is_in_sight),
		TEST(answers_fit_a_narrower_window),
		TEST(colons_are_dropped),
		TEST(questions_say_what_ends_them),
		ROWS(swallowed, swallowed_rows, bytes),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

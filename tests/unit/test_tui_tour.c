/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tour in the screens: each step as it stands when its keys were pressed (UPDATE=1 writes the pictures anew), and what
 * the keys of the tour do.
 */
#define _GNU_SOURCE
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "kit/snapshot.h"
#include "kit/stage.h"
#include "host/file.h"
#include "screen/played.h"
#include "screen/player.h"
#include "screen/start.h"

/* As the loop does it. */
static void type_line(struct screen *screen, const char *line)
{
	screen_take_line(screen, line);
	player_follow(screen);
}

static struct screen *tour_open(struct session *session, const char *lines)
{
	struct screen *screen = stage_open(session, lines);
	type_line(screen, "tour");
	return screen;
}

/* Until nothing is left to press; returns how often the clock ticked. */
static int play(struct screen *screen)
{
	int ticks = 0;
	for (; player_drives(screen); ticks++) {
		player_tick(screen);
		look(screen, 80, 24, NULL);
	}
	return ticks;
}

static void go_to(struct screen *screen, int step)
{
	play(screen);
	while (screen->player.step < step) {
		screen_key(screen, KEY_ENTERED);
		play(screen);
	}
	assert_int_equal(screen->player.step, step);
}

/* ---- pictures ---- */

static const struct {
	int width, height;
	bool ascii;
} sizes[] = {{80, 24, false}, {120, 40, false}, {200, 50, false}, {60, 20, true}};

static void steps_are_as_before(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "");
	(void)state;
	for (int n = 1; n <= tour_length(); n++) {
		sw_text all = {0};
		char name[32];
		go_to(screen, n);
		for (size_t i = 0; i < COUNT(sizes); i++) {
			struct canvas canvas = {0};
			screen_compose(screen, sizes[i].width, sizes[i].height, &canvas);
			sw_text_addf(&all, "== %dx%d%s\n", sizes[i].width, sizes[i].height, sizes[i].ascii ? " ascii" : "");
			canvas_print(&canvas, &(struct canvas_style){.ascii = sizes[i].ascii}, &all);
			canvas_free(&canvas);
		}
		snprintf(name, sizeof(name), "tour-%02d", n);
		assert_snapshot("screens", name, sw_text_get(&all));
		sw_text_free(&all);
	}
	stage_close(&session);
}

/* ---- the table ---- */

static void rows_are_sound(void **state)
{
	(void)state;
	assert_null(tour_step(0));
	assert_null(tour_step(tour_length() + 1));
	assert_true(tour_length() >= 8 && tour_length() <= 12 && tour_length() <= TOUR_MOST);
	for (int n = 1; n <= tour_length(); n++) {
		const struct tour_step *step = tour_step(n);
		struct canvas canvas = {0};
		char copy[64], *rest = NULL;
		canvas_reset(&canvas, 60);
		if (canvas_put_wrapped(&canvas, 2, 0, 56, 0, ROLE_TEXT, step->sentence) > 2)
			fail_msg("step %d has more than two rows: %s", n, step->sentence);
		canvas_free(&canvas);
		snprintf(copy, sizeof(copy), "%s", step->keys);
		for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
			assert_true(key_named(sw_str_of(name)) >= 0);
		assert_true(step->typed || *step->keys);
		assert_true(*step->lines);
	}
}

/* A word stands in the sentence of the step that shows it first, or of one before. */
static void words_are_explained_first(void **state)
{
	static const char *const words[] = {"alltoall(1, 0, 3)", "y:(2)3", "y:(1)2", "allpermute", "allgather",
		"dynslice", "normal form", "optimum", "local type"};
	struct session session;
	struct screen *screen = tour_open(&session, "");
	sw_text said = {0};
	(void)state;
	for (int n = 1; n <= tour_length(); n++) {
		go_to(screen, n);
		sw_text_addf(&said, "%s ", tour_step(n)->sentence);
		for (size_t i = 0; i < COUNT(sizes); i++) {
			sw_text seen = {0};
			look(screen, sizes[i].width, sizes[i].height, &seen);
			for (size_t k = 0; k < COUNT(words); k++)
				if (strcasestr(sw_text_get(&seen), words[k]) && !strcasestr(sw_text_get(&said), words[k]))
					fail_msg("step %d shows '%s', which was not explained", n, words[k]);
			sw_text_free(&seen);
		}
	}
	sw_text_free(&said);
	stage_close(&session);
}

/* ---- keys ---- */

static void plan_is(const struct screen *screen, sw_strategy strategy)
{
	assert_non_null(screen_plan(screen));
	assert_int_equal(screen_plan(screen)->strategy, strategy);
}

static void back_restores(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "mesh {a: 2}\n[4{a}8] ~> [8]");
	sw_mesh mesh = session.state.mesh;
	(void)state;
	go_to(screen, 10);
	plan_is(screen, SW_FUSED);
	assert_true(sw_walk_done(screen_walk(screen)));
	screen_key(screen, 'b');
	assert_int_equal(screen->player.step, 9);
	assert_int_equal(screen->viewpoint.view, PANE_HEIGHTS);
	assert_false(player_drives(screen));
	plan_is(screen, SW_NAIVE);
	screen_key(screen, 'b');
	plan_is(screen, SW_FUSED);
	screen_key(screen, 'b');
	assert_int_equal(screen->viewpoint.view, PANE_TILES);
	assert_int_equal(screen->viewpoint.step, 3);
	screen_key(screen, 'b');
	assert_int_equal(screen->viewpoint.step, 1);
	for (int i = 0; i < 3; i++)
		screen_key(screen, 'b');
	assert_int_equal(screen->player.step, 3);
	assert_null(screen_plan(screen));
	go_to(screen, 10);
	assert_true(sw_walk_done(screen_walk(screen)));
	for (int i = 0; i < 10; i++)
		screen_key(screen, 'b');
	assert_int_equal(screen->player.step, 0);
	assert_int_equal(session.tour, 0);
	assert_true(sw_mesh_equal(&session.state.mesh, &mesh));
	stage_close(&session);
}

/* What was there before the tour is there again, and what the tour defined comes back. */
static void leaving_gives_the_session_back(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "mesh {mine: 2}");
	(void)state;
	go_to(screen, 6);
	plan_is(screen, SW_FUSED);
	screen_key(screen, KEY_ESC);
	assert_int_equal(screen->player.step, 0);
	assert_int_equal(session.tour, 0);
	assert_null(screen_plan(screen));
	assert_int_equal(session.state.mesh.devices, 2);
	screen_take_line(screen, "undo");
	plan_is(screen, SW_FUSED);
	stage_close(&session);
}

static void space_pauses(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "");
	(void)state;
	go_to(screen, 3);
	screen_key(screen, KEY_ENTERED);
	player_tick(screen);
	screen_key(screen, KEY_SPACE);
	assert_false(player_drives(screen));
	player_tick(screen);
	assert_string_equal(screen->player.keys, "M s");
	screen_key(screen, KEY_SPACE);
	assert_int_equal(play(screen), 2);
	screen_key(screen, KEY_ENTERED);
	screen_key(screen, KEY_CONTROL('c'));
	assert_true(screen->player.step && !player_drives(screen));
	screen_key(screen, KEY_CONTROL('c'));
	assert_int_equal(screen->player.step, 0);
	stage_close(&session);
}

/* Enter before all keys are pressed does the others at once; after the last step it ends. */
static void enter_hurries(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "");
	(void)state;
	screen_key(screen, KEY_ENTERED);
	assert_int_equal(screen->player.step, 1);
	assert_int_equal(session.state.mesh.devices, 24);
	assert_false(player_drives(screen));
	go_to(screen, tour_length());
	assert_non_null(strstr(screen->message, "verified"));
	screen_key(screen, KEY_ENTERED);
	assert_int_equal(screen->player.step, 0);
	stage_close(&session);
}

/* Whatever was done in between, the next step finds what it needs; what was done comes back by undo. */
static void other_work_in_between(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "");
	(void)state;
	go_to(screen, 5);
	screen_take_line(screen, "mesh {z: 2}");
	screen_take_line(screen, "set pace 77");
	screen_take_line(screen, "bind s none");
	press(screen, "7 ? G");
	assert_int_equal(screen->player.step, 5);
	screen_key(screen, KEY_ENTERED);
	play(screen);
	assert_int_equal(session.state.mesh.devices, 24);
	assert_int_equal(session.state.settings.value[SETTING_PACE].number, 77);
	assert_int_equal(screen->viewpoint.view, PANE_TILES);
	assert_int_equal(screen->viewpoint.step, 1);
	screen_key(screen, KEY_ENTERED);
	play(screen);
	assert_int_equal(screen->viewpoint.step, 3);
	screen_key(screen, KEY_ESC);
	screen_take_line(screen, "undo; undo");
	assert_int_equal(session.state.mesh.devices, 2);
	stage_close(&session);
}

static void steps_by_their_number(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	(void)state;
	type_line(screen, "tour 7");
	play(screen);
	assert_int_equal(screen->player.step, 7);
	assert_int_equal(screen->viewpoint.step, 3);
	type_line(screen, "tour 2");
	play(screen);
	assert_int_equal(screen->viewpoint.view, PANE_TYPE);
	assert_false(session.state.has[DEFINED_TO]);
	type_line(screen, "tour 0");
	assert_int_equal(screen->player.step, 0);
	stage_close(&session);
}

/* Every size of a screen, in the middle of a step too. */
static void sizes_change(void **state)
{
	struct session session;
	struct screen *screen = tour_open(&session, "");
	(void)state;
	for (int n = 1; n <= tour_length(); n++) {
		for (int i = 0; player_drives(screen); i++) {
			player_tick(screen);
			look(screen, 10 + 13 * i, 3 + 5 * i, NULL);
			look(screen, 40, 13, NULL);
		}
		screen_key(screen, KEY_ENTERED);
	}
	stage_close(&session);
}

/* ---- what is offered where nothing is defined ---- */

static void the_offer_opens(void **state)
{
	(void)state;
	assert_int_equal(start_count(), 13);
	for (int i = 0; i < start_count(); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, "");
		start_offer(screen);
		assert_int_equal(screen->viewpoint.view, PANE_START);
		for (int k = 0; k < i; k++)
			press(screen, "Down");
		press(screen, "Enter");
		assert_int_equal(session.failures, 0);
		assert_int_equal(session.tour, i == 0);
		assert_true(i == 0 || screen->viewpoint.view != PANE_START);
		assert_true(i == 0 || session.shown != NULL);
		stage_close(&session);
	}
}

static void the_offer_looks_as_before(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	sw_text all = {0};
	(void)state;
	start_offer(screen);
	press(screen, "j");
	for (size_t i = 0; i < COUNT(sizes); i++) {
		sw_text_addf(&all, "== %dx%d\n", sizes[i].width, sizes[i].height);
		look(screen, sizes[i].width, sizes[i].height, &all);
	}
	assert_snapshot("screens", "offer", sw_text_get(&all));
	sw_text_free(&all);
	press(screen, "G j j g k");
	assert_int_equal(screen->viewpoint.start, 0);
	screen_take_line(screen, "mesh {x: 2}");
	start_follow(screen);
	assert_int_equal(screen->viewpoint.view, PANE_START);
	screen_take_line(screen, "[4{x}8] ~> [8]");
	start_follow(screen);
	assert_int_equal(screen->viewpoint.view, PANE_GRAPH);
	stage_close(&session);
}

static void problems_need_no_offer(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 2}\n[4{x}8] ~> [8]");
	(void)state;
	start_offer(screen);
	assert_int_equal(screen->viewpoint.view, PANE_GRAPH);
	stage_close(&session);
}

static void problems_of_other_types_open_their_views(void **state)
{
	static const struct {
		const char *lines;
		int view;
	} opened[] = {{"mesh {x: 4}\n[3{x}12] ~> [1{x,..}12]", PANE_SETS},
		{"mesh {x: 4}\n[3{x}12] ~> [1{x,..}12]\nplan", PANE_FILM},
		{"set opens stay\nmesh {x: 4}\n[3{x}12] ~> [1{x,..}12]\nplan", PANE_SETS},
		{"mesh {x: 4}\ntype x = [3{x}12]\ntype y = x\ny[i] = x[i-1]", PANE_NEEDS}};
	(void)state;
	for (size_t i = 0; i < COUNT(opened); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, opened[i].lines);
		start_offer(screen);
		assert_int_equal(screen->viewpoint.view, opened[i].view);
		stage_close(&session);
	}
	struct session session;
	struct screen *screen = stage_open(&session, "mesh {x: 4}");
	start_offer(screen);
	screen_take_line(screen, "[3{x}12] ~> [1{x,..}12]");
	start_follow(screen);
	assert_int_equal(screen->viewpoint.view, PANE_SETS);
	stage_close(&session);
}

static void hints_name_the_axes(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	sw_text seen = {0};
	(void)state;
	press(screen, "s");
	assert_non_null(strstr(screen->message, "mesh {x: 4, y: 6}"));
	screen_take_line(screen, "mesh {data: 2, fsdp: 4}");
	press(screen, "s");
	assert_non_null(strstr(screen->message, "from [8{data}16, 4{fsdp}16]"));
	screen_take_line(screen, "from [32, 16{data}32, 5]");
	press(screen, "s");
	assert_non_null(strstr(screen->message, "to [8{fsdp}32, 32, 5]"));
	start_offer(screen);
	look(screen, 120, 36, &seen);
	assert_non_null(strstr(sw_text_get(&seen), "[16{data}32, 8{fsdp}32, 5] ~> [8{fsdp}32, 32, 5]"));
	sw_text_free(&seen);
	stage_close(&session);
}

/* ---- scripts that are played ---- */

static int moments; /* that were shown */

static void paint_counted(struct screen *screen)
{
	sw_text seen = {0};
	look(screen, 80, 24, &seen);
	assert_non_null(strstr(sw_text_get(&seen), "film.sw, line"));
	assert_non_null(strstr(sw_text_get(&seen), "C-c stop"));
	sw_text_free(&seen);
	if (++moments == 1) { /* before the first statement */
		assert_string_equal(screen->played.words, "A mesh of two axes.");
		screen_key(screen, KEY_SPACE);
		assert_true(screen->played.held);
		screen_key(screen, KEY_SPACE);
		assert_false(screen->played.held);
	}
}

static void played_scripts_open_views(void **state)
{
	static const struct {
		const char *line;
		int view, step;
	} scripts[] = {{"show tiles --step 1", PANE_TILES, 1}, {"show devices 2", PANE_TILES, 2},
		{"show heights", PANE_HEIGHTS, 3}, {"compare", PANE_COMPARE, 0}, {"verify", PANE_OUTPUT, 0},
		{"finish", PANE_GRAPH, 0}, {"show type from", PANE_TYPE, 3}, {"plan paper", PANE_PLAN, 0}};
	char name[] = "/tmp/shardwalk-XXXXXX/film.sw";
	(void)state;
	*strrchr(name, '/') = '\0';
	assert_non_null(mkdtemp(name));
	name[strlen(name)] = '/';
	for (size_t i = 0; i < COUNT(scripts); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, "");
		sw_text text = {0};
		char line[128];
		moments = 0;
		screen->play = played_moment;
		screen->paint = paint_counted;
		sw_text_addf(&text, "# A mesh\n# of two axes.\nmesh {x: 4, y: 6}\n\n%s\nplan\n%s\n",
			"[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", scripts[i].line);
		assert_true(file_write(name, &text, &(sw_diag){0}));
		snprintf(line, sizeof(line), "source --pace 0 %s", name);
		screen_take_line(screen, line);
		assert_int_equal(session.failures, 0);
		assert_int_equal(moments, 8);
		assert_int_equal(screen->viewpoint.view, scripts[i].view);
		if (scripts[i].step)
			assert_int_equal(screen->viewpoint.step, scripts[i].step);
		assert_false(screen->played.on);
		assert_null(session.film);
		look(screen, 80, 24, NULL);
		sw_text_free(&text);
		stage_close(&session);
	}
	unlink(name);
	*strrchr(name, '/') = '\0';
	rmdir(name);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(rows_are_sound),
		TEST(steps_are_as_before),
		TEST(words_are_explained_first),
		TEST(back_restores),
		TEST(leaving_gives_the_session_back),
		TEST(space_pauses),
		TEST(enter_hurries),
		TEST(other_work_in_between),
		TEST(steps_by_their_number),
		TEST(sizes_change),
		TEST(the_offer_opens),
		TEST(the_offer_looks_as_before),
		TEST(problems_need_no_offer),
		TEST(problems_of_other_types_open_their_views),
		TEST(hints_name_the_axes),
		TEST(played_scripts_open_views),
	};
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film of a plan on the screens: pictures in three sizes, in colours and without, compared with those in tests/screens; and what its
 * keys do.
 */
#include <locale.h>

#include <shardwalk/cost.h>

#include "kit/film.h"
#include "views/strip.h"

#define PRODUCT \
	"mesh {x: 2, y: 2}\ntype A = f32[4{x}8, 4{y}8]\ntype B = f32[4{x}8, 4{y}8]\n" \
	"einsum ij,jk->ik A, B as [4{x}8, 4{y}8]\nways 2\n"

static const struct film_scene scenes[] = {
	{"strip", PAPER, "s E 5 , 7 Enter", 256},
	{"strip-letters", PAPER, "s s", 0},
	{"strip-sum", "mesh {x: 4}\nf32[8, 6]+{x} ~> f32[2{x}8, 6]\nplan\n", "Right Right", 256},
	{"strip-chunks-system", CHUNKS, "s F3", 256},
	{"strip-chunks",
		"system {node: 4 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 16}\nplace 1\nreduce {data} f32[1048576]\n"
		"reductions 4\n",
		"s", 256},
	{"strip-product", PRODUCT, "s s s", 256},
	{"strip-product-device", PRODUCT, "s s s Down", 0},
	{"strip-schedule", CANNON, "s Down Down", 256},
	{"strip-schedule-travel", CANNON, "s Down Down Right Right Right Right", 256},
	{"strip-sum-travel", "mesh {x: 4}\nf32[8, 6]+{x} ~> f32[2{x}8, 6]\nplan\n", "Right Right Right Right Right", 256},
	{"strip-formula", "mesh {x: 4}\ntype B = f64[4{x}16]\ntype A = f64[4{x}16]\ncompute A(i) = B(i) + B(i+1)\n",
		"s Down", 256},
	{"strip-meshes", "mesh {x: 4}\ntype u = [3{x}12]\nu ~> [4{z}12] over {z: 3}\nplan\n", "Right Right Right Right",
		256},
	{"strip-cyclic", "mesh {x: 4}\nf32[8{x}32] ~> f32[1{x,..}32]\nplan\n", "s", 256},
	{"strip-large", "mesh {a: 32, b: 32}\n[32768{a}1048576, 1024] ~> [1048576, 32{b}1024]\nplan\n", "s", 256},
};

/* Right goes through all tenths of all steps and stops; Left comes back. */
static void arrows_scrub(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	int steps = session.state.plan->plan.program.steps;
	for (int i = 1; i <= 10 * steps; i++) {
		screen_key(screen, KEY_NAME_RIGHT);
		assert_int_equal(screen->viewpoint.step, i / 10);
		assert_true(screen->viewpoint.passed * 10 - i % 10 < 0.01 && i % 10 - screen->viewpoint.passed * 10 < 0.01);
	}
	screen_key(screen, KEY_NAME_RIGHT);
	assert_int_equal(screen->viewpoint.step, steps);
	for (int i = 10 * steps; i > 0; i--)
		screen_key(screen, KEY_NAME_LEFT);
	assert_int_equal(screen->viewpoint.step, 0);
	assert_true(screen->viewpoint.passed < 0.01);
	stage_close(&session);
}

/* As many ticks as ten a step, and each step gets those of its share of the time. */
static void it_plays_in_proportion(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	const sw_plan *plan = &session.state.plan->plan;
	int ticks[SW_MAX_DIMS] = {0}, all = 0;
	double total = sw_predict_seconds(plan, -1, sw_machine_default());
	press(screen, "Space");
	assert_non_null(strstr(screen->message, "times slower"));
	for (; screen->running && all < 1000; all++) {
		if (screen->viewpoint.step < plan->program.steps)
			ticks[screen->viewpoint.step]++;
		screen_tick(screen);
	}
	assert_false(screen->running);
	assert_int_equal(screen->viewpoint.step, plan->program.steps);
	for (int k = 0; k < plan->program.steps; k++) {
		double share = sw_predict_seconds(plan, k, sw_machine_default()) / total * 10 * plan->program.steps;
		assert_true(ticks[k] - share < 1.1 && share - ticks[k] < 1.1);
	}
	stage_close(&session);
}

/* Where words say what is missing there is no picture to write. */
static void nothing_is_written_of_nothing(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, "", 0);
	press(screen, "S");
	assert_non_null(strstr(screen->message, "no picture to write"));
	stage_close(&session);
}

/* Of a program: steps, tenths, devices; and it plays to its end. */
static void keys_of_a_program(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, CANNON, 256);
	for (int i = 1; i <= 30; i++)
		screen_key(screen, KEY_NAME_RIGHT);
	assert_int_equal(screen->viewpoint.step, 3);
	screen_key(screen, KEY_NAME_RIGHT);
	assert_non_null(strstr(screen->message, "last step"));
	press(screen, "b b b b");
	assert_non_null(strstr(screen->message, "first step"));
	for (int64_t device = 0; device < 9; device++) {
		screen_key(screen, KEY_NAME_DOWN);
		assert_int_equal(screen->viewpoint.device, device);
	}
	screen_key(screen, KEY_NAME_DOWN);
	assert_int_equal(screen->viewpoint.device, 0);
	screen_key(screen, KEY_NAME_UP);
	assert_int_equal(screen->viewpoint.device, 8);
	press(screen, "Space");
	for (int all = 0; screen->running && all < 100; all++)
		screen_tick(screen);
	assert_int_equal(screen->viewpoint.step, 3);
	stage_close(&session);
}

/* In any window something is said, and nothing fails. */
static void it_draws_in_every_window(void **state)
{
	static const int widths[] = {200, 24, 60, 31, 120}, rows[] = {50, 7, 24, 10, 36};
	(void)state;
	for (size_t n = 0; n < COUNT(scenes); n++) {
		struct session session;
		struct screen *screen = film_open(&session, scenes[n].lines, scenes[n].colors);
		for (size_t i = 0; i < COUNT(widths); i++) {
			screen->viewpoint.step = (int)i;
			look(screen, widths[i], rows[i], NULL);
		}
		stage_close(&session);
	}
}

static void a_small_window_says_what_it_needs(void **state)
{
	static const char *const lines[] = {PAPER, CANNON};
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct session session;
		struct screen *screen = film_open(&session, lines[i], 0);
		sw_text low = {0}, high = {0};
		look(screen, 80, 11, &low);
		assert_non_null(strstr(sw_text_get(&low), "a picture needs 8 rows and 24 columns; here are 7 rows"));
		look(screen, 80, 12, &high);
		assert_null(strstr(sw_text_get(&high), "a picture needs"));
		assert_non_null(strstr(sw_text_get(&high), "from"));
		sw_text_free(&low);
		sw_text_free(&high);
		stage_close(&session);
	}
}

static bool shows(struct screen *screen, const char *words)
{
	sw_text text = {0};
	look(screen, 120, 36, &text);
	bool found = strstr(sw_text_get(&text), words) != NULL;
	sw_text_free(&text);
	return found;
}

/* Of many steps there are groups, which Enter opens and Esc closes where the playhead is. */
static void many_steps_are_groups_that_open(void **state)
{
	enum { STEPS = 140 };
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, "mesh {x: 4}\nfrom [2{x}8, 8]\nto [2{x}8, 8]\n", 256);
	for (int k = 0; k < STEPS; k++)
		screen_take_line(screen, k % 2 ? "apply alltoall(1, 0, 4)" : "apply alltoall(0, 1, 4)");
	assert_int_equal(session.failures, 0);
	assert_true(shows(screen, "steps 1 to 10") && shows(screen, "10 steps from one to the next"));
	assert_false(shows(screen, "1 alltoall"));
	for (int k = 0; k < 75; k++)
		screen_key(screen, 's');
	assert_true(shows(screen, "steps 71 to 80"));
	press(screen, "Enter");
	assert_true(shows(screen, "75 alltoall") && shows(screen, "of 141"));
	assert_int_equal(screen->viewpoint.step, 75);
	assert_false(screen->viewpoint.has_element);
	press(screen, "Esc");
	assert_true(shows(screen, "steps 71 to 80") && shows(screen, "of 15"));
	assert_int_equal(screen->viewpoint.step, 75);
	press(screen, "Enter Enter");
	assert_true(screen->viewpoint.has_element);
	screen_key(screen, KEY_NAME_END);
	assert_int_equal(screen->viewpoint.step, STEPS);
	press(screen, "Esc Esc G");
	assert_true(shows(screen, "steps 131 to 140"));
	sw_text found = {0};
	press(screen, "b b b");
	pictures_add(screen, &found);
	assert_snapshot("screens", "strip-groups", sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

/* Letters in the picture after step `k` of what a device has, in a picture with a line for each term of each element. */
static int64_t letters_lit(const sw_plan *plan, const sw_owners *owners, int k, int64_t device)
{
	struct view_options options = view_options_default(120);
	struct strip strip;
	struct canvas out = {0};
	int64_t lit = 0;
	options.letters = true;
	options.device = device;
	strip_start(&strip, owners, &plan->problem.mesh, &options);
	strip_window(&strip, 12);
	strip_shape(&strip, &plan->problem.from, (const int[2]){0, 1});
	assert_int_equal(strip.terms * strip.units[0] * strip.units[1], 2 * 4 * 4);
	canvas_reset(&out, 120);
	strip_picture(&strip, k, &out, 0, 0);
	for (int cell = 0; cell < out.height * out.width; cell++) {
		uint32_t glyph = canvas_cell_at(&out, cell % out.width, cell / out.width)->glyph;
		lit += glyph >= 'a' && glyph <= 'd';
	}
	canvas_free(&out);
	return lit;
}

/* Of each element that the device has, the terms that are added up in it. */
static int64_t terms_held(const sw_owners *owners, int k, int64_t device)
{
	int64_t held = 0;
	for (int64_t e = 0; e < 16; e++) {
		const int64_t index[SW_MAX_DIMS] = {e / 4, e % 4};
		int terms = sw_owners_adds(owners, k, device, index, 0) + sw_owners_adds(owners, k, device, index, 1);
		assert_int_equal(terms > 0, sw_owners_has(owners, k, device, index));
		held += terms;
	}
	return held;
}

/* A device that has a copy of a term is lit as the first one is. */
static void copies_of_a_term_are_lit(void **state)
{
	(void)state;
	struct session session;
	(void)film_open(&session, "mesh {x: 2, y: 2}\nf32[4, 4]+{x} ~> f32[2{x}4, 4]\nplan\n", 0);
	const sw_plan *plan = &session.state.plan->plan;
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {0};
	const sw_owners *owners = sw_owners_of_plan(plan, arena, &diag);
	assert_non_null(owners);
	for (int k = 0; k <= plan->program.steps; k++)
		for (int64_t device = 0; device < 4; device++) {
			assert_true(terms_held(owners, k, device) > 0);
			assert_int_equal(letters_lit(plan, owners, k, device), terms_held(owners, k, device));
		}
	sw_arena_free(arena);
	stage_close(&session);
}

/* Each block is a tile: lines between them are missing, and that is said. */
static void lines_that_are_missing_are_said(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session,
		"mesh {a: 32, b: 32}\n[32768{a}1048576, 1024] ~> [1048576, 32{b}1024]\nplan\n", 256);
	assert_true(shows(screen, "not enough room for the lines between"));
	stage_close(&session);
	screen = film_open(&session, "mesh {x: 4}\n[2{x}8, 8] ~> [8, 2{x}8]\nplan\n", 256);
	assert_false(shows(screen, "not enough room for the lines between"));
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(film_is_as_before, scenes, name),
		TEST(arrows_scrub),
		TEST(it_plays_in_proportion),
		TEST(nothing_is_written_of_nothing),
		TEST(keys_of_a_program),
		TEST(it_draws_in_every_window),
		TEST(many_steps_are_groups_that_open),
		TEST(lines_that_are_missing_are_said),
		TEST(copies_of_a_term_are_lit),
		TEST(a_small_window_says_what_it_needs),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two plans in one film, on one axis of time: each is drawn as it is alone, at the same moment; what a run measured has its place on that
 * axis; and the keys that choose the second plan.
 */
#include <locale.h>

#include <shardwalk/cost.h>

#include "command/compare/compare.h"
#include "command/programs/moments.h"
#include "kit/film.h"
#include "session/records.h"
#include "session/machine.h"
#include "views/draw.h"
#include "views/program_time.h"

/* ---- what was measured ---- */

static void add_step(sw_text *text, int k, double seconds)
{
	sw_text_addf(text,
		"{\"record\": \"step\", \"step\": %d, \"op\": \"alltoall\", \"seconds\": {\"median\": %g, \"p10\": %g, \"p90\": %g, "
		"\"max\": 1}, \"bytes\": 1000}\n",
		k, seconds, seconds * 0.8, seconds * 1.3);
}

/* As a run of the present plan would leave it: step k took k times 4 us. */
static void add_run(struct session *session)
{
	const sw_plan *plan = &session->state.plan->plan;
	sw_arena *arena = sw_arena_new();
	struct records records = records_start(arena);
	sw_text text = {0};
	sw_plan named = *plan;
	named.name = "exact";
	sw_text_add(&text,
		"{\"schema\": \"shardwalk.run/1\", \"record\": \"start\", \"plan\": \"exact\", \"host\": \"h\", \"cores\": 2, "
		"\"ranks\": 24, \"launch\": 1, \"mpi\": \"MPICH 4\", \"transport\": \"shared\"}\n");
	for (int k = 1; k <= plan->program.steps; k++)
		add_step(&text, k, 4e-6 * k);
	sw_text_add(&text,
		"{\"record\": \"total\", \"seconds\": {\"median\": 2.4e-5}, \"bytes\": 3000}\n"
		"{\"record\": \"check\", \"verified\": true}\n{\"record\": \"complete\"}\n");
	assert_true(records_take_text(&records, sw_str_of(sw_text_get(&text)), NULL));
	assert_true(session_keep_run(session, arena, &records));
	compare_remember(session->last_run, &(const sw_plan *){&named}, 1);
	sw_text_free(&text);
}

static const struct scene {
	const char *name, *lines, *keys;
	int colors;
	bool measured;
} scenes[] = {
	{"strip-second", PAPER, "d s", 256, false},
	{"strip-second-letters", PAPER, "d d s", 0, false},
	{"strip-second-program", CHUNKS, "d s", 256, false},
	{"strip-second-way", WAYS, "d s Right Right", 256, false},
	{"strip-second-way-letters", WAYS "set hardware a100\n", "d d s s Enter", 0, false},
	{"strip-measured", PAPER, "s", 256, true},
	{"strip-measured-second", PAPER, "d s Right", 0, true},
};

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	struct session session;
	struct screen *screen = film_open(&session, scene->lines, scene->colors);
	sw_text found = {0};
	if (scene->measured)
		add_run(&session);
	press(screen, scene->keys);
	pictures_add(screen, &found);
	assert_snapshot("screens", scene->name, sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

/* ---- each as it is alone ---- */

/* Where a row that begins with these words is; -1: nowhere. */
static int row_of(const struct canvas *canvas, const char *words)
{
	for (int y = 0; y < canvas->height; y++) {
		int x = 0;
		while (words[x] && canvas_glyph_at(canvas, x, y, false) == (uint32_t)words[x])
			x++;
		if (!words[x])
			return y;
	}
	return -1;
}

/* From the names of steps to the row above memory. */
static void assert_rows_same(const struct canvas *one, int from, const struct canvas *two, int other, int rows)
{
	for (int y = 0; y < rows; y++)
		for (int x = 0; x < one->width; x++) {
			const struct cell *a = canvas_cell_at(one, x, from + y), *b = canvas_cell_at(two, x, other + y);
			assert_int_equal(a->glyph, b->glyph);
			assert_int_equal(a->role, b->role);
			assert_int_equal(a->lower, b->lower);
			assert_int_equal(a->lines, b->lines);
		}
}

static int memory_row(const struct canvas *canvas, int from)
{
	while (from < canvas->height && canvas_glyph_at(canvas, 0, from, false) != 'm')
		from++;
	return from;
}

static void compare_at(struct session *session, sw_strategy strategy, int step, double passed)
{
	const sw_plan *plan = &session->state.plan->plan;
	sw_arena *arena = sw_arena_new();
	sw_plan *second = SW_NEW_ZERO(arena, sw_plan, 1);
	const sw_plan_options asked = {.strategy = strategy};
	assert_true(sw_plan_find(&plan->problem, &asked, arena, second, NULL));
	struct view_options opt = view_options_default(160), own = opt;
	struct view_input in = {.plan = plan, .beside = second, .beside_name = "second"};
	struct canvas both = {0}, alone = {0};
	opt.step = step;
	opt.passed = passed;
	double now = 0;
	for (int k = 0; k < step; k++)
		now += film_seconds(NULL, plan, k);
	double rest = film_seconds(NULL, second, -1) - now;
	now += step < plan->program.steps ? film_seconds(NULL, plan, step) * passed : rest > 0 ? rest * passed : 0;
	own.step = 0;
	while (own.step < second->program.steps && now * (1 + 1e-9) >= film_seconds(NULL, second, own.step))
		now -= film_seconds(NULL, second, own.step++);
	own.passed = own.step < second->program.steps ? now / film_seconds(NULL, second, own.step) : 0;
	assert_true(view_film(&in, &opt, &both, NULL));
	in = (struct view_input){.plan = second};
	assert_true(view_film(&in, &own, &alone, NULL));
	int here = row_of(&both, "second") + 1, there = row_of(&alone, "film") + 2;
	assert_true(here > 0);
	assert_rows_same(&both, here, &alone, there, memory_row(&alone, there) - there);
	canvas_free(&both);
	canvas_free(&alone);
	sw_arena_free(arena);
}

static void the_second_is_as_alone(void **state)
{
	static const sw_strategy strategies[] = {SW_NAIVE, SW_XLA, SW_FUSED, SW_DIRECT};
	(void)state;
	struct session session;
	film_open(&session, PAPER, 256);
	for (size_t i = 0; i < COUNT(strategies); i++)
		for (int step = 0; step <= session.state.plan->plan.program.steps; step++)
			for (double passed = 0; passed < 0.9; passed += 0.3)
				compare_at(&session, strategies[i], step, passed);
	stage_close(&session);
}

/* ---- keys ---- */

/* d goes through all that have a plan, and comes to none. */
static void d_goes_round(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	int results = session.result_count, seen = 0;
	screen_key(screen, 'd');
	assert_string_equal(screen->second.name, "naive");
	screen_key(screen, 'd');
	assert_string_equal(screen->second.name, "xla");
	for (seen = 2; screen->viewpoint.beside && seen < 20; seen++)
		screen_key(screen, 'd');
	assert_true(seen > 4 && seen < 20);
	assert_non_null(strstr(screen->message, "no second plan"));
	assert_int_equal(session.result_count, results);
	stage_close(&session);
}

/* Where the second takes longer the playhead goes on to its end, and plays to it. */
static void it_goes_on_behind_the_first(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	int steps = session.state.plan->plan.program.steps;
	press(screen, "d f Right");
	assert_int_equal(screen->viewpoint.step, steps);
	assert_true(screen->viewpoint.passed > 0);
	for (int i = 0; i < 9; i++)
		screen_key(screen, KEY_NAME_RIGHT);
	assert_true(screen->viewpoint.passed > 0.999);
	screen_key(screen, KEY_NAME_RIGHT);
	assert_non_null(strstr(screen->message, "last step"));
	screen_key(screen, KEY_NAME_LEFT);
	assert_true(screen->viewpoint.passed > 0.89 && screen->viewpoint.passed < 0.91);
	press(screen, "g Space");
	for (int all = 0; screen->running && all < 1000; all++)
		screen_tick(screen);
	assert_int_equal(screen->viewpoint.step, steps);
	assert_true(screen->viewpoint.passed > 0.999);
	stage_close(&session);
}

/* A lower or higher budget is that of both. */
static void the_budget_is_that_of_both(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	int64_t before = session.state.plan->plan.budget;
	press(screen, "d >");
	assert_true(session.state.plan->plan.budget > before);
	assert_int_equal(screen->second.plan->budget, session.state.plan->plan.budget);
	assert_int_equal(screen->second.beside, session.state.plan->number);
	press(screen, "<");
	assert_int_equal(screen->second.plan->budget, before);
	stage_close(&session);
}

/* ---- ways of a product ---- */

/* d goes through them, comes to none, and the program stays the present one. */
static int results_kept(const struct session *session)
{
	int kept = 0;
	for (int i = 0; i < SESSION_RESULTS; i++)
		kept += session->results[i] != NULL;
	return kept;
}

/* The programs that d finds are no results that one asks for by number, and none of them stays among these. */
static void d_keeps_no_result(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, CHUNKS, 256);
	const struct kept_plan *present = session.state.plan;
	int kept = results_kept(&session), seen = 0;
	for (int k = 0; k < 12; k++) {
		screen_key(screen, 'd');
		look(screen, 120, 36, NULL);
		bool second = screen->viewpoint.beside > 0;
		seen += second;
		assert_int_equal(results_kept(&session), kept);
		assert_int_equal(screen->second.plan != NULL, second);
		assert_ptr_equal(session_result(&session, present->number), present);
	}
	assert_true(seen >= 2);
	stage_close(&session);
}

static void d_goes_through_ways(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, WAYS, 256);
	const struct kept_program *program = session.state.program;
	int results = session.result_count, seen = 0;
	screen_key(screen, 'd');
	for (; screen->viewpoint.way > 0 && seen < 20; seen++) {
		look(screen, 120, 36, NULL);
		assert_non_null(screen->second.moments);
		assert_non_null(strstr(screen->message, "of the product"));
		screen_key(screen, 'd');
	}
	assert_true(seen >= 5 && screen->viewpoint.way == 0);
	assert_null(strstr(sw_text_get(&screen->echo), "--way"));
	press(screen, "d");
	char option[32];
	snprintf(option, sizeof option, " --way %d", screen->viewpoint.way);
	assert_non_null(strstr(sw_text_get(&screen->echo), option));
	press(screen, "s");
	assert_non_null(strstr(sw_text_get(&screen->echo), option));
	assert_ptr_equal(session.state.program, program);
	assert_int_equal(session.result_count, results);
	look(screen, 120, 36, NULL);
	screen_take_line(screen, "ways 2");
	press(screen, "d");
	assert_true(screen->viewpoint.way > 0);
	stage_close(&session);
}

static double seconds_of_plans(const sw_moments *moments)
{
	double sum = 0;
	for (int k = 1; k <= moments->count; k++)
		if (moments->moment[k - 1].plan)
			sum += film_seconds(NULL, moments->moment[k - 1].plan, moments->moment[k - 1].inside);
	return sum;
}

/* What moves takes what its plans take, what is computed takes what the hardware needs, and a moment is found by its time. */
static void the_time_of_a_program(void **state)
{
	(void)state;
	struct session session;
	film_open(&session, WAYS, 256);
	const sw_moments *moments = session_moments(&session, NULL);
	const sw_hardware *hardware = hardware_named(sw_str_of("a100"), NULL);
	assert_non_null(hardware);
	const struct program_clock unset = {.timed = NULL}, clock = {.hardware = hardware};
	double moves = program_seconds(moments, -1, &unset), all = program_seconds(moments, -1, &clock), flops = 0;
	for (int k = 1; k <= moments->count; k++)
		flops += sw_moments_flops(moments, k);
	assert_true(moves > 0 && flops > 0);
	assert_float_equal(moves, seconds_of_plans(moments), 1e-15);
	assert_float_equal(all, moves + flops / hardware->flops, 1e-15);
	assert_true(program_lacks_rate(moments, &unset) && !program_lacks_rate(moments, &clock));
	for (int step = 0; step < moments->count; step++)
		for (double passed = 0; passed < 0.95; passed += 0.3) {
			struct view_options opt = view_options_default(120), found = opt;
			opt.step = step;
			opt.passed = passed;
			double at = program_passed(moments, &opt, &clock);
			program_at_seconds(moments, at, &clock, &found);
			assert_float_equal(program_passed(moments, &found, &clock), at, all * 1e-5);
			assert_true(found.passed >= 0 && found.passed <= 1);
		}
	stage_close(&session);
}

/* What cannot be laid below is said. */
static void it_says_why_not(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, "mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9\n", 256);
	press(screen, "d");
	assert_non_null(strstr(screen->message, "no second film is drawn below a schedule"));
	screen_take_line(screen, "film --beside naive");
	assert_non_null(strstr(screen->answer_line, "nothing is drawn beside this"));
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(scene_is_as_before, scenes, name),
		TEST(the_second_is_as_alone),
		TEST(d_goes_round),
		TEST(it_goes_on_behind_the_first),
		TEST(the_budget_is_that_of_both),
		TEST(d_goes_through_ways),
		TEST(d_keeps_no_result),
		TEST(the_time_of_a_program),
		TEST(it_says_why_not),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands around a run: records that are read and merged, problems for fewer devices and other sizes, the picture of
 * times.
 */
#include <shardwalk/evaluation.h>

#include "session/records.h"
#include "launch/smaller.h"
#include "launch/stream.h"
#include "session/live.h"
#include "views/views.h"
#include "kit/kit.h"
#include "kit/snapshot.h"
#include "kit/snapshot.h"

/* ---- records ---- */

static void add_launch(sw_text *text, const char *plan, int launch, double seconds)
{
	sw_text_addf(text,
		"{\"schema\": \"shardwalk.run/1\", \"record\": \"start\", \"plan\": \"%s\", \"host\": \"h\", \"cores\": 2, "
		"\"ranks\": 8, \"launch\": %d, \"mpi\": \"MPICH 4\", \"transport\": \"shared\"}\n",
		plan, launch);
	sw_text_addf(text,
		"{\"record\": \"step\", \"step\": 1, \"op\": \"alltoall\", \"seconds\": {\"median\": %g, \"p10\": %g, \"p90\": %g, "
		"\"max\": 1}, \"reference_seconds\": {\"median\": %g}, \"bytes\": 1000000, \"bus_bandwidth\": 5e8, \"predicted_seconds\": %g}\n",
		seconds, seconds / 2, seconds * 2, seconds / 2, seconds);
	sw_text_addf(text, "{\"record\": \"total\", \"seconds\": {\"median\": %g}, \"bytes\": 1000000}\n", seconds);
	sw_text_add(text, "{\"record\": \"check\", \"verified\": true}\n{\"record\": \"complete\"}\n");
}

static void read_text(sw_arena *arena, const char *text, struct records *records)
{
	*records = records_start(arena);
	assert_true(records_take_text(records, sw_str_of(text), NULL));
}

static void test_merge(void **state)
{
	(void)state;
	static const double seconds[] = {0.003, 0.001, 0.010};
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	struct records records;
	for (int i = 0; i < 3; i++) {
		add_launch(&text, "fused", i + 1, seconds[i]);
		add_launch(&text, "naive", i + 1, 2 * seconds[i]);
	}
	read_text(arena, sw_text_get(&text), &records);
	assert_int_equal(records_complete(&records), 6);
	assert_string_equal(records_plan(&records, 0), "fused");
	assert_string_equal(records_plan(&records, 1), "naive");
	assert_null(records_plan(&records, 2));
	const struct times *times = records_merge(&records, "naive");
	assert_int_equal(times->launches, 3);
	assert_float_equal(times->total.seconds.median, 0.006, 1e-12);
	assert_float_equal(times->step[0].seconds.p10, 0.002, 1e-12);
	assert_float_equal(times->step[0].seconds.p90, 0.020, 1e-12);
	assert_null(records_merge(&records, "paper"));
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* Steps are predicted as they took; totals by what is given here. */
static void test_place_among_predictions(void **state)
{
	(void)state;
	static const double seconds[] = {3, 1, 2}, predicted[] = {1, 3, 2};
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	struct records records;
	for (int i = 0; i < 3; i++) {
		char plan[] = {(char)('a' + i), '\0'};
		sw_text_addf(&text, "{\"record\": \"start\", \"plan\": \"%s\"}\n", plan);
		sw_text_addf(&text,
			"{\"record\": \"total\", \"seconds\": {\"median\": %g}, \"bytes\": 1, \"predicted_seconds\": %g}\n",
			seconds[i], predicted[i]);
		sw_text_add(&text, "{\"record\": \"check\", \"verified\": true}\n{\"record\": \"complete\"}\n");
		read_text(arena, sw_text_get(&text), &records);
		assert_int_equal(records_place(&records), i < 2 ? 0 : 3);
	}
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void test_unfinished_launches_do_not_count(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	struct records records;
	add_launch(&text, "fused", 1, 0.003);
	sw_text_add(&text, "{\"record\": \"start\", \"plan\": \"fused\"}\n{\"record\": \"step\", \"step\": 1}\n");
	sw_text_add(&text, "{\"record\": \"of a later version\", \"step\": {}}\n");
	read_text(arena, sw_text_get(&text), &records);
	assert_int_equal(records_complete(&records), 1);
	assert_int_equal(records_merge(&records, "fused")->launches, 1);
	assert_float_equal(records_merge(&records, "fused")->total.seconds.median, 0.003, 1e-12);
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void test_bad_records(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		sw_code code;
	} rows[] = {
		{"", SW_P01},
		{"{}", SW_P01},
		{"[1]", SW_P01},
		{"{\"record\": 3}", SW_P01},
		{"{\"record\"", SW_B04},
		{"{\"schema\": \"shardwalk.plan/1\", \"record\": \"start\"}", SW_P01},
		{"{\"schema\": \"shardwalk.run/7\", \"record\": \"start\"}", SW_P02},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		sw_arena *arena = sw_arena_new();
		struct records records = records_start(arena);
		sw_diag diag = {.code = SW_OK};
		assert_false(records_take_text(&records, sw_str_of(rows[i].text), &diag));
		assert_int_equal(diag.code, rows[i].code);
		sw_arena_free(arena);
	}
}

/* ---- other problems of the same kind ---- */

static sw_problem problem_of(const char *mesh_text, const char *text)
{
	sw_problem problem;
	sw_mesh mesh;
	assert_true(sw_mesh_parse(sw_str_of(mesh_text), &mesh, NULL));
	assert_true(sw_problem_parse(&mesh, sw_str_of(text), &problem, NULL));
	return problem;
}

static void check_problem(const sw_problem *problem, const char *mesh, const char *types)
{
	sw_text text = {0};
	sw_mesh_print(&problem->mesh, &text);
	assert_string_equal(sw_text_get(&text), mesh);
	sw_text_clear(&text);
	sw_type_print(&problem->mesh, &problem->from, false, &text);
	sw_text_add(&text, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, false, &text);
	assert_string_equal(sw_text_get(&text), types);
	sw_text_free(&text);
}

static void test_fewer_devices(void **state)
{
	(void)state;
	static const struct {
		const char *mesh, *problem;
		int64_t most;
		const char *small, *types;
	} rows[] = {
		{"{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", 8, "{x: 4, y: 2}",
			"[1{x}4, 2{y}4] ~> [2{y}4, 1{x}4]"},
		{"{x: 4, y: 12}", "[3{x}12, 2{y}24] ~> [12, 24]", 16, "{x: 4, y: 4}", "[3{x}12, 2{y}8] ~> [12, 8]"},
		{"{x: 8}", "[4{x}32, 8] ~> [32, 1{x}8]", 4, "{x: 4}", "[4{x}16, 4] ~> [16, 1{x}4]"},
		{"{x: 8}", "[4{x}32, 8] ~> [32, 1{x}8]", 8, "{x: 8}", "[4{x}32, 8] ~> [32, 1{x}8]"},
		{"{x: 2, y: 2}", "[8{x}16, 16{y}32] ~> [16, 8{y,x}32]", 2, "{x: 2, y: 1}", "[8{x}16, 16] ~> [16, 8{x}16]"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		sw_problem problem = problem_of(rows[i].mesh, rows[i].problem), small;
		assert_true(problem_for_devices(&problem, rows[i].most, &small));
		check_problem(&small, rows[i].small, rows[i].types);
	}
}

static void test_any_number_of_devices(void **state)
{
	(void)state;
	sw_problem problem = problem_of("{x: 12, y: 10}",
		"[6{x:(1)6}36, 100{y}1000, 4] ~> [36, 250{x:(6)2,x:(3)2}1000, 4]");
	for (int64_t most = 120; most >= 1; most--) {
		sw_problem small;
		assert_true(problem_for_devices(&problem, most, &small));
		assert_true(small.mesh.devices <= most);
		assert_true(sw_type_redistributable(&small.from, &small.to, NULL));
		for (int i = 0; i < 3; i++)
			assert_true(small.from.global[i] <= problem.from.global[i]);
	}
}

static void test_sizes(void **state)
{
	(void)state;
	sw_problem problem = problem_of("{x: 2, y: 2}", "f64[256{x}512, 512{y}1024] ~> f64[512, 256{y,x}1024]"), scaled;
	for (int64_t bytes = 1024; bytes <= (int64_t)1 << 40; bytes *= 2) {
		assert_int_equal(problem_for_bytes(&problem, bytes, &scaled), bytes);
		assert_true(sw_type_redistributable(&scaled.from, &scaled.to, NULL));
	}
	assert_int_equal(problem_for_bytes(&problem, 1, &scaled), 16);
	problem = problem_of("{x: 3}", "[5{x}15, 7] ~> [15, 7]");
	for (int64_t bytes = 16; bytes < 1 << 20; bytes = bytes * 3 / 2) {
		int64_t found = problem_for_bytes(&problem, bytes, &scaled);
		assert_true(found > 0 && found < 3 * bytes && (found > bytes / 3 || bytes < 100));
	}
	problem = problem_of("{x: 3}", "[] ~> []");
	assert_int_equal(problem_for_bytes(&problem, 64, &scaled), 0);
}

/* What every layout on the mesh could divide before divides it still; no dimension grows, and the sizes are near to what was
 * asked for where there is room. */
static void test_share_of_the_elements(void **state)
{
	(void)state;
	static const double shares[] = {1, 0.5, 0.1, 0.02, 1e-9};
	for (int n = 0; n < 200; n++) {
		sw_problem problem, scaled;
		assert_true(sw_evaluation_draw(n % 2 ? 8 : 12, 3, n, &problem, NULL));
		for (size_t s = 0; s < COUNT(shares); s++) {
			assert_true(problem_for_share(&problem, shares[s], &scaled));
			double before = (double)sw_type_globalsize(&problem.from),
				   after = (double)sw_type_globalsize(&scaled.from);
			assert_true(sw_type_redistributable(&scaled.from, &scaled.to, NULL));
			assert_true(shares[s] < 1 ? after < before : sw_type_equal(&scaled.from, &problem.from));
			assert_true(shares[s] < 0.02 || (after <= before * shares[s] && after > before * shares[s] / 8));
			for (int i = 0; i < problem.from.rank; i++) {
				int64_t devices = problem.mesh.devices, now = scaled.from.global[i], was = problem.from.global[i];
				assert_true(now <= was);
				for (int64_t factor = 2; factor <= devices; factor++)
					assert_true(devices % factor || was % factor || now % factor == 0);
			}
		}
	}
}

/* ---- the picture ---- */

static void test_picture(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	struct records records;
	add_launch(&text, "fused", 1, 0.003);
	read_text(arena, sw_text_get(&text), &records);
	for (int width = VIEW_MIN_WIDTH; width <= 140; width++) {
		struct canvas canvas = {0};
		struct view_options options = view_options_default(width);
		struct view_input in = {.times = &records, .times_number = 4};
		sw_text drawn = {0};
		assert_true(view_times(&in, &options, &canvas, NULL));
		canvas_print(&canvas, &(struct canvas_style){.ascii = width % 2}, &drawn);
		assert_int_equal(canvas.width, width);
		assert_non_null(strstr(sw_text_get(&drawn), "3.00 ms"));
		if (width >= 60)
			assert_non_null(strstr(sw_text_get(&drawn), "50 %"));
		canvas_free(&canvas);
		sw_text_free(&drawn);
	}
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* A launch of two steps with figures of its own. */
static void add_measured(sw_text *text, const char *plan, int launch, double factor)
{
	static const char course[] = "[0.00022, 0.00018, 0.00018, 0.0003, 0.00021, 0.00018, 0.00018, 0.00041, 0.0002]";
	sw_text_addf(text,
		"{\"schema\": \"shardwalk.run/1\", \"record\": \"start\", \"plan\": \"%s\", \"host\": \"h\", \"cores\": 8, "
		"\"ranks\": 4, \"launch\": %d, \"mpi\": \"MPICH 4\", \"transport\": \"shared\"}\n",
		plan, launch);
	for (int k = 0; k < 2; k++)
		sw_text_addf(text,
			"{\"record\": \"step\", \"step\": %d, \"op\": \"%s\", \"seconds\": {\"median\": %g, \"p10\": %g, \"p90\": %g, "
			"\"max\": 1}, \"reference_seconds\": {\"median\": %g}, \"bytes\": 1000000, \"course_seconds\": %s, "
			"\"predicted_seconds\": %g}\n",
			k + 1, k ? "allgather" : "alltoall", factor * 223e-6, factor * 180e-6, factor * 270e-6, factor * 110e-6,
			course, factor * 150e-6);
	sw_text_addf(text,
		"{\"record\": \"total\", \"seconds\": {\"median\": %g, \"p10\": %g, \"p90\": %g, \"max\": 1}, "
		"\"reference_seconds\": {\"median\": %g}, \"bytes\": 2000000, \"course_seconds\": %s}\n",
		factor * 440e-6, factor * 370e-6, factor * 530e-6, factor * 220e-6, course);
	sw_text_add(text, "{\"record\": \"check\", \"verified\": true}\n{\"record\": \"complete\"}\n");
}

static void draw_measured(const struct records *records, int width, const char *what, struct canvas_style style,
	sw_text *drawn)
{
	struct canvas canvas = {0};
	struct view_options options = view_options_default(width);
	struct view_input in = {.times = records};
	assert_true(view_times(&in, &options, &canvas, NULL));
	sw_text_addf(drawn, "== %d%s\n", width, what);
	canvas_print(&canvas, &style, drawn);
	canvas_free(&canvas);
}

/* Filled to the 10 % point, open to 90 % with the median, the plain copy and the prediction on it, repetitions in order. */
static void test_bars(void **state)
{
	(void)state;
	static const int widths[] = {60, 80, 120, 200};
	sw_arena *arena = sw_arena_new();
	sw_text one = {0}, two = {0}, drawn = {0};
	struct records records;
	add_measured(&one, "fused", 1, 1);
	read_text(arena, sw_text_get(&one), &records);
	for (int i = 0; i < 4; i++) {
		draw_measured(&records, widths[i], "", (struct canvas_style){.colors = 0}, &drawn);
		draw_measured(&records, widths[i], " ascii", (struct canvas_style){.ascii = true}, &drawn);
		draw_measured(&records, widths[i], " colors", (struct canvas_style){.colors = 256}, &drawn);
	}
	for (int launch = 1; launch <= 2; launch++) {
		add_measured(&two, "fused", launch, launch);
		add_measured(&two, "naive", launch, 3 + launch);
	}
	read_text(arena, sw_text_get(&two), &records);
	draw_measured(&records, 80, " plans", (struct canvas_style){.colors = 0}, &drawn);
	assert_snapshot("screens", "times-run", sw_text_get(&drawn));
	sw_text_free(&one);
	sw_text_free(&two);
	sw_text_free(&drawn);
	sw_arena_free(arena);
}

/* The same work in two rows needs a word. */
static void test_only_step(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0}, drawn = {0};
	struct records records;
	add_launch(&text, "fused", 1, 0.003);
	read_text(arena, sw_text_get(&text), &records);
	draw_measured(&records, 200, "", (struct canvas_style){.colors = 0}, &drawn);
	assert_non_null(strstr(sw_text_get(&drawn), "the same work as the only step"));
	sw_text_clear(&text);
	sw_text_clear(&drawn);
	add_measured(&text, "fused", 1, 1);
	read_text(arena, sw_text_get(&text), &records);
	draw_measured(&records, 200, "", (struct canvas_style){.colors = 0}, &drawn);
	assert_null(strstr(sw_text_get(&drawn), "the only step"));
	sw_text_free(&text);
	sw_text_free(&drawn);
	sw_arena_free(arena);
}

/* ---- a run that goes on ---- */

struct heard {
	int lines;
	char last[64];
};

static void hear_line(void *context, sw_str line)
{
	struct heard *heard = context;
	heard->lines++;
	snprintf(heard->last, sizeof(heard->last), "%.*s", (int)line.length, line.at);
}

/* Wherever the parts end, the lines are the same. */
static void test_lines_in_parts(void **state)
{
	(void)state;
	static const char text[] = "{\"a\": 1}\n\nsecond\nthe end";
	size_t length = sizeof(text) - 1;
	for (size_t part = 1; part <= length; part++) {
		struct heard heard = {0};
		struct stream stream = {.take = hear_line, .context = &heard};
		for (size_t at = 0; at < length; at += part)
			stream_add(&stream, text + at, part < length - at ? part : length - at);
		assert_int_equal(heard.lines, 3);
		assert_string_equal(heard.last, "second");
		stream_end(&stream);
		assert_int_equal(heard.lines, 4);
		assert_string_equal(heard.last, "the end");
	}
}

static void hear(struct live_run *live, sw_record_kind kind, int steps)
{
	sw_record record;
	sw_record_start(kind, &record);
	live_hear(live, &record, steps);
}

static void assert_live(const struct live_run *live, double now, const char *expected)
{
	sw_text text = {0};
	live_print(live, now, &text);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
}

/* Nothing is promised before something was measured; then what is left is what is not done, at the pace until now. */
static void test_time_left(void **state)
{
	(void)state;
	struct live_run live = {.what = "run", .launches = 2};
	assert_true(live_left(&live, 5) < 0);
	live_launch(&live, 2, 10);
	assert_live(&live, 11, "launch 1 of 2, 2 plans");
	hear(&live, SW_RECORD_START, 2);
	assert_true(live_left(&live, 11) < 0);
	hear(&live, SW_RECORD_STEP, 2);
	assert_float_equal(live_left(&live, 11), 15, 1e-9); /* a quarter of the first of four took a second */
	hear(&live, SW_RECORD_STEP, 2);
	hear(&live, SW_RECORD_STEP, 2); /* one more than it has */
	assert_float_equal(live_left(&live, 12), 14, 1e-9);
	hear(&live, SW_RECORD_TOTAL, 2);
	hear(&live, SW_RECORD_COMPLETE, 2);
	assert_live(&live, 14, "launch 1 of 2, 2 plans, about 12 s left");
	hear(&live, SW_RECORD_COMPLETE, 2); /* of no plan */
	assert_float_equal(live_left(&live, 14), 12, 1e-9);
	hear(&live, SW_RECORD_START, 0);
	hear(&live, SW_RECORD_ERROR, 0);
	assert_float_equal(live_left(&live, 18), 8, 1e-9);
	assert_live(&live, 410, "launch 1 of 2, 2 plans, about 7 min left");
	assert_int_equal(live.heard, 9);
}

/* A strategy that was asked for counts in the launches to come, and is asked for once. */
static void test_strategies_are_added(void **state)
{
	(void)state;
	struct live_run live = {.what = "run", .launches = 2, .has = 1u << SW_FUSED};
	live_launch(&live, 1, 0);
	hear(&live, SW_RECORD_START, 0);
	hear(&live, SW_RECORD_COMPLETE, 0);
	assert_float_equal(live_left(&live, 3), 3, 1e-9);
	assert_false(live_want(&live, SW_FUSED));
	assert_true(live_want(&live, SW_NAIVE));
	assert_false(live_want(&live, SW_NAIVE));
	assert_float_equal(live_left(&live, 3), 6, 1e-9);
	live.wanted = 0;
	live_launch(&live, 2, 4);
	assert_float_equal(live_left(&live, 4), 8, 1e-9);
	assert_live(&live, 4, "launch 2 of 2, 2 plans, about 8 s left");
}

/* Before a step was measured the time that is left is that of predicted times, and nobody knows it when these are over. */
static void test_left_by_predicted_times(void **state)
{
	(void)state;
	struct live_run live = {.what = "run", .launches = 3, .expected = 5};
	assert_true(live_left(&live, 5) < 0);
	live_launch(&live, 2, 10);
	assert_true(live_unmeasured(&live));
	assert_float_equal(live_left(&live, 11), 14, 1e-9);
	assert_live(&live, 11, "launch 1 of 3, 2 plans, about 14 s left by predicted times");
	hear(&live, SW_RECORD_START, 2);
	assert_float_equal(live_left(&live, 24), 1, 1e-9);
	assert_live(&live, 26, "launch 1 of 3, 2 plans");
	hear(&live, SW_RECORD_STEP, 2);
	assert_false(live_unmeasured(&live));
	assert_float_equal(live_left(&live, 11), 23, 1e-9); /* a quarter of the first of six took a second */
	assert_live(&live, 11, "launch 1 of 3, 2 plans, about 23 s left");
}

static void test_repetitions(void **state)
{
	(void)state;
	assert_int_equal(sw_run_repetitions(1e-6, false), 101);
	assert_true(sw_run_repetitions(1e-2, true) > sw_run_repetitions(1e-2, false));
	assert_true(sw_run_repetitions(1, true) < sw_run_repetitions(1e-2, false));
}

static int count_of(const char *text, const char *words)
{
	int count = 0;
	for (const char *at = text; (at = strstr(at, words)); at++)
		count++;
	return count;
}

static void draw_live(const struct records *records, const struct live_run *live, int width, int height,
	sw_text *drawn)
{
	struct canvas canvas = {0};
	struct view_options options = view_options_default(width);
	struct view_input in = {.times = records, .live = live, .now = 4};
	options.height = height;
	sw_text_addf(drawn, "== %d x %d\n", width, height);
	assert_true(view_times(&in, &options, &canvas, NULL));
	if (height)
		assert_true(canvas.height <= height);
	canvas_print(&canvas, &(struct canvas_style){.colors = 0}, drawn);
	canvas_free(&canvas);
}

/* The picture of every beginning of what a run says: nothing is known in the end only, and nothing is drawn twice. */
static void test_growing_picture(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0}, drawn = {0};
	struct records records = records_start(arena);
	struct live_run live = {.what = "run", .records = &records, .launches = 2, .takes = true};
	add_measured(&text, "fused", 1, 1);
	add_measured(&text, "naive", 1, 3);
	live_launch(&live, 2, 0);
	draw_live(&records, &live, 80, 0, &drawn);
	for (const char *at = sw_text_get(&text); *at; at = strchr(at, '\n') + 1) {
		sw_record record;
		assert_true(sw_record_read((sw_str){at, strcspn(at, "\n")}, arena, &record, NULL));
		live_hear(&live, &record, 2);
		assert_true(records_take(&records, &record, NULL));
		draw_live(&records, &live, 80, 0, &drawn);
	}
	draw_live(&records, &live, 60, 0, &drawn);
	draw_live(&records, &live, 120, 0, &drawn);
	assert_snapshot("screens", "times-live", sw_text_get(&drawn));
	sw_text_free(&text);
	sw_text_free(&drawn);
	sw_arena_free(arena);
}

/* Of many plans those around the one that runs are in sight. */
static void test_many_plans_while_they_run(void **state)
{
	(void)state;
	enum { PLANS = 40, RUNS = 30 };
	sw_arena *arena = sw_arena_new();
	sw_text text = {0}, drawn = {0};
	struct records records = records_start(arena);
	struct live_run live = {.what = "calibrate", .records = &records, .launches = 2};
	char name[16];
	for (int launch = 1; launch <= 2; launch++)
		for (int i = 0; i < (launch == 1 ? PLANS : RUNS); i++) {
			snprintf(name, sizeof(name), "plan %d", i + 1);
			add_measured(&text, name, launch, i + 1);
		}
	sw_text_addf(&text, "{\"schema\": \"shardwalk.run/1\", \"record\": \"start\", \"plan\": \"plan %d\"}\n",
		RUNS + 1);
	assert_true(records_take_text(&records, sw_str_of(sw_text_get(&text)), NULL));
	live_launch(&live, PLANS, 0);
	live_launch(&live, PLANS, 0);
	draw_live(&records, &live, 100, 21, &drawn);
	assert_int_equal(count_of(sw_text_get(&drawn), "plan 31 "), 1);
	assert_int_equal(count_of(sw_text_get(&drawn), "plan 18 "), 1);
	assert_null(strstr(sw_text_get(&drawn), "plan 17 "));
	assert_non_null(strstr(sw_text_get(&drawn), "26 more rows are left out"));
	assert_null(strstr(sw_text_get(&drawn), "adds a strategy"));
	sw_text_free(&text);
	sw_text_free(&drawn);
	sw_arena_free(arena);
}

static void test_no_picture(void **state)
{
	(void)state;
	struct canvas canvas = {0};
	struct view_options options = view_options_default(80);
	sw_diag diag;
	assert_false(view_times(&(struct view_input){.mesh = NULL}, &options, &canvas, &diag));
	assert_int_equal(diag.code, SW_L07);
	canvas_free(&canvas);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_merge),
		TEST(test_place_among_predictions),
		TEST(test_unfinished_launches_do_not_count),
		TEST(test_bad_records),
		TEST(test_fewer_devices),
		TEST(test_any_number_of_devices),
		TEST(test_sizes),
		TEST(test_share_of_the_elements),
		TEST(test_picture),
		TEST(test_bars),
		TEST(test_only_step),
		TEST(test_lines_in_parts),
		TEST(test_time_left),
		TEST(test_strategies_are_added),
		TEST(test_left_by_predicted_times),
		TEST(test_repetitions),
		TEST(test_growing_picture),
		TEST(test_many_plans_while_they_run),
		TEST(test_no_picture),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a plan ends: beginnings of plans that do not reach `to`, the first device that ends with another tile, and
 * their execution up to where they stand.
 */
#include <shardwalk/plan.h>

#include "kit/problem.h"
#include "kit/kit.h"

/* The first device that ends with another tile than it needs, by the definition; -1: none. */
static int64_t first_wrong(const sw_plan *plan, const int64_t *held_by, const int64_t *needed_by, sw_arena *arena)
{
	int rank = plan->problem.from.rank;
	int64_t devices = plan->problem.mesh.devices, first = devices;
	int64_t *map = SW_NEW(arena, int64_t, devices * rank), *needs = SW_NEW(arena, int64_t, devices * rank);
	const int64_t *tile = plan->program.value[plan->program.steps].tile;

	assert_true(sw_plan_map(plan, plan->program.steps, map, NULL));
	for (int64_t p = 0; p < devices; p++)
		sw_type_offset(&plan->problem.mesh, &plan->problem.to, p, needs + (needed_by ? needed_by[p] : p) * rank);
	for (int64_t p = 0; p < devices; p++) {
		int64_t d = held_by ? held_by[p] : p;
		bool same = memcmp(map + p * rank, needs + d * rank, sizeof(*map) * (size_t)rank) == 0 &&
			memcmp(tile, plan->problem.to.tile, sizeof(*tile) * (size_t)rank) == 0;

		first = !same && d < first ? d : first;
	}
	return first < devices ? first : -1;
}

static int64_t named_device(const sw_diag *diag)
{
	const char *at = strstr(diag->message, "not on `to`: device ");

	assert_non_null(at);
	return strtoll(at + strlen("not on `to`: device "), NULL, 10);
}

/* All beginnings of the plan, and the plan. */
static void expect_ends(sw_plan *plan, sw_arena *arena)
{
	sw_verify_options options = {.prefix = true};
	sw_verdict verdict;
	int count = plan->program.steps;

	for (plan->program.steps = 0; plan->program.steps <= count; plan->program.steps++) {
		sw_diag diag = {.code = SW_OK};
		int64_t wrong = first_wrong(plan, sw_plan_order(plan, plan->program.steps),
			sw_problem_to_order(&plan->problem), arena);
		bool reaches = sw_plan_reaches(plan, &diag);

		assert_int_equal(reaches, wrong < 0);
		if (!reaches)
			assert_int_equal(named_device(&diag), wrong);
		if (!reaches)
			assert_int_equal(diag.code, SW_P07);
		assert_true(plan->program.steps < count || reaches);
		sw_plan begun = *plan;
		assert_true(sw_plan_total(&begun, NULL));
		if (!sw_plan_verify(&begun, &options, &verdict, &diag) || !verdict.right)
			fail_msg("%d of %d steps: %s", plan->program.steps, count, diag.message);
		begun.origin = "cut";
		begun.model = SW_MODEL_PAPER;
		if (!sw_plan_check_prefix(&begun, &diag) || sw_plan_check(&begun, &diag) != reaches)
			fail_msg("%d of %d steps: %s", plan->program.steps, count, diag.message);
	}
	plan->program.steps = count;
}

static const int64_t meshes[][3] = {{2, 2, 2}, {4, 3, 1}, {2, 6, 2}, {4, 2, 1}};

static void test_beginnings(void **state)
{
	static const sw_strategy strategies[] = {SW_NAIVE, SW_PAPER, SW_FUSED, SW_SHARDY, SW_DIRECT};
	draw random = draw_start("beginnings");

	(void)state;
	for (int round = 0; round < 400; round++) {
		sw_arena *arena = sw_arena_new();
		sw_plan_options options = {.strategy = strategies[round % 5]};
		sw_problem problem;
		sw_plan plan;

		draw_problem(&random, meshes[draw_below(&random, 4)], 3, 1 + draw_below(&random, 3), &problem);
		if (sw_plan_find(&problem, &options, arena, &plan, NULL))
			expect_ends(&plan, arena);
		sw_arena_free(arena);
	}
}

static void test_orders(void **state)
{
	draw random = draw_start("orders of ends");

	(void)state;
	for (int round = 0; round < 400; round++) {
		sw_arena *arena = sw_arena_new();
		sw_plan_options options = {.strategy = SW_FUSED};
		int64_t order[2][12];
		sw_problem problem;
		sw_plan plan;

		draw_problem(&random, meshes[1], 3, 1 + draw_below(&random, 3), &problem);
		for (int end = 0; end < 2; end++)
			for (int d = 0; d < 12; d++) {
				int at = draw_below(&random, d + 1);

				order[end][d] = order[end][at];
				order[end][at] = d;
			}
		find(&problem, &options, arena, &plan);
		assert_true(reorder(&plan, order[0], order[1], &options, arena, NULL));
		expect_ends(&plan, arena);
		sw_arena_free(arena);
	}
}

/* More devices than maps are made of: the digits of the types tell the first. */
static const char *const test_many_devices_rows[] = {"[2{x,y}8388608, 8] ~> [2{y,x}8388608, 8]",
	"[4096{x}8388608, 4096{y}8388608] ~> [4096{x}8388608, 8388608]",
	"[8388608, 4096{y}8388608] ~> [8388608, 4096{x}8388608]",
	"[8{x:(1)2}16, 4096{y}8388608] ~> [8{x:(2)2}16, 4096{y}8388608]", "[16, 4096{y}8388608] ~> [16, 4096{y}8388608]",
	"[8{y:(2)2}16, 8] ~> [8{y:(4)2}16, 8]", "[4{y:(2)4}16, 8] ~> [4{y:(2)2,y:(4)2}16, 8]"};

static void test_many_devices(void **state)
{
	const char *const *row = *state;
	sw_problem problem;
	sw_plan plan = {.program.steps = 0};
	sw_diag diag = {.code = SW_OK};
	sw_arena *arena = sw_arena_new();
	int64_t wrong = -1, held[2], needed[2];

	read_problem("{x: 2048, y: 2048}", *row, &problem);
	plan.problem = problem;
	assert_true(sw_plan_room(&plan, 0, arena));
	for (int64_t d = 0; wrong < 0 && d < problem.mesh.devices; d++) {
		sw_type_offset(&problem.mesh, &problem.from, d, held);
		sw_type_offset(&problem.mesh, &problem.to, d, needed);
		if (memcmp(held, needed, sizeof held) != 0 || memcmp(problem.from.tile, problem.to.tile, sizeof held) != 0)
			wrong = d;
	}
	assert_int_equal(sw_plan_reaches(&plan, &diag), wrong < 0);
	if (wrong >= 0)
		assert_int_equal(named_device(&diag), wrong);
	sw_arena_free(arena);
}

static void test_words(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = SW_FUSED};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag = {.code = SW_OK};
	sw_mesh mesh;

	(void)state;
	read_problem("{x: 4, y: 2}", "[8, 2{x}8, 4{y}8] ~> [8, 8, 1{y,x}8]", &problem);
	find(&problem, &options, arena, &plan);
	plan.program.steps = 0;
	assert_false(sw_plan_reaches(&plan, &diag));
	assert_string_equal(diag.message,
		"ends on [8, 2{x}8, 4{y}8], not on `to`: device 0 holds tile [0:8, 0:2, 0:4], needs "
		"[0:8, 0:8, 0:1]");
	assert_string_equal(diag.expected, "[8, 8, 1{y,x}8]");
	plan.problem.from = plan.problem.to;
	assert_true(sw_plan_room(&plan, 0, arena));
	assert_true(sw_plan_reaches(&plan, &diag));
	read_problem("{x: 4, y: 2}", "[8, 8, 1{x,y}8] ~> [8, 8, 1{y,x}8]", &plan.problem);
	assert_true(sw_plan_room(&plan, 0, arena));
	assert_false(sw_plan_reaches(&plan, &diag));
	assert_string_equal(diag.expected, "the tile at [0, 0, 1] on device 1");
	assert_string_equal(diag.found, "the tile at [0, 0, 4]");

	assert_true(sw_mesh_parse(sw_str_of("{x: 4}"), &mesh, NULL));
	assert_true(sw_problem_parse_as(&mesh, sw_str_of("[{x}9, 4] ~> [9, 1{x}4]"), true, &problem, NULL));
	plan = (sw_plan){.problem = problem};
	assert_true(sw_plan_room(&plan, 0, arena));
	assert_false(sw_plan_reaches(&plan, &diag));
	assert_non_null(strstr(diag.message, "device 0 holds tile [0:3, 0:4], needs [0:9, 0:1]"));
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_beginnings),
		TEST(test_orders),
		TEXTS(test_many_devices, test_many_devices_rows),
		TEST(test_words),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

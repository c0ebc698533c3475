/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans whose ends have their devices in different orders: which steps change over, that they end with the right
 * elements, and that files keep it.
 */
#include <shardwalk/plan.h>

#include "kit/problem.h"
#include "kit/kit.h"

static const sw_plan_options fused = {.strategy = SW_FUSED};

static void expect_right(sw_plan *plan, const int64_t *before, const int64_t *after, const sw_plan_options *options,
	sw_arena *arena)
{
	sw_verify_options scale = {.scale = true};
	sw_verdict verdict;
	sw_diag diag;

	if (!reorder(plan, before, after, options, arena, &diag) || !sw_plan_check(plan, &diag) ||
		!sw_plan_verify(plan, &scale, &verdict, &diag))
		fail_msg("%s", diag.message);
	if (!verdict.right)
		fail_msg("device %lld ends with wrong elements", (long long)verdict.wrong.device);
}

/* ---- known answers: each cost is the optimum over all maps of the four devices ---- */

static const struct row {
	const char *name, *ends;
	int64_t after[4];
	int64_t cost;
	int steps, changing; /* which step changes the order, from 1; 0: none */
} rows[] = {
	{"an alltoall of two dimensions", "[16, 2{x,y}8, 8] ~> [8{x}16, 8, 4{y}8]", {3, 2, 1, 0}, 256, 1, 1},
	{"an alltoall along one axis", "[24{y}48, 24] ~> [48, 12{x}24]", {3, 2, 1, 0}, 576, 1, 1},
	{"an alltoall in place of a permute", "[12{x}24, 24, 24] ~> [24, 24, 12{x}24]", {0, 3, 2, 1}, 6912, 1, 1},
	{"after a slice", "[24{x}48, 48] ~> [48, 12{x,y}48]", {2, 1, 0, 3}, 576, 2, 2},
	{"a gather", "[8{x}16, 8] ~> [16, 8]", {3, 2, 1, 0}, 128, 1, 1},
	{"copies are anywhere", "[16, 8] ~> [16, 8]", {3, 2, 1, 0}, 0, 0, 0},
	{"a slice takes another piece", "[16, 8] ~> [8{x}16, 8]", {2, 3, 0, 1}, 0, 1, 1},
	{"nothing else does it", "[8{x}16, 8] ~> [8{x}16, 8]", {3, 2, 1, 0}, 64, 1, 1},
};

static int changing_step(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].order)
			return k + 1;
	return 0;
}

static void known_answer(void **state)
{
	const struct row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	read_problem("{x: 2, y: 2}", row->ends, &problem);
	find(&problem, &fused, arena, &plan);
	expect_right(&plan, NULL, row->after, &fused, arena);
	assert_int_equal(plan.cost, row->cost);
	assert_int_equal(plan.program.steps, row->steps);
	assert_int_equal(changing_step(&plan), row->changing);
	assert_true(plan.lower_bound <= row->cost);
	sw_arena_free(arena);
}

static void test_direct_is_one_exchange(void **state)
{
	static const int64_t after[] = {3, 2, 1, 0};
	sw_plan_options options = {.strategy = SW_DIRECT, .model = SW_MODEL_VOLUME};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	(void)state;
	read_problem("{x: 2, y: 2}", rows[0].ends, &problem);
	find(&problem, &options, arena, &plan);
	expect_right(&plan, NULL, after, &options, arena);
	assert_int_equal(plan.program.steps, 1);
	assert_int_equal(plan.program.step[0].op, SW_EXCHANGE);
	assert_int_equal(plan.cost, 256);
	assert_true(plan.model_cost > 191 && plan.model_cost < 193); /* every device holds a quarter of what it needs */
	sw_arena_free(arena);
}

/* ---- what a file may claim ---- */

static void test_forged_order(void **state)
{
	static const int64_t after[] = {3, 2, 1, 0}, other[] = {3, 1, 2, 0};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	read_problem("{x: 2, y: 2}", "[8{x}16, 8] ~> [16, 4{x}8]", &problem);
	find(&problem, &fused, arena, &plan);
	expect_right(&plan, NULL, after, &fused, arena);
	assert_int_equal(changing_step(&plan), 1);
	plan.program.step[0].order = other;
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P05);
	assert_true(sw_plan_group(&plan, arena, &diag));
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P03);
	plan.program.step[0].order = NULL;
	assert_true(sw_plan_group(&plan, arena, &diag));
	assert_false(sw_plan_check(&plan, &diag));
	assert_non_null(strstr(diag.message, "not on `to`: device 0 holds tile"));
	sw_arena_free(arena);
}

/* ---- problems at random ---- */

static const int64_t *draw_order(draw *random, int64_t devices, sw_arena *arena)
{
	int64_t *order = SW_NEW(arena, int64_t, devices);
	int64_t turn = draw_below(random, (int)devices);
	bool shuffled = draw_below(random, 2) == 0;

	for (int64_t d = 0; d < devices; d++) {
		int64_t at = shuffled ? draw_below(random, (int)d + 1) : d;

		order[d] = order[at];
		order[at] = shuffled ? d : (d + turn) % devices;
	}
	return order;
}

static int64_t smallest_tile(const sw_plan *plan)
{
	int64_t least = sw_type_localsize(&plan->problem.from);

	for (int k = 0; k < plan->program.steps; k++)
		least = plan->program.value[k + 1].localsize < least ? plan->program.value[k + 1].localsize : least;
	return least;
}

/* A file says the same plan, and is right. */
static void check_file(const sw_plan *plan, sw_arena *arena)
{
	sw_text one = {0}, two = {0};
	sw_plan read;
	sw_diag diag;

	assert_true(sw_plan_write(plan, SW_JSON_MAPS, &one, &diag));
	if (!sw_plan_read((sw_str){one.data, one.length}, arena, &read, &diag) || !sw_plan_check(&read, &diag))
		fail_msg("%s in\n%s", diag.message, one.data);
	assert_true(read.program.claimed);
	read.program.claimed = false;
	assert_true(sw_plan_write(&read, SW_JSON_MAPS, &two, &diag));
	assert_string_equal(one.data, two.data);
	sw_text_free(&one);
	sw_text_free(&two);
}

static void draw_one(draw *random, sw_arena *arena)
{
	static const int64_t axes[][3] = {{2, 2, 1}, {4, 1, 1}, {2, 2, 2}, {2, 4, 1}, {2, 3, 1}, {3, 2, 2}};
	const int64_t *mesh = axes[draw_below(random, 6)];
	sw_plan_options options = {.strategy = (sw_strategy)draw_below(random, SW_STRATEGY_COUNT)};
	sw_problem problem;
	sw_plan plain, plan;
	sw_diag diag;

	draw_problem(random, mesh, 3, 1 + draw_below(random, 3), &problem);
	if (!sw_plan_find(&problem, &options, arena, &plain, &diag))
		return;
	plan = plain;
	expect_right(&plan, draw_order(random, problem.mesh.devices, arena),
		draw_order(random, problem.mesh.devices, arena), &options, arena);
	assert_true(plan.cost <= plain.cost + smallest_tile(&plain));
	assert_true(options.strategy != SW_DIRECT || plan.program.steps <= 1);
	check_file(&plan, arena);
}

static void test_random(void **state)
{
	draw random = draw_start("orders");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int n = 0; n < 3000; n++) {
		sw_arena_clear(arena);
		draw_one(&random, arena);
	}
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(known_answer, rows, name),
		TEST(test_direct_is_one_exchange),
		TEST(test_forged_order),
		TEST(test_random),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

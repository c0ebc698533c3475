/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Neighbouring steps as one: what is merged is right, and never costs more.
 */
#include <shardwalk/plan.h>

#include "kit/problem.h"
#include "kit/kit.h"

static void merge(const sw_plan *plan, sw_arena *arena, sw_plan *merged, sw_merge *pairs)
{
	sw_verify_options scale = {.scale = true};
	sw_verdict verdict;
	sw_diag diag;

	if (!sw_plan_merge(plan, arena, merged, pairs, &diag) || !sw_plan_check(merged, &diag) ||
		!sw_plan_verify(merged, &scale, &verdict, &diag))
		fail_msg("%s", diag.message);
	assert_true(verdict.right);
	assert_true(merged->cost <= plan->cost);
	assert_true(merged->program.steps <= plan->program.steps);
	assert_true(merged->height <= plan->height);
}

/* Each pair says which it is, and why; runs of pairs that are one are as many as steps that are gone. */
static void check_pairs(const sw_plan *plan, const sw_plan *merged, const sw_merge *pairs)
{
	int joined = 0;

	for (int k = 0; k + 1 < plan->program.steps; k++) {
		assert_true(strlen(pairs[k].why) > 0);
		assert_true(pairs[k].merged ? pairs[k].first <= k : pairs[k].first == k + 1);
		joined += pairs[k].merged;
	}
	assert_true(merged->program.steps <= plan->program.steps - joined);
}

static void draw_one(draw *random, sw_arena *arena)
{
	static const int64_t axes[][3] = {{2, 2, 1}, {4, 1, 1}, {2, 2, 2}, {2, 4, 1}, {2, 3, 1}, {3, 2, 2}};
	const int64_t *mesh = axes[draw_below(random, 6)];
	sw_plan_options options = {.strategy = (sw_strategy)draw_below(random, SW_STRATEGY_COUNT)};
	sw_problem problem;
	sw_plan plan, merged, again;
	sw_diag diag;

	draw_problem(random, mesh, 3, 1 + draw_below(random, 3), &problem);
	if (!sw_plan_find(&problem, &options, arena, &plan, &diag))
		return;
	sw_merge *pairs = SW_NEW(arena, sw_merge, 2 * plan.program.steps + 2);
	assert_non_null(pairs);
	merge(&plan, arena, &merged, pairs);
	check_pairs(&plan, &merged, pairs);
	merge(&merged, arena, &again, pairs + plan.program.steps);
	assert_true(again.cost == merged.cost && again.program.steps == merged.program.steps);
}

static void test_random(void **state)
{
	draw random = draw_start("merge");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int n = 0; n < 2000; n++) {
		sw_arena_clear(arena);
		draw_one(&random, arena);
	}
	sw_arena_free(arena);
}

/* ---- known answers ---- */

static const struct row {
	const char *name, *mesh, *ends;
	sw_strategy strategy;
	int64_t cost, merged_cost;
	int steps, merged_steps;
} rows[] = {
	{"two alltoalls into one dimension", "{a: 4, b: 2}", "[8{b}16, 16, 4{a}16] ~> [16, 2{b,a}16, 16]", SW_EXACT, 1024,
		512, 2, 1},
	{"gathers of two dimensions", "{x: 2, y: 2}", "[4{x}8, 4{y}8] ~> [8, 8]", SW_EXACT, 80, 64, 2, 1},
	{"a gather and a slice", "{x: 4}", "[2{x}8, 8] ~> [8, 2{x}8]", SW_NAIVE, 64, 16, 2, 1},
	{"a gather and a slice that undo each other", "{x: 4}", "[2{x}8, 8] ~> [2{x}8, 8]", SW_NAIVE, 64, 0, 2, 0},
	{"tiles of other shapes and of the same numbers", "{a: 3, b: 2, c: 2}",
		"[6{c}12, 6, 6{a,b}36] ~> [4{a}12, 3{b}6, 36]", SW_PAPER, 1080, 864, 4, 3},
	{"a permutation that is needed", "{x: 4, y: 4}", "[32{x,y}512, 128] ~> [128{x}512, 32{y}128]", SW_EXACT, 8192,
		8192, 2, 2},
};

static void known_answer(void **state)
{
	const struct row *row = *state;
	sw_plan_options options = {.strategy = row->strategy, .budget = 1 << 20};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan, merged;
	sw_merge pairs[8];

	read_problem(row->mesh, row->ends, &problem);
	find(&problem, &options, arena, &plan);
	assert_int_equal(plan.cost, row->cost);
	assert_int_equal(plan.program.steps, row->steps);
	merge(&plan, arena, &merged, pairs);
	assert_int_equal(merged.cost, row->merged_cost);
	assert_int_equal(merged.program.steps, row->merged_steps);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(known_answer, rows, name),
		TEST(test_random),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planning under models in seconds: against the plans of other systems, with links and on the hardware that is listed.
 */
#include <shardwalk/cost.h>
#include <shardwalk/hardware.h>

#include "kit/machine.h"
#include "kit/problem.h"
#include "plan/time_bound.h"
#include "kit/kit.h"

static const sw_strategy peers[] = {SW_XLA, SW_SHARDY, SW_DTENSOR, SW_DTENSOR_MIN_COST};

enum { PEERS = sizeof peers / sizeof *peers };

static bool one_dimension_steps(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].op != SW_DYNSLICE &&
			(plan->program.step[k].gathers > 1 || plan->program.step[k].splits > 1))
			return false;
	return true;
}

static bool avoids(const sw_plan *plan, unsigned operations)
{
	for (int k = 0; k < plan->program.steps; k++)
		if ((operations >> plan->program.step[k].op & 1) != 0)
			return false;
	return true;
}

static void not_above(const sw_plan *plan, const sw_plan *peer, unsigned without)
{
	bool within = peer->height <= plan->budget && (plan->live_budget == 0 || peer->live_peak <= plan->live_budget);

	if (!within || !avoids(peer, without) || (plan->strategy == SW_EXACT && !one_dimension_steps(peer)))
		return;
	if (plan->model_cost > peer->model_cost * (1 + 1e-12))
		fail_msg("%s takes %g s, %s %g s", sw_strategy_name(plan->strategy), plan->model_cost,
			sw_strategy_name(peer->strategy), peer->model_cost);
}

/* `fused` and `exact` against the five others; false where there is no plan within the bounds. */
static bool compare(const sw_problem *problem, const sw_plan_options *bounds, sw_arena *arena)
{
	sw_plan_options options = *bounds;
	sw_plan fused, exact, other;

	options.strategy = SW_FUSED;
	if (!sw_plan_find(problem, &options, arena, &fused, NULL))
		return false;
	options.strategy = SW_EXACT;
	find(problem, &options, arena, &exact);
	not_above(&fused, &exact, options.without);
	double least = sw_bound_seconds(problem, options.machine ? options.machine : sw_machine_default());
	assert_true(least <= fused.model_cost * (1 + 1e-9) && least <= exact.model_cost * (1 + 1e-9));
	for (int k = 0; k <= PEERS; k++) {
		options.strategy = k < PEERS ? peers[k] : SW_PAPER;
		if (!sw_plan_find(problem, &options, arena, &other, NULL))
			continue;
		assert_true(least <= other.model_cost * (1 + 1e-9));
		not_above(&fused, &other, options.without);
		not_above(&exact, &other, options.without);
	}
	assert_true(fused.model_bound <= fused.model_cost && exact.model_bound <= exact.model_cost);
	return true;
}

/* ---- problems that were lost ---- */

static const struct the_plans_of_others_count_row {
	const char *hardware, *mesh, *problem;
} the_plans_of_others_count_rows[] = {
	{NULL, "{a: 4 @ 10GB/s 20us, b: 4 @ 100GB/s 1us, c: 4 @ 10GB/s 20us}", "[{a}64, {c}128] ~> [{b,a,c}64, 128]"},
	{NULL, "{node: 2 @ 1GB/s 20us, core: 4 @ 40GB/s 1us}", "[{node}4096, {core}4096] ~> [4096, {core,node}4096]"},
	{"h100", "{a: 8, b: 4}", "[6912, {b}144, 144] ~> [6912, {a}144, 144]"},
};

static void the_plans_of_others_count(void **state)
{
	const struct the_plans_of_others_count_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.model = SW_MODEL_LATENCY};
	sw_problem problem;
	sw_machine machine;

	if (row->hardware) {
		assert_true(sw_hardware_machine(sw_hardware_named(sw_str_of(row->hardware)), arena, &machine));
		options.machine = &machine;
	}
	read_problem(row->mesh, row->problem, &problem);
	assert_true(compare(&problem, &options, arena));
	sw_arena_free(arena);
}

/* ---- random problems ---- */

static const int64_t meshes[][3] = {{2, 2, 2}, {2, 3, 2}, {4, 2, 2}, {3, 3, 1}, {8, 2, 1}, {6, 2, 1}};

static void fused_and_exact_are_never_above_the_others(void **state)
{
	draw random = draw_start("peers");
	sw_arena *arena = sw_arena_new();
	int found = 0;

	(void)state;
	for (int k = 0; k < 40; k++) {
		sw_plan_options options = {.without = k % 7 == 3 ? 1u << draw_below(&random, 4) : 0};
		sw_machine machine;
		sw_problem problem;

		sw_arena_clear(arena);
		draw_problem(&random, meshes[k % 6], 3, 1 + k % 3, &problem);
		draw_sizes(&random, &problem);
		if (k % 3 != 0)
			draw_links(&random, &problem.mesh);
		choose_machine(&random, arena, &options, &machine);
		if (k % 4 == 1)
			options.budget = sw_type_globalsize(&problem.from);
		if (k % 5 == 1)
			options.live_budget = sw_type_globalsize(&problem.from);
		found += compare(&problem, &options, arena);
	}
	assert_true(found > 15);
	sw_arena_free(arena);
}

/* ---- bounds ---- */

static void a_bound_is_above_nothing(void **state)
{
	static const sw_strategy own[] = {SW_EXACT, SW_FUSED};
	sw_plan_options options = {.model = SW_MODEL_LATENCY, .sizes_only = true};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;

	(void)state;
	read_problem("{a: 32, b: 32, c: 32, d: 32}",
		"[{a}1024, {b}1024, {c}1024, {d}1024] ~> [{b}1024, {a}1024, {d}1024, {c}1024]", &problem);
	for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
		sw_plan plan;

		options.strategy = own[k];
		assert_true(sw_plan_find(&problem, &options, arena, &plan, NULL));
		assert_true(plan.model_bound > 0 && plan.model_bound <= plan.model_cost);
	}
	sw_arena_free(arena);
}

/* Half of what an island of 4 needs is on the other one: 16 MiB by 4 devices over 1 GB/s. */
static void slow_links_bound(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_machine machine;
	sw_problem problem;

	(void)state;
	read_problem("{node: 2 @ 1GB/s 20us, core: 4 @ 40GB/s 1us}",
		"[{node}4096, {core}4096] ~> [4096, {core,node}4096]", &problem);
	assert_float_equal(sw_bound_seconds(&problem, sw_machine_default()), 20e-6 + 4 * 1048576 / 1e9, 1e-9);
	assert_true(sw_hardware_machine(sw_hardware_named(sw_str_of("h100")), arena, &machine));
	read_problem("{n: 2, g: 8}", "[{n}65536, 1024] ~> [65536, {n}1024]", &problem);
	assert_float_equal(sw_bound_seconds(&problem, &machine), 2.7e-6 + 64 * 1048576 / 8 / 50e9, 1e-9);
	sw_arena_free(arena);
}

static void what_a_system_says_is_kept(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_plan paper, timed;
	sw_problem problem;

	(void)state;
	read_problem("{a: 2, b: 2}", "[{a,b}8, 8] ~> [8, {b,a}8]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_XLA}, arena, &paper);
	find(&problem, &(sw_plan_options){.strategy = SW_XLA, .model = SW_MODEL_LATENCY}, arena, &timed);
	assert_true((paper.note == NULL) == (timed.note == NULL));
	read_problem("{a: 2, b: 2}", "[{a,b}8, 8] ~> [8, 8]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_DTENSOR}, arena, &paper);
	find(&problem, &(sw_plan_options){.strategy = SW_DTENSOR, .model = SW_MODEL_LATENCY}, arena, &timed);
	assert_non_null(paper.note);
	assert_string_equal(paper.note, timed.note);
	sw_arena_free(arena);
}

/* ---- what searches tell of themselves ---- */

static void what_is_settled_was_seen(void **state)
{
	static const sw_model models[] = {SW_MODEL_PAPER, SW_MODEL_VOLUME, SW_MODEL_LATENCY};
	draw random = draw_start("counts");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 60; k++) {
		sw_plan_options options = {.strategy = SW_PAPER + k % 3, .model = models[k / 3 % 3]};
		sw_problem problem;
		sw_plan plan;

		draw_problem(&random, meshes[k % 6], 3, 1 + k % 4, &problem);
		sw_arena_clear(arena);
		find(&problem, &options, arena, &plan);
		assert_in_range(plan.search.settled, options.strategy == SW_PAPER, plan.search.seen);
	}
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(the_plans_of_others_count, the_plans_of_others_count_rows, problem),
		TEST(fused_and_exact_are_never_above_the_others),
		TEST(a_bound_is_above_nothing),
		TEST(slow_links_bound),
		TEST(what_a_system_says_is_kept),
		TEST(what_is_settled_was_seen),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

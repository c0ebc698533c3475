/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances between all types of a shape: every one is the cost of the plan that strategy `fused` finds, both ways.
 */
#include <math.h>

#include <shardwalk/hardware.h>

#include "kit/arena.h"
#include "kit/problem.h"
#include "search/distances.h"

enum { MOST = 100000000 };

static const struct shape {
	const char *mesh, *type;
	int64_t budget; /* 0: any */
} shapes[] = {
	{"{x: 2, y: 2}", "[8, 12]", 0},
	{"{x: 2, y: 2}", "[6, 4]", 12},
	{"{x: 4}", "[8, 2, 4]", 0},
	{"{x: 2, y: 3}", "[6, 12]", 0},
	{"{a: 2, b: 2, c: 2}", "[8]", 0},
	{"{x: 2}", "[]", 0},
	{"{x: 4, y: 2}", "[8, 4]", 8},
};

/* What the strategy finds; *least: what it proves that nothing is below. */
static double planned(const sw_mesh *mesh, const sw_type *from, const sw_type *to, int64_t budget, sw_arena *arena,
	double *least)
{
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_PAPER, .budget = INT64_MAX / 4};
	sw_problem problem = {.mesh = *mesh, .from = *from, .to = *to};
	sw_plan plan;
	sw_diag diag;

	*least = INFINITY;
	if (budget > 0 && (sw_type_localsize(from) > budget || sw_type_localsize(to) > budget))
		return INFINITY;
	if (budget > 0)
		options.budget = budget;
	if (!sw_plan_find(&problem, &options, arena, &plan, &diag)) {
		assert_int_equal(diag.code, SW_S01);
		return INFINITY;
	}
	*least = plan.optimal ? plan.model_cost : plan.model_bound;
	return plan.model_cost;
}

static void start_at(const sw_type_space *space, int32_t state, double *cost)
{
	for (int32_t k = 0; k < space->count; k++)
		cost[k] = INFINITY;
	cost[state] = 0;
}

static void is_that_of_plans(void **state)
{
	const struct shape *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_type shape = type_of(&mesh, row->type), from, to;
	sw_arena *arena = sw_arena_new(), *plans = sw_arena_new();
	sw_prime_parts primes;
	sw_type_space space;
	sw_distance_rules rules = {.budget = row->budget};

	sw_prime_parts_default(&mesh, &primes);
	assert_true(sw_type_space_init(&space, &mesh, &(sw_space_types){&shape, &primes, true}, MOST, arena, NULL));
	sw_distances *distances = sw_distances_new(&space, NULL, MOST, arena, NULL);
	double *cost = SW_NEW(arena, double, space.count);
	assert_non_null(distances);
	draw random = draw_start("distances");
	for (int k = 0; k < 6; k++) {
		int32_t start = draw_below(&random, space.count);

		rules.backward = k % 2 == 1;
		start_at(&space, start, cost);
		assert_true(sw_distances_find(distances, &rules, cost, NULL));
		for (int32_t n = draw_below(&random, 5); n < space.count; n += 1 + space.count / 12) {
			sw_type_space_at(&space, rules.backward ? n : start, &from);
			sw_type_space_at(&space, rules.backward ? start : n, &to);
			assert_int_equal(sw_type_space_find(&space, &from), rules.backward ? n : start);
			double least, right = planned(&mesh, &from, &to, row->budget, plans, &least);
			if (cost[n] < least || cost[n] > right) {
				sw_text text = {0};
				sw_type_print(&mesh, &from, false, &text);
				sw_text_add(&text, " ~> ");
				sw_type_print(&mesh, &to, false, &text);
				fail_msg("%s %s: %g, planned %g, backward %d", row->mesh, sw_text_get(&text), cost[n], right,
					rules.backward);
			}
			sw_arena_clear(plans);
		}
	}
	sw_arena_free(plans);
	sw_arena_free(arena);
}

/* Under a machine that looks at both tiles no plan takes longer, which may permute too. */
static void plans_take_no_longer(void **state)
{
	const struct shape *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_type shape = type_of(&mesh, row->type), from, to;
	sw_arena *arena = sw_arena_new(), *plans = sw_arena_new();
	const sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_LATENCY, .budget = INT64_MAX / 4};
	sw_type_space space;

	assert_true(sw_type_space_init(&space, &mesh, &(sw_space_types){&shape, NULL, true}, MOST, arena, NULL));
	sw_distances *distances = sw_distances_new(&space, sw_machine_default(), MOST, arena, NULL);
	double *cost = SW_NEW(arena, double, space.count);
	draw random = draw_start("seconds");
	for (int k = 0; k < 4; k++) {
		int32_t start = draw_below(&random, space.count);

		start_at(&space, start, cost);
		assert_true(sw_distances_find(distances, &(sw_distance_rules){.budget = 0}, cost, NULL));
		for (int32_t n = draw_below(&random, 5); n < space.count; n += 1 + space.count / 8) {
			sw_plan plan;
			sw_diag diag;

			sw_type_space_at(&space, start, &from);
			sw_type_space_at(&space, n, &to);
			sw_problem problem = {.mesh = mesh, .from = from, .to = to};
			if (isinf(cost[n]))
				continue;
			if (!sw_plan_find(&problem, &options, plans, &plan, &diag) || plan.model_cost > cost[n] * (1 + 1e-9))
				fail_msg("%d ~> %d: %g, planned %g", start, n, cost[n], plan.model_cost);
			sw_arena_clear(plans);
		}
	}
	sw_arena_free(plans);
	sw_arena_free(arena);
}

/* Forwards and backwards are the same distances, also in seconds and where tiles before and after are bounded together. */
static void both_ways_agree(void **state)
{
	const struct shape *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_type shape = type_of(&mesh, row->type);
	sw_arena *arena = sw_arena_new();
	sw_prime_parts primes;
	sw_machine machine;

	sw_prime_parts_default(&mesh, &primes);
	assert_true(sw_hardware_roofline(sw_hardware_named(sw_str_of("v5p")), arena, &machine));
	for (int timed = 0; timed < 3; timed++) {
		const sw_machine *const machines[] = {NULL, &machine, sw_machine_default()};
		sw_type_space space;
		const sw_space_types types = {&shape, timed ? NULL : &primes, true};
		assert_true(sw_type_space_init(&space, &mesh, &types, MOST, arena, NULL));
		sw_distances *distances = sw_distances_new(&space, machines[timed], MOST, arena, NULL);
		double *to = SW_NEW(arena, double, space.count), *from = SW_NEW(arena, double, space.count);
		sw_distance_rules rules = {.budget = row->budget, .live = sw_type_globalsize(&shape)};
		draw random = draw_start("both ways");

		for (int k = 0; k < 30; k++) {
			int32_t a = draw_below(&random, space.count), b = draw_below(&random, space.count);
			start_at(&space, a, to);
			start_at(&space, b, from);
			rules.backward = false;
			assert_true(sw_distances_find(distances, &rules, to, NULL));
			rules.backward = true;
			assert_true(sw_distances_find(distances, &rules, from, NULL));
			if (!(fabs(to[b] - from[a]) <= 1e-12 * to[b]) && !(isinf(to[b]) && isinf(from[a])))
				fail_msg("%d ~> %d: %g and %g", a, b, to[b], from[a]);
		}
	}
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(is_that_of_plans, shapes, mesh),
		ROWS(plans_take_no_longer, shapes, mesh),
		ROWS(both_ways_agree, shapes, mesh),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owners: for random plans those of every element and term, after every step, are the devices that have it when the transfers of the
 * plan are carried out one by one.
 */
#include <stdlib.h>
#include <string.h>

#include <shardwalk/owners.h>

#include "kit/carried.h"
#include "kit/problem.h"

/* Who adds up a term has it, and the first owner is the one in the lowest slot, which there is. */
static void check_moment(const sw_plan *plan, int k, const sw_owners *owners, const struct moment *moment)
{
	const int64_t *order = sw_plan_order(plan, k);
	const sw_type *array = &plan->problem.from;
	int64_t index[SW_MAX_DIMS];

	for (int64_t e = 0; e < box_size(array->global, array->rank); e++) {
		indices_of(e, array->global, array->rank, index);
		for (int64_t term = 0; term < sw_owners_terms(owners); term++) {
			int64_t slot = 0, device = -1;

			for (; slot < plan->problem.mesh.devices && device < 0; slot++) {
				int64_t at = order ? order[slot] : slot;
				if (terms_on(plan, k, moment, at, index) >> term & 1)
					device = at;
			}
			for (int64_t at = 0; at < plan->problem.mesh.devices; at++)
				assert_int_equal(sw_owners_adds(owners, k, at, index, term),
					terms_on(plan, k, moment, at, index) >> term & 1);
			assert_int_not_equal(device, -1);
			assert_int_equal(sw_owners_at(owners, k, index, term), device);
		}
	}
}

static int check_plan(const sw_plan *plan, sw_arena *arena)
{
	sw_diag diag = {0};
	const sw_owners *owners = sw_owners_of_plan(plan, arena, &diag);
	struct moment now, next;

	if (!owners)
		fail_msg("%s", diag.message);
	if (sw_owners_terms(owners) != sw_owners_holding(owners, 0)->terms)
		return 0;
	carry_begin(plan, arena, &now);
	check_moment(plan, 0, owners, &now);
	for (int k = 0; k < plan->program.steps; k++) {
		carry_out(plan, k, arena, &now, &next);
		now = next;
		check_moment(plan, k + 1, owners, &now);
	}
	return plan->program.steps;
}

static void owners_of_random_plans_are_those_of_the_transfers(void **state)
{
	static const int64_t axes[][3] = {{2, 2, 2}, {4, 2, 3}, {2, 3, 2}, {8, 2, 1}, {3, 3, 1}};
	static const sw_strategy strategies[] = {SW_EXACT, SW_PAPER, SW_NAIVE};
	draw random = draw_start("owners");
	sw_arena *arena = sw_arena_new();
	int steps = 0;

	(void)state;
	for (int n = 0; n < 150; n++) {
		sw_problem problem;
		sw_plan plan;
		sw_plan_options options = {.strategy = strategies[n % 3]};

		sw_arena_clear(arena);
		draw_problem(&random, axes[draw_below(&random, 5)], 3, 1 + draw_below(&random, 2), &problem);
		if (sw_plan_find(&problem, &options, arena, &plan, NULL))
			steps += check_plan(&plan, arena);
	}
	assert_true(steps > 100);
	sw_arena_free(arena);
}

static const struct sum_row {
	const char *mesh, *ends;
} sums[] = {
	{"{x: 2, y: 4}", "f32[4{x}8, 6]+{y} ~> f32[8, 6]"},
	{"{x: 2, y: 4}", "f32[8, 6]+{x,y} ~> f32[1{y,x}8, 6]"},
	{"{x: 2, y: 2, z: 2}", "f32[4{z}8, 4]+{x,y} ~> f32[8, 2{x}4]"},
	{"{x: 2, y: 2, z: 2}", "f32[8, 4]+{x,y,z} ~> f32[8, 4]+{y}"},
	{"{x: 3, y: 2}", "f32[12, 2{y}4]+{x} ~> f32[2{x,y}12, 4]"},
};

static void terms_of_sums_are_followed(void **state)
{
	const struct sum_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	read_problem(row->mesh, row->ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_EXACT}, arena, &plan);
	assert_true(check_plan(&plan, arena) > 0);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(owners_of_random_plans_are_those_of_the_transfers),
		ROWS(terms_of_sums_are_followed, sums, ends),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

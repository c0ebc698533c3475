/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owners: for random plans those of every element and term, after every step, are the devices that have it when the transfers of the
 * plan are carried out one by one.
 */
#include <stdlib.h>
#include <string.h>

#include <shardwalk/owners.h>
#include <shardwalk/transfers.h>

#include "kit/problem.h"

#define TERMS_MOST 64 /* a set of terms is a word */

/* What one device has: of each element of its tile the terms that are added in it, and which element that is. */
struct moment {
	sw_tiles tiles;
	uint64_t **terms;
	int64_t size;
};

static int64_t offset_in(const int64_t *tile, const int64_t *at, int rank)
{
	int64_t offset = 0;

	for (int i = 0; i < rank; i++)
		offset = offset * tile[i] + at[i];
	return offset;
}

/* The indices of element `e` of a box of these sizes. */
static void indices_of(int64_t e, const int64_t *extent, int rank, int64_t *index)
{
	for (int i = rank - 1; i >= 0; i--) {
		index[i] = e % extent[i];
		e /= extent[i];
	}
}

static int64_t box_size(const int64_t *extent, int rank)
{
	int64_t size = 1;

	for (int i = 0; i < rank; i++)
		size *= extent[i];
	return size;
}

static void moment_start(const sw_plan *plan, int k, sw_arena *arena, struct moment *moment)
{
	int64_t devices = plan->problem.mesh.devices;

	moment->size = box_size(plan->program.value[k].tile, plan->problem.from.rank);
	moment->tiles.at = sw_plan_device_map(plan, k, arena, NULL);
	assert_non_null(moment->tiles.at);
	assert_true(sw_plan_terms(plan, k, arena, &moment->tiles, NULL));
	moment->terms = SW_NEW(arena, uint64_t *, devices);
	for (int64_t d = 0; d < devices; d++) {
		moment->terms[d] = SW_NEW(arena, uint64_t, moment->size);
		memset(moment->terms[d], 0, (size_t)moment->size * sizeof(uint64_t));
	}
}

static void move(const sw_plan *plan, int k, const sw_transfer *box, const struct moment *before,
	struct moment *after)
{
	int rank = plan->problem.from.rank;
	int64_t index[SW_MAX_DIMS], from[SW_MAX_DIMS], to[SW_MAX_DIMS];

	for (int64_t e = 0; e < box_size(box->extent, rank); e++) {
		indices_of(e, box->extent, rank, index);
		for (int i = 0; i < rank; i++) {
			from[i] = box->from_at[i] + index[i];
			to[i] = box->to_at[i] + index[i];
		}
		after->terms[box->to][offset_in(plan->program.value[k + 1].tile, to, rank)] |=
			before->terms[box->from][offset_in(plan->program.value[k].tile, from, rank)];
	}
}

static void carry_out(const sw_plan *plan, int k, sw_arena *arena, const struct moment *before, struct moment *after)
{
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, NULL);
	sw_transfer box;

	assert_non_null(transfers);
	moment_start(plan, k + 1, arena, after);
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		for (int64_t n = 0; n < sw_transfers_into(transfers, d); n++)
			if (sw_transfers_get(transfers, d, n, &box))
				move(plan, k, &box, before, after);
}

/* The terms of this element that a device has. */
static uint64_t terms_on(const sw_plan *plan, int k, const struct moment *moment, int64_t device,
	const int64_t *index)
{
	int rank = plan->problem.from.rank;
	const int64_t *at = moment->tiles.at + device * rank, *tile = plan->program.value[k].tile;
	int64_t in[SW_MAX_DIMS];

	for (int i = 0; i < rank; i++) {
		in[i] = index[i] - at[i];
		if (in[i] < 0 || in[i] >= tile[i])
			return 0;
	}
	return moment->terms[device][offset_in(tile, in, rank)];
}

/* The first owner is the device in the lowest slot that has the term, and there is one. */
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
	moment_start(plan, 0, arena, &now);
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		for (int64_t e = 0; e < now.size; e++)
			now.terms[d][e] = UINT64_C(1) << (now.tiles.term ? now.tiles.term[d] : 0);
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

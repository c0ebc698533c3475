/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proofs on meshes of several primes, against searches that look at everything: all types of a mesh of up to 12 devices, and
 * all maps of one of 6.  Steps between them are judged by base offsets alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <shardwalk/arena.h>
#include <shardwalk/number.h>
#include <shardwalk/plan.h>

#include "kit/problem.h"

enum { MOST_STATES = 4000, MOST_DEVICES = 12, MOST_RANK = 3 };

/* What devices hold: a tile, and where it begins on each device. */
struct state {
	int64_t tile[MOST_RANK], size;
	int64_t offset[MOST_DEVICES][MOST_RANK];
	int64_t cost;
	bool done;
};

struct world {
	const sw_problem *problem;
	int rank, devices;
	bool multi_dim;
	int64_t budget;
	int count;
	struct state *state;
};

/* ---- states ---- */

static void state_of(const struct world *w, const sw_type *type, struct state *out)
{
	memset(out, 0, sizeof *out);
	out->size = sw_type_localsize(type);
	out->cost = INT64_MAX;
	memcpy(out->tile, type->tile, (size_t)w->rank * sizeof *out->tile);
	for (int d = 0; d < w->devices; d++)
		sw_type_offset(&w->problem->mesh, type, d, out->offset[d]);
}

static bool alike(const struct state *a, const struct state *b)
{
	return memcmp(a->tile, b->tile, sizeof a->tile) == 0 && memcmp(a->offset, b->offset, sizeof a->offset) == 0;
}

static int find_state(const struct world *w, const struct state *state)
{
	int k = 0;
	while (k < w->count && !alike(&w->state[k], state))
		k++;
	return k;
}

static void add_types(struct world *w, const sw_type *type)
{
	struct state state;
	const sw_mesh *mesh = &w->problem->mesh;
	state_of(w, type, &state);
	if (find_state(w, &state) < w->count)
		return;
	assert_true(w->count < MOST_STATES);
	w->state[w->count++] = state;
	for (int i = 0; i < w->rank; i++)
		for (int a = 0; a < mesh->count; a++)
			for (int64_t pre = 1; pre < mesh->axis[a].size; pre++)
				for (int64_t size = 2; mesh->axis[a].size % pre == 0 && size <= mesh->axis[a].size / pre; size++) {
					sw_type next;
					if (mesh->axis[a].size / pre % size == 0 && type->tile[i] % size == 0 &&
						type_with_part(mesh, type, i, (sw_part){a, pre, size}, &next))
						add_types(w, &next);
				}
}

/* Gives the devices from `d` on a tile each, in every way in which all tiles have as many devices. */
static void add_maps_from(struct world *w, struct state *state, int d, int *left, const int *tiles)
{
	if (d == w->devices) {
		assert_true(w->count < MOST_STATES);
		w->state[w->count++] = *state;
		return;
	}
	int all = 1;
	for (int i = 0; i < w->rank; i++)
		all *= tiles[i];
	for (int t = 0; t < all; t++) {
		if (left[t] == 0)
			continue;
		left[t]--;
		for (int i = w->rank - 1, rest = t; i >= 0; rest /= tiles[i], i--)
			state->offset[d][i] = rest % tiles[i] * state->tile[i];
		add_maps_from(w, state, d + 1, left, tiles);
		left[t]++;
	}
}

static void add_maps(struct world *w, int dim, int *tiles, int product)
{
	const int64_t *global = w->problem->from.global;
	if (dim < w->rank) {
		for (int n = 1; n <= w->devices; n++)
			if (w->devices % (product * n) == 0 && global[dim] % n == 0) {
				tiles[dim] = n;
				add_maps(w, dim + 1, tiles, product * n);
			}
		return;
	}
	struct state state = {.size = 1, .cost = INT64_MAX};
	int left[MOST_DEVICES];
	for (int t = 0; t < product; t++)
		left[t] = w->devices / product;
	for (int i = 0; i < w->rank; i++) {
		state.tile[i] = global[i] / tiles[i];
		state.size *= state.tile[i];
	}
	add_maps_from(w, &state, 0, left, tiles);
}

/* ---- steps ---- */

/* Does every device hold the part of `coarse` that it holds in `fine`, in the dimensions where `fine` is finer? */
static bool inside(const struct world *w, const struct state *fine, const struct state *coarse, int dim)
{
	for (int d = 0; d < w->devices; d++)
		if (fine->offset[d][dim] / coarse->tile[dim] * coarse->tile[dim] != coarse->offset[d][dim])
			return false;
	return true;
}

/* What the step from `a` to `b` costs under the model paper, -1 where there is none. */
static int64_t step_cost(const struct world *w, const struct state *a, const struct state *b)
{
	int grown = 0, shrunk = 0;
	bool legal = true, same = memcmp(a->tile, b->tile, sizeof a->tile) == 0;
	for (int i = 0; i < w->rank && !same; i++) {
		bool grows = b->tile[i] > a->tile[i];
		grown += grows;
		shrunk += b->tile[i] < a->tile[i];
		if ((grows ? b->tile[i] % a->tile[i] : a->tile[i] % b->tile[i]) != 0)
			return -1;
	}
	if (same)
		return a->size;
	if ((grown && shrunk && a->size != b->size) || (!w->multi_dim && (grown > 1 || (grown && shrunk > 1))))
		return -1;
	for (int i = 0; i < w->rank && legal; i++)
		legal = b->tile[i] > a->tile[i] ? inside(w, a, b, i) : inside(w, b, a, i);
	return !legal ? -1 : !grown ? 0 : b->size;
}

static int64_t cheapest(struct world *w)
{
	struct state from, to;
	state_of(w, &w->problem->from, &from);
	state_of(w, &w->problem->to, &to);
	int goal = find_state(w, &to);
	w->state[find_state(w, &from)].cost = 0;
	for (;;) {
		int next = -1;
		for (int k = 0; k < w->count; k++)
			if (!w->state[k].done && w->state[k].cost < INT64_MAX &&
				(next < 0 || w->state[k].cost < w->state[next].cost))
				next = k;
		assert_true(next >= 0);
		if (next == goal)
			return w->state[goal].cost;
		w->state[next].done = true;
		for (int k = 0; k < w->count; k++) {
			int64_t cost = w->state[k].done || w->state[k].size > w->budget ?
				-1 :
				step_cost(w, &w->state[next], &w->state[k]);
			if (cost >= 0 && w->state[next].cost + cost < w->state[k].cost)
				w->state[k].cost = w->state[next].cost + cost;
		}
	}
}

static int64_t optimum(const sw_problem *problem, bool multi_dim, bool maps)
{
	struct world w = {problem, problem->from.rank, (int)problem->mesh.devices, multi_dim, 0, 0, NULL};
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);
	int tiles[MOST_RANK];
	sw_type whole;
	w.state = calloc(MOST_STATES, sizeof *w.state);
	assert_non_null(w.state);
	w.budget = from > to ? from : to;
	assert_true(sw_type_replicated(SW_F32, w.rank, problem->from.global, &whole, NULL));
	if (maps)
		add_maps(&w, 0, tiles, 1);
	else
		add_types(&w, &whole);
	int64_t cost = cheapest(&w);
	free(w.state);
	return cost;
}

/* ---- against plans ---- */

static bool is_of_types(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (!plan->program.value[k + 1].type)
			return false;
	return true;
}

/* Proved: nothing of types is cheaper; and where it goes over types, it is what the search over all finds. */
static void check_proof(const sw_problem *problem, sw_strategy strategy)
{
	sw_arena *arena = sw_arena_new();
	sw_plan plan;
	int64_t right = optimum(problem, strategy == SW_FUSED, false);
	find(problem, &(sw_plan_options){.strategy = strategy, .prove = 1000000}, arena, &plan);
	assert_true(plan.optimal);
	assert_true(plan.cost <= right);
	if (is_of_types(&plan))
		assert_int_equal(plan.cost, right);
	sw_arena_free(arena);
}

static const struct {
	int64_t axes[3];
	int count, rank;
} meshes[] = {{{6}, 1, 2}, {{6}, 1, 3}, {{2, 3}, 2, 2}, {{3, 2}, 2, 3}, {{12}, 1, 2}, {{4, 3}, 2, 2}, {{2, 6}, 2, 2},
	{{3, 2, 2}, 3, 2}, {{10}, 1, 2}, {{5, 2}, 2, 3}};

static void proofs_hold_against_all_types(void **state)
{
	draw random = draw_start("proofs");
	(void)state;
	for (int k = 0; k < 60; k++) {
		int row = k % (int)(sizeof meshes / sizeof *meshes);
		sw_problem problem;
		draw_problem(&random, meshes[row].axes, meshes[row].count, meshes[row].rank, &problem);
		check_proof(&problem, SW_FUSED);
		check_proof(&problem, SW_EXACT);
	}
}

/* Nothing that is known is cheaper than a proved plan, not even over maps that are no types.  Always the same problems: that
 * no such map helps is what was found, not what is proved. */
static void no_map_beats_a_proved_plan(void **state)
{
	static const int64_t axes[] = {2, 3};
	draw random = {1};
	(void)state;
	for (int k = 0; k < 12; k++) {
		sw_arena *arena = sw_arena_new();
		sw_problem problem;
		sw_plan plan, bounded;
		draw_problem(&random, axes, 2, 2, &problem);
		find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .prove = 1000000}, arena, &plan);
		find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &bounded);
		assert_int_equal(plan.cost, optimum(&problem, true, true));
		assert_true(bounded.lower_bound <= plan.cost);
		sw_arena_free(arena);
	}
}

/* What a proof may look at is what it looks at: with nothing there is none, and the bound is that over local types. */
static void without_leave_nothing_is_proved(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	(void)state;
	read_problem("{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &plan);
	assert_false(plan.optimal);
	assert_int_equal(plan.lower_bound, 12);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .prove = 5000}, arena, &plan);
	assert_true(plan.optimal);
	assert_int_equal(plan.cost, 18);
	sw_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proofs_hold_against_all_types),
		cmocka_unit_test(no_map_beats_a_proved_plan),
		cmocka_unit_test(without_leave_nothing_is_proved),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

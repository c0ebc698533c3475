/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores of states, and the search over layouts against the searches of 0.1.0.
 */
#include "../oracle/agree.h"
#include "../oracle/grid.h"
#include "advise/grid.h"
#include "kit/cases.h"
#include "kit/problem.h"
#include "kit/kit.h"

/* ---- keys ---- */

enum { KEYS = 3000, KEY_BYTES = 11 };

static void a_key_has_the_number_of_its_arrival(void **state)
{
	static uint8_t all[KEYS][KEY_BYTES];
	draw random = draw_start("keys");
	sw_keys keys;

	(void)state;
	assert_true(sw_keys_init(&keys, KEY_BYTES));
	for (int k = 0; k < KEYS; k++) {
		memset(all[k], 0, KEY_BYTES);
		memcpy(all[k], &k, sizeof k);
		all[k][KEY_BYTES - 1] = (uint8_t)draw_below(&random, 2);
		assert_int_equal(sw_keys_find(&keys, all[k]), -1);
		assert_int_equal(sw_keys_add(&keys, all[k]), k);
		assert_int_equal(sw_keys_add(&keys, all[draw_below(&random, k + 1)]) <= k, 1);
	}
	assert_int_equal(keys.count, KEYS);
	for (int count = KEYS; count > KEYS / 2; count--)
		sw_keys_drop(&keys);
	for (int k = 0; k < KEYS; k++)
		assert_int_equal(sw_keys_find(&keys, all[k]), k < keys.count ? k : -1);
	sw_keys_free(&keys);
}

/* ---- stores ---- */

enum { STATES = 40, STEPS = 400 };

/* Everything of a store that the order of states depends on. */
typedef struct picture {
	int32_t count, waiting, settled;
	sw_state states[STATES];
	bool waits[STATES];
} picture;

static void draw_picture(const sw_store *store, picture *picture)
{
	memset(picture, 0, sizeof *picture);
	picture->count = store->keys.count;
	picture->waiting = store->queue.count;
	picture->settled = store->settled;
	for (int k = 0; k < store->keys.count; k++) {
		sw_state *into = &picture->states[k];
		const sw_state *of = &store->states[k];

		into->cost = of->cost; /* one by one: between them are bytes that say nothing */
		into->bound = of->bound;
		into->minor = of->minor;
		into->size = of->size;
		into->parent = of->parent;
		into->tag = of->tag;
		into->order = of->order;
		picture->waits[k] = sw_heap_has(&store->queue, k);
	}
}

static void offer_some(draw *random, sw_store *store, int32_t parent)
{
	for (int n = draw_below(random, 6); n > 0; n--) {
		uint8_t key = (uint8_t)draw_below(random, STATES);
		sw_state state = {.cost = draw_below(random, 50), .bound = draw_below(random, 20), .parent = parent};

		state.minor = draw_below(random, 3);
		sw_store_offer(store, &key, &state);
	}
}

/* Costs are drawn, so that states which have left are opened again too. */
static void steps_are_taken_back_exactly(void **state)
{
	static picture before[STEPS], now;
	draw random = draw_start("stores");

	(void)state;
	for (int round = 0; round < 50; round++) {
		sw_store store;
		int steps = 0;

		assert_true(sw_store_init(&store, 1, true));
		while (store.keys.count == 0)
			offer_some(&random, &store, -1);
		for (int k = 0; k < STEPS; k++) {
			if (steps > 0 && (store.queue.count == 0 || draw_below(&random, 3) == 0)) {
				sw_store_back(&store);
				draw_picture(&store, &now);
				assert_memory_equal(&now, &before[--steps], sizeof now);
			} else if (store.queue.count > 0) {
				draw_picture(&store, &before[steps++]);
				int32_t first = sw_store_next(&store);
				assert_int_equal(sw_store_take(&store), first);
				offer_some(&random, &store, first);
			}
			assert_true(sw_heap_check(&store.queue) && !store.failed);
		}
		sw_store_free(&store);
	}
}

/* ---- the searches of 0.1.0 ---- */

static void agrees(agreement *a, const sw_problem *problem, sw_search_limits *limits)
{
	sw_space *space = SW_NEW(a->arena, sw_space, 1);
	sw_prime_parts factors;

	sw_prime_parts_default(&problem->mesh, &factors);
	if (!sw_space_init(space, problem, &factors, NULL))
		return;
	limits->budget = space->from_size > space->to_size ? space->from_size : space->to_size;
	if (!agree_with_oracles(a, space, limits)) {
		print_message("from ");
		for (int i = 0; i < problem->from.rank; i++)
			print_message("%lld/%lld/%lld ", (long long)problem->from.global[i], (long long)problem->from.tile[i],
				(long long)problem->to.tile[i]);
		fail_msg("%s", a->why);
	}
	sw_arena_clear(a->arena);
}

static void draw_links(draw *random, sw_mesh *mesh)
{
	static const double bandwidths[] = {0, 1e9, 10e9, 400e9}, latencies[] = {0, 1e-6, 20e-6, 1e-3};

	for (int k = 0; k < mesh->count; k++) {
		mesh->axis[k].bandwidth = bandwidths[draw_below(random, 4)];
		mesh->axis[k].latency = latencies[draw_below(random, 4)];
	}
}

static void random_problems_cost_what_they_did(void **state)
{
	static const int64_t meshes[][4] = {{2, 2, 2}, {2, 3, 2}, {4, 2, 2}, {3, 3, 1}, {6, 2, 1}, {2, 2, 2, 2},
		{2, 2, 3, 2}, {12, 2, 1}};
	static const unsigned without[] = {0, 0, 0, 1 << SW_DYNSLICE, 1 << SW_ALLTOALL, 1 << SW_ALLGATHER};
	draw random = draw_start("random_problems_cost_what_they_did");
	agreement a = {.arena = sw_arena_new()};

	(void)state;
	for (int k = 0; k < 400; k++) {
		const int64_t *axes = meshes[draw_below(&random, 8)];
		sw_search_limits limits = {.machine = sw_machine_default(), .most_edges = 20000};
		sw_problem problem;

		draw_problem(&random, axes, axes[3] > 1 ? 4 : 3, 1 + draw_below(&random, 4), &problem);
		if (k % 3 == 0)
			draw_links(&random, &problem.mesh);
		limits.without = without[draw_below(&random, 6)];
		if (k % 5 == 0)
			limits.live_budget = sw_type_localsize(&problem.from) + sw_type_localsize(&problem.to);
		agrees(&a, &problem, &limits);
	}
	print_message("%lld searches, %lld of them given up\n", (long long)a.searches, (long long)a.open);
	assert_true(a.open < a.searches / 4);
	sw_arena_free(a.arena);
}

/* ---- the grid of 0.1.0 ---- */

/* What is offered from a state: how many edges by each operation, and the sum of their ends' sizes. */
typedef struct offers {
	const void *grid;
	int64_t count[SW_COLLECTIVES], sizes[SW_COLLECTIVES];
} offers;

static void add_new(void *context, sw_op op, int64_t factor, int32_t other)
{
	offers *o = context;

	(void)factor;
	o->count[op]++;
	o->sizes[op] += ((const sw_grid *)o->grid)->states[other].size;
}

static void add_old(void *context, sw_op op, int64_t factor, int32_t other)
{
	offers *o = context;

	(void)factor;
	o->count[op]++;
	o->sizes[op] += ((const old_grid *)o->grid)->states[other].size;
}

static void same_offers(sw_grid *now, old_grid *before, bool backward)
{
	offers a = {.grid = now}, b = {.grid = before};

	sw_grid_steps(now, now->from, backward, add_new, &a);
	old_grid_steps(before, before->from, backward, add_old, &b);
	assert_memory_equal(a.count, b.count, sizeof a.count);
	assert_memory_equal(a.sizes, b.sizes, sizeof a.sizes);
}

static void the_grid_offers_what_it_did(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 2}, {2, 3, 2}, {4, 2, 2}, {6, 2, 1}};
	draw random = draw_start("the_grid_offers_what_it_did");
	sw_grid *now = malloc(sizeof *now);
	old_grid *before = malloc(sizeof *before);

	(void)state;
	for (int k = 0; k < 300; k++) {
		bool ordered = k % 3 == 0, multi_dim = k % 2 == 0;
		unsigned without = k % 7 == 0 ? 1u << SW_ALLPERMUTE : 0;
		sw_problem problem;
		sw_prime_parts atoms;

		draw_problem(&random, meshes[draw_below(&random, 4)], 3, 1 + draw_below(&random, 3), &problem);
		sw_prime_parts_default(&problem.mesh, &atoms);
		int64_t budget = 2 * (sw_type_localsize(&problem.from) + sw_type_localsize(&problem.to));
		assert_true(sw_grid_init(now, &problem, &atoms, budget, without, ordered));
		assert_true(old_grid_init(before, &problem, &atoms, budget, without, ordered));
		now->multi_dim = before->multi_dim = multi_dim;
		same_offers(now, before, false);
		same_offers(now, before, true);
		assert_true(sw_grid_measure(now, SW_NEVER) && old_grid_measure(before, SW_NEVER));
		assert_int_equal(now->states[now->from].home, before->states[before->from].home);
		sw_grid_end(now);
		old_grid_end(before);
	}
	free(now);
	free(before);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(a_key_has_the_number_of_its_arrival),
		TEST(steps_are_taken_back_exactly),
		TEST(random_problems_cost_what_they_did),
		TEST(the_grid_offers_what_it_did),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

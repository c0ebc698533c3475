/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores of states, and the search over layouts against the searches of 0.1.0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw.h"
#include "search/store.h"

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
		picture->states[k] = store->states[k];
		picture->waits[k] = sw_heap_has(&store->queue, k);
	}
}

static void offer_some(draw *random, sw_store *store, int32_t parent)
{
	for (int n = draw_below(random, 6); n > 0; n--) {
		uint8_t key = (uint8_t)draw_below(random, STATES);
		sw_state state = {.cost = draw_below(random, 50), .bound = draw_below(random, 20), .parent = parent};

		state.steps = draw_below(random, 3);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_has_the_number_of_its_arrival),
		cmocka_unit_test(steps_are_taken_back_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

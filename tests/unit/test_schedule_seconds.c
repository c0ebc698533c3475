/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of schedules, and meshes that grow.
 */
#include <math.h>

#include <shardwalk/choice.h>

#include "kit/kit.h"

static void near(double found, double expected)
{
	assert_true(fabs(found - expected) <= 1e-12 * fabs(expected));
}

static void a_step_takes_the_longer_of_leaf_and_messages(void **state)
{
	sw_schedule_rates rates = {1e9, 8e9, 1e-6, 8, true, 0};
	(void)state;

	near(sw_messages_seconds(&rates, 1000), 1e-6 + 1e-6);
	assert_true(sw_messages_seconds(&rates, 0) <= 0);
	near(sw_leaf_seconds(&rates, 3000, 200), 3e-6);
	near(sw_overlapped_seconds(&rates, 3e-6, 2e-6), 3e-6);
	near(sw_schedule_seconds(&rates, 3000, 9000, 600, 3), 2e-6 + 2 * 3e-6 + 3e-6);
	rates.overlap = false;
	near(sw_overlapped_seconds(&rates, 3e-6, 2e-6), 5e-6);
	near(sw_schedule_seconds(&rates, 3000, 9000, 600, 3), 3 * (2e-6 + 3e-6));
	rates.memory = 16e6;
	near(sw_leaf_seconds(&rates, 3000, 200), 1e-4);
	near(sw_schedule_seconds(&rates, 3000, 9000, 600, 3), 3 * (2e-6 + 1e-4));
	rates.memory = 16e9;
	near(sw_leaf_seconds(&rates, 3000, 200), 3e-6);
	rates.memory = rates.flops = 0;
	near(sw_schedule_seconds(&rates, 3000, 9000, 600, 3), 3 * 2e-6);
}

static void check_mesh(const char *before, int64_t processors, const char *after)
{
	sw_mesh mesh, grown;
	sw_text text = {0};

	assert_true(sw_mesh_parse(sw_str_of(before), &mesh, NULL));
	assert_true(sw_mesh_of_proportions(&mesh, processors, &grown, NULL));
	assert_int_equal(grown.devices, processors);
	sw_mesh_print(&grown, &text);
	assert_string_equal(sw_text_get(&text), after);
	sw_text_free(&text);
}

static void axes_grow_alike(void **state)
{
	(void)state;
	check_mesh("{x: 2, y: 2}", 16, "{x: 4, y: 4}");
	check_mesh("{x: 2, y: 2}", 8, "{x: 2, y: 4}");
	check_mesh("{x: 2, y: 2}", 1, "{x: 1, y: 1}");
	check_mesh("{x: 4, y: 2}", 32, "{x: 8, y: 4}");
	check_mesh("{x: 3, y: 3}", 7, "{x: 1, y: 7}");
	check_mesh("{n: 4; g: 3}", 24, "{n: 6; g: 4}");
	check_mesh("{x: 1, y: 1, z: 1}", 4096, "{x: 16, y: 16, z: 16}");
}

static void more_than_2_to_40_are_refused(void **state)
{
	sw_mesh mesh, grown;
	sw_diag diag;
	(void)state;

	assert_true(sw_mesh_parse(sw_str_of("{x: 2}"), &mesh, NULL));
	assert_false(sw_mesh_of_proportions(&mesh, ((int64_t)1 << 40) + 1, &grown, &diag));
	assert_int_equal(diag.code, SW_M05);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(a_step_takes_the_longer_of_leaf_and_messages),
		TEST(axes_grow_alike),
		TEST(more_than_2_to_40_are_refused),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}

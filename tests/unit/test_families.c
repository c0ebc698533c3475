/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices of many families that reach over each other, against lists of all indices.
 */
#include <shardwalk/region.h>

#include <string.h>

#include "kit/arena.h"
#include "kit/draw.h"
#include "kit/kit.h"

enum { END = 600, MOST_FAMILIES = 24, ROUNDS = 3000 };

/* A draw: families of a few steps, or of one, so that many come again beside each other. */
static int draw_families(draw *random, sw_family *family)
{
	int count = 1 + draw_below(random, MOST_FAMILIES);
	int64_t step = 2 + draw_below(random, 60), shortest = 1 + draw_below(random, 3);

	for (int i = 0; i < count; i++) {
		sw_family *f = &family[i];
		f->step = draw_below(random, 4) > 0 ? step : 2 + draw_below(random, 90);
		f->run = 1 + draw_below(random, (int)(f->step < shortest ? f->step : shortest));
		f->first = draw_below(random, END / 2);
		f->count = 1 + draw_below(random, (int)((END - f->first - f->run) / f->step));
	}
	return count;
}

static void mark_families(const sw_family *family, int count, uint8_t *has)
{
	memset(has, 0, END);
	for (int i = 0; i < count; i++)
		for (int64_t k = 0; k < family[i].count; k++)
			for (int64_t n = 0; n < family[i].run; n++)
				has[family[i].first + k * family[i].step + n] = 1;
}

/* Each index once, and no other. */
static void compare(const sw_indices *indices, const uint8_t *has)
{
	int64_t size = 0;

	for (int64_t i = 0; i < END; i++) {
		assert_int_equal(sw_indices_has(indices, i), has[i] != 0);
		size += has[i];
	}
	assert_int_equal(sw_indices_size(indices), size);
}

static void many_families_are_sets(void **state)
{
	draw random = draw_start("families");
	sw_family family[2][MOST_FAMILIES];
	uint8_t has[2][END], both[END];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		sw_indices of[2], made;
		sw_arena_clear(arena);
		for (int end = 0; end < 2; end++) {
			int count = draw_families(&random, family[end]);
			mark_families(family[end], count, has[end]);
			assert_true(sw_indices_of(family[end], count, arena, &of[end]));
			compare(&of[end], has[end]);
		}
		assert_true(sw_indices_meet(&of[0], &of[1], arena, &made));
		for (int i = 0; i < END; i++)
			both[i] = has[0][i] & has[1][i];
		compare(&made, both);
		assert_true(sw_indices_minus(&of[0], &of[1], arena, &made));
		for (int i = 0; i < END; i++)
			both[i] = has[0][i] & !has[1][i];
		compare(&made, both);
		assert_true(sw_indices_union(&of[0], &of[1], arena, &made));
		for (int i = 0; i < END; i++)
			both[i] = has[0][i] | has[1][i];
		compare(&made, both);
	}
}

/* Families of one step of which no two meet stay as they are: nothing is cut where nothing has to be. */
static void families_of_one_step_stay(void **state)
{
	enum { PHASES = 300 };
	sw_family family[PHASES];
	sw_indices all;

	(void)state;
	for (int i = 0; i < PHASES; i++)
		family[i] = (sw_family){3 * (int64_t)i + (i % 2) * 5000, 1, 1000, 1 << 20};
	assert_true(sw_indices_of(family, PHASES, arena, &all));
	assert_int_equal(all.count, PHASES);
	assert_int_equal(sw_indices_size(&all), (int64_t)PHASES << 20);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(many_families_are_sets),
		TEST(families_of_one_step_stay),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}

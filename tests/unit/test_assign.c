/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cheapest choices, and the types of programs that follow from them: compared with trying everything.
 */
#include <math.h>

#include <shardwalk/arena.h>

#include "kit/draw.h"
#include "kit/kit.h"
#include "program/minimum.h"

enum { MOST_CHOICES = 6, MOST_VALUES = 4, MOST_LINKS = 12 };

/* A drawn problem; values cost whole numbers. */
typedef struct drawn {
	sw_arena *arena;
	sw_costs_store store;
	sw_choice choice[MOST_CHOICES];
	sw_choice_link link[MOST_LINKS];
	sw_choices all;
} drawn;

static double draw_cost(draw *seed)
{
	return draw_below(seed, 8) == 0 ? INFINITY : (double)draw_below(seed, 20);
}

static sw_rows_of draw_rows(drawn *d, draw *seed, int values, int of)
{
	int32_t rows[MOST_VALUES];

	for (int v = 0; v < values; v++)
		rows[v] = draw_below(seed, of);
	return sw_costs_rows(&d->store, rows, values);
}

/* Some tables are ways between points, which have detours. */
static const sw_costs *draw_table(drawn *d, draw *seed)
{
	int size = 2 + draw_below(seed, 4);
	bool metric = draw_below(seed, 2) == 0;
	sw_costs *table;
	double *at = sw_costs_new(&d->store, size, size, &table);

	for (int i = 0; i < size * size; i++)
		at[i] = metric && i % (size + 1) == 0 ? 0 : draw_cost(seed);
	for (int k = 0; metric && k < size; k++)
		for (int i = 0; i < size; i++)
			for (int j = 0; j < size; j++)
				at[i * size + j] = fmin(at[i * size + j], at[i * size + k] + at[k * size + j]);
	table->detour = table->onward = metric ? at : NULL;
	return table;
}

static void draw_choices(drawn *d, draw *seed)
{
	int choices = 2 + draw_below(seed, MOST_CHOICES - 1), links = draw_below(seed, MOST_LINKS + 1);

	d->arena = sw_arena_new();
	assert_true(sw_costs_store_init(&d->store, d->arena, 0, NULL));
	for (int i = 0; i < choices; i++) {
		double own[MOST_VALUES];
		int count = 1 + draw_below(seed, MOST_VALUES);

		for (int v = 0; v < count; v++)
			own[v] = draw_cost(seed);
		d->choice[i] = (sw_choice){count, draw_below(seed, 2) == 0, draw_below(seed, 3) == 0 ? NULL : sw_costs_own(&d->store, own, count)};
	}
	for (int k = 0; k < links; k++) {
		int first = draw_below(seed, choices), second = (first + 1) % choices;
		const sw_costs *table = draw_table(d, seed);

		if (choices > 2 && draw_below(seed, 2) == 0)
			second = (first + 2) % choices;
		d->link[k] = (sw_choice_link){first, second,
			{table, draw_rows(d, seed, d->choice[first].count, table->rows),
				draw_rows(d, seed, d->choice[second].count, table->cols)}};
	}
	d->all = (sw_choices){choices, links, d->choice, d->link};
}

/* The least cost of all values, and of all that are not the same as `unlike`. */
static double try_all(const drawn *d, const int32_t *unlike)
{
	int32_t value[MOST_CHOICES] = {0};
	double best = INFINITY;

	for (int i = 0; i < d->all.count;) {
		double cost = sw_choices_cost(&d->all, value);

		if (cost < best && (unlike == NULL || memcmp(value, unlike, (size_t)d->all.count * sizeof *value) != 0))
			best = cost;
		for (i = 0; i < d->all.count && ++value[i] == d->choice[i].count; i++)
			value[i] = 0;
	}
	return best;
}

static bool same_values(void *context, const int32_t *a, const int32_t *b)
{
	const drawn *d = context;

	return memcmp(a, b, (size_t)d->all.count * sizeof *a) == 0;
}

static void drawn_choices_are_the_cheapest(void **state)
{
	draw seed = draw_start("assign");

	(void)state;
	for (int n = 0; n < 3000; n++) {
		drawn d;
		sw_minimum m;

		draw_choices(&d, &seed);
		sw_minimum_options options = {.same = same_values, .context = &d, .next = true};
		assert_true(sw_minimum_find(&d.all, &options, &d.store, &m));
		double best = try_all(&d, NULL);
		assert_true(m.proved);
		assert_int_equal(m.found, best < INFINITY);
		if (m.found) {
			double next = try_all(&d, m.value);

			assert_true(m.cost == best && sw_choices_cost(&d.all, m.value) == best && m.bound == best);
			assert_int_equal(m.has_next, next < INFINITY);
			assert_true(!m.has_next || (m.next_cost == next && sw_choices_cost(&d.all, m.next) == next));
		}
		sw_costs_store_end(&d.store);
		sw_arena_free(d.arena);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(drawn_choices_are_the_cheapest),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}

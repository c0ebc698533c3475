/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long figures of published schedules take, all of them on one machine, and the choice of a grid within a bound of memory.
 */
#include "bench_problem.h"

#include <shardwalk/algorithm.h>
#include <shardwalk/choice.h>

enum { REPEATS = 51, SIZE = 8192 };

static void must(bool ok, const sw_diag *diag)
{
	if (ok)
		return;
	fprintf(stderr, "%s\n", diag->message);
	exit(1);
}

static double median_of(double *taken)
{
	sort(taken, REPEATS);
	return 1e6 * taken[REPEATS / 2];
}

/* One row of the table; false: no machine of so many processors runs it. */
static bool figures_of(const sw_schedule_algorithm *algorithm, int64_t processors, sw_arena *arena)
{
	sw_recipe_question question = {.processors = processors, .size = {SIZE, SIZE, SIZE, SIZE}};
	sw_schedule_totals totals;
	sw_recipe recipe;
	sw_diag diag;

	if (!sw_recipe_of(algorithm, &question, arena, &recipe, &diag))
		return false;
	must(sw_scheme_totals(&recipe.scheme, arena, &totals, &diag), &diag);
	return true;
}

static void one_algorithm(const char *name, int64_t processors, double goal)
{
	double taken[REPEATS];
	sw_arena *arena = sw_arena_new();

	for (int n = 0; n < REPEATS; n++) {
		double begin = now();

		if (!figures_of(sw_schedule_algorithm_named(sw_str_of(name)), processors, arena))
			exit(1);
		taken[n] = now() - begin;
		sw_arena_clear(arena);
	}
	sw_arena_free(arena);
	printf("  %-34s %6lld %10.1f %8.0f\n", name, (long long)processors, median_of(taken), goal);
}

static void all_algorithms(int64_t processors, double goal)
{
	double taken[REPEATS];
	sw_arena *arena = sw_arena_new();

	for (int n = 0; n < REPEATS; n++) {
		const sw_schedule_algorithm *algorithm;
		double begin = now();

		for (int k = 0; (algorithm = sw_schedule_algorithm_at(k)) != NULL; k++)
			if (strcmp(algorithm->statement, sw_schedule_algorithm_at(0)->statement) == 0)
				figures_of(algorithm, processors, arena);
		taken[n] = now() - begin;
		sw_arena_clear(arena);
	}
	sw_arena_free(arena);
	printf("  %-34s %6lld %10.1f %8.0f\n", "all for products of matrices", (long long)processors, median_of(taken),
		goal);
}

static void choice_within(const char *what, int64_t m, int64_t n, int64_t k, int64_t memory)
{
	double taken[REPEATS];

	for (int run = 0; run < REPEATS; run++) {
		sw_scheme scheme;
		sw_grid_question question = {.scheme = &scheme, .times = 1 << 2, .processors = 256, .memory = memory};
		sw_grid_choice choice;
		double begin = now();
		int64_t smallest;

		sw_matrices_scheme(m, n, k, &scheme);
		sw_grid_choose(&question, &choice, 1, &smallest, NULL);
		taken[run] = now() - begin;
	}
	printf("  %-34s %6d %10.1f %8.0f\n", what, 256, median_of(taken), 5000.0);
}

static void best_machine(const char *name, int64_t memory)
{
	sw_recipe_question question = {.processors = 256, .size = {SIZE, SIZE, SIZE}};
	sw_arena *arena = sw_arena_new();
	double taken[REPEATS];

	for (int run = 0; run < REPEATS; run++) {
		sw_recipe_choice choice;
		double begin = now();

		sw_recipe_choose(sw_schedule_algorithm_named(sw_str_of(name)), &question, memory, NULL, arena, &choice, NULL);
		taken[run] = now() - begin;
		sw_arena_clear(arena);
	}
	sw_arena_free(arena);
	printf("  best machine for %-17s %6d %10.1f %8.0f\n", name, 256, median_of(taken), 5000.0);
}

int main(void)
{
	static const char *const names[] = {"cannon", "pumma", "summa", "johnson", "solomonik", "cosma",
		"cosma-balanced"};

	printf("figures of schedules by formulas, median of %d runs, microseconds\n", REPEATS);
	printf("  %-34s %6s %10s %8s\n", "what", "on", "us", "goal");
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		one_algorithm(names[n], 64, 50);
		one_algorithm(names[n], 256, 200);
	}
	all_algorithms(64, 10000);
	choice_within("grid, sizes that divide", SIZE, SIZE, SIZE, 2000000);
	choice_within("grid, sizes that do not", 8191, 5003, 7919, 2000000);
	best_machine("summa", 900000);
	best_machine("cosma-balanced", 2000000);
	choice_within("smallest bound", 8191, 5003, 7919, 1);
	return 0;
}

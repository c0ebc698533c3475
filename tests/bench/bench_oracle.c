/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search over layouts against the searches of 0.1.0: every problem of files of cases, and random ones.
 *
 *     bench_oracle [--random N] [--seed N] [CASES.jsonl...]      default: 20000 random ones
 */
#include "bench_problem.h"

#include "../oracle/agree.h"

static int failed(const agreement *a, const char *what, int number)
{
	printf("%s %d: %s\n", what, number, a->why);
	return 1;
}

/* false: see a->why. */
static bool agrees(agreement *a, const sw_problem *problem, sw_search_limits *limits)
{
	sw_space *space = SW_NEW(a->arena, sw_space, 1);
	sw_prime_parts factors;
	bool good = true;

	sw_prime_parts_default(&problem->mesh, &factors);
	if (sw_space_init(space, problem, &factors, NULL)) {
		limits->budget = space->from_size > space->to_size ? space->from_size : space->to_size;
		good = agree_with_oracles(a, space, limits);
	}
	sw_arena_clear(a->arena);
	return good;
}

static int check_file(agreement *a, const char *path)
{
	static sw_problem problems[MOST_PROBLEMS];
	int count = read_problems(path, problems), wrong = 0;

	for (int k = 0; k < count; k++) {
		sw_search_limits limits = {.machine = sw_machine_default(), .most_edges = 100000};

		if (!agrees(a, &problems[k], &limits))
			wrong += failed(a, path, k + 1);
	}
	printf("%s: %d problems, %d differ\n", path, count, wrong);
	return wrong;
}

static void draw_links(draw *random, sw_mesh *mesh)
{
	static const double bandwidths[] = {0, 1e9, 10e9, 400e9}, latencies[] = {0, 1e-6, 20e-6, 1e-3};

	for (int k = 0; k < mesh->count; k++) {
		mesh->axis[k].bandwidth = bandwidths[draw_below(random, 4)];
		mesh->axis[k].latency = latencies[draw_below(random, 4)];
	}
}

static int check_random(agreement *a, int count, uint64_t seed)
{
	static const int64_t sizes[] = {2, 2, 2, 3, 4, 6}, globals[] = {12, 24, 36, 48, 64, 144};
	static const unsigned without[] = {0, 0, 0, 0, 1 << SW_DYNSLICE, 1 << SW_ALLTOALL, 1 << SW_ALLGATHER};
	draw random = {seed};
	int wrong = 0;

	for (int k = 0; k < count; k++) {
		sw_search_limits limits = {.machine = sw_machine_default(), .most_edges = 20000};
		sw_problem problem;

		draw_problem(&random, 1 + draw_below(&random, 4), sizes[draw_below(&random, 6)], 1 + draw_below(&random, 5),
			globals[draw_below(&random, 6)], 2 + draw_below(&random, 4), &problem);
		if (k % 3 == 0)
			draw_links(&random, &problem.mesh);
		limits.without = without[draw_below(&random, 7)];
		if (k % 5 == 0)
			limits.live_budget = sw_type_localsize(&problem.from) + sw_type_localsize(&problem.to);
		if (!agrees(a, &problem, &limits))
			wrong += failed(a, "random", k + 1);
	}
	printf("%d random problems, seed %llu: %d differ\n", count, (unsigned long long)seed, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	agreement a = {.arena = sw_arena_new()};
	int count = 20000, wrong = 0;
	uint64_t seed = 1;

	for (int k = 1; k < argc; k++)
		if (strcmp(argv[k], "--random") == 0 && k + 1 < argc)
			count = atoi(argv[++k]);
		else if (strcmp(argv[k], "--seed") == 0 && k + 1 < argc)
			seed = strtoull(argv[++k], NULL, 10);
		else
			wrong += check_file(&a, argv[k]);
	wrong += check_random(&a, count, seed);
	printf("%lld searches, of which %lld were given up\n", (long long)a.searches, (long long)a.open);
	sw_arena_free(a.arena);
	return wrong > 0;
}

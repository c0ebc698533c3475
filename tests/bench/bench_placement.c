/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast placements and reduction programs are found: the rows of the issue that asked for them, with their goals.
 *
 *     bench_placement [REPEATS]      default 5: the median of so many is printed
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <shardwalk/reduction.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(bool done, const char *what)
{
	if (!done) {
		fprintf(stderr, "bench_placement: %s failed\n", what);
		exit(1);
	}
}

static void system_of(const char *text, sw_system *system)
{
	sw_diag diag;

	must(sw_system_parse(sw_str_of(text), system, &diag), text);
}

/* All placements of some axes, one after the other: bit i of `summed` is summed over. */
struct reduction {
	sw_system system;
	sw_placement placement;
	sw_ports ports;
	bool any;
};

static bool next_placement(struct reduction *r, const int64_t *axis, int axes)
{
	r->any = r->any ? sw_placement_next(&r->system, &r->placement) :
					  sw_placement_first(&r->system, axis, axes, &r->placement);
	return r->any;
}

static void make_ports(struct reduction *r, uint32_t summed, sw_allreduce_way way)
{
	sw_diag diag;

	must(sw_ports_make(&r->system, &r->placement, summed, way, &r->ports, &diag), "ports");
}

static int64_t list_all(const sw_contexts *contexts, const sw_ports *ports)
{
	sw_arena *arena = sw_arena_new();
	const sw_reduction_bounds bounds = {.limit = 5};
	sw_reduction_listed listed;

	must(sw_reduction_list(contexts, ports, 8589934592.0, &bounds, arena, &listed, NULL), "a list");
	sw_arena_free(arena);
	return listed.count;
}

static sw_contexts *graph(int factors)
{
	sw_diag diag;
	sw_contexts *contexts = sw_contexts_new(factors, false, 0, NULL, &diag);

	must(contexts != NULL, "the graph");
	return contexts;
}

/* ---- rows ---- */

static double two_levels(void)
{
	int64_t axis[] = {8, 8};
	struct reduction r = {.any = false};

	system_of("{node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}", &r.system);
	must(next_placement(&r, axis, 2) && next_placement(&r, axis, 2), "the placement");
	double begin = now();
	make_ports(&r, 1, SW_ALLREDUCE_RING);
	sw_contexts *contexts = graph(r.ports.hierarchy.count);
	must(list_all(contexts, &r.ports) == 47, "47 programs");
	double seconds = now() - begin;
	sw_contexts_free(contexts);
	return seconds;
}

struct appendix {
	int nodes, gpus, axes;
	int64_t axis[3];
	uint32_t summed;
};

static const struct appendix appendix_a[] = {
#define BOTH(n, g, a, b) \
	{n, g, 2, {a, b}, 1}, \
	{ \
		n, g, 2, {a, b}, 2 \
	}
	{2, 16, 1, {32}, 1}, BOTH(2, 16, 2, 16), BOTH(2, 16, 4, 8), BOTH(2, 16, 8, 4), BOTH(2, 16, 16, 2),
	{4, 16, 1, {64}, 1}, BOTH(4, 16, 2, 32), BOTH(4, 16, 4, 16), BOTH(4, 16, 8, 8), BOTH(4, 16, 16, 4),
	BOTH(4, 16, 32, 2), {4, 16, 3, {16, 2, 2}, 5}, {4, 16, 3, {8, 2, 4}, 5}, {4, 16, 3, {4, 2, 8}, 5},
	{4, 16, 3, {2, 2, 16}, 5}, {2, 8, 1, {16}, 1}, BOTH(2, 8, 2, 8), BOTH(2, 8, 4, 4), BOTH(2, 8, 8, 2),
	{4, 8, 1, {32}, 1}, BOTH(4, 8, 2, 16), BOTH(4, 8, 4, 8), BOTH(4, 8, 8, 4), BOTH(4, 8, 16, 2),
	{4, 8, 3, {2, 2, 8}, 5}, {4, 8, 3, {8, 2, 2}, 5}};

/* The programs of all placements of all reductions; with their times as rings and as trees. */
static int64_t whole_appendix(bool timed)
{
	sw_contexts *contexts[3] = {NULL, graph(1), graph(2)};
	int64_t all = 0;

	for (size_t i = 0; i < sizeof appendix_a / sizeof *appendix_a; i++) {
		const struct appendix *a = &appendix_a[i];
		struct reduction r = {.any = false};

		must(sw_system_named(sw_str_of("p2-a100"), a->nodes, &r.system), "p2-a100");
		r.system.level[1].size = a->gpus;
		r.system.devices = (int64_t)a->nodes * a->gpus;
		while (next_placement(&r, a->axis, a->axes))
			for (int way = 0; way < (timed ? 2 : 1); way++) {
				make_ports(&r, a->summed, (sw_allreduce_way)way);
				const sw_contexts *graph_of = contexts[r.ports.hierarchy.count];
				int64_t count = 0;

				for (int length = 1; !timed && length <= 5; length++)
					count += sw_contexts_programs(graph_of, length);
				all += timed ? list_all(graph_of, &r.ports) : count;
			}
	}
	sw_contexts_free(contexts[1]);
	sw_contexts_free(contexts[2]);
	return all;
}

static double appendix(void)
{
	double begin = now();

	must(whole_appendix(false) == 3128, "3128 programs");
	return now() - begin;
}

static double appendix_timed(void)
{
	double begin = now();

	must(whole_appendix(true) == 2 * 3128, "3128 programs");
	return now() - begin;
}

static void four_levels(struct reduction *r, const char *text)
{
	system_of(text, &r->system);
	must(next_placement(r, &r->system.devices, 1), "the placement");
	make_ports(r, 1, SW_ALLREDUCE_RING);
}

static double programs_of_four_levels(void)
{
	struct reduction r = {.any = false};

	double begin = now();
	four_levels(&r, "{a: 2 @ 1GB/s, b: 2 @ 2GB/s, c: 4 @ 9GB/s, d: 8 @ 50GB/s}");
	sw_contexts *contexts = graph(4);
	must(list_all(contexts, &r.ports) == 3967, "3967 programs");
	double seconds = now() - begin;
	sw_contexts_free(contexts);
	return seconds;
}

static double proved_optimum(void)
{
	struct reduction r = {.any = false};
	sw_context_path best;

	double begin = now();
	four_levels(&r, "{a: 32 @ 1GB/s, b: 32 @ 2GB/s, c: 32 @ 9GB/s, d: 32 @ 50GB/s}");
	sw_contexts *contexts = graph(4);
	must(sw_reduction_best(contexts, &r.ports, 8589934592.0, 0, &best), "the best");
	double seconds = now() - begin;
	sw_contexts_free(contexts);
	return seconds;
}

/* The seconds of three reductions together for each of the placements. */
static double ranked_placements(void)
{
	int64_t axis[] = {16, 16, 16};
	struct reduction r = {.any = false};
	sw_contexts *contexts[4] = {NULL, NULL, NULL, NULL};
	sw_context_path best;
	int count = 0;

	system_of("{a: 16 @ 1GB/s, b: 16 @ 9GB/s, c: 16 @ 50GB/s}", &r.system);
	double begin = now();
	for (; next_placement(&r, axis, 3); count++)
		for (int i = 0; i < 3; i++) {
			make_ports(&r, 1u << i, SW_ALLREDUCE_RING);
			int h = r.ports.hierarchy.count;

			if (contexts[h] == NULL)
				contexts[h] = graph(h);
			must(sw_reduction_best(contexts[h], &r.ports, 1e9, 5, &best), "the best");
		}
	double seconds = now() - begin;
	must(count == 120, "120 placements");
	for (int h = 1; h < 4; h++)
		sw_contexts_free(contexts[h]);
	return seconds;
}

static const struct row {
	const char *what;
	double (*run)(void);
	double goal;
} rows[] = {
	{"one reduction of two levels, 47 programs, graph included", two_levels, 50e-6},
	{"appendix A: 42 reductions, 3128 programs", appendix, 2e-3},
	{"the same with times, ring and tree", appendix_timed, 20e-3},
	{"3967 programs of 4 levels, graph included", programs_of_four_levels, 10e-3},
	{"proved optimum, 4 levels, 2^20 devices, graph included", proved_optimum, 50e-3},
	{"120 placements of [16 16 16], 3 reductions", ranked_placements, 50e-3},
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int count, char **words)
{
	int repeats = count > 1 ? atoi(words[1]) : 5;
	struct rusage usage;
	double *seconds = calloc((size_t)(repeats > 0 ? repeats : 1), sizeof *seconds);

	for (size_t i = 0; seconds != NULL && i < sizeof rows / sizeof *rows; i++) {
		rows[i].run(); /* once before the clock counts */
		for (int n = 0; n < repeats; n++)
			seconds[n] = rows[i].run();
		qsort(seconds, (size_t)repeats, sizeof *seconds, ascending);
		printf("%-58s %9.3f ms  goal %7.2f ms%s\n", rows[i].what, 1e3 * seconds[repeats / 2], 1e3 * rows[i].goal,
			seconds[repeats / 2] <= rows[i].goal ? "" : "  MISSED");
	}
	free(seconds);
	getrusage(RUSAGE_SELF, &usage);
	printf("%-58s %9.1f MB\n", "memory, at most", (double)usage.ru_maxrss / 1024);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long it takes to say what one of many devices holds, and what two families have in common, in nanoseconds of this process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shardwalk/distribution.h>

enum { ASKED = 200000, TIMES = 5, KEPT = 256 };

static const struct {
	const char *mesh, *type;
	double goal; /* 0: none */
} types[] = {
	{"{x: 100000}", "[64{x,..}1000000000]", 100},
	{"{x: 65536}", "[1000{x,..}1099511627776]", 100},
	{"{x: 99991}", "[{x}1000000007] by balanced", 100},
	{"{x: 256, y: 256}", "[128{x,..}100000, 128{y,..}100000]", 0},
	{"{x: 100000}", "[10000{x}1000000000] shift 1", 0},
	{"{x: 100000}", "[10000{x}1000000000] shift 1 union [10000{x}1000000000] shift -1", 0},
};

static const struct {
	sw_family a, b;
} pairs[] = {
	{{0, 64, 6400000, 156}, {1000000, 10000, 10000, 1}},
	{{78848, 1024, 67108864, 16384}, {990000, 1000, 65536000, 16777}},
	{{7, 1, 2, (int64_t)1 << 40}, {11, 1, 3, (int64_t)1 << 40}},
	{{7, 3, 1000003, (int64_t)1 << 40}, {11, 2, 999983, (int64_t)1 << 40}},
};

/* Seconds of this process: others may be at work. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void need(bool done)
{
	if (!done) {
		fprintf(stderr, "no memory\n");
		exit(1);
	}
}

static double median(double *seconds)
{
	qsort(seconds, TIMES, sizeof *seconds, by_value);
	return seconds[TIMES / 2] / ASKED * 1e9;
}

static double hold(const sw_holding *holding, sw_arena *arena)
{
	double seconds[TIMES];
	sw_region region;

	for (int t = 0; t < TIMES; t++) {
		double begin = now();
		for (int n = 0; n < ASKED; n++) {
			if (n % KEPT == 0)
				sw_arena_clear(arena);
			need(sw_holding_region(holding, n % holding->devices, arena, &region));
		}
		seconds[t] = now() - begin;
	}
	return median(seconds);
}

static double meet(const sw_family *a, const sw_family *b, sw_arena *arena, int64_t *common)
{
	double seconds[TIMES];
	sw_indices both;

	for (int t = 0; t < TIMES; t++) {
		double begin = now();
		for (int n = 0; n < ASKED; n++) {
			if (n % KEPT == 0)
				sw_arena_clear(arena);
			need(sw_indices_meet(&(sw_indices){1, a}, &(sw_indices){1, b}, arena, &both));
		}
		seconds[t] = now() - begin;
	}
	*common = sw_indices_size(&both);
	return median(seconds);
}

int main(void)
{
	sw_arena *arena = sw_arena_new(), *scratch = sw_arena_new();

	need(arena != NULL && scratch != NULL);
	printf("what one device holds\n");
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		sw_mesh mesh;
		sw_distribution read;
		sw_holding holding;
		need(sw_mesh_parse(sw_str_of(types[i].mesh), &mesh, NULL) &&
			sw_distribution_parse(&mesh, sw_str_of(types[i].type), NULL, arena, &read, NULL) &&
			sw_holding_of_distribution(&mesh, &read, NULL, arena, &holding));
		printf("  %-70s %6.0f ns%s\n", types[i].type, hold(&holding, scratch), types[i].goal > 0 ? ", goal 100" : "");
	}
	printf("what two families have in common, goal 200\n");
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		int64_t common;
		double each = meet(&pairs[i].a, &pairs[i].b, scratch, &common);
		printf("  %lld+%lld of runs %lld and %lld: %lld indices %29.0f ns\n", (long long)pairs[i].a.step,
			(long long)pairs[i].b.step, (long long)pairs[i].a.run, (long long)pairs[i].b.run, (long long)common,
			each);
	}
	sw_arena_free(arena);
	sw_arena_free(scratch);
	return 0;
}

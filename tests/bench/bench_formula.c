/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long it takes to say what 10^5 devices need for a formula: beta, interior and boundary, all messages, and tasks of 15 steps.
 *
 *     bench_formula [WORD]      those whose formulas hold the word
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shardwalk/distribution.h>
#include <shardwalk/tasks.h>

enum { DEVICES = 100000, TIMES = 5 };

/* Seconds of this process: others may be at work. */
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void need(bool done, const sw_diag *diag)
{
	if (!done) {
		fprintf(stderr, "%s\n", diag->message);
		exit(1);
	}
}

static const struct row {
	const char *formula, *y, *x;
	bool again; /* as tasks */
} rows[] = {
	{"y[i] = f(x[i-1], x[i], x[i+1])", "[10000{x}1000000000]", "[10000{x}1000000000]", true},
	{"y[i] = f(x[i-1], x[i], x[i+1]) wrap", "[10000{x}1000000000]", "[10000{x}1000000000]", true},
	{"y[i] = f(x[i-1], x[i])", "[64{x,..}1000000000]", "[64{x,..}1000000000]", false},
	{"y[i] = f(x[2*i], x[2*i+1])", "[10000{x}1000000000]", "[20000{x}2000000000]", false},
	{"y[i] = f(x[i/2])", "[20000{x}2000000000]", "[10000{x}1000000000]", false},
	{"y[i,j] = f(x[i,j], x[i-1,j], x[i+1,j])", "[10{x}1000000, 1000]", "[10{x}1000000, 1000]", true},
};

struct run {
	sw_arena *arena;
	sw_formula formula;
	sw_holding y, x;
	sw_points points;
	sw_need need;
};

static void hold(struct run *r, const sw_mesh *mesh, const char *text, int array, sw_holding *holding)
{
	sw_distribution *read = SW_NEW(r->arena, sw_distribution, 1);
	sw_diag diag = {0};

	need(sw_distribution_parse(mesh, sw_str_of(text), NULL, r->arena, read, &diag), &diag);
	need(sw_holding_of_distribution(mesh, read, NULL, r->arena, holding), &diag);
	need(sw_formula_set_array(&r->formula, array, read->type.rank, read->type.global, &diag), &diag);
}

static void start(const struct row *row, struct run *r)
{
	sw_mesh mesh;
	sw_diag diag = {0};

	r->arena = sw_arena_new();
	need(sw_mesh_parse(sw_str_of("{x: 100000}"), &mesh, &diag), &diag);
	need(sw_formula_parse(sw_str_of(row->formula), NULL, r->arena, &r->formula, &diag), &diag);
	hold(r, &mesh, row->y, 0, &r->y);
	hold(r, &mesh, row->x, 1, &r->x);
	need(sw_formula_fit(&r->formula, &diag), &diag);
	sw_formula_points(&r->formula, &r->y, &r->points);
	need(sw_points_need(&r->points, 1, &r->x, r->arena, &r->need), &diag);
}

static double time_beta(struct run *r)
{
	sw_arena *arena = sw_arena_new();
	sw_region region;
	double start = now();

	for (int64_t d = 0; d < DEVICES; d++) {
		sw_arena_clear(arena);
		sw_holding_region(&r->need.needed, d, arena, &region);
	}
	sw_arena_free(arena);
	return now() - start;
}

static double time_split(struct run *r)
{
	sw_arena *arena = sw_arena_new();
	sw_region interior, boundary;
	double start = now();

	for (int64_t d = 0; d < DEVICES; d++) {
		sw_arena_clear(arena);
		sw_points_split(&r->points, &r->need, 1, d, arena, &interior, &boundary);
	}
	sw_arena_free(arena);
	return now() - start;
}

static double time_messages(struct run *r)
{
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {0};
	sw_messages list;
	double start = now();
	sw_relation *relation = sw_relation_new(&r->x, &r->need.needed, NULL, arena, &diag);

	need(relation != NULL && sw_relation_messages(relation, SW_SENDER_BALANCED, arena, &list), &diag);
	start = now() - start;
	sw_arena_free(arena);
	return start;
}

static double time_tasks(struct run *r)
{
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {0};
	sw_tasks tasks;
	double start = now();

	need(sw_tasks_count(&(sw_repetition){&r->need, 1, 15, 3}, NULL, arena, &tasks, &diag), &diag);
	start = now() - start;
	sw_arena_free(arena);
	return start;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median_of(struct run *r, double (*time)(struct run *))
{
	double value[TIMES];

	for (int n = 0; n < TIMES; n++)
		value[n] = time(r);
	qsort(value, TIMES, sizeof *value, by_value);
	return value[TIMES / 2] * 1e3;
}

int main(int argc, char **argv)
{
	printf("%-40s %9s %9s %9s %9s   ms\n", "100000 devices", "beta", "split", "messages", "tasks");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run r;
		if (argc > 1 && strstr(rows[i].formula, argv[1]) == NULL)
			continue;
		start(&rows[i], &r);
		printf("%-40s %9.2f %9.2f %9.2f", rows[i].formula, median_of(&r, time_beta), median_of(&r, time_split),
			median_of(&r, time_messages));
		printf(rows[i].again ? " %9.2f\n" : "\n", rows[i].again ? median_of(&r, time_tasks) : 0.0);
		sw_arena_free(r.arena);
	}
	return 0;
}

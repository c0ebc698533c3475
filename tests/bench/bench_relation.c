/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long relations between holdings of 10^5 devices take: all messages, and sizes and pattern without a list of them.
 *
 *     bench_relation [WORD]      those whose names hold the word
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shardwalk/relation.h>

enum { DEVICES = 100000, TIMES = 5 };

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

/* ---- holdings by a rule: blocks of `run`, again every `step`, of `size` indices; each as much wider as `halo` on both sides ---- */

struct rule {
	int64_t run, step, size, halo;
};

static bool region_of(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const struct rule *r = of;
	sw_indices *set = SW_NEW(arena, sw_indices, 1);
	sw_family *family = SW_NEW(arena, sw_family, 2);
	int64_t first = device * r->run, begin = first > r->halo ? first - r->halo : 0;
	int64_t end = first + r->run + r->halo < r->size ? first + r->run + r->halo : r->size;

	if (set == NULL || family == NULL)
		return false;
	*set = (sw_indices){0, family};
	if (r->step == 0) {
		*set = sw_indices_range(begin, end, family);
	} else if (first < r->size) {
		int64_t count = (r->size - first + r->step - 1) / r->step, last = first + (count - 1) * r->step;
		int64_t cut = last + r->run > r->size ? r->size - last : 0;
		count -= cut > 0;
		if (count > 0)
			family[set->count++] = (sw_family){first, r->run, count > 1 ? r->step : r->run, count};
		if (cut > 0)
			family[set->count++] = (sw_family){last, cut, cut, 1};
	}
	*region = (sw_region){1, set->count > 0, set};
	return true;
}

static const struct row {
	const char *name;
	struct rule from, to;
	bool list; /* its messages are not too many to list */
} rows[] = {
	{"halo", {10000, 0, 1000000000, 0}, {10000, 0, 1000000000, 1}, true},
	{"blocks to cyclic(64)", {10000, 0, 1000000000, 0}, {64, 6400000, 1000000000, 0}, true},
	{"cyclic(64) to blocks", {64, 6400000, 1000000000, 0}, {10000, 0, 1000000000, 0}, true},
	{"cyclic(4096) to cyclic(6144)", {4096, 409600000, 1000000000, 0}, {6144, 614400000, 1000000000, 0}, true},
	{"cyclic to blocks", {1, 100000, 1000000000, 0}, {10000, 0, 1000000000, 0}, false},
	{"blocks to blocks", {10000, 0, 1000000000, 0}, {9999, 0, 999900000, 0}, true},
};

struct taken {
	double make, list, tally, name;
};

static void time_row(const struct row *row, struct taken *taken, int64_t *messages, const char **pattern)
{
	sw_arena *arena = sw_arena_new();
	sw_holding_rule from_rule = {.region = region_of, .of = &row->from},
					to_rule = {.region = region_of, .of = &row->to};
	sw_holding from, to;
	sw_tally *tally = malloc(DEVICES * sizeof *tally);
	sw_messages list = {0, NULL};
	sw_pattern found;
	sw_mesh mesh = {0};

	need(arena != NULL && tally != NULL && sw_mesh_parse(sw_str_of("{x: 100000}"), &mesh, NULL));
	sw_holding_of_rule(DEVICES, 1, &row->from.size, &from_rule, &from);
	sw_holding_of_rule(DEVICES, 1, &row->from.size, &to_rule, &to);
	double start = now();
	sw_relation *relation = sw_relation_new(&from, &to, NULL, arena, NULL);
	need(relation != NULL);
	taken->make = now() - start;
	start = now();
	need(sw_relation_pattern(relation, SW_SENDER_LOWEST, &mesh, arena, &found));
	taken->name = now() - start;
	start = now();
	if (row->list)
		need(sw_relation_tally(relation, SW_SENDER_LOWEST, tally));
	taken->tally = now() - start;
	start = now();
	if (row->list)
		need(sw_relation_messages(relation, SW_SENDER_LOWEST, arena, &list));
	taken->list = now() - start;
	*messages = list.count;
	*pattern = sw_pattern_text(found.name);
	free(tally);
	sw_arena_free(arena);
}

static double median(const struct taken *taken, double (*of)(const struct taken *))
{
	double value[TIMES];

	for (int n = 0; n < TIMES; n++)
		value[n] = of(&taken[n]);
	qsort(value, TIMES, sizeof *value, by_value);
	return value[TIMES / 2] * 1e3;
}

static double make_of(const struct taken *t)
{
	return t->make;
}

static double list_of(const struct taken *t)
{
	return t->list;
}

static double tally_of(const struct taken *t)
{
	return t->tally;
}

static double name_of(const struct taken *t)
{
	return t->name;
}

int main(int argc, char **argv)
{
	printf("%-30s %9s %9s %9s %9s   ms: both ends, sizes, pattern, messages\n", "100000 devices", "ends", "sizes",
		"pattern", "messages");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct taken taken[TIMES];
		int64_t messages = 0;
		const char *pattern = "";
		if (argc > 1 && strstr(rows[i].name, argv[1]) == NULL)
			continue;
		for (int n = 0; n < TIMES; n++)
			time_row(&rows[i], &taken[n], &messages, &pattern);
		double list = median(taken, list_of), make = median(taken, make_of);
		printf("%-30s %9.2f %9.2f %9.2f %9.2f   %s, %lld messages, %.0f ns each with the ends\n", rows[i].name, make,
			median(taken, tally_of), median(taken, name_of), list, pattern, (long long)messages,
			messages > 0 ? (list + make) * 1e6 / (double)messages : 0.0);
	}
	return 0;
}

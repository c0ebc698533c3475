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

#include <shardwalk/distribution.h>
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

static const struct row {
	const char *name, *from, *to;
	bool list; /* its messages are not too many to list */
} rows[] = {
	{"halo", "[10000{x}1000000000]",
		"[10000{x}1000000000] union [10000{x}1000000000] shift 1 union [10000{x}1000000000] shift -1", true},
	{"blocks to cyclic(64)", "[10000{x}1000000000]", "[64{x,..}1000000000]", true},
	{"cyclic(64) to blocks", "[64{x,..}1000000000]", "[10000{x}1000000000]", true},
	{"cyclic(4096) to cyclic(6144)", "[4096{x,..}1000000000]", "[6144{x,..}1000000000]", true},
	{"cyclic to blocks", "[1{x,..}1000000000]", "[10000{x}1000000000]", false},
	{"blocks, balanced to ceil", "[{x}1000000007] by balanced", "[{x}1000000007] by ceil", true},
	{"allgather", "[10000{x}1000000000]", "[1000000000]", false},
};

struct taken {
	double make, list, tally, name;
};

static void read_end(const sw_mesh *mesh, const char *text, sw_arena *arena, sw_holding *holding)
{
	sw_distribution *distribution = SW_NEW(arena, sw_distribution, 1);

	need(distribution != NULL && sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, distribution, NULL) &&
		sw_holding_of_distribution(mesh, distribution, NULL, arena, holding));
}

static void time_row(const struct row *row, struct taken *taken, int64_t *messages, const char **pattern)
{
	sw_arena *arena = sw_arena_new();
	sw_holding from, to;
	sw_tally *tally = malloc(DEVICES * sizeof *tally);
	sw_messages list = {0, NULL};
	sw_pattern found;
	sw_mesh mesh = {0};

	need(arena != NULL && tally != NULL && sw_mesh_parse(sw_str_of("{x: 100000}"), &mesh, NULL));
	read_end(&mesh, row->from, arena, &from);
	read_end(&mesh, row->to, arena, &to);
	double start = now();
	sw_relation *relation = sw_relation_new(&from, &to, NULL, arena, NULL);
	need(relation != NULL);
	taken->make = now() - start;
	start = now();
	need(sw_relation_pattern(relation, SW_SENDER_LOWEST, &mesh, arena, &found));
	taken->name = now() - start;
	start = now();
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

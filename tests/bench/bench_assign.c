/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long types of least total cost take: the programs of a file of cases, and 96 blocks with residual connections.
 *
 *     bench_assign [CASES.jsonl]      default: tests/cases/programs-chains.jsonl
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <jansson.h>

#include <shardwalk/assign.h>
#include <shardwalk/hardware.h>

enum { RUNS = 5, BLOCKS = 96, LINES = 1000 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Milliseconds of one assignment, the median of some. */
static double measure(const char *text, const char *hardware, bool *proved)
{
	double taken[RUNS];

	for (int n = 0; n < RUNS; n++) {
		sw_arena *arena = sw_arena_new();
		sw_assign_options options = {.machine = NULL};
		sw_program program, assigned;
		sw_assignment found;
		sw_machine machine;
		sw_diag diag;

		if (!sw_program_parse(sw_str_of(text), NULL, arena, &program, &diag)) {
			fprintf(stderr, "%s\n", diag.message);
			exit(1);
		}
		if (hardware != NULL && sw_hardware_roofline(sw_hardware_named(sw_str_of(hardware)), arena, &machine))
			options.machine = &machine;
		double start = now();
		if (!sw_assign(&program, &options, arena, &assigned, &found, &diag)) {
			fprintf(stderr, "%s\n", diag.message);
			exit(1);
		}
		taken[n] = (now() - start) * 1e3;
		*proved = found.proved;
		sw_arena_free(arena);
	}
	qsort(taken, RUNS, sizeof *taken, by_value);
	return taken[RUNS / 2];
}

static void bench_cases(const char *name)
{
	FILE *file = fopen(name, "r");
	static double taken[LINES];
	char *line = NULL;
	size_t room = 0;
	int count = 0, proved = 0;

	if (file == NULL) {
		fprintf(stderr, "cannot read %s\n", name);
		exit(1);
	}
	while (count < LINES && getline(&line, &room, file) > 0) {
		json_t *json = json_loads(line, 0, NULL);
		bool one;

		taken[count++] = measure(json_string_value(json_object_get(json, "text")),
			json_string_value(json_object_get(json, "hardware")), &one);
		proved += one;
		json_decref(json);
	}
	free(line);
	fclose(file);
	qsort(taken, (size_t)count, sizeof *taken, by_value);
	if (count > 0)
		printf("assign, %d programs: median %.2f ms, largest %.2f ms (goal 5 ms each), %d proved\n", count,
			taken[count / 2], taken[count - 1], proved);
}

/* Each block multiplies twice, with relu between, and adds what it began with. */
static void bench_blocks(const char *weights)
{
	sw_text text = {0};
	bool proved;

	sw_text_add(&text, "mesh {x: 4, y: 4}\nfn main(x0 : [32{x}128, 512]");
	for (int i = 0; i < BLOCKS; i++)
		sw_text_addf(&text, ", w%d : %s, v%d : %s", i, *weights == '?' ? "?[512, 2048]" : "[512, 512{y}2048]", i,
			*weights == '?' ? "?[2048, 512]" : "[2048, 128{y}512]");
	sw_text_add(&text, ") -> [32{x}128, 512] {\n");
	for (int i = 0; i < BLOCKS; i++)
		sw_text_addf(&text,
			"  h%d = einsum \"bd,df->bf\" x%d w%d as ?\n  r%d = relu h%d as ?\n"
			"  y%d = einsum \"bf,fd->bd\" r%d v%d as ?\n  x%d = add y%d x%d as ?\n",
			i, i, i, i, i, i, i, i, i + 1, i, i);
	sw_text_addf(&text, "  return x%d\n}\n", BLOCKS);
	double taken = measure(sw_text_get(&text), NULL, &proved);
	printf("assign, %d blocks with residual connections, %s: %.0f ms (goal 500 ms), %s\n", BLOCKS, weights, taken,
		proved ? "proved" : "not proved");
	sw_text_free(&text);
}

int main(int argc, char **argv)
{
	bench_cases(argc > 1 ? argv[1] : "tests/cases/programs-chains.jsonl");
	bench_blocks("weights as they are given");
	bench_blocks("?, weights of any type");
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What benchmarks of planning share: the clock, problems from files and at random, and the machine's name.
 */
#ifndef SHARDWALK_BENCH_PROBLEM_H
#define SHARDWALK_BENCH_PROBLEM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include <shardwalk/plan.h>

#include "../kit/draw.h"

enum { MOST_PROBLEMS = 4096 };

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline void sort(double *values, int count)
{
	qsort(values, (size_t)count, sizeof *values, by_value);
}

/* ---- problems ---- */

static inline bool read_problem(const char *line, sw_problem *problem)
{
	json_t *json = json_loads(line, 0, NULL);
	const char *mesh, *from, *to;
	bool good = json != NULL && json_unpack(json, "{s:s, s:s, s:s}", "mesh", &mesh, "from", &from, "to", &to) == 0 &&
		sw_mesh_parse(sw_str_of(mesh), &problem->mesh, NULL) &&
		sw_type_parse(&problem->mesh, sw_str_of(from), &problem->from, NULL) &&
		sw_type_parse(&problem->mesh, sw_str_of(to), &problem->to, NULL);

	json_decref(json);
	return good;
}

static inline int read_problems(const char *path, sw_problem *problems)
{
	FILE *file = fopen(path, "r");
	char line[8192];
	int count = 0;

	if (file == NULL)
		return 0;
	while (count < MOST_PROBLEMS && fgets(line, sizeof line, file) != NULL)
		count += read_problem(line, &problems[count]);
	fclose(file);
	return count;
}

/* Deals axes to dimensions at random, about one in `spare` to none, as far as the sizes divide. */
static inline void deal(draw *random, const sw_mesh *mesh, sw_type *type, int spare)
{
	sw_part parts[SW_MAX_PARTS];
	int order[SW_MAX_AXES], place[SW_MAX_AXES], count[SW_MAX_DIMS] = {0}, n = 0;
	int64_t left[SW_MAX_DIMS];

	memcpy(left, type->global, sizeof left);
	for (int a = 0; a < mesh->count; a++) {
		int j = draw_below(random, a + 1);

		order[a] = order[j];
		order[j] = a;
	}
	for (int k = 0; k < mesh->count; k++) {
		int dim = draw_below(random, type->rank);

		place[k] = -1;
		if (draw_below(random, spare) == 0 || left[dim] % mesh->axis[order[k]].size != 0)
			continue;
		left[dim] /= mesh->axis[order[k]].size;
		place[k] = dim;
		count[dim]++;
	}
	for (int i = 0; i < type->rank; i++)
		for (int k = 0; k < mesh->count; k++)
			if (place[k] == i)
				parts[n++] = (sw_part){order[k], 1, mesh->axis[order[k]].size};
	sw_type_partition(mesh, type, count, parts, NULL);
}

static inline void draw_problem(draw *random, int axes, int64_t size, int rank, int64_t global, int spare,
	sw_problem *problem)
{
	int64_t sizes[SW_MAX_DIMS];

	memset(problem, 0, sizeof *problem);
	for (int a = 0; a < axes; a++) {
		char name[16];

		snprintf(name, sizeof name, "a%d", a);
		sw_mesh_add(&problem->mesh, sw_str_of(name), size, NULL);
	}
	for (int i = 0; i < rank; i++)
		sizes[i] = global;
	sw_type_replicated(SW_F32, rank, sizes, &problem->from, NULL);
	problem->to = problem->from;
	deal(random, &problem->mesh, &problem->from, spare);
	deal(random, &problem->mesh, &problem->to, spare);
}

/* ---- the machine ---- */

static inline void machine_name(char *name, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[512];

	snprintf(name, size, "unknown");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, "model name", 10) == 0) {
			snprintf(name, size, "%s", strchr(line, ':') + 2);
			name[strcspn(name, "\n")] = '\0';
			break;
		}
	if (file != NULL)
		fclose(file);
}

static inline void print_machine(void)
{
	char name[256];
	double load = 0;

	machine_name(name, sizeof name);
	printf("machine: %s\n", name);
	if (getloadavg(&load, 1) == 1)
		printf("cores: %ld, load: %.2f\n", sysconf(_SC_NPROCESSORS_ONLN), load);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What benchmarks share that run plans on ranks: problems to a tenth, files of them, and the programs they start.
 */
#ifndef SHARDWALK_BENCH_RANKS_H
#define SHARDWALK_BENCH_RANKS_H

#include "bench_problem.h"

#include <math.h>

enum { RANKS = 8 };

/* ---- problems to a tenth ---- */

/* What a dimension has to stay a multiple of, so that every layout it could have on the mesh stays possible. */
static inline int64_t grain(const sw_problem *problem, int dim)
{
	int64_t most = problem->from.global[dim], unit = 1;

	while (most % (2 * unit) == 0 && unit < problem->mesh.devices)
		unit *= 2;
	return unit;
}

static inline double elements(const sw_problem *problem)
{
	double product = 1;

	for (int i = 0; i < problem->from.rank; i++)
		product *= (double)problem->from.global[i];
	return product;
}

static inline bool resize(sw_problem *problem, sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0}, n = 0;

	for (int i = 0; i < type->rank; i++)
		for (int k = type->first[i]; k < type->first[i + 1]; k++, count[i]++)
			parts[n++] = sw_type_part(type, k);
	return sw_type_partition(&problem->mesh, type, count, parts, NULL);
}

/* Shortens the dimension with the most to give, until a tenth is left. */
static inline bool scale(sw_problem *problem)
{
	double goal = elements(problem) / 10;

	while (elements(problem) > goal) {
		int longest = 0;
		double best = 0;

		for (int i = 0; i < problem->from.rank; i++) {
			double pieces = (double)problem->from.global[i] / (double)grain(problem, i);

			if (pieces > best) {
				best = pieces;
				longest = i;
			}
		}
		if (best <= 1)
			break;
		double share = fmax(goal / elements(problem), 0.25);
		int64_t unit = grain(problem, longest), pieces = (int64_t)floor(best * share);

		problem->from.global[longest] = problem->to.global[longest] = (pieces > 0 ? pieces : 1) * unit;
	}
	return resize(problem, &problem->from) && resize(problem, &problem->to);
}

/* The problem of a line of cases, made smaller; false where it is not one for as many devices as there are ranks. */
static inline bool read_tenth(const char *line, sw_problem *problem, char *name, size_t size)
{
	json_t *json = json_loads(line, 0, NULL);
	const char *called = json_string_value(json_object_get(json, "name"));

	snprintf(name, size, "%s", called != NULL ? called : "?");
	json_decref(json);
	return read_problem(line, problem) && problem->mesh.devices == RANKS && scale(problem);
}

static inline json_t *problem_json(const sw_problem *p, const char *name)
{
	sw_text mesh = {0}, from = {0}, to = {0};

	sw_mesh_print(&p->mesh, &mesh);
	sw_type_print(&p->mesh, &p->from, true, &from);
	sw_type_print(&p->mesh, &p->to, true, &to);
	json_t *json = json_pack("{s:s, s:s, s:s, s:s}", "name", name, "mesh", sw_text_get(&mesh), "from",
		sw_text_get(&from), "to", sw_text_get(&to));
	sw_text_free(&mesh);
	sw_text_free(&from);
	sw_text_free(&to);
	return json;
}

/* ---- programs ---- */

/* A program of the build, or NULL after saying that it is missing. */
static inline char *find_program(const char *name)
{
	const char *build = getenv("BUILD");
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", build != NULL ? build : "build", name);
	char *found = realpath(path, NULL);
	if (found == NULL)
		printf("skipped: no %s\n", path);
	return found;
}

static inline void default_cases(char *path, size_t size)
{
	const char *shared = getenv("SHARDWALK_SHARED");

	snprintf(path, size, "%s/cases/paper-like.jsonl", shared != NULL ? shared : "../shared");
}

static inline bool calibrate(const char *program)
{
	char command[8192];

	snprintf(command, sizeof command, "'%s' calibrate --ranks %d </dev/null", program, RANKS);
	return system(command) == 0;
}

/* The plans of one strategy for the problems of a file, as lines of JSON; to be closed with pclose. */
static inline FILE *plans_of(const char *program, const char *file, const char *strategy)
{
	char command[8192];

	snprintf(command, sizeof command, "'%s' batch '%s' --strategy %s --model calibrated --json --maps 2>/dev/null",
		program, file, strategy);
	return popen(command, "r");
}

/* A plan's steps in short. */
static inline void describe_steps(json_t *plan, char *out, size_t size)
{
	size_t index, used = 0;
	json_t *step;

	out[0] = '\0';
	json_array_foreach(json_object_get(plan, "steps"), index, step)
	{
		char *gather = json_dumps(json_object_get(step, "gather"), JSON_COMPACT | JSON_ENCODE_ANY);
		char *split = json_dumps(json_object_get(step, "split"), JSON_COMPACT | JSON_ENCODE_ANY);
		int length = snprintf(out + used, size - used, "%s%s %s>%s", index ? ", " : "",
			json_string_value(json_object_get(step, "op")), gather != NULL ? gather : "", split != NULL ? split : "");

		free(gather);
		free(split);
		used = used + (size_t)length < size ? used + (size_t)length : size - 1;
	}
}

#endif

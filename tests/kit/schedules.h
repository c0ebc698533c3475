/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the files distal-*.jsonl as problems of schedules: a mesh, arrays with homes, a statement.
 *
 * Homes are worked out here, by the rule of the cases, so that nothing of the engine is taken for granted.
 */
#ifndef TESTS_KIT_SCHEDULES_H
#define TESTS_KIT_SCHEDULES_H

#include <jansson.h>

#include <shardwalk/schedule.h>

#include "cases.h"
#include "kit.h"

/* One dimension of a mesh for an array: it cuts a dimension, fixes a coordinate, or neither (-1). */
struct schedule_place {
	int dim;
	int64_t at;
};

/* Where an array lies: what each dimension of the mesh does, those of one dimension of the array major first. */
struct schedule_home {
	const sw_mesh *mesh;
	int rank, order_count;
	int64_t size[SW_MAX_DIMS];
	struct schedule_place place[SW_MAX_AXES];
	int order[SW_MAX_AXES];
	sw_holding_rule rule;
	sw_holding holding;
};

static inline bool schedule_home_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const struct schedule_home *home = of;
	int64_t low[SW_MAX_DIMS] = {0}, high[SW_MAX_DIMS], block[SW_MAX_DIMS];
	sw_indices *set = SW_NEW(arena, sw_indices, home->rank);
	sw_family *family = SW_NEW(arena, sw_family, home->rank);
	bool there = true;

	if (set == NULL || family == NULL)
		return false;
	for (int d = 0; d < home->rank; d++)
		high[d] = block[d] = home->size[d];
	for (int k = 0; k < home->order_count; k++) {
		int axis = home->order[k], d = home->place[axis].dim;
		int64_t at = sw_mesh_coordinate(home->mesh, device, axis);
		if (d < 0) {
			there = there && (home->place[axis].at < 0 || home->place[axis].at == at);
			continue;
		}
		block[d] = (block[d] + home->mesh->axis[axis].size - 1) / home->mesh->axis[axis].size;
		low[d] += at * block[d];
		high[d] = low[d] + block[d] < high[d] ? low[d] + block[d] : high[d];
	}
	for (int d = 0; d < home->rank; d++) {
		there = there && low[d] < high[d];
		set[d] = sw_indices_range(low[d], high[d], &family[d]);
	}
	*region = (sw_region){home->rank, there, set};
	return true;
}

static inline void schedule_home_text(struct schedule_home *home, int axis, const char *text)
{
	const char *arrow = strstr(text, "->");

	for (const char *at = arrow + 2; *at != '\0'; at++, axis++) {
		const char *dim = memchr(text, *at, (size_t)(arrow - text));
		home->place[axis] = (struct schedule_place){dim != NULL ? (int)(dim - text) : -1,
			*at >= '0' && *at <= '9' ? *at - '0' : -1};
		home->order[home->order_count++] = axis;
	}
}

static inline void schedule_home_parts(struct schedule_home *home, json_t *json)
{
	json_t *parts = json_object_get(json, "parts"), *fixed = json_object_get(json, "fixed"), *list, *part, *value;
	const char *key;
	size_t d, k;

	for (int axis = 0; axis < home->mesh->count; axis++)
		home->place[axis] = (struct schedule_place){-1, -1};
	json_object_foreach(fixed, key, value) home->place[atoi(key)].at = json_integer_value(value);
	json_array_foreach(parts, d, list) json_array_foreach(list, k, part)
	{
		home->place[json_integer_value(part)].dim = (int)d;
		home->order[home->order_count++] = (int)json_integer_value(part);
	}
	for (int axis = 0; axis < home->mesh->count; axis++)
		if (home->place[axis].dim < 0)
			home->order[home->order_count++] = axis;
}

static inline void schedule_home_of(json_t *json, const sw_mesh *mesh, json_t *shape, struct schedule_home *home)
{
	int first, end;

	*home = (struct schedule_home){.mesh = mesh, .rank = (int)json_array_size(shape)};
	for (int d = 0; d < home->rank; d++)
		home->size[d] = json_integer_value(json_array_get(shape, (size_t)d));
	if (json_is_object(json))
		schedule_home_parts(home, json);
	else if (json_is_string(json))
		schedule_home_text(home, 0, json_string_value(json));
	else
		for (int level = 0; level < (int)json_array_size(json); level++) {
			sw_mesh_level(mesh, level, &first, &end);
			schedule_home_text(home, first, json_string_value(json_array_get(json, (size_t)level)));
		}
	home->rule = (sw_holding_rule){.region = schedule_home_region, .of = home};
	sw_holding_of_rule(mesh->devices, home->rank, home->size, &home->rule, &home->holding);
}

static inline void schedule_mesh(json_t *machine, sw_mesh *mesh)
{
	sw_text text = {0};
	json_t *level, *size;
	size_t k, n;
	int axis = 0;

	json_array_foreach(machine, k, level)
	{
		sw_text_add(&text, k > 0 ? "; " : "{");
		json_array_foreach(level, n, size)
			sw_text_addf(&text, "%sd%d: %d", n > 0 ? ", " : "", axis++, (int)json_integer_value(size));
	}
	sw_text_add(&text, "}");
	assert_true(sw_mesh_parse(sw_str_of(sw_text_get(&text)), mesh, NULL));
	sw_text_free(&text);
}

/* The problem of a line; homes that are wrong are left out.  false: the statement is refused. */
static inline bool schedule_problem(json_t *line, sw_arena *arena, sw_schedule_problem *problem, sw_diag *diag)
{
	json_t *shapes = json_object_get(line, "shapes"), *homes = json_object_get(line, "distributions"), *shape;
	sw_mesh *mesh = SW_NEW_ZERO(arena, sw_mesh, 1);
	sw_schedule_array *array = SW_NEW_ZERO(arena, sw_schedule_array, json_object_size(shapes));
	struct schedule_home *home = SW_NEW_ZERO(arena, struct schedule_home, json_object_size(shapes));
	const char *name, *source = json_string_value(json_object_get(line, "source"));
	int arrays = 0;

	schedule_mesh(json_object_get(line, "machine"), mesh);
	json_object_foreach(shapes, name, shape)
	{
		schedule_home_of(json_object_get(homes, name), mesh, shape, &home[arrays]);
		array[arrays] =
			(sw_schedule_array){.name = sw_str_of(name), .rank = home[arrays].rank, .home = &home[arrays].holding};
		memcpy(array[arrays].size, home[arrays].size, sizeof array[arrays].size);
		arrays++;
	}
	if (!sw_schedule_problem_of(sw_str_of(json_string_value(json_object_get(line, "statement"))), mesh, array, arrays,
			arena, problem, diag))
		return false;
	problem->from_home = source != NULL && strcmp(source, "home") == 0;
	return true;
}

/* The schedule of a line, command after command; NULL: command *refused is refused. */
static inline const sw_schedule *schedule_of(json_t *line, const sw_schedule_problem *problem, sw_arena *arena,
	int *refused, sw_diag *diag)
{
	json_t *commands = json_object_get(line, "schedule"), *command;
	const sw_schedule *schedule = sw_schedule_new(problem, arena);
	size_t k;

	json_array_foreach(commands, k, command)
	{
		*refused = (int)k;
		schedule = sw_schedule_read(schedule, sw_str_of(json_string_value(command)), arena, NULL, diag);
		if (schedule == NULL)
			return NULL;
	}
	return schedule;
}

/* A statement over matrices A, B, C of 6 x 6 in tiles over a mesh of two axes; NULL: it is refused. */
static inline const sw_schedule_problem *schedule_squares(const char *axes, sw_str statement, sw_arena *arena,
	sw_diag *diag)
{
	static const char names[] = "ABC";
	struct schedule_home *home = SW_NEW_ZERO(arena, struct schedule_home, 1);
	sw_mesh *mesh = SW_NEW_ZERO(arena, sw_mesh, 1);
	sw_schedule_problem *problem = SW_NEW_ZERO(arena, sw_schedule_problem, 1);
	sw_schedule_array array[3];

	assert_true(sw_mesh_parse(sw_str_of(axes), mesh, NULL));
	*home = (struct schedule_home){.mesh = mesh, .rank = 2, .size = {6, 6}};
	schedule_home_text(home, 0, "xy->xy");
	home->rule = (sw_holding_rule){.region = schedule_home_region, .of = home};
	sw_holding_of_rule(mesh->devices, 2, home->size, &home->rule, &home->holding);
	for (int k = 0; k < 3; k++)
		array[k] = (sw_schedule_array){.name = {&names[k], 1}, .rank = 2, .size = {6, 6}, .home = &home->holding};
	return sw_schedule_problem_of(statement, mesh, array, 3, arena, problem, diag) ? problem : NULL;
}

/* Hands the lines of a file to `check`, with an empty arena each, and adds up what that says. */
static inline int schedules_each(const char *file, sw_arena *arena, int (*check)(json_t *line))
{
	FILE *in = cases_open(file);
	char *text = NULL;
	size_t room = 0;
	int sum = 0;

	assert_non_null(in);
	while (getline(&text, &room, in) > 0) {
		json_t *line = json_loads(text, 0, NULL);
		assert_non_null(line);
		sw_arena_clear(arena);
		sum += check(line);
		json_decref(line);
	}
	free(text);
	fclose(in);
	return sum;
}

#endif

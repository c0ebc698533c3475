/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Low-level steps, and the execution of both kinds of sequences on virtual devices.
 */
#include "theory/low.h"

#include <string.h>

#include "step/entries.h"

/* ---- coordinates ---- */

static void low_split(const sw_case_mesh *mesh, int64_t number, int64_t coordinate[CASE_AXES])
{
	for (int a = mesh->axes - 1; a >= 0; a--) {
		coordinate[a] = number % mesh->size[a];
		number /= mesh->size[a];
	}
}

static int64_t low_join(const sw_case_mesh *mesh, const int64_t coordinate[CASE_AXES])
{
	int64_t number = 0;
	for (int a = 0; a < mesh->axes; a++)
		number = number * mesh->size[a] + coordinate[a];
	return number;
}

/* The coordinate at which `type` has the tile that `other` has at `number`: axes of one dimension stand in another order. */
static int64_t low_same_tile(const sw_case_mesh *mesh, const sw_case_type *type, const sw_case_type *other, int dim,
	int64_t number)
{
	int64_t coordinate[CASE_AXES], position = 0;
	low_split(mesh, number, coordinate);
	for (int p = other->count[dim] - 1; p >= 0; p--)
		position = position * mesh->size[other->axis[dim][p]] + coordinate[other->axis[dim][p]];
	for (int p = 0; p < type->count[dim]; p++) {
		int a = type->axis[dim][p];
		coordinate[a] = position % mesh->size[a];
		position /= mesh->size[a];
	}
	return low_join(mesh, coordinate);
}

/* Makes an axis the minor one of its dimension; devices are renumbered so that all keep what they hold. */
static void low_bring_forward(sw_low *low, int dim, int axis)
{
	sw_case_type other = low->type;
	int64_t at[CASE_DEVICES];
	sw_case_take(&other, dim, sw_case_find(&other, dim, axis));
	sw_case_put(&other, dim, axis);
	for (int64_t h = 0; h < low->devices; h++)
		at[h] = low->at[low_same_tile(low->mesh, &low->type, &other, dim, h)];
	memcpy(low->at, at, sizeof at);
	low->type = other;
}

/* ---- steps ---- */

bool sw_low_start(sw_low *low, const sw_case_mesh *mesh, const sw_case_type *type, sw_arena *arena, sw_diag *diag)
{
	*low = (sw_low){.mesh = mesh, .arena = arena, .devices = sw_case_devices(mesh), .type = *type};
	for (int64_t d = 0; d < low->devices; d++)
		low->at[d] = d;
	return sw_case_mesh_make(mesh, &low->plan.problem.mesh, diag) &&
		sw_case_type_make(mesh, &low->plan.problem.mesh, type, &low->plan.problem.from, diag) &&
		(sw_plan_room(&low->plan, CASE_TYPES, arena) || sw_diag_memory(diag));
}

void sw_low_map(const sw_low *low, int64_t *map)
{
	for (int64_t h = 0; h < low->devices; h++) {
		int64_t offset[CASE_DIMS];
		sw_case_offset(low->mesh, &low->type, h, offset);
		memcpy(map + low->at[h] * low->mesh->rank, offset, sizeof *map * (size_t)low->mesh->rank);
	}
}

/* The devices that differ in one axis only, in the order of their coordinates along it. */
static int32_t *low_groups(const sw_low *low, int axis)
{
	int32_t *groups = SW_NEW(low->arena, int32_t, low->devices), *next = groups;
	for (int64_t h = 0; groups && h < low->devices; h++) {
		int64_t coordinate[CASE_AXES];
		low_split(low->mesh, h, coordinate);
		if (coordinate[axis] != 0)
			continue;
		for (; coordinate[axis] < low->mesh->size[axis]; coordinate[axis]++)
			*next++ = (int32_t)low->at[low_join(low->mesh, coordinate)];
	}
	return groups;
}

/* An axis leaves a dimension, or comes to one; or neither. */
static bool case_entries(const sw_case_mesh *mesh, const sw_case_step *between, sw_step *step, sw_arena *arena)
{
	int64_t size = between->axis >= 0 ? mesh->size[between->axis] : 1;
	const sw_entry gather = {between->from, size}, split = {between->to, size};
	const sw_entries entries = {between->from >= 0, between->to >= 0, &gather, &split};
	return sw_step_keep(step, &entries, arena);
}

/* Appends a step that leads to what the devices hold now. */
static sw_step *low_append(sw_low *low, sw_op op, sw_diag *diag)
{
	sw_step *step = &low->plan.program.step[low->plan.program.steps];
	sw_value *made = &low->plan.program.value[low->plan.program.steps + 1];
	int64_t *map = SW_NEW(low->arena, int64_t, low->devices * low->mesh->rank);
	if (!map || low->plan.program.steps == CASE_TYPES) {
		sw_diag_memory(diag);
		return NULL;
	}
	low->plan.program.steps++;
	sw_low_map(low, map);
	step->op = op;
	made->map = map;
	made->localsize = sw_case_size(low->mesh, &low->type);
	for (int d = 0; d < low->mesh->rank; d++)
		made->tile[d] = sw_case_tile(low->mesh, &low->type, d);
	return step;
}

bool sw_low_step(sw_low *low, const sw_case_step *wanted, sw_diag *diag)
{
	int64_t size = low->mesh->size[wanted->axis];
	const int32_t *groups = NULL;
	if (wanted->from >= 0) {
		low_bring_forward(low, wanted->from, wanted->axis);
		groups = low_groups(low, wanted->axis);
		if (!groups)
			return sw_diag_memory(diag);
		sw_case_take(&low->type, wanted->from, 0);
	}
	if (wanted->to >= 0)
		sw_case_put(&low->type, wanted->to, wanted->axis);
	sw_step *step = low_append(low, wanted->op, diag);
	if (!step)
		return false;
	step->groups = groups;
	step->group_size = groups ? size : 0;
	step->grouped = groups ? low->devices : 0;
	return case_entries(low->mesh, wanted, step, low->arena) || sw_diag_memory(diag);
}

bool sw_low_permute(sw_low *low, const int64_t *source, sw_diag *diag)
{
	int64_t to[CASE_DEVICES], at[CASE_DEVICES];
	int32_t *sources = SW_NEW(low->arena, int32_t, low->devices);
	if (!sources)
		return sw_diag_memory(diag);
	for (int64_t d = 0; d < low->devices; d++) {
		sources[d] = (int32_t)source[d];
		to[source[d]] = d;
	}
	for (int64_t h = 0; h < low->devices; h++)
		at[h] = to[low->at[h]];
	memcpy(low->at, at, sizeof at);
	sw_step *step = low_append(low, SW_ALLPERMUTE, diag);
	if (!step)
		return false;
	step->source = sources;
	return true;
}

bool sw_low_match(const sw_case_mesh *mesh, const int64_t *have, const int64_t *want, int64_t *source)
{
	int64_t devices = sw_case_devices(mesh);
	size_t row = sizeof *have * (size_t)mesh->rank;
	bool used[CASE_DEVICES] = {false};
	for (int64_t d = 0; d < devices; d++) {
		int64_t from = 0;
		while (from < devices && (used[from] || memcmp(have + from * mesh->rank, want + d * mesh->rank, row) != 0))
			from++;
		if (from == devices)
			return false;
		used[from] = true;
		source[d] = from;
	}
	return true;
}

/* ---- execution ---- */

bool sw_low_execute(const sw_low *low, int steps, const sw_case_type *to, bool *right, sw_diag *diag)
{
	sw_plan plan = low->plan;
	sw_verdict verdict;
	sw_verify_options options = {.prefix = !to};
	plan.program.steps = steps;
	plan.problem.to = plan.problem.from;
	if (to && !sw_case_type_make(low->mesh, &plan.problem.mesh, to, &plan.problem.to, diag))
		return false;
	bool done = sw_plan_verify(&plan, &options, &verdict, diag);
	*right = done && verdict.right;
	return done;
}

static bool case_fill_step(const sw_case *path, int k, const sw_type *type, sw_plan *plan, sw_arena *arena)
{
	sw_step *step = &plan->program.step[k];
	sw_case_step between;
	sw_case_step_between(&path->mesh, &path->type[k], &path->type[k + 1], &between);
	step->op = between.op;
	plan->program.value[k + 1].type = type;
	memcpy(plan->program.value[k + 1].tile, type->tile, sizeof type->tile);
	return case_entries(&path->mesh, &between, step, arena);
}

bool sw_case_execute(const sw_case *path, sw_arena *arena, bool *right, sw_diag *diag)
{
	sw_plan plan = {.program.steps = path->count - 1, .local_cost = -1};
	sw_type *types = SW_NEW(arena, sw_type, path->count);
	sw_verdict verdict;
	if (!types)
		return sw_diag_memory(diag);
	if (!sw_case_mesh_make(&path->mesh, &plan.problem.mesh, diag))
		return false;
	for (int k = 0; k < path->count; k++)
		if (!sw_case_type_make(&path->mesh, &plan.problem.mesh, &path->type[k], &types[k], diag))
			return false;
	plan.problem.from = types[0];
	plan.problem.to = types[path->count - 1];
	if (!sw_plan_room(&plan, plan.program.steps, arena))
		return sw_diag_memory(diag);
	for (int k = 0; k < plan.program.steps; k++)
		if (!case_fill_step(path, k, &types[k + 1], &plan, arena))
			return sw_diag_memory(diag);
	bool done = sw_plan_total(&plan, diag) && sw_plan_group(&plan, arena, diag) &&
		sw_plan_verify(&plan, NULL, &verdict, diag);
	*right = done && verdict.right;
	return done;
}

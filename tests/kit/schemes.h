/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes as schedules: the problem on their machine, with their homes.
 */
#ifndef TESTS_KIT_SCHEMES_H
#define TESTS_KIT_SCHEMES_H

#include <shardwalk/scheme.h>

#include "kit.h"

struct scheme_home {
	const sw_mesh *mesh;
	const sw_distal *distal;
	int64_t size[SW_MAX_DIMS];
	sw_holding_rule rule;
	sw_holding holding;
};

static inline bool scheme_home_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const struct scheme_home *home = of;
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS];
	sw_indices *set = SW_NEW(arena, sw_indices, home->distal->rank);
	sw_family *family = SW_NEW(arena, sw_family, home->distal->rank);
	bool there = sw_distal_box(home->mesh, home->size, home->distal, device, low, high);

	if (set == NULL || family == NULL)
		return false;
	for (int dim = 0; dim < home->distal->rank; dim++)
		set[dim] = sw_indices_range(there ? low[dim] : 0, there ? high[dim] : 0, &family[dim]);
	*region = (sw_region){home->distal->rank, there, set};
	return true;
}

static inline void scheme_mesh(const sw_scheme *scheme, sw_mesh *mesh)
{
	sw_text text = {0};

	for (int axis = 0; axis < scheme->axes; axis++)
		sw_text_addf(&text, "%sd%d: %d", axis > 0 ? ", " : "{", axis, (int)scheme->extent[axis]);
	sw_text_add(&text, "}");
	assert_true(sw_mesh_parse(sw_str_of(sw_text_get(&text)), mesh, NULL));
	sw_text_free(&text);
}

/* The problem of a statement over arrays of these names, in the order of the scheme. */
static inline const sw_schedule_problem *scheme_problem(const sw_scheme *scheme, const char *statement,
	const char *const *name, sw_arena *arena)
{
	sw_schedule_array *array = SW_NEW_ZERO(arena, sw_schedule_array, scheme->arrays);
	sw_schedule_problem *problem = SW_NEW_ZERO(arena, sw_schedule_problem, 1);
	struct scheme_home *home = SW_NEW_ZERO(arena, struct scheme_home, scheme->arrays);
	sw_mesh *mesh = SW_NEW_ZERO(arena, sw_mesh, 1);
	sw_diag diag;

	scheme_mesh(scheme, mesh);
	for (int n = 0; n < scheme->arrays; n++) {
		home[n] = (struct scheme_home){.mesh = mesh, .distal = &scheme->array[n].home};
		array[n] = (sw_schedule_array){.name = sw_str_of(name[n]), .rank = scheme->array[n].rank};
		for (int dim = 0; dim < array[n].rank; dim++)
			array[n].size[dim] = home[n].size[dim] = scheme->size[scheme->array[n].letter[dim]];
		home[n].rule = (sw_holding_rule){.region = scheme_home_region, .of = &home[n]};
		sw_holding_of_rule(mesh->devices, array[n].rank, array[n].size, &home[n].rule, &home[n].holding);
		array[n].home = &home[n].holding;
	}
	if (!sw_schedule_problem_of(sw_str_of(statement), mesh, array, scheme->arrays, arena, problem, &diag))
		fail_msg("%s: %s", statement, diag.message);
	return problem;
}

/* The schedule of commands over such a problem. */
static inline const sw_schedule *scheme_schedule(const sw_scheme *scheme, const char *statement,
	const char *const *name, const char *commands, sw_arena *arena)
{
	const sw_schedule_problem *problem = scheme_problem(scheme, statement, name, arena);
	const sw_schedule *schedule;
	sw_diag diag;

	schedule = sw_schedule_read(sw_schedule_new(problem, arena), sw_str_of(commands), arena, NULL, &diag);
	if (schedule == NULL)
		fail_msg("%s: %s\n%s", statement, diag.message, commands);
	return schedule;
}

/* All figures of the scheme are those of the schedule. */
static inline void scheme_is_schedule(const sw_scheme *scheme, const sw_schedule *schedule, sw_arena *arena)
{
	const sw_lowering *lowering = sw_lowering_of(schedule, arena, NULL);
	sw_schedule_totals ours, theirs;
	int64_t idle = 0;
	size_t bytes = sizeof(int64_t) * (size_t)sw_scheme_processors(scheme);

	assert_non_null(lowering);
	assert_true(sw_lowering_totals(lowering, true, NULL, arena, &theirs, NULL));
	assert_true(sw_scheme_totals(scheme, arena, &ours, NULL));
	assert_int_equal(ours.volume, theirs.volume);
	assert_int_equal(ours.between, theirs.between);
	for (int64_t n = 0; n < sw_scheme_processors(scheme); n++)
		idle += theirs.flops[n] == 0;
	assert_int_equal(ours.idle, idle);
	for (int n = 0; n < scheme->arrays; n++)
		assert_int_equal(ours.volumes[n], theirs.volumes[n]);
	assert_memory_equal(ours.received, theirs.received, bytes);
	assert_memory_equal(ours.sent, theirs.sent, bytes);
	assert_memory_equal(ours.held, theirs.held, bytes);
	assert_memory_equal(ours.peak, theirs.peak, bytes);
	assert_memory_equal(ours.peak_overlap, theirs.peak_overlap, bytes);
	assert_memory_equal(ours.flops, theirs.flops, bytes);
	assert_int_equal(ours.most_received, theirs.most_received);
	assert_int_equal(ours.most_sent, theirs.most_sent);
	assert_int_equal(ours.most_held, theirs.most_held);
	assert_int_equal(ours.most_peak, theirs.most_peak);
	assert_int_equal(ours.most_peak_overlap, theirs.most_peak_overlap);
	assert_int_equal(ours.most_flops, theirs.most_flops);
}

#endif

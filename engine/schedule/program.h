/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the steps of a schedule have in common, once they are steps of a program.
 */
#ifndef SW_SCHEDULE_PROGRAM_H
#define SW_SCHEDULE_PROGRAM_H

#include <shardwalk/distribution.h>
#include <shardwalk/program.h>
#include <shardwalk/schedule.h>

/* The region of boxes, a product each, in the arena.  false: no memory. */
bool sw_region_of_boxes(const sw_boxes *boxes, sw_arena *arena, sw_region *region);

/* Makes of a distribution the same with a term of its own on each device.  false: no memory. */
bool sw_words_sum_each(const sw_mesh *mesh, sw_arena *arena, sw_distribution *words);

/* The first device of a unit, and how many it has. */
int64_t sw_unit_first(const sw_mesh *mesh, int level, int64_t unit);
int64_t sw_unit_devices(const sw_mesh *mesh, int level);

/* The fetch of an array at the innermost of its levels, and at the one outside of a fetch; -1: there is none. */
int sw_fetch_inner(const sw_lowering *lowering, int array);
int sw_fetch_outer(const sw_lowering *lowering, int fetch);

/* Has a unit in a step the boxes of a fetch that it had in the step before?  false: no memory. */
bool sw_goes_on_in_box(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	bool *same);

/* Does a node's copy of the left side go away behind step `from`, up to step `to`? */
bool sw_copy_ends(const sw_lowering *lowering, int64_t from, int64_t to, int64_t node, sw_arena *arena, bool *ends);

/* The operand on which what a step makes goes on; -1: there is none.  And does it on this device?  There may be one that does not: what was given
 * away begins as 0.  false: no memory. */
int sw_iteration_before(const sw_step *step);
bool sw_iteration_goes_on(const sw_program *program, int s, int64_t device, sw_arena *arena, bool *goes_on);

/* The formula of the statement. */
static inline const sw_formula *sw_iteration_formula(const sw_iteration *iteration)
{
	return &iteration->lowering->schedule->problem->formula;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moments of a program: what each device has of each array after every step, and what moves in it.
 *
 * A moment is a step of a plan of a redistribution, a step of the program that has no plan, or all that belongs to one step of a
 * schedule: what it fetches, computes and gives away.  Moment 0 is before all.  An array is an input, or what a step computes, in all
 * types that it has one after the other; beside its home a device may have buffers of it.
 *
 * Everything lives in an arena, and points to the program and its plans.
 */
#ifndef SHARDWALK_MOMENTS_H
#define SHARDWALK_MOMENTS_H

#include <shardwalk/owners.h>
#include <shardwalk/program.h>

#pragma GCC visibility push(default)

typedef struct sw_moment {
	int step;            /* of the program, the last that belongs to it */
	const sw_plan *plan; /* whose step it is; NULL: it is no step of a plan */
	int inside;          /* which, from 0 */
	int64_t iteration;   /* the step of a schedule, from 1; 0: it is none */
} sw_moment;

typedef struct sw_moments {
	const sw_program *program;
	int count; /* moments behind moment 0 */
	const sw_moment *moment;
	const int *
		at; /* of each step of the program the last moment that it belongs to; that of the moment before where nothing happens */
	int arrays;
	const int *array;               /* of each value */
	const int *first;               /* of each array the first value that has it */
	const sw_owners *const *owners; /* of each array */
	const struct sw_moments_in *in; /* engine/schedule/moments.c alone reads it */
} sw_moments;

/* The moments of a program whose types are known.  `plan`: of each of its steps that has none itself (planned.h), NULL where there is none;
 * NULL: for no step.  Errors:
 * S08 above SW_MAX_MOMENTS, A10 where a type is open, E01.  NULL on error. */
#define SW_MAX_MOMENTS (1 << 20)
const sw_moments *sw_moments_of_program(const sw_program *program, const sw_plan *const *plan, sw_arena *arena,
	sw_diag *diag);

/* The name of an array. */
sw_str sw_moments_name(const sw_moments *moments, int array);

/* Does this array take part in moment `k` (from 1): is it read, moved or made? */
bool sw_moments_about(const sw_moments *moments, int k, int array);

/* Is it moved or made in it? */
bool sw_moments_changes(const sw_moments *moments, int k, int array);

/* Elements that go from one device to another; what stays where it is moves not. */
typedef struct sw_moment_move {
	int array;
	int64_t from, to, elements;
} sw_moment_move;

typedef bool (*sw_moment_use)(void *user, const sw_moment_move *move);

/* Hands all that moves in moment `k` (from 1) to `use`.  false: P05 where a redistribution has no plan, what transfers and messages
 * refuse, E01, or `use` said so. */
bool sw_moments_each_move(const sw_moments *moments, int k, sw_arena *arena, sw_moment_use use, void *user,
	sw_diag *diag);

/* How many elements of an array that is, on all devices together; -1: it is not known.  It is kept with the moments, as the operations are. */
int64_t sw_moments_moved(const sw_moments *moments, int k, int array, sw_arena *scratch);

/* One element of the array of that number, by its indices. */
typedef struct sw_array_element {
	int array;
	const int64_t *index;
} sw_array_element;

/* Hands each piece in which the element goes to another device in moment `k` (from 1) to `use`, as sw_plan_carries does: into a
 * buffer of it, or to a home.  false: errors of sw_moments_each_move, or `use` said so. */
bool sw_moments_carries(const sw_moments *moments, int k, const sw_array_element *element, sw_arena *scratch,
	sw_carried_use use, void *user, sw_diag *diag);

/* Elements of the array of that number, in which all that a device had once may be followed. */
typedef struct sw_array_part {
	int array;
	const sw_region *elements;
} sw_array_part;

/* The same of these, as sw_plan_carries_of does. */
bool sw_moments_carries_of(const sw_moments *moments, int k, const sw_array_part *part, sw_arena *scratch,
	sw_carried_use use, void *user, sw_diag *diag);

/* Floating-point operations in it, of the device that has most; 0: nothing is computed. */
double sw_moments_flops(const sw_moments *moments, int k);

#pragma GCC visibility pop

#endif

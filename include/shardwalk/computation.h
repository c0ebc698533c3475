/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computations: a formula over arrays whose types are known, with all that follows from it.
 *
 * What devices compute (gamma) says what they need of each array on the right (beta), of which they hold some (alpha).  What is
 * computed where another array is may still have to move to where the left side is held.
 *
 * A computation lives in the arena that it was made in, and points at itself.
 *
 * Source: seed 002, sections 2 and 5.
 */
#ifndef SHARDWALK_COMPUTATION_H
#define SHARDWALK_COMPUTATION_H

#include <stdbool.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/distribution.h>
#include <shardwalk/formula.h>
#include <shardwalk/json.h>
#include <shardwalk/relation.h>
#include <shardwalk/tasks.h>

#pragma GCC visibility push(default)

/* The type of an array, of any kind. */
typedef struct sw_array_type {
	bool known;
	sw_type type;
	const sw_distribution *words; /* as in values and problems */
} sw_array_type;

typedef struct sw_computed {
	sw_array_type is;
	sw_holding held; /* alpha; of the left side where its values are kept */

	/* of arrays that are read: */
	const sw_need *need;  /* beta; NULL: it is not read */
	sw_array_type needed; /* not known where no words say it */
	bool local, tight;

	/* who needs what of whom; of the left side from what is made to where it is kept.  NULL: nothing moves there */
	sw_relation *relation;
} sw_computed;

typedef struct sw_computation {
	sw_mesh mesh;
	sw_formula formula;
	sw_points points;
	sw_holding_rule rule;
	sw_holding made; /* gamma */
	sw_array_type made_type;
	sw_computed *array; /* of each of the formula */
	int inputs;         /* how many are read */
	sw_need *need;      /* of each of these, in the order of the formula */
	int first;          /* the first of them; -1: none is */
	bool local, tight;  /* all of them, where they are needed */

	struct sw_asked_pulse *asked; /* whom all of it asks, and whether that stopped it */
} sw_computation;

/* The type of a holding, device by device where no words say it; a type that is known stays.  `array` says the element type.  Errors: T17 for
 * sums; those of sw_distribution_of_holding. */
bool sw_array_type_of(const sw_mesh *mesh, const sw_holding *holding, const sw_type *array, sw_arena *arena,
	sw_array_type *type, sw_diag *diag);

/* What a formula over arrays of these types, one for each of its own, asks of devices.  The left side alone may lack one where it is
 * computed elsewhere: then it is what is made.  `pulse` (may be NULL) is asked while it is made, and then by all that is asked of it
 * until sw_computation_pulse says another.  Errors, with places in the formula: those of sw_formula_fit and sw_points_sum; F02 for an
 * array without a type, T04 for a padded one, T11 for sums; those of sw_relation_new; S03 where the pulse stopped it; E01.  NULL on error. */
const sw_computation *sw_computation_new(const sw_mesh *mesh, const sw_formula *formula, const sw_array_type *type,
	const sw_pulse *pulse, sw_arena *arena, sw_diag *diag);

/* Whom all that is asked of it asks from now on; NULL: nobody.  A pulse that has stopped something stops all until then. */
void sw_computation_pulse(const sw_computation *computation, const sw_pulse *pulse);

/* Why something that was asked of it, or of its holdings and relations, was not answered: S03 where the pulse stopped it, else E01.  Returns
 * false. */
bool sw_computation_failed(const sw_computation *computation, sw_diag *diag);

/* What a device computes without messages, and the rest.  false: no memory. */
bool sw_computation_split(const sw_computation *computation, int64_t device, sw_arena *arena, sw_region *interior,
	sw_region *boundary);

/* Repeats it, its result the first input of the next.  Errors: as sw_tasks_count; F17 where nothing is read; S03 where its own pulse stopped it. */
bool sw_computation_tasks(const sw_computation *computation, int64_t steps, int64_t every, const sw_pulse *pulse,
	sw_arena *arena, sw_tasks *tasks, sw_diag *diag);

/* Adds the keys of schema shardwalk.compute/1 to the object that is open: kernel, types, gamma, local, tight, interior, boundary; alpha,
 * beta and what sw_relation_write adds, of one input here, of several in a list `inputs`; and in `result` what moves of what is
 * made.  false: no memory. */
bool sw_computation_write(const sw_computation *computation, sw_sender_rule rule, sw_json *json);

/* The same of schema shardwalk.tasks/1. */
bool sw_tasks_write(const sw_computation *computation, const sw_tasks *tasks, sw_json *json);

#pragma GCC visibility pop

#endif

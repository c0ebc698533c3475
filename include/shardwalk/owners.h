/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owners: which device has an element, and each of its terms, at every moment of a plan.
 *
 * Of a regular holding that is a formula over its digits, whatever the size of the array and the number of devices; of any other the
 * devices are asked one by one.  Indices count elements of the whole array.
 */
#ifndef SHARDWALK_OWNERS_H
#define SHARDWALK_OWNERS_H

#include <shardwalk/plan.h>

#pragma GCC visibility push(default)

typedef struct sw_owners sw_owners;

/* The owners of all values of a plan, in `arena`; they point to the plan.  Errors: P06 where no one sum says what a device
 * has, E01. */
const sw_owners *sw_owners_of_plan(const sw_plan *plan, sw_arena *arena, sw_diag *diag);

/* Moments are numbered from 0, before the first step, to this. */
int sw_owners_steps(const sw_owners *owners);

/* The terms that a value has where it has most: 1 where all are whole.  They keep their numbers while they are summed: two that were
 * added have the same owner from then on. */
int64_t sw_owners_terms(const sw_owners *owners);

/* What a device has after step `k` (0: before the first); NULL: nothing is made yet. */
const sw_holding *sw_owners_holding(const sw_owners *owners, int k);

/* The device that has, after step `k`, the element with these indices, in which term `term` is summed: of copies the one in the lowest
 * slot of the mesh.  -1: nobody has it. */
int64_t sw_owners_at(const sw_owners *owners, int k, const int64_t *index, int64_t term);

/* The first device that has the element beside its home after step `k`, in a buffer of a schedule; -1: none has. */
int64_t sw_owners_beside(const sw_owners *owners, int k, const int64_t *index);

/* Has this device the element after step `k`, whatever terms are added up in it? */
bool sw_owners_has(const sw_owners *owners, int k, int64_t device, const int64_t *index);

/* Has it the element, and is term `term` added up in it?  The same of all copies; sw_owners_at is the first of them. */
bool sw_owners_adds(const sw_owners *owners, int k, int64_t device, const int64_t *index, int64_t term);

/* The elements that a device has after step `k`, in a buffer of a schedule too; none where nothing is made yet.  false: no memory. */
bool sw_owners_region(const sw_owners *owners, int k, int64_t device, sw_arena *arena, sw_region *region);

/* Adds what a device has after step `k`, as sw_holding_print does; beside its home what it keeps elsewhere, behind ` and `.  Nothing
 * where there is none. */
void sw_owners_print(const sw_owners *owners, int k, int64_t device, sw_text *text);

/* Elements that go from one device to another one in one piece. */
typedef struct sw_carried {
	int64_t from, to, elements;
} sw_carried;

typedef bool (*sw_carried_use)(void *user, const sw_carried *carried);

/* Hands each piece in which step `k` (from 0) of a plan brings the element with these indices to another device to `use`, by its
 * transfers, receiver after receiver.  What stays where it is is none.  `scratch` is as it was.  false: errors of sw_plan_transfers, E01, or
 * `use` said so. */
bool sw_plan_carries(const sw_plan *plan, int k, const int64_t *index, sw_arena *scratch, sw_carried_use use,
	void *user, sw_diag *diag);

/* The same of many elements at once, in which all that a device had once may be followed: hands each piece that has some of them, with how
 * many.  S08 where they cannot be counted (local.h), too. */
bool sw_plan_carries_of(const sw_plan *plan, int k, const sw_region *elements, sw_arena *scratch, sw_carried_use use,
	void *user, sw_diag *diag);

#pragma GCC visibility pop

#endif

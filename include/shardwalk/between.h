/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between two types of any kind: what devices have at both ends of a plan of which one is no tile type, who takes what, and what is
 * right in the end.
 *
 * Such a plan has one step, an exchange, or none.  Devices store what they have as local.h says.  Sizes count elements.
 */
#ifndef SHARDWALK_BETWEEN_H
#define SHARDWALK_BETWEEN_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/local.h>
#include <shardwalk/relation.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef struct sw_between {
	sw_holding end[2]; /* before and after, by the numbers of devices */
	int64_t terms;     /* that make up a value before */
	const int32_t
		*joins; /* of each of them, the term after that it is a part of; NULL: values are whole then, or before */
	const int32_t *first_of, *device; /* of each term before, the devices that have it */
	sw_relation *relation;
} sw_between;

/* Is one end at least no tile type? */
bool sw_problem_has_words(const sw_problem *problem);

/* The ends of a problem, in the arena.  NULL: S08, T11, E01. */
const sw_between *sw_between_of(const sw_problem *problem, sw_arena *arena, sw_diag *diag);

/* Is something needed that nobody has?  Then false, and S02 names it. */
bool sw_between_complete(const sw_between *between, sw_diag *diag);

/* The most elements that a device has at an end; -1: no memory. */
int64_t sw_between_most(const sw_between *between, int end);

/* The most elements that a device takes, each as often as it has terms, and the most that come from others.  false: no memory. */
bool sw_between_taken(const sw_between *between, sw_sender_rule rule, int64_t *taken, int64_t *moved);

/* How a device stores what it has at an end.  false: no memory. */
bool sw_between_local(const sw_between *between, int end, int64_t device, sw_arena *arena, sw_local *local);

/* The term that a device has at an end. */
int64_t sw_between_term(const sw_between *between, int end, int64_t device);

/* What is right on a device at an end, as terms of the beginning: each term, by the elements in which it is added.  Loops go from the
 * whole array into what the device stores.  It follows from the holdings alone.  false: no memory, or `use` said so. */
typedef bool (*sw_term_use)(void *user, int64_t term, const sw_loops *loops);
bool sw_between_right(const sw_between *between, int end, int64_t device, sw_arena *arena, sw_term_use use,
	void *user);

#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices of which only those values are left that a solution within a bound may have.
 */
#ifndef SW_PROGRAM_NARROW_H
#define SW_PROGRAM_NARROW_H

#include "program/eliminate.h"

typedef struct sw_narrowed {
	sw_choices choices;
	const int32_t *const *value; /* of each choice: which of the values before each of its values is */
} sw_narrowed;

/* Leaves out every value with which nothing costs `most` or less, as far as `thin` says: an elimination in which each choice had
 * one neighbour at most.  Everything lives in the store's arena.  false: see store->failure. */
bool sw_narrow(const sw_choices *choices, const sw_elimination *thin, double most, sw_costs_store *store,
	sw_narrowed *narrowed);

#endif

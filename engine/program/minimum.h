/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices that cost something each and two by two: the cheapest of all, and the next ones after it.
 *
 * Choices are left out one after the other, always one with the fewest neighbours: what the best value of it adds becomes a cost of
 * its neighbour, or a table between its two neighbours (Bertele and Brioschi, Nonserial Dynamic Programming, 1972).  Where every
 * choice has three neighbours or more, one is split in copies that need not agree: what is found then is a bound, and choices are
 * made by branching until the copies agree.
 */
#ifndef SW_PROGRAM_MINIMUM_H
#define SW_PROGRAM_MINIMUM_H

#include "program/choices.h"

/* Looks at values that are the best that the costs say.  True: they are fine, and *cost is what they really cost, at least what
 * the links say.  Otherwise *branch is a choice and `left` tells of each of its values on which side of a branching it is: both
 * sides have some that are still allowed, and what is wrong or dearer than the links say is so on one side only. */
typedef bool sw_choices_judge(void *context, const int32_t *value, double *cost, int *branch, bool *left);

typedef struct sw_minimum_options {
	sw_choices_judge *judge; /* NULL: all values are fine */
	/* What links and values cost under a branching, which may be more than before; `allowed` tells the values of each choice that
	 * are left, NULL: all.  false: see store->failure.  NULL: they cost what they cost. */
	bool (*tighten)(void *context, const bool *const *allowed, sw_choice_link *link, const double **own);
	sw_choices_same *same;
	void *context;
	bool next; /* also the cheapest that is not the same */
} sw_minimum_options;

typedef struct sw_minimum {
	bool found, proved; /* !found and proved: there is none */
	double cost, bound; /* nothing costs less than the bound */
	const int32_t *value;
	bool has_next; /* that nothing but `value` costs less than `next` is proved where `proved` is */
	double next_cost;
	const int32_t *next;
	int64_t branches;
} sw_minimum;

/* Everything lives in the store's arena.  false: memory ran out.  Where the store is full or was stopped what was found until then
 * is told, not proved; a fifth of its room is left for that. */
bool sw_minimum_find(const sw_choices *choices, const sw_minimum_options *options, sw_costs_store *store,
	sw_minimum *minimum);
#endif

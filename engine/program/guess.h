/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of choices that may be good, without tables: choice after choice what is cheapest beside the others.
 */
#ifndef SW_PROGRAM_GUESS_H
#define SW_PROGRAM_GUESS_H

#include "program/choices.h"

/* The links of each choice i, ascending: link[first[i]] to link[first[i + 1] - 1]. */
typedef struct sw_guess {
	const sw_choices *choices;
	sw_costs_store *store;
	int *first, *link;
} sw_guess;

/* It lives in the store's arena.  false: memory. */
bool sw_guess_init(sw_guess *guess, const sw_choices *choices, sw_costs_store *store);

/* How many costs one guess or improvement looks at. */
int64_t sw_guess_work(const sw_choices *choices);

/* A first solution, choice after choice: what is cheapest beside those that were chosen.  false: it was stopped. */
bool sw_guess_first(sw_guess *guess, int32_t *value);

/* Each choice in turn takes the value that is best beside the others.  false: it was stopped, with values that are no worse. */
bool sw_guess_improve(sw_guess *guess, int32_t *value);

/* Into *cost the least that values cost which differ from these in one choice and are not the same for the caller; INFINITY: there
 * are none.  false: see store->failure. */
bool sw_guess_beside(sw_guess *guess, const int32_t *value, sw_choices_same *same, void *context, double *cost);

#endif

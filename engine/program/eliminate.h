/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices left out one by one, and read back from the last to the first: the cheapest values, and those after them in order.
 */
#ifndef SW_PROGRAM_ELIMINATE_H
#define SW_PROGRAM_ELIMINATE_H

#include "program/choices.h"

typedef struct sw_left_out {
	int choice, count; /* of its values */
	const double *own; /* what each costs, with the best of what was left out before it */
	int others;        /* neighbours that it had, at most two; these are left out later */
	int other[2];
	sw_link_costs to[2];
	bool turned[2]; /* it leads from there */
} sw_left_out;

/* Choices behind the first `given` are copies. */
typedef struct sw_elimination {
	int given, count, room;
	int *copy_of;
	sw_left_out *step; /* `count` of them, in order */
} sw_elimination;

/* `own` stands in for what the choices say.  `thin`: choices are split until each has one neighbour at most, so that no tables are
 * made and little memory is needed.  false: see store->failure. */
bool sw_eliminate(const sw_choices *choices, const sw_choice_link *link, const double *const *own, bool thin,
	sw_costs_store *store, sw_elimination *elimination);

/* Solutions in the order of their costs. */
typedef struct sw_solution {
	double cost;
	const struct sw_solution *from; /* the one it differs from, from step `at` on; NULL: the first */
	int at;
	int32_t pick;         /* the value of that step's choice */
	const int32_t *value; /* of every choice, copies behind them; NULL: not read back yet */
} sw_solution;

typedef struct sw_solutions {
	const sw_elimination *elimination;
	sw_arena *arena;
	int count, room;
	sw_solution **heap;
	const sw_solution *latest; /* those that differ from it are not in the heap yet; NULL: there is none */
} sw_solutions;

/* false: memory. */
bool sw_solutions_begin(sw_solutions *solutions, const sw_elimination *elimination, sw_arena *arena);

/* The next one, NULL where there is none, or memory is short. */
const sw_solution *sw_solutions_next(sw_solutions *solutions);

#endif

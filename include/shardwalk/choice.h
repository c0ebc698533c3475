/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choice of a schedule: how many processors on which axis, in how many steps, so that least is moved, or least time is taken,
 * within a bound of live memory.
 *
 * Live memory is what is alive on a processor at most, home and buffers together; volumes and memory count elements.
 *
 * Sources: bounds of what some processor receives in a product of matrices, where each has its p-th part: H. Al Daas and others
 * 2022, memory-independent; T. M. Smith and others 2019, with S elements of memory.
 */
#ifndef SHARDWALK_CHOICE_H
#define SHARDWALK_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/algorithm.h>
#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/formula.h>
#include <shardwalk/hardware.h>
#include <shardwalk/scheme.h>

#pragma GCC visibility push(default)

#define SW_NO_BOUND INT64_MAX

/* What a machine does, for predictions. */
typedef struct sw_schedule_rates {
	double flops;     /* a second on a processor; 0: computing takes no time */
	double bandwidth; /* bytes a second into a processor, and out of it */
	double latency;   /* seconds of a step in which something is moved */
	int bytes;        /* of an element */
	bool overlap;     /* the messages of a step are under way while the one before is computed */
	double memory;    /* bytes a second that a processor reads while it computes; 0: reading takes no time */
} sw_schedule_rates;

/* Times are made of three: of a step's messages, which bring so many elements to the busiest processor or take them from it; of a leaf, which
 * computes so much and reads so many elements, the longer of both; and of a step, whose leaf runs while the next messages are under way: the longer of both where they overlap, else both.  What is chosen, what
 * `compare` lists and what ranks predict of themselves, each by its own rates, comes from these. */
double sw_messages_seconds(const sw_schedule_rates *rates, double moved);
double sw_leaf_seconds(const sw_schedule_rates *rates, double flops, double elements);
double sw_overlapped_seconds(const sw_schedule_rates *rates, double leaf, double messages);

/* Seconds of a schedule whose busiest processor receives or sends so many elements, computes so much, and reads so much of its memory, in so many equal steps:
 * the first messages, then in each step the longer of its leaf and the next messages where these overlap, else both. */
double sw_schedule_seconds(const sw_schedule_rates *rates, int64_t moved, int64_t flops, int64_t elements,
	int64_t steps);

/* The rates of a row of hardware: of its network where so many processors are more than a node. */
void sw_schedule_rates_of(const sw_hardware *hardware, int64_t processors, int bytes, bool overlap,
	sw_schedule_rates *rates);

/* ---- grids ---- */

/* A grid for a scheme.  The largest figures are those of a processor each. */
typedef struct sw_grid_choice {
	sw_scheme scheme; /* with its extents, and steps */
	int64_t volume, received, sent, held, peak, flops;
	double seconds; /* 0 without rates */
} sw_grid_choice;

typedef struct sw_grid_question {
	const sw_scheme *
		scheme; /* all but its extents and steps: every axis is in space, no loop is rotated, each array is at home where
	                          * it is needed */
	uint32_t times; /* a bit for each letter that may be cut in steps; 0: there is one step */
	int64_t processors;
	int64_t memory;                 /* elements alive on a processor at most; or SW_NO_BOUND */
	const sw_schedule_rates *rates; /* least time; NULL: least volume */
} sw_grid_question;

/* The best `most` (at least 1) of all grids and steps, best first; returns how many there are.  Best is what takes the least time, where
 * there are rates; then what moves least in all, has the least live memory, the fewest steps, the fewest processors on the first
 * axes.  By volume there are as few steps as memory allows, by time as many as are faster.  0 on error: S01 with the
 * smallest bound that works, also in *smallest; S09. */
int sw_grid_choose(const sw_grid_question *question, sw_grid_choice *choice, int most, int64_t *smallest,
	sw_diag *diag);

/* The same on a machine that is given, over arrays whose homes are: the scheme says its extents and homes, and chosen is which letter
 * has which axis, and the steps.  So code is adapted to data.  What is read of an array that several coordinates have has to be at home:
 * other choices are left out.  Errors: those of sw_grid_choose; S02 where nothing is left. */
int sw_spaces_choose(const sw_grid_question *question, sw_grid_choice *choice, int most, int64_t *smallest,
	sw_diag *diag);

/* What live memory buys: choices of which no other moves as little (takes as little time) in as little memory, those that move least
 * first; steps are powers of two, and single elements.  `memory` bounds them all.  Returns how many there are, -1: no memory, or a
 * number does not fit. */
int sw_grid_front(const sw_grid_question *question, sw_arena *arena, const sw_grid_choice **front);

/* The order of choices: is `a` before `b`? */
bool sw_grid_is_better(const sw_grid_choice *a, const sw_grid_choice *b);

/* The largest figures of such a scheme, without a look at each processor: coordinates between which nothing changes count once.
 * Scheme, volume and seconds are left out. */
void sw_grid_figures(const sw_scheme *scheme, sw_grid_choice *choice);

/* The mesh of the same axes, in their levels, and of so many processors whose proportions are nearest: axes grow alike where that can be;
 * of equal ones that with the fewest on the first axes.  Errors: M05 above 2^40 processors; E01. */
bool sw_mesh_of_proportions(const sw_mesh *mesh, int64_t processors, sw_mesh *out, sw_diag *diag);

/* ---- an algorithm ---- */

/* The best recipe of an algorithm for so many processors, on any machine that it runs on, in as few steps, or as large chunks, as memory
 * allows (by time: as are fastest); the question says processors, sizes, names, and steps or chunk where these are not free.  Where no
 * machine of so many processors fits, the nearest is taken.  Errors: S01 with the smallest bound that works, also in choice->smallest; those of sw_recipe_of and sw_scheme_totals. */
typedef struct sw_recipe_choice {
	sw_recipe recipe;
	sw_grid_choice figures;
	int64_t smallest; /* bound of memory */
	bool next;        /* the best on another machine is there, too: */
	sw_recipe next_recipe;
	sw_grid_choice next_figures;
} sw_recipe_choice;

bool sw_recipe_choose(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question, int64_t memory,
	const sw_schedule_rates *rates, sw_arena *arena, sw_recipe_choice *choice, sw_diag *diag);

/* ---- any statement ---- */

/* The scheme of a statement: every letter has an axis of one processor, and each array is cut by the axes of its letters, and spread along its
 * first dimension over the others; a single value is on the first processor.  Errors: S02 for statements that no scheme
 * says: an array that is read twice, a term that lacks a summed letter, more than SW_SCHEME_AXES
 * letters. */
bool sw_scheme_of_formula(const sw_formula *formula, sw_scheme *scheme, sw_diag *diag);

/* Leaves out axes of one processor, but for the first. */
void sw_scheme_drop_axes(sw_scheme *scheme);

/* Adds the commands of a scheme, in the names of its formula, one a line, each behind a dot; leaves run by a kernel where one fits. */
void sw_scheme_print(const sw_scheme *scheme, const sw_formula *formula, sw_text *text);

/* ---- products of matrices ---- */

/* A(m,n) = B(m,k) * C(k,n) over three axes, on which are m, n and k, and each processor has its part of each array. */
void sw_matrices_scheme(int64_t m, int64_t n, int64_t k, sw_scheme *scheme);

/* What some processor receives at least in a product of matrices of these sizes, where each has its p-th part and `memory` elements
 * of memory (SW_NO_BOUND: no end); which of the bounds that is. */
typedef struct sw_received_bound {
	double elements;    /* 0: none of them says anything */
	const char *source; /* a constant */
} sw_received_bound;

void sw_matrices_bound(int64_t m, int64_t n, int64_t k, int64_t processors, int64_t memory, sw_received_bound *bound);

#pragma GCC visibility pop

#endif

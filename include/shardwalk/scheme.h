/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes: schedules of one kind, of which all figures follow from formulas, without their messages.
 *
 * In space an axis of the machine has the blocks of one letter, a letter on one axis at most.  In time one letter is cut in
 * steps, or none; its loop may be rotated by loops in space.  Each array is read or made at letters, all different; it is at home
 * in one place, or needs nothing that is not at home.  The schedules of figure 9 of seed 003 are of this kind, those of figure 16,
 * and all that sw_choice_of looks at.
 *
 * An array that several processors need goes from its one home to each of them.  So home h of it sends as many elements as it
 * has, times the blocks along axes whose letters the array lacks, without its own; only where a loop is rotated along such an axis
 * is there a nearer sender, who had the same block the step before.
 *
 * Sizes count elements.  Processors are numbered row-major over the axes of the machine.
 *
 * Source: seed 003, section 4 and figure 9; where it is silent, the rules of the cases that are kept beside this project.
 */
#ifndef SHARDWALK_SCHEME_H
#define SHARDWALK_SCHEME_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/distal.h>
#include <shardwalk/schedule.h>

#pragma GCC visibility push(default)

#define SW_SCHEME_LETTERS 16
#define SW_SCHEME_ARRAYS 9
#define SW_SCHEME_AXES 8

typedef struct sw_scheme_array {
	int rank;
	int letter[SW_MAX_DIMS]; /* the number of the letter of each dimension */
	bool stepwise;  /* fetched, or given away, in each step: it has the letter in time; else before the first step */
	sw_distal home; /* its axes are those of the machine */
} sw_scheme_array;

/* A value. */
typedef struct sw_scheme {
	int letters;
	int64_t size[SW_SCHEME_LETTERS];
	int axes; /* of the machine */
	int64_t extent[SW_SCHEME_AXES];
	int spaces; /* axis a < spaces has the blocks of letter space[a]; on the others only 0 works */
	int space[SW_SCHEME_AXES];
	int time;                    /* the letter that is cut in steps; -1: none */
	int64_t steps, chunk;        /* of the block that a processor has of it; without one 1 step */
	bool turned[SW_SCHEME_AXES]; /* the loop in time is rotated by the loop on this axis */
	int arrays;                  /* the first is of the left side */
	sw_scheme_array array[SW_SCHEME_ARRAYS];
} sw_scheme;

/* Cuts the letter in time in so many steps, as `divide` does, or in steps of so many elements, as `split` does. */
void sw_scheme_divide(sw_scheme *scheme, int letter, int64_t steps);
void sw_scheme_split(sw_scheme *scheme, int letter, int64_t chunk);

/* How many processors the machine has; and a block of a letter in space, else the letter's size. */
int64_t sw_scheme_processors(const sw_scheme *scheme);
int64_t sw_scheme_block(const sw_scheme *scheme, int letter);

/* All figures, the same as those of the lowered schedule; `messages` is -1, `node_peak` NULL.  Errors: S09 where a number does not
 * fit; M05 for more than SW_MAX_MAP_DEVICES processors; E01. */
bool sw_scheme_totals(const sw_scheme *scheme, sw_arena *arena, sw_schedule_totals *totals, sw_diag *diag);

/* ---- without a look at each processor ---- */

/* Volumes and the largest figures, on any number of processors, as of sw_scheme_totals; no lists, and `most_sent` is -1.  Errors: S09; E01. */
bool sw_scheme_figures(const sw_scheme *scheme, sw_arena *arena, sw_schedule_totals *totals, sw_diag *diag);

/* What is moved of an array, and of all; false: it does not fit. */
bool sw_scheme_volume(const sw_scheme *scheme, int array, int64_t *volume);
bool sw_scheme_volumes(const sw_scheme *scheme, int64_t *volume);

#pragma GCC visibility pop

#endif

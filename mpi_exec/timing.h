/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times: steps repeated under a fixed protocol, a reference copy of the same bytes beside every repetition.
 */
#ifndef EX_TIMING_H
#define EX_TIMING_H

#include <shardwalk/record.h>

#include "run.h"

/* The protocol: warm-ups, then for every repetition a barrier, the step, a barrier, a plain copy, a barrier, a streaming
 * copy.  What takes at most EX_TIMING_SHORT seconds is done without a clock before each time, once or, below a millisecond,
 * several times: else the step, which comes after streaming stores that leave nothing in the cache, would be held against copies
 * that find there what it left.
 * A time is, on one host, the last rank's end less the first rank's start; on several the longest rank's. */
typedef struct ex_protocol {
	int warmup;
	int reps;       /* -1: by how long it takes */
	bool reference; /* false: no copies beside the steps */
} ex_protocol;

#define EX_TIMING_SHORT 5e-3

#define EX_COURSE 32

typedef struct ex_timed {
	int reps;
	sw_spread step, reference;              /* reference: all 0 without copies */
	ex_store reference_store;               /* the faster kind */
	double *step_sample, *reference_sample; /* in the order they were taken */
	sw_spread exchange;      /* where a collective was taken in its place: the exchange, in turns with it */
	double *exchange_sample; /* NULL: it was not */
	int courses;             /* stretches of repetitions, at most EX_COURSE, and the median of each */
	double course[EX_COURSE];
	double *part; /* for all steps together: what each of them has of the time */
} ex_timed;

/* Of so many seconds, which it puts in order. */
sw_spread ex_spread_of(double *sample, int count);

/* Times step k, all steps after one another for k = -1.  Afterwards the tile after step k is right again if the one
 * before it was; after k = -1 the data is in no order.  Samples live in `arena`. */
bool ex_timing_take(ex_run *run, int k, const ex_protocol *protocol, sw_arena *arena, ex_timed *timed);

/* Times all steps in a row, each between barriers: what a step changes in its tile it does not find there again, so that it cannot be
 * done by itself.  Step k is, or is inside of, step outer[k] of a plan of outer[count] steps; those have timed[0] to
 * timed[outer[count] - 1], and timed[outer[count]] is what they take together.  false: no memory. */
bool ex_timing_row(ex_run *run, const int *outer, int reps, sw_arena *arena, ex_timed *timed);

/* From starts and ends on every rank to the times of all, into `start`; and how many repetitions what takes so long gets. */
void ex_timing_combine(ex_team *team, double *start, double *end, int count);
int ex_timing_reps(const ex_run *run, double seconds);

/* What samples say: `reps` of each of `count` steps, and then of all steps together, into `count + 1` times, which keep them.
 * false: no memory. */
bool ex_timing_evaluate(double *sample, int count, int reps, sw_arena *arena, ex_timed *timed);

/* Adds as many samples of what was done beside a step.  false: no memory. */
bool ex_timing_beside(double *sample, sw_arena *arena, ex_timed *timed);

/* Chooses direction, kind of store and blocks of every step by trying them, each step alone for at most about 400 ms (steps of a
 * kind that was tried before take what was best then), and then plain stores for all steps if these are faster one after another.
 * `plain` is room for as many choices as there are steps.  Afterwards the data is in no order.  All ranks call it. */
void ex_timing_tune(ex_run *run, ex_choice *plain);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --compare cannon,summa,pdgemm`: the last formula by several schedules.
 */
#ifndef SHARDWALK_LAUNCH_RUN_SCHEDULES_H
#define SHARDWALK_LAUNCH_RUN_SCHEDULES_H

#include "command/compare/growth.h"
#include "launch/job.h"

#define RIVALS_MOST 24

/* A schedule that runs, or that is left out. */
struct rival {
	const char *name, *plan; /* and as records have it, where it runs */
	sw_program planned;
	const char *key;               /* of its formula, for `compare`; NULL: none */
	const char *why;               /* it is left out; NULL: it runs */
	const struct contender *found; /* its row, where the formula grew; NULL: none */
};

struct rivals {
	struct job *job;
	const struct growth *growth; /* by which the formula grew; NULL: it is as it was */
	int count;
	struct rival rival[RIVALS_MOST];
};

/* Is the formula, or its schedule, what is run, and are schedules of it to be compared? */
bool schedules_are_compared(const struct invocation *run);

/* The n-th name that may be compared, from 0, and a sentence about it; NULL behind the last. */
const char *schedules_name(int n, const char **about);

/* Reads names with commas between them; then each that is not left out is planned as a program, or left out with the reason.  Errors: L13; S03, E01. */
bool rivals_read(struct rivals *rivals, const struct word *word, sw_diag *diag);
bool rivals_plan(struct rivals *rivals, sw_diag *diag);

/* Adds those that run to the job, launches these `usual` times, or as often as was asked for, and keeps what was measured (NULL: nothing was), which
 * `compare` finds again.  Where a rank finds no ScaLAPACK, that of another host for instance, pdgemm is left out and the others go on. */
bool rivals_add(const struct rivals *rivals, sw_diag *diag);
bool rivals_launch(struct rivals *rivals, int usual, sw_diag *diag);
const struct kept_run *rivals_keep(const struct rivals *rivals);

/* What was measured of one; NULL: it did not run to its end. */
const struct times *rival_times(const struct kept_run *kept, const struct rival *rival);

/* Bytes that a run of it takes on all ranks, as simulate counts them.  Below 0: L13. */
int64_t rival_bytes(const struct rival *rival, sw_diag *diag);

/* Executes them launch by launch in turns and compares their medians.  What does not run here is left out with the reason; the present
 * schedule stays.  The options are read.  Errors: L02 and L13 at names and options; those of the first that is left out where none
 * remains; those of runs. */
bool run_schedules(struct job *job, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --compare cannon,summa,pdgemm`: the last formula by several schedules.
 */
#ifndef SHARDWALK_LAUNCH_RUN_SCHEDULES_H
#define SHARDWALK_LAUNCH_RUN_SCHEDULES_H

#include "launch/job.h"

/* Is the formula, or its schedule, what is run, and are schedules of it to be compared? */
bool schedules_are_compared(const struct invocation *run);

/* The n-th name that may be compared, from 0, and a sentence about it; NULL behind the last. */
const char *schedules_name(int n, const char **about);

/* Executes them launch by launch in turns and compares their medians.  What does not run here is left out with the reason; the present
 * schedule stays.  The options are read.  Errors: L02 and L13 at names and options; those of the first that is left out where none
 * remains; those of runs. */
bool run_schedules(struct job *job, sw_diag *diag);

#endif

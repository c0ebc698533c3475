/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run` of the present program.
 */
#ifndef SHARDWALK_LAUNCH_RUN_PROGRAM_H
#define SHARDWALK_LAUNCH_RUN_PROGRAM_H

#include "launch/job.h"

#define COMPARED_LAUNCHES 5 /* of what runs in turns, where no number was given */

/* What `run` of plans has too (run.c). */
bool run_refuse_ranks(const struct invocation *run, const sw_problem *small, int64_t ranks, int64_t most,
	sw_diag *diag);
void run_name_samples(struct job *job);
bool run_keep_samples(struct job *job, sw_diag *diag);

/* What `run` of products has too: are as many ranks allowed as its mesh has devices?  A program that is planned, from the beginning to
 * the answer. */
bool run_planned_fits(const struct invocation *run, const sw_program *planned, sw_diag *diag);
bool run_planned(struct job *job, const sw_program *planned, sw_diag *diag);

/* Executes it on MPI ranks; the options are read.  Errors: those of programs and of runs. */
bool run_program(struct job *job, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run` of the present product.
 */
#ifndef SHARDWALK_LAUNCH_RUN_WAYS_H
#define SHARDWALK_LAUNCH_RUN_WAYS_H

#include "launch/job.h"

/* Executes its best way on MPI ranks, the fastest as predicted where the model counts seconds, or with `--compare ways` several one
 * after the other, and compares them.  The options are read.  Errors: those of products, of ways and of runs. */
bool run_product(struct job *job, sw_diag *diag);

#endif

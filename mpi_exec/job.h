/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs: one plan, or one program and its plans, from its file to its complete record.
 */
#ifndef EX_JOB_H
#define EX_JOB_H

#include "options.h"
#include "probe.h"
#include "result.h"

/* Runs the plan or the program in `file` on all ranks and writes its records; all ranks return the same status.  Faults are
 * reported here. */
int ex_job(ex_team *team, const ex_options *options, ex_result *result, const char *file);

#endif

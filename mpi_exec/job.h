/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs: one plan from its file to its complete record.
 */
#ifndef EX_JOB_H
#define EX_JOB_H

#include "options.h"
#include "probe.h"
#include "result.h"

/* Runs the plan in `file` on all ranks and writes its records; all ranks return the same status.  Faults are
 * reported here. */
int ex_job(ex_team *team, const ex_options *options, ex_result *result, const char *file);

/* The plan in `file`, read and proved right (by one rank); it lives in `arena`. */
bool ex_job_read_plan(const char *file, sw_text *text, ex_fault *fault);
bool ex_job_parse_plan(const sw_text *text, bool prove, sw_arena *arena, sw_plan *plan, ex_fault *fault);

#endif

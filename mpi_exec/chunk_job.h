/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One reduction program, from its plan to its complete record.
 */
#ifndef EX_CHUNK_JOB_H
#define EX_CHUNK_JOB_H

#include <shardwalk/plan.h>

#include "report.h"

/* All ranks call it and return the same status.  Faults are reported here. */
int ex_chunk_job(ex_report *report, const sw_plan *plan);

#endif

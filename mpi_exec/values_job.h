/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One program and its plans: read, lay out, run, prove every value, time every operation, prove again.
 */
#ifndef EX_VALUES_JOB_H
#define EX_VALUES_JOB_H

#include "report.h"

/* Runs the program whose text every rank has; all ranks return the same status.  Faults are reported here. */
int ex_values_job(const ex_report *report);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --compare reductions` of many sums, and how often the fastest program is among the first that were predicted.
 */
#ifndef SHARDWALK_LAUNCH_RUN_SUMS_H
#define SHARDWALK_LAUNCH_RUN_SUMS_H

#include "command/command.h"
#include "session/records.h"

/* Is a file of sums named? */
bool sums_are_listed(const struct invocation *run);

/* Runs the lines of the file, statements that end on a sum, in a session of their own, with the options that were given.  Errors:
 * those of files, of the statements, at their line, and of runs. */
bool run_sums(struct invocation *run, sw_diag *diag);

/* Where programs of a sum were compared: their share of all sums of the session, beside that of table 5 of the paper on placements. */
void sums_tell(const struct invocation *run, const struct records *records);

#endif

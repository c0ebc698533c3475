/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `advise` on the last formula: adapt the code to where its arrays are, or move these first.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_SCHEDULES_H
#define SHARDWALK_COMMAND_ADVISE_SCHEDULES_H

#include "command/command.h"

/* Was a formula that has schedules asked for last, over a mesh of one level, and advice for no other system? */
bool advise_schedules_asked(const struct invocation *run);

/* Weighs the best schedule over the arrays where they are against the best one over arrays that are redistributed first, by plans of the strategy
 * that is set.  Errors: S02 for too many axes; those of plans, S03, E01. */
bool advise_schedules(struct invocation *run, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `advise` on the last formula: adapt the code to where its arrays are, or move these first.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_SCHEDULES_H
#define SHARDWALK_COMMAND_ADVISE_SCHEDULES_H

#include "command/command.h"

/* Was a formula asked for last, and advice for no other system? */
bool advise_schedules_asked(const struct invocation *run);

/* Weighs the best schedule over the arrays where they are against the best one over arrays that are redistributed first, by plans of the strategy
 * that is set.  Errors: S02 for statements that no scheme says; D07 where the mesh has levels; those of plans, S03, E01. */
bool advise_schedules(struct invocation *run, sw_diag *diag);

#endif

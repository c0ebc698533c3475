/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pareto of the last formula: what live memory buys, in time or in what is moved.
 */
#ifndef SHARDWALK_COMMAND_PARETO_SCHEDULES_H
#define SHARDWALK_COMMAND_PARETO_SCHEDULES_H

#include "command/command.h"

/* `pareto` where the last formula was asked for last: its schedule in other numbers of steps, or, where it has none, the best schedules for each
 * bound of memory.  `pareto N` takes one of them. */
bool pareto_schedules(struct invocation *run, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands share that speak of systems, placements and reductions.
 */
#ifndef SHARDWALK_COMMAND_PLACEMENT_H
#define SHARDWALK_COMMAND_PLACEMENT_H

#include "command/command.h"
#include "session/placing.h"
#include "session/sums.h"

/* What `placements` listed last, or lists now for the present sum.  NULL: refused. */
const struct kept_placements *placements_listed(struct invocation *run, sw_diag *diag);

#endif

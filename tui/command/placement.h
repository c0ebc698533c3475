/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands share that speak of systems, placements and reductions.
 */
#ifndef SHARDWALK_COMMAND_PLACEMENT_H
#define SHARDWALK_COMMAND_PLACEMENT_H

#include "command/command.h"
#include "session/placing.h"

/* Refuse with L07 and what to type first. */
bool need_system(const struct session *session, sw_diag *diag);
bool need_axes(const struct session *session, sw_diag *diag);
bool need_placement(const struct session *session, sw_diag *diag);

/* What `placements` listed last, or lists now for the present sum.  NULL: refused. */
const struct kept_placements *placements_listed(struct invocation *run, sw_diag *diag);

#endif

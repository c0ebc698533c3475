/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the model roofline says of a plan, as `show rounds`, `show times --sweep` and the screens draw it.
 */
#ifndef SHARDWALK_COMMAND_ROUNDS_H
#define SHARDWALK_COMMAND_ROUNDS_H

#include "session/session.h"
#include "views/views.h"

/* The first step (from 1) of a plan whose devices work in groups; 0: none does. */
int rounds_step(const sw_plan *plan);

/* Fills what the view takes, on the hardware that is set, of step `step` (from 1; below: the first that has rounds).  Its groups
 * have to be known.  L07. */
bool rounds_fill(const struct session *session, int step, bool one_way, struct view_input *in, sw_rounds *rounds,
	sw_diag *diag);

/* Fills predictions of the plan over sizes, of which the larger end of the plan has `sizes[0]` to `sizes[1]` bytes on a device.  What
 * they are lives in `arena`. */
bool sweep_fill(const struct session *session, const int64_t sizes[2], sw_arena *arena, struct view_input *in,
	sw_diag *diag);

#endif

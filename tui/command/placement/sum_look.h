/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pictures of systems, placements and sums show of a session.
 */
#ifndef SHARDWALK_COMMAND_SUM_LOOK_H
#define SHARDWALK_COMMAND_SUM_LOOK_H

#include "command/command.h"
#include "views/summed.h"
#include "views/views.h"

/* What there is, in `arena`: after step `step` by hand or of the program (VIEW_ALL: the last), or of `instruction`, `across cpu in server`, where it is
 * not empty; for `view`, which may be of every placement.  What is missing is left out, and views say so.  NULL: refused at the instruction, or no memory. */
const struct sum_look *sum_look_of(struct session *session, const struct view *view, int step, sw_str instruction,
	sw_arena *arena, sw_diag *diag);

/* The same for the film of a plan of which `step` steps and a part of the next have passed: of the step that is under way, else of the one before,
 * at first of the first.  NULL: it is not the present plan, or no reduction program. */
const struct sum_look *sum_look_in_film(struct session *session, const sw_plan *plan, int step, double passed,
	sw_arena *arena);

/* How many steps on chunks there are, by hand or of the program that is the plan. */
int sum_look_steps(const struct session *session);

#endif

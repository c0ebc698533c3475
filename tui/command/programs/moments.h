/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moments of the present program: of a product, of a formula, or of a schedule.
 */
#ifndef SHARDWALK_COMMAND_PROGRAMS_MOMENTS_H
#define SHARDWALK_COMMAND_PROGRAMS_MOMENTS_H

#include <shardwalk/moments.h>

#include "session/session.h"

/* Did a program come last, or what makes one, and no problem is entered? */
bool moments_are_subject(const struct state *state);

/* Those of the present program, which the session keeps.  A redistribution has the plan that was chosen for it, or that `program` drew, else one
 * is found; without any it is one moment.  Errors: L07 with what to type, those of programs and of sw_moments_of_program. */
const sw_moments *session_moments(struct session *session, sw_diag *diag);

/* The same, found anew and kept in `arena`; they point to the program, which lives as long as the session. */
const sw_moments *moments_find(const struct session *session, sw_arena *arena, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves in a step of the schedule, as the problem of the session.
 */
#ifndef SHARDWALK_SESSION_MOVED_H
#define SHARDWALK_SESSION_MOVED_H

#include "session/session.h"

/* Is the present step of a schedule what arrays move in, also while one of them is entered? */
bool session_moves_in_step(const struct session *session);

/* What moves of an array in the present step of the schedule, at this level (0: the outermost at which something moves), becomes the problem: from
 * what processors have to what they need, or from their terms of the left side to where these are added.  *level: which it is.  Errors: L07
 * before the first step; L08 where nothing of it moves then; those of sw_lowering_ends. */
bool session_enter_fetch(struct session *session, int array, int *level, sw_diag *diag);

#endif

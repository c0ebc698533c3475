/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves in a step of the schedule, as the problem of the session.
 */
#ifndef SHARDWALK_SESSION_MOVED_H
#define SHARDWALK_SESSION_MOVED_H

#include "session/session.h"

/* What moves of an input in the present step of the schedule becomes the problem, from what processors have to what they need.  Errors: L07 before the
 * first step; L08 where nothing of it is fetched then, for the left side, and where the mesh has levels; E01. */
bool session_enter_fetch(struct session *session, int array, sw_diag *diag);

#endif

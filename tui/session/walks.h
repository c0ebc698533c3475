/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walks of a session: started where there are none, or where what they were about has changed.
 */
#ifndef SHARDWALK_SESSION_WALKS_H
#define SHARDWALK_SESSION_WALKS_H

#include "session/session.h"

/* The words of a kind. */
const sw_walk_words *session_walk_words(enum walk_kind kind);

/* Is there what such a walk needs?  L07 with what to type, where there is not. */
bool session_walkable(const struct session *session, enum walk_kind kind, sw_diag *diag);

/* The walk that steps go on.  It is the session's.  Errors: L07 with what to type, those of the search and of sums. */
bool session_walked(struct session *session, sw_walk **walk, sw_diag *diag);

/* The one of a kind. */
bool session_walk_of(struct session *session, enum walk_kind kind, sw_walk **walk, sw_diag *diag);

/* The search. */
bool session_walk(struct session *session, sw_walk **walk, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walks of a session: started where there are none, or where what they were about has changed.
 */
#ifndef SHARDWALK_SESSION_WALKS_H
#define SHARDWALK_SESSION_WALKS_H

#include "session/session.h"

/* What can be walked, one row a kind. */
struct walk_row {
	const char *title; /* of a section of a report */
	uint64_t steered;  /* SETTING_BIT of each setting on which it depends once it has begun */

	/* Is there what it needs?  L07 with what to type, where there is not. */
	bool (*possible)(const struct session *session, sw_diag *diag);

	/* Is what it was begun on still there?  NULL: always, since what changes that ends it.  false: an error. */
	bool (*is_there)(struct session *session, const struct kept_walk *kept, bool *there, sw_diag *diag);

	/* Before its first step; NULL with an error. */
	struct kept_walk *(*start)(struct session *session, sw_diag *diag);
};

/* The tasks of the last formula, repeated as `tasks` said.  L07 with what to type. */
const struct kept_tasks *session_tasks(const struct session *session, sw_diag *diag);

/* Ends the walks that depend on a setting, which has changed; how many. */
int session_steer_walks(struct session *session, enum setting setting);

const struct walk_row *session_walk_row(sw_walk_kind kind);
const sw_walk_words *session_walk_words(sw_walk_kind kind);

/* The walk that steps go on.  It is the session's.  Errors: L07 with what to type, those of the search and of sums. */
bool session_walked(struct session *session, sw_walk **walk, sw_diag *diag);

/* The same where it has begun.  NULL: it has not. */
const struct kept_walk *session_begun(const struct session *session);

/* The one of a kind. */
bool session_walk_of(struct session *session, sw_walk_kind kind, sw_walk **walk, sw_diag *diag);

/* The search. */
bool session_walk(struct session *session, sw_walk **walk, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a session is about, as a text that is the same for the same: so that one knows whether an answer is of it still.
 */
#ifndef SHARDWALK_SESSION_SUBJECT_H
#define SHARDWALK_SESSION_SUBJECT_H

#include <shardwalk/text.h>

#include "session/session.h"

typedef void session_subject_function(const struct session *session, sw_text *text);

/* Adds the axes on a system, wherever they are placed, and both ends; or the problem and the placement. */
session_subject_function session_axes_subject, session_subject;

/* Is the session still about `before`, which one of them said? */
bool session_is_about(const struct session *session, session_subject_function *subject, const char *before);

/* Keeps what `compare` drew in place of what it drew before; `arena`, in which it is, becomes the session's.  Without memory nothing is
 * kept. */
void session_keep_compared(struct session *session, sw_arena *arena, const struct view_input *shown);

/* What `compare` drew last, where it is of the present problem; else NULL. */
const struct kept_compared *session_compared(const struct session *session);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session as a script.
 */
#ifndef SHARDWALK_COMMAND_FILES_H
#define SHARDWALK_COMMAND_FILES_H

#include <shardwalk/text.h>

#include "session/session.h"

/* Adds the statements that make the session again. */
void save_session(struct session *session, sw_text *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion: what may stand where the cursor is, from the tables and the state of the session.
 *
 * It follows the grammar: the statement, its command, which argument or option's value it is; inside brackets what
 * may stand there.  No terminal is needed.
 */
#ifndef SHARDWALK_SHELL_COMPLETE_H
#define SHARDWALK_SHELL_COMPLETE_H

#include "session/session.h"
#include "shell/offered.h"

/* Finds what the last word of `text`, which ends at the cursor, could be. */
void complete(struct session *session, sw_str text, struct candidates *out);

#endif

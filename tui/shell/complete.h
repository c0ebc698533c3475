/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion: what may stand where the cursor is, from the tables and the state of the session.
 *
 * It follows the grammar: the statement, its command, which argument or option's value it is; inside brackets what
 * may stand there.  No terminal is needed.
 */
#ifndef SHARDWALK_SHELL_COMPLETE_H
#define SHARDWALK_SHELL_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include <shardwalk/arena.h>
#include <shardwalk/text.h>

#include "session/session.h"

struct candidate {
	const char *text;  /* what the word would be */
	const char *about; /* a few words, or "" */
	bool more;         /* something has to follow at once: no blank after it */
};

struct candidates {
	sw_arena *arena;
	size_t begin; /* where the word starts in the text */
	int count, room;
	struct candidate *row; /* in the order in which they are shown */
};

/* Finds what the last word of `text`, which ends at the cursor, could be. */
void complete(struct session *session, sw_str text, struct candidates *out);
void candidates_free(struct candidates *candidates);

/* Adds them as lines with their meanings, or side by side where none has one; what is above `rows` is counted. */
void candidates_print(const struct candidates *candidates, int width, int rows, sw_text *text);

#endif

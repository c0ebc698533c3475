/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A script that is played at a pace: its comments are said, each statement is seen before it runs, and its answer stands
 * for a while.
 */
#ifndef SHARDWALK_COMMAND_FILM_H
#define SHARDWALK_COMMAND_FILM_H

#include "language/line.h"
#include "session/session.h"

struct film {
	int64_t pace;  /* milliseconds that an answer stands */
	sw_text words; /* the comment before the statement */
	bool fresh;    /* the next line of a comment begins another one */
};

/* A line of the script, of which comments and empty lines are taken. */
void film_line(struct session *session, sw_str line);

/* Around a statement: it is seen; its answer stands until the time is over, Ctrl-C comes, or who watches stops. */
void film_before(struct session *session, const struct position *position, sw_str statement);
void film_after(struct session *session, const struct position *position, sw_str statement);

/* Plays what `run` runs; with the name of a file also into that.  Errors: of `run`; B02, E01. */
bool film_play(struct session *session, int64_t pace, const char *record, const char *title,
	bool (*run)(struct session *session, const char *name, sw_diag *diag), const char *name, sw_diag *diag);

#endif

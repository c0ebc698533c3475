/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `COMMAND > FILE` and `COMMAND | PROGRAM` at the prompt.
 */
#ifndef SHARDWALK_COMMAND_REDIRECT_H
#define SHARDWALK_COMMAND_REDIRECT_H

#include <stdbool.h>
#include <stdio.h>

#include <shardwalk/text.h>

#include "host/piped.h"
#include "language/line.h"
#include "session/session.h"

/* An answer on its way to somewhere else. */
struct redirect {
	char sign;      /* '>' or '|'; 0: there is none */
	sw_str sign_at; /* in the line */
	sw_str target;  /* the file's name, or the program's line */
	char *buffer;
	size_t length;
	struct piped program;
	FILE *before;
};

/* Takes the sign and what stands behind it off a statement, only where a person is there.  Error: L03. */
bool redirect_find(const struct session *session, const struct position *position, sw_str *statement,
	struct redirect *redirect, sw_diag *diag);

/* Turns the answers of the session away, and back; what was written arrives in redirect_end.  Errors: B02, E02. */
bool redirect_begin(struct session *session, struct redirect *redirect, sw_diag *diag);
bool redirect_end(struct session *session, struct redirect *redirect, bool ok, sw_diag *diag);

#endif

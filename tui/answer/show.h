/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the document of the command that runs goes: to the console, when it is whole or on the way.
 */
#ifndef SHARDWALK_ANSWER_SHOW_H
#define SHARDWALK_ANSWER_SHOW_H

#include "answer/console.h"
#include "answer/document.h"
#include "language/line.h"
#include "session/session.h"

/* Shows a document as the console writes: JSON where it has any, after what people read.  Error: B02. */
bool answer_show(struct document *document, struct console *console, sw_diag *diag);

/* Shows what the running command has answered so far, and forgets it: for one that answers as it works; flush: nothing
 * waits in a buffer. */
bool answer_pass_on(struct session *session, sw_diag *diag);
bool answer_flush(struct session *session, sw_diag *diag);

/* The same through the pager, where it is longer than the screen; remarks stand in it too. */
bool answer_page(struct session *session, sw_diag *diag);

/* Applies the settings that the console follows. */
void answer_dress(struct session *session);

/* Asks the terminal for its background where the answer would count; `answer_dress` follows when it came. */
void answer_ask_background(struct session *session);

/* A remark on standard error; behind what the running command has answered so far. */
void answer_remark(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for people alone: what to type next, say. */
void answer_hint(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes what the running command has answered a value of JSON: {"schema": "shardwalk.text/1", "command": "path", "text":
 * "..."}. */
bool answer_wrap(struct session *session, const char *command, sw_diag *diag);

/* Writes shardwalk.error/1 to the console; `name` is that of the problem, or NULL. */
void answer_error(struct session *session, const struct position *position, const sw_diag *diag, const char *name);

#endif

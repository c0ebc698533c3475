/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures: what a command would draw on the terminal, taken as a canvas.  So every view that a command draws can
 * be exported, drawn by the same code.
 */
#ifndef SHARDWALK_COMMAND_PICTURE_H
#define SHARDWALK_COMMAND_PICTURE_H

#include <stdbool.h>

#include "canvas/canvas.h"
#include "command/command.h"

struct picture {
	struct canvas canvas; /* canvas_free */
	sw_text statement;    /* what drew it: "show tiles from"; sw_text_free */
};
void picture_free(struct picture *picture);

/* Takes what the words after format and file ask for: a view with the arguments and options of `show`, or
 * another command that answers with a picture.  `picture` is {0}.  Errors: those of the command; L03, L08. */
bool picture_asked(const struct invocation *run, struct picture *picture, sw_diag *diag);

/* The same, as a document with all its pieces; `statement` is what answered.  document_clear, also where it failed. */
bool picture_answer(const struct invocation *run, struct document *answer, sw_text *statement, sw_diag *diag);

/* Takes the answer of one statement, `columns` wide. */
bool picture_take(struct session *session, const char *statement, int columns, struct picture *picture,
	sw_diag *diag);

/* The width that pictures shall have: --width, else that of answers. */
int picture_width(const struct invocation *run);

/* Names of the commands beside the views, for completion; NULL after the last. */
const char *picture_command(int n);

/* Adds what the session is about, in a line: mesh and both ends. */
void picture_about(const struct session *session, sw_text *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prompt: lines from a person.
 */
#ifndef SHARDWALK_SHELL_PROMPT_H
#define SHARDWALK_SHELL_PROMPT_H

#include <shardwalk/text.h>

#include "session/session.h"

struct prompt;

/* A picture over the prompt, where there may be one. */
struct prompt_picture {
	void (*prepare)(struct session *session);          /* once, before the first line */
	bool (*run)(struct prompt *prompt, sw_diag *diag); /* until it is left; takes lines of the prompt meanwhile */
};

/* Reads and runs lines until `quit` or the end of the input.  With a terminal on both sides they are edited by
 * readline; Ctrl-C drops the line.  Where a bracket or a quote is open the next line goes on.  Without `history`
 * nothing is read from its file or kept in it. */
void prompt_run(struct session *session, const struct prompt_picture *picture, bool history);

/* ---- its pieces, for who waits for lines in a loop of his own ---- */

struct prompt {
	struct session *session;
	const struct prompt_picture *picture;
	sw_text open;   /* what is unfinished */
	sw_text sign;   /* "shardwalk> " */
	sw_text repeat; /* what an empty line runs again */
	int number;     /* of the line, from 1 */
};

struct prompt prompt_start(struct session *session, const struct prompt_picture *picture);
void prompt_end(struct prompt *prompt);

/* What stands before the line that comes next. */
const char *prompt_sign(struct prompt *prompt);

/* The line without the colon that leads to a prompt elsewhere, and that hands type once more. */
const char *prompt_command(const char *line);

/* Takes what was typed or pasted, line by line: keeps it in the history and runs what is whole.  An empty line repeats
 * `step` and `back`, takes what an error said was meant, and goes on with a tour.  false: a bracket or quote is open, and the next line goes on. */
bool prompt_take(struct prompt *prompt, const char *lines);

/* Ctrl-C: forgets what is unfinished. */
void prompt_drop(struct prompt *prompt);

#endif

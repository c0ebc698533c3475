/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Editing a line: readline, key by key, for a loop that waits for more than keys.
 *
 *     edit_open(sign, NULL);
 *     ... poll standard input and interrupt_wake() ...
 *     end = edit_feed();          a key is there
 *     end = edit_handle_signal();          a signal came
 *     line = edit_line();         where the end is EDIT_LINE
 *
 * Readline is one per process and so is its line; what its hooks have to reach stands in variables of edit.c.
 */
#ifndef SHARDWALK_SHELL_EDIT_H
#define SHARDWALK_SHELL_EDIT_H

#include <stdbool.h>
#include <stdio.h>

#include "session/session.h"
#include "shell/complete.h"

enum edit_end {
	EDIT_ON,      /* the line is not finished */
	EDIT_LINE,    /* edit_line() has it */
	EDIT_DROPPED, /* Ctrl-C: nothing of it is left */
	EDIT_ENDED    /* Ctrl-D on an empty line, or a signal that ends the program */
};

/* Who draws the line where readline does not: a prompt under a picture.  The terminal's modes are the picture's. */
struct edit_face {
	void (*draw)(void);                             /* rl_redisplay_function */
	int (*key)(FILE *in);                           /* rl_getc_function */
	void (*list)(const struct candidates *several); /* what the line could go on with */
};

/* Once, before the first line. */
void edit_start(struct session *session);

/* Begins a line.  `before`: what is unfinished from earlier lines, for completion; may be "".  With a face readline
 * leaves the terminal alone. */
void edit_open(const char *sign, const char *before, const struct edit_face *face);

/* Ends it unfinished, and gives the terminal back. */
void edit_close(void);

/* Begins the open line again with the text that it has, as one that is not of the history: entries may come and go then.
 * Without an open line nothing happens. */
void edit_restart(void);

/* Takes one key that is waiting. */
enum edit_end edit_feed(void);

/* Does what signals ask for: Ctrl-C drops the line, the window's size changes, Ctrl-Z stops the program and draws the
 * line again when it goes on.  Only without a face. */
enum edit_end edit_handle_signal(void);

/* Says to readline how large the window is: never so narrow that it would divide by 0. */
void edit_fit(int height, int width);

/* The finished line, to be freed by who takes it. */
char *edit_line(void);

#endif

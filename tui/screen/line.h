/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line under the picture: readline edits it, the picture draws it.
 */
#ifndef SHARDWALK_SCREEN_LINE_H
#define SHARDWALK_SCREEN_LINE_H

#include "screen/model.h"

/* Readline's hooks carry no value of ours: the screen whose line it is stands in a variable of line.c. */
void line_begin(struct screen *screen);
void line_end(struct screen *screen);

/* Takes one byte from the terminal; a lone Esc drops the line, and at an empty one goes back to the picture.  Where it was the
 * first of what the mouse did, *pointed is its key, as terminal_key has it, with the place; else -1. */
void line_byte(struct screen *screen, int byte, int *pointed, int *x, int *y);

/* A paste begins: readline takes it whole. */
void line_paste(struct screen *screen);

/* Writes into the line as if it was typed. */
void line_insert(struct screen *screen, const char *text);

/* Runs the line that waited longest; after work that was stopped they stand at the prompt again instead.  Some line waits, and
 * nothing works. */
void line_run_waiting(struct screen *screen);

#endif

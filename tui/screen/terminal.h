/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terminal under the picture, through ncurses.
 */
#ifndef SHARDWALK_SCREEN_TERMINAL_H
#define SHARDWALK_SCREEN_TERMINAL_H

#include <stdbool.h>

#include <shardwalk/diag.h>

#include "screen/model.h"

/* Can a picture be painted here?  E03 with one sentence where it cannot. */
bool terminal_possible(sw_diag *diag);

/* Takes the terminal, and gives it back as it was. */
bool terminal_open(sw_diag *diag);
void terminal_close(void);

/* Between both: releases it to another program or to the shell, and takes it again. */
void terminal_release(bool released);

/* Looks how large the window is. */
void terminal_measure(int *width, int *height);

/* Shows a canvas; `anew` draws every cell. */
void terminal_paint(const struct canvas *canvas, const struct canvas_style *style, struct cursor cursor, bool anew);

/* The next key that is waiting, -1 where none is.  With `click` the place of a click is filled, and KEY_CLICKED
 * returned. */
#define KEY_CLICKED (KEY_NAMED_END + 1)
#define KEY_PASTED (KEY_NAMED_END + 2)
#define KEY_PASTE_END (KEY_NAMED_END + 5)
#define KEY_TOLD (KEY_NAMED_END + 3) /* the terminal told its background */
#define KEY_NOTHING \
	(KEY_NAMED_END + 4) /* a sequence that nobody typed, or none that has a meaning; it was swallowed */
int terminal_key(int *x, int *y);

/* A raw byte that is waiting, for a prompt that reads its keys itself; -1 where none comes within `milliseconds`. */
int terminal_byte(int milliseconds);

/* What the mouse did, when ESC [ and `kind`, M or <, were read as bytes: a key as terminal_key has it, or -1. */
int terminal_report(int kind, int *x, int *y);

/* false: the terminal has none. */
bool terminal_mouse(bool on);

/* What terminals send behind ESC: up to its final byte behind ESC [, and false where nothing follows, as when both were typed; and a text
 * behind ESC ] or ESC P, up to its end.  `next` gives bytes, -1 where none comes. */
typedef int sequence_next(void);
bool sequence_control(sequence_next *next);
void sequence_text(sequence_next *next);

/* Asks the terminal to put a text into its clipboard (OSC 52). */
void terminal_copy(const char *text, size_t length);

#endif

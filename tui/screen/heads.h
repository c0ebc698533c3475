/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heads of the columns of a table that a command answered: a click on one orders its rows, and they stay in sight above them.
 */
#ifndef SHARDWALK_SCREEN_HEADS_H
#define SHARDWALK_SCREEN_HEADS_H

#include "screen/model.h"

/* Finds the row of heads of a table of this command, and the words by which clicks there order. */
void heads_find(const struct canvas *canvas, const char *command, struct frame *frame);

/* Finds the rows of the list below the row of heads `head`, which may be -1, none: `count` of them, or fewer where the picture
 * ends. */
void heads_keep(const struct canvas *canvas, int head, int64_t count, struct frame *frame);

/* Those of a list that was just drawn, wherever its heads are; what has no table has those that heads_find found. */
void heads_keep_list(const struct canvas *canvas, const struct listing *listing, struct frame *frame);

/* How many rows of heads are to be seen above row `row` of the picture; 0 where it is none of the list. */
int heads_rows(const struct frame *frame, int row, int height);

/* How many rows of heads stay at the top of a pane, in the place of what is there, when the picture is scrolled to row `top`. */
int heads_stay(const struct frame *frame, int top, int height);

/* The row of the picture behind one that begins in row `row`, which wraps if it is of a list. */
int heads_row_end(const struct pane *pane, int row);

/* How many rows of the list are above those that a pane shows, and below them. */
void heads_hidden(const struct pane *pane, int top, int *above, int *below);

/* A click in the picture of a pane; on the head of a column it orders the rows by that. */
void heads_click(struct screen *screen, const struct pane *pane, int x, int y);

#endif

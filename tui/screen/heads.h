/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heads of the columns of a table that a command answered: a click on one orders its rows.
 */
#ifndef SHARDWALK_SCREEN_HEADS_H
#define SHARDWALK_SCREEN_HEADS_H

#include "screen/model.h"

/* Finds the row of heads of a table of this command, and the words by which clicks there order. */
void heads_find(const struct canvas *canvas, const char *command, struct frame *frame);

/* A click in the picture of a pane; on the head of a column it orders the rows by that. */
void heads_click(struct screen *screen, const struct pane *pane, int x, int y);

#endif

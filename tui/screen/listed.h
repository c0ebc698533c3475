/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers that are lists, kept whole for their views: ways of a product, placements, what was compared.  They are drawn at any
 * width, and a row of them is chosen and taken.
 */
#ifndef SHARDWALK_SCREEN_LISTED_H
#define SHARDWALK_SCREEN_LISTED_H

#include "screen/model.h"

/* Takes what a command answered, where it is one of these lists; its pieces are the screen's then. */
void listed_take(struct screen *screen, struct document *answer);

/* The list of a view, NULL: nothing was listed for it, or it is about what is no more; and its rows: of a table, NULL where it is drawn from
 * what was compared. */
struct listing *listed_of(struct screen *screen, int view);
struct table *listing_table(const struct listing *listing);
int listing_count(const struct listing *listing);

/* The number in the row under the cursor, which stays whatever order rows have; 0: no row is chosen, or it has none. */
int listing_number(const struct listing *listing);

/* Adds the options that it was listed with, but for the order of its rows. */
void listing_options(const struct listing *listing, sw_text *text);

/* Draws it with the row under the cursor, which `frame` gets. */
bool listing_draw(struct listing *listing, int width, struct canvas *out, struct frame *frame, sw_diag *diag);

/* Moves a cursor among `count` rows, from 1; it may leave them upwards, 0; false: there are none. */
bool row_move(int *chosen, int by, int count);

/* Moves the cursor of a list. */
bool listing_move(struct listing *listing, int by);

void listing_free(struct listing *listing);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of what was imported last.
 */
#ifndef SHARDWALK_SCREEN_IMPORTS_H
#define SHARDWALK_SCREEN_IMPORTS_H

#include "screen/model.h"

/* Orders the rows by a column's word, which lives as long as the program: the other way round where they are in that order. */
void imports_order_by(struct screen *screen, const char *word);

/* The next of the usual orders, and the next way to fold rows. */
void imports_order_next(struct screen *screen);
void imports_fold_next(struct screen *screen);

/* Takes the row under the cursor as the problem, and copies what `advise` says of it. */
void imports_copy(struct screen *screen);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways to compute a product, as the last `einsum` or `ways` listed them.
 */
#ifndef SHARDWALK_SCREEN_WAYS_H
#define SHARDWALK_SCREEN_WAYS_H

#include "screen/model.h"

/* Keeps the table of ways that a line answered, where the rows of the output from `row` on are one. */
void ways_keep(struct screen *screen, const char *line, int row);

/* Was a product asked for, whose ways were not listed here? */
bool ways_missing(const struct screen *screen);

/* The number of the way that begins in a row below the heads; 0: none does. */
int ways_number(const struct canvas *canvas, int y);

/* How many a table has; *row: that of the n-th of them, from 1. */
int ways_count(const struct canvas *canvas, int n, int *row);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two pictures in one: before and after.
 */
#ifndef SHARDWALK_VIEWS_BESIDE_H
#define SHARDWALK_VIEWS_BESIDE_H

#include "canvas/canvas.h"

/* Puts one or two pictures side by side where there is room, else one below the other; the next row. */
int tiles_beside(struct canvas *out, int y, const struct canvas grids[2], int count);

#endif

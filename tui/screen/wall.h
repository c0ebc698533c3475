/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The budget as a slider, and the trades of memory against cost.
 */
#ifndef SHARDWALK_SCREEN_WALL_H
#define SHARDWALK_SCREEN_WALL_H

#include "screen/model.h"

/* The next size of a tile above (1) or below (-1) the wall, as far as both ends have room; 0: there is none. */
int64_t wall_next(const sw_problem *problem, int64_t wall, int direction);

/* Moves the wall there, and has plan and search follow. */
void wall_move(struct screen *screen, int direction);

#endif

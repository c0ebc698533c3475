/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All grids of so many processors, and which of two is better.
 */
#ifndef SHARDWALK_SCHEDULE_GRID_CHOICE_H
#define SHARDWALK_SCHEDULE_GRID_CHOICE_H

#include <shardwalk/choice.h>

bool sw_grid_is_better(const sw_grid_choice *a, const sw_grid_choice *b);

/* Calls `look` with each way to write a number of processors as a product over axes, in `extent`; false where it says so. */
bool sw_each_grid(int64_t processors, int axes, int64_t *extent, bool (*look)(void *user), void *user);

#endif

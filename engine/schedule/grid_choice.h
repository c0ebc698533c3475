/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All grids of so many processors.
 */
#ifndef SHARDWALK_SCHEDULE_GRID_CHOICE_H
#define SHARDWALK_SCHEDULE_GRID_CHOICE_H

#include <shardwalk/choice.h>

/* Calls `look` with each way to write a number of processors as a product over axes, in `extent`; false where it says so. */
bool sw_each_grid(int64_t processors, int axes, int64_t *extent, bool (*look)(void *user), void *user);

#endif

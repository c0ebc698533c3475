/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often a loop runs whose counter starts, steps and ends at constants.
 */
#ifndef SW_FOREIGN_TRIPS_H
#define SW_FOREIGN_TRIPS_H

#include <stdint.h>

#include <shardwalk/log.h>
#include <shardwalk/text.h>

#define TRIPS_MOST SW_RUNS_MOST

/* As long as `counter DIRECTION limit`, which is LT, LE, GT, GE or NE.  -1: it does not end that way. */
int64_t trips_counted(sw_str direction, int64_t start, int64_t step, int64_t limit);

/* The direction seen from the other side; "" where there is none. */
const char *trips_mirrored(sw_str direction);

/* runs + more * times, at most TRIPS_MOST. */
int64_t trips_add(int64_t runs, int64_t more, int64_t times);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often a loop runs: the compiler says it (known_trip_count), or it follows from a counter that starts, steps and ends at
 * constants.
 */
#ifndef SW_FOREIGN_TRIPS_H
#define SW_FOREIGN_TRIPS_H

#include <stdint.h>

#include "foreign/module/reading.h"

/* How often a loop runs whose counter begins at `start`, gets `step` in each round, and goes on as long as it is so (LT, LE, GT,
 * GE, NE) to `limit`; -1: it does not end that way. */
int64_t trips_counted(int64_t start, int64_t step, int64_t limit, sw_str direction);

/* How often the body of instruction `loop` runs; -1: the program does not tell. */
int64_t trips_of(graph_reading *r, int loop);

#endif

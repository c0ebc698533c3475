/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often a loop runs: the compiler says it (known_trip_count), or it follows from a counter that starts, steps and ends at
 * constants.
 */
#ifndef SW_FOREIGN_TRIPS_H
#define SW_FOREIGN_TRIPS_H

#include <stdint.h>

#include "foreign/module/reading.h"

/* How often the body of instruction `loop` runs; -1: the program does not tell. */
int64_t trips_of(graph_reading *r, int loop);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of loops: how often a loop runs that counts.
 */
#ifndef SW_BASE_COUNTER_H
#define SW_BASE_COUNTER_H

#include <stdint.h>

#include <shardwalk/text.h>

/* How often a loop runs whose counter begins at `start`, gets `step` in each round, and goes on as long as it is so (LT, LE, GT,
 * GE, NE) to `limit`; -1: it does not end that way. */
int64_t sw_counter_rounds(int64_t start, int64_t step, int64_t limit, sw_str direction);

#endif

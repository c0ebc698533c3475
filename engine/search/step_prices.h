/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of steps between the types of a shape, by a machine that looks at the tiles of both: each is asked for once.
 */
#ifndef SW_SEARCH_STEP_PRICES_H
#define SW_SEARCH_STEP_PRICES_H

#include <shardwalk/cost.h>

#include "cost/reach.h"
#include "search/type_space.h"

typedef struct sw_step_prices sw_step_prices;

/* Of a space of whole axes; it lives in `arena` and keeps `machine`.  Where all pairs take more than `most_bytes` none are
 * remembered.  NULL: memory. */
sw_step_prices *sw_step_prices_new(const sw_type_space *space, const sw_machine *machine, size_t most_bytes,
	sw_arena *arena);

/* Seconds from one arrangement to another by an operation over these axes; INFINITY where the machine has no rate for it. */
double sw_step_seconds(sw_step_prices *prices, sw_op op, int32_t before, int32_t after, uint32_t axes);

/* The places that a set of whole axes goes over, among the primes of the mesh. */
void sw_reach_axes(const sw_type_space *space, uint32_t axes, sw_reach *reach);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an exchange sends, and the collective whose messages these are: it has the price of that one.
 */
#ifndef SW_COST_ALIKE_H
#define SW_COST_ALIKE_H

#include <shardwalk/arena.h>
#include <shardwalk/plan.h>

typedef struct sw_alike {
	const sw_plan
		*plan; /* the plan, with a dynslice, an allgather, an alltoall, a reducescatter or a permute in place of an
	                      * exchange that sends the same messages; else the plan that was asked about */
	int64_t partners; /* most that a device sends to, or receives from */
	double elements;  /* most that a device sends, or receives */
} sw_alike;

/* Step `k` of a plan (from 0), an exchange.  Above 512 devices, or where memory runs out, no other collective is looked for, and
 * sizes follow from tiles.  What is new lives in `arena`. */
sw_alike sw_alike_of(const sw_plan *plan, int k, sw_arena *arena);

/* Is it an exchange? */
bool sw_is_exchange(const sw_plan *plan, int k);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a system does with one hop, as far as the search for waypoints needs to know it.
 */
#ifndef SW_ADVISE_HOP_H
#define SW_ADVISE_HOP_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/advise.h>

#include "peers/xla_reshard.h"

typedef struct sw_hop_price {
	int64_t cost, height; /* height: of the tiles after steps, without the start */
	int steps;
	double volume;       /* elements that arrive from other devices */
	unsigned operations; /* bit 1 << sw_op: that it uses */
	bool warns;          /* XLA: involuntary full rematerialization */
	bool multi_dim;      /* XLA: one all-to-all works on several pairs of dimensions */
} sw_hop_price;

typedef struct sw_hopper {
	sw_advise_target target;
	sw_problem problem; /* its ends change from hop to hop */
	sw_arena *arena;    /* goes back to where it was after each hop */
	sw_xla_plan *xla;
	int64_t asked;  /* hops */
	int64_t beats;  /* of their searches, where the system searches itself */
	bool impatient; /* one took too long and was given up */
	bool failed;    /* memory ran out */
} sw_hopper;

/* false: memory.  What it keeps lives in `arena`. */
bool sw_hopper_init(sw_hopper *hopper, sw_advise_target target, const sw_problem *problem, sw_arena *arena);

/* false: the system does not get there, or not in steps that a plan can have. */
bool sw_hop_price_of(sw_hopper *hopper, const sw_type *from, const sw_type *to, sw_hop_price *price);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances between all types of a shape: what the cheapest redistribution costs from some of them, or to some of them.
 *
 * Steps are those of the strategy `fused`, between types.  They are priced by elements (model `paper`), or, over whole axes, by
 * seconds of a machine; then without permutations, zeros and pads, an alltoall pushes just the axes that it pops, and
 * a reducescatter those that it sums.
 *
 * Source: seed 000, section 6.2, for the steps; seed 004 for the seconds.
 */
#ifndef SW_SEARCH_DISTANCES_H
#define SW_SEARCH_DISTANCES_H

#include <shardwalk/cost.h>

#include "search/type_space.h"

/* What hops count, where seconds of a roofline are asked for. */
typedef enum sw_hops {
	SW_HOPS_COUNT, /* a step takes the longer of its hops and its bytes */
	SW_HOPS_NEVER, /* bytes alone */
	SW_HOPS_TILTED /* as the first, and `tilt` times the seconds of its bytes more */
} sw_hops;

typedef struct sw_distance_rules {
	unsigned without; /* bit 1 << sw_op */
	int64_t budget;   /* largest tile, at both ends too; 0: any */
	int64_t live;     /* largest sum of the tiles before and after a step; 0: any */
	bool backward;    /* distances to the states where it starts, instead of from them */
	bool heights; /* instead of costs the least bound `live` under which there is a way; 0 where no step is needed */
	sw_hops hops;
	double tilt;
} sw_distance_rules;

/* What one space and kind of prices need beside them, made once. */
typedef struct sw_distances sw_distances;

/* `machine`: seconds, of a space of whole axes, other than of the model `ports`; NULL: elements.  It lives in `arena`.  NULL: memory (E01 in `diag`), or more than `most_bytes` (S08). */
sw_distances *sw_distances_new(const sw_type_space *space, const sw_machine *machine, size_t most_bytes,
	sw_arena *arena, sw_diag *diag);

/* Bytes that one search takes beside them. */
int64_t sw_distances_beside(const sw_distances *distances);

/* Into cost[state] what each state costs: the least of a start's cost and of what leads there (from there, backwards).
 * cost[state] is what it costs to begin at a state, INFINITY where nothing begins, and is written over; INFINITY: no way.
 * false: memory. */
bool sw_distances_find(sw_distances *distances, const sw_distance_rules *rules, double *cost, sw_diag *diag);

#endif

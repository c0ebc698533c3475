/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * The search at axis level for plans without a permutation: states are layouts.
 *
 * Moves: a dynslice pushes unused parts; an alltoall pops minor-most parts of one dimension (or of several) and
 * pushes onto others any ordered list of the same product, taken from the popped and the unused parts; an
 * allgather pops minor-most parts.  Parts that neither end uses and that have the same prime are alike: only the
 * first of them is ever pushed.
 */
#ifndef TESTS_ORACLE_AXIS_SEARCH_H
#define TESTS_ORACLE_AXIS_SEARCH_H

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>

#include "astar.h"
#include "search/layout.h"

/* One step of a route: the operation and the layout it leads to. */
typedef struct old_hop {
	sw_op op;
	sw_layout layout;
} old_hop;

#define OLD_MAX_HOPS 64

typedef struct old_route {
	int count;
	old_hop hop[OLD_MAX_HOPS];
} old_route;

typedef struct old_search_limits {
	sw_model model;
	bool multi_dim;
	unsigned without;    /* bit 1 << sw_op */
	int64_t budget;      /* largest tile */
	int64_t live_budget; /* largest sum of two tiles; 0: none */
	int64_t below;       /* only plans that cost less are of interest */
	int64_t most_edges;  /* give up after so many */
	const sw_pulse *pulse;
} old_search_limits;

typedef struct old_axis_result {
	int64_t cost;  /* under the model; OLD_FOUND only */
	int64_t floor; /* no plan of this kind costs less */
	int64_t settled, seen, edges;
	old_route route;
} old_axis_result;

old_search_end old_axis_search(const sw_space *space, const old_search_limits *limits, sw_arena *arena,
	old_axis_result *result);

/* Appends the gathers that lead home from the last layout of a route (from the start where it is empty): one step where
 * `multi_dim`, otherwise one a dimension, the smallest factors first. */
void old_route_gather_home(const sw_space *space, bool multi_dim, old_route *route);

#endif

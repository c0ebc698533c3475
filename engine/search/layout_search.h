/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search over layouts: A* over all that slices, alltoalls, gathers and what else a policy adds lead to.
 *
 * A policy says what moves cost, what is at least missing, and which further moves there are.  `elements` prices steps by the
 * elements that they move and looks for plans without a permutation; `seconds` asks a machine, so that it matters which axes
 * move.  The `local` ones search local types: with room for one permutation somewhere every path over local types can be
 * lowered (seed 000, theorem 6.4 and section 7.3), whatever the primes of the mesh, so that the cheapest plan with a
 * permutation is a shortest path on which it has been done once, at the size where it happens.
 */
#ifndef SW_SEARCH_LAYOUT_SEARCH_H
#define SW_SEARCH_LAYOUT_SEARCH_H

#include <shardwalk/arena.h>

#include "search/policy.h"

typedef enum sw_search_end {
	SW_FOUND,   /* the cheapest of its kind */
	SW_NOTHING, /* there is none below the limit */
	SW_GAVE_UP, /* too many edges or bytes; the floor still bounds what could have been found */
	SW_STOPPED, /* the pulse said so */
	SW_NO_MEMORY
} sw_search_end;

typedef struct sw_search_result {
	int64_t cost;  /* of the path */
	int64_t floor; /* no plan of this kind costs less */
	int64_t settled, seen, edges;
	int64_t full;        /* bytes that were too few; 0: they sufficed */
	sw_layout_path path; /* in the arena; without steps where none is known */
} sw_search_result;

/* A search that gave up or was stopped may have a path that is not the cheapest. */
sw_search_end sw_layout_search(const sw_space *space, const sw_search_limits *limits, const sw_policy *policy,
	sw_arena *arena, sw_search_result *result);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search over all types for plans without a permutation: what proves a plan on a mesh of several primes.
 *
 * An axis of 6 may be cut as 2x3 or as 3x2, and a plan may change its mind where the axis stands whole or unused.  So a
 * state is a type, not a layout under one order of primes: parts are cut where they leave, at any divisor.
 *
 * Between types a step is legal where the dimensions that it gathers lose minor-most digits and those that it splits
 * gain digits that nobody uses then; who works with whom is always possible (seed 000, section 6: any devices may form a
 * group, and a regular bipartite graph of pieces falls apart into perfect matchings).  So this search sees every plan
 * without a permutation whose maps are types.
 */
#ifndef SW_SEARCH_TYPE_SEARCH_H
#define SW_SEARCH_TYPE_SEARCH_H

#include "search/layout_search.h"

/* One step of a path over types. */
typedef struct sw_type_step {
	sw_op op;
	const sw_type *type; /* after it */
} sw_type_step;

typedef struct sw_type_path {
	int64_t cost;  /* under limits->model; SW_FOUND only */
	int64_t floor; /* no plan of this kind costs less */
	int64_t settled, seen, edges;
	int count;
	sw_type_step *step;
} sw_type_path;

/* Looks for the cheapest such plan below limits->below.  The path and its types live in `arena`.  Gives up at once where
 * there are more than 64 digits over all ways of cutting, or an axis of more than 65535. */
sw_search_end sw_type_search(const sw_space *space, const sw_search_limits *limits, sw_arena *arena,
	sw_type_path *path);

#endif

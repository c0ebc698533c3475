/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * The cheapest way over local types that has room for one permutation.
 *
 * With one permutation somewhere every weak path can be lowered (seed 000, theorem 6.4 and section 7.3), whatever the
 * primes of the mesh; so the cheapest plan with a permutation is a shortest path on which it has been paid
 * once, at the size where it happens.
 */
#ifndef TESTS_ORACLE_WEAK_PERMUTED_H
#define TESTS_ORACLE_WEAK_PERMUTED_H

#include "axis_search.h"

/* One step over local types. */
typedef struct old_weak_hop {
	sw_op op;
	int64_t tile[SW_MAX_DIMS]; /* after it */
} old_weak_hop;

typedef struct old_weak_result {
	int64_t cost;
	int64_t floor;
	int64_t settled, seen, edges;
	int count;
	old_weak_hop hop[OLD_MAX_HOPS];
} old_weak_result;

/* `permute`: one allpermute has to be on the way; else none is, and the result is the weak optimum (of moves of several
 * dimensions where limits->several), which bounds every plan. */
old_search_end old_weak_search(const sw_space *space, const old_search_limits *limits, bool permute, sw_arena *arena,
	old_weak_result *result);

#endif

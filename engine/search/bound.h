/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is at least missing to the goal: an admissible bound from counts alone.
 *
 * A dimension that has to be split further, and that slices cannot serve, is the target of an alltoall; one that has to
 * be split less is the source of an alltoall or is gathered.  An alltoall of one dimension has one source and one target; each
 * happens at no less than the smallest reachable size, the last gather makes tiles of `to`, and those before
 * it at least double from the smallest size on.
 */
#ifndef SW_SEARCH_BOUND_H
#define SW_SEARCH_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/plan.h>

#include "search/layout.h"

typedef struct sw_bound_rule {
	sw_model model;
	bool multi_dim; /* one step may work on several dimensions */
	bool normal;    /* only normal forms are searched: dynslice*, alltoall*, allgather* */
	int64_t to_size;
	int64_t floor_size; /* no tile of this problem can be smaller */
	int64_t least_prime;
} sw_bound_rule;

/* Where every operation is allowed, some cheapest plan under `paper` is a normal form (seed 000, lemma 6.5: moving slices
 * forward and gathers back never costs more); otherwise all forms are searched. */
void sw_bound_init(sw_bound_rule *rule, const sw_space *space, sw_model model, bool multi_dim, bool all_allowed);

/* At least this much is missing from tiles of `size` elements where `pushes` dimensions must be targets of an
 * alltoall and `pops` must be sources of one or be gathered.  `sliced`: no dynslice may follow (in a normal form). */
int64_t sw_bound(const sw_bound_rule *rule, int pushes, int pops, int64_t size, bool sliced);

/* Cost of the cheapest chain of gathers from `tile` to the tile of `to`, all of whose dimensions it divides: one gather
 * with several dimensions, otherwise one a dimension, the smallest factors first. */
int64_t sw_gather_cost(const sw_bound_rule *rule, const sw_space *space, const int64_t *tile, int *steps);

/* The primes of a mesh without repetition, and how many of each it has. */
#define SW_MAX_PRIMES 12
typedef struct sw_primes {
	int count;
	int64_t prime[SW_MAX_PRIMES];
	int have[SW_MAX_PRIMES];
} sw_primes;

void sw_primes_of(sw_primes *primes, const sw_prime_parts *factors);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of dimensions that change their numbers of tiles in an all-to-all.
 */
#ifndef SW_SEARCH_XLA_PAIRS_H
#define SW_SEARCH_XLA_PAIRS_H

#include <stdbool.h>

#include "peers/xla_tiling.h"

/* `source` gives its number of tiles, the larger one, to `target` and takes that of `target`. */
typedef struct sw_xla_pairs {
	int count;
	struct {
		int source, target;
	} pair[SW_TILING_DIMS];
} sw_xla_pairs;

/* The exchanges that lead from the numbers of tiles of one tiling to those of another, in XLA's order; false where
 * the numbers are not the same in another order, or do not divide one another on the way. */
bool sw_xla_pairs_find(const sw_tiling *from, const sw_tiling *to, sw_xla_pairs *pairs);

/* Sorts the pairs by ascending target; pairs with the same target stay in their order. */
void sw_xla_pairs_sort(sw_xla_pairs *pairs);

#endif

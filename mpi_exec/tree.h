/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One allreduce as two trees, as NCCL has them: each carries a half of the data, in pieces, up to its root and down again.
 */
#ifndef EX_TREE_H
#define EX_TREE_H

#include <shardwalk/placement.h>

#include "add.h"
#include "throttle.h"

/* In how many pieces so many bytes go along a chain or through a tree. */
int64_t ex_tree_pieces(int64_t bytes);

/* Adds up `data` of these ranks, of which this one is one, whose numbers are devices of the system; all have the sum then.  false: no
 * memory. */
bool ex_tree_sum(ex_throttle *throttle, const ex_adder *adder, const sw_system *system, const int64_t *rank,
	int ranks, char *data, int64_t bytes);

#endif

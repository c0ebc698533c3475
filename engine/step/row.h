/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of collectives for the engine's inner loops.  What a row is stands in shardwalk/collective.h.
 */
#ifndef SHARDWALK_STEP_ROW_H
#define SHARDWALK_STEP_ROW_H

#include <shardwalk/collective.h>

extern const sw_collective sw_collective_rows[SW_OP_COUNT + 1]; /* the last one is no operation */

static inline const sw_collective *sw_row(sw_op op)
{
	return &sw_collective_rows[op];
}

/* The cost under `paper` of a step between tiles of these sizes and types that say their sums, before and after: an exchange takes what it
 * adds up term by term.  false: it does not fit into 64 bits. */
bool sw_sized_cost(sw_op op, const int64_t size[2], const sw_type *const sums[2], int64_t *cost);

/* It gathers along one side and splits along the other. */
static inline bool sw_swaps(sw_op op)
{
	return sw_row(op)->gathers && sw_row(op)->splits;
}

static inline bool sw_only_gathers(sw_op op)
{
	return sw_row(op)->gathers && !sw_row(op)->splits;
}

/* Trees do it too, not only a ring. */
static inline bool sw_has_trees(sw_op op)
{
	return sw_row(op)->trees;
}

#endif

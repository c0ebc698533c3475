/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of collectives for the engine's inner loops.  What a row is stands in shardwalk/collective.h.
 */
#ifndef SHARDWALK_STEP_ROW_H
#define SHARDWALK_STEP_ROW_H

#include <shardwalk/collective.h>

extern const sw_collective sw_collective_rows[SW_OP_COUNT + 1]; /* of what is no collective, the name alone */

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

/* May it gather, and split, along so many dimensions? */
static inline bool sw_takes_entries(sw_op op, int gathers, int splits)
{
	const sw_collective *row = sw_row(op);

	return (row->gathers == (gathers > 0) || row->may_gather) && row->splits == (splits > 0);
}

/* It adds up terms. */
static inline bool sw_adds_terms(sw_op op)
{
	return sw_row(op)->terms == SW_TERMS_ADDED;
}

/* It does something to sums. */
static inline bool sw_changes_terms(sw_op op)
{
	return sw_row(op)->terms != SW_TERMS_STAY;
}

/* Which side of a step has more terms than the other, and makes those of the other of its own: 0 what is before, 1 what is after;
 * -1: none has. */
static inline int sw_side_of_terms(sw_op op)
{
	static const int side[SW_ON_TERMS] =
		{[SW_TERMS_STAY] = -1, [SW_TERMS_ADDED] = 0, [SW_TERMS_OF_COPIES] = 1, [SW_TERMS_OF_TILES] = 1};

	return side[sw_row(op)->terms];
}

/* Neighbouring steps of the two are one: both leave every device to itself. */
static inline bool sw_is_one_with(sw_op op, sw_op next)
{
	return sw_row(op)->among == SW_AMONG_NONE && sw_row(next)->among == SW_AMONG_NONE;
}

/* Trees do it too, not only a ring. */
static inline bool sw_has_trees(sw_op op)
{
	return sw_row(op)->trees;
}

#endif

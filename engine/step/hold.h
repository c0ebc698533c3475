/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives on pieces of tiles: the columns `premise` and `hold` of their table (seed 001, figure 8).
 */
#ifndef SHARDWALK_STEP_HOLD_H
#define SHARDWALK_STEP_HOLD_H

#include <shardwalk/pieces.h>

/* Members bring terms of the same pieces, other pieces each, or the first alone has something to say.  `of` is the group, and gets those who
 * break the premise that is returned. */
sw_premise sw_premise_terms(const sw_pieces *pieces, const sw_collective *row, sw_breach *of);
sw_premise sw_premise_parts(const sw_pieces *pieces, const sw_collective *row, sw_breach *of);
sw_premise sw_premise_root(const sw_pieces *pieces, const sw_collective *row, sw_breach *of);

/* Everything together, for those to whom the row leaves it; what the first has, for all.  false: no memory. */
bool sw_hold_sum(const sw_pieces *pieces, const sw_collective *row, const int32_t *member, int64_t size);
bool sw_hold_root(const sw_pieces *pieces, const sw_collective *row, const int32_t *member, int64_t size);

#endif

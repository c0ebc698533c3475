/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rewriting two neighbours between which sums are finished or made.
 */
#ifndef SHARDWALK_STEP_REWRITE_SUMS_H
#define SHARDWALK_STEP_REWRITE_SUMS_H

#include <shardwalk/sequence.h>

/* The best way known instead of steps first and first + 1, by cost, order and steps; NULL where there is none.  false: no
 * memory. */
bool sw_rewrite_sums(const sw_sequence *sequence, int first, sw_sequence **out);

/* Have two types the same sums? */
bool sw_same_sums(const sw_type *a, const sw_type *b);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waypoints where terms of a sum wait at one end.
 */
#ifndef SW_ADVISE_SUM_POINTS_H
#define SW_ADVISE_SUM_POINTS_H

#include <shardwalk/advise.h>

/* *least gets what the strategy `fused` pays; SW_NEVER where it has no plan.  At most two types to pass through, so that the system of the advice, which plans each hop by itself, pays less than `below`; among the
 * types of the best plans, and those that have the sum in pieces along one dimension.  *count is 0 where there are none.  They live in
 * `arena`.  E01. */
bool sw_sum_points(const sw_advice *advice, int64_t below, sw_arena *arena, const sw_type **points, int *count,
	int64_t *least, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reach: which coordinates along the axes of the mesh a step's groups, or the ends of its pairs, bring together.  Links between
 * them follow from it.
 */
#ifndef SW_COST_REACH_H
#define SW_COST_REACH_H

#include <shardwalk/plan.h>

#include "array/prime_parts.h"

/* Of every axis: how many coordinates a group takes, and the aligned stretch of neighbours, a divisor of the axis, that they lie
 * in.  1 and 1: the axis is not crossed; {0, 4} on an axis of 8: 2 of 8; {0, 1}: 2 of 2. */
typedef struct sw_reach {
	int64_t count[SW_MAX_AXES], block[SW_MAX_AXES];
} sw_reach;

/* Groups that differ in these prime parts, a bit each. */
void sw_reach_parts(const sw_mesh *mesh, const sw_prime_parts *factors, uint64_t parts, sw_reach *reach);

/* Groups that differ in these parts of axes, at most 2 * SW_MAX_PARTS. */
void sw_reach_digits(const sw_mesh *mesh, const sw_part *part, int count, sw_reach *reach);

/* Step `k` of a plan (from 0): by its groups or pairs where they are listed, by the parts that stand elsewhere than before
 * where both types are known; else as if every axis were crossed. */
void sw_reach_step(const sw_plan *plan, int k, sw_reach *reach);

static inline bool sw_reach_crosses(const sw_reach *reach, int axis)
{
	return reach->block[axis] > 1;
}

#endif

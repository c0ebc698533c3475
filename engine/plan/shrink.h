/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Common factors of the sizes of a problem.
 */
#ifndef SHARDWALK_PLAN_SHRINK_H
#define SHARDWALK_PLAN_SHRINK_H

#include <stdint.h>

#include <shardwalk/type.h>

/* Along each dimension the largest factor that is common to all tiles of any plan for this problem, and prime to the
 * mesh: what sw_problem_shrink divides by. */
void sw_problem_units(const sw_problem *problem, int64_t unit[SW_MAX_DIMS]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of the checker for plans between types of any kind.
 */
#ifndef SHARDWALK_PLAN_CHECK_BETWEEN_H
#define SHARDWALK_PLAN_CHECK_BETWEEN_H

#include <shardwalk/between.h>
#include <shardwalk/plan.h>

typedef struct sw_between_check {
	const sw_plan *plan;
	sw_diag *diag;   /* of the ends */
	int64_t cost;    /* what is right: of the step, where there is one */
	int64_t most[2]; /* that a device has before and after */
	int64_t live;    /* the same together; -1: not known, or no 64 bits hold it */
} sw_between_check;

/* Is the plan's only step, or none, what its ends say?  NULL: it is; else why not, and the field to blame, NULL where the diagnostic says
 * it. */
const char *sw_check_between(sw_between_check *check, sw_arena *arena, const char **field);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that have a plan inside.
 */
#ifndef SW_PLAN_INSIDE_H
#define SW_PLAN_INSIDE_H

#include <shardwalk/json_read.h>
#include <shardwalk/plan.h>

/* The problem that the plan inside step `k` has to solve: from what devices hold before the step to what they hold after it. */
void sw_inside_problem(const sw_plan *plan, int k, sw_problem *problem);

/* Does what is inside of step `k` make what the step promises, and cost what it says?  P03 or P05 with its place, E01. */
bool sw_check_inside(const sw_plan *plan, int k, char where[SW_WHERE_SIZE], sw_diag *diag);

#endif

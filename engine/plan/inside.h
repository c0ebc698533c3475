/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that have a plan inside.
 */
#ifndef SW_PLAN_INSIDE_H
#define SW_PLAN_INSIDE_H

#include <shardwalk/plan.h>

/* The problem that the plan inside step `k` has to solve: from what devices hold before the step to what they hold after it. */
void sw_inside_problem(const sw_plan *plan, int k, sw_problem *problem);

/* Is what is inside of step `k` between what the step is between, and does it cost what the step says?  P03. */
bool sw_inside_fits(const sw_plan *plan, int k, sw_diag *diag);
bool sw_inside_costs(const sw_plan *plan, int k, sw_diag *diag);

#endif

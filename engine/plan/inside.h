/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that have a plan inside.
 */
#ifndef SW_PLAN_INSIDE_H
#define SW_PLAN_INSIDE_H

#include <shardwalk/plan.h>

/* The problem that the plan inside step `k` has to solve: from what devices hold before the step to what they hold after it.  false: no
 * type says one of both. */
bool sw_inside_problem(const sw_plan *plan, int k, sw_problem *problem);

/* Is what is inside of a step, the one with number `k` from 0, between what the step is between?  P03 with both. */
bool sw_inside_fits(const sw_step *step, int k, const sw_problem *of, sw_diag *diag);

/* Does it cost what step `k` says?  P03. */
bool sw_inside_costs(const sw_plan *plan, int k, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that change the order of devices while they do what they do anyway.
 */
#ifndef SW_PLAN_REORDER_H
#define SW_PLAN_REORDER_H

#include <shardwalk/plan.h>

/* Lets the steps of `plan`, none of which changes the order of devices yet, bring what is in each slot from the device that
 * lies there in the beginning to the one that lies there in the end, each step within the devices that share a block.
 * *done: it could; only then are there changes in plan->steps.  A plan without steps can where every device holds the
 * right tile already.  Errors: P05, E01. */
bool sw_reorder_in_steps(sw_plan *plan, sw_arena *arena, bool *done, sw_diag *diag);

/* The first permute of a plan, from 0; -1: it has none. */
int sw_plan_first_permute(const sw_plan *plan);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that bring the places of a mesh to other devices while they do what they do anyway.
 */
#ifndef SW_PLAN_REORDER_H
#define SW_PLAN_REORDER_H

#include <shardwalk/plan.h>

/* Lets the steps of `plan`, which has no change of order yet, take the places from the devices `before` to `after`
 * (both one number a place), each step within the devices that share a block.  *done: it could; only then are there
 * changes in plan->steps.  A plan without steps can where every device holds the right tile already.  Errors: P05, E01. */
bool sw_reorder_in_steps(sw_plan *plan, const int64_t *before, const int64_t *after, sw_arena *arena, bool *done,
	sw_diag *diag);

#endif

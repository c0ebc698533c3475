/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans between two types of any kind, inside of the engine.
 */
#ifndef SHARDWALK_PLAN_BETWEEN_H
#define SHARDWALK_PLAN_BETWEEN_H

#include <shardwalk/between.h>
#include <shardwalk/distribution.h>
#include <shardwalk/transfers.h>

/* The transfers of the only step.  NULL: E01. */
const sw_transfers *sw_between_transfers(const sw_between *between, const sw_step *step, sw_arena *arena,
	sw_diag *diag);

/* What the step between types of any kind costs under the model paper, and what each device gets from others at most.  -1: no memory,
 * or what sw_between_of refuses. */
int64_t sw_between_cost(const sw_problem *problem, sw_sender_rule rule);
int64_t sw_between_moved(const sw_problem *problem, sw_sender_rule rule);

/* The term that a device has, 0 where values are whole. */
int64_t sw_term_held(const sw_holding *holding, int64_t device);

/* Are the sums of both ends, whose holdings these are, the same, or whole values afterwards?  Else T11, without a place; or E01. */
bool sw_problem_check_sums(const sw_problem *problem, const sw_holding *from, const sw_holding *to, sw_diag *diag);

/* Are there few enough devices to look at each?  Else S08, without a place. */
bool sw_between_is_listed(const sw_problem *problem, sw_diag *diag);

/* The most elements that a device has in value k, of whatever type it is.  -1: no memory. */
int64_t sw_value_most(const sw_plan *plan, int k);

/* The elements that all devices have in value k together, of whatever type it is.  -1: no memory, or no 64 bits hold them. */
int64_t sw_value_all(const sw_plan *plan, int k);

/* The most elements that a device has before and after together, and the same of step k.  -1 as above. */
int64_t sw_holdings_live(const sw_holding *before, const sw_holding *after);
int64_t sw_value_live(const sw_plan *plan, int k);

#endif

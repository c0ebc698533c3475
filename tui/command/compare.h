/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing plans: what is known beyond what a plan says, and why one is cheaper than the next.
 */
#ifndef SHARDWALK_COMMAND_COMPARE_H
#define SHARDWALK_COMMAND_COMPARE_H

#include <shardwalk/cost.h>

#include "command/plan.h"

/* The machine that times are predicted for: the model's, or where that counts elements the hardware that is set. */
bool compare_machine(const struct wish *wish, int64_t devices, const sw_machine **machine, sw_diag *diag);

/* Volume and predicted time of each plan; measured: what the last run of this problem measured. */
struct plan_facts *compare_facts(const struct invocation *run, sw_plan *const *plans, int count, const sw_machine *machine,
	sw_diag *diag);

/* A sentence about the first of the plans, which are in order: by how much it is cheaper than the next, and what that one spends
 * more on. */
void compare_why(sw_plan *const *plans, int count, sw_text *text);

/* Adds a plan without its steps, as sw_plan_write writes it, with volume and times. */
bool compare_write(const sw_plan *plan, const struct plan_facts *facts, sw_text *text, sw_diag *diag);

#endif

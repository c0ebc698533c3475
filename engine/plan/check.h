/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checker, for the reader of plan files: it also says which value of the file is to blame.
 */
#ifndef SHARDWALK_PLAN_CHECK_H
#define SHARDWALK_PLAN_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/json_read.h>
#include <shardwalk/plan.h>

/* As sw_plan_check, or with `prefix` as sw_plan_check_prefix; on failure `where` is the path of the value that is wrong: "cost", "steps[2].groups". */
bool sw_plan_check_at(const sw_plan *plan, bool prefix, char where[SW_WHERE_SIZE], sw_diag *diag);

/* Was the plan made by a strategy of ours?  Plans of others keep their own order in groups. */
bool sw_plan_is_ours(const sw_plan *plan);

#endif

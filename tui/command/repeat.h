/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans that are executed many times: in every layer, at every step of a training.
 */
#ifndef SHARDWALK_COMMAND_REPEAT_H
#define SHARDWALK_COMMAND_REPEAT_H

#include <shardwalk/cost.h>

#include "command/command.h"
#include "views/views.h"

/* The number of --times, else of the setting. */

/* What so many executions come to, in elements, bytes and seconds: those of the plan's model, or where that counts elements of
 * the hardware that is set.  Error: S09, at the option where there is one. */
bool repeat_plan(const struct invocation *run, const sw_plan *plan, struct repeated *sum, sw_diag *diag);

/* The same by the settings of a session; times 1 where there is no plan, or the sums are too large to be told. */
struct repeated repeat_session(const struct session *session, const sw_plan *plan);

/* a * times, where both are known (negative: not).  Error: S09, which says what of. */
bool repeat_amount(int64_t amount, int64_t times, const char *what, int64_t *out, sw_diag *diag);

/* Marks --times; returns false. */
bool repeat_refuse(const struct invocation *run, sw_diag *diag);

/* Adds "repeated": {...}; nothing for times 1. */
void repeat_fields(const struct repeated *sum, struct fields *in);

#endif

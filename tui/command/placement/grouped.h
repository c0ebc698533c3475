/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs by hand: steps in groups of devices, on chunks.
 */
#ifndef SHARDWALK_COMMAND_GROUPED_H
#define SHARDWALK_COMMAND_GROUPED_H

#include <shardwalk/summing.h>

#include "command/command.h"

/* Has the operation a group form: `allreduce inside node`? */
bool is_grouped(sw_str text);

/* The present sum before its first step, with the setting `hierarchy` or that of the steps by hand.  Errors: L07, S08, E01. */
bool grouped_start(const struct session *session, sw_arena *arena, sw_summing *summing, sw_diag *diag);

/* The same after the first `count` steps by hand. */
bool grouped_after(const struct session *session, int count, sw_arena *arena, sw_summing *summing, sw_diag *diag);

/* The steps by hand, the first one first; how many. */
int grouped_steps(const struct session *session, sw_arena *arena, sw_step **steps);

/* Does every device hold the sum after the steps by hand?  P07 where it does not. */
bool grouped_reach_the_sum(const struct invocation *run, sw_diag *diag);

/* `apply` of a step in groups, `verify` of the steps. */
bool apply_grouped(struct invocation *run, sw_str text, sw_diag *diag);
bool verify_grouped(struct invocation *run, sw_diag *diag);

/* Are the steps by hand on chunks, and no plan? */
bool only_grouped(const struct session *session);

/* May a step on chunks, or on types, be the next by hand?  C02 where those before it are of the other kind. */
bool hand_goes_on(const struct session *session, bool on_chunks, sw_diag *diag);

#endif

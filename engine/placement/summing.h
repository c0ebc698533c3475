/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a step of a sum cannot be, in words.
 */
#ifndef SW_PLACEMENT_SUMMING_H
#define SW_PLACEMENT_SUMMING_H

#include <shardwalk/summing.h>

/* The premise that fails in a group, with the devices that break it; returns false. */
bool sw_summing_refuse(const sw_summing *summing, sw_op op, const sw_breach *breach, sw_diag *diag);

/* R09: the groups reach over an axis that is not summed; returns false. */
bool sw_summing_refuse_axis(const sw_summing *summing, const sw_step *step, int axis, sw_arena *arena, sw_diag *diag);

#endif

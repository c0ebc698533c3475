/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a system does by itself against what it does with advice, in three numbers that a program is paid in.
 */
#ifndef SW_ADVISE_WEIGH_H
#define SW_ADVISE_WEIGH_H

#include <shardwalk/advise.h>

/* `plans` plans one after the other against one; without a machine seconds are not known. */
void sw_advise_weigh(const sw_plan *now, const sw_plan *then, int plans, const sw_machine *machine,
	sw_advice_weight *weight);

/* `falls` and `rises`, from `now` and `then`. */
void sw_advise_compare(sw_advice_weight *weight);

/* What DTensor does where mesh dimensions are flattened, against `now`; count is 0 where no neighbouring collectives become one.
 * false: no memory.  It lives in `arena`. */
bool sw_advise_flatten(const sw_plan *now, const sw_machine *machine, sw_arena *arena, sw_flattened *flattened,
	sw_diag *diag);

#endif

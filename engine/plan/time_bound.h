/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What no plan can do in less time.
 */
#ifndef SW_PLAN_TIME_BOUND_H
#define SW_PLAN_TIME_BOUND_H

#include <shardwalk/cost.h>

/* Seconds that every plan takes: the largest of what one device has to get at the best rate there is, and what the devices
 * on one side of slow links have to get together over these.  0 where nothing has to move. */
double sw_bound_seconds(const sw_problem *problem, const sw_machine *machine);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A strategy as a row: what it is called, what it promises, and the function that considers its plans.
 *
 * The frame (find.c) fills a finder, calls that function, keeps the best plan that it considers, and finishes it: types,
 * groups, statistics, devices.  Of models in seconds find_timed.c stands between: it prices the same plans by the machine.
 */
#ifndef SW_PLAN_STRATEGY_H
#define SW_PLAN_STRATEGY_H

#include "plan/finder.h"

typedef struct sw_strategy_row {
	const char *name, *about;
	unsigned flags;                        /* of sw_strategy_flags */
	bool (*candidates)(sw_finder *finder); /* under models in elements */
} sw_strategy_row;

const sw_strategy_row *sw_strategy_row_of(sw_strategy strategy);

/* One function a strategy: considers plans by sw_finder_consider and, where it proves something, says in finder->best what.
 * false: see finder->diag. */
#define X(id, find, name, flags, about) bool sw_candidates_##find(sw_finder *finder);
SW_STRATEGIES(X)
#undef X

/* The same for a problem of which one end is no tile type. */
bool sw_consider_between(sw_finder *finder);

#endif

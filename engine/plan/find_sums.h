/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching plans between types with sums.
 */
#ifndef SW_PLAN_FIND_SUMS_H
#define SW_PLAN_FIND_SUMS_H

#include "plan/finder.h"

/* The candidates of `exact` and of `fused` (`multi_dim`), and what they prove.  false: see finder->diag. */
bool sw_candidates_with_sums(sw_finder *finder, bool multi_dim);

/* The shortest path over local types, lowered: the paper's plan.  Tells the optimum over local types too. */
bool sw_consider_sums_path(sw_finder *finder);

/* One allreduce over all sums of `from`, and a plan by another strategy; with `whole` one to values that are whole, and zeros behind
 * it. */
bool sw_consider_sum_first(sw_finder *finder, sw_strategy strategy, bool whole, int64_t budget);

/* The optimum over local types of a model, of steps of several dimensions or of one; 0: not known. */
bool sw_find_sums_bound(sw_finder *finder, sw_model model, bool multi_dim, int64_t *bound);

#endif

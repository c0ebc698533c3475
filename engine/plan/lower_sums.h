/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering paths over local types with sums.
 */
#ifndef SW_PLAN_LOWER_SUMS_H
#define SW_PLAN_LOWER_SUMS_H

#include "plan/lower_step.h"
#include "search/to_go.h"

/* Appends a path: layouts are followed from `from` on, and from `to` back, towards each other, and are joined by a permutation
 * where the path has one (without `always`, only if they differ there); a path without one gets it where tiles are smallest, if
 * they do not meet.  false where an axis is cut in a way that these orders of primes cannot say, or where memory is short. */
bool sw_lower_sums(sw_lowering *lowering, const sw_to_go *to_go, const sw_to_go_step *steps, int count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: from paths over layouts and over local types to the steps of a plan, each with the type (or map) that devices hold after it.
 *
 * Source: seed 000, sections 6.1 and 7.3.
 */
#ifndef SW_PLAN_LOWER_H
#define SW_PLAN_LOWER_H

#include "plan/lower_step.h"
#include "search/layout.h"

/* Appends a whole path. */
void sw_lower_path(sw_lowering *lowering, const sw_layout_path *path);

/* Appends a path over local types and the gathers home: every alltoall pops innermost parts, slices take the parts
 * that `to` has at that index, and where the end does not match one allpermute is put in: at the step where the path
 * has one, otherwise in front of the gathers home.  An allpermute between two names of one map would move nothing:
 * where the layouts from the start and those to the end meet in a map it is left out, and the step that leads there is
 * followed by the one that leads on.  Layouts are followed as far as they can express the
 * steps; beyond that (a factor that cuts across the primes at the minor end) maps are.  `ordered`: gathers home in
 * this order of dimensions (NULL: the smallest factors first, or all at once where `multi_dim`).
 * false where that cannot be done: more devices than maps allow. */
bool sw_lower_local(sw_lowering *lowering, const sw_layout_path *path, bool multi_dim, const int64_t *home,
	int homes);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of a step that are lines of digits: all devices that agree in the other digits.
 */
#ifndef SHARDWALK_PLAN_LINES_H
#define SHARDWALK_PLAN_LINES_H

#include <stdbool.h>

#include <shardwalk/plan.h>

#include "index/digits.h"

/* Finds the groups of a step as lines of digits, from the types before and after it.  Sets *legal to whether the
 * step is such a collective at all; false where it is not, or where its groups are no lines of digits. */
bool sw_groups_of_step(const sw_mesh *mesh, const sw_type *before, const sw_type *after, const sw_step *step,
	sw_groups *groups, bool *legal);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the order of adding changes: a run proves sums on data for which every order is exact, and other data are not like that.
 */
#ifndef SHARDWALK_LAUNCH_ROUNDING_H
#define SHARDWALK_LAUNCH_ROUNDING_H

#include <stdbool.h>

#include <shardwalk/plan.h>

/* By how much at most two orders of adding differ, as a share of the sum of the terms' magnitudes; 0: the plan adds no floating
 * elements. */
double rounding_of(const sw_plan *plan);

/* Adds a sentence: which steps add, and by how much the order matters. */
void rounding_print(const sw_plan *plan, sw_text *text);

#endif

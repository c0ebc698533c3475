/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines for algorithms, and schemes of rows.
 */
#ifndef SHARDWALK_SCHEDULE_ALGORITHM_H
#define SHARDWALK_SCHEDULE_ALGORITHM_H

#include <shardwalk/algorithm.h>

/* Does the row run on the machine of the question? */
bool sw_algorithm_fits(const sw_algorithm *algorithm, const sw_recipe_question *question);

/* Sets the extents of the nearest machine that it runs on.  Errors: D40. */
bool sw_algorithm_nearest(const sw_algorithm *algorithm, const sw_recipe_question *question, sw_scheme *scheme,
	sw_diag *diag);

/* How many axes its machine has, and what it is called: "a cube". */
int sw_algorithm_axes(const sw_algorithm *algorithm);
const char *sw_algorithm_machine(const sw_algorithm *algorithm);

/* Letters, arrays and homes of a row for these sizes; extents are 1. */
void sw_algorithm_scheme(const sw_algorithm *algorithm, const int64_t *size, sw_scheme *scheme);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines for algorithms, and schemes of rows.
 */
#ifndef SHARDWALK_SCHEDULE_ALGORITHM_H
#define SHARDWALK_SCHEDULE_ALGORITHM_H

#include <shardwalk/algorithm.h>

/* Does the row run on the machine of the question? */
bool sw_schedule_algorithm_fits(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question);

/* Sets the extents of the nearest machine that it runs on.  Errors: D40. */
bool sw_schedule_algorithm_nearest(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	sw_scheme *scheme, sw_diag *diag);

/* How many axes its machine has, and what it is called: "a cube". */
int sw_schedule_algorithm_axes(const sw_schedule_algorithm *algorithm);
const char *sw_schedule_algorithm_machine(const sw_schedule_algorithm *algorithm);

/* May a question say its steps, or their size? */
bool sw_schedule_algorithm_is_free(const sw_schedule_algorithm *algorithm);

/* Letters, arrays and homes of a row for these sizes; extents are 1. */
void sw_schedule_algorithm_scheme(const sw_schedule_algorithm *algorithm, const int64_t *size, sw_scheme *scheme);

/* Writes the statement and commands (up to NULL) of a row in the names of a question; words of a form are arrays and loops of the row, and
 * `$x`, `$s`, `$c` are extents, steps and the chunk of the recipe's scheme.  false: no memory. */
bool sw_recipe_write(const sw_schedule_algorithm *algorithm, const sw_recipe_question *question,
	const char *const *form, sw_arena *arena, sw_recipe *recipe);

/* Says on which machine it runs in place of the present one.  false: no memory. */
bool sw_recipe_remark(const char *what, const char *machine, const sw_recipe_question *question, sw_arena *arena,
	sw_recipe *recipe);

#endif

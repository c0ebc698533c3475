/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published algorithms as the schedule of the session.
 */
#ifndef SHARDWALK_COMMAND_ALGORITHM_H
#define SHARDWALK_COMMAND_ALGORITHM_H

#include <shardwalk/algorithm.h>

#include "command/command.h"

/* Does a text begin with the name of an algorithm? */
bool algorithm_begins(sw_str text);

/* `cannon m=9 n=9 k=9`: types, statement and commands for the present mesh, or for the nearest machine that does, which is said.  On more processors
 * than are listed its figures are told, which follow from formulas, nothing of the session changes, and *schedule is false.  Errors: D40 to
 * D42, L02, L07, S09, with places in the line. */
bool algorithm_take(struct invocation *run, sw_str text, bool *schedule, sw_diag *diag);

/* What an algorithm is asked where it computes the last formula: the present machine, and sizes and names of the formula.  false: it computes
 * another, or, with a diagnostic that is not OK, E01. */
bool algorithm_question(struct invocation *run, const sw_schedule_algorithm *algorithm, sw_recipe_question *question,
	sw_diag *diag);

/* Makes a recipe the schedule of the session: its machine, where that is another one, types, statement and commands;
 * and may write in the answer what the commands are over. */
bool algorithm_take_recipe(struct invocation *run, const sw_recipe *recipe, bool write, sw_diag *diag);

#endif

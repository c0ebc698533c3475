/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over axes that lie on a system, and the graphs of the programs that make them.
 */
#ifndef SHARDWALK_COMMAND_REDUCTION_H
#define SHARDWALK_COMMAND_REDUCTION_H

#include <shardwalk/reduction.h>

#include "answer/fields.h"
#include "session/sums.h"

struct invocation;

/* How many of the rows that are there are shown: --limit, else all of them as JSON and `usual` of them as a table.  false: the
 * option is no number. */
bool rows_to_show(const struct invocation *run, int64_t there, int64_t usual, int64_t *shown, sw_diag *diag);

/* The fastest programs of at most 5 steps as plans named by their numbers and steps, `most` at most, in `arena`. */
bool reductions_as_plans(const struct invocation *run, sw_arena *arena, int most, sw_plan **plans, int *count,
	sw_diag *diag);

/* Names the fastest program in which no device holds less than others, for who cannot say the present one. */
void reductions_hint_plain(const struct invocation *run, sw_diag *diag);

/* Adds the steps of a program with semicolons between them; or to a list, one by one. */
void reduction_steps_text(const sw_ports *ports, const sw_plan *program, sw_text *text);
void reduction_steps_fields(const sw_ports *ports, const sw_plan *program, struct fields *list);

#define REDUCTION_BEST "best" /* a name in the place of a number: the fastest program of any length */

#define INCOMPLETE "incomplete: the states of devices do not fit into the setting `plan_memory`"

/* Says that the graph was cut short by the setting `plan_memory`; nothing where it is complete. */
void say_incomplete(const struct invocation *run, const sw_contexts *contexts);

/* The program as a plan of the problem, in `arena`; best: seconds of the fastest of any length. */
bool reduction_as_plan(const sw_ports *ports, const sw_problem *problem, const sw_plan *program, double best,
	sw_arena *arena, sw_plan *plan, sw_diag *diag);

#endif

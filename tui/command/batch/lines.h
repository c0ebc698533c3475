/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch that ask for something else than a plan, by their keys:
 *
 *   "kind" of placements, groups or reduction programs           placement_line.c
 *   "text" whose first word is mesh: a program                   program_line.c
 *   "einsum", "a", "b" and perhaps "as", "hardware", "live", or
 *     "text" as the scaling book or JAX write it: a product      product_line.c
 *   "text", with "mesh", "shape" and perhaps "format": what the
 *     text of a sharding means                                   sharding_line.c
 *   "kernel", with "mesh" and a type for each array at its name, or
 *     at "type": what devices need for a formula; with "steps" and
 *     perhaps "every": the tasks of a repeated one               formula_line.c
 *   "partial" and "to": who sums what of whom                    sets_line.c
 *   "held" and perhaps "pairs", with both ends: how much devices
 *     hold and pass on, for types of any kind                    sets_line.c
 *   "type" and "mesh": what each device holds                    sets_line.c
 *   "machine", "statement", "shapes", "distributions" and
 *     "schedule": what moves in each step, and what it takes      schedule_line.c
 *   "m", "n", "k" and "processors": all algorithms that multiply
 *     two matrices; with "memory" the grid that moves least      schedules_line.c
 *   "machine", "distribution" and "shape": which box each device
 *     has of an array, by the notation `distal`                  placed_line.c
 *   both ends, where `--answer relation` asks: who needs what    sets_line.c
 *   "op", "hardware" and perhaps "axes", with both ends: what one
 *     collective takes under the model `roofline`                one_step.c
 */
#ifndef SHARDWALK_COMMAND_LINES_H
#define SHARDWALK_COMMAND_LINES_H

#include "command/batch/problem_json.h"

/* Does it ask that? */
typedef bool line_asked(json_t *line);
line_asked placement_line_asked, program_line_asked, product_line_asked, sharding_line_asked, one_step_asked,
	partial_line_asked, held_line_asked, type_line_asked, placed_line_asked, formula_line_asked, tasks_line_asked,
	schedule_line_asked, schedules_line_asked;

/* Answers in `of->answer`, or in words, where programs do not read it.  Errors: B03, and those of what is asked, marked in the
 * line.  Of a program that is refused positions are in its text, `of->refused`, and the answer says the rule and the line. */
typedef bool line_answer(struct problem_json *of, sw_diag *diag);
line_answer placement_line, program_line, product_line, sharding_line, partial_line, held_line, type_line,
	placed_line, formula_line, tasks_line, schedule_line, schedules_line;
bool relation_line(struct problem_json *of, const sw_problem *problem, sw_diag *diag);
bool one_step_line(struct problem_json *of, const sw_problem *problem, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of a batch that asks what one collective takes: "op", "hardware", and perhaps "axes".
 */
#ifndef SHARDWALK_COMMAND_ONE_STEP_H
#define SHARDWALK_COMMAND_ONE_STEP_H

#include "command/batch/problem_json.h"

/* Does it ask that? */
bool one_step_asked(json_t *line);

/* Answers with its seconds under the model `roofline`, and what bounds it.  Errors: B03, S11 and those of the step, marked in
 * the line where it says what is wrong. */
bool one_step_line(const struct problem_json *of, const sw_problem *problem, bool as_json, sw_text *out,
	sw_diag *diag);

#endif

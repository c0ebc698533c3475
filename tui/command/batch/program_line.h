/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of a batch that is a program: "text", whose first word is mesh.
 */
#ifndef SHARDWALK_COMMAND_PROGRAM_LINE_H
#define SHARDWALK_COMMAND_PROGRAM_LINE_H

#include <jansson.h>

#include "command/batch/problem_json.h"

/* Is it one? */
bool program_line_asked(json_t *line);

/* Answers with the types of its values, what moves, and how many notes there are; where types are open with what assign says.  Of a program that is refused `diag` says why, with
 * positions in its text, and `out` has the answer as JSON all the same, with the rule and the line; *text is that text then.
 * `of` brings the line, its JSON, its name and an arena. */
bool program_line(struct problem_json *of, bool as_json, const sw_pulse *pulse, sw_text *out, sw_str *text,
	sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of a batch that asks for a product of two sharded arrays: "einsum", "a", "b" and perhaps "as", "hardware", "live"; or
 * "text" as the scaling book or JAX write it.
 */
#ifndef SHARDWALK_COMMAND_PRODUCT_LINE_H
#define SHARDWALK_COMMAND_PRODUCT_LINE_H

#include <jansson.h>

#include "command/batch/problem_json.h"

/* Does it ask that? */
bool product_line_asked(json_t *line);

/* Answers with the keys of the file of cases that the line is of.  Errors: B03, and those of equations, meshes and types,
 * marked in the line. */
bool product_line(struct problem_json *of, bool as_json, const sw_pulse *pulse, sw_text *out, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of a batch that asks what the text of a sharding means: "text", with "mesh" and "shape", and perhaps "format".
 */
#ifndef SHARDWALK_COMMAND_SHARDING_LINE_H
#define SHARDWALK_COMMAND_SHARDING_LINE_H

#include <jansson.h>
#include <shardwalk/text.h>

#include "command/batch/problem_json.h"

/* Does it ask that? */
bool sharding_line_asked(json_t *line);

/* Answers with the type.  `of` brings the line, its JSON, its name and an arena.  Errors: B03, N05, and those of meshes and notations,
 * marked in the line. */
bool sharding_line(struct problem_json *of, bool as_json, sw_text *out, sw_diag *diag);

#endif

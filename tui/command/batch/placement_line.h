/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch that ask for placements, groups or reduction programs: objects with a "kind".
 */
#ifndef SHARDWALK_COMMAND_PLACEMENT_LINE_H
#define SHARDWALK_COMMAND_PLACEMENT_LINE_H

#include <jansson.h>

#include "command/batch/problem_json.h"

/* Is it of a kind that is answered here? */
bool placement_line_asked(json_t *line);

/* Answers with the keys of its kind.  Errors: B03 at the key, and those of what is asked. */
bool placement_line(struct session *session, const struct problem_json *of, sw_text *out, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `explain 17 over 8`: what the systems do with a size that does not divide.
 */
#ifndef SHARDWALK_COMMAND_UNEVEN_H
#define SHARDWALK_COMMAND_UNEVEN_H

#include <shardwalk/notation.h>

#include "command/command.h"

/* Is it such a question: a size or a shape, `over`, and what cuts it? */
bool is_uneven(sw_str text);

/* Answers it as a picture or as JSON, shardwalk.uneven/1. */
bool explain_uneven(struct invocation *run, sw_str text, sw_diag *diag);

/* Adds a sentence for each dimension whose size is known and does not divide: the systems differ there. */
void add_uneven(const sw_sharding *sharding, sw_text *out);

#endif

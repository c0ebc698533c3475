/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explain metafunctions TYPE and explain meaning TYPE: figures 6 and 7 of the first paper, on a type of the user's.
 */
#ifndef SHARDWALK_COMMAND_TYPE_RULES_H
#define SHARDWALK_COMMAND_TYPE_RULES_H

#include "command/command.h"

/* Does the text ask for one of these? */
bool is_type_rules(sw_str text);

/* Answers it.  Errors: L07 without a mesh, L03 without a type, those of types, at the text. */
bool explain_type_rules(struct invocation *run, sw_str text, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a type means in tensor distribution notation: its text there, the maps P and F of seed 003, section 3.2, and the statement
 * of section 5.3.
 */
#ifndef SHARDWALK_COMMAND_PLACED_H
#define SHARDWALK_COMMAND_PLACED_H

#include "command/ends.h"

/* Adds it to the answer, for a type that was written as `text`.  A tile type that no placement says adds nothing.  Errors: N02 for
 * one with words that no placement says, at the text; E01. */
bool explain_placed(const struct invocation *run, sw_str text, const struct any_type *type, sw_diag *diag);

#endif

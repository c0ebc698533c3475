/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements that a command makes of what it was told: they run as a part of it, so that it fails, or is taken back, as a whole.
 */
#ifndef SHARDWALK_COMMAND_WITHIN_H
#define SHARDWALK_COMMAND_WITHIN_H

#include "command/command.h"

/* Runs a statement as a part of the command that runs: nothing is remembered for `undo`, and what it answers is forgotten, but remarks.  Errors:
 * those of the statement; places are in it. */
bool statement_within(const struct invocation *run, sw_str statement, sw_diag *diag);

#endif

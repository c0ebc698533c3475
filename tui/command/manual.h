/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables as parts of the manual pages: `help --man TABLE` prints mdoc.
 */
#ifndef SHARDWALK_COMMAND_MANUAL_H
#define SHARDWALK_COMMAND_MANUAL_H

#include "command/command.h"

/* Prints the table that `word` names.  Error: L08. */
bool manual_answer(const struct invocation *run, const struct word *word, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables as parts of the manual pages: `help --man TABLE` prints mdoc.
 */
#ifndef SHARDWALK_COMMAND_MANUAL_H
#define SHARDWALK_COMMAND_MANUAL_H

#include "command/command.h"

/* Answers the table, one of those that manual_choice lists. */
void manual_answer(const struct invocation *run, int64_t table);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history: what was typed, for the next session too.
 *
 * The file is only added to, entry by entry, so that nothing is lost when the program or the machine goes down;
 * where it has grown long it is written anew at the start, and replaced when all is written.  Whatever is wrong with
 * it costs a warning and the file, never the session.  A line that starts with a tab goes on with the entry before.
 */
#ifndef SHARDWALK_SHELL_HISTORY_H
#define SHARDWALK_SHELL_HISTORY_H

#include <stdbool.h>

#include "answer/console.h"
#include "command/command.h"

#define HISTORY_MOST 2000               /* entries */
#define HISTORY_BYTES ((size_t)4 << 20) /* at the end of a file that are read */

/* Reads the file; with `keep` false there is none, and nothing is kept. */
void history_start(struct console *console, bool keep);

/* Adds an entry, which leaves where it stood before; several lines may be one entry. */
void history_append(struct console *console, const char *entry);

/* Entry n, the latest is 1; NULL where there is none. */
const char *history_entry(int n);

command_function command_history;

#endif

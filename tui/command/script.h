/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scripts: files, standard input and texts of the command line, line by line.
 */
#ifndef SHARDWALK_COMMAND_SCRIPT_H
#define SHARDWALK_COMMAND_SCRIPT_H

#include <stdbool.h>

#include <shardwalk/diag.h>

#include "session/session.h"

/* Runs a file ("-": standard input) as a script.  Failing statements are reported and counted; false only where
 * the file cannot be read: B01. */
bool script_run_file(struct session *session, const char *name, sw_diag *diag);

/* Runs a text, which its `name` stands for in messages. */
void script_run_text(struct session *session, const char *name, const char *text);

#endif

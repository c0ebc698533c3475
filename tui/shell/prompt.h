/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prompt: lines from a person.
 */
#ifndef SHARDWALK_SHELL_PROMPT_H
#define SHARDWALK_SHELL_PROMPT_H

#include "session/session.h"

/* Reads and runs lines until `quit` or the end of the input.  With a terminal on both sides they are edited by
 * readline; Ctrl-C drops the line.  Where a bracket or a quote is open the next line goes on. */
void prompt_run(struct session *session);

#endif

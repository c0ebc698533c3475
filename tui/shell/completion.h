/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `completion SHELL`: what bash and zsh offer behind `shardwalk`, written from the table of commands.
 */
#ifndef SHARDWALK_SHELL_COMPLETION_H
#define SHARDWALK_SHELL_COMPLETION_H

#include "command/command.h"

command_function command_completion;

/* The name of shell n, NULL after the last. */
choice_function shell_choice;

#endif

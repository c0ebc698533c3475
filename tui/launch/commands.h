/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that start ranks.
 */
#ifndef SHARDWALK_LAUNCH_COMMANDS_H
#define SHARDWALK_LAUNCH_COMMANDS_H

#include "command/command.h"

command_function command_run, command_calibrate, command_evaluate;

#endif

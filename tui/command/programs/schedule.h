/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules as commands.
 */
#ifndef SHARDWALK_COMMAND_SCHEDULE_H
#define SHARDWALK_COMMAND_SCHEDULE_H

#include "command/command.h"

/* The lines that make numbers with names, and the schedule, again. */
void schedule_save_params(const struct state *state, sw_text *text);
void schedule_save(const struct state *state, sw_text *text);

#endif

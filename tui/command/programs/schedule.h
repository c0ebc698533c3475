/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules as commands.
 */
#ifndef SHARDWALK_COMMAND_SCHEDULE_H
#define SHARDWALK_COMMAND_SCHEDULE_H

#include "command/command.h"

/* Is the schedule what was made last, and what is looked at? */
bool schedule_is_subject(const struct state *state);

/* Runs it on virtual processors with small integers, and compares the left side with what one processor makes.  Errors: S08 where the arrays take
 * more than `--memory`, P04, S03, E01. */
bool schedule_simulate(struct invocation *run, sw_diag *diag);

/* The lines that make numbers with names, and the schedule, again. */
void schedule_save_params(const struct state *state, sw_text *text);
void schedule_save(const struct state *state, sw_text *text);

#endif

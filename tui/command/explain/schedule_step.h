/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `explain` tells of schedules: a step, message by message, and commands.
 */
#ifndef SHARDWALK_COMMAND_SCHEDULE_STEP_H
#define SHARDWALK_COMMAND_SCHEDULE_STEP_H

#include "command/command.h"

/* Is it `step`, or `step N`? */
bool is_schedule_step(sw_str word);

/* Why what moves in a step moves: which loop goes on, what is needed, who of those that have it is nearest. */
bool explain_schedule_step(struct invocation *run, sw_str word, sw_diag *diag);

/* The command of schedules of this name; NULL: there is none. */
struct sw_schedule_command_row;
const struct sw_schedule_command_row *schedule_command_named(sw_str word);

/* Draws what it means from row `y` on; the next row. */
int schedule_command_draw(sw_str word, struct canvas *canvas, int y);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of types that were chosen for a program.
 */
#ifndef SHARDWALK_COMMAND_ASSIGN_H
#define SHARDWALK_COMMAND_ASSIGN_H

#include <jansson.h>

#include <shardwalk/assign.h>

#include "answer/fields.h"

/* Adds "cost" or "seconds", and whether that is proved. */
void assign_cost_fields(const sw_assignment *found, bool seconds, struct fields *fields);

/* Adds what a line of a batch asks of a program with open types: what it costs without a bound, on its "hardware" seconds, and
 * within each of its "budgets". */
bool assign_line_fields(const json_t *line, const sw_program *program, const sw_pulse *pulse, sw_arena *arena,
	struct fields *fields, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present program with a plan for each of its redistributions, as it is executed.
 */
#ifndef SHARDWALK_COMMAND_PLANNED_H
#define SHARDWALK_COMMAND_PLANNED_H

#include <shardwalk/planned.h>

#include "command/command.h"

/* Takes the plans that were chosen, and finds the others by the settings; with `--dtype` of elements of that type.  Everything
 * lives in `arena`, or in the session's.  Errors: L07 where there is no program, A10, T07, those of plans. */
bool planned_present(const struct invocation *run, sw_arena *arena, sw_program *planned, sw_diag *diag);

/* The same of another program, without plans that were chosen. */
bool planned_of(const struct invocation *run, const sw_program *program, sw_arena *arena, sw_program *planned,
	sw_diag *diag);

/* The program itself, or with `--dtype` a copy in `arena` with elements of that type.  T07, E01. */
bool planned_with_dtype(const struct invocation *run, const sw_program *program, sw_arena *arena,
	const sw_program **out, sw_diag *diag);

/* Is the present program what `run` executes: none of its redistributions is entered, and no plan was made since? */
bool planned_is_present(const struct session *session);

/* Makes what a file of a program holds the present program, and its plans those of the redistributions.  What it points to lives
 * in the session's arena.  Errors with positions in the text. */
bool planned_open(const struct invocation *run, sw_str text, const char *source, sw_diag *diag);

/* Adds it as such a file. */
bool planned_write(const struct invocation *run, sw_text *text, sw_diag *diag);

#endif

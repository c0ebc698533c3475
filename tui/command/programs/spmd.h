/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is shown of the present program.
 */
#ifndef SHARDWALK_COMMAND_SPMD_H
#define SHARDWALK_COMMAND_SPMD_H

#include "command/command.h"
#include "session/present.h"
#include "views/program.h"

/* The present program as it is shown, each redistribution with the plan that was chosen for it, or one by the settings.  It is
 * kept for the screens.  Errors: L07, S03, E01, and settings that cannot be. */
bool program_picture_make(const struct invocation *run, const struct program_picture **picture, sw_diag *diag);

/* Adds "values", "redistributions" and "notes" as lines of a batch have them. */
void program_line_fields(const sw_program *program, struct fields *fields);

/* Seconds are told of hardware that was chosen, or where a model counts them; else *machine is NULL.  S10, S11. */
bool program_machine(const struct session *session, int64_t devices, const sw_machine **machine, sw_diag *diag);

/* Parses a program whose text and values live in `arena` from then on.  A failure leaves nothing there. */
bool program_parse_in(sw_arena *arena, sw_str text, sw_program *program, sw_diag *diag);

/* A program that was read elsewhere becomes the present one, and with it, where `with_mesh`, its mesh.  Error: E01. */
bool program_keep(struct invocation *run, const sw_program *program, const char *source, bool with_mesh,
	sw_diag *diag);

/* The text of file `source` becomes the present program, with its mesh, and is shown.  Errors: those of sw_program_parse, in the
 * file, and E01. */
bool program_open(struct invocation *run, const char *source, sw_str text, sw_diag *diag);

/* Answers with the present program, or with its fields.  Errors: as program_picture_make. */
bool program_answer(struct invocation *run, sw_diag *diag);

#endif

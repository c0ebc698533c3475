/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies: what every device runs on its tiles, typed by figure 9 of seed 000.  A body is a program on one device, whose arrays are those
 * tiles: parameters are its inputs, and its result has the type behind `as`.
 */
#ifndef SW_PROGRAM_BODY_H
#define SW_PROGRAM_BODY_H

#include "program/typing.h"

/* Begins a body. */
void sw_body_start(sw_program *body);

/* A tile as the type of a value of a body. */
sw_type sw_body_tile(const int64_t *tile, int rank);

/* Is the parameter's tile that of an operand of this type?  Of an open operand any tile that divides it is.  Error: A12. */
bool sw_body_check_parameter(const sw_mesh *mesh, const sw_type *operand, bool open, const sw_value *parameter,
	sw_diag *diag);

/* Adds a call, whose value is called `name`, to a body that grows.  The value; -1: A13, E01. */
int sw_body_call(sw_typing *body, const sw_step *call, sw_str name, sw_diag *diag);

/* Does the body return the local type behind `as`?  Error: A15. */
bool sw_body_check_result(const sw_mesh *mesh, const sw_program *body, sw_diag *diag);

/* Is what devices compute that are to hold copies, the same?  Error: A16, with the axis and two devices. */
bool sw_body_check_copies(const sw_mesh *mesh, const sw_program *body, const sw_type *const *operand, sw_diag *diag);

/* The types of all values if the body were operations on the whole arrays, by the rules of global statements, in `arena`; how
 * many of the first have one, -1 where memory is short. */
int sw_body_of_arrays(const sw_mesh *mesh, const sw_program *body, const sw_type *const *operand, sw_arena *arena,
	const sw_type **types);

/* The note where the type behind `as` is one of what is computed, but not of the same operations on the whole arrays; NULL: none.
 * false: memory is short. */
bool sw_body_note(const sw_mesh *mesh, const sw_program *body, const sw_type *const *operand, sw_arena *arena,
	const char **note);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies: what every device runs on its tiles, typed by figure 9 of seed 000.
 */
#ifndef SW_PROGRAM_BODY_H
#define SW_PROGRAM_BODY_H

#include <shardwalk/program.h>

/* Is the parameter's tile that of an operand of this type?  Of an open operand any tile that divides it is.  Error: A12. */
bool sw_body_check_parameter(const sw_mesh *mesh, const sw_type *operand, bool open, const sw_local *parameter,
	sw_diag *diag);

/* The tile of a call, and what it is computed from, by its operands.  Error: A13. */
bool sw_body_compute(const sw_local *locals, sw_local *call, sw_diag *diag);

/* Does the body return the local type of `as`?  Error: A15. */
bool sw_body_check_result(const sw_mesh *mesh, const sw_body *body, sw_diag *diag);

/* Is what devices compute that are to hold copies, the same?  Error: A16, with the axis and two devices. */
bool sw_body_check_copies(const sw_mesh *mesh, const sw_body *body, const sw_type *operand, sw_diag *diag);

/* The types of all locals if the body were operations on the whole arrays, by the rules of global statements, in `arena`; how
 * many of the first have one, -1 where memory is short. */
int sw_body_of_arrays(const sw_mesh *mesh, const sw_body *body, const sw_type *operand, sw_arena *arena,
	const sw_type **types);

/* The note where `as` is a type of what is computed, but not of the same operations on the whole arrays; NULL: none.  false:
 * memory is short. */
bool sw_body_note(const sw_mesh *mesh, const sw_body *body, const sw_type *operand, sw_arena *arena,
	const char **note);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program with the types that were chosen for it.
 */
#ifndef SW_PROGRAM_ASSIGN_FILL_H
#define SW_PROGRAM_ASSIGN_FILL_H

#include "program/assign_net.h"

/* The homes of all values; an input that is moved keeps the type that is given.  Errors: S03 where the pulse ends
 * it, E01. */
bool sw_fill_homes(sw_net *net, const int32_t *values, sw_arena *arena, const sw_type *const **homes, sw_diag *diag);

/* A copy of the program in which homes, of which `out` has a list, and uses are filled in.  A home to which an input is moved and a
 * second type are values of their own: `redistribute` statements in front of the first use that begins there, told in out->move.  Errors: those of
 * sw_program_type; S03 where the pulse ends it; E01. */
bool sw_fill_program(sw_net *net, const int32_t *values, sw_arena *arena, sw_program *assigned, sw_assignment *out,
	sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Typing a program statement by statement, as it is read.
 */
#ifndef SW_PROGRAM_TYPING_H
#define SW_PROGRAM_TYPING_H

#include <shardwalk/program.h>

/* Types statement `s`, whose operands are typed, and its value.  As sw_program_type; positions are empty. */
bool sw_typing_statement(sw_program *program, int s, bool uses, sw_diag *diag);

/* The homes of the operands of a statement. */
void sw_typing_operands(const sw_program *program, const sw_program_statement *statement,
	sw_type operand[SW_MAX_OPERANDS]);

/* Has the returned value the type of the signature?  With `uses` it may be redistributed to it.  Error: A18. */
bool sw_typing_return(sw_program *program, bool uses, sw_diag *diag);

/* Types all statements and the return.  What was typed before an error stays so.  S03 where `pulse`, which may be NULL, ended it. */
bool sw_typing_all(sw_program *program, bool uses, const sw_pulse *pulse, sw_diag *diag);

/* The one element type that is said holds for all types that say none. */
void sw_typing_elements(sw_program *program);

/* Finds the notes of a typed program.  Error: E01. */
bool sw_typing_notes(sw_program *program, sw_arena *arena, sw_diag *diag);

#endif

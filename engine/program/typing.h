/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Typing a program statement by statement, as it is read.
 */
#ifndef SW_PROGRAM_TYPING_H
#define SW_PROGRAM_TYPING_H

#include <shardwalk/program.h>

/* The latest types of statements, so that those that are alike share them. */
enum { SW_TYPING_LATEST = 256 };

typedef struct sw_typing {
	sw_arena *arena; /* where they live; all else begins as NULL */
	const sw_statement_types *latest[SW_TYPING_LATEST];
} sw_typing;

/* The same types, in the arena.  NULL: memory. */
const sw_statement_types *sw_typing_share(sw_typing *typing, const sw_statement_types *types);

/* Puts an element type into the types of a statement, each in the way of `put`.  false: memory. */
bool sw_typing_put(sw_typing *typing, sw_program_statement *statement, void (*put)(sw_type *type, sw_dtype dtype),
	sw_dtype dtype);

/* Types statement `s`, whose operands are typed, and its value.  As sw_program_type; positions are empty. */
bool sw_typing_statement(sw_typing *typing, sw_program *program, int s, bool uses, sw_diag *diag);

/* The homes of the operands of a statement. */
void sw_typing_operands(const sw_program *program, const sw_program_statement *statement,
	sw_type operand[SW_MAX_OPERANDS]);

/* Has the returned value the type of the signature?  With `uses` it may be redistributed to it.  Error: A18. */
bool sw_typing_return(sw_program *program, bool uses, sw_diag *diag);

/* Types all statements and the return.  What was typed before an error stays so.  S03 where `pulse`, which may be NULL, ended it. */
bool sw_typing_all(sw_typing *typing, sw_program *program, bool uses, const sw_pulse *pulse, sw_diag *diag);

/* The one element type that is said holds for all types that say none.  Error: E01. */
bool sw_typing_elements(sw_typing *typing, sw_program *program, sw_diag *diag);

/* Finds the notes of a typed program.  Error: E01. */
bool sw_typing_notes(sw_program *program, sw_arena *arena, sw_diag *diag);

#endif

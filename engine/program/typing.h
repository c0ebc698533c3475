/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that grows step by step, typed as it grows: while it is read, while types that were chosen are filled in, while a text of
 * others is translated.
 */
#ifndef SW_PROGRAM_TYPING_H
#define SW_PROGRAM_TYPING_H

#include <shardwalk/program.h>

struct sw_computation;

/* The latest types, so that those that are alike are shared. */
enum { SW_TYPING_LATEST = 256 };

typedef struct sw_typing {
	sw_program *program; /* its mesh is set, and nothing else */
	sw_arena *arena;
	int likely; /* values, where that is known; 0: it is not */
	int value_room, step_room;
	const sw_type *latest[SW_TYPING_LATEST];
} sw_typing;

/* The same type in the arena, shared with one that is alike where that was asked for lately.  NULL: memory. */
const sw_type *sw_typing_share(sw_typing *typing, const sw_type *type);

/* Adds an input; all of them come before any step.  false: memory. */
bool sw_typing_input(sw_typing *typing, const sw_value *input);

/* Adds a step in the types in which its operands are, and the value that it makes, of which `value` says name, place, and whether it is
 * left open; of a redistribution and of a body the type too.  Where an operand is open only sizes are known, and the value is open.
 * Returns the value; -1: errors A02 to A18, E01.  Positions are empty. */
int sw_typing_step(sw_typing *typing, const sw_step *step, const sw_value *value, sw_diag *diag);

/* Adds a step and its value as they are, of this type and the words of the value.  Returns the value; -1: E01. */
int sw_typing_add(sw_typing *typing, const sw_step *step, const sw_value *value, const sw_type *type, sw_diag *diag);

/* Adds a step that the text does not have, by which a value comes to another type.  Returns what it makes; -1: E01. */
int sw_typing_move(sw_typing *typing, int value, sw_step_why why, const sw_type *type,
	const struct sw_distribution *words, sw_diag *diag);

/* The latest value kept in this type: itself, or what another step makes of it.  -1: A17, E01. */
int sw_typing_keep(sw_typing *typing, const sw_type *type, const struct sw_distribution *words, sw_diag *diag);

/* A value as the step that comes next uses it: itself, or what another step makes of it.  -1: A17, E01. */
int sw_typing_use(sw_typing *typing, int value, const sw_type *type, sw_diag *diag);

/* A value is returned in the type of the signature; NULL: in any.  With `moves` another step may bring it there.  Errors: A18, E01. */
bool sw_typing_return(sw_typing *typing, int value, const sw_type *type, const struct sw_distribution *words,
	bool moves, sw_diag *diag);

/* Adds the statement of a computation whose arrays are the values `of` (-1: the left side, which is new): what brings them to where
 * they are needed, what is computed, and what brings that to where it is kept.  `value` says name and place, and whether the type of the left
 * side is given.  `times` is that of the step.  Returns the value that is kept; -1: errors F14, F17, F19, T17, E01. */
int sw_typing_formula(sw_typing *typing, const struct sw_computation *computation, int64_t times, const int *of,
	sw_span at, const sw_value *value, sw_diag *diag);

struct sw_lowering;
struct sw_array_type;

/* Adds the statement of a schedule, as the steps of its loop (schedule_program.h), whose arrays are the values `of` (-1: the left side, where it
 * begins as 0), and which makes this type.  Returns the value that is kept; -1: errors S08, F14, T16, E01. */
int sw_typing_schedule(sw_typing *typing, const struct sw_lowering *lowering, const int *of, sw_span at,
	const sw_value *value, const struct sw_array_type *left, sw_diag *diag);

/* Where one element type is said, and no other, all values have it; and the notes of a typed program.  Error: E01. */
bool sw_typing_finish(sw_typing *typing, sw_diag *diag);

/* Makes values and steps of a copy its own, without plans.  false: memory. */
bool sw_typing_own(sw_typing *typing, sw_program *program);

/* Puts an element type into all types of a program, each in the way of `put`; values and steps are its own.  false: memory. */
bool sw_typing_put(sw_typing *typing, sw_program *program, void (*put)(sw_type *type, sw_dtype dtype),
	sw_dtype dtype);

/* The program as it is written: without the steps that bring values to where they are used, kept or returned.  `of`: of each value of
 * the program the one that it is there; what is only used elsewhere is the value that it is made of.  false: memory. */
bool sw_program_bare(const sw_program *program, sw_arena *arena, sw_program *bare, int *of);

#endif

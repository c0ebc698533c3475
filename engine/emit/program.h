/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers of programs share: types over a mesh whose whole axes they use, names, and the products on whole arrays
 * that a program compares itself with.
 */
#ifndef SW_EMIT_PROGRAM_H
#define SW_EMIT_PROGRAM_H

#include "emit/python.h"

#define SW_PROGRAM_HINT "`explain P06` tells what each format says; other formats may say it"

typedef struct sw_program_emitter {
	sw_emitter e; /* its plan is NULL */
	const sw_program *program;
	sw_mesh mesh;                   /* of all types below */
	sw_type *home, *use, *computed; /* of values; two of each statement; of statements */
	sw_type result;
	const char **name; /* of values */
} sw_program_emitter;

/* Refuses what the format cannot say of statement `s`: P06. */
bool sw_program_refuse(const sw_program_emitter *w, int s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Refuses types that no mesh or order of axes fits, with the first statement up to which they do not: P06. */
typedef bool (*sw_program_fits)(const void *context, const sw_type *const *list, int count);
bool sw_program_refuse_types(const sw_program_emitter *w, sw_program_fits fits, const void *context,
	const char *reason);

/* Does a statement use a sum? */
bool sw_program_uses_sum(const sw_program_emitter *w, int s);

/* Adds the program as a comment, each line behind `mark`. */
void sw_program_remark(const sw_program_emitter *w, const char *mark);

/* A name of a program as Python reads it, and the programs that are written do not use it.  NULL: E01. */
const char *sw_program_python_name(sw_arena *arena, sw_str name);

/* Adds `whole_program(inputs, negative)` of numpy, which also returns the largest value on the way.  Bodies ask for
 * `on_tiles`, and a `body_N` and `TILES_N` of each. */
void sw_program_python_whole(const sw_program_emitter *w);

/* Adds `values_of()`, the inputs, and `compared(got, inputs)`. */
void sw_program_python_check(const sw_program_emitter *w);

/* Adds `NAME, NAME`, the inputs. */
void sw_program_python_inputs(const sw_program_emitter *w);

/* Adds `"ij,jk->ik"`. */
void sw_program_python_equation(const sw_program_emitter *w, int s);

/* The value that statement `s` makes, and its operand k. */
static inline int sw_program_made(const sw_program_emitter *w, int s)
{
	return sw_program_value_of(w->program, s);
}

static inline int sw_program_operand(const sw_program_emitter *w, int s, int k)
{
	return w->program->statement[s].operand[k];
}

/* Is a value moved between these two types? */
static inline bool sw_program_moves(const sw_program_emitter *w, const sw_type *from, const sw_type *to)
{
	return !sw_type_same_map(&w->mesh, from, to);
}

bool sw_emit_program_jax(sw_program_emitter *w);
bool sw_emit_program_dtensor(sw_program_emitter *w);
bool sw_emit_program_shardy(sw_program_emitter *w);
bool sw_emit_program_stablehlo(sw_program_emitter *w);

#endif

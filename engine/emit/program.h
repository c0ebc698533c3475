/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers of programs share: types over a mesh whose whole axes they use, names, and the products on whole arrays
 * that a program compares itself with.
 */
#ifndef SW_EMIT_PROGRAM_H
#define SW_EMIT_PROGRAM_H

#include <shardwalk/planned.h>

#include "emit/python.h"

#define SW_PROGRAM_HINT "`explain P06` tells what each format says; other formats may say it"

typedef struct sw_program_emitter {
	sw_emitter e; /* its plan is NULL, but where that is the whole program */
	sw_emit_kind kind;
	const sw_program *program;
	sw_mesh mesh;   /* of all types below */
	sw_type *type;  /* of values */
	sw_type result; /* of the signature */
	const char **
		name; /* of values; one that is only used, or kept, elsewhere may have that of the value that it is made of */
	sw_emitter *move; /* of each step with a plan, made ready; of formats that write the steps of plans */
	bool finer;       /* the mesh has finer axes than that of the program */
	const sw_type_chain
		*chain; /* of a plan that JAX finds by constraints, which may need several meshes; else NULL */
} sw_program_emitter;

/* A plan as a program that moves one array, named `a`, through these types; a step has `inside` as its plan.  false: E01. */
bool sw_program_of_types(sw_emitter *e, const sw_type *type, int count, const sw_plan *inside, sw_program_emitter *w);

/* The same in one step, from one end to the other. */
bool sw_program_of_plan(sw_emitter *e, sw_program_emitter *w);

/* Refuses what the format cannot say of step `s`: P06. */
bool sw_program_refuse(const sw_program_emitter *w, int s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Says at the head of a P06 which step of the program it is about, but not where the step is a whole plan; false, as everything that
 * refuses. */
bool sw_program_refused(const sw_program_emitter *w, int s);

/* Refuses types that no mesh or order of axes fits, with the first step up to which they do not: P06. */
typedef bool (*sw_program_fits)(const void *context, const sw_type *const *list, int count);
bool sw_program_refuse_types(const sw_program_emitter *w, sw_program_fits fits, const void *context,
	const char *reason);

/* Does it more than move arrays? */
bool sw_program_computes(const sw_program_emitter *w);

/* Whole numbers of so many bits are exact in an element type, whatever the order of adding. */
int sw_program_exact_bits(sw_dtype dtype);

/* Does a step use a sum? */
bool sw_program_uses_sum(const sw_program_emitter *w, int s);

/* Begins a comment, whose lines have `mark` before them: what is written, and how, and then the program; or the problem of its plan,
 * where it is no more than that. */
void sw_program_head(const sw_program_emitter *w, const char *open, const char *mark, const char *how);

/* Adds what step `s` does: `h = einsum "ij,jk->ik" x w as [4, 8]`. */
void sw_program_words(const sw_program_emitter *w, int s, sw_text *text);

/* Takes names as Python reads them, which the programs that are written do not use.  false: E01. */
bool sw_program_python_names(sw_program_emitter *w);

/* Adds an expression in which `%a` and `%b` stand for operands, and `%n` for a module. */
void sw_program_python_form(sw_text *text, const char *form, const char *module, const char *a, const char *b);

/* Adds `whole_program(inputs, negative)` of numpy, which also returns the largest value on the way.  Bodies ask for
 * `on_tiles`, and a `body_N` and `TILES_N` of each. */
void sw_program_python_whole(const sw_program_emitter *w);

/* Adds `values_of()`, the inputs, and `compared(got, inputs)`. */
void sw_program_python_check(const sw_program_emitter *w);

/* Adds `NAME, NAME`, the inputs. */
void sw_program_python_inputs(const sw_program_emitter *w);

/* Adds `"ij,jk->ik"`. */
void sw_program_python_equation(const sw_program_emitter *w, int s);

static inline const sw_step *sw_program_step_at(const sw_program_emitter *w, int s)
{
	return &w->program->step[s];
}

/* The type of the value that step `s` makes, and of its operand k. */
static inline const sw_type *sw_program_made(const sw_program_emitter *w, int s)
{
	return &w->type[sw_program_value_of(w->program, s)];
}

static inline const sw_type *sw_program_used(const sw_program_emitter *w, int s, int k)
{
	return &w->type[w->program->step[s].operand[k]];
}

/* The step that brings a value to where it is used, which is written where that is; -1: it lies there. */
static inline int sw_program_use(const sw_program_emitter *w, int value)
{
	int s = sw_program_maker(w->program, value);

	return s >= 0 && w->program->step[s].why == SW_STEP_TO_USE ? s : -1;
}

/* How a program of JAX says where its arrays are: by the shardings of an explicit mesh, by constraints that its compiler follows, or by
 * the tiles on which shard_map works. */
typedef enum sw_jax_form { SW_JAX_EXPLICIT, SW_JAX_CONSTRAINTS, SW_JAX_TILES } sw_jax_form;

/* Adds the head of a program of JAX, up to `DTYPE`; and what stands behind `program`, which it runs and checks. */
void sw_program_jax_head(const sw_program_emitter *w, sw_jax_form form);
void sw_program_jax_tail(const sw_program_emitter *w, sw_jax_form form);

/* Adds a module of Shardy up to the operations of its function. */
void sw_shardy_begin(sw_program_emitter *w);

bool sw_emit_program_jax(sw_program_emitter *w);
bool sw_emit_program_dtensor(sw_program_emitter *w);
bool sw_emit_program_shardy(sw_program_emitter *w);
bool sw_emit_program_stablehlo(sw_program_emitter *w);
bool sw_emit_program_mpi(sw_program_emitter *w);

/* The same of a program that is a schedule (schedule_mpi.c). */
bool sw_emit_schedule_mpi(sw_program_emitter *w);

/* By MPI or NCCL, SW_MPI_RANKS or SW_MPI_GPUS (mpi_body.h); `e` may have a plan, which is the only step. */
bool sw_emit_program_c(sw_program_emitter *w, unsigned by);
bool sw_emit_program_shard_map(sw_program_emitter *w);

#endif

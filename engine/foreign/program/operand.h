/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of products share: refusals, and types of arrays from what stands beside their names.
 */
#ifndef SW_FOREIGN_PROGRAM_OPERAND_H
#define SW_FOREIGN_PROGRAM_OPERAND_H

#include <shardwalk/notation.h>
#include <shardwalk/program_text.h>

typedef struct operand_text {
	sw_str text; /* all of it: positions count from its start */
	const sw_mesh *mesh;
	sw_arena *arena;
	sw_diag *diag;
} operand_text;

/* The position of a slice. */
sw_span operand_span(const operand_text *of, sw_str slice);

/* Refuses a slice: N01, with what would do. */
bool operand_refuse(const operand_text *of, sw_str slice, const char *expected);

/* A diagnostic whose positions count from the start of this slice, or that has none, is about it; returns false. */
bool operand_blame(const operand_text *of, sw_str slice);

/* The type of an array of this shape (NULL: the text says its own) with that sharding, in any notation. */
bool operand_sharded(const operand_text *of, sw_str text, const sw_type *shape, sw_type *type);

/* Checks letters and sizes, makes a result type that is wanted whole, and blames `all` for what is wrong. */
bool operand_shape(const operand_text *of, sw_str all, sw_product *product, sw_type *result);

/* A product as the scaling book writes it. */
bool operand_book(const operand_text *of, sw_product *product);

/* jnp.einsum(...), jnp.dot(...), jnp.matmul(...), or `A @ B`, in its parts. */
typedef struct jax_call {
	sw_str name; /* without what stands before its last dot; `@`: the operator */
	sw_str equation, operand[2], out;
	int operands;
} jax_call;
bool jax_call_read(const operand_text *of, sw_str text, jax_call *call);

/* `x: f32[8,2048] P('x', 'y')`, `f32[8@x,2048]`: an operand as JAX's texts have it. */
bool jax_operand(const operand_text *of, sw_str item, sw_type *type);

/* The equation of `A @ B`, jnp.matmul or jnp.dot (`call`) for arrays of these ranks.  Error: A03. */
bool jax_contraction(const operand_text *of, sw_str call, const sw_type *a, const sw_type *b, sw_equation *equation);

#endif

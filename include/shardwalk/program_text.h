/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products and programs as other systems write them: what the scaling book, JAX, and modules of Shardy and StableHLO say,
 * as equations, types and programs.
 */
#ifndef SHARDWALK_PROGRAM_TEXT_H
#define SHARDWALK_PROGRAM_TEXT_H

#include <stdbool.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/product.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef enum sw_product_form {
	SW_PRODUCT_LETTERS, /* `ij,jk->ik A, B`, which is none of the others */
	SW_PRODUCT_BOOK,    /* `A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]` */
	SW_PRODUCT_JAX      /* `jnp.einsum('ij,jk->ik', a: f32[64,32] P('x'), b: f32[32,48])` */
} sw_product_form;

typedef struct sw_product_text {
	sw_equation equation;
	sw_type a, b;
	bool wanted; /* the text says what the result shall be */
	sw_type as;
	sw_span at_a, at_b, at_as; /* where they stand in the text */
} sw_product_text;

/* The form that a text seems to be in. */
sw_product_form sw_product_form_of(sw_str text);

/* A product over this mesh as the scaling book writes it: `NAME[LETTER:SIZE, ...]` twice, with the axes of the mesh as
 * subscripts and `{U_X}` behind for sums, `*`, `@` or `·` between them or nothing, and perhaps an arrow and the result.  A size
 * that one array says holds for the letter wherever it stands; a name of more letters becomes one.
 * Errors: N01, N03 for a size that is nowhere, those of types; A02 to A04. */
bool sw_product_read_book(const sw_mesh *mesh, sw_str text, sw_arena *arena, sw_product_text *product, sw_diag *diag);

/* A product over this mesh as JAX writes it: jnp.einsum, jnp.dot, jnp.matmul, or `@`, of operands with their types,
 * `x: f32[8,2048] P('x', 'y')` or `x: f32[8@x,2048@y]`, and perhaps out_sharding=.  Errors: as above. */
bool sw_product_read_jax(const sw_mesh *mesh, sw_str text, sw_arena *arena, sw_product_text *product, sw_diag *diag);

#pragma GCC visibility pop

#endif

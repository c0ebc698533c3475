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
#include <shardwalk/program.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef enum sw_product_form {
	SW_PRODUCT_LETTERS, /* `ij,jk->ik A, B`, which is none of the others */
	SW_PRODUCT_BOOK,    /* `A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]` */
	SW_PRODUCT_JAX      /* `jnp.einsum('ij,jk->ik', a: f32[64,32] P('x'), b: f32[32,48])` */
} sw_product_form;

/* The form that a text seems to be in. */
sw_product_form sw_product_form_of(sw_str text);

/* A product over this mesh, in a form other than letters.
 *
 * As the scaling book writes it: `NAME[LETTER:SIZE, ...]` twice, with the axes of the mesh as
 * subscripts and `{U_X}` behind for sums, `*`, `@` or `·` between them or nothing, and perhaps an arrow and the result.  A size
 * that one array says holds for the letter wherever it stands; a name of more letters becomes one.
 *
 * As JAX writes it: jnp.einsum, jnp.dot, jnp.matmul, or `@`, of operands with their types,
 * `x: f32[8,2048] P('x', 'y')` or `x: f32[8@x,2048@y]`, and perhaps out_sharding=.
 *
 * Errors: N01, N03 for a size that is nowhere, those of types; A02 to A04. */
bool sw_product_read(const sw_mesh *mesh, sw_str text, sw_arena *arena, sw_product *product, sw_diag *diag);

/* ---- programs ---- */

/* Operations that the language has not: what they make counts as an input. */
typedef struct sw_program_left {
	const char *name; /* "stablehlo.transpose" */
	int64_t line;     /* of the first of them, from 1 */
	int64_t count;
} sw_program_left;

/* A statement whose local rule does not take its operands as they are kept: in which types it uses them is open. */
typedef struct sw_program_conflict {
	sw_span at;
	int64_t line;
	const char *rule; /* NULL: none */
	const char *why;
} sw_program_conflict;

typedef struct sw_program_import {
	int lefts;
	sw_program_left *left; /* in the order of the text */
	int conflicts;
	sw_program_conflict *conflict;
	int results; /* of the function: only the first that is computed is returned */
} sw_program_import;

/* A program that is read has at most so many operations, those of functions counted wherever they are called. */
#define SW_PROGRAM_READ_MOST 100000

/* Does the text hold a function of StableHLO? */
bool sw_program_is_module(sw_str text);

/* The function `main`, or the first, of a module of StableHLO with shardings of Shardy, or of XLA's over `mesh` (NULL: none), as
 * a program: arguments and results, dot_general, operations of the language, constraints and Shardy's collectives; functions that
 * are called stand where they are called.  A value without a sharding is open.  Other operations are listed, and their results are
 * inputs.  Everything lives in `arena`, and names and spans point into `text`, which has to live as long.
 * Errors: N06, N03 where there is no mesh, N07 where there is nothing to compute, N09 where it makes more than
 * SW_PROGRAM_READ_MOST operations, at the call, those of shardings and of programs; S03, E01. */
bool sw_program_read_module(sw_str text, const sw_mesh *mesh, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_program_import *import, sw_diag *diag);

/* Does the text have several lines, and products of JAX among them? */
bool sw_program_is_jax(sw_str text);

/* Lines of a program in JAX over `mesh`, or over that of a line `NAME = jax.make_mesh(...)` (`mesh` may be NULL then), the body of a
 * function or all of it, as a program: `def NAME(x: f32[8,2048] P('x', None), ...):` or lines `x: TYPE` say types of inputs, which may
 * also stand beside the name where it is used first, and so do jnp.zeros, jnp.ones and jnp.empty with `device=`; then assignments of
 * jnp.einsum, jnp.dot, jnp.matmul, `@`, of jax.nn.relu, jnp.exp, jnp.add, jnp.multiply, and of with_sharding_constraint or reshard,
 * or one of these in `jax.jit(lambda NAMES: ..., out_shardings=...)(NAMES)`, and `return`.  `def P(*args):` names what makes
 * shardings.  A product without out_sharding is open.  Everything lives in `arena`; names and spans are those of `text`, which has
 * to live as long.  Errors: N01 at what is no such line, N03 at a name without a type and where there is no mesh, N05 at a second
 * mesh, N09 behind SW_PROGRAM_READ_MOST operations, S03 where the pulse stops it, A02 to A09, those of types and meshes; E01. */
bool sw_program_read_jax(sw_str text, const sw_mesh *mesh, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_program_import *import, sw_diag *diag);

#pragma GCC visibility pop

#endif

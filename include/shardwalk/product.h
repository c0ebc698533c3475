/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of two sharded arrays: equations over letters, and the type that comes of multiplying tiles where they lie.
 *
 * An equation gives each dimension of both operands and of the result a letter, `ij,jk->ik`.  A letter that the result lacks
 * is summed.  Tiles are multiplied where they lie if for each part of the mesh one of these holds: nobody uses it; it cuts one
 * letter, at the same place in every operand that has the letter; one operand is a sum over it and the other does not use it.
 * The result is cut like the letters it keeps, and is a sum over what cuts dropped letters and over the sums of the operands.
 *
 * Source: seed 004, its four cases of sharded products.
 */
#ifndef SHARDWALK_PRODUCT_H
#define SHARDWALK_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* Rules of typing that a refusal names beside its code. */
#define SW_RULE_EQUATION "E-EQ"
#define SW_RULE_RANK "E-RANK"
#define SW_RULE_SIZE "E-SIZE"
#define SW_RULE_SHARED "E-SHARED"
#define SW_RULE_AXIS "E-AXIS"
#define SW_RULE_PAIRED "E-SUM"

#define SW_MAX_LETTERS 32 /* of an equation: as many as two operands have dimensions */

enum sw_equation_side { SW_EQUATION_A, SW_EQUATION_B, SW_EQUATION_RESULT, SW_EQUATION_SIDES };

typedef struct sw_equation {
	int rank[SW_EQUATION_SIDES];
	char letter[SW_EQUATION_SIDES][SW_MAX_DIMS]; /* a letter from a to z or A to Z for each dimension */
} sw_equation;

/* A product that is asked for, over a mesh. */
typedef struct sw_product {
	sw_mesh mesh;
	sw_equation equation;
	sw_type a, b;
	bool wanted; /* the result is wanted in the type `as` */
	sw_type as;
} sw_product;

/* Reads `ij,jk->ik`, with blanks or without.  Error: A02 (E-EQ) with the letter: one that stands twice in an operand or in the
 * result, one of the result that no operand has; no arrow; dots; another number of operands than two. */
bool sw_equation_parse(sw_str text, sw_equation *equation, sw_diag *diag);

/* Adds `ij,jk->ik`. */
void sw_equation_print(const sw_equation *equation, sw_text *text);

/* The dimension of that side that has the letter, or -1. */
int sw_equation_find(const sw_equation *equation, int side, char letter);

/* The sizes of the result from those of the operands; element types have to be equal.  `result` is whole (cut nowhere).
 * Errors: A03 (E-RANK); A04 (E-SIZE); T09 (element types).  Positions are empty. */
bool sw_product_shape(const sw_equation *equation, const sw_type *a, const sw_type *b, sw_type *result,
	sw_diag *diag);

/* The type of multiplying tiles where they lie (rule EINSUM); axes of size 1, which cut nothing and sum nothing, are left out of
 * the rule and of the type.  Errors: those of sw_product_shape; A05 (E-SHARED); A06 (E-AXIS);
 * A07 (E-SUM).  Positions are empty. */
bool sw_product_local(const sw_mesh *mesh, const sw_equation *equation, const sw_type *a, const sw_type *b,
	sw_type *result, sw_diag *diag);

/* Floating-point operations of a device that multiplies its tiles: twice the product of the local sizes of all letters.
 * Error: S09. */
bool sw_product_flops(const sw_equation *equation, const sw_type *a, const sw_type *b, int64_t *flops, sw_diag *diag);

/* The cases of seed 004 that occur between two operands as they are, as bits 1 << case: 2 where a letter of both is cut
 * differently, 3 where both are cut alike along a letter that is summed, 4 where one axis cuts a letter of A alone and one of
 * B alone, 0 where an operand is a sum, and 1 where none of these does. */
unsigned sw_product_cases(const sw_mesh *mesh, const sw_equation *equation, const sw_type *a, const sw_type *b);

/* Adds what makes a case of these occur: "x cuts j, which is summed, alike in both". */
void sw_product_tell(const sw_mesh *mesh, const sw_equation *equation, const sw_type *a, const sw_type *b, int which,
	sw_text *text);

/* Adds the equation in full that was meant by one without arrow (the result has the letters that stand once) or with dots, from
 * how many dimensions both operands have; false where none can be said. */
bool sw_equation_complete(sw_str text, int rank_a, int rank_b, sw_text *out);

/* Adds two products of two operands each that together are one of three, with the fewest flops: "ij,jk->ik, then ik,kl->il";
 * false where the text is no such equation, or sizes do not fit. */
bool sw_equation_in_two(sw_str text, const sw_type operand[3], sw_text *out);

#pragma GCC visibility pop

#endif

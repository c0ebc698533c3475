/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arithmetic on arrays in memory: products over letters and operations element by element, on f32, f64, i32 and i64.
 *
 * Products come in two forms, which have no loop in common: letter by letter, straight from the equation; and as products of
 * matrices, for which operands may have to be packed.  Integers are computed modulo 2^32 and 2^64.
 */
#ifndef SHARDWALK_ARITHMETIC_H
#define SHARDWALK_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/product.h>
#include <shardwalk/program.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* Are elements of this type computed with?  Others can be planned for. */
bool sw_dtype_computes(sw_dtype dtype);

/* `count` elements of out from those of a, and of b where the operation has two operands; exp of integers is cut to one. */
void sw_by_element(sw_op op, sw_dtype dtype, const void *a, const void *b, void *out, int64_t count);

/* into[i] += from[i]. */
void sw_add_to(sw_dtype dtype, void *into, const void *from, int64_t count);

/* Element `at` as a number, and a whole number as an element. */
double sw_element(sw_dtype dtype, const void *array, int64_t at);
void sw_element_set(sw_dtype dtype, void *array, int64_t at, int64_t value);

/* ---- letter by letter ---- */

typedef struct sw_letter {
	char letter;
	int64_t size, stride[SW_EQUATION_SIDES]; /* in elements; 0 where an array does not have it */
} sw_letter;

/* The letters of an equation: those of the result in its order, then those that are summed. */
typedef struct sw_letters {
	int count, kept; /* the first `kept` are the result's */
	sw_letter letter[SW_MAX_LETTERS];
} sw_letters;

/* Of operands that are whole arrays or tiles of these sizes. */
void sw_letters_of(const sw_equation *equation, const int64_t *a, const int64_t *b, sw_letters *letters);

/* Computes the elements of c for which the first letter of the result is in [first, first + count); a result without letters
 * is computed where first is 0. */
void sw_contract(const sw_letters *letters, sw_dtype dtype, const void *a, const void *b, void *c, int64_t first,
	int64_t count);

/* ---- as products of matrices ---- */

/* One array of `batch` matrices: where they lie, or packed, one behind the other. */
typedef struct sw_matrices {
	bool packed;     /* it does not lie as matrices do */
	bool transposed; /* columns follow each other in memory */
	int64_t lead;    /* elements from row to row, or from column to column */
	int64_t size;    /* elements of all of them, as packed */
} sw_matrices;

/* c[m, n] = a[m, k] b[k, n], `batch` times; of what is packed nothing is added. */
typedef struct sw_gemm {
	const sw_letters *letters;
	int64_t batch, m, n, k;
	sw_matrices a, b, c; /* c is never transposed: a and b have changed places for that */
	bool swapped;
	bool adds; /* to what c has */
} sw_gemm;

void sw_gemm_of(const sw_letters *letters, sw_gemm *gemm);

/* Elements of room for what has to be packed. */
int64_t sw_gemm_room(const sw_gemm *gemm);

/* Who multiplies: one product, c[m, n] = a[m, k] b[k, n], rows or columns `lead` apart. */
typedef struct sw_multiplier {
	void (*multiply)(void *context, sw_dtype dtype, const sw_gemm *gemm, const void *a, const void *b, void *c);
	void *context;
} sw_multiplier;

/* A plain loop over blocks; context is not looked at. */
void sw_multiply_plain(void *context, sw_dtype dtype, const sw_gemm *gemm, const void *a, const void *b, void *c);
extern const sw_multiplier sw_plain_multiplier;

/* Packs what has to be, multiplies, and brings the result to its place.  `room` has sw_gemm_room elements. */
void sw_gemm_run(const sw_gemm *gemm, sw_dtype dtype, const void *a, const void *b, void *c, void *room,
	const sw_multiplier *by);

#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that add elements: one row for each element type, vectorised for the processor at hand.
 */
#ifndef EX_ADD_H
#define EX_ADD_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/type.h>

#define EX_ADD_MOST 4 /* terms that are read at once */

/* Adds elements of one type.  A running sum has elements of its own width: those of 16 bits are summed in f32 and rounded once, to
 * the nearest, halves to even.  Integers wrap. */
typedef struct ex_adder {
	int64_t element, wide; /* bytes of an element, and of one of a running sum */
	/* Sums `count` terms (1 to EX_ADD_MOST) in their order, behind what is in `sum` where there is `more`. */
	void (*add)(void *sum, const void *const *from, int count, bool more, int64_t elements);
	void (*end)(void *into, const void *sum, int64_t elements); /* rounds; NULL: the sum has elements already */
} ex_adder;

/* NULL: elements of this type are not added. */
const ex_adder *ex_adder_of(sw_dtype dtype);

/* Adds so many bytes of elements to others. */
void ex_add_to(const ex_adder *adder, void *into, const void *from, int64_t bytes);

#endif

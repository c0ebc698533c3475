/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of boxes: `n` tiles are read and one is written, in one pass over memory.
 */
#ifndef EX_SUM_H
#define EX_SUM_H

#include "add.h"
#include "copy.h"

/* A box that is one of several terms. */
typedef struct ex_term {
	const char *from; /* its first element */
	ex_shape shape;   /* all terms of a sum have the same runs, loops and strides of the side that is written */
} ex_term;

/* Writes the sum of `count` terms, in their order, into `into`: of `runs` runs from number `first` on.  Streaming stores are
 * complete when it returns. */
void ex_sum(const ex_adder *adder, const ex_term *term, int count, char *into, int64_t first, int64_t runs,
	ex_store store);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What becomes of the dimensions of an operand in the result of an instruction, however shardings are said.  Those of HLO, those of
 * StableHLO and the equations of programs follow it.
 */
#ifndef SW_FOREIGN_DIMS_H
#define SW_FOREIGN_DIMS_H

#include "foreign/module/dialect.h"

typedef struct graph_dims {
	int from, to;   /* ranks of the operand and of the result */
	bool same;      /* they have the same sizes, and every element its place */
	bool even;      /* nothing follows where cuts do not divide the dimension of the result */
	uint32_t whole; /* bits: dimensions of the operand; where one of them is cut nothing follows */
	int into
		[HLO_DIMS]; /* what each becomes: a dimension of the result, `to + n`: it is summed as number n, or -1: it ends */
} graph_dims;

/* Of operand k of `at`, in a result of the shape `to`.  false: the result does not follow from it. */
bool graph_dims_of(const graph_module *module, const graph_instruction *at, int k, const hlo_shape *to,
	graph_dims *dims);

#endif

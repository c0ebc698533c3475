/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pace of the processors: what all ranks at once multiply, and read of memory, by the library that was found.
 */
#ifndef EX_PACE_H
#define EX_PACE_H

#include "kernels/blas.h"
#include "team.h"

typedef struct ex_pace {
	double products; /* operations a second of all ranks together in products of matrices; 0: not measured */
	double reading;  /* bytes a second that all ranks together multiply by a vector; 0: not measured */
} ex_pace;

/* What is measured: elements of this type, squares of about so many rows, and reading where this rank will read, whose numbers do not count. */
typedef struct ex_pace_of {
	sw_dtype dtype;
	double rows;
	const void *data;
	int64_t bytes;
} ex_pace_of;

/* All ranks call it with the same question; all get the same answer, in less than 0.1 s beside what it takes to touch `data`.  Where a rank has no memory, nothing is measured. */
void ex_pace_take(ex_team *team, const ex_blas *blas, const ex_pace_of *of, ex_pace *pace);

#endif

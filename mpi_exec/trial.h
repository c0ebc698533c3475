/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product by ScaLAPACK as it multiplies fastest: which blocks are best is tried before anything is laid out.
 */
#ifndef EX_TRIAL_H
#define EX_TRIAL_H

#include "kernels/scalapack.h"
#include "team.h"

typedef struct ex_trial {
	ex_scalapack library;
	ex_blas blas; /* of the leaf */
	sw_schedule_product product;
	int64_t grid[2], block;
} ex_trial;

/* Loads the library, deals the ranks over the grid that is most nearly square, and tries blocks of 32 to 256 on matrices of these sizes.  All
 * ranks call it; all get the same answer.  Errors: E02 where the library is missing, P06 for sizes that it cannot count, E01. */
bool ex_trial_take(ex_trial *trial, ex_team *team, const sw_schedule_product *product, ex_fault *fault);
/* Multiplies what ranks have of b and c; all of them call it. */
void ex_trial_multiply(const ex_trial *trial, const ex_team *team, const void *b, const void *c, void *a);
void ex_trial_close(ex_trial *trial);

#endif

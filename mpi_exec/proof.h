/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proof of a program: the whole arrays, which the ranks of a host compute together, part by part, beside the tiles.
 */
#ifndef EX_PROOF_H
#define EX_PROOF_H

#include "values.h"

typedef struct ex_proof {
	ex_values *values;
	sw_data data;
	sw_reference whole;
	ex_share share; /* whole arrays, and room for sums of terms behind them */
	int64_t bytes, sums_at;
	double off, bound; /* where results are rounded: the largest difference, and what it may be */
	bool right;
	struct {
		int value, device; /* the first that is wrong */
		int64_t position[SW_MAX_DIMS], index[SW_MAX_DIMS];
		double expected, found;
	} wrong;
} ex_proof;

/* Chooses data.  Small things live in `arena`. */
bool ex_proof_lay_out(ex_proof *proof, ex_values *values, sw_arena *arena, ex_fault *fault);

/* Bytes that a host needs for it. */
int64_t ex_proof_bytes(const ex_proof *proof);
bool ex_proof_open(ex_proof *proof, sw_arena *arena, ex_fault *fault);
void ex_proof_close(ex_proof *proof);

/* Fills this rank's tiles of the inputs. */
void ex_proof_fill(const ex_proof *proof);

/* Computes the whole array of an input, or of what a step makes, and compares with it what every rank holds.  All ranks call it,
 * value after value; after the first that is wrong it is false on all, and says on all what is wrong. */
bool ex_proof_value(ex_proof *proof, int value);

#endif

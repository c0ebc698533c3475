/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proof of a program: the whole arrays, which the ranks of a host compute together, part by part, beside the tiles.
 */
#ifndef EX_PROOF_H
#define EX_PROOF_H

#include "compare.h"
#include "values.h"

typedef struct ex_proof {
	ex_values *values;
	sw_data data;
	sw_reference whole;
	sw_multiplier by; /* of the products of a schedule: all at once, where ranks multiply step by step */
	ex_share share;   /* of the whole arrays */
	int64_t bytes;
	double off, bound; /* where results are rounded: the largest difference, and what it may be */
} ex_proof;

/* Chooses data.  Small things live in `arena`. */
bool ex_proof_lay_out(ex_proof *proof, ex_values *values, sw_arena *arena, ex_fault *fault);

/* Bytes that a host needs for it. */
int64_t ex_proof_bytes(const ex_proof *proof);
bool ex_proof_open(ex_proof *proof, sw_arena *arena, ex_fault *fault);
void ex_proof_close(ex_proof *proof);

/* Fills this rank's tiles of the inputs. */
void ex_proof_fill(ex_proof *proof);

/* Computes the whole array of an input, or of what a step makes, and compares with it what this rank holds.  All ranks call it, value
 * after value, until on one of them it is false, and says what is wrong. */
bool ex_proof_value(ex_proof *proof, int value, ex_wrong *wrong);

#endif

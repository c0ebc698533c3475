/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs on ranks: each has a tile, of which it holds some chunks, and steps send pieces of them round rings, along
 * chains, up trees and down.
 */
#ifndef EX_CHUNKS_H
#define EX_CHUNKS_H

#include <shardwalk/plan.h>

#include "add.h"
#include "team.h"
#include "throttle.h"

typedef struct ex_chunks {
	ex_team *team;
	const sw_plan *plan;
	ex_throttle throttle;
	int64_t element, count; /* bytes of an element; elements of a tile */
	const ex_adder *adder;
	sw_system system;       /* of plans whose allreduces are trees */
	char *tile, *in, *out;  /* in, out: pieces on their way */
	int64_t slot;           /* of the mesh, on this rank */
	int64_t *rank_of;       /* of each slot */
	int pieces;             /* of a tile */
	const sw_pieces **held; /* before each step and after the last */
} ex_chunks;

/* What data it runs on. */
typedef enum ex_numbers {
	EX_EXACT, /* integers; floats that are small integers, exact in every order */
	EX_RANDOM /* floats of any value */
} ex_numbers;

/* Bytes that a rank needs for a plan: its tile, and room for pieces. */
int64_t ex_chunks_bytes(const sw_plan *plan);

/* Everything but the throttle.  Small things live in `arena`. */
bool ex_chunks_open(ex_chunks *chunks, ex_team *team, const sw_plan *plan, sw_arena *arena, ex_fault *fault);
void ex_chunks_close(ex_chunks *chunks);

/* The first tile of this rank. */
void ex_chunks_fill(ex_chunks *chunks, ex_numbers numbers);

/* Executes step k (from 0), on all ranks. */
void ex_chunks_step(ex_chunks *chunks, int k);

/* Bytes that the devices of the groups of step k hold after it, over all ranks. */
int64_t ex_chunks_landing(const ex_chunks *chunks, int k);

/* Compares this rank's tile with the sums that `to` says.  Exact data: the first element that differs, or -1.  Random data: also how far
 * the sums are off at most, and how far they may be. */
int64_t ex_chunks_check(const ex_chunks *chunks, ex_numbers numbers, double *error, double *bound);

#endif

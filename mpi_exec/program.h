/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs: what one rank has to copy, step by step, to carry out a plan.
 *
 * A program is made of the plan's transfers (shardwalk/transfers.h), of which a rank has those that come to it and those
 * that leave it.
 */
#ifndef EX_PROGRAM_H
#define EX_PROGRAM_H

#include <shardwalk/arena.h>
#include <shardwalk/plan.h>

#include "copy.h"
#include "fault.h"

/* A box that goes from one rank's old tile into another's new one. */
typedef struct ex_move {
	int peer; /* the other rank; oneself for the part that stays */
	int64_t bytes;
	int64_t from, into; /* where the box begins in the old and in the new tile, in bytes */
	ex_shape shape;
} ex_move;

typedef struct ex_step {
	const sw_step *step;
	int64_t before, after;           /* bytes of the old and of the new tile */
	int64_t tile_before, tile_after; /* where they stand in a rank's region */
	int ins, outs;                   /* moves, in rotated order from this rank on */
	ex_move *in, *out;
	int64_t landing; /* bytes that land in new tiles, over all ranks */
} ex_step;

typedef struct ex_program {
	const sw_plan *plan;
	int rank, ranks;
	int64_t element; /* bytes */
	int64_t peak;    /* bytes of the old and the new tile together, at the worst step */
	int64_t region;  /* bytes of memory that hold them, with what alignment takes */
	int count;
	ex_step *steps;
	int64_t tile_last;   /* where the last tile stands */
	const int64_t **map; /* base offsets before the first step and after each: ranks x dimensions */
} ex_program;

/* The program of one rank.  Everything lives in `arena`. */
bool ex_program_make(const sw_plan *plan, int rank, sw_arena *arena, ex_program *program, ex_fault *fault);

/* The local type before step k, of the last tile for k = count. */
const int64_t *ex_program_tile(const ex_program *program, int k);

/* Base offset of rank d's tile before step k. */
const int64_t *ex_program_base(const ex_program *program, int k, int d);

#endif

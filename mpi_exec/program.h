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
#include <shardwalk/between.h>
#include <shardwalk/plan.h>
#include <shardwalk/transfers.h>

#include "add.h"
#include "copy.h"
#include "fault.h"

/* A box that goes from one rank's old tile into another's new one. */
typedef struct ex_move {
	int peer; /* the other rank; oneself for the part that stays */
	int64_t bytes;
	int64_t from, into; /* where the box begins in the old and in the new tile, in bytes */
	ex_shape shape;
} ex_move;

/* A box of the new tile, and the moves that bring its terms, as numbers in `in`. */
typedef struct ex_box {
	int count;
	int *in;
} ex_box;

typedef struct ex_step {
	const sw_step *step;
	int64_t before, after;           /* bytes of the old and of the new tile */
	int64_t tile_before, tile_after; /* where they stand in a rank's region */
	int ins, outs;                   /* moves, in rotated order from this rank on */
	ex_move *in, *out;
	int64_t landing;      /* bytes that land in new tiles, over all ranks */
	bool passes;          /* pieces go round within tiles, which stay where they are: it has no moves */
	bool adds;            /* what comes to one place is added up */
	bool fills;           /* what nothing comes to is 0, on all ranks ... */
	bool clears;          /* ... and there is such a place in this rank's tile */
	bool overlaps;        /* where it adds: not box by box, but one move after the other; all are in one box */
	int boxes;            /* where it adds */
	ex_box *box;          /* in the order of their first moves */
	struct ex_step *then; /* an all-reduce: this step scatters sums, and `then` gathers them from new tiles; NULL */
} ex_step;

typedef struct ex_program {
	const sw_plan *plan;
	int rank, ranks;
	sw_dtype dtype;
	int64_t element;       /* bytes */
	const ex_adder *adder; /* NULL: there are no sums */
	int64_t peak;       /* bytes of the old and the new tile together, or of the one that stays, at the worst step */
	int64_t region;     /* bytes of memory that hold them, with what alignment takes */
	int count, passing; /* steps; those that pass pieces on */
	ex_step *steps;
	int64_t tile_last;           /* where the last tile stands */
	const int64_t **map;         /* base offsets before the first step and after each: ranks x dimensions */
	sw_tiles *terms;             /* the same for terms; of values that are whole there is one */
	int fetches;                 /* of a schedule: how many of its steps are one here; else 0 ... */
	int *in_values, *out_values; /* ... and of each move the value that it comes from, and that it goes to */
	const sw_between
		*between; /* where an end is no tile type: what ranks have; there are no maps, and all tiles are as large as
	                              what the rank with the most has; else NULL */
} ex_program;

/* Elements of a tile before step k of a plan, whatever ranks have of it. */
int64_t ex_tile_elements(const sw_plan *plan, int k);

/* Elements that this rank has then. */
int64_t ex_program_elements(const ex_program *program, int k);

/* The program of one rank.  Everything lives in `arena`. */
bool ex_program_make(const sw_plan *plan, int rank, sw_arena *arena, ex_program *program, ex_fault *fault);

/* The moves that come in a step are added one after the other to what is there. */
bool ex_program_adds_moves(ex_program *program, ex_step *step, sw_arena *arena, ex_fault *fault);

/* Its tiles lie elsewhere in a region of somebody else: before the first step, and after each. */
void ex_program_place(ex_program *program, const int64_t *at);

/* The local type before step k, of the last tile for k = count. */
const int64_t *ex_program_tile(const ex_program *program, int k);

/* How many terms make up a value before step k, 1 where it is whole, and which of them rank d holds. */
int64_t ex_program_terms(const ex_program *program, int k);
int64_t ex_program_term(const ex_program *program, int k, int d);

/* Base offset of rank d's tile before step k. */
const int64_t *ex_program_base(const ex_program *program, int k, int d);

#endif

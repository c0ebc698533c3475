/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that pass pieces on within the tiles of ranks: round rings, along chains, up trees and down.
 */
#ifndef EX_RINGS_H
#define EX_RINGS_H

#include <shardwalk/plan.h>

#include "add.h"
#include "team.h"
#include "throttle.h"

typedef struct ex_rings {
	ex_team *team;
	const sw_plan *plan;
	ex_throttle throttle;
	int64_t element, bytes; /* of an element; of the largest tile in which pieces are passed on */
	const ex_adder *adder;
	sw_system system;       /* of plans with trees */
	char *in, *out;         /* pieces on their way: room for a tile each */
	int64_t slot;           /* of the mesh, on this rank */
	int64_t *rank_of;       /* of each slot */
	int pieces;             /* of a tile */
	const sw_pieces **held; /* before each such step and after it */
	char *tile;             /* of this rank, while a step goes on ... */
	int64_t count;          /* ... and its elements */
} ex_rings;

/* Everything but room for pieces and the throttle.  Small things live in `arena`. */
bool ex_rings_lay_out(ex_rings *rings, ex_team *team, const sw_plan *plan, sw_arena *arena, ex_fault *fault);

/* Room for pieces. */
bool ex_rings_open(ex_rings *rings, ex_fault *fault);
void ex_rings_close(ex_rings *rings);

/* Executes step k (from 0) in the tile of this rank, on all ranks. */
void ex_rings_step(ex_rings *rings, int k, char *tile);

#endif

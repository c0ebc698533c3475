/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a StableHLO program asks for another sharding than a value has.
 */
#ifndef SW_FOREIGN_MLIR_WALK_H
#define SW_FOREIGN_MLIR_WALK_H

#include "foreign/module/collectives.h"
#include "foreign/module/mlir_flow.h"

typedef struct mlir_move {
	const mlir_cuts *from, *to;
	int value; /* what is moved */
	size_t at; /* byte of the line that asks for it */
	int64_t line;
	int part;      /* of the runs ... */
	int64_t times; /* ... and how often while the module runs once */
	int64_t loop;  /* line of the innermost loop around it; 0: none */
	bool open;     /* a loop does not say how often it runs */
	bool untaken;  /* only branches lead to it of which others move more */
} mlir_move;

typedef struct mlir_moves {
	int64_t devices; /* of the program */
	int count;
	mlir_move *move;     /* in the order of the text */
	int64_t asked;       /* operations that ask for a sharding */
	int64_t unsaid;      /* those where nothing says how the value is cut before ... */
	int64_t unsaid_line; /* ... the first of them */
	int collectives;
	collective *collective; /* that the program calls itself */
	sw_diag bound;          /* N09: at the first call that was too much to be gone through; else SW_OK */
	graph_reading *reading;
} mlir_moves;

/* A function is gone through once for each different set of shardings that its arguments have, or up to a bound: calls behind it
 * count as the first of that function.  Errors: S03, E01. */
bool mlir_walk(graph_module *module, mlir_flow *flow, const sw_pulse *pulse, mlir_moves *moves, sw_diag *diag);

/* Adds a row for each collective, which lives in `arena`; traffic_finish is left to do.  false: memory. */
bool mlir_collectives_give(const mlir_moves *moves, sw_arena *arena, sw_traffic *traffic, int *room);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the sharding of a value follows from those of others in StableHLO.
 */
#ifndef SW_FOREIGN_MLIR_FLOW_H
#define SW_FOREIGN_MLIR_FLOW_H

#include "foreign/module/dims.h"
#include "foreign/module/mlir.h"

/* How a value is cut: axes of the mesh of `base`, which some text of the module says. */
typedef struct mlir_cuts {
	const sw_sharding *base;
	int rank;
	int first[SW_MAX_DIMS + 1];
	sw_part parts[]; /* major to minor, dimension after dimension */
} mlir_cuts;

#define MLIR_BUCKETS 1024

typedef struct mlir_flow {
	const graph_module *module;
	sw_arena *arena;
	const mlir_cuts **known;              /* of values; NULL: nothing says it */
	struct mlir_said *said[MLIR_BUCKETS]; /* texts that were read */
	sw_str undefined;                     /* the first mesh that a sharding names and no line defines; empty: none */
	bool failed;                          /* memory ran out */
} mlir_flow;

/* What a text of this module says of a value of `rank` dimensions; NULL: it says no tiles. */
const mlir_cuts *mlir_cuts_read(mlir_flow *flow, sw_str text, int rank);

/* The same as a sharding. */
void mlir_cuts_give(const mlir_cuts *cuts, sw_sharding *out);

/* Dimensions that `to` leaves to the compiler (bits of `open`) stay as they are in `from`, where its other dimensions do
 * not need their axes. */
const mlir_cuts *mlir_fill_open(mlir_flow *flow, const mlir_cuts *from, const mlir_cuts *to, uint32_t open);

/* What follows for result k of operation `op`, which is no call, no loop and no constraint; NULL: nothing.  `said`: what the
 * operation itself says of that result, or empty. */
const mlir_cuts *mlir_follow(mlir_flow *flow, const graph_instruction *op, int k, sw_str said);

#endif

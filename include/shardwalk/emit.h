/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans as code for other systems.
 *
 * What is written runs by itself and checks its result; or it is a module of a compiler, which that compiler
 * reads.
 */
#ifndef SHARDWALK_EMIT_H
#define SHARDWALK_EMIT_H

#include <stdbool.h>

#include <shardwalk/advise.h>
#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/planned.h>
#include <shardwalk/program.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_MAX_EMIT_DEVICES 4096 /* above these no groups and no offsets are listed, so no steps are written */

/* The formats: identifier, name, what they are. */
#define SW_EMITS(X) \
	X(HLO, "hlo", "an HLO module of the collectives, as XLA's partitioner would have written it") \
	X(STABLEHLO, "stablehlo", "the same collectives as a StableHLO module") \
	X(JAX, "jax", "a Python program: JAX sharding constraints, which XLA executes as it sees fit") \
	X(SHARD_MAP, "shard_map", "a Python program: the steps under shard_map, which leaves the compiler no choice") \
	X(DTENSOR, "dtensor", "a Python program: PyTorch DTensor, one redistribute call for each step") \
	X(SHARDY, "shardy", "an MLIR module: sharding constraints of Shardy") \
	X(MPI, "mpi", \
		"a C program: the steps as MPI calls, each timed, every element checked; compile it with " \
		"mpicc") \
	X(NCCL, "nccl", "a C program: a reduction program as NCCL calls on GPUs, every sum checked") \
	X(SCALAPACK, "scalapack", \
		"a C program: one call of pdgemr2d, which moves block-cyclic matrices, every element checked")

typedef enum sw_emit_kind {
#define X(id, name, about) SW_EMIT_##id,
	SW_EMITS(X)
#undef X
		SW_EMIT_COUNT
} sw_emit_kind;

const char *sw_emit_name(sw_emit_kind kind);
const char *sw_emit_about(sw_emit_kind kind);

/* Adds the whole program or module.  With `advice` (may be NULL) the formats of constraints, jax, dtensor and
 * shardy, go through its waypoints; without, through the types of the plan's steps.  Groups that the plan leaves
 * out are made. Errors: P06 where the format cannot say this plan, with the reason; P05, S08, E01. */
bool sw_emit(sw_emit_kind kind, const sw_plan *plan, const sw_advice *advice, sw_arena *arena, sw_text *text,
	sw_diag *diag);

/* The mesh that a program has already. */
typedef struct sw_emit_mesh {
	bool unnamed;           /* it has none: the axes were found from numbers, so the lines have to make it */
	const int64_t *devices; /* in its slots; NULL: those of the same numbers */
} sw_emit_mesh;

/* Adds only the lines that advice asks to be written into one's own program, in the notation of its target: the
 * meshes that the program has not, then one line a waypoint.  Nothing where there are no waypoints.  Without
 * `mesh` (NULL) the program has the mesh, on devices in their order.  No line takes some of the machine's devices
 * for all: a finer mesh is made of those of the program's mesh, and where the program has none the first line says
 * how many devices there have to be.  Errors: P06, E01. */
bool sw_emit_advice(const sw_advice *advice, const sw_emit_mesh *mesh, sw_arena *arena, sw_text *text, sw_diag *diag);

/* Adds the lines that advice about a product asks for: constraints on its operands, the product, constraints on the product.
 * `name`: of the operands and of the product, as the program has them. */
void sw_emit_product_advice(sw_advise_target target, const sw_product *product, const sw_product_advice *advice,
	const char *const name[3], sw_text *text);

/* The program of SW_EMIT_SHARD_MAP for a machine that has as many devices as the plan and no more, which it says. */
bool sw_emit_steps(const sw_plan *plan, sw_arena *arena, sw_text *text, sw_diag *diag);

/* Adds a whole program, of which no type is open.  Where the format writes the steps of redistributions these are those of the plans that
 * the program has; others are found by the strategy `fused`.  Errors: P06 where it is open, or where the format cannot say a step, which
 * is named; P05; E01. */
bool sw_emit_program(sw_emit_kind kind, const sw_program *program, sw_arena *arena, sw_text *text, sw_diag *diag);

/* Does the format write the steps of redistributions, so that of a program it needs the plans? */
bool sw_emit_plans(sw_emit_kind kind);

#pragma GCC visibility pop

#endif

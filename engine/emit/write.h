/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all formats share: the plan with its groups and maps, each step as every device carries it out, and the
 * pieces of text that several of them write.
 */
#ifndef SW_EMIT_WRITE_H
#define SW_EMIT_WRITE_H

#include <shardwalk/emit.h>

#include "plan/lines.h"
#include "plan/tile_numbers.h"

typedef struct sw_emitter {
	const sw_plan *plan;
	const sw_step *steps; /* of the plan, with groups, where the format writes steps: of devices, or of slots */
	const sw_advice *advice;
	const sw_emit_mesh *mesh; /* of the program that lines are for; NULL: a whole program is written */
	sw_arena *arena;
	sw_text *text;
	sw_diag *diag;
	int64_t devices;
	int rank;
	const int64_t **map;    /* map[k]: base offsets before step k, devices x rank */
	bool all;               /* the plan's devices have to be all that there are */
	const sw_plan *planned; /* the plan whose steps were taken apart, NULL: none were */
	const char **remarks;   /* of steps, NULL: none; what to know of them */
	bool by_device;         /* steps and maps speak of devices, types of slots, and these are not the same */
} sw_emitter;

/* A step of a plan as a device carries it out.  Members count within a group, pieces row-major in the order of
 * the entries. */
typedef struct sw_device_step {
	const sw_step *step;
	const int64_t *before, *after; /* local types */
	const int64_t *from, *to;      /* base offsets */
	int64_t groups, size;          /* 0: the step has none */
	const int32_t *group;          /* group after group, a gather's by pieces brought, else by those kept */
	bool lined;
	sw_groups lines;      /* where lined: the same groups as a transposed row-major grid */
	bool uniform;         /* the pieces that members bring are the same in all groups ... */
	const int32_t *order; /* ... then order[b] is the member that brings piece b */
	const uint8_t *keeps; /* of a step that makes terms of copies: 1 for each device that keeps its tile */
} sw_device_step;

/* Adds steps with groups and maps to an emitter that has its plan: by the devices in the slots of the mesh, or by slot.
 * Errors: P06 above SW_MAX_EMIT_DEVICES, P05, E01. */
bool sw_emit_prepare(sw_emitter *e, bool by_device);

/* An emitter of a plan. */
sw_emitter sw_emit_of_plan(const sw_plan *plan, sw_arena *arena, sw_text *text, sw_diag *diag);

/* Takes back what was written from `start` on where that failed, or memory ran out; whether all is well. */
bool sw_emit_end(const sw_emitter *e, size_t start, bool ok);

/* Makes the steps of an emitter's plan ready for a format, as sw_emit does before it writes.  Errors: P06, P05, E01. */
bool sw_emit_ready(sw_emitter *e, sw_emit_kind kind);

/* The plan with several steps in place of each that sums and gathers at once: those of `exact` between the same types.  Errors: P06
 * where there are none, E01. */
bool sw_emit_simplify(sw_emitter *e);

/* Does step k pass on pieces of tiles? */
static inline bool sw_emit_by_pieces(const sw_emitter *e, int k)
{
	return e->plan->program.step[k].passing != SW_PASSES_AT_ONCE;
}

/* The type before step k that says what each number holds, NULL where there is none. */
const sw_type *sw_emit_type_at(const sw_emitter *e, int k);

/* Reads step k.  Errors: P05, E01. */
bool sw_emit_device_step(const sw_emitter *e, int k, sw_device_step *device_step);

/* The piece of its block that a device brings to a gather or an alltoall. */
int32_t sw_emit_piece(const sw_emitter *e, const sw_device_step *device_step, int32_t device);

/* Which member brings each piece: row `device` of devices x size numbers.  NULL: E01. */
const int32_t *sw_emit_orders(const sw_emitter *e, const sw_device_step *device_step);

/* Does a step of the plan add? */
bool sw_emit_adds(const sw_emitter *e);

/* Is anything still to be summed at one end, or on the way? */
bool sw_emit_has_sums(const sw_emitter *e);

#define SW_EMIT_OF_STEPS "the formats hlo, stablehlo, shard_map, shardy and mpi write the steps themselves"

/* Refuses: P06 with the reason and the way out. */
bool sw_emit_refuse(const sw_emitter *e, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void sw_emit_line(const sw_emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds lines up to NULL. */
void sw_emit_lines(const sw_emitter *e, const char *const *line);

/* Adds numbers with commas between them. */
void sw_emit_numbers(sw_text *text, const int64_t *number, int count);

/* Adds rows of so many numbers: `[0, 1], [2, 3]` with "[", ", " and "]". */
void sw_emit_rows(sw_text *text, const int32_t *number, int64_t rows, int64_t size, const char *open,
	const char *comma, const char *close);

/* Adds a name between double quotes as C, Python and MLIR read it. */
void sw_emit_quoted(sw_text *text, const char *name);

/* Adds words to a comment of any language: on one line, and without the sign that ends one of C. */
void sw_emit_harmless(sw_text *text, const char *words);

/* Adds the problem and each step in words, as comments that start with `mark`; nothing in them ends such a
 * comment. */
void sw_emit_remark_problem(const sw_emitter *e, const char *mark);
void sw_emit_remark_step(const sw_emitter *e, int k, sw_text *text);

/* The digits of a list; how many, 0 where it is no sum of digits, or memory ran out. */
int sw_emit_digits(const sw_emitter *e, const int32_t *list, int64_t count, sw_digit digit[SW_MAX_DIGITS]);

/* ---- formats of constraints ---- */

/* Types to pass through, both ends included, each on a mesh where it partitions by whole axes. */
typedef struct sw_type_chain {
	sw_mesh mesh; /* of all types, where one suffices; else of the first */
	bool finer;
	int count;
	const sw_type *type;
	const sw_mesh **of; /* the mesh of each type: neighbours share one as long as they can; NULL: one is enough */
} sw_type_chain;

/* The way of the advice or of the plan.  `several`: where no one mesh will do there may be more.  Errors: P06
 * where there is none, E01. */
bool sw_emit_type_chain(const sw_emitter *e, bool several, sw_type_chain *chain);

/* The mesh of type k, and its number, from 0. */
const sw_mesh *sw_emit_mesh_of(const sw_type_chain *chain, int k);
int sw_emit_mesh_number(const sw_type_chain *chain, int k);

/* The types to pass through, both ends included: of the advice, or of the plan.  Errors: P06 where one is no type, E01. */
bool sw_emit_way(const sw_emitter *e, const sw_type ***way, int *count);

/* The axes of dimension i, major to minor. */
int sw_emit_axes(const sw_type *type, int i, int axes[SW_MAX_PARTS]);

/* The first axis over which one is a sum and not the other, or -1. */
int sw_emit_sum_beside(const sw_type *one, const sw_type *other);

/* ---- the formats ---- */

bool sw_emit_hlo(sw_emitter *e);
bool sw_emit_stablehlo(sw_emitter *e);
bool sw_emit_jax(sw_emitter *e);
bool sw_emit_shard_map(sw_emitter *e);
bool sw_emit_dtensor(sw_emitter *e);
bool sw_emit_shardy(sw_emitter *e);
bool sw_emit_mpi(sw_emitter *e);
bool sw_emit_nccl(sw_emitter *e);
bool sw_emit_scalapack(sw_emitter *e);
bool sw_emit_mpi_between(sw_emitter *e);

/* Only the lines for one's own program. */
bool sw_emit_jax_lines(sw_emitter *e, const sw_type_chain *chain);
bool sw_emit_dtensor_lines(sw_emitter *e, const sw_type_chain *chain);
bool sw_emit_shardy_lines(sw_emitter *e, const sw_type_chain *chain);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of an MPI program.
 *
 * The program counts stages, at each of which every device has a tile.  Step n goes from stage n to stage n + 1; the last stage of
 * a plan has none.  The functions that carry a step out (mpi_body.h) know only its number.
 */
#ifndef SW_EMIT_MPI_TABLES_H
#define SW_EMIT_MPI_TABLES_H

#include "emit/mpi_body.h"
#include "emit/write.h"

typedef struct sw_mpi_stage {
	const sw_emitter *e; /* of the plan; NULL: it belongs to none */
	int k;               /* in the plan, from 0 */
	bool steps;          /* a step leaves it */
	int rank;
	const int64_t *tile;
	const sw_type *type; /* NULL: `map` lists where tiles begin */
	const int64_t *map;
} sw_mpi_stage;

typedef struct sw_mpi_tables {
	const sw_emitter *e; /* whose text is written */
	const sw_mesh *mesh;
	bool by_device; /* ranks are devices, which do not lie in the slots of the same numbers */
	int dims;       /* of all tables: arrays of fewer have dimensions of size 1 in front */
	int stages;
	sw_mpi_stage *stage;
} sw_mpi_tables;

/* Are there functions for all steps of a plan?  Error: P06. */
bool sw_mpi_can(const sw_emitter *e);

/* Is a tile more than an int counts; is any of a plan? */
bool sw_mpi_tile_is_large(const int64_t *tile, int rank);
bool sw_mpi_plan_is_large(const sw_emitter *e);

/* What its steps need. */
unsigned sw_mpi_needs(const sw_emitter *e);

/* Of these steps (reduction.c): the function that runs one; adds the tables of pieces (E01), and the functions, by NCCL (of one plan) or
 * by MPI. */
const char *sw_mpi_piece_function(sw_op op);
bool sw_mpi_piece_tables(const sw_mpi_tables *t);
void sw_mpi_piece_functions(const sw_mpi_tables *t, bool gpus);

/* Adds those parts of the program that something needs. */
void sw_mpi_parts(const sw_emitter *e, const sw_mpi_part *part, uint64_t all);

/* Adds the calls of MPI that these make, `me`, and the type of an `element`; large ones where an int does not count the elements of one. */
void sw_mpi_add_calls(const sw_emitter *e, bool large, uint64_t all);

/* Appends the stages of a plan, for which there has to be room; the number of the first. */
int sw_mpi_add_stages(sw_mpi_tables *t, const sw_emitter *e);

/* Add `#define` lines; a row `{4, 8}` of so many numbers behind padding; tiles; where they begin; groups, sources and senders of
 * steps (P05, E01); the table of steps. */
void sw_mpi_sizes(const sw_mpi_tables *t, sw_dtype dtype, int repeat);
void sw_mpi_row(const sw_mpi_tables *t, const int64_t *number, int rank, int64_t padding);
void sw_mpi_tiles(const sw_mpi_tables *t);
void sw_mpi_starts(const sw_mpi_tables *t);
bool sw_mpi_step_tables(const sw_mpi_tables *t, uint64_t all);
void sw_mpi_steps(const sw_mpi_tables *t);

/* ---- sums ---- */

/* Has MPI a type that adds these elements?  Adds `value`, and ADDEND where it has.  What NCCL calls them, NULL: it does not add them. */
bool sw_mpi_adds(sw_dtype dtype);
void sw_mpi_addend(const sw_emitter *e, sw_dtype dtype);
const char *sw_nccl_addend(sw_dtype dtype);

/* The first slot of those whose terms make up one value together with this one. */
int64_t sw_mpi_first_of_sum(const sw_mesh *mesh, const sw_type *type, int64_t slot);

/* Adds a table of a number for each device.  Error: E01. */
bool sw_mpi_device_table(const sw_mpi_tables *t, const char *name,
	int64_t (*of)(const sw_mesh *mesh, const sw_type *type, int64_t slot), const sw_type *type);

#endif

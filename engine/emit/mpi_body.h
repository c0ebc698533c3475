/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the MPI program that are the same for all plans.
 */
#ifndef SW_EMIT_MPI_BODY_H
#define SW_EMIT_MPI_BODY_H

/* What a part needs: the program has only functions that it calls. */
enum sw_mpi_need {
	SW_MPI_ALWAYS = 0,
	SW_MPI_SLICE = 1,
	SW_MPI_GATHER = 2,
	SW_MPI_SWAP = 4,
	SW_MPI_PERMUTE = 8,
	SW_MPI_EXCHANGE = 16,
	SW_MPI_SUM = 32,
	SW_MPI_SCATTER = 64,
	SW_MPI_KEEP = 128,
	SW_MPI_PAD = 256,
	SW_MPI_WHOLE = 512, /* nothing is summed: elements are bytes */
	SW_MPI_ADDS = SW_MPI_SUM | SW_MPI_SCATTER,
	SW_MPI_GROUPS = SW_MPI_GATHER | SW_MPI_SWAP | SW_MPI_ADDS,
	SW_MPI_BOXES = SW_MPI_SLICE | SW_MPI_GATHER | SW_MPI_SWAP | SW_MPI_SCATTER | SW_MPI_EXCHANGE | SW_MPI_PAD,
	SW_MPI_MESSAGES = SW_MPI_SWAP | SW_MPI_EXCHANGE,
	SW_MPI_STEPS = 511
};

typedef struct sw_mpi_part {
	unsigned need; /* any of these; 0: always */
	const char *text;
} sw_mpi_part;

/* Up to the sizes, up to the tables of tiles and groups, up to the table of steps, and from there on; each ended by a
 * text of NULL. */
extern const sw_mpi_part sw_mpi_head[], sw_mpi_digit[], sw_mpi_middle[], sw_mpi_tail[];

/* Steps that add, before the table of steps; and the elements of an array of which terms are summed, before the tail. */
extern const sw_mpi_part sw_mpi_adding[], sw_mpi_terms[];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the MPI program that are the same for all plans.
 */
#ifndef SW_EMIT_MPI_BODY_H
#define SW_EMIT_MPI_BODY_H

#include <stdint.h>

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
	SW_MPI_MOVE_WHOLE = 512, /* redistributions among what is computed */
	SW_MPI_PIECES = 1 << 28,
	SW_MPI_ADDS = SW_MPI_SUM | SW_MPI_SCATTER,
	SW_MPI_GROUPS = SW_MPI_GATHER | SW_MPI_SWAP | SW_MPI_ADDS | SW_MPI_PIECES,
	SW_MPI_BOXES = SW_MPI_SLICE | SW_MPI_GATHER | SW_MPI_SWAP | SW_MPI_SCATTER | SW_MPI_EXCHANGE | SW_MPI_PAD,
	SW_MPI_MESSAGES = SW_MPI_SWAP | SW_MPI_EXCHANGE,

	/* of whole programs */
	SW_MPI_MOVE = 1 << 10,
	SW_MPI_EINSUM = 1 << 11,
	SW_MPI_PRODUCT = 1 << 12, /* a product of matrices, among letters or in a body */
	SW_MPI_CBLAS = 1 << 13,   /* of floating-point elements */
	SW_MPI_BODY = 1 << 14,
	SW_MPI_BODY_PRODUCT = 1 << 25,
	SW_MPI_LETTERS = SW_MPI_EINSUM | SW_MPI_PRODUCT,
	SW_MPI_ELEMENTS = 1 << 15,
	SW_MPI_EXP = 1 << 16,
	SW_MPI_TERMS = 1 << 17, /* the result is a sum */
	SW_MPI_EXACT = 1 << 18,
	SW_MPI_BOUND = 1 << 19, /* or within a bound, by these rules */
	SW_MPI_BOUND_SAME = 1 << 20,
	SW_MPI_BOUND_PRODUCT = 1 << 21,
	SW_MPI_BOUND_EXP = 1 << 22,
	SW_MPI_BOUND_SUM = 1 << 23,
	SW_MPI_BOUND_BODY = 1 << 24,

	/* who runs the steps */
	SW_MPI_RANKS = 1 << 26,
	SW_MPI_GPUS = 1 << 27, /* by NCCL */

	/* what the result is compared with: arrays computed whole, or an input, where nothing is computed */
	SW_MPI_COMPUTES = 1 << 29,
	SW_MPI_STRAIGHT = 1 << 30
};

/* Where devices have what no tile says, and what is computed of it. */
#define SW_MPI_STORED ((uint64_t)1 << 32)
#define SW_MPI_STORED_TERMS ((uint64_t)1 << 33) /* the result is a sum of what devices store */
#define SW_MPI_SOURCE_TERMS ((uint64_t)1 << 34) /* so is the input that is moved */
#define SW_MPI_FORMULA ((uint64_t)1 << 35)
#define SW_MPI_FUNCTION ((uint64_t)1 << 36)
#define SW_MPI_MANY ((uint64_t)1 << 37) /* it reads several elements at once */
#define SW_MPI_DIVIDES ((uint64_t)1 << 39)
#define SW_MPI_SENT ((uint64_t)1 << 40) /* it is moved */
#define SW_MPI_ROUNDS ((uint64_t)1 << 38)
#define SW_MPI_ONCE ((uint64_t)1 << 43)
#define SW_MPI_WHOLE_ONCE ((uint64_t)1 << 44) /* and whole arrays are computed */
#define SW_MPI_NEGATIVE ((uint64_t)1 << 41)
#define SW_MPI_TIMES ((uint64_t)1 << 42)
#define SW_MPI_ADDED (SW_MPI_TERMS | SW_MPI_STORED_TERMS)
#define SW_MPI_PLACES (SW_MPI_COMPUTES | SW_MPI_SOURCE_TERMS | SW_MPI_STORED_TERMS)
#define SW_MPI_NUMBERED (SW_MPI_COMPUTES | SW_MPI_STORED)
/* Calls, and the functions that are made of them: pairs of messages, and sums on all ranks. */
#define SW_MPI_ALLREDUCE ((uint64_t)1 << 45) /* a step, or the result, is summed so */
#define SW_MPI_CALLS \
	(SW_MPI_GATHER | SW_MPI_SWAP | SW_MPI_PERMUTE | SW_MPI_EXCHANGE | SW_MPI_SCATTER | SW_MPI_SENT | SW_MPI_ALLREDUCE)
#define SW_MPI_PAIRED (SW_MPI_EXCHANGE | SW_MPI_SENT)
#define SW_MPI_TYPED (SW_MPI_GATHER | SW_MPI_SWAP | SW_MPI_PERMUTE | SW_MPI_PAIRED)
#define SW_MPI_ADDS_LARGE (SW_MPI_SCATTER | SW_MPI_ALLREDUCE)
#define SW_MPI_WEIGHTS (SW_MPI_FUNCTION | SW_MPI_MANY)

typedef struct sw_mpi_part {
	uint64_t need; /* any of these; 0: always */
	const char *text;
} sw_mpi_part;

/* Up to the sizes, up to the tables of tiles and groups, and up to the table of steps; each ended by a text of NULL. */
extern const sw_mpi_part sw_mpi_head[], sw_mpi_digit[], sw_mpi_middle[];

/* Calls of MPI, before the functions that make them: where an int counts the elements of each, and where it does not. */
extern const sw_mpi_part sw_mpi_calls[], sw_mpi_calls_sums[], sw_mpi_calls_stored[], sw_mpi_large[];

/* Behind the table of steps, up to the functions of what is computed element by element, and from there on. */
extern const sw_mpi_part sw_mpi_products[], sw_mpi_program[];

/* GPUs, before the tables; and what steps on pieces share, before the functions of these. */
extern const sw_mpi_part sw_mpi_gpus[], sw_mpi_pieces[];

/* What devices store that is no tile, and formulas: behind the products. */
extern const sw_mpi_part sw_mpi_stored[], sw_mpi_formulas[];

/* A schedule: before its tables, and behind them. */
extern const sw_mpi_part sw_mpi_schedule_head[], sw_mpi_schedule[];

/* The program with ScaLAPACK, behind its tables. */
extern const sw_mpi_part sw_mpi_scalapack[];

/* Steps that add, before the table of steps. */
extern const sw_mpi_part sw_mpi_adding[];

#endif

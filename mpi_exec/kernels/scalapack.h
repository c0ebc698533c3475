/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pdgemm of ScaLAPACK, which is found at run time: products of block-cyclic matrices, by the BLAS of the leaf where it takes that.
 *
 * Matrices are stored by rows, blocks are square and dealt over a grid of all ranks, row by row.  ScaLAPACK stores by columns: it sees all of
 * them, and the grid, transposed.
 */
#ifndef EX_KERNELS_SCALAPACK_H
#define EX_KERNELS_SCALAPACK_H

#include <mpi.h>

#include <shardwalk/schedule_program.h>

#include "kernels/blas.h"

typedef struct ex_scalapack {
	void *handle;   /* NULL: it is not loaded */
	char file[256]; /* the library's */
	char blas[256]; /* of the library that it multiplies by */
	void *multiply, *rows;
	int system, context; /* of BLACS; -1: there is none */
	int grid[2], at[2];  /* rows and columns of processes, and those of this rank */
} ex_scalapack;

/* Loads it, so that it multiplies by the library of `blas` where that has the functions of Fortran.  Error: E02 with the package. */
bool ex_scalapack_load(ex_scalapack *library, const ex_blas *blas, ex_fault *fault);

/* Deals the ranks of a communicator over a grid.  All of them call it.  Error: E02 where the library has no grids. */
bool ex_scalapack_open(ex_scalapack *library, MPI_Comm comm, const int64_t grid[2], ex_fault *fault);
void ex_scalapack_close(ex_scalapack *library);

/* Elements that this rank has of a matrix of these sizes. */
int64_t ex_scalapack_elements(const ex_scalapack *library, int64_t rows, int64_t columns, int64_t block);

/* a = b c, on all ranks; each brings what it has of them.  Sizes fit an int. */
void ex_scalapack_multiply(const ex_scalapack *library, const sw_schedule_product *product, int64_t block,
	const void *b, const void *c, void *a);

#endif

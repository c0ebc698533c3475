/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * COSTA's part of mpi_cyclic.c, by its layouts: its own pdgemr2d returns wrong matrices where the grids differ.
 */
#include <costa/grid2grid/transform.hpp>
#include <costa/layout.hpp>

extern "C" {

/* As in mpi_cyclic.c. */
struct matrix {
	int rows, columns, block, row, column, height, width;
	double *at;
};

static costa::grid_layout<double> layout_of(int n, const matrix *m, int rank)
{
	return costa::block_cyclic_layout<double>(n, n, m->block, m->block, 1, 1, n, n, m->rows, m->columns, 'C', 0, 0,
		m->at, m->height, rank);
}

void costa_move(int n, const matrix *from, const matrix *into)
{
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	costa::grid_layout<double> before = layout_of(n, from, rank), after = layout_of(n, into, rank);
	costa::transform<double>(before, after, MPI_COMM_WORLD);
}

} /* extern "C" */

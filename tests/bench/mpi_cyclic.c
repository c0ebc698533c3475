/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What others do with a block-cyclic matrix of N x N doubles, from blocks of 32 on 2 x 4 ranks to blocks of 96 on 4 x 2, for
 * mpi_cyclic.sh.
 *
 *     mpi_cyclic N REPS
 *
 * Compiled with -DSCALAPACK it is pdgemr2d, with -DCOSTA and mpi_costa.cpp COSTA by its layouts.  Both store by columns: their rows
 * are our columns, and ranks count down the columns of the grid.  Rank 0 prints the median of the longest rank's seconds; every
 * element is checked once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

/* One end: a grid of ranks, blocks, and what this rank has, column by column. */
typedef struct matrix {
	int rows, columns, block; /* of the grid, and of each block in both directions */
	int row, column;          /* of this rank */
	int height, width;        /* of what it has */
	double *at;
} matrix;

void costa_move(int n, const matrix *from, const matrix *into);

/* How many of n indices a place of several has, in blocks that come round. */
static int have(int n, int block, int place, int places)
{
	int rounds = n / (block * places), left = n - rounds * block * places - place * block;
	return rounds * block + (left < 0 ? 0 : left > block ? block : left);
}

static int global_of(int local, int block, int place, int places)
{
	return (local / block * places + place) * block + local % block;
}

static void make(matrix *m, int n, int rows, int columns, int block)
{
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	*m = (matrix){.rows = rows, .columns = columns, .block = block, .row = rank % rows, .column = rank / rows};
	m->height = have(n, block, m->row, rows);
	m->width = have(n, block, m->column, columns);
	m->at = calloc((size_t)m->height * (size_t)m->width, sizeof(double));
	if (!m->at)
		MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Writes what belongs there, or counts what does not stand there. */
static long long go_over(const matrix *m, int n, int check)
{
	long long wrong = 0;
	for (int j = 0; j < m->width; j++)
		for (int i = 0; i < m->height; i++) {
			double *at = &m->at[(size_t)j * (size_t)m->height + (size_t)i];
			double want = (double)global_of(j, m->block, m->column, m->columns) * n +
				global_of(i, m->block, m->row, m->rows);
			wrong += check && (*at < want || *at > want);
			*at = want;
		}
	return wrong;
}

#ifdef SCALAPACK
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cpdgemr2d(int m, int n, double *a, int ia, int ja, int *desca, double *b, int ib, int jb, int *descb,
	int context);

static void move(int n, const matrix *from, const matrix *into)
{
	static int context[2] = {-1, -1}, all;
	if (context[0] < 0) {
		Cblacs_get(0, 0, &all);
		context[0] = context[1] = all;
		Cblacs_gridinit(&context[0], "Col", from->rows, from->columns);
		Cblacs_gridinit(&context[1], "Col", into->rows, into->columns);
	}
	int a[9] = {1, context[0], n, n, from->block, from->block, 0, 0, from->height};
	int b[9] = {1, context[1], n, n, into->block, into->block, 0, 0, into->height};
	Cpdgemr2d(n, n, from->at, 1, 1, a, into->at, 1, 1, b, context[0]);
}
#else
static void move(int n, const matrix *from, const matrix *into)
{
	costa_move(n, from, into);
}
#endif

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static int run(int n, int reps)
{
	matrix from, into;
	long long wrong, all_wrong;
	int rank;
	double *sample = malloc(sizeof(double) * (size_t)reps);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	make(&from, n, 4, 2, 32);
	make(&into, n, 2, 4, 96);
	if (!sample)
		MPI_Abort(MPI_COMM_WORLD, 3);
	go_over(&from, n, 0);
	move(n, &from, &into);
	wrong = go_over(&into, n, 1);
	MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < reps; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = MPI_Wtime();
		move(n, &from, &into);
		sample[i] = MPI_Wtime() - begin;
	}
	MPI_Allreduce(MPI_IN_PLACE, sample, reps, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	qsort(sample, (size_t)reps, sizeof(double), compare);
	if (rank == 0 && all_wrong == 0)
		printf("%.9g\n", sample[reps / 2]);
	free(from.at);
	free(into.at);
	free(sample);
	return all_wrong ? 1 : 0;
}

int main(int count, char **words)
{
	int ranks, status = 2;
	MPI_Init(&count, &words);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (count == 3 && ranks == 8 && atoi(words[1]) > 0 && atoi(words[2]) > 0)
		status = run(atoi(words[1]), atoi(words[2]));
	MPI_Finalize();
	return status;
}

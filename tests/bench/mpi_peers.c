/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What others do with the transfers that mpi_goals.sh times: N x N doubles from row blocks to column blocks; and with a sum.
 *
 *     mpi_peers empty               nothing but MPI_Init and MPI_Finalize
 *     mpi_peers alltoallw N REPS    one MPI_Alltoallw with derived types, folded as far as they go
 *     mpi_peers pdgemr2d N REPS     ScaLAPACK, where it was compiled in
 *     mpi_peers allreduce N REPS    one MPI_Allreduce of N floats, for mpi_sums.sh
 *
 * Rank 0 prints the median of the longest rank's seconds.  Every element is checked once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

typedef struct blocks {
	int ranks, rank, n, width; /* n x n doubles, `width` rows or columns a rank */
	double *from, *into;
} blocks;

typedef void transfer(blocks *b);

static void fill(blocks *b)
{
	for (int i = 0; i < b->width; i++)
		for (int j = 0; j < b->n; j++)
			b->from[(size_t)i * b->n + j] = (double)(b->rank * b->width + i) * b->n + j;
}

static long long wrong(const blocks *b, int by_columns)
{
	long long count = 0;
	for (int i = 0; i < b->n; i++)
		for (int j = 0; j < b->width; j++) {
			double want = (double)i * b->n + b->rank * b->width + j;
			count += b->into[by_columns ? (size_t)j * b->n + i : (size_t)i * b->width + j] != want;
		}
	return count;
}

static void alltoallw(blocks *b)
{
	int *counts = malloc(sizeof(int) * (size_t)b->ranks), *out = malloc(sizeof(int) * (size_t)b->ranks);
	int *in = malloc(sizeof(int) * (size_t)b->ranks);
	MPI_Datatype *out_type = malloc(sizeof(MPI_Datatype) * (size_t)b->ranks);
	MPI_Datatype *in_type = malloc(sizeof(MPI_Datatype) * (size_t)b->ranks);
	for (int p = 0; p < b->ranks; p++) {
		counts[p] = 1;
		out[p] = p * b->width * (int)sizeof(double);
		in[p] = p * b->width * b->width * (int)sizeof(double);
		MPI_Type_vector(b->width, b->width, b->n, MPI_DOUBLE, &out_type[p]);
		MPI_Type_contiguous(b->width * b->width, MPI_DOUBLE, &in_type[p]);
		MPI_Type_commit(&out_type[p]);
		MPI_Type_commit(&in_type[p]);
	}
	MPI_Alltoallw(b->from, counts, out, out_type, b->into, counts, in, in_type, MPI_COMM_WORLD);
	for (int p = 0; p < b->ranks; p++) {
		MPI_Type_free(&out_type[p]);
		MPI_Type_free(&in_type[p]);
	}
	free(counts);
	free(out);
	free(in);
	free(out_type);
	free(in_type);
}

#ifdef SCALAPACK
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cpdgemr2d(int m, int n, double *a, int ia, int ja, int *desca, double *b, int ib, int jb, int *descb,
	int context);

/* Column-major ScaLAPACK sees the transpose: column blocks become row blocks. */
static void pdgemr2d(blocks *b)
{
	static int columns = -1, rows = -1, all = -1;
	if (all < 0) {
		Cblacs_get(0, 0, &all);
		columns = rows = all;
		Cblacs_gridinit(&columns, "Row", 1, b->ranks);
		Cblacs_gridinit(&rows, "Row", b->ranks, 1);
		all = columns;
	}
	int from[9] = {1, columns, b->n, b->n, b->n, b->width, 0, 0, b->n};
	int into[9] = {1, rows, b->n, b->n, b->width, b->n, 0, 0, b->width};
	Cpdgemr2d(b->n, b->n, b->from, 1, 1, from, b->into, 1, 1, into, all);
}
#endif

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static int run(transfer *once, int n, int reps)
{
	blocks b = {.n = n};
	MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
	b.width = n / b.ranks;
	size_t bytes = sizeof(double) * (size_t)n * (size_t)b.width;
	double *sample = malloc(sizeof(double) * (size_t)reps);
	b.from = malloc(bytes);
	b.into = malloc(bytes);
	if (!sample || !b.from || !b.into || n % b.ranks)
		MPI_Abort(MPI_COMM_WORLD, 3);
	fill(&b);
	memset(b.into, 0, bytes);
	once(&b);
	long long bad = wrong(&b, 0), all_bad = 0;
	MPI_Allreduce(&bad, &all_bad, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < reps; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = MPI_Wtime();
		once(&b);
		sample[i] = MPI_Wtime() - begin;
	}
	MPI_Allreduce(MPI_IN_PLACE, sample, reps, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	qsort(sample, (size_t)reps, sizeof(double), compare);
	if (b.rank == 0 && all_bad == 0)
		printf("%.9g\n", sample[reps / 2]);
	free(sample);
	free(b.from);
	free(b.into);
	return all_bad ? 1 : 0;
}

/* Small integers, whose sums are exact in every order. */
static long long wrong_sums(const float *into, int n, int ranks)
{
	long long count = 0;
	for (int i = 0; i < n; i++) {
		float want = (float)ranks * (float)(i % 100) + (float)ranks * (float)(ranks - 1) / 2;
		count += into[i] < want || into[i] > want;
	}
	return count;
}

static int run_allreduce(int n, int reps)
{
	int ranks, rank;
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	float *from = malloc(sizeof(float) * (size_t)n), *into = malloc(sizeof(float) * (size_t)n);
	double *sample = malloc(sizeof(double) * (size_t)reps);
	if (!from || !into || !sample)
		MPI_Abort(MPI_COMM_WORLD, 3);
	for (int i = 0; i < n; i++)
		from[i] = (float)(i % 100 + rank);
	for (int i = -1; i < reps; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = MPI_Wtime();
		MPI_Allreduce(from, into, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
		if (i >= 0)
			sample[i] = MPI_Wtime() - begin;
	}
	long long bad = wrong_sums(into, n, ranks), all_bad = 0;
	MPI_Allreduce(&bad, &all_bad, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(MPI_IN_PLACE, sample, reps, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	qsort(sample, (size_t)reps, sizeof(double), compare);
	if (rank == 0 && all_bad == 0)
		printf("%.9g\n", sample[reps / 2]);
	free(sample);
	free(from);
	free(into);
	return all_bad ? 1 : 0;
}

int main(int count, char **words)
{
	int status = 2;
	MPI_Init(&count, &words);
	if (count == 2 && strcmp(words[1], "empty") == 0)
		status = 0;
	else if (count == 4 && strcmp(words[1], "alltoallw") == 0)
		status = run(alltoallw, atoi(words[2]), atoi(words[3]));
	else if (count == 4 && strcmp(words[1], "allreduce") == 0)
		status = run_allreduce(atoi(words[2]), atoi(words[3]));
#ifdef SCALAPACK
	else if (count == 4 && strcmp(words[1], "pdgemr2d") == 0)
		status = run(pdgemr2d, atoi(words[2]), atoi(words[3]));
#endif
	MPI_Finalize();
	return status;
}

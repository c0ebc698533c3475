/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products on all ranks at once, by the wall clock: cores that share what they have, and ranks that share a core, are measured as they work.
 */
#include "pace.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <shardwalk/number.h>

enum { LEAST_ROWS = 128, MOST_ROWS = 512, MOST_BYTES = 32 << 20, WIDTH = 256 };
static const double WARM = 15e-3, PRODUCTS = 50e-3, READING = 10e-3, ONE_PRODUCT = 12e-3;

/* What a rank multiplies again and again: a[m, k] b[k, n]. */
typedef struct trial {
	const ex_blas *blas;
	sw_dtype dtype;
	sw_gemm gemm;
	const void *a;
	void *b, *c;
	void *own; /* what `a` is, where it belongs to the trial */
} trial;

static sw_gemm product_of(int64_t m, int64_t n, int64_t k)
{
	return (sw_gemm){.batch = 1, .m = m, .n = n, .k = k, .a = {.lead = k}, .b = {.lead = n}, .c = {.lead = n}};
}

static void *room_for(sw_dtype dtype, int64_t elements)
{
	void *room = malloc((size_t)(elements * sw_dtype_bytes(dtype)));
	for (int64_t i = 0; room && i < elements; i++)
		sw_element_set(dtype, room, i, i % 3);
	return room;
}

static bool open_trial(trial *t, const ex_blas *blas, sw_dtype dtype, const sw_gemm *gemm)
{
	*t = (trial){blas, dtype, *gemm, NULL, room_for(dtype, gemm->k * gemm->n), room_for(dtype, gemm->m * gemm->n),
		room_for(dtype, gemm->m * gemm->k)};
	t->a = t->own;
	return t->a && t->b && t->c;
}

static void close_trial(trial *t)
{
	free(t->own);
	free(t->b);
	free(t->c);
}

/* Seconds of at least so many; how often it was multiplied. */
static double repeat(const trial *t, double seconds, int64_t *times)
{
	double begin = ex_now(), now;
	*times = 0;
	do {
		ex_blas_multiply((void *)(uintptr_t)t->blas, t->dtype, &t->gemm, t->a, t->b, t->c);
		++*times;
		now = ex_now();
	} while (now - begin < seconds);
	return now - begin;
}

/* What is done each time, of all ranks a second: until the slowest is done. */
static double together(ex_team *team, const trial *t, bool ready, double seconds, double each)
{
	double lacks = !ready, done = 0, longest = 0;
	int64_t times = 0;
	ex_team_reduce(team, &lacks, 1, MPI_MAX);
	ex_team_barrier(team);
	if (lacks > 0)
		return 0;
	longest = repeat(t, seconds, &times);
	done = (double)times * each;
	ex_team_reduce(team, &done, 1, MPI_SUM);
	ex_team_reduce(team, &longest, 1, MPI_MAX);
	return longest > 0 ? done / longest : 0;
}

/* Small products first, so that clocks and pages are there; then such that one does not take too long. */
static double products_of(ex_team *team, const ex_blas *blas, const ex_pace_of *of)
{
	const sw_gemm least = product_of(LEAST_ROWS, LEAST_ROWS, LEAST_ROWS);
	double rows = fmin(fmax(of->rows, LEAST_ROWS), MOST_ROWS), cube = pow(LEAST_ROWS, 3);
	trial t;
	bool ready = open_trial(&t, blas, of->dtype, &least);
	double rate = together(team, &t, ready, WARM, cube) / team->ranks;
	close_trial(&t);
	if (rate <= 0)
		return 0;
	rows = fmax(LEAST_ROWS, fmin(rows, cbrt(rate * ONE_PRODUCT)));
	const sw_gemm gemm = product_of((int64_t)rows, (int64_t)rows, (int64_t)rows);
	ready = open_trial(&t, blas, of->dtype, &gemm);
	rate = together(team, &t, ready, PRODUCTS, 2 * pow(floor(rows), 3));
	close_trial(&t);
	return rate;
}

/* A matrix there by a vector: once so that it has pages, and then by the clock. */
static double reading_of(ex_team *team, const ex_blas *blas, const ex_pace_of *of)
{
	int64_t row = (int64_t)WIDTH * sw_dtype_bytes(of->dtype), rows = sw_smaller(of->bytes, MOST_BYTES) / row;
	trial t = {blas, of->dtype, product_of(rows, 1, WIDTH), of->data, room_for(of->dtype, WIDTH),
		room_for(of->dtype, rows), NULL};
	bool ready = rows > 0 && t.b && t.c;
	double each = (double)rows * (double)row, rate;
	rate = together(team, &t, ready, 0, each) > 0 ? together(team, &t, ready, READING, each) : 0;
	free(t.b);
	free(t.c);
	return rate;
}

void ex_pace_take(ex_team *team, const ex_blas *blas, const ex_pace_of *of, ex_pace *pace)
{
	assert(sw_dtype_computes(of->dtype));
	*pace = (ex_pace){products_of(team, blas, of), reading_of(team, blas, of)};
}

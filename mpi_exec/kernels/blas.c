/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CBLAS, by dlopen.
 */
#define _GNU_SOURCE
#include "kernels/blas.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112, TRIAL = 192, TRIALS = 3 };

static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", "libblis.so.4", "libblis.so",
	"libcblas.so.3", "libblas.so.3"};
enum { NAMES = sizeof names / sizeof *names };

/* ---- products ---- */

static bool fits(const sw_gemm *g)
{
	return g->m <= INT_MAX && g->n <= INT_MAX && g->k <= INT_MAX && g->a.lead <= INT_MAX && g->b.lead <= INT_MAX &&
		g->c.lead <= INT_MAX;
}

static int turn(const sw_matrices *matrices)
{
	return matrices->transposed ? TRANSPOSED : AS_IT_IS;
}

/* Elements from one to the next of a matrix that is one row or one column. */
static int apart(const sw_matrices *matrices, bool column)
{
	int64_t apart = matrices->transposed == column ? 1 : matrices->lead;
	return apart > 1 ? (int)apart : 1;
}

/* A matrix times a vector, as the library sees it: y[m] = a[m, k] x[k], a perhaps stored by columns. */
typedef struct by_vector {
	const sw_matrices *matrix;
	bool turned; /* the matrix is b, by its columns */
	int m, k, by_x, by_y;
} by_vector;

static bool is_by_vector(const sw_gemm *g, by_vector *v)
{
	if (g->n == 1)
		*v = (by_vector){&g->a, false, (int)g->m, (int)g->k, apart(&g->b, true), apart(&g->c, true)};
	else
		*v = (by_vector){&g->b, true, (int)g->n, (int)g->k, apart(&g->a, false), 1};
	return g->n == 1 || g->m == 1;
}

#define PRODUCTS(name, type, matrices, turns, dots) \
	typedef void name##_product(int order, int turn_a, int turn_b, int m, int n, int k, type alpha, const type *a, \
		int lead_a, const type *b, int lead_b, type beta, type *c, int lead_c); \
	typedef void name##_turn(int order, int turn, int rows, int columns, type alpha, const type *a, int lead, \
		const type *x, int by_x, type beta, type *y, int by_y); \
	typedef type name##_dot(int n, const type *x, int by_x, const type *y, int by_y); \
\
	static void multiply_matrices_##name(const ex_blas *blas, const sw_gemm *g, const type *a, const type *b, \
		type *c) \
	{ \
		name##_product *product; \
		memcpy(&product, &blas->matrices, sizeof product); \
		product(ROW_MAJOR, turn(&g->a), turn(&g->b), (int)g->m, (int)g->n, (int)g->k, 1, a, (int)g->a.lead, b, \
			(int)g->b.lead, g->adds, c, (int)g->c.lead); \
	} \
\
	static void multiply_vectors_##name(const ex_blas *blas, const sw_gemm *g, const by_vector *v, const type *a, \
		const type *b, type *c) \
	{ \
		name##_dot *dot; \
		memcpy(&dot, &blas->dots, sizeof dot); \
		*c = (g->adds ? *c : 0) + dot(v->k, a, apart(&g->a, false), b, v->by_x); \
	} \
\
	static void multiply_by_vector_##name(const ex_blas *blas, const sw_gemm *g, const by_vector *v, const type *a, \
		const type *b, type *c) \
	{ \
		name##_turn *product; \
		const type *matrix = v->turned ? b : a, *x = v->turned ? a : b; \
		bool by_rows = v->turned == v->matrix->transposed; \
		memcpy(&product, &blas->turns, sizeof product); \
		for (int64_t i = 0; i < v->m && !g->adds; i++) \
			c[i * v->by_y] = 0; \
		product(ROW_MAJOR, by_rows ? AS_IT_IS : TRANSPOSED, by_rows ? v->m : v->k, by_rows ? v->k : v->m, 1, matrix, \
			(int)v->matrix->lead, x, v->by_x, 1, c, v->by_y); \
	} \
\
	static void multiply_##name(const ex_blas *blas, const sw_gemm *g, const type *a, const type *b, type *c) \
	{ \
		by_vector v; \
		if (!is_by_vector(g, &v)) \
			multiply_matrices_##name(blas, g, a, b, c); \
		else if (v.m == 1 && blas->dots) \
			multiply_vectors_##name(blas, g, &v, a, b, c); \
		else if (v.m > 1 && blas->turns) \
			multiply_by_vector_##name(blas, g, &v, a, b, c); \
		else \
			multiply_matrices_##name(blas, g, a, b, c); \
	}
PRODUCTS(single, float, single, single_turn, single_dot)
PRODUCTS(double, double, twice, double_turn, double_dot)
#undef PRODUCTS

void ex_blas_multiply(void *context, sw_dtype dtype, const sw_gemm *gemm, const void *a, const void *b, void *c)
{
	const ex_blas *blas = context;
	bool has = blas && blas->single && blas->twice && fits(gemm);
	if (has && dtype == SW_F32)
		multiply_single(blas, gemm, a, b, c);
	else if (has && dtype == SW_F64)
		multiply_double(blas, gemm, a, b, c);
	else
		sw_multiply_plain(NULL, dtype, gemm, a, b, c);
}

/* ---- finding it ---- */

static void *handle_of(const char *name, ex_blas *blas)
{
	void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return NULL;
	blas->single = dlsym(handle, "cblas_sgemm");
	blas->twice = dlsym(handle, "cblas_dgemm");
	blas->single_turn = dlsym(handle, "cblas_sgemv");
	blas->double_turn = dlsym(handle, "cblas_dgemv");
	blas->single_dot = dlsym(handle, "cblas_sdot");
	blas->double_dot = dlsym(handle, "cblas_ddot");
	if (blas->single && blas->twice)
		return handle;
	blas->single = blas->twice = blas->single_turn = blas->double_turn = blas->single_dot = blas->double_dot = NULL;
	dlclose(handle);
	return NULL;
}

/* Libraries with threads have a function each that says how many there are. */
static int threads_of(void *handle)
{
	static const char *const counters[] = {"openblas_get_num_threads", "bli_thread_get_num_threads"};
	for (int i = 0; i < 2; i++) {
		int (*count)(void);
		void *symbol = dlsym(handle, counters[i]);
		memcpy(&count, &symbol, sizeof count);
		if (symbol)
			return count();
	}
	return 1;
}

/* One that was loaded before, by somebody else, has read the environment already. */
void ex_blas_keep_to_one_thread(void *handle)
{
	static const char *const setters[] = {"openblas_set_num_threads"};
	for (size_t i = 0; i < sizeof setters / sizeof *setters; i++) {
		void (*set)(int threads);
		void *symbol = dlsym(handle, setters[i]);
		memcpy(&set, &symbol, sizeof set);
		if (symbol)
			set(1);
	}
}

/* Before a library is loaded: one that has threads makes them then. */
static void ask_for_one_thread(void)
{
	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	setenv("BLIS_NUM_THREADS", "1", 1);
	setenv("MKL_NUM_THREADS", "1", 1);
	setenv("OMP_NUM_THREADS", "1", 1);
}

static double used(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Operations per second of processor time: other ranks that are busy do not count. */
static double measure(const ex_blas *blas)
{
	enum { SIZE = TRIAL * TRIAL };
	static float a[SIZE], b[SIZE], c[SIZE];
	const sw_matrices square = {.lead = TRIAL, .size = SIZE};
	const sw_gemm gemm = {.batch = 1, .m = TRIAL, .n = TRIAL, .k = TRIAL, .a = square, .b = square, .c = square};
	double least = 1e300;
	for (int i = 0; i < SIZE; i++)
		a[i] = b[i] = (float)(i % 3);
	for (int i = 0; i <= TRIALS; i++) {
		double begin = used();
		ex_blas_multiply((void *)(uintptr_t)blas, SW_F32, &gemm, a, b, c);
		double seconds = used() - begin;
		least = i && seconds < least ? seconds : least; /* the first makes pages */
	}
	return 2.0 * TRIAL * TRIAL * TRIAL / (least > 0 ? least : 1e-9);
}

void ex_blas_file(const void *function, char *file, size_t room)
{
	Dl_info info;
	*file = '\0';
	if (!function || dladdr(function, &info) == 0)
		return;
	char *path = realpath(info.dli_fname, NULL);
	snprintf(file, room, "%s", path ? path : info.dli_fname);
	free(path);
}

/* Some have their products in another library, which Fortran calls. */
static void name_file(void *handle, ex_blas *blas)
{
	const void *function = dlsym(handle, "dgemm_");
	ex_blas_file(function ? function : blas->twice, blas->file, sizeof blas->file);
}

static bool take(const char *name, ex_blas *blas)
{
	void *handle = handle_of(name, blas);
	if (!handle)
		return false;
	ex_blas_keep_to_one_thread(handle);
	blas->library = name;
	name_file(handle, blas);
	blas->threads = threads_of(handle);
	blas->rate = measure(blas);
	return true;
}

static bool take_named(const char *name, ex_blas *blas, ex_fault *fault)
{
	if (take(name, blas))
		return true;
	ex_fault_set(fault, EX_LACKS, "E02", "SHARDWALK_BLAS names '%s', which is no library with cblas_sgemm", name);
	return ex_fault_hint(fault,
		"name the file of one, or `none` for the plain loop; the package libopenblas0-pthread has one");
}

bool ex_blas_find(ex_blas *blas, ex_fault *fault)
{
	const char *named = getenv("SHARDWALK_BLAS");
	*blas = (ex_blas){.threads = 1};
	double plain = blas->rate = measure(blas);
	ask_for_one_thread();
	if (named && strcmp(named, "none") == 0)
		return true;
	if (named && *named)
		return take_named(named, blas, fault);
	for (int i = 0; i < NAMES && !blas->library; i++)
		if (take(names[i], blas) && blas->rate < plain)
			*blas = (ex_blas){.slower = names[i], .threads = 1, .rate = plain};
	return true;
}

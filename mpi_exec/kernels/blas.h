/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices by the CBLAS of the system, which is found at run time, with one thread.
 */
#ifndef EX_KERNELS_BLAS_H
#define EX_KERNELS_BLAS_H

#include <stddef.h>

#include <shardwalk/arithmetic.h>

#include "fault.h"

typedef struct ex_blas {
	const char *library; /* the name of its file; NULL: there is none, and a plain loop multiplies */
	const char *slower;  /* one that was found, but is slower than the plain loop; NULL: none */
	char file[256];      /* the path of the file that its products are in; "": there is none */
	int threads;
	double rate;                     /* of a short trial in f32, by which libraries are compared */
	void *single, *twice;            /* products of matrices */
	void *single_turn, *double_turn; /* of a matrix and a vector; NULL: there is none */
	void *single_dot, *double_dot;   /* of two vectors; the same */
} ex_blas;

/* Looks for a library: the one that the variable SHARDWALK_BLAS names ("none": none), else OpenBLAS, BLIS and the reference in
 * this order; one that is slower than the plain loop is not taken.  Error: E02 where the named one cannot be had. */
bool ex_blas_find(ex_blas *blas, ex_fault *fault);

/* The path of the file that a function is in, without links; "" where it is NULL or unknown. */
void ex_blas_file(const void *function, char *file, size_t room);

/* A library that was loaded has one thread from now on, if it or one that it needs has any. */
void ex_blas_keep_to_one_thread(void *handle);

/* One product, as a sw_multiplier has it; the context is an ex_blas.  Whole numbers are multiplied by the plain loop. */
void ex_blas_multiply(void *context, sw_dtype dtype, const sw_gemm *gemm, const void *a, const void *b, void *c);

#endif

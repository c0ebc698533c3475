/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of formulas on elements: the same, in the same order, whoever does it.
 *
 * Elements of the left side begin as 0, or as what they had before (`+=`), and each point adds the sum of the right side to its element.  What lies
 * past an end counts as 0.  A function is a sum of its arguments with odd weights in 64-bit integers, and so is what `:` and graphs
 * read.
 */
#ifndef SW_PROGRAM_FORMULA_RUN_H
#define SW_PROGRAM_FORMULA_RUN_H

#include <shardwalk/computation.h>
#include <shardwalk/local.h>

/* The most that a weight is. */
#define SW_MOST_WEIGHT 63

/* The arrays of a formula as somebody stores them; `data` NULL: the array is not read. */
typedef struct sw_stored {
	const void *data;
	const sw_local *local;
} sw_stored;

typedef struct sw_formula_work {
	const sw_formula *formula;
	sw_dtype dtype;         /* that is computed with */
	const sw_stored *array; /* of each array of the formula; of the left side what is made, without its data */
	void *made;
} sw_formula_work;

/* Adds at these points, whose dimensions are the letters.  false: no memory. */
bool sw_formula_run(const sw_formula_work *work, const sw_region *points, sw_arena *arena);

/* Operations at a point. */
int64_t sw_formula_operations(const sw_formula *formula);

/* The largest absolute value of what a sum of the formula may be, where that of array k is most[k]. */
double sw_formula_bound(const sw_formula *formula, const double *most);

#endif

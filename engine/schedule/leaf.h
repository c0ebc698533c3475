/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of three arrays in a leaf, and what a leaf does to be computed.
 */
#ifndef SW_SCHEDULE_LEAF_H
#define SW_SCHEDULE_LEAF_H

#include <shardwalk/arithmetic.h>

#include "program/formula_run.h"

/* The low corner and the sizes of points that are one box; false: they are not. */
bool sw_leaf_box(const sw_region *points, int64_t *low, int64_t *size);

/* Adds a product of three arrays at points that are a box, two of them first, by the multiplier, into blocks of a workspace: where a letter is
 * summed that the third lacks.  false: it is none, or no memory; then the result is as it was. */
bool sw_leaf_chain(const sw_formula_work *work, const sw_region *points, const sw_multiplier *by);

/* Operations for these points, as a leaf computes them. */
double sw_leaf_operations(const sw_formula *formula, const sw_region *points);

/* Elements of all arrays that these points read or add to, each once. */
double sw_leaf_elements(const sw_formula *formula, const sw_region *points);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a type in few bytes: writing them.  They are read by sw_type_part and sw_type_parts.
 */
#ifndef SHARDWALK_ARRAY_PACKED_H
#define SHARDWALK_ARRAY_PACKED_H

#include <stdbool.h>

#include <shardwalk/type.h>

/* Leaves a type without parts; then those of each dimension are added, dimension 0 first, and the sums, if any, as those
 * of dimension `rank`. */
void sw_packed_start(sw_type *type);
void sw_packed_add(sw_type *type, int dim, const sw_part *parts, int count);

/* The parts of another type of the same rank. */
void sw_packed_copy(sw_type *type, const sw_type *from);

/* Do the dimensions of two types have the same parts, and the sums? */
bool sw_packed_equal(const sw_type *a, const sw_type *b);

#endif

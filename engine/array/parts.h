/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of axes: the rules that the type parser, sw_type_partition and the factors share.
 */
#ifndef SHARDWALK_ARRAY_PARTS_H
#define SHARDWALK_ARRAY_PARTS_H

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/type.h>

#include "index/digits.h"

/* Puts a part on the major end of the dimension parts[begin..length) and merges it with its minor neighbour
 * where both make one larger part.  Returns the new length. */
static inline int sw_parts_push(sw_part *parts, int begin, int length, sw_part part)
{
	sw_part *minor = parts + length - 1;
	if (length > begin && minor->axis == part.axis && minor->pre == part.pre * part.size) {
		minor->pre = part.pre;
		minor->size *= part.size;
		return length;
	}
	parts[length] = part;
	return length + 1;
}

static inline bool sw_part_same(sw_part a, sw_part b)
{
	return a.axis == b.axis && a.pre == b.pre && a.size == b.size;
}

/* The same parts in the same order? */
bool sw_parts_same(const sw_part *a, int count, const sw_part *b, int other);

/* Is it a part of its axis, which the mesh has?  Error: T08. */
bool sw_part_check(const sw_mesh *mesh, sw_part part, sw_span at, sw_diag *diag);

/* The first of `count` parts that cannot stand in one type with `part`, or -1.  Parts of one axis can where
 * one lies wholly on the major side of the other and they cut the axis in one chain of divisors. */
int sw_parts_clash(const sw_part *parts, int count, sw_part part);

/* Fills T03 for two parts that clash. */
bool sw_parts_refuse(const sw_mesh *mesh, sw_part first, sw_span also, sw_part second, sw_span at, sw_diag *diag);

/* The same for a part that is summed, or that cuts a dimension where it is summed: T11. */
bool sw_parts_refuse_sum(const sw_mesh *mesh, sw_part first, sw_span also, sw_part second, sw_span at, sw_diag *diag);

/* Puts the parts of sums into their order, and joins them; returns how many are left. */
int sw_parts_order_sums(sw_part *parts, int count);

/* Has an element type sums at all?  T11 (the position is empty). */
bool sw_sums_check(sw_dtype dtype, sw_diag *diag);

/* Adds sums as the language writes them, `+{x,y}`; nothing where there are none. */
void sw_sums_print(const sw_mesh *mesh, const sw_type *type, sw_text *text);

/* Refuses ends with sums: S02, "`who` takes no sums".  For what does not know them yet. */
bool sw_sums_refuse(const sw_type *from, const sw_type *to, const char *who, sw_diag *diag);

/* Adds a part as the language writes it: `x`, or `x:(2)3` where it is not the whole axis. */
void sw_part_print(const sw_mesh *mesh, sw_part part, sw_text *text);

/* The devices that differ by one in the part's digit differ by this in number. */
static inline int64_t sw_part_stride(const sw_mesh *mesh, sw_part part)
{
	const sw_axis *axis = &mesh->axis[part.axis];
	return axis->stride * (axis->size / (part.pre * part.size));
}

/* The digits of parts, in the order of the parts; returns how many. */
int sw_digits_of_parts(const sw_mesh *mesh, const sw_part *parts, int count, sw_digit *digit);

/* The parts that a digit of the device number is, major to minor; -1 where it cuts an axis at no factor of its size, or has more
 * than `room`. */
int sw_parts_of_digit(const sw_mesh *mesh, sw_digit digit, sw_part *part, int room);

/* How many terms of an array of type `before` become one of `after`; 1 where none has to be added. */
int64_t sw_terms_joined(const sw_type *before, const sw_type *after);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prime parts of a mesh's axes, and types seen as lists of them: what planning by axes works on.
 *
 * Source: seed 000, section 4.1, principle 1.  An axis of 12 in the order 2, 2, 3 has the parts (1)2, (2)2,
 * (4)3; in the order 3, 2, 2 it has (1)3, (3)2, (6)2.  Both describe the same devices, but a type that cuts
 * the axis as (3)4 can only be split in the second.
 */
#ifndef SHARDWALK_ARRAY_PRIME_PARTS_H
#define SHARDWALK_ARRAY_PRIME_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/mesh.h>
#include <shardwalk/number.h>
#include <shardwalk/type.h>

#define SW_MAX_PRIME_PARTS 64 /* so many are told apart by the bits of a set */

/* One prime part of one axis.  The digit of a device is `device / stride % prime`. */
typedef struct sw_prime_part {
	int axis;
	int64_t prime;
	int64_t pre;    /* product of the more major primes of this axis */
	int64_t stride; /* devices differing by one in this digit differ by this in number */
} sw_prime_part;

/* The parts of all axes, axis after axis, major to minor within an axis.  Axes of size 1 have none. */
typedef struct sw_prime_parts {
	int count;
	sw_prime_part at[SW_MAX_PRIME_PARTS];
} sw_prime_parts;

/* The primes of each axis ascending from the major end. */
void sw_prime_parts_default(const sw_mesh *mesh, sw_prime_parts *out);

/* The primes in an order of the caller's: `primes` holds those of each axis in turn, major to minor.  false
 * where their products are not the sizes of the axes. */
bool sw_prime_parts_ordered(const sw_mesh *mesh, const int64_t *primes, sw_prime_parts *out);

/* The parts that the axes have in any order of their primes, by axis, `pre` and prime: of an axis of 6 (1)2, (1)3, (2)3 and
 * (3)2.  false where they are more than SW_MAX_PRIME_PARTS, or an axis is too long to look for them. */
bool sw_prime_parts_of_all_orders(const sw_mesh *mesh, sw_prime_parts *out);

/* Do two parts cut an axis in ways that exclude each other?  Every part meets itself. */
bool sw_prime_parts_meet(const sw_prime_part *a, const sw_prime_part *b);

/* Writes the parts of `type` as indices into `factors`, MAJOR to MINOR within a dimension: dimension i has
 * order[first[i]] to order[first[i + 1] - 1].  Parts of size 1 vanish; of several orders the one of ascending primes is
 * taken.  false where a part cuts its axis in a way that this order of primes cannot express. */
bool sw_prime_parts_split(const sw_mesh *mesh, const sw_prime_parts *factors, const sw_type *type,
	uint8_t order[SW_MAX_FACTORS], int first[SW_MAX_DIMS + 1]);

/* The same of the parts that are summed, as a set: bit f stands for factor f. */
bool sw_prime_parts_split_sums(const sw_prime_parts *factors, const sw_type *type, uint64_t *summed);

/* Puts these sums, a set of factors, into a type that has none. */
void sw_prime_parts_join_sums(const sw_prime_parts *factors, uint64_t summed, sw_type *type);

/* The inverse: the canonical type with the element type, rank and global sizes of `shape` (which may be `out`)
 * and these prime parts, major to minor.  The caller sees to it that the parts divide the global sizes. */
void sw_prime_parts_join(const sw_mesh *mesh, const sw_prime_parts *factors, const sw_type *shape,
	const uint8_t *order, const int *first, sw_type *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prime parts of axes: listing them, splitting a type into them, joining them to a type again.  The planner
 * joins and splits in its inner loop, so nothing here allocates.
 */
#include "array/prime_parts.h"

#include <assert.h>

#include "array/packed.h"
#include "array/parts.h"
#include "base/room.h"

static void factors_add(sw_prime_parts *out, const sw_axis *axis, int index, int64_t pre, int64_t prime)
{
	SW_ROOM(out->at, out->count);
	out->at[out->count++] = (sw_prime_part){
		.axis = index,
		.prime = prime,
		.pre = pre,
		.stride = axis->stride * (axis->size / (pre * prime)),
	};
}

void sw_prime_parts_default(const sw_mesh *mesh, sw_prime_parts *out)
{
	out->count = 0;
	for (int a = 0; a < mesh->count; a++) {
		int64_t primes[63];
		int count = sw_prime_factors(mesh->axis[a].size, primes);
		int64_t pre = 1;
		for (int i = 0; i < count; i++) {
			factors_add(out, &mesh->axis[a], a, pre, primes[i]);
			pre *= primes[i];
		}
	}
}

bool sw_prime_parts_ordered(const sw_mesh *mesh, const int64_t *primes, sw_prime_parts *out)
{
	out->count = 0;
	for (int a = 0; a < mesh->count; a++) {
		int64_t size = mesh->axis[a].size;
		for (int64_t pre = 1; pre < size; pre *= *primes++) {
			if (*primes < 2 || (size / pre) % *primes != 0)
				return false;
			factors_add(out, &mesh->axis[a], a, pre, *primes);
		}
	}
	return true;
}

/* ---- all orders ---- */

enum { MOST_PLACES = 65535 }; /* of an axis whose divisors are looked for one by one */

/* The parts that begin at digit `pre` of an axis; false where there is no room. */
static bool add_beginning(const sw_mesh *mesh, int axis, int64_t pre, sw_prime_parts *out)
{
	int64_t primes[63];
	int count = sw_prime_factors(mesh->axis[axis].size / pre, primes);

	for (int k = 0; k < count; k++) {
		if (k > 0 && primes[k] == primes[k - 1])
			continue;
		if (out->count == SW_MAX_PRIME_PARTS)
			return false;
		factors_add(out, &mesh->axis[axis], axis, pre, primes[k]);
	}
	return true;
}

bool sw_prime_parts_of_all_orders(const sw_mesh *mesh, sw_prime_parts *out)
{
	out->count = 0;
	for (int a = 0; a < mesh->count; a++) {
		if (mesh->axis[a].size > MOST_PLACES)
			return false;
		for (int64_t pre = 1; pre < mesh->axis[a].size; pre++)
			if (mesh->axis[a].size % pre == 0 && !add_beginning(mesh, a, pre, out))
				return false;
	}
	return true;
}

bool sw_prime_parts_meet(const sw_prime_part *a, const sw_prime_part *b)
{
	return a->axis == b->axis && b->pre % (a->pre * a->prime) != 0 && a->pre % (b->pre * b->prime) != 0;
}

/* ---- types as lists of parts ---- */

/* The first factor from `at` on that begins at digit `pre` of an axis and whose prime divides `size`; -1: there is none. */
static int factors_find(const sw_prime_parts *factors, int at, int axis, int64_t pre, int64_t size)
{
	for (; at < factors->count; at++)
		if (factors->at[at].axis == axis && factors->at[at].pre == pre && size % factors->at[at].prime == 0)
			return at;
	return -1;
}

/* Appends the factors that make up one part; the new length of `order`, or -1. */
static int factors_split_part(const sw_prime_parts *factors, const sw_part *part, uint8_t *order, int length)
{
	assert(length >= 0);
	int64_t end = part->pre * part->size, pre = part->pre;

	for (int at = 0; pre < end; pre *= factors->at[at++].prime) {
		at = factors_find(factors, at, part->axis, pre, end / pre);
		if (at < 0 || length >= SW_MAX_FACTORS)
			return -1;
		order[length++] = (uint8_t)at;
	}
	return length;
}

bool sw_prime_parts_split(const sw_mesh *mesh, const sw_prime_parts *factors, const sw_type *type,
	uint8_t order[SW_MAX_FACTORS], int first[SW_MAX_DIMS + 1])
{
	(void)mesh;
	sw_part parts[SW_MAX_PARTS];
	int length = 0;
	for (int d = 0; d < type->rank; d++) {
		first[d] = length;
		for (int p = sw_type_parts(type, d, parts) - 1; p >= 0; p--) {
			length = factors_split_part(factors, &parts[p], order, length);
			if (length < 0)
				return false;
		}
	}
	first[type->rank] = length;
	return true;
}

bool sw_prime_parts_split_sums(const sw_prime_parts *factors, const sw_type *type, uint64_t *summed)
{
	sw_part parts[SW_MAX_PARTS];
	uint8_t order[SW_MAX_FACTORS];
	int length = 0;

	for (int p = sw_type_sums(type, parts) - 1; p >= 0; p--) {
		length = factors_split_part(factors, &parts[p], order, length);
		if (length < 0)
			return false;
	}
	*summed = 0;
	while (length > 0)
		*summed |= (uint64_t)1 << order[--length];
	return true;
}

void sw_prime_parts_join_sums(const sw_prime_parts *factors, uint64_t summed, sw_type *type)
{
	assert(type->first[type->rank] == type->first[type->rank + 1]);
	sw_part parts[SW_MAX_FACTORS];
	int count = 0;

	for (; summed != 0; summed &= summed - 1) {
		const sw_prime_part *factor = &factors->at[__builtin_ctzll(summed)];

		SW_ROOM(parts, count);
		parts[count++] = (sw_part){factor->axis, factor->pre, factor->prime};
	}
	sw_packed_add(type, type->rank, parts, sw_parts_order_sums(parts, count));
}

/* Fills dimension `d` of `out` from order[begin..end), of which the last is the most minor. */
static void factors_join_dimension(const sw_prime_parts *factors, const uint8_t *order, int begin, int end, int d,
	sw_type *out)
{
	sw_part parts[SW_MAX_FACTORS];
	int64_t tiles = 1;
	int length = 0;
	parts[0] = (sw_part){0};
	for (int i = end - 1; i >= begin; i--) {
		const sw_prime_part *factor = &factors->at[order[i]];
		sw_part part = {factor->axis, factor->pre, factor->prime};
		length = sw_parts_push(parts, 0, length, part);
		tiles *= factor->prime;
	}
	sw_packed_add(out, d, parts, length);
	out->tile[d] = out->global[d] / tiles;
}

void sw_prime_parts_join(const sw_mesh *mesh, const sw_prime_parts *factors, const sw_type *shape,
	const uint8_t *order, const int *first, sw_type *out)
{
	(void)mesh;
	out->dtype = shape->dtype;
	out->dtype_given = shape->dtype_given;
	out->rank = shape->rank;
	out->padding = shape->padding;
	sw_packed_start(out);
	for (int d = 0; d < shape->rank; d++) {
		out->global[d] = shape->global[d];
		factors_join_dimension(factors, order, first[d], first[d + 1], d, out);
	}
}

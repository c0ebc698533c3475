/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a type in few bytes.
 *
 * Most bytes are taken by the 40 factors of one axis of 2^40 devices in 40 places: those of pre = 2^k take k / 7 + 1 bytes,
 * 135 together, and their sizes one each.  Axes share the devices out, and a larger size stands for several such parts.
 */
#include "array/packed.h"

#include <assert.h>
#include <string.h>

#include "base/room.h"

enum {
	WHOLE = 0x80, /* beside an axis: its size is 1, and so is the part's */
	MORE = 0x80,  /* beside 7 bits of a number: higher ones follow */
	DIGIT = 7
};

_Static_assert(sizeof(sw_type) <= 600,
	"a type is small: 264 bytes of sizes, 279 of parts at the most that there can be");
_Static_assert(SW_MAX_DEVICES <= (int64_t)1 << 40 && sizeof((sw_packed_parts){0}.extent) == 135 + 40, "see above");
_Static_assert(SW_MAX_AXES <= WHOLE && SW_MAX_PARTS <= UINT8_MAX, "an axis, and the number of a part, are a byte");

static int64_t take_number(const uint8_t **at)
{
	uint64_t number = 0;
	int shift = 0;
	for (; **at & MORE; shift += DIGIT)
		number |= (uint64_t)(*(*at)++ & (MORE - 1)) << shift;
	return (int64_t)(number | (uint64_t) * (*at)++ << shift);
}

/* Part `i`, whose extent begins at *at; then the next one's does. */
static sw_part take_part(const sw_packed_parts *packed, int i, const uint8_t **at)
{
	sw_part part = {packed->axis[i] & ~WHOLE, 1, 1};
	if (packed->axis[i] & WHOLE)
		return part;
	part.pre = take_number(at);
	part.size = take_number(at);
	return part;
}

static int ones_before(const sw_packed_parts *packed, int i)
{
	int ones = 0;
	for (int k = 0; packed->ones && k < i; k++)
		ones += (packed->axis[k] & WHOLE) != 0;
	return ones;
}

/* Where the extent of part `i` begins. */
static const uint8_t *extent_of(const sw_packed_parts *packed, int i)
{
	const uint8_t *at = packed->extent;
	for (int numbers = 2 * (i - ones_before(packed, i)); numbers > 0; at++)
		numbers -= !(*at & MORE);
	return at;
}

/* Parts [begin, end) of a type. */
static int take_range(const sw_packed_parts *packed, int begin, int end, sw_part *parts)
{
	const uint8_t *at = extent_of(packed, begin);
	for (int i = begin; i < end; i++)
		*parts++ = take_part(packed, i, &at);
	return end - begin;
}

sw_part sw_type_part(const sw_type *type, int i)
{
	assert(i >= 0 && i < type->first[type->rank + 1]);
	const uint8_t *at = extent_of(&type->packed, i);
	return take_part(&type->packed, i, &at);
}

int sw_type_parts(const sw_type *type, int dim, sw_part *parts)
{
	assert(dim >= 0 && dim <= type->rank);
	return take_range(&type->packed, type->first[dim], type->first[dim + 1], parts);
}

int64_t sw_type_cuts(const sw_type *type, int dim)
{
	assert(dim >= 0 && dim <= type->rank);
	int64_t cuts = 1;
	const uint8_t *at = extent_of(&type->packed, type->first[dim]);
	for (int i = type->first[dim]; i < type->first[dim + 1]; i++)
		cuts *= take_part(&type->packed, i, &at).size;
	return cuts;
}

void sw_packed_start(sw_type *type)
{
	type->first[0] = type->first[1] = 0;
	type->packed.ones = 0;
}

static int put_number(sw_packed_parts *packed, int length, int64_t number)
{
	for (; number >= MORE; number >>= DIGIT) {
		SW_ROOM(packed->extent, length);
		packed->extent[length++] = (uint8_t)(number | MORE);
	}
	SW_ROOM(packed->extent, length);
	packed->extent[length++] = (uint8_t)number;
	return length;
}

void sw_packed_add(sw_type *type, int dim, const sw_part *parts, int count)
{
	assert(dim >= 0 && dim <= SW_MAX_DIMS && count >= 0);
	sw_packed_parts *packed = &type->packed;
	int length = type->first[dim], bytes = (int)(extent_of(packed, length) - packed->extent);
	for (int i = 0; i < count; i++, length++) {
		bool whole = parts[i].size == 1;
		SW_ROOM(packed->axis, length);
		packed->axis[length] = (uint8_t)(parts[i].axis | (whole ? WHOLE : 0));
		packed->ones += whole;
		if (!whole)
			bytes = put_number(packed, put_number(packed, bytes, parts[i].pre), parts[i].size);
	}
	type->first[dim + 1] = (uint8_t)length;
	if (dim < SW_MAX_DIMS)
		type->first[dim + 2] = (uint8_t)length;
}

void sw_type_put(sw_type *type, int dim, const sw_part *parts, int count)
{
	assert(dim >= 0 && dim <= type->rank && type->rank <= SW_MAX_DIMS);
	sw_part behind[SW_MAX_PARTS];
	int length[SW_MAX_DIMS + 1], begin = type->first[dim + 1], n = 0;
	take_range(&type->packed, begin, type->first[type->rank + 1], behind);
	for (int d = dim + 1; d <= type->rank; d++)
		length[d] = type->first[d + 1] - type->first[d];
	type->packed.ones = (uint8_t)ones_before(&type->packed, type->first[dim]);
	sw_packed_add(type, dim, parts, count);
	for (int d = dim + 1; d <= type->rank; n += length[d++])
		sw_packed_add(type, d, behind + n, length[d]);
}

static size_t extent_bytes(const sw_type *type)
{
	return (size_t)(extent_of(&type->packed, type->first[type->rank + 1]) - type->packed.extent);
}

void sw_packed_copy(sw_type *type, const sw_type *from)
{
	assert(type->rank == from->rank);
	memcpy(type->first, from->first, (size_t)(from->rank + 2) * sizeof *type->first);
	memcpy(type->packed.axis, from->packed.axis, from->first[from->rank + 1]);
	memcpy(type->packed.extent, from->packed.extent, extent_bytes(from));
	type->packed.ones = from->packed.ones;
}

bool sw_packed_equal(const sw_type *a, const sw_type *b)
{
	return a->rank == b->rank && memcmp(a->first, b->first, (size_t)(a->rank + 2) * sizeof *a->first) == 0 &&
		memcmp(a->packed.axis, b->packed.axis, a->first[a->rank + 1]) == 0 &&
		memcmp(a->packed.extent, b->packed.extent, extent_bytes(a)) == 0;
}

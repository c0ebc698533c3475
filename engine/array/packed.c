/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a type in few bytes.
 *
 * An extent, `pre` and `size`, takes 48 bits: 6 say how many bits `pre` has behind its first one, then come these, then
 * `size`.  Their product is at most 2^40, so that 47 are in use.  Parts of size 1 have none.
 */
#include "array/packed.h"

#include <string.h>

#include "base/room.h"

enum {
	WHOLE = 0x80, /* beside an axis: its size is 1, and so is the part's */
	LENGTH_BITS = 6,
	LOW_BITS = 32
};

_Static_assert(sizeof(sw_type) <= 640,
	"a type is small: 256 bytes of sizes, 344 of parts at the most that there can be");
_Static_assert(SW_MAX_DEVICES <= (int64_t)1 << (47 - LENGTH_BITS - 1), "an extent has 48 bits");
_Static_assert(SW_MAX_DEVICES >> SW_MAX_CUTS <= 1, "every cut has at least two pieces");
_Static_assert(SW_MAX_AXES <= WHOLE && SW_MAX_PARTS <= UINT8_MAX, "an axis, and a place among the parts, are a byte");

static uint64_t extent_of(int64_t pre, int64_t size)
{
	int length = 0;
	while (pre >> length > 1)
		length++;
	uint64_t tail = (uint64_t)pre - ((uint64_t)1 << length);
	return (((uint64_t)size << length | tail) << LENGTH_BITS) | (uint64_t)length;
}

static sw_part packed_at(const sw_packed_parts *packed, int i, int cut)
{
	int axis = packed->axis[i];
	if (axis & WHOLE)
		return (sw_part){axis & ~WHOLE, 1, 1};
	uint64_t extent = packed->low[cut] | (uint64_t)packed->high[cut] << LOW_BITS;
	int length = (int)(extent & ((1U << LENGTH_BITS) - 1));
	uint64_t first = (uint64_t)1 << length;
	extent >>= LENGTH_BITS;
	return (sw_part){axis, (int64_t)(first | (extent & (first - 1))), (int64_t)(extent >> length)};
}

/* How many of the first `i` parts have an extent. */
static int cuts_before(const sw_packed_parts *packed, int i)
{
	int cuts = 0;
	if (packed->ones == 0)
		return i;
	for (int k = 0; k < i; k++)
		cuts += !(packed->axis[k] & WHOLE);
	return cuts;
}

/* Parts [begin, end) of a type. */
static int packed_range(const sw_packed_parts *packed, int begin, int end, sw_part *parts)
{
	int cut = cuts_before(packed, begin);
	for (int i = begin; i < end; i++) {
		*parts = packed_at(packed, i, cut);
		cut += parts++->size > 1;
	}
	return end - begin;
}

sw_part sw_type_part(const sw_type *type, int i)
{
	return packed_at(&type->packed, i, cuts_before(&type->packed, i));
}

int sw_type_parts(const sw_type *type, int dim, sw_part *parts)
{
	return packed_range(&type->packed, type->first[dim], type->first[dim + 1], parts);
}

int64_t sw_type_cuts(const sw_type *type, int dim)
{
	int64_t cuts = 1;
	int cut = cuts_before(&type->packed, type->first[dim]);
	for (int i = type->first[dim]; i < type->first[dim + 1]; i++) {
		int64_t size = packed_at(&type->packed, i, cut).size;
		cut += size > 1;
		cuts *= size;
	}
	return cuts;
}

void sw_packed_start(sw_type *type)
{
	type->first[0] = 0;
	type->packed.ones = 0;
}

void sw_packed_add(sw_type *type, int dim, const sw_part *parts, int count)
{
	sw_packed_parts *packed = &type->packed;
	int length = type->first[dim], cuts = length - packed->ones;
	for (int i = 0; i < count; i++, length++) {
		bool whole = parts[i].size == 1;
		SW_ROOM(packed->axis, length);
		packed->axis[length] = (uint8_t)(parts[i].axis | (whole ? WHOLE : 0));
		packed->ones += whole;
		if (whole)
			continue;
		uint64_t extent = extent_of(parts[i].pre, parts[i].size);
		SW_ROOM(packed->low, cuts);
		packed->low[cuts] = (uint32_t)extent;
		packed->high[cuts++] = (uint16_t)(extent >> LOW_BITS);
	}
	type->first[dim + 1] = (uint8_t)length;
}

void sw_type_put(sw_type *type, int dim, const sw_part *parts, int count)
{
	sw_part behind[SW_MAX_PARTS];
	int length[SW_MAX_DIMS], begin = type->first[dim + 1], n = 0;
	packed_range(&type->packed, begin, type->first[type->rank], behind);
	for (int d = dim + 1; d < type->rank; d++)
		length[d] = type->first[d + 1] - type->first[d];
	type->packed.ones = (uint8_t)(type->first[dim] - cuts_before(&type->packed, type->first[dim]));
	sw_packed_add(type, dim, parts, count);
	for (int d = dim + 1; d < type->rank; n += length[d++])
		sw_packed_add(type, d, behind + n, length[d]);
}

void sw_packed_copy(sw_type *type, const sw_type *from)
{
	int parts = from->first[from->rank], cuts = parts - from->packed.ones;
	memcpy(type->first, from->first, (size_t)(from->rank + 1) * sizeof *type->first);
	memcpy(type->packed.low, from->packed.low, (size_t)cuts * sizeof *type->packed.low);
	memcpy(type->packed.high, from->packed.high, (size_t)cuts * sizeof *type->packed.high);
	memcpy(type->packed.axis, from->packed.axis, (size_t)parts);
	type->packed.ones = from->packed.ones;
}

bool sw_packed_equal(const sw_type *a, const sw_type *b)
{
	int parts = a->first[a->rank], cuts = parts - a->packed.ones;
	return a->rank == b->rank && memcmp(a->first, b->first, (size_t)(a->rank + 1) * sizeof *a->first) == 0 &&
		memcmp(a->packed.axis, b->packed.axis, (size_t)parts) == 0 &&
		memcmp(a->packed.low, b->packed.low, (size_t)cuts * sizeof *a->packed.low) == 0 &&
		memcmp(a->packed.high, b->packed.high, (size_t)cuts * sizeof *a->packed.high) == 0;
}

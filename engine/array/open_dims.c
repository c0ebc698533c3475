/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dimensions whose cuts a sharding leaves to the compiler.
 */
#include "array/open_dims.h"

#include <assert.h>

static bool same_part(const sw_part *a, const sw_part *b)
{
	return a->axis == b->axis && a->pre == b->pre && a->size == b->size;
}

/* Do the major parts of `is` make up `asked`?  Parts are minor to major, and neighbours of one axis may be one part. */
static bool begins_as(const sw_part *is, int has, const sw_part *asked, int wants)
{
	for (int k = 1; k <= wants; k++) {
		const sw_part *a = &asked[wants - k], *b = k <= has ? &is[has - k] : NULL;
		bool last = k == wants && b && a->axis == b->axis && a->pre > b->pre && b->size % a->size == 0 &&
			b->size / a->size * b->pre == a->pre;
		if (!b || (!same_part(a, b) && !last))
			return false;
	}
	return true;
}

/* Is an axis of these parts among those of another dimension? */
static bool is_taken(const sw_type *type, int dim, const sw_part *parts, int count)
{
	sw_part there[SW_MAX_PARTS];
	for (int d = 0; d < type->rank; d++)
		for (int k = d == dim ? 0 : sw_type_parts(type, d, there); k > 0; k--)
			for (int i = 0; i < count; i++)
				if (there[k - 1].axis == parts[i].axis)
					return true;
	return false;
}

void sw_fill_open(const sw_type *had, uint32_t open, sw_type *type)
{
	sw_part is[SW_MAX_PARTS], asked[SW_MAX_PARTS];
	if (had->rank != type->rank || sw_type_padded(had))
		return;
	for (int d = 0; d < type->rank; d++) {
		int has = sw_type_parts(had, d, is), wants = sw_type_parts(type, d, asked);
		if (!(open >> d & 1) || !begins_as(is, has, asked, wants) || is_taken(type, d, is, has) ||
			had->global[d] != type->global[d])
			continue;
		sw_type_put(type, d, is, has);
		type->tile[d] = had->tile[d];
	}
}

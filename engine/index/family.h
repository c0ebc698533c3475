/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families that are being collected into indices of a dimension.
 */
#ifndef SHARDWALK_INDEX_FAMILY_H
#define SHARDWALK_INDEX_FAMILY_H

#include <shardwalk/region.h>

typedef struct sw_families {
	sw_arena *arena;
	sw_family *family;
	int count, room;
	bool failed; /* no memory; what is added then is nothing */
} sw_families;

static inline int64_t sw_floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static inline int64_t sw_ceil_div(int64_t a, int64_t b)
{
	return -sw_floor_div(-a, b);
}

/* The index behind the last of a family. */
static inline int64_t sw_family_end(const sw_family *f)
{
	return f->first + (f->count - 1) * f->step + f->run;
}

/* Adds `count` runs, `step` apart.  Runs that meet or overlap become one; of one run the step does not matter. */
void sw_families_add(sw_families *out, int64_t first, int64_t run, int64_t step, int64_t count);

/* Adds begin to end - 1, and what `f` has within them. */
void sw_families_range(sw_families *out, int64_t begin, int64_t end);
void sw_families_clip(sw_families *out, const sw_family *f, int64_t begin, int64_t end);

/* What was added, in ascending order, neighbours joined.  The families have no index in common.  false: no memory. */
bool sw_families_finish(sw_families *out, sw_indices *indices);

/* The same of families that may have some in common. */
bool sw_families_unite(sw_families *out, sw_indices *indices);

#endif

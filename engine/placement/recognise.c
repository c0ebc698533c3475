/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What groups of devices are called over axes of a placement: the fewest axes, then the largest groups that say them.
 */
#include <shardwalk/reduction.h>

#include <assert.h>
#include <string.h>

#define MOST_AXES 8

/* Groups of devices, in any order. */
typedef struct grouping {
	int64_t devices, grouped, size; /* so many devices are in groups of so many */
	int64_t *first;                 /* of each device: the first of its group; -1: it is in none */
} grouping;

static bool grouping_init(grouping *g, int64_t devices, int64_t grouped, int64_t size, sw_arena *arena)
{
	*g = (grouping){devices, grouped, size, SW_NEW(arena, int64_t, devices)};
	return g->first != NULL;
}

static void grouping_fill(grouping *g, const int64_t *member)
{
	for (int64_t d = 0; d < g->devices; d++)
		g->first[d] = -1;
	for (int64_t n = 0; n < g->grouped; n += g->size) {
		int64_t least = member[n];

		for (int64_t m = 1; m < g->size; m++)
			least = member[n + m] < least ? member[n + m] : least;
		for (int64_t m = 0; m < g->size; m++)
			g->first[member[n + m]] = least;
	}
}

static bool is_name(const sw_hierarchy *h, const sw_group_name *name, const grouping *wanted, sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(arena);
	int64_t groups, each, *list = sw_named_groups(h, name, arena, &groups, &each);
	bool same = list != NULL && each == wanted->size && groups * each == wanted->grouped;
	grouping made;

	same = same && grouping_init(&made, wanted->devices, wanted->grouped, each, arena);
	if (same) {
		grouping_fill(&made, list);
		same = memcmp(made.first, wanted->first, sizeof *made.first * (size_t)made.devices) == 0;
	}
	sw_arena_back(arena, mark);
	return same;
}

static bool find_name(const sw_hierarchy *h, const grouping *wanted, sw_arena *arena, sw_group_name *name)
{
	for (int ancestor = 0; ancestor < h->count; ancestor++) {
		*name = (sw_group_name){SW_FORM_INSIDE, ancestor, 0, NULL};
		if (is_name(h, name, wanted, arena))
			return true;
		for (int form = SW_FORM_ACROSS; form < SW_FORM_COUNT; form++)
			for (int slice = ancestor + 1; slice < h->count; slice++) {
				*name = (sw_group_name){(sw_group_form)form, slice, ancestor, NULL};
				if (is_name(h, name, wanted, arena))
					return true;
			}
	}
	return false;
}

bool sw_group_name_find(const sw_placement *placement, const int64_t *member, int64_t grouped, int64_t size,
	sw_arena *arena, uint32_t *summed, sw_group_name *name)
{
	assert(size >= 1 && grouped % size == 0);
	int64_t devices = 1;
	grouping wanted;
	sw_hierarchy h;

	for (int i = 0; i < placement->axes; i++)
		for (int j = 0; j < placement->levels; j++)
			devices *= placement->factor[i][j];
	if (placement->axes > MOST_AXES || size < 2 || !grouping_init(&wanted, devices, grouped, size, arena))
		return false;
	for (int64_t n = 0; n < grouped; n++)
		if (member[n] < 0 || member[n] >= devices)
			return false;
	grouping_fill(&wanted, member);
	for (int count = 1; count <= placement->axes; count++)
		for (uint32_t axes = 1; axes < (uint32_t)1 << placement->axes; axes++) {
			if (__builtin_popcount(axes) != count)
				continue;
			sw_hierarchy_make(placement, SW_HIERARCHY_SUMMED_LEVELS, axes, true, &h);
			*summed = axes;
			if (find_name(&h, &wanted, arena, name))
				return true;
		}
	return false;
}

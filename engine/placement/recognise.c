/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of devices as an instruction over axes of a placement: the fewest axes, then the largest groups that say them.
 */
#include <shardwalk/reduction.h>

#include <string.h>

#define MOST_AXES 8

/* For each device the first of its group; -1: it is in none. */
static void firsts(const int64_t *member, int64_t grouped, int64_t size, int64_t devices, int64_t *first)
{
	for (int64_t d = 0; d < devices; d++)
		first[d] = -1;
	for (int64_t n = 0; n < grouped; n += size) {
		int64_t least = member[n];

		for (int64_t m = 1; m < size; m++)
			least = member[n + m] < least ? member[n + m] : least;
		for (int64_t m = 0; m < size; m++)
			first[member[n + m]] = least;
	}
}

static bool is_step(const sw_hierarchy *h, const sw_reduction_step *step, const int64_t *wanted, int64_t grouped,
	int64_t size, int64_t devices, sw_arena *arena, int64_t *first)
{
	sw_arena_mark mark = sw_arena_here(arena);
	int64_t groups, each, *list = sw_reduction_groups(h, step, arena, &groups, &each);
	bool same = list != NULL && each == size && groups * each == grouped;

	if (same) {
		firsts(list, grouped, size, devices, first);
		same = memcmp(first, wanted, sizeof *first * (size_t)devices) == 0;
	}
	sw_arena_back(arena, mark);
	return same;
}

static bool find_step(const sw_hierarchy *h, const int64_t *wanted, int64_t grouped, int64_t size, int64_t devices,
	sw_arena *arena, int64_t *first, sw_reduction_step *step)
{
	for (int ancestor = 0; ancestor < h->count; ancestor++) {
		*step = (sw_reduction_step){SW_REDUCTION_ALLREDUCE, SW_FORM_INSIDE, ancestor, 0};
		if (is_step(h, step, wanted, grouped, size, devices, arena, first))
			return true;
		for (int form = SW_FORM_ACROSS; form < SW_FORM_COUNT; form++)
			for (int slice = ancestor + 1; slice < h->count; slice++) {
				*step = (sw_reduction_step){SW_REDUCTION_ALLREDUCE, (sw_group_form)form, slice, ancestor};
				if (is_step(h, step, wanted, grouped, size, devices, arena, first))
					return true;
			}
	}
	return false;
}

bool sw_reduction_recognise(const sw_placement *placement, const int64_t *member, int64_t grouped, int64_t size,
	sw_arena *arena, uint32_t *summed, sw_reduction_step *step)
{
	int64_t devices = 1;
	sw_hierarchy h;

	for (int i = 0; i < placement->axes; i++)
		for (int j = 0; j < placement->levels; j++)
			devices *= placement->factor[i][j];
	int64_t *wanted = SW_NEW(arena, int64_t, devices), *first = SW_NEW(arena, int64_t, devices);
	if (placement->axes > MOST_AXES || wanted == NULL || first == NULL || size < 2)
		return false;
	for (int64_t n = 0; n < grouped; n++)
		if (member[n] < 0 || member[n] >= devices)
			return false;
	firsts(member, grouped, size, devices, wanted);
	for (int count = 1; count <= placement->axes; count++)
		for (uint32_t axes = 1; axes < (uint32_t)1 << placement->axes; axes++) {
			if (__builtin_popcount(axes) != count)
				continue;
			sw_hierarchy_make(placement, SW_HIERARCHY_SUMMED_LEVELS, axes, true, &h);
			*summed = axes;
			if (find_step(&h, wanted, grouped, size, devices, arena, first, step))
				return true;
		}
	return false;
}

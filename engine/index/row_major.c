/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions as row-major indices.
 */
#include <shardwalk/region.h>

/* Families of row-major indices while dimensions are put in front. */
typedef struct row_major {
	sw_family *family;
	int count, room, most;
	int64_t size; /* elements of an index of the dimension in front */
} row_major;

static bool add(row_major *rows, sw_family family, sw_arena *arena)
{
	if (rows->count == rows->most || !SW_GROW(arena, rows->family, rows->count, rows->room, 16))
		return false;
	rows->family[rows->count++] = family;
	return true;
}

static bool is_whole(const row_major *rows)
{
	const sw_family *only = rows->family;

	return rows->count == 1 && only->first == 0 && only->count == 1 && only->run == rows->size;
}

/* Those behind an index of the dimension in front. */
static bool add_behind(int64_t index, const row_major *behind, sw_arena *arena, row_major *into)
{
	for (int k = 0; k < behind->count; k++) {
		sw_family family = behind->family[k];
		family.first += index * behind->size;
		if (!add(into, family, arena))
			return false;
	}
	return true;
}

/* Runs of whole rows are runs; else each index of the dimension has its own. */
static bool put_in_front(const sw_family *front, const row_major *behind, sw_arena *arena, row_major *into)
{
	int64_t size = behind->size;

	if (is_whole(behind))
		return add(into, (sw_family){front->first * size, front->run * size, front->step * size, front->count},
			arena);
	for (int64_t n = 0; n < front->count; n++)
		for (int64_t i = 0; i < front->run; i++)
			if (!add_behind(front->first + n * front->step + i, behind, arena, into))
				return false;
	return true;
}

/* The elements of one product. */
static bool add_product(const sw_indices *set, int rank, const int64_t *global, sw_arena *arena, row_major *all)
{
	row_major behind = {.size = 1, .most = all->most};

	if (!add(&behind, (sw_family){0, 1, 1, 1}, arena))
		return false;
	for (int dim = rank - 1; dim >= 0; dim--) {
		row_major now = {.size = behind.size * global[dim], .most = all->most};
		for (int i = 0; i < set[dim].count; i++)
			if (!put_in_front(&set[dim].family[i], &behind, arena, &now))
				return false;
		behind = now;
	}
	for (int i = 0; i < behind.count; i++)
		if (!add(all, behind.family[i], arena))
			return false;
	return true;
}

bool sw_region_row_major(const sw_region *region, const int64_t *global, int most, sw_arena *arena,
	sw_indices *indices)
{
	row_major all = {.most = most};

	for (int i = 0; i < region->count; i++)
		if (!add_product(sw_region_product(region, i), region->rank, global, arena, &all))
			return false;
	return sw_indices_in_order(all.family, all.count, most, arena, indices);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of neighbours, both ways.
 */
#include "index/adjacency.h"

#include <stdlib.h>

#include <shardwalk/number.h>

/* Sorts arcs by where they begin; those of one beginning keep their order. */
static bool sort_arcs(int64_t count, int64_t arcs, const int64_t *from, const int64_t *to, sw_arena *arena,
	sw_neighbours *out)
{
	int64_t *first = SW_NEW_ZERO(arena, int64_t, count + 2), *neighbour = SW_NEW(arena, int64_t, arcs);

	if (first == NULL || neighbour == NULL)
		return false;
	for (int64_t k = 0; k < arcs; k++)
		first[from[k] + 2]++;
	for (int64_t n = 0; n < count; n++)
		first[n + 2] += first[n + 1];
	for (int64_t k = 0; k < arcs; k++)
		neighbour[first[from[k] + 1]++] = to[k];
	*out = (sw_neighbours){count, first, neighbour};
	return true;
}

bool sw_adjacency_of_arcs(int64_t rows, int64_t columns, int64_t arcs, const int64_t *row, const int64_t *column,
	sw_arena *arena, sw_adjacency *graph)
{
	return sort_arcs(rows, arcs, row, column, arena, &graph->rows) &&
		sort_arcs(columns, arcs, column, row, arena, &graph->columns);
}

static int ascending(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* All neighbours, one behind the other, into `list` where that is there; how many. */
static int64_t list_neighbours(const sw_neighbours *all, const sw_indices *of, int64_t *list)
{
	int64_t count = 0;

	for (int i = 0; i < of->count; i++) {
		const sw_family *f = &of->family[i];
		for (int64_t at = f->first; at < sw_smaller(sw_family_end(f), all->count);) {
			for (int64_t k = all->first[at]; k < all->first[at + 1]; k++, count++)
				if (list != NULL)
					list[count] = all->neighbour[k];
			int64_t in_run = (at - f->first) % f->step + 1;
			at += in_run < f->run ? 1 : f->step - f->run + 1;
		}
	}
	return count;
}

void sw_neighbours_add(const sw_neighbours *all, const sw_indices *of, int64_t size, sw_families *out)
{
	int64_t *list = SW_NEW(out->arena, int64_t, list_neighbours(all, of, NULL));

	if (list == NULL) {
		out->failed = true;
		return;
	}
	int64_t count = list_neighbours(all, of, list);
	if (count > 1)
		qsort(list, (size_t)count, sizeof *list, ascending);
	for (int64_t k = 0, end; k < count && list[k] < size; k = end) {
		for (end = k + 1; end < count && list[end] <= list[end - 1] + 1; end++)
			;
		sw_families_range(out, list[k], sw_smaller(list[end - 1] + 1, size));
	}
}

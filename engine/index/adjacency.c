/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of neighbours, both ways.
 */
#include "index/adjacency.h"

#include <stdlib.h>

#include <shardwalk/number.h>

#include "base/lower_bound.h"

static int by_ends(const void *left, const void *right)
{
	const sw_arc *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

bool sw_adjacency_of_arcs(int64_t rows, int64_t columns, int64_t arcs, sw_arc *arc, sw_arena *arena,
	sw_adjacency *adjacency)
{
	sw_arc *back = SW_NEW(arena, sw_arc, arcs);

	if (back == NULL)
		return false;
	for (int64_t k = 0; k < arcs; k++)
		back[k] = (sw_arc){arc[k].to, arc[k].from};
	if (arcs > 1) {
		qsort(arc, (size_t)arcs, sizeof *arc, by_ends);
		qsort(back, (size_t)arcs, sizeof *back, by_ends);
	}
	adjacency->rows = rows;
	adjacency->columns = columns;
	adjacency->arcs = arcs;
	adjacency->arc = arc;
	adjacency->back = back;
	return true;
}

/* The first arc from a number or one behind it. */
static int64_t first_from(const sw_arc *arc, int64_t arcs, int64_t number)
{
	return SW_LOWER_BOUND(0, arcs, arc[at].from < number);
}

static int ascending(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Where arcs from a run lead to. */
static void add_run(const sw_arc *arc, int64_t arcs, int64_t size, sw_families *out)
{
	int64_t *to = SW_NEW(out->arena, int64_t, arcs), end;

	if (to == NULL) {
		out->failed = true;
		return;
	}
	for (int64_t k = 0; k < arcs; k++)
		to[k] = arc[k].to;
	if (arcs > 1)
		qsort(to, (size_t)arcs, sizeof *to, ascending);
	for (int64_t k = 0; k < arcs && to[k] < size; k = end) {
		for (end = k + 1; end < arcs && to[end] <= to[end - 1] + 1; end++)
			;
		sw_families_range(out, to[k], sw_smaller(to[end - 1] + 1, size));
	}
}

void sw_arcs_add(const sw_arc *arc, int64_t arcs, const sw_indices *of, int64_t size, sw_families *out)
{
	for (int i = 0; i < of->count; i++) {
		const sw_family *f = &of->family[i];
		int64_t next = first_from(arc, arcs, f->first);
		while (next < arcs && arc[next].from < sw_family_end(f)) {
			/* The run that has the next arc, or the one behind the gap in which it lies. */
			int64_t run = (arc[next].from - f->first) / f->step, begin = f->first + run * f->step;
			int64_t end = next + first_from(arc + next, arcs - next, begin + f->run);
			if (end > next)
				add_run(arc + next, end - next, size, out);
			next = end + first_from(arc + end, arcs - end, begin + f->step);
		}
	}
}

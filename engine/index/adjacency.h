/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of neighbours: which elements are read at each value of a letter, where no formula says it.
 */
#ifndef SHARDWALK_INDEX_ADJACENCY_H
#define SHARDWALK_INDEX_ADJACENCY_H

#include <shardwalk/text.h>

#include "index/family.h"

/* Who has whom as a neighbour: those of `n` are neighbour[first[n]] up to that of n + 1, ascending. */
typedef struct sw_neighbours {
	int64_t count;
	const int64_t *first, *neighbour;
} sw_neighbours;

typedef struct sw_adjacency {
	sw_str name;                 /* of its file */
	sw_neighbours rows, columns; /* what each row reads, and by which rows each column is read */
} sw_adjacency;

/* Of arcs row[k] to column[k], in any order, some perhaps twice.  false: no memory. */
bool sw_adjacency_of_arcs(int64_t rows, int64_t columns, int64_t arcs, const int64_t *row, const int64_t *column,
	sw_arena *arena, sw_adjacency *graph);

/* Adds the neighbours of all in `of` that are below `size`. */
void sw_neighbours_add(const sw_neighbours *all, const sw_indices *of, int64_t size, sw_families *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of neighbours: which elements are read at each value of a letter, where no formula says it.
 */
#ifndef SHARDWALK_INDEX_ADJACENCY_H
#define SHARDWALK_INDEX_ADJACENCY_H

#include <shardwalk/text.h>

#include "index/family.h"

typedef struct sw_arc {
	int64_t from, to;
} sw_arc;

/* Arcs between two sets of numbers, from 0 to rows - 1 and to columns - 1, in both orders.  What takes room are the arcs. */
typedef struct sw_adjacency {
	sw_str name; /* of its file */
	int64_t rows, columns, arcs;
	const sw_arc *arc;  /* from rows to columns, ascending */
	const sw_arc *back; /* from columns to rows */
} sw_adjacency;

/* Puts arcs in order, of which some may be there twice.  `arc` belongs to the adjacency from then on.  false: no memory. */
bool sw_adjacency_of_arcs(int64_t rows, int64_t columns, int64_t arcs, sw_arc *arc, sw_arena *arena,
	sw_adjacency *adjacency);

/* Adds where the arcs of all in `of` lead to, below `size`. */
void sw_arcs_add(const sw_arc *arc, int64_t arcs, const sw_indices *of, int64_t size, sw_families *out);

#endif

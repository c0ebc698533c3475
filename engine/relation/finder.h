/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finders: which of many sets of indices of a dimension meet one.
 *
 * The families of the sets are sorted by where they begin, those that come again by where they begin in their period, so that one
 * looks at what lies near and not at all of them.
 */
#ifndef SHARDWALK_RELATION_FINDER_H
#define SHARDWALK_RELATION_FINDER_H

#include "relation/blocks.h"

/* A family among those of one step: it has runs of `length` at phase + any multiple of the step. */
typedef struct sw_phase {
	int64_t phase, length;
	int32_t set;
} sw_phase;

/* Families of one step, or runs that do not come again; their lengths are alike within a factor of two. */
typedef struct sw_shelf {
	int64_t step; /* 0: they do not come again */
	int bits;     /* of the length */
	int64_t longest;
	int count, hint; /* hint: where was looked last */
	sw_phase *phase; /* ascending */
} sw_shelf;

typedef struct sw_finder {
	const sw_sets *sets;
	int shelves, room;
	sw_shelf *shelf;
	bool disjoint;  /* one sees that no two sets meet */
	int32_t *asked; /* of each set, when it was found last */
	int32_t now;
} sw_finder;

/* false: no memory. */
bool sw_finder_of(const sw_sets *sets, sw_arena *arena, sw_finder *finder);

/* The sets that may meet `need`, none twice, in any order; all that do are among them.  `set` has room for all.  How many. */
int sw_finder_near(sw_finder *finder, const sw_indices *need, int32_t *set);

/* Can one see at once that no two sets meet? */
bool sw_finder_disjoint(const sw_finder *finder);

/* The shelf of all, where every set is one run and no two meet; else NULL. */
sw_shelf *sw_finder_runs(const sw_finder *finder);

/* How many sets a run meets, where one sees that no two meet and every set is one family of the same step; else -1. */
int64_t sw_sets_met_by(const sw_finder *finder, int64_t begin, int64_t run);

/* The first family on such a shelf that ends behind `begin`. */
int sw_shelf_first(sw_shelf *shelf, int64_t begin);

/* What two sets have in common, in `arena`, and how many indices; -1: no memory.  Where `both` is NULL they are only counted, and
 * the arena stays as it was. */
int64_t sw_sets_meet(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *both);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk remembers.  Arrays are indexed by node id - 1.
 */
#ifndef SW_SEARCH_WALK_STORE_H
#define SW_SEARCH_WALK_STORE_H

#include "search/heap.h"
#include "search/weak.h"

/* A node as it was before a step made its way shorter. */
typedef struct walk_change {
	int32_t node;
	int32_t parent;
	int64_t distance;
} walk_change;

/* What there was before a step. */
typedef struct walk_record {
	int32_t settled; /* the node that the step settled */
	int32_t seen;
	int64_t changes;
	int64_t edges;
} walk_record;

struct sw_walk {
	sw_problem problem;
	sw_walk_options options;
	sw_weak weak;
	sw_arena *arena;
	weak_factors factors;
	const sw_pulse *pulse; /* asked within a step; NULL: nobody is */
	bool stopped;          /* and said no */

	int seen, room;
	size_t stride; /* bytes of a key: the width, filled up with zeros to whole words */
	uint8_t *keys;
	int64_t *size, *distance, *bound;
	int32_t *parent;   /* index; -1 for the start */
	int32_t *order;    /* 0: not settled */
	int32_t *table;    /* key to index + 1, open addressing; 0: free */
	size_t table_size; /* a power of two */
	sw_heap heap;
	int goal; /* index, -1 while unseen */
	int64_t edges;

	int steps, steps_room;
	walk_record *records;
	int64_t changes, changes_room;
	walk_change *log;
};

/* The index of the node with this key, or -1. */
int walk_find(const sw_walk *walk, const uint8_t *key);

#endif

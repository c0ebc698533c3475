/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meetings: the blocks of one holding that have elements in common with a block of another.
 */
#ifndef SHARDWALK_RELATION_MEETINGS_H
#define SHARDWALK_RELATION_MEETINGS_H

#include "relation/finder.h"

typedef struct sw_meeting {
	int32_t block;         /* of those that are looked through */
	int64_t size;          /* elements in common */
	const sw_indices *set; /* what they have in common in each dimension; NULL: they are only counted */
} sw_meeting;

/* The sets of a dimension that meet one. */
typedef struct sw_met_list {
	int32_t count; /* -1: they were not asked for yet */
	const int32_t *set;
	const int64_t *size;    /* indices in common */
	const sw_indices *both; /* and these; NULL: they are only counted */
} sw_met_list;

/* The same of the set that was asked for last, and of those that were asked for before. */
typedef struct sw_met_sets {
	int32_t need; /* the number of the last, -1: none was */
	sw_met_list now;
	int32_t *position; /* where each set of all stands among those that meet, if it does */
	sw_met_list *kept; /* of each needed set; NULL: none are kept, as each is asked for once */
	int32_t *set;      /* room for all */
	int64_t *size;
} sw_met_sets;

typedef struct sw_meetings {
	const sw_blocks *among, *needs;
	sw_met_sets met[SW_BLOCK_DIMS];
	sw_arena *arena;
	sw_shelf *runs; /* of one dimension, all blocks are runs of which no two meet; NULL: they are not */
	bool counts;    /* only sizes */
	bool grid;      /* the blocks are all products of their sets */
	int64_t keeps;  /* sets that are kept in lists */
	int32_t last;   /* the block that was asked for last, -1: none was */
	int count, room;
	sw_meeting *meeting;
	int tuples, tuple_room;
	sw_indices *tuple; /* what the meetings have in common, `rank` sets each */
} sw_meetings;

/* Makes the finders of blocks, where they have none yet.  false: no memory. */
bool sw_meetings_index(sw_blocks *blocks, sw_arena *arena);

/* Ready to look through `among`, which has finders, for what blocks of `needs` meet.  What is found is in `arena`.  false: no
 * memory. */
bool sw_meetings_of(const sw_blocks *among, const sw_blocks *needs, bool counts, sw_arena *arena,
	sw_meetings *meetings);

/* Fills `meeting` for a block.  false: no memory. */
bool sw_meetings_ask(sw_meetings *meetings, int32_t block);

/* How many meet a block, where possible without a look at each; -1: no memory. */
int64_t sw_meetings_count(sw_meetings *meetings, int32_t block);

/* As many elements, or more, as a block has in common with any that is looked through; -1: no memory. */
int64_t sw_meetings_most(sw_meetings *meetings, int32_t block);

#endif

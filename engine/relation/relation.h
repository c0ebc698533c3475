/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a relation: both ends as blocks.
 */
#ifndef SHARDWALK_RELATION_RELATION_H
#define SHARDWALK_RELATION_RELATION_H

#include <shardwalk/relation.h>

#include "relation/meetings.h"

struct sw_relation {
	sw_arena *arena;
	const sw_pulse *pulse; /* NULL: nobody is asked */
	const sw_holding *from, *to;
	int rank;               /* of the array */
	bool terms, sums;       /* blocks are of terms; these are added */
	bool unique;            /* every block of `held` has one holder */
	bool single;            /* every device has at most one block of either: what comes from one is one share */
	sw_blocks held, needed; /* no two blocks of `held` overlap */
	sw_meetings *before,
		*after;    /* sizes: held blocks that meet a needed one, and the converse; NULL: not asked yet */
	int32_t *seen; /* of each device, when it was listed last */
	int32_t now;
	int axes; /* of the torus of devices */
	int64_t size[SW_MAX_AXES];
	int32_t needs;      /* what sw_relation_needs answers; -1: it was not asked yet */
	sw_relation *plain; /* without terms; NULL: not asked yet */
};

/* Elements that a device has in blocks of either end, of however many terms. */
int64_t sw_relation_elements(const sw_relation *relation, const sw_blocks *blocks, int64_t device);

/* Elements that a device holds and needs, each as often as it needs terms of it that it holds; -1: no memory. */
int64_t sw_relation_kept(const sw_relation *relation, int64_t device, sw_arena *scratch);

/* How many devices need an element, where that is the same for all that are needed and each is in one block; 0: it is not so, or it
 * would take long to see.  -1: no memory. */
int32_t sw_relation_needs(sw_relation *relation);

/* The relation of the elements alone, whatever terms they are of.  NULL: no memory. */
sw_relation *sw_relation_plain(sw_relation *relation);

/* The sizes of what meets a needed block. */
const sw_meetings *sw_relation_meetings(sw_relation *relation, int32_t block);

/* As many elements, or more, as a needed block has in common with any held one; -1: no memory. */
int64_t sw_relation_most(sw_relation *relation, int32_t block);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a device stores what it has of an array: by rows of the array, so that the local index of an element is the number of elements
 * before it that the device has.
 *
 * Where these are one product of sets, that is an array of local sizes.  Sizes and indices count elements.
 */
#ifndef SHARDWALK_LOCAL_H
#define SHARDWALK_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/region.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* A product of sets of indices.  The element whose indices are number n[0], n[1], ... of their sets has the local index base +
 * n[0] * step[0] + n[1] * step[1] + ... */
typedef struct sw_local_part {
	const sw_indices *set; /* of each dimension */
	int64_t base;
	const int64_t *step; /* of each dimension */
} sw_local_part;

typedef struct sw_local {
	int rank, parts;
	const sw_local_part *part; /* no two have an element in common */
	int64_t size;
} sw_local;

/* How a region is stored, in the arena, and by its sets.  false: no memory. */
bool sw_local_of(const sw_region *region, sw_arena *arena, sw_local *local);

/* A whole array of these `rank` sizes: local indices are those by rows.  false: no memory. */
bool sw_local_whole(int rank, const int64_t *global, sw_arena *arena, sw_local *local);

/* The local index of an element; -1: it is not there. */
int64_t sw_local_index(const sw_local *local, const int64_t *index);

/* The indices of the element with this local index, and which of its set each is; `place` may be NULL.  false: there is none. */
bool sw_local_element(const sw_local *local, int64_t at, int64_t *index, int64_t *place);

/* The local index of the first of `count` elements, each `by` behind the one before along dimension `dim`, and how far they are from each
 * other there.  false: one is not there, or they are not at equal distances. */
bool sw_local_line(const sw_local *local, const int64_t *index, int dim, int64_t by, int64_t count, int64_t *first,
	int64_t *step);

/* ---- elements that two have ---- */

/* Elements in the order of loops, the innermost one last: where each lies in the one and in the other. */
typedef struct sw_loops {
	int64_t from, into;               /* local indices of the first element */
	int64_t elements;                 /* the product of the counts */
	int loops;                        /* at most SW_LOOPS */
	const int64_t *count;             /* of each loop, more than 1 */
	const int64_t *from_by, *into_by; /* its steps */
} sw_loops;

#define SW_LOOPS (2 * SW_MAX_DIMS) /* in each dimension within a run, and from run to run */

/* Does one of the elements go to this local index? */
bool sw_loops_reach(const sw_loops *loops, int64_t into);

/* How many of the elements, of which `into` says where they go, are of the region; they are asked one by one.  -1: they are more than
 * SW_MAX_LOOPED. */
#define SW_MAX_LOOPED (1 << 16)
int64_t sw_loops_of(const sw_loops *loops, const sw_local *into, const sw_region *region);

typedef bool (*sw_loops_use)(void *user, const sw_loops *loops);

/* Gives the elements of a region, which both have, to `use`, each in one of them.  What they point to lives in the arena.  false: no
 * memory, or `use` said so. */
bool sw_local_loops(const sw_region *region, const sw_local *from, const sw_local *into, sw_arena *arena,
	sw_loops_use use, void *user);

#pragma GCC visibility pop

#endif

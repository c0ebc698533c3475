/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions: sets of indices of an array, as lists of products of families.
 *
 * Source: seed 002, section 4 (sets of indices as families); DESIGN.md, tiles.
 *
 * A family is a run of indices that comes again at equal distances: a tile, or the blocks of a block-cyclic distribution.
 * Nothing here counts single elements, whatever their number.  Results live in the arena that the caller passes in; operands may
 * live anywhere and are not changed.
 */
#ifndef SHARDWALK_REGION_H
#define SHARDWALK_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

/* `run` indices from `first` on, again every `step`, `count` times.  All are positive but `first`, which may be 0, and
 * run <= step.  Of a family of one run the step is its run. */
typedef struct sw_family {
	int64_t first, run, step, count;
} sw_family;

/* Indices of one dimension: families that have none in common, none (count 0) for the empty set. */
typedef struct sw_indices {
	int count;
	const sw_family *family;
} sw_indices;

/* Elements of an array of `rank` dimensions: products that have none in common; set[i * rank + d] are the indices of dimension d
 * in product i.  A region of rank 0 has one element where count is 1. */
typedef struct sw_region {
	int rank, count;
	const sw_indices *set;
} sw_region;

/* Product n of a region: the indices of each dimension. */
static inline const sw_indices *sw_region_product(const sw_region *region, int n)
{
	return region->rank > 0 ? region->set + (size_t)n * (size_t)region->rank : region->set;
}

/* ---- indices of a dimension ---- */

/* The indices begin to end - 1; none where end <= begin.  `family` is room for one and has to live as long. */
sw_indices sw_indices_range(int64_t begin, int64_t end, sw_family *family);

int64_t sw_indices_size(const sw_indices *indices);
bool sw_indices_has(const sw_indices *indices, int64_t index);

/* How many of them are below `end`. */
int64_t sw_indices_below(const sw_indices *indices, int64_t end);

/* What both have; what the first has and the second has not; what one of them has.  false: no memory. */
bool sw_indices_meet(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *both);
bool sw_indices_minus(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *left);
bool sw_indices_union(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *all);

/* All that is in some of the families, which may be in any order and have indices in common.  false: no memory. */
bool sw_indices_of(const sw_family *family, int count, sw_arena *arena, sw_indices *indices);

/* The same, written in the one way that belongs to the set: its longest runs in ascending order, those at equal distances joined.  Where the
 * families have more than `most` runs it is written in any way. */
bool sw_indices_in_order(const sw_family *family, int count, int64_t most, sw_arena *arena, sw_indices *ordered);

/* Are they the same set, however it is written?  false where there is no memory, too. */
bool sw_indices_equal(const sw_indices *a, const sw_indices *b);

/* Every index plus `by`, in a dimension of this size: what lies past its ends is dropped, or with `wrap` comes in again. */
bool sw_indices_shift(const sw_indices *indices, int64_t by, int64_t size, bool wrap, sw_arena *arena,
	sw_indices *moved);

/* The places, counted from 0, that indices have in a slice: in one run, or in runs of one index. */
bool sw_indices_places(const sw_indices *indices, const sw_family *slice, sw_arena *arena, sw_indices *places);

/* Adds `0:3 6:9`; of a family of more than three runs the first two and the last, `0:1 4:5 .. 28:29`; `none`. */
void sw_indices_print(const sw_indices *indices, sw_text *text);

/* Adds `0-1 6-7`, `0+4*3`: runs, and those that come three times and more by their distance, as `at` reads them; `-`: none.  What is made on
 * the way lives in the arena. */
void sw_indices_print_runs(const sw_indices *indices, sw_arena *arena, sw_text *text);

/* ---- elements of an array ---- */

/* How many elements there are. */
int64_t sw_region_size(const sw_region *region);

/* Is the element with these `rank` indices in it? */
bool sw_region_has(const sw_region *region, const int64_t *index);

/* How many of its elements are in the box that begins there and has this extent. */
int64_t sw_region_in_box(const sw_region *region, const int64_t *at, const int64_t *extent);

/* As those of indices.  Both have the same rank. */
bool sw_region_meet(const sw_region *a, const sw_region *b, sw_arena *arena, sw_region *both);
bool sw_region_minus(const sw_region *a, const sw_region *b, sw_arena *arena, sw_region *left);
bool sw_region_union(const sw_region *a, const sw_region *b, sw_arena *arena, sw_region *all);

/* Are they the same set, however it is written?  false where there is no memory, too. */
bool sw_region_equal(const sw_region *a, const sw_region *b);

/* Its elements in an array of these sizes as row-major indices, in order.  false: more than `most` families would be written on the way, or
 * no memory. */
bool sw_region_row_major(const sw_region *region, const int64_t *global, int most, sw_arena *arena,
	sw_indices *indices);

/* Adds `[0:3, 0:8]`, its products separated by ` and `; `nothing`. */
void sw_region_print(const sw_region *region, sw_text *text);

/* The same by runs: those of its only dimension, or `[0-1, 0-4]`; `-`. */
void sw_region_print_runs(const sw_region *region, sw_arena *arena, sw_text *text);

#pragma GCC visibility pop

#endif

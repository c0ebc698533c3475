/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks: what the devices of a holding have, as products of indices of which each is there once, with the devices that have it.
 *
 * A set of indices of a dimension has a number, a block is a row of such numbers, and blocks ascend as rows.  A dimension more
 * may stand behind those of the array: which terms of a sum a block is of.
 */
#ifndef SHARDWALK_RELATION_BLOCKS_H
#define SHARDWALK_RELATION_BLOCKS_H

#include <shardwalk/diag.h>
#include <shardwalk/holding.h>

#define SW_BLOCK_DIMS (SW_MAX_DIMS + 1)

/* The different sets of a dimension, in the order in which they came, none of them empty. */
typedef struct sw_sets {
	int count, room;
	sw_indices *set;
	int64_t *size; /* indices of each */
} sw_sets;

typedef struct sw_blocks {
	int rank;
	int32_t devices, count;
	sw_sets dim[SW_BLOCK_DIMS];
	struct sw_finder *finder[SW_BLOCK_DIMS]; /* of the sets of each dimension; NULL: none was needed yet */
	int32_t *set;                            /* count x rank: the number of the set in each dimension */
	int64_t *size;                           /* elements of each */
	int32_t *first_holder, *holder;          /* the devices of each block, ascending; a bound more behind the last */
	int32_t *first_block, *block;            /* the blocks of each device */
	const sw_pulse *pulse;                   /* asked by what looks through them; NULL: nobody is */
} sw_blocks;

/* Has it few enough devices for blocks to be made?  Else S08. */
bool sw_blocks_check(const sw_holding *holding, sw_diag *diag);

/* The blocks of a holding, which need not live any longer.  `terms`: for each device the set of the dimension more; NULL: there is
 * none.  Errors: S08, E01. */
bool sw_blocks_of(const sw_holding *holding, const sw_indices *terms, const sw_pulse *pulse, sw_arena *arena,
	sw_blocks *blocks, sw_diag *diag);

/* Have any two blocks an element in common?  false: no memory. */
bool sw_blocks_overlap(sw_blocks *blocks, sw_arena *arena, bool *overlap);

/* Cuts blocks until no two have an element in common.  false: no memory. */
bool sw_blocks_part(sw_blocks *blocks, sw_arena *arena);

static inline int32_t sw_block_holders(const sw_blocks *blocks, int32_t block)
{
	return blocks->first_holder[block + 1] - blocks->first_holder[block];
}

/* The set of a block in a dimension. */
static inline const sw_indices *sw_block_set(const sw_blocks *blocks, int32_t block, int dim)
{
	return &blocks->dim[dim].set[blocks->set[(int64_t)block * blocks->rank + dim]];
}

/* The sizes of all blocks of a device. */
static inline int64_t sw_blocks_elements(const sw_blocks *blocks, int64_t device)
{
	int64_t elements = 0;

	for (int32_t i = blocks->first_block[device]; i < blocks->first_block[device + 1]; i++)
		elements += blocks->size[blocks->block[i]];
	return elements;
}

/* Is every block one run, of the only dimension? */
bool sw_blocks_are_runs(const sw_blocks *blocks);

/* Has a device a block? */
bool sw_block_held(const sw_blocks *blocks, int32_t block, int32_t device);

/* ---- for who makes blocks ---- */

/* Products of devices, in the order of these, while they are collected. */
typedef struct sw_products {
	int rank, count, device_room, set_room;
	int32_t *device, *set; /* set: count x rank */
	sw_arena *arena;       /* of both */
} sw_products;

bool sw_products_add(sw_products *products, int32_t device, const int32_t *set);

/* Makes blocks of them; rank, devices and sets are there. */
bool sw_blocks_finish(const sw_products *products, sw_arena *arena, sw_blocks *blocks);

#endif

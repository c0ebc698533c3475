/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tilings: a sharding as XLA sees it, numbers of tiles and an order of devices, and what XLA does with them.
 */
#ifndef SW_SEARCH_XLA_TILING_H
#define SW_SEARCH_XLA_TILING_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/type.h>

#include "peers/xla_order.h"

/* A dimension of the array may be seen as two, several times over. */
#define SW_TILING_DIMS (SW_MAX_DIMS + 8)

/* The device at index (tile row-major, copy) is order[index]; the copies of a tile stand in ascending order. */
typedef struct sw_tiling {
	int rank;
	int64_t tiles[SW_TILING_DIMS]; /* along each dimension */
	int64_t copies;                /* devices that hold the same tile */
	bool whole;                    /* one tile: every device holds the array */
	sw_order order;
} sw_tiling;

/* The tiling with these tiles, its copies sorted. */
void sw_tiling_make(sw_order_room *room, int rank, const int64_t *tiles, const sw_order *order, sw_tiling *out);

/* A type as a tiling, and back; false where the map is no type. */
void sw_tiling_of_type(sw_order_room *room, const sw_mesh *mesh, const sw_type *type, sw_tiling *out);
bool sw_tiling_to_type(const sw_mesh *mesh, const sw_tiling *tiling, const sw_type *shape, sw_type *out);

bool sw_tiling_equal(const sw_tiling *a, const sw_tiling *b);

/* As many tiles along every dimension, so that only the order of devices may differ. */
bool sw_tiling_same_tiles(const sw_tiling *a, const sw_tiling *b);

/* `factor` neighbouring tiles of a dimension become one: their devices hold copies. */
void sw_tiling_gather(sw_order_room *room, const sw_tiling *t, int dim, int64_t factor, sw_tiling *out);

/* The larger number of tiles, of `source`, changes places with that of `target`. */
void sw_tiling_exchange(sw_order_room *room, const sw_tiling *t, int source, int target, sw_tiling *out);

/* Instead of copies there are tiles along `dim`, which had one. */
void sw_tiling_cut_copies(sw_order_room *room, const sw_tiling *t, int dim, sw_tiling *out);

/* A tiling with the numbers of tiles of `fine` in which every device holds a part of what it holds in `coarse`:
 * `fine` itself where it is one.  false where the numbers do not divide. */
bool sw_tiling_refine(sw_order_room *room, const sw_tiling *coarse, const sw_tiling *fine, sw_tiling *out);

/* One dimension as two, of which the major has `major` tiles; and back. */
void sw_tiling_split(const sw_tiling *t, int dim, int64_t major, sw_tiling *out);
void sw_tiling_merge(const sw_tiling *t, int dim, sw_tiling *out);

/* Devices in groups, one for every tile along the dimensions of `dims`, and the tiling within a group. */
typedef struct sw_grouping {
	unsigned dims;                 /* bit d: dimension d */
	int64_t tiles[SW_TILING_DIMS]; /* along them; 1 elsewhere */
	int64_t size;                  /* of a group */
	sw_order order;                /* group by group */
	sw_tiling inner;               /* devices numbered within the group */
} sw_grouping;

void sw_tiling_group(sw_order_room *room, const sw_tiling *t, unsigned dims, sw_grouping *out);

/* The same with the groups of `like`, where each group holds the same devices. */
void sw_grouping_align(sw_order_room *room, sw_grouping *grouping, const sw_grouping *like);

void sw_tiling_ungroup(sw_order_room *room, const sw_grouping *grouping, const sw_tiling *inner, sw_tiling *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual devices in this process: tiles in memory, and how the boxes of a step move between them.
 *
 * The tiles of all devices follow each other in one block.  Elements have any type that is computed with.
 */
#ifndef SW_PLAN_DEVICES_H
#define SW_PLAN_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arithmetic.h>
#include <shardwalk/transfers.h>

/* An array in memory, and where a box begins in it; at: NULL where that is its beginning. */
typedef struct sw_corner {
	char *data;
	const int64_t *shape, *at;
} sw_corner;

/* Copies a box of elements, or adds it to what is there. */
void sw_box_move(sw_dtype dtype, sw_corner to, sw_corner from, const int64_t *box, int rank, bool add);

/* Moves everything that a step brings to a device, from the tiles before it to those after it, as its transfers say.  What is added
 * needs zeros there. */
void sw_device_take(const sw_transfers *transfers, sw_dtype dtype, int64_t device, void *before, void *after);

#endif

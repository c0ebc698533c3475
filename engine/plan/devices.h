/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual devices in this process: tiles in memory, how the boxes of a step move between them, and the comparison of what all devices
 * hold with what is right.
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

/* The same of elements in loops. */
void sw_loops_move(sw_dtype dtype, char *to, const char *from, const sw_loops *loops, bool add);

/* What all devices hold of one array. */
typedef struct sw_held {
	sw_arena *arena; /* of the lists in `tiles` */
	sw_tiles tiles;
	sw_dtype dtype;
	int64_t size; /* elements of a tile */
	char *data;   /* on the heap */
} sw_held;

/* Frees the arena and the data, which may be NULL. */
void sw_held_free(sw_held *held);

char *sw_held_by(const sw_held *held, int64_t device);
int64_t sw_held_term(const sw_held *held, int64_t device);

/* ---- moving ---- */

/* The transfers of step `k` of a plan between tiles that are given in any unit.  Errors: as of sw_transfers_new. */
const sw_transfers *sw_plan_transfers_of(const sw_plan *plan, int k, const sw_tiles tiles[2], sw_arena *arena,
	sw_diag *diag);

/* Asked before the n-th device takes something: go on?  Else it sets the error. */
typedef bool (*sw_devices_go)(void *user, int64_t n);

/* The tiles of all devices after a step, moved from those before it, as its transfers say.  In what nothing reaches all bits are set.
 * On the heap; NULL: E01, or the error of `go`, which may be NULL. */
char *sw_devices_step(const sw_transfers *transfers, sw_dtype dtype, const char *before, sw_devices_go go, void *user,
	sw_diag *diag);

/* ---- comparing ---- */

/* Elements of the tile of a device.  n: how many tiles were asked for before it. */
typedef struct sw_tile_part {
	int64_t n, device, begin, count;
} sw_tile_part;

typedef struct sw_comparison {
	const sw_held *held;
	const int64_t *order;                                           /* of the devices; NULL: by their numbers */
	int64_t at_once;                                                /* elements that `right` is asked for, at most */
	bool (*right)(void *user, const sw_tile_part *part, void *out); /* false: stop, with an error */
	void *user;
	double bound, *off; /* see sw_compare; off: may be NULL where the bound is 0 */
} sw_comparison;

/* The first element that is wrong. */
typedef struct sw_difference {
	int64_t device;        /* -1: none is */
	int64_t at;            /* in its tile */
	int64_t copy_of;       /* the device that holds the same term with another value; else -1 */
	uint64_t found, right; /* the bytes of the element, from the first on */
	const char *why;       /* it cannot be told; else NULL */
} sw_difference;

/* Compares the tiles of all devices with what is right.  Where they are terms, copies of one have to be equal, and all of a tile to add up to
 * what is right.  false: it cannot be told, by the error of `right`, by E01, or for the reason `why`. */
bool sw_held_compare(const sw_comparison *comparison, sw_difference *wrong, sw_diag *diag);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers: which box of a step goes from which device to which.
 *
 * They follow from the row of the collective, the step's groups, sources or senders, and what devices hold before
 * and after.  Nobody else derives them: the execution in this process, the executor on MPI ranks, the picture of traffic
 * and exported programs read them here.
 */
#ifndef SHARDWALK_TRANSFERS_H
#define SHARDWALK_TRANSFERS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/local.h>
#include <shardwalk/plan.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* What devices hold at one moment.  Sizes are in any unit, the same one for all four. */
typedef struct sw_tiles {
	int rank;
	int64_t devices;
	const int64_t *global, *tile; /* of the array, and of one device */
	const int64_t *at;            /* base offsets: devices x rank, by the number of the DEVICE */
	int64_t terms;                /* that make up a value, where values are still to be summed; 0: they are whole */
	const int32_t *term;          /* which of them a DEVICE holds; NULL: values are whole */
	const int32_t *joins;         /* before a step: the term after it that each of these is a part of; NULL: 0 */
	const sw_pieces *pieces; /* that a DEVICE has, where these count: of tiles of one dimension then; else NULL */
} sw_tiles;

/* One box.  Devices may be the same: what stays is a transfer too.  See sw_transfers_add for what it does there. */
typedef struct sw_transfer {
	int64_t from, to;             /* devices */
	int64_t from_at[SW_MAX_DIMS]; /* where the box begins in the tile of `from` before the step, */
	int64_t to_at[SW_MAX_DIMS];   /* and in the tile of `to` after it */
	int64_t extent[SW_MAX_DIMS];
	const sw_loops *
		loops; /* where devices have others than tiles: it is no box, but these elements of what both store; else NULL */
} sw_transfer;

typedef struct sw_transfers sw_transfers;

/* The transfers of a step whose groups, sources and senders speak of devices (see sw_step_on_devices).  It keeps the
 * pointers that it is given; its own memory is in `arena`.
 *
 *     dynslice      what a device keeps of its own tile
 *     allgather     every member of a group gets the tiles of all, the n-th as piece n
 *     alltoall      the n-th member of a group gets piece n of every tile
 *     allpermute    whole tiles, from the sources; without any as for an exchange
 *     exchange      what a device needs of each tile, from the step's senders, else by the rule:
 *                   a device that holds a tile takes it from itself; the others that need some of it, in the order of
 *                   their numbers, are dealt to its holders, in the order of theirs, so that every holder sends the
 *                   same number of elements, to within one box; where values are still to be summed that holds for
 *                   each term by itself, and a device gets all terms that its own is made of
 *     reduce        the first of a group gets what all have, and adds; of pieces only
 *     broadcast     every member of a group gets what the first has; of pieces only
 *     reducescatter the n-th member of a group gets piece n of the tiles of all, and adds
 *     allreduce     every member of a group gets the tiles of all, and adds
 *     zeros         what a device keeps, if it keeps its copy
 *     pad           the device's own tile
 *
 * Where devices have pieces, before or after the step, both are given as such, and a device gets the runs of elements that it has
 * afterwards: from the member that has them, from the first, or from all, and adds; outside of groups from itself.
 *
 * NULL: P05 with the reason where groups, sources or senders are missing or name no device, S08, E01. */
const sw_transfers *sw_transfers_new(const sw_step *step, const sw_tiles *before, const sw_tiles *after,
	sw_arena *arena, sw_diag *diag);

/* Are boxes added to what is there, which begins as 0?  Else they are copied, and each element comes in one of them. */
bool sw_transfers_add(const sw_transfers *transfers);

/* Is what no box reaches 0?  Else boxes reach every element. */
bool sw_transfers_fill(const sw_transfers *transfers);

/* Fills the terms of what devices hold before step `k` of a plan (count: at the end), in `arena`.  E01. */
bool sw_plan_terms(const sw_plan *plan, int k, sw_arena *arena, sw_tiles *tiles, sw_diag *diag);

/* The same of step `k` (0-based) of a plan, in elements.  Where an end is no tile type what each device gets comes by the rule of the
 * step, sender after sender, and is stored as local.h says.  S08 above SW_MAX_MAP_DEVICES. */
const sw_transfers *sw_plan_transfers(const sw_plan *plan, int k, sw_arena *arena, sw_diag *diag);

/* Device n in an order in which those that share data follow each other: each device once. */
int64_t sw_transfers_device(const sw_transfers *transfers, int64_t n);

/* How many devices `to` may take something from, and box n of these; false: nothing comes from there. */
int64_t sw_transfers_into(const sw_transfers *transfers, int64_t to);
bool sw_transfers_get(const sw_transfers *transfers, int64_t to, int64_t n, sw_transfer *transfer);

/* How many elements it is. */
int64_t sw_transfer_size(const sw_transfers *transfers, const sw_transfer *transfer);

/* The first box that `to` takes from `from`, of tiles the only one; false where it takes nothing from there. */
bool sw_transfers_between(const sw_transfers *transfers, int64_t from, int64_t to, sw_transfer *transfer);

/* Every device of `from` sends `elements` to every other device of `to`. */
typedef struct sw_flow {
	const int32_t *from, *to;
	int64_t froms, tos;
	double elements;
} sw_flow;

typedef void (*sw_flow_use)(void *user, const sw_flow *flow);

/* Hands the flows of step `k` (0-based) to `use`: groups as one flow each, so that their number is that of devices at most.
 * Steps that deal by holders are worked out for SW_MAX_DEALT devices at most (S08).  P03 without groups, E01. */
#define SW_MAX_DEALT 4096
bool sw_plan_flows(const sw_plan *plan, int k, sw_flow_use use, void *user, sw_diag *diag);

#pragma GCC visibility pop

#endif

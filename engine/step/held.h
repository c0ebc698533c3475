/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices hold of the chunks of their tiles while a reduction program runs: of which terms each chunk is the sum.
 */
#ifndef SHARDWALK_STEP_HELD_H
#define SHARDWALK_STEP_HELD_H

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>

typedef struct sw_held {
	int64_t devices;
	int chunks, words; /* words of 64 bits that hold a bit for each term */
	uint64_t *bits;    /* of device d and chunk c at (d * chunks + c) * words; all 0: not held */
	uint64_t *sum;     /* of a group while it is looked at: chunks x words */
	int *which;        /* scratch, a number a chunk */
} sw_held;

/* Every device holds its own term, of `terms`, in every chunk.  Errors: S08 above SW_HELD_MEMORY, E01. */
#define SW_HELD_MEMORY ((int64_t)1 << 29)
bool sw_held_start(sw_held *held, int64_t devices, int chunks, int64_t terms, sw_arena *arena, sw_diag *diag);

uint64_t *sw_held_row(const sw_held *held, int64_t device, int chunk);
void sw_held_add(sw_held *held, int64_t device, int chunk, int64_t term);
bool sw_held_has(const sw_held *held, int64_t device, int chunk);

/* How many chunks a device holds, and the most that any does. */
int sw_held_count(const sw_held *held, int64_t device);
int sw_held_most(const sw_held *held);

/* The columns `hold` of the table of collectives: what a group holds then, or the premise of figure 8 that fails, with P05. */
bool sw_hold_allreduce(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag);
bool sw_hold_reducescatter(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag);
bool sw_hold_allgather(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag);
bool sw_hold_reduce(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag);
bool sw_hold_broadcast(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag);

#endif

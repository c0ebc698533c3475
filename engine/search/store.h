/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states of a search: their keys, the queue in which they wait, and, where it is wanted, a journal by which steps are
 * taken back exactly.
 *
 * States leave by cost so far plus bound, then by what decides between ways of one cost, then by order of arrival.  A state that is
 * reached again at a lower cost, or at the same cost by a better way, is opened again: bounds need not be consistent.
 */
#ifndef SW_SEARCH_STORE_H
#define SW_SEARCH_STORE_H

#include <stddef.h>

#include "base/heap.h"
#include "base/keys.h"

#define SW_NEVER INT64_MAX /* a bound: the goal cannot be reached from here */

/* Adds costs: what does not fit is never paid. */
static inline int64_t sw_cost_plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? SW_NEVER : sum;
}

#define SW_MOST_VOLUME ((int64_t)1 << 40) /* larger ones are all alike, so that sums of some hundred fit */

/* What decides between ways of one cost, the least: first the volume, then permutes, then steps. */
static inline int64_t sw_minor(int64_t volume, int permutes, int steps)
{
	return (volume < SW_MOST_VOLUME ? volume : SW_MOST_VOLUME) * 65536 + permutes * 256 + steps;
}

typedef struct sw_state {
	int64_t cost, bound;
	int64_t minor;  /* so far */
	int64_t size;   /* elements of a tile */
	int32_t parent; /* number, -1 for the start */
	int32_t tag;    /* the caller's: how it was reached */
	int32_t order;  /* it was the order-th to leave the queue; 0: not yet */
} sw_state;

/* A state as it was before a better way to it was found. */
typedef struct sw_state_change {
	int32_t number;
	bool waiting;
	sw_state before;
} sw_state_change;

/* What there was before a state left the queue. */
typedef struct sw_store_record {
	int32_t taken, count, settled;
	int64_t changes, edges;
	bool again; /* it had left before */
} sw_store_record;

typedef struct sw_store {
	sw_keys keys;
	sw_state *states;
	int32_t room;
	sw_heap queue;
	int32_t settled;   /* states, however often each was opened */
	int64_t edges;     /* the caller's count of edges looked at, offered or not */
	bool failed;       /* memory ran out */
	size_t most_bytes; /* what it may take; 0: whatever there is */
	int64_t prime;     /* > 0: of costs to come, at least 1 - 1 / prime counts as volume to come */
	bool journaled;
	sw_store_record *records;
	int32_t taken, record_room;
	sw_state_change *journal;
	int64_t changes, journal_room;
} sw_store;

/* An empty store for keys of so many bytes, to be freed.  false: memory. */
bool sw_store_init(sw_store *store, int key_bytes, bool journaled);
void sw_store_free(sw_store *store);

/* Bytes of states, keys and queue, without the journal. */
size_t sw_store_bytes(const sw_store *store);

/* Would one more state take it above what it may take? */
bool sw_store_is_full(const sw_store *store);

/* The number of a state that was offered; -1: none was. */
int32_t sw_store_find(const sw_store *store, const uint8_t *key);

/* Offers a way to the state `key`; `state->order` is not looked at.  Takes it where the state is new (true) or the way better. */
bool sw_store_offer(sw_store *store, const uint8_t *key, const sw_state *state);

/* The state that leaves next, -1 where none waits. */
int32_t sw_store_next(const sw_store *store);

/* Lets it leave. */
int32_t sw_store_take(sw_store *store);

/* All as it was before the last state left.  Of journaled stores in which one did. */
void sw_store_back(sw_store *store);

#endif

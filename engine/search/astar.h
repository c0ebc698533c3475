/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over states that are short strings of bytes: the store, the queue and the order in which states leave.
 *
 * Priorities are, in this order: cost so far plus bound, steps so far, order of arrival.  A state that is reached
 * again at a lower cost, or at the same cost in fewer steps, is opened again: bounds need not be consistent.
 */
#ifndef SW_SEARCH_ASTAR_H
#define SW_SEARCH_ASTAR_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>

#define SW_NEVER INT64_MAX /* a bound: the goal cannot be reached from here */

typedef struct sw_astar_node {
	int64_t cost, bound;
	int32_t parent; /* index, -1 for the start */
	int32_t steps;
	int32_t heap;   /* place in the queue, -1 while it is not there */
	int32_t tag;    /* the caller's: how it was reached */
	const uint8_t *key;
} sw_astar_node;

typedef struct sw_astar {
	sw_arena *arena;
	int key_bytes;
	sw_astar_node *nodes;
	int32_t count, room;
	int32_t *table;      /* open addressing: index + 1, 0 is empty */
	uint32_t mask;
	int32_t *heap;
	int32_t heap_count;
	int64_t settled;
	int64_t edges;       /* the caller's count of edges looked at, offered or not */
	bool failed;         /* memory ran out */
} sw_astar;

/* An empty search.  false: memory. */
bool sw_astar_init(sw_astar *astar, sw_arena *arena, int key_bytes);

/* Offers a way to the state `key`.  Takes it where it is new or better than what is known. */
void sw_astar_offer(sw_astar *astar, const uint8_t *key, int64_t cost, int steps, int64_t bound, int32_t parent, int32_t tag);

/* Takes the next state out of the queue; -1 where it is empty. */
int32_t sw_astar_next(sw_astar *astar);

/* Cost plus bound of the state that would leave next; SW_NEVER where the queue is empty. */
int64_t sw_astar_floor(const sw_astar *astar);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * A* over states that are short strings of bytes: the store, the queue and the order in which states leave.
 *
 * Priorities are, in this order: cost so far plus bound, steps so far, order of arrival.  A state that is reached
 * again at a lower cost, or at the same cost in fewer steps, is opened again: bounds need not be consistent.
 */
#ifndef TESTS_ORACLE_ASTAR_H
#define TESTS_ORACLE_ASTAR_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>

#include "base/heap.h"

#define OLD_NEVER INT64_MAX /* a bound: the goal cannot be reached from here */

typedef struct old_astar_node {
	int64_t cost, bound;
	int32_t parent; /* index, -1 for the start */
	int32_t steps;
	int32_t tag;  /* the caller's: how it was reached */
	bool settled; /* it left the queue at least once */
	const uint8_t *key;
} old_astar_node;

typedef struct old_astar {
	sw_arena *arena;
	int key_bytes;
	old_astar_node *nodes;
	int32_t count, room;
	int32_t *table; /* open addressing: index + 1, 0 is empty */
	uint32_t mask;
	sw_heap queue;
	int64_t settled; /* states, however often each was opened */
	int64_t edges;   /* the caller's count of edges looked at, offered or not */
	bool failed;     /* memory ran out */
} old_astar;

/* An empty search.  false: memory.  To be ended with old_astar_end; the rest lives in `arena`. */
bool old_astar_init(old_astar *astar, sw_arena *arena, int key_bytes);
void old_astar_end(old_astar *astar);

/* The number of a state that was offered; -1: none was. */
int32_t old_astar_find(const old_astar *astar, const uint8_t *key);

/* Offers a way to the state `key`.  Takes it where it is new or better than what is known. */
void old_astar_offer(old_astar *astar, const uint8_t *key, int64_t cost, int steps, int64_t bound, int32_t parent,
	int32_t tag);

typedef enum old_search_end {
	OLD_FOUND,   /* the cheapest of its kind */
	OLD_NOTHING, /* there is none below the limit */
	OLD_GAVE_UP, /* too many edges; the floor still bounds what could have been found */
	OLD_STOPPED, /* the pulse said so */
	OLD_NO_MEMORY
} old_search_end;

/* What the search does with a state that leaves the queue: true where it is the goal, else offers its edges. */
typedef bool old_astar_visit(void *context, int32_t node);

/* Lets states leave until the goal does (*goal), the queue is empty, `most_edges` were looked at, or the pulse
 * (counting `what`) stops it.  *floor: what no goal that was left out can cost less than; `below` where the queue ran empty. */
old_search_end old_astar_run(old_astar *astar, old_astar_visit *visit, void *context, int64_t most_edges,
	int64_t below, const sw_pulse *pulse, const char *what, int32_t *goal, int64_t *floor);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * A heap of numbered items that knows where each item stands, so that priorities can fall and items can leave.
 *
 * Among equal priorities the smaller second priority leaves first, then the smaller number; numbers are given in
 * the order in which nodes are first seen, so the queue is stable.
 */
#ifndef TESTS_ORACLE_HEAP_H
#define TESTS_ORACLE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* Start from {0}.  Items are 0, 1, 2, ... */
typedef struct old_heap {
	int count, room;
	int32_t *items;  /* the heap itself */
	int items_known; /* items below this have a place and a priority */
	int32_t *place;  /* where an item stands in `items`, -1: nowhere */
	int64_t *priority;
	int32_t *second;
} old_heap;

void old_heap_free(old_heap *heap);

/* Adds an item, or moves the one that is there to new priorities.  false where memory is short. */
bool old_heap_put(old_heap *heap, int item, int64_t priority, int32_t second);

/* The item that leaves next, -1 where there is none; and takes it out. */
int old_heap_first(const old_heap *heap);
int old_heap_pop(old_heap *heap);

void old_heap_remove(old_heap *heap, int item);
bool old_heap_has(const old_heap *heap, int item);

/* Does item a leave before item b? */
bool old_heap_before(const old_heap *heap, int a, int b);

/* Is every parent before its children, and every place right?  For tests. */
bool old_heap_check(const old_heap *heap);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heap of numbered items that knows where each item stands, so that priorities can fall and items can leave.
 *
 * Among equal priorities the smaller second priority leaves first, then the smaller number; numbers are given in
 * the order in which nodes are first seen, so the queue is stable.
 */
#ifndef SW_BASE_HEAP_H
#define SW_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* Start from {0}.  Items are 0, 1, 2, ... */
typedef struct sw_heap {
	int count, room;
	int32_t *items;  /* the heap itself */
	int items_known; /* items below this have an index and a priority */
	int32_t *index;  /* where an item stands in `items`, -1: nowhere */
	int64_t *priority;
	int64_t *second;
} sw_heap;

void sw_heap_free(sw_heap *heap);

/* Adds an item, or moves the one that is there to new priorities.  false where memory is short. */
bool sw_heap_put(sw_heap *heap, int item, int64_t priority, int64_t second);

/* The item that leaves next, -1 where there is none; and takes it out. */
int sw_heap_first(const sw_heap *heap);
int sw_heap_pop(sw_heap *heap);

void sw_heap_remove(sw_heap *heap, int item); /* which is there */
bool sw_heap_has(const sw_heap *heap, int item);

/* Does item a leave before item b? */
bool sw_heap_before(const sw_heap *heap, int a, int b);

/* Is every parent before its children, and every index right?  For tests. */
bool sw_heap_check(const sw_heap *heap);

#endif

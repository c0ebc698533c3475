/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A binary heap with places.  See heap.h.
 */
#include "heap.h"

#include <stdlib.h>

void old_heap_free(old_heap *heap)
{
	free(heap->items);
	free(heap->place);
	free(heap->priority);
	free(heap->second);
	*heap = (old_heap){0};
}

bool old_heap_before(const old_heap *heap, int a, int b)
{
	int64_t pa = heap->priority[a], pb = heap->priority[b];

	if (pa != pb)
		return pa < pb;
	if (heap->second[a] != heap->second[b])
		return heap->second[a] < heap->second[b];
	return a < b;
}

static void heap_set(old_heap *heap, int at, int item)
{
	heap->items[at] = item;
	heap->place[item] = at;
}

static void heap_up(old_heap *heap, int at)
{
	int item = heap->items[at];
	while (at > 0 && old_heap_before(heap, item, heap->items[(at - 1) / 2])) {
		heap_set(heap, at, heap->items[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	heap_set(heap, at, item);
}

static void heap_down(old_heap *heap, int at)
{
	int item = heap->items[at];
	for (int child; (child = 2 * at + 1) < heap->count; at = child) {
		if (child + 1 < heap->count && old_heap_before(heap, heap->items[child + 1], heap->items[child]))
			child++;
		if (!old_heap_before(heap, heap->items[child], item))
			break;
		heap_set(heap, at, heap->items[child]);
	}
	heap_set(heap, at, item);
}

static bool heap_grow(old_heap *heap, int items)
{
	if (items <= heap->room)
		return true;
	int room = heap->room ? heap->room : 64;
	while (room < items)
		room *= 2;
	int32_t *grown = realloc(heap->items, (size_t)room * sizeof *grown);
	if (!grown)
		return false;
	heap->items = grown;
	int32_t *place = realloc(heap->place, (size_t)room * sizeof *place);
	if (!place)
		return false;
	heap->place = place;
	int64_t *priority = realloc(heap->priority, (size_t)room * sizeof *priority);
	if (!priority)
		return false;
	heap->priority = priority;
	int32_t *second = realloc(heap->second, (size_t)room * sizeof *second);
	if (!second)
		return false;
	heap->second = second;
	heap->room = room;
	return true;
}

bool old_heap_put(old_heap *heap, int item, int64_t priority, int32_t second)
{
	if (!heap_grow(heap, item + 1))
		return false;
	while (heap->items_known <= item)
		heap->place[heap->items_known++] = -1;
	heap->priority[item] = priority;
	heap->second[item] = second;
	if (heap->place[item] < 0)
		heap_set(heap, heap->count++, item);
	heap_up(heap, heap->place[item]);
	heap_down(heap, heap->place[item]);
	return true;
}

int old_heap_first(const old_heap *heap)
{
	return heap->count ? heap->items[0] : -1;
}

int old_heap_pop(old_heap *heap)
{
	int item = old_heap_first(heap);
	if (item >= 0)
		old_heap_remove(heap, item);
	return item;
}

void old_heap_remove(old_heap *heap, int item)
{
	int at = heap->place[item], last = heap->items[--heap->count];

	heap->place[item] = -1;
	if (last == item)
		return;
	heap_set(heap, at, last);
	heap_up(heap, at);
	heap_down(heap, heap->place[last]);
}

bool old_heap_has(const old_heap *heap, int item)
{
	return item < heap->items_known && heap->place[item] >= 0;
}

bool old_heap_check(const old_heap *heap)
{
	int placed = 0;

	for (int at = 0; at < heap->count; at++) {
		if (heap->place[heap->items[at]] != at)
			return false;
		if (at > 0 && old_heap_before(heap, heap->items[at], heap->items[(at - 1) / 2]))
			return false;
	}
	for (int item = 0; item < heap->items_known; item++)
		placed += heap->place[item] >= 0;
	return placed == heap->count;
}

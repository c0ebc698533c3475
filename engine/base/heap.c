/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A binary heap that knows where its items stand.  See heap.h.
 */
#include "base/heap.h"

#include <assert.h>
#include <stdlib.h>

#include "base/resize.h"

void sw_heap_free(sw_heap *heap)
{
	free(heap->items);
	free(heap->index);
	free(heap->priority);
	free(heap->second);
	*heap = (sw_heap){0};
}

bool sw_heap_before(const sw_heap *heap, int a, int b)
{
	int64_t pa = heap->priority[a], pb = heap->priority[b];

	if (pa != pb)
		return pa < pb;
	if (heap->second[a] != heap->second[b])
		return heap->second[a] < heap->second[b];
	return a < b;
}

static void heap_set(sw_heap *heap, int at, int item)
{
	heap->items[at] = item;
	heap->index[item] = at;
}

static void heap_up(sw_heap *heap, int at)
{
	int item = heap->items[at];
	while (at > 0 && sw_heap_before(heap, item, heap->items[(at - 1) / 2])) {
		heap_set(heap, at, heap->items[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	heap_set(heap, at, item);
}

static void heap_down(sw_heap *heap, int at)
{
	int item = heap->items[at];
	for (int child; (child = 2 * at + 1) < heap->count; at = child) {
		if (child + 1 < heap->count && sw_heap_before(heap, heap->items[child + 1], heap->items[child]))
			child++;
		if (!sw_heap_before(heap, heap->items[child], item))
			break;
		heap_set(heap, at, heap->items[child]);
	}
	heap_set(heap, at, item);
}

static bool heap_grow(sw_heap *heap, int items)
{
	if (items <= heap->room)
		return true;
	int room = heap->room ? heap->room : 64;
	while (room < items)
		room *= 2;
	if (!sw_resize(&heap->items, room, sizeof *heap->items) || !sw_resize(&heap->index, room, sizeof *heap->index) ||
		!sw_resize(&heap->priority, room, sizeof *heap->priority) ||
		!sw_resize(&heap->second, room, sizeof *heap->second))
		return false;
	heap->room = room;
	return true;
}

bool sw_heap_put(sw_heap *heap, int item, int64_t priority, int64_t second)
{
	if (!heap_grow(heap, item + 1))
		return false;
	while (heap->items_known <= item)
		heap->index[heap->items_known++] = -1;
	heap->priority[item] = priority;
	heap->second[item] = second;
	if (heap->index[item] < 0)
		heap_set(heap, heap->count++, item);
	heap_up(heap, heap->index[item]);
	heap_down(heap, heap->index[item]);
	return true;
}

int sw_heap_first(const sw_heap *heap)
{
	return heap->count ? heap->items[0] : -1;
}

int sw_heap_pop(sw_heap *heap)
{
	int item = sw_heap_first(heap);
	if (item >= 0)
		sw_heap_remove(heap, item);
	return item;
}

void sw_heap_remove(sw_heap *heap, int item)
{
	assert(sw_heap_has(heap, item));
	int at = heap->index[item], last = heap->items[--heap->count];

	heap->index[item] = -1;
	if (last == item)
		return;
	heap_set(heap, at, last);
	heap_up(heap, at);
	heap_down(heap, heap->index[last]);
}

bool sw_heap_has(const sw_heap *heap, int item)
{
	return item < heap->items_known && heap->index[item] >= 0;
}

bool sw_heap_check(const sw_heap *heap)
{
	int queued = 0;

	for (int at = 0; at < heap->count; at++) {
		if (heap->index[heap->items[at]] != at)
			return false;
		if (at > 0 && sw_heap_before(heap, heap->items[at], heap->items[(at - 1) / 2]))
			return false;
	}
	for (int item = 0; item < heap->items_known; item++)
		queued += heap->index[item] >= 0;
	return queued == heap->count;
}

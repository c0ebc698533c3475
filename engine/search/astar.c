/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over byte strings: an open-addressing table and a binary heap with positions.
 */
#include "search/astar.h"

#include <string.h>

bool sw_astar_init(sw_astar *astar, sw_arena *arena, int key_bytes)
{
	*astar = (sw_astar){ .arena = arena, .key_bytes = key_bytes, .room = 64, .mask = 127 };
	astar->nodes = SW_NEW(arena, sw_astar_node, astar->room);
	astar->heap = SW_NEW(arena, int32_t, astar->room);
	astar->table = SW_NEW_ZERO(arena, int32_t, astar->mask + 1);
	astar->failed = astar->nodes == NULL || astar->heap == NULL || astar->table == NULL;
	return !astar->failed;
}

static uint32_t hash(const uint8_t *key, int bytes)
{
	uint64_t h = 1469598103934665603u;

	for (int k = 0; k < bytes; k++)
		h = (h ^ key[k]) * 1099511628211u;
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t slot_of(const sw_astar *astar, const uint8_t *key)
{
	uint32_t slot = hash(key, astar->key_bytes) & astar->mask;

	while (astar->table[slot] != 0 &&
	       memcmp(astar->nodes[astar->table[slot] - 1].key, key, (size_t)astar->key_bytes) != 0)
		slot = (slot + 1) & astar->mask;
	return slot;
}

/* Old arrays stay in the arena: in all no more than the final ones once again. */
static bool grow(sw_astar *astar)
{
	int32_t room = 2 * astar->room;
	sw_astar_node *nodes = SW_NEW(astar->arena, sw_astar_node, room);
	int32_t *heap = SW_NEW(astar->arena, int32_t, room);
	int32_t *table = SW_NEW_ZERO(astar->arena, int32_t, 2 * room);

	if (nodes == NULL || heap == NULL || table == NULL)
		return false;
	memcpy(nodes, astar->nodes, (size_t)astar->count * sizeof *nodes);
	memcpy(heap, astar->heap, (size_t)astar->heap_count * sizeof *heap);
	astar->nodes = nodes;
	astar->heap = heap;
	astar->table = table;
	astar->room = room;
	astar->mask = (uint32_t)(2 * room - 1);
	for (int32_t n = 0; n < astar->count; n++)
		table[slot_of(astar, nodes[n].key)] = n + 1;
	return true;
}

static bool before(const sw_astar *astar, int32_t a, int32_t b)
{
	const sw_astar_node *x = &astar->nodes[a], *y = &astar->nodes[b];
	int64_t fx = x->cost + x->bound, fy = y->cost + y->bound;

	if (fx != fy)
		return fx < fy;
	if (x->steps != y->steps)
		return x->steps < y->steps;
	return a < b;
}

static void place(sw_astar *astar, int32_t at, int32_t node)
{
	astar->heap[at] = node;
	astar->nodes[node].heap = at;
}

static void rise(sw_astar *astar, int32_t at)
{
	int32_t node = astar->heap[at];

	while (at > 0 && before(astar, node, astar->heap[(at - 1) / 2])) {
		place(astar, at, astar->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	place(astar, at, node);
}

static void sink(sw_astar *astar, int32_t at)
{
	int32_t node = astar->heap[at];

	for (;;) {
		int32_t child = 2 * at + 1;

		if (child >= astar->heap_count)
			break;
		if (child + 1 < astar->heap_count && before(astar, astar->heap[child + 1], astar->heap[child]))
			child++;
		if (!before(astar, astar->heap[child], node))
			break;
		place(astar, at, astar->heap[child]);
		at = child;
	}
	place(astar, at, node);
}

static int32_t add_node(sw_astar *astar, uint32_t slot, const uint8_t *key)
{
	if (astar->count == astar->room) {
		if (!grow(astar))
			return -1;
		slot = slot_of(astar, key);
	}
	uint8_t *copy = SW_NEW(astar->arena, uint8_t, astar->key_bytes);
	if (copy == NULL)
		return -1;
	memcpy(copy, key, (size_t)astar->key_bytes);
	astar->nodes[astar->count] = (sw_astar_node){ .key = copy, .heap = -1 };
	astar->table[slot] = astar->count + 1;
	return astar->count++;
}

void sw_astar_offer(sw_astar *astar, const uint8_t *key, int64_t cost, int steps, int64_t bound, int32_t parent, int32_t tag)
{
	uint32_t slot = slot_of(astar, key);
	int32_t n = astar->table[slot] - 1;

	if (bound == SW_NEVER)
		return;
	if (n >= 0) {
		const sw_astar_node *known = &astar->nodes[n];

		if (known->cost < cost || (known->cost == cost && known->steps <= steps))
			return;
	} else {
		n = add_node(astar, slot, key);
		if (n < 0) {
			astar->failed = true;
			return;
		}
	}
	sw_astar_node *node = &astar->nodes[n];
	node->cost = cost;
	node->steps = steps;
	node->bound = bound;
	node->parent = parent;
	node->tag = tag;
	if (node->heap < 0)
		place(astar, astar->heap_count++, n);
	rise(astar, node->heap);
}

int32_t sw_astar_next(sw_astar *astar)
{
	if (astar->heap_count == 0)
		return -1;
	int32_t top = astar->heap[0];
	int32_t last = astar->heap[--astar->heap_count];

	if (astar->heap_count > 0) {
		place(astar, 0, last);
		sink(astar, 0);
	}
	astar->nodes[top].heap = -1;
	astar->settled++;
	return top;
}

int64_t sw_astar_floor(const sw_astar *astar)
{
	if (astar->heap_count == 0)
		return SW_NEVER;
	const sw_astar_node *top = &astar->nodes[astar->heap[0]];
	return top->cost + top->bound;
}

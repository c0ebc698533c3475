/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over byte strings: an open-addressing table and a queue.
 */
#include "astar.h"

#include <string.h>

bool old_astar_init(old_astar *astar, sw_arena *arena, int key_bytes)
{
	*astar = (old_astar){.arena = arena, .key_bytes = key_bytes, .room = 64, .mask = 127};
	astar->nodes = SW_NEW(arena, old_astar_node, astar->room);
	astar->table = SW_NEW_ZERO(arena, int32_t, astar->mask + 1);
	astar->failed = astar->nodes == NULL || astar->table == NULL;
	return !astar->failed;
}

void old_astar_end(old_astar *astar)
{
	sw_heap_free(&astar->queue);
}

static uint32_t hash(const uint8_t *key, int bytes)
{
	uint64_t h = 1469598103934665603u;

	for (int k = 0; k < bytes; k++)
		h = (h ^ key[k]) * 1099511628211u;
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t slot_of(const old_astar *astar, const uint8_t *key)
{
	uint32_t slot = hash(key, astar->key_bytes) & astar->mask;

	while (astar->table[slot] != 0 &&
		memcmp(astar->nodes[astar->table[slot] - 1].key, key, (size_t)astar->key_bytes) != 0)
		slot = (slot + 1) & astar->mask;
	return slot;
}

int32_t old_astar_find(const old_astar *astar, const uint8_t *key)
{
	return astar->table[slot_of(astar, key)] - 1;
}

/* Old arrays stay in the arena: in all no more than the final ones once again. */
static bool grow(old_astar *astar)
{
	int32_t room = 2 * astar->room;
	old_astar_node *nodes = SW_NEW(astar->arena, old_astar_node, room);
	int32_t *table = SW_NEW_ZERO(astar->arena, int32_t, 2 * room);

	if (nodes == NULL || table == NULL)
		return false;
	memcpy(nodes, astar->nodes, (size_t)astar->count * sizeof *nodes);
	astar->nodes = nodes;
	astar->table = table;
	astar->room = room;
	astar->mask = (uint32_t)(2 * room - 1);
	for (int32_t n = 0; n < astar->count; n++)
		table[slot_of(astar, nodes[n].key)] = n + 1;
	return true;
}

static int32_t add_node(old_astar *astar, uint32_t slot, const uint8_t *key)
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
	astar->nodes[astar->count] = (old_astar_node){.key = copy};
	astar->table[slot] = astar->count + 1;
	return astar->count++;
}

void old_astar_offer(old_astar *astar, const uint8_t *key, int64_t cost, int steps, int64_t bound, int32_t parent,
	int32_t tag)
{
	uint32_t slot = slot_of(astar, key);
	int32_t n = astar->table[slot] - 1;

	if (bound == OLD_NEVER)
		return;
	if (n >= 0) {
		const old_astar_node *known = &astar->nodes[n];

		if (known->cost < cost || (known->cost == cost && known->steps <= steps))
			return;
	} else {
		n = add_node(astar, slot, key);
		if (n < 0) {
			astar->failed = true;
			return;
		}
	}
	old_astar_node *node = &astar->nodes[n];
	node->cost = cost;
	node->steps = steps;
	node->bound = bound;
	node->parent = parent;
	node->tag = tag;
	if (!sw_heap_put(&astar->queue, n, cost + bound, steps))
		astar->failed = true;
}

old_search_end old_astar_run(old_astar *astar, old_astar_visit *visit, void *context, int64_t most_edges,
	int64_t below, const sw_pulse *pulse, const char *what, int32_t *goal, int64_t *floor)
{
	*floor = below;
	for (;;) {
		if (astar->failed)
			return OLD_NO_MEMORY;
		*goal = sw_heap_pop(&astar->queue);
		if (*goal < 0) {
			*floor = below;
			return OLD_NOTHING;
		}
		*floor = astar->nodes[*goal].cost + astar->nodes[*goal].bound;
		astar->settled += !astar->nodes[*goal].settled;
		astar->nodes[*goal].settled = true;
		if (visit(context, *goal))
			return OLD_FOUND;
		if (astar->edges > most_edges)
			return OLD_GAVE_UP;
		if (!sw_pulse_beat(pulse, what, astar->settled, 0))
			return OLD_STOPPED;
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search that one can walk: step, exact undo, run to the end.  See walk.h.
 *
 * Nodes are never removed but by undoing the step that found them, the last first; so the hash table needs no
 * tombstones, and what was added last always stands at the end of the arrays.
 */
#include <shardwalk/walk.h>

#include <stdlib.h>
#include <string.h>

#include "search/walk_store.h"

#define WALK_PULSE_EVERY 256    /* steps between two questions whether to go on */
#define WALK_PULSE_EDGES 0xFFFF /* and edges: one step may look at millions */

/* ---- nodes and their table ---- */

static size_t walk_slot(const sw_walk *walk, const uint8_t *key)
{
	uint64_t hash = 0x9e3779b97f4a7c15u;

	for (size_t at = 0; at < walk->stride; at += 8) {
		uint64_t word;
		memcpy(&word, key + at, 8);
		hash = (hash ^ word) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	}
	return hash & (walk->table_size - 1);
}

/* The slot of this key, or the free one where it would stand. */
static size_t walk_probe(const sw_walk *walk, const uint8_t *key)
{
	size_t slot = walk_slot(walk, key);

	while (
		walk->table[slot] && memcmp(walk->keys + (size_t)(walk->table[slot] - 1) * walk->stride, key, walk->stride))
		slot = (slot + 1) & (walk->table_size - 1);
	return slot;
}

int walk_find(const sw_walk *walk, const uint8_t *key)
{
	uint8_t padded[WEAK_MAX_WIDTH + 8] = {0};

	memcpy(padded, key, (size_t)walk->weak.width);
	return walk->table[walk_probe(walk, padded)] - 1;
}

static bool walk_grow_table(sw_walk *walk)
{
	size_t size = walk->table_size ? walk->table_size * 2 : 128;
	int32_t *table = calloc(size, sizeof *table);

	if (!table)
		return false;
	free(walk->table);
	walk->table = table;
	walk->table_size = size;
	for (int k = 0; k < walk->seen; k++)
		table[walk_probe(walk, walk->keys + (size_t)k * walk->stride)] = k + 1;
	return true;
}

static bool walk_resize(void *array, size_t count, size_t size)
{
	void **place = array;
	void *grown = realloc(*place, count * size);

	if (grown)
		*place = grown;
	return grown != NULL;
}

static bool walk_room(sw_walk *walk)
{
	if ((size_t)walk->seen * 2 >= walk->table_size && !walk_grow_table(walk))
		return false;
	if (walk->seen < walk->room)
		return true;
	size_t room = walk->room ? (size_t)walk->room * 2 : 64;
	if (!walk_resize(&walk->keys, room, walk->stride) || !walk_resize(&walk->size, room, sizeof *walk->size) ||
		!walk_resize(&walk->distance, room, sizeof *walk->distance) ||
		!walk_resize(&walk->bound, room, sizeof *walk->bound) ||
		!walk_resize(&walk->parent, room, sizeof *walk->parent) ||
		!walk_resize(&walk->order, room, sizeof *walk->order))
		return false;
	walk->room = (int)room;
	return true;
}

static bool walk_queue(sw_walk *walk, int node)
{
	int64_t priority;

	if (__builtin_add_overflow(walk->distance[node], walk->bound[node], &priority))
		priority = INT64_MAX;
	return sw_heap_put(&walk->heap, node, priority, 0);
}

static bool walk_add(sw_walk *walk, const uint8_t *key, int64_t size, int64_t distance, int parent)
{
	if (!walk_room(walk))
		return false;
	int node = walk->seen;
	uint8_t *own = walk->keys + (size_t)node * walk->stride;

	memset(own, 0, walk->stride);
	memcpy(own, key, (size_t)walk->weak.width);
	walk->size[node] = size;
	walk->distance[node] = distance;
	walk->bound[node] = walk->options.goal_directed ? sw_weak_bound(&walk->weak, key) : 0;
	walk->parent[node] = parent;
	walk->order[node] = 0;
	if (!walk_queue(walk, node))
		return false;
	walk->table[walk_probe(walk, own)] = node + 1;
	walk->seen++;
	if (!memcmp(key, walk->weak.to, (size_t)walk->weak.width))
		walk->goal = node;
	return true;
}

/* Forgets the node that was added last. */
static void walk_forget(sw_walk *walk)
{
	int node = --walk->seen;

	walk->table[walk_probe(walk, walk->keys + (size_t)node * walk->stride)] = 0;
	sw_heap_remove(&walk->heap, node);
	if (walk->goal == node)
		walk->goal = -1;
}

/* ---- a walk ---- */

sw_walk *sw_walk_new(const sw_problem *problem, const sw_walk_options *options, sw_diag *diag)
{
	sw_walk *walk = calloc(1, sizeof *walk);

	if (!walk) {
		sw_diag_memory(diag);
		return NULL;
	}
	walk->problem = *problem;
	walk->options = *options;
	walk->goal = -1;
	if (!sw_weak_init(&walk->weak, problem, options, diag)) {
		sw_walk_free(walk);
		return NULL;
	}
	walk->stride = ((size_t)walk->weak.width + 7) / 8 * 8 + (walk->weak.width == 0 ? 8 : 0);
	walk->arena = sw_arena_new();
	if (!walk->arena || !sw_weak_factors(&walk->weak, walk->arena, &walk->factors) ||
		!walk_add(walk, walk->weak.from, walk->weak.from_size, 0, -1)) {
		sw_diag_memory(diag);
		sw_walk_free(walk);
		return NULL;
	}
	return walk;
}

void sw_walk_free(sw_walk *walk)
{
	if (!walk)
		return;
	sw_arena_free(walk->arena);
	sw_heap_free(&walk->heap);
	free(walk->keys);
	free(walk->size);
	free(walk->distance);
	free(walk->bound);
	free(walk->parent);
	free(walk->order);
	free(walk->table);
	free(walk->records);
	free(walk->log);
	free(walk);
}

const sw_problem *sw_walk_problem(const sw_walk *walk)
{
	return &walk->problem;
}

sw_unit sw_walk_unit(const sw_walk *walk)
{
	return walk->weak.unit;
}

int64_t sw_walk_budget(const sw_walk *walk)
{
	return walk->weak.budget;
}

/* ---- forward and back ---- */

static bool walk_record_step(sw_walk *walk, int node)
{
	if (walk->steps == walk->steps_room) {
		int room = walk->steps_room ? walk->steps_room * 2 : 64;
		if (!walk_resize(&walk->records, (size_t)room, sizeof *walk->records))
			return false;
		walk->steps_room = room;
	}
	walk->records[walk->steps++] = (walk_record){node, walk->seen, walk->changes, walk->edges};
	return true;
}

static bool walk_shorten(sw_walk *walk, int node, int64_t distance, int parent)
{
	if (walk->changes == walk->changes_room) {
		int64_t room = walk->changes_room ? walk->changes_room * 2 : 64;
		if (!walk_resize(&walk->log, (size_t)room, sizeof *walk->log))
			return false;
		walk->changes_room = room;
	}
	walk->log[walk->changes++] = (walk_change){node, walk->parent[node], walk->distance[node]};
	walk->distance[node] = distance;
	walk->parent[node] = parent;
	return walk_queue(walk, node);
}

typedef struct walk_look {
	sw_walk *walk;
	int from;
} walk_look;

static bool walk_relax(void *context, const weak_edge *edge)
{
	const walk_look *look = context;
	sw_walk *walk = look->walk;
	int node = walk_find(walk, edge->after);
	int64_t distance;

	walk->edges++;
	if ((walk->edges & WALK_PULSE_EDGES) == 0 && !sw_pulse_beat(walk->pulse, "nodes settled", walk->steps, 0)) {
		walk->stopped = true;
		return false;
	}
	if (__builtin_add_overflow(walk->distance[look->from], edge->cost, &distance))
		distance = INT64_MAX;
	if (node < 0)
		return walk_add(walk, edge->after, edge->size, distance, look->from);
	if (walk->order[node] || distance >= walk->distance[node])
		return true;
	return walk_shorten(walk, node, distance, look->from);
}

static void walk_undo(sw_walk *walk)
{
	walk_record record = walk->records[--walk->steps];

	while (walk->seen > record.seen)
		walk_forget(walk);
	while (walk->changes > record.changes) {
		walk_change *change = &walk->log[--walk->changes];
		walk->distance[change->node] = change->distance;
		walk->parent[change->node] = change->parent;
		walk_queue(walk, change->node);
	}
	walk->edges = record.edges;
	walk->order[record.settled] = 0;
	walk_queue(walk, record.settled);
}

static bool walk_goal_settled(const sw_walk *walk)
{
	return walk->goal >= 0 && walk->order[walk->goal];
}

bool sw_walk_done(const sw_walk *walk)
{
	return walk_goal_settled(walk) || walk->heap.count == 0;
}

void sw_walk_pulse(sw_walk *walk, const sw_pulse *pulse)
{
	walk->pulse = pulse;
}

static bool walk_say_stopped(sw_walk *walk, sw_diag *diag)
{
	walk->stopped = false;
	return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped with %d nodes settled and %d waiting", walk->steps,
		walk->heap.count);
}

bool sw_walk_step(sw_walk *walk, sw_diag *diag)
{
	if (walk_goal_settled(walk))
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the goal is settled: there is nothing left to step to");
	if (walk->heap.count == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the frontier is empty: there is nothing left to step to");

	walk_look look = {walk, sw_heap_first(&walk->heap)};
	if (!walk_record_step(walk, look.from))
		return sw_diag_memory(diag);
	sw_heap_pop(&walk->heap);
	walk->order[look.from] = walk->steps;
	if (look.from == walk->goal)
		return true;

	uint8_t key[WEAK_MAX_WIDTH]; /* a copy: the arrays may move while nodes are added */
	memcpy(key, walk->keys + (size_t)look.from * walk->stride, (size_t)walk->weak.width);
	if (sw_weak_edges(&walk->weak, &walk->factors, key, walk->size[look.from], false, walk_relax, &look))
		return true;
	walk_undo(walk);
	return walk->stopped ? walk_say_stopped(walk, diag) : sw_diag_memory(diag);
}

bool sw_walk_back(sw_walk *walk, sw_diag *diag)
{
	if (walk->steps == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "this is the start: there is no step to take back");
	walk_undo(walk);
	return true;
}

static bool walk_all_steps(sw_walk *walk, const sw_pulse *pulse, sw_diag *diag)
{
	for (int k = 0; !sw_walk_done(walk); k++) {
		if (k % WALK_PULSE_EVERY == 0 && !sw_pulse_beat(pulse, "nodes settled", walk->steps, 0))
			return walk_say_stopped(walk, diag);
		if (!sw_walk_step(walk, diag))
			return false;
	}
	return true;
}

bool sw_walk_finish(sw_walk *walk, const sw_pulse *pulse, sw_diag *diag)
{
	const sw_pulse *before = walk->pulse;

	walk->pulse = pulse;
	bool done = walk_all_steps(walk, pulse, diag);
	walk->pulse = before;
	if (!done)
		return false;
	if (walk_goal_settled(walk))
		return true;
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no moves lead from 'from' to 'to' within %s",
		sw_size_said(walk->weak.budget, walk->weak.bytes, walk->weak.unit).text);
	if (walk->options.without)
		sw_diag_hint(diag, "allow the operations that are forbidden, or a larger budget");
	return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any search that one can walk: step, exact undo, run to the end, and what one can see of it.  See walk.h.
 */
#define _GNU_SOURCE /* qsort_r */
#include <shardwalk/walk.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "search/graph.h"

#define WALK_PULSE_EVERY 64 /* steps between two questions whether to go on */

/* ---- a walk ---- */

sw_walk *sw_walk_make(const sw_graph *graph, void *of, const uint8_t *goal, int key_bytes, sw_diag *diag)
{
	assert(key_bytes <= SW_MAX_KEY);
	sw_walk *walk = calloc(1, sizeof *walk);

	if (walk && sw_store_init(&walk->store, key_bytes, true)) {
		walk->graph = graph;
		walk->of = of;
		walk->goal = -1;
		walk->key_bytes = key_bytes;
		memcpy(walk->goal_key, goal, (size_t)key_bytes);
		return walk;
	}
	free(walk);
	graph->free(of);
	sw_diag_memory(diag);
	return NULL;
}

void sw_walk_offer(sw_walk *walk, const uint8_t *key, const sw_state *state)
{
	if (sw_store_offer(&walk->store, key, state) && !memcmp(key, walk->goal_key, (size_t)walk->key_bytes))
		walk->goal = walk->store.keys.count - 1;
}

void sw_walk_free(sw_walk *walk)
{
	if (!walk)
		return;
	walk->graph->free(walk->of);
	sw_store_free(&walk->store);
	free(walk);
}

sw_walk *sw_walk_again(const sw_walk *walk, sw_diag *diag)
{
	return walk->graph->again(walk->of, diag);
}

const sw_walk_words *sw_walk_words_of(const sw_walk *walk)
{
	return &walk->graph->words;
}

int sw_walk_places(const sw_walk *walk)
{
	return walk->places;
}

int64_t sw_walk_largest(const sw_walk *walk)
{
	return walk->graph->largest(walk);
}

void sw_walk_print_place(const sw_walk *walk, const int64_t *place, sw_text *text)
{
	walk->graph->print_place(walk, place, text);
}

void sw_walk_print_move(const sw_walk *walk, const sw_move *move, sw_text *text)
{
	walk->graph->print_move(walk, move, text);
}

/* ---- forward and back ---- */

/* Takes back the last step; the goal is unseen again where that step saw it first. */
static void walk_undo(sw_walk *walk)
{
	sw_store_back(&walk->store);
	if (walk->goal >= walk->store.keys.count)
		walk->goal = -1;
}

static bool walk_goal_settled(const sw_walk *walk)
{
	return walk->goal >= 0 && walk->store.states[walk->goal].order;
}

bool sw_walk_done(const sw_walk *walk)
{
	return walk_goal_settled(walk) || walk->store.queue.count == 0;
}

void sw_walk_pulse(sw_walk *walk, const sw_pulse *pulse)
{
	walk->pulse = pulse;
}

static bool walk_say_stopped(sw_walk *walk, sw_diag *diag)
{
	walk->stopped = false;
	return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped with %d %s visited and %d waiting", walk->store.taken,
		walk->graph->words.nodes, walk->store.queue.count);
}

bool sw_walk_step(sw_walk *walk, sw_diag *diag)
{
	if (!walk->graph->goes_on && walk_goal_settled(walk))
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the goal is visited: there are no more steps");
	if (walk->store.queue.count == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the frontier is empty: there are no more steps");

	int from = sw_store_take(&walk->store);
	if (from < 0) {
		walk->store.failed = false;
		return sw_diag_memory(diag);
	}
	if (!walk->graph->goes_on && from == walk->goal)
		return true;
	if (walk->graph->leave(walk, from) && !walk->store.failed)
		return true;
	walk_undo(walk);
	return walk->stopped ? walk_say_stopped(walk, diag) : sw_diag_memory(diag);
}

bool sw_walk_back(sw_walk *walk, sw_diag *diag)
{
	if (walk->store.taken == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "this is the start: there is no step to take back");
	walk_undo(walk);
	return true;
}

static bool walk_all_steps(sw_walk *walk, const sw_pulse *pulse, sw_diag *diag)
{
	for (int k = 0; !sw_walk_done(walk); k++) {
		if (k % WALK_PULSE_EVERY == 0 && !sw_pulse_beat(pulse, walk->graph->words.visited, walk->store.taken, 0))
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
	return done && (walk_goal_settled(walk) || walk->graph->cut_off(walk, diag));
}

/* ---- counts ---- */

int sw_walk_current(const sw_walk *walk)
{
	return walk->store.taken ? walk->store.records[walk->store.taken - 1].taken + 1 : 0;
}

int sw_walk_seen(const sw_walk *walk)
{
	return walk->store.keys.count;
}

int sw_walk_settled(const sw_walk *walk)
{
	return walk->store.taken;
}

int64_t sw_walk_edges_seen(const sw_walk *walk)
{
	return walk->store.edges;
}

int sw_walk_start(const sw_walk *walk)
{
	(void)walk;
	return 1;
}

int sw_walk_goal(const sw_walk *walk)
{
	return walk->goal + 1;
}

/* ---- nodes ---- */

static const uint8_t *walk_key(const sw_walk *walk, int node)
{
	return sw_keys_at(&walk->store.keys, node);
}

bool sw_walk_node(const sw_walk *walk, int id, sw_node *node)
{
	if (id < 1 || id > walk->store.keys.count)
		return false;
	const sw_state *state = &walk->store.states[id - 1];
	*node = (sw_node){.leads_on = true};
	walk->graph->place_of(walk, walk_key(walk, id - 1), node->place);
	walk->graph->look(walk, walk_key(walk, id - 1), node);
	node->id = id;
	node->state = state->order ? SW_NODE_SETTLED : SW_NODE_FRONTIER;
	node->distance = walk->graph->distance(walk, id - 1);
	node->parent = state->parent + 1;
	node->order = state->order;
	if (node->parent)
		walk->graph->via(walk, id - 1, &node->via);
	return true;
}

bool sw_walk_node_at(const sw_walk *walk, const int64_t *place, sw_node *node, sw_diag *diag)
{
	uint8_t key[SW_MAX_KEY];

	if (!walk->graph->key_of(walk, place, key, diag))
		return false;
	int found = sw_store_find(&walk->store, key);
	if (found >= 0)
		return sw_walk_node(walk, found + 1, node);
	*node = (sw_node){.state = SW_NODE_UNSEEN, .distance = -1, .leads_on = true};
	walk->graph->place_of(walk, key, node->place);
	walk->graph->look(walk, key, node);
	return true;
}

int64_t sw_walk_node_size(const sw_walk *walk, int id)
{
	assert(id >= 1 && id <= walk->store.keys.count);
	return walk->store.states[id - 1].size;
}

int64_t sw_walk_node_distance(const sw_walk *walk, int id)
{
	assert(id >= 1 && id <= walk->store.keys.count);
	return walk->graph->distance(walk, id - 1);
}

int sw_walk_node_parent(const sw_walk *walk, int id)
{
	assert(id >= 1 && id <= walk->store.keys.count);
	return walk->store.states[id - 1].parent + 1;
}

int sw_walk_node_order(const sw_walk *walk, int id)
{
	assert(id >= 1 && id <= walk->store.keys.count);
	return walk->store.states[id - 1].order;
}

void sw_walk_node_place(const sw_walk *walk, int id, int64_t *place)
{
	assert(id >= 1 && id <= walk->store.keys.count);
	walk->graph->place_of(walk, walk_key(walk, id - 1), place);
}

int sw_walk_edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **edges)
{
	return walk->graph->edges(walk, place, refused, arena, edges);
}

/* ---- orders ---- */

static int walk_by_priority(const void *a, const void *b, void *context)
{
	return sw_heap_before(context, *(const int *)a, *(const int *)b) ? -1 : 1;
}

static int walk_by_size(const void *a, const void *b, void *context)
{
	const sw_walk *walk = context;
	int x = *(const int *)a, y = *(const int *)b;

	if (walk->store.states[x].size != walk->store.states[y].size)
		return walk->store.states[x].size > walk->store.states[y].size ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Sorts `nodes` (indices) and hands out as many as there is room for, as ids; without memory, none. */
static void walk_sorted(int *nodes, int count, int (*order)(const void *, const void *, void *), const void *context,
	int *ids, int room)
{
	qsort_r(nodes, (size_t)count, sizeof *nodes, order, (void *)context);
	for (int k = 0; k < count && k < room; k++)
		ids[k] = nodes[k] + 1;
}

int sw_walk_frontier(const sw_walk *walk, int *ids, int room)
{
	int count = walk->store.queue.count, *nodes = room > 0 ? malloc(((size_t)count + 1) * sizeof *nodes) : NULL;

	if (!nodes)
		return count;
	for (int k = 0; k < count; k++)
		nodes[k] = walk->store.queue.items[k];
	walk_sorted(nodes, count, walk_by_priority, &walk->store.queue, ids, room);
	free(nodes);
	return count;
}

int sw_walk_levels(const sw_walk *walk, int *ids, int room)
{
	int count = walk->store.keys.count, *nodes = room > 0 ? malloc(((size_t)count + 1) * sizeof *nodes) : NULL;

	if (!nodes)
		return count;
	for (int k = 0; k < count; k++)
		nodes[k] = k;
	walk_sorted(nodes, count, walk_by_size, walk, ids, room);
	free(nodes);
	return count;
}

int sw_walk_path(const sw_walk *walk, int id, int *ids, int room)
{
	int length = 0;

	if (id < 1 || id > walk->store.keys.count)
		return 0;
	for (int node = id - 1; node >= 0; node = walk->store.states[node].parent)
		length++;
	int at = length;
	for (int node = id - 1; node >= 0; node = walk->store.states[node].parent)
		if (--at < room)
			ids[at] = node + 1;
	return length;
}

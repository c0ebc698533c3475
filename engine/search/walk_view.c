/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one can see of a walk: counts, nodes, edges with verdicts, frontier, paths, levels.  See walk.h.
 */
#define _GNU_SOURCE /* qsort_r */
#include <shardwalk/walk.h>

#include <stdlib.h>
#include <string.h>

#include "search/walk_store.h"

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

static const uint8_t *view_key(const sw_walk *walk, int node)
{
	return sw_keys_at(&walk->store.keys, node);
}

static void view_place(const sw_walk *walk, const uint8_t *key, sw_node *node)
{
	sw_local_tile(&walk->local, key, node->tile);
	node->is_start = !memcmp(key, walk->local.from, (size_t)walk->local.width);
	node->is_goal = !memcmp(key, walk->local.to, (size_t)walk->local.width);
}

bool sw_walk_node(const sw_walk *walk, int id, sw_node *node)
{
	if (id < 1 || id > walk->store.keys.count)
		return false;
	const sw_state *state = &walk->store.states[id - 1];
	*node = (sw_node){
		.id = id,
		.localsize = state->size,
		.state = state->order ? SW_NODE_SETTLED : SW_NODE_FRONTIER,
		.distance = state->cost,
		.bound = state->bound,
		.parent = state->parent + 1,
		.order = state->order,
	};
	view_place(walk, view_key(walk, id - 1), node);
	if (node->parent)
		sw_local_move_between(&walk->local, view_key(walk, state->parent), view_key(walk, id - 1), &node->via);
	return true;
}

int64_t sw_walk_node_size(const sw_walk *walk, int id)
{
	return walk->store.states[id - 1].size;
}

int64_t sw_walk_node_distance(const sw_walk *walk, int id)
{
	return walk->store.states[id - 1].cost;
}

int sw_walk_node_parent(const sw_walk *walk, int id)
{
	return walk->store.states[id - 1].parent + 1;
}

int sw_walk_node_order(const sw_walk *walk, int id)
{
	return walk->store.states[id - 1].order;
}

void sw_walk_node_tile(const sw_walk *walk, int id, int64_t *tile)
{
	sw_local_tile(&walk->local, view_key(walk, id - 1), tile);
}

bool sw_walk_node_at(const sw_walk *walk, const int64_t *tile, sw_node *node, sw_diag *diag)
{
	local_key key;

	if (!sw_local_key_of(&walk->local, tile, key, diag))
		return false;
	int found = sw_store_find(&walk->store, key);
	if (found >= 0)
		return sw_walk_node(walk, found + 1, node);
	*node = (sw_node){
		.localsize = sw_local_size(&walk->local, key),
		.state = SW_NODE_UNSEEN,
		.distance = -1,
		.bound = walk->options.goal_directed ? sw_local_missing(&walk->local, key) : 0,
	};
	view_place(walk, key, node);
	return true;
}

/* ---- edges ---- */

typedef struct view_look {
	const sw_walk *walk;
	int from; /* index, -1: never seen */
	int count;
	sw_edge *edges; /* NULL: only count */
	const int64_t *tile;
	int64_t size;
} view_look;

static sw_edge_state view_verdict(const view_look *look, int end, int64_t cost)
{
	const sw_walk *walk = look->walk;
	int64_t distance;

	if (end < 0)
		return SW_EDGE_NEW;
	if (look->from < 0)
		return SW_EDGE_NO_BETTER;
	if (walk->store.states[end].parent == look->from)
		return SW_EDGE_TREE;
	if (__builtin_add_overflow(walk->store.states[look->from].cost, cost, &distance))
		return SW_EDGE_NO_BETTER;
	return !walk->store.states[end].order && distance < walk->store.states[end].cost ? SW_EDGE_BETTER :
																					   SW_EDGE_NO_BETTER;
}

static void view_allowed(const view_look *look, const local_edge *from, sw_edge *edge)
{
	int end = sw_store_find(&look->walk->store, from->after);

	sw_local_move_between(&look->walk->local, from->before, from->after, &edge->move);
	sw_local_tile(&look->walk->local, from->after, edge->tile);
	edge->localsize = from->size;
	edge->node = end + 1;
	edge->state = view_verdict(look, end, from->cost);
	edge->why[0] = 0;
}

/* Where a refused move would lead, as far as its tiles are whole numbers; else the tiles it starts from. */
static void view_refused(const view_look *look, const local_edge *from, sw_edge *edge)
{
	int i = from->gather_dim, j = from->split_dim;
	int64_t up = from->gather_factor, down = from->split_factor;
	bool whole = (i < 0 || look->walk->local.global[i] / look->tile[i] % up == 0) &&
		(j < 0 || look->tile[j] % down == 0);

	*edge = (sw_edge){.state = SW_EDGE_REFUSED, .localsize = look->size};
	edge->move.op = from->op;
	if (i >= 0)
		edge->move.gather[edge->move.gathers++] = (sw_entry){i, up};
	if (j >= 0)
		edge->move.split[edge->move.splits++] = (sw_entry){j, down};
	memcpy(edge->tile, look->tile, (size_t)look->walk->local.rank * sizeof *edge->tile);
	for (int k = 0; whole && k < 2; k++) {
		int dim = k ? j : i;
		if (dim >= 0)
			edge->tile[dim] = k ? edge->tile[dim] / down : edge->tile[dim] * up;
	}
	if (whole)
		edge->localsize = i < 0 ? look->size / down : j < 0 ? look->size * up : look->size;
	strncpy(edge->why, from->why, sizeof edge->why - 1);
}

static bool view_edge(void *context, const local_edge *edge)
{
	view_look *look = context;

	if (look->edges) {
		if (edge->why)
			view_refused(look, edge, &look->edges[look->count]);
		else
			view_allowed(look, edge, &look->edges[look->count]);
	}
	look->count++;
	return true;
}

int sw_walk_edges(const sw_walk *walk, const int64_t *tile, bool refused, sw_arena *arena, sw_edge **edges)
{
	local_key key;

	if (!sw_local_key_of(&walk->local, tile, key, NULL))
		return 0;
	view_look look = {.walk = walk, .from = sw_store_find(&walk->store, key), .tile = tile};
	look.size = sw_local_size(&walk->local, key);
	sw_local_edges(&walk->local, &walk->factors, key, look.size, refused, view_edge, &look);
	look.edges = SW_NEW(arena, sw_edge, look.count);
	if (!look.edges)
		return -1;
	look.count = 0;
	sw_local_edges(&walk->local, &walk->factors, key, look.size, refused, view_edge, &look);
	*edges = look.edges;
	return look.count;
}

/* ---- orders ---- */

static int view_by_priority(const void *a, const void *b, void *context)
{
	return sw_heap_before(context, *(const int *)a, *(const int *)b) ? -1 : 1;
}

static int view_by_size(const void *a, const void *b, void *context)
{
	const sw_walk *walk = context;
	int x = *(const int *)a, y = *(const int *)b;

	if (walk->store.states[x].size != walk->store.states[y].size)
		return walk->store.states[x].size > walk->store.states[y].size ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Sorts `nodes` (indices) and hands out as many as there is room for, as ids; without memory, none. */
static void view_sorted(int *nodes, int count, int (*order)(const void *, const void *, void *), const void *context,
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
	view_sorted(nodes, count, view_by_priority, &walk->store.queue, ids, room);
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
	view_sorted(nodes, count, view_by_size, walk, ids, room);
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

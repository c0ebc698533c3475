/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk over contexts of a sum: step, exact undo, run to the goal.
 */
#include "placement/context_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNITS 0x1p36      /* of cost in one all-reduce: ways that take equally long cost the same */
#define MOST_UNITS 0x1p60 /* what takes longer is as far as anything */

/* ---- costs ---- */

static int64_t units_of(const sw_context_walk *walk, double seconds)
{
	double units = seconds / walk->unit;

	return (int64_t)llround(units < MOST_UNITS ? units : MOST_UNITS);
}

static double seconds_to(const sw_context_walk *walk, int node)
{
	double seconds = 0;

	for (; walk->store.states[node].parent >= 0; node = walk->store.states[node].parent)
		seconds += walk->price[walk->store.states[node].tag];
	return seconds;
}

/* The fewest seconds from every context to the goal, as the proof finds them: each after those to which its edges lead. */
static bool measure_rest(sw_context_walk *walk)
{
	const sw_contexts *contexts = walk->sum.contexts;

	walk->rest = malloc(sizeof *walk->rest * (size_t)contexts->count);
	for (int n = 0; walk->rest != NULL && n < contexts->count; n++) {
		int at = contexts->order[n];

		walk->rest[at] = at == contexts->goal ? 0 : INFINITY;
		for (int e = contexts->first[at]; e < contexts->first[at + 1]; e++)
			walk->rest[at] = fmin(walk->rest[at], walk->price[e] + walk->rest[contexts->edge[e].to]);
	}
	return walk->rest != NULL;
}

static bool note_found(sw_context_walk *walk)
{
	const sw_contexts *contexts = walk->sum.contexts;

	walk->found = malloc(sizeof *walk->found * (size_t)contexts->count);
	for (int i = 0; walk->found != NULL && i < contexts->count; i++)
		walk->found[i] = -1;
	for (int e = 0; walk->found != NULL && e < contexts->edges; e++) {
		int to = contexts->edge[e].to;

		if (to != 0 && walk->found[to] < 0)
			walk->found[to] = e;
	}
	return walk->found != NULL;
}

/* ---- a walk ---- */

static void offer(sw_context_walk *walk, int context, int from, int edge)
{
	int32_t key = context;
	double seconds = from < 0 ? 0 : seconds_to(walk, from) + walk->price[edge];
	sw_state state = {.cost = units_of(walk, seconds),
		.parent = from,
		.minor = from < 0 ? 0 : walk->store.states[from].minor + 1,
		.tag = edge};

	if (walk->rest != NULL)
		state.bound = isfinite(walk->rest[context]) ? units_of(walk, seconds + walk->rest[context]) - state.cost :
													  SW_NEVER;
	sw_store_offer(&walk->store, (const uint8_t *)&key, &state);
}

static bool make_ports(sw_context_walk *walk, const sw_context_sum *sum, sw_diag *diag)
{
	walk->system = *sum->system;
	walk->placement = *sum->placement;
	walk->axes = *sum->axes;
	walk->sum.system = &walk->system;
	walk->sum.placement = &walk->placement;
	walk->sum.axes = &walk->axes;
	if (!sw_ports_make(&walk->system, &walk->placement, sum->summed, sum->way, &walk->ports, diag))
		return false;
	if (walk->ports.hierarchy.count == 0)
		return sw_diag_set(diag, SW_L07, (sw_span){0, 0},
			"the axes that are summed over have size 1: nothing is to be done");
	if (walk->ports.hierarchy.count != sum->contexts->factors)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "the sum is over %d levels, the graph is of %d",
			walk->ports.hierarchy.count, sum->contexts->factors);
	walk->unit = sw_ports_allreduce(&walk->ports, sum->bytes) / UNITS;
	walk->unit = walk->unit > 0 ? walk->unit : 1;
	return true;
}

static bool begin(sw_context_walk *walk)
{
	walk->price = sw_context_prices(walk->sum.contexts, &walk->ports, walk->sum.bytes, true);
	if (walk->price == NULL || !note_found(walk) || (walk->sum.goal_directed && !measure_rest(walk)) ||
		!sw_store_init(&walk->store, sizeof(int32_t), true))
		return false;
	offer(walk, 0, -1, -1);
	return walk->store.keys.count == 1;
}

sw_context_walk *sw_context_walk_new(const sw_context_sum *sum, sw_diag *diag)
{
	sw_context_walk *walk = calloc(1, sizeof *walk);

	if (walk == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	walk->sum = *sum;
	bool made = make_ports(walk, sum, diag);
	if (made && begin(walk))
		return walk;
	if (made)
		sw_diag_memory(diag);
	sw_context_walk_free(walk);
	return NULL;
}

void sw_context_walk_free(sw_context_walk *walk)
{
	if (walk == NULL)
		return;
	sw_store_free(&walk->store);
	free(walk->price);
	free(walk->rest);
	free(walk->found);
	free(walk);
}

sw_context_walk *sw_context_walk_again(const sw_context_walk *walk, sw_diag *diag)
{
	return sw_context_walk_new(&walk->sum, diag);
}

const sw_ports *sw_context_walk_ports(const sw_context_walk *walk)
{
	return &walk->ports;
}

const sw_contexts *sw_context_walk_contexts(const sw_context_walk *walk)
{
	return walk->sum.contexts;
}

/* ---- forward and back ---- */

bool sw_context_walk_step(sw_context_walk *walk, sw_diag *diag)
{
	const sw_contexts *contexts = walk->sum.contexts;

	if (walk->store.queue.count == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the frontier is empty: there is nothing left to step to");
	int from = sw_store_take(&walk->store);
	if (from < 0) {
		walk->store.failed = false;
		return sw_diag_memory(diag);
	}
	int at = sw_context_walk_node_context(walk, from + 1);
	for (int e = contexts->first[at]; e < contexts->first[at + 1]; e++) {
		walk->store.edges++;
		offer(walk, contexts->edge[e].to, from, e);
	}
	if (!walk->store.failed)
		return true;
	sw_store_back(&walk->store);
	return sw_diag_memory(diag);
}

bool sw_context_walk_back(sw_context_walk *walk, sw_diag *diag)
{
	if (walk->store.taken == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "this is the start: there is no step to take back");
	sw_store_back(&walk->store);
	return true;
}

bool sw_context_walk_finish(sw_context_walk *walk, const sw_pulse *pulse, sw_diag *diag)
{
	for (int k = 0; !sw_context_walk_done(walk); k++) {
		if (k % 64 == 0 && !sw_pulse_beat(pulse, "contexts visited", walk->store.taken, 0))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped with %d contexts visited and %d waiting",
				walk->store.taken, walk->store.queue.count);
		if (!sw_context_walk_step(walk, diag))
			return false;
	}
	return true;
}

/* ---- what one can see ---- */

bool sw_context_walk_done(const sw_context_walk *walk)
{
	int goal = sw_context_walk_goal(walk);

	return goal > 0 && walk->store.states[goal - 1].order > 0;
}

int sw_context_walk_current(const sw_context_walk *walk)
{
	return walk->store.taken > 0 ? walk->store.records[walk->store.taken - 1].taken + 1 : 0;
}

int sw_context_walk_seen(const sw_context_walk *walk)
{
	return walk->store.keys.count;
}

int sw_context_walk_settled(const sw_context_walk *walk)
{
	return walk->store.taken;
}

int64_t sw_context_walk_edges_seen(const sw_context_walk *walk)
{
	return walk->store.edges;
}

static int node_of(const sw_context_walk *walk, int context)
{
	int32_t key = context;

	return sw_store_find(&walk->store, (const uint8_t *)&key) + 1;
}

int sw_context_walk_goal(const sw_context_walk *walk)
{
	return node_of(walk, walk->sum.contexts->goal);
}

int sw_context_walk_node_context(const sw_context_walk *walk, int id)
{
	int32_t context;

	memcpy(&context, sw_keys_at(&walk->store.keys, id - 1), sizeof context);
	return context;
}

int sw_context_walk_node_parent(const sw_context_walk *walk, int id)
{
	return walk->store.states[id - 1].parent + 1;
}

int sw_context_walk_node_order(const sw_context_walk *walk, int id)
{
	return walk->store.states[id - 1].order;
}

static void add_way(const sw_context_walk *walk, sw_context_node *node)
{
	const sw_state *state = &walk->store.states[node->id - 1];

	node->state = state->order > 0 ? SW_NODE_SETTLED : SW_NODE_FRONTIER;
	node->order = state->order;
	node->distance = seconds_to(walk, node->id - 1);
	node->parent = state->parent + 1;
	if (node->parent > 0) {
		node->via = walk->sum.contexts->step[walk->sum.contexts->edge[state->tag].step];
		node->seconds = walk->price[state->tag];
	}
}

bool sw_context_walk_node_at(const sw_context_walk *walk, int context, sw_context_node *node)
{
	const sw_contexts *contexts = walk->sum.contexts;

	if (context < 0 || context >= contexts->count)
		return false;
	*node = (sw_context_node){.id = node_of(walk, context),
		.context = context,
		.state = SW_NODE_UNSEEN,
		.distance = -1,
		.bound = walk->rest != NULL && isfinite(walk->rest[context]) ? walk->rest[context] : 0,
		.missing = sw_context_walk_missing(walk, context),
		.is_start = context == 0,
		.is_goal = context == contexts->goal,
		.leads_on = contexts->useful[context]};
	if (node->id > 0)
		add_way(walk, node);
	return true;
}

bool sw_context_walk_node(const sw_context_walk *walk, int id, sw_context_node *node)
{
	return id >= 1 && id <= walk->store.keys.count &&
		sw_context_walk_node_at(walk, sw_context_walk_node_context(walk, id), node);
}

static void sort_waiting(const sw_heap *queue, int *nodes, int count)
{
	for (int gap = count / 2; gap > 0; gap /= 2)
		for (int i = gap; i < count; i++) {
			int node = nodes[i], k = i;

			for (; k >= gap && sw_heap_before(queue, node, nodes[k - gap]); k -= gap)
				nodes[k] = nodes[k - gap];
			nodes[k] = node;
		}
}

int sw_context_walk_frontier(const sw_context_walk *walk, int *ids, int room)
{
	const sw_heap *queue = &walk->store.queue;
	int count = queue->count, *nodes = room > 0 ? malloc(((size_t)count + 1) * sizeof *nodes) : NULL;

	for (int k = 0; nodes != NULL && k < count; k++)
		nodes[k] = queue->items[k];
	if (nodes != NULL)
		sort_waiting(queue, nodes, count);
	for (int k = 0; nodes != NULL && k < count && k < room; k++)
		ids[k] = nodes[k] + 1;
	free(nodes);
	return count;
}

int sw_context_walk_path(const sw_context_walk *walk, int id, int *ids, int room)
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

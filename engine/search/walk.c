/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search that one can walk: step, exact undo, run to the end.  See walk.h.
 */
#include <shardwalk/walk.h>

#include <stdlib.h>
#include <string.h>

#include "search/walk_store.h"

#define WALK_PULSE_EVERY 256    /* steps between two questions whether to go on */
#define WALK_PULSE_EDGES 0xFFFF /* and edges: one step may look at millions */

static void walk_offer(sw_walk *walk, const uint8_t *key, int64_t size, int64_t distance, int parent)
{
	sw_store *store = &walk->store;
	int64_t bound = walk->options.goal_directed ? sw_local_missing(&walk->local, key) : 0;
	sw_state state = {.cost = distance, .bound = bound, .size = size, .parent = parent};

	if (sw_store_offer(store, key, &state) && !memcmp(key, walk->local.to, (size_t)walk->local.width))
		walk->goal = store->keys.count - 1;
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
	walk->problem.mesh.order = walk->problem.to_order = NULL;
	walk->options = *options;
	walk->goal = -1;
	if (!sw_local_init(&walk->local, problem, options, diag)) {
		sw_walk_free(walk);
		return NULL;
	}
	walk->arena = sw_arena_new();
	if (walk->arena && sw_local_divisors(&walk->local, walk->arena, &walk->factors) &&
		sw_store_init(&walk->store, walk->local.width, true))
		walk_offer(walk, walk->local.from, walk->local.from_size, 0, -1);
	if (walk->store.keys.count == 1)
		return walk;
	sw_diag_memory(diag);
	sw_walk_free(walk);
	return NULL;
}

void sw_walk_free(sw_walk *walk)
{
	if (!walk)
		return;
	sw_arena_free(walk->arena);
	sw_store_free(&walk->store);
	free(walk);
}

sw_walk *sw_walk_again(const sw_walk *walk, sw_diag *diag)
{
	return sw_walk_new(&walk->problem, &walk->options, diag);
}

const sw_problem *sw_walk_problem(const sw_walk *walk)
{
	return &walk->problem;
}

sw_unit sw_walk_unit(const sw_walk *walk)
{
	return walk->local.unit;
}

int sw_walk_places(const sw_walk *walk)
{
	return walk->local.rank + walk->local.sums;
}

void sw_walk_print_tile(const sw_walk *walk, const int64_t *tile, sw_text *text)
{
	int rank = walk->local.rank;

	sw_type_print_tile(tile, rank, text);
	if (walk->local.sums && tile[rank] > 1)
		sw_text_addf(text, "+%lld", (long long)tile[rank]);
}

int64_t sw_walk_budget(const sw_walk *walk)
{
	return walk->local.budget;
}

/* ---- forward and back ---- */

typedef struct walk_look {
	sw_walk *walk;
	int from;
	int64_t distance; /* of `from` */
} walk_look;

static bool walk_relax(void *context, const local_edge *edge)
{
	const walk_look *look = context;
	sw_walk *walk = look->walk;
	int64_t distance;

	walk->store.edges++;
	if ((walk->store.edges & WALK_PULSE_EDGES) == 0 &&
		!sw_pulse_beat(walk->pulse, "nodes visited", walk->store.taken, 0)) {
		walk->stopped = true;
		return false;
	}
	if (__builtin_add_overflow(look->distance, edge->cost, &distance))
		distance = INT64_MAX;
	walk_offer(walk, edge->after, edge->size, distance, look->from);
	return !walk->store.failed;
}

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
	return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped with %d nodes visited and %d waiting",
		walk->store.taken, walk->store.queue.count);
}

bool sw_walk_step(sw_walk *walk, sw_diag *diag)
{
	if (walk_goal_settled(walk))
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the goal is visited: there is nothing left to step to");
	if (walk->store.queue.count == 0)
		return sw_diag_set(diag, SW_S07, (sw_span){0, 0}, "the frontier is empty: there is nothing left to step to");

	int from = sw_store_take(&walk->store);
	if (from < 0) {
		walk->store.failed = false;
		return sw_diag_memory(diag);
	}
	if (from == walk->goal)
		return true;
	local_key key; /* a copy: the store's may move while nodes are added */
	memcpy(key, sw_keys_at(&walk->store.keys, from), (size_t)walk->local.width);
	walk_look look = {walk, from, walk->store.states[from].cost};
	if (sw_local_edges(&walk->local, &walk->factors, key, walk->store.states[from].size, false, walk_relax, &look))
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
		if (k % WALK_PULSE_EVERY == 0 && !sw_pulse_beat(pulse, "nodes visited", walk->store.taken, 0))
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
		sw_size_said(walk->local.budget, walk->local.bytes, walk->local.unit).text);
	if (walk->options.without)
		sw_diag_hint(diag, "allow the operations that are forbidden, or a larger budget");
	return false;
}

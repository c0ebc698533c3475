/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of local types as one that is walked.  See walk.h.
 */
#include <shardwalk/walk.h>

#include <stdlib.h>
#include <string.h>

#include "search/graph.h"
#include "search/local.h"
#include "step/row.h"

#define PULSE_EDGES 0xFFFF /* edges between two questions whether to go on: one step may look at millions */

_Static_assert(LOCAL_MAX_WIDTH <= SW_MAX_KEY, "keys of local types fit");

struct local_graph {
	sw_problem problem;
	sw_walk_options options;
	sw_local space;
	sw_arena *arena;
	sw_divisors factors;
};

static const struct local_graph *local_of(const sw_walk *walk)
{
	return walk->of;
}

static void local_free(void *of)
{
	struct local_graph *graph = of;

	sw_arena_free(graph->arena);
	free(graph);
}

static sw_walk *local_again(const void *of, sw_diag *diag)
{
	const struct local_graph *graph = of;

	return sw_walk_new(&graph->problem, &graph->options, diag);
}

/* ---- moves in words ---- */

static void add_entries(const char *what, const sw_entry *entry, int count, sw_text *text)
{
	for (int e = 0; e < count; e++)
		sw_text_addf(text, "%s %d:%lld", e ? "" : what, entry[e].dim, (long long)entry[e].factor);
}

/* A move of which only the number of terms is known that it adds up, or makes. */
static void sum_text(const sw_move *move, sw_text *text)
{
	const char *name = sw_row(move->op)->name;
	if (move->gathers == 0 && move->splits == 1) {
		sw_text_addf(text, "%s(%d, %lld)", name, move->split[0].dim, (long long)move->terms);
		return;
	}
	sw_text_addf(text, "%s %lld", name, (long long)move->terms);
	add_entries(" gather", move->gather, move->gathers, text);
	add_entries(move->gathers > 0 ? ", split" : " split", move->split, move->splits, text);
}

static void factors_text(const sw_move *move, sw_text *text)
{
	sw_call call = {.op = move->op, .gathers = move->gathers, .splits = move->splits};

	memcpy(call.gather, move->gather, sizeof(call.gather));
	memcpy(call.split, move->split, sizeof(call.split));
	sw_call_print(NULL, &call, text);
}

static void name_text(const sw_move *move, sw_text *text)
{
	sw_text_add(text, sw_row(move->op)->name);
}

void sw_move_print(const sw_move *move, sw_text *text)
{
	static void (*const print[SW_TOLD_COUNT])(const sw_move *move, sw_text *text) =
		{[SW_TOLD_BY_FACTORS] = factors_text, [SW_TOLD_BY_PARTS] = sum_text, [SW_TOLD_BY_TYPE] = name_text};

	print[sw_row(move->op)->told](move, text);
}

/* ---- nodes ---- */

static int64_t bound_of(const struct local_graph *graph, const uint8_t *key)
{
	return graph->options.goal_directed ? sw_local_missing(&graph->space, key) : 0;
}

static void local_place(const sw_walk *walk, const uint8_t *key, int64_t *place)
{
	sw_local_tile(&local_of(walk)->space, key, place);
}

static bool local_key_at(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag)
{
	return sw_local_key_of(&local_of(walk)->space, place, key, diag);
}

static void local_look(const sw_walk *walk, const uint8_t *key, sw_node *node)
{
	const struct local_graph *graph = local_of(walk);

	node->size = sw_local_size(&graph->space, key);
	node->bound = bound_of(graph, key);
	node->is_start = !memcmp(key, graph->space.from, (size_t)graph->space.width);
	node->is_goal = !memcmp(key, graph->space.to, (size_t)graph->space.width);
}

static int64_t local_distance(const sw_walk *walk, int node)
{
	return walk->store.states[node].cost;
}

static void local_via(const sw_walk *walk, int node, sw_move *via)
{
	const sw_keys *keys = &walk->store.keys;

	sw_local_move_between(&local_of(walk)->space, sw_keys_at(keys, walk->store.states[node].parent),
		sw_keys_at(keys, node), via);
}

static int64_t local_largest(const sw_walk *walk)
{
	return local_of(walk)->space.budget;
}

static void local_print_place(const sw_walk *walk, const int64_t *place, sw_text *text)
{
	const sw_local *local = &local_of(walk)->space;

	sw_type_print_tile(place, local->rank, text);
	if (local->sums && place[local->rank] > 1)
		sw_text_addf(text, "+%lld", (long long)place[local->rank]);
}

static void local_print_move(const sw_walk *walk, const sw_move *move, sw_text *text)
{
	(void)walk;
	sw_move_print(move, text);
}

static bool local_cut_off(const sw_walk *walk, sw_diag *diag)
{
	const struct local_graph *graph = local_of(walk);

	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no moves lead from 'from' to 'to' within %s",
		sw_size_said(graph->space.budget, graph->space.bytes, graph->space.unit).text);
	if (graph->options.without)
		sw_diag_hint(diag, "allow the forbidden operations, or a larger budget");
	return false;
}

/* ---- forward ---- */

static void offer(sw_walk *walk, const uint8_t *key, int64_t size, int64_t distance, int parent)
{
	sw_state state = {.cost = distance, .bound = bound_of(walk->of, key), .size = size, .parent = parent};

	sw_walk_offer(walk, key, &state);
}

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
	if ((walk->store.edges & PULSE_EDGES) == 0 &&
		!sw_pulse_beat(walk->pulse, walk->graph->words.visited, walk->store.taken, 0)) {
		walk->stopped = true;
		return false;
	}
	if (__builtin_add_overflow(look->distance, edge->cost, &distance))
		distance = INT64_MAX;
	offer(walk, edge->after, edge->size, distance, look->from);
	return !walk->store.failed;
}

static bool local_leave(sw_walk *walk, int from)
{
	const struct local_graph *graph = local_of(walk);
	const sw_state *state = &walk->store.states[from];
	walk_look look = {walk, from, state->cost};
	local_key key; /* a copy: the store's may move while nodes are added */

	memcpy(key, sw_keys_at(&walk->store.keys, from), (size_t)graph->space.width);
	return sw_local_edges(&graph->space, &graph->factors, key, state->size, false, walk_relax, &look);
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

	sw_local_move_between(&local_of(look->walk)->space, from->before, from->after, &edge->move);
	sw_local_tile(&local_of(look->walk)->space, from->after, edge->place);
	edge->size = from->size;
	edge->node = end + 1;
	edge->state = view_verdict(look, end, from->cost);
	edge->why[0] = 0;
}

/* Where a refused move would lead, as far as its tiles are whole numbers; else the tiles it starts from. */
static void view_refused(const view_look *look, const local_edge *from, sw_edge *edge)
{
	int i = from->gather_dim, j = from->split_dim;
	int64_t up = from->gather_factor, down = from->split_factor;
	bool whole = (i < 0 || local_of(look->walk)->space.global[i] / look->tile[i] % up == 0) &&
		(j < 0 || look->tile[j] % down == 0);

	*edge = (sw_edge){.state = SW_EDGE_REFUSED, .size = look->size};
	edge->move.op = from->op;
	if (i >= 0)
		edge->move.gather[edge->move.gathers++] = (sw_entry){i, up};
	if (j >= 0)
		edge->move.split[edge->move.splits++] = (sw_entry){j, down};
	memcpy(edge->place, look->tile, (size_t)local_of(look->walk)->space.rank * sizeof *edge->place);
	for (int k = 0; whole && k < 2; k++) {
		int dim = k ? j : i;
		if (dim >= 0)
			edge->place[dim] = k ? edge->place[dim] / down : edge->place[dim] * up;
	}
	if (whole)
		edge->size = i < 0 ? look->size / down : j < 0 ? look->size * up : look->size;
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
	return look->count < SW_EDGES_MOST;
}

static int local_edges(const sw_walk *walk, const int64_t *tile, bool refused, sw_arena *arena, sw_edge **edges)
{
	local_key key;

	if (!sw_local_key_of(&local_of(walk)->space, tile, key, NULL))
		return 0;
	view_look look = {.walk = walk, .from = sw_store_find(&walk->store, key), .tile = tile};
	look.size = sw_local_size(&local_of(walk)->space, key);
	sw_local_edges(&local_of(walk)->space, &local_of(walk)->factors, key, look.size, refused, view_edge, &look);
	look.edges = SW_NEW(arena, sw_edge, look.count);
	if (!look.edges)
		return -1;
	look.count = 0;
	sw_local_edges(&local_of(walk)->space, &local_of(walk)->factors, key, look.size, refused, view_edge, &look);
	*edges = look.edges;
	return look.count;
}

/* ---- the graph ---- */

static const sw_graph local_graph = {
	.words = {.name = "search",
		.about = "local types between both ends, by the costs of collectives",
		.node = "type",
		.size = "size",
		.nodes = "nodes",
		.visited = "nodes visited"},
	.free = local_free,
	.again = local_again,
	.leave = local_leave,
	.place_of = local_place,
	.key_of = local_key_at,
	.look = local_look,
	.distance = local_distance,
	.via = local_via,
	.largest = local_largest,
	.edges = local_edges,
	.print_place = local_print_place,
	.print_move = local_print_move,
	.cut_off = local_cut_off,
};

const sw_walk_words *sw_walk_of_types(void)
{
	return &local_graph.words;
}

static struct local_graph *make_graph(const sw_problem *problem, const sw_walk_options *options, sw_diag *diag)
{
	struct local_graph *graph = calloc(1, sizeof *graph);

	if (!graph) {
		sw_diag_memory(diag);
		return NULL;
	}
	graph->problem = *problem;
	graph->problem.mesh.order = graph->problem.to_order = NULL;
	graph->options = *options;
	bool made = sw_local_init(&graph->space, problem, options, diag);
	graph->arena = made ? sw_arena_new() : NULL;
	if (graph->arena && sw_local_divisors(&graph->space, graph->arena, &graph->factors))
		return graph;
	if (made)
		sw_diag_memory(diag);
	local_free(graph);
	return NULL;
}

sw_walk *sw_walk_new(const sw_problem *problem, const sw_walk_options *options, sw_diag *diag)
{
	struct local_graph *graph = make_graph(problem, options, diag);
	sw_walk *walk = graph ? sw_walk_make(&local_graph, graph, graph->space.to, graph->space.width, diag) : NULL;

	if (!walk)
		return NULL;
	walk->places = graph->space.rank + graph->space.sums;
	offer(walk, graph->space.from, graph->space.from_size, 0, -1);
	if (walk->store.keys.count == 1)
		return walk;
	sw_diag_memory(diag);
	sw_walk_free(walk);
	return NULL;
}

const sw_problem *sw_walk_problem(const sw_walk *walk)
{
	return walk->graph == &local_graph ? &local_of(walk)->problem : NULL;
}

sw_unit sw_walk_unit(const sw_walk *walk)
{
	return walk->graph == &local_graph ? local_of(walk)->space.unit : SW_UNIT_ELEMENTS;
}

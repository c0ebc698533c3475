/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contexts of a sum as a graph that is walked: nodes, prices, what is missing.
 */
#include "placement/context_walk.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNITS 0x1p36      /* of cost in one all-reduce: ways that take equally long cost the same */
#define MOST_UNITS 0x1p60 /* what takes longer is as far as anything */
#define FARTHEST 9e18     /* picoseconds */

/* ---- costs ---- */

static int64_t units_of(const struct context_graph *graph, double seconds)
{
	double units = seconds / graph->unit;

	return (int64_t)llround(units < MOST_UNITS ? units : MOST_UNITS);
}

/* The fewest seconds from every context to the goal, as the proof finds them: each after those to which its edges lead. */
static bool measure_rest(struct context_graph *graph)
{
	const sw_contexts *contexts = graph->sum.contexts;

	graph->rest = malloc(sizeof *graph->rest * (size_t)contexts->count);
	for (int n = 0; graph->rest != NULL && n < contexts->count; n++) {
		int at = contexts->order[n];

		graph->rest[at] = at == contexts->goal ? 0 : INFINITY;
		for (int e = contexts->first[at]; e < contexts->first[at + 1]; e++)
			graph->rest[at] = fmin(graph->rest[at], graph->price[e] + graph->rest[contexts->edge[e].to]);
	}
	return graph->rest != NULL;
}

static bool note_found(struct context_graph *graph)
{
	const sw_contexts *contexts = graph->sum.contexts;

	graph->found = malloc(sizeof *graph->found * (size_t)contexts->count);
	for (int i = 0; graph->found != NULL && i < contexts->count; i++)
		graph->found[i] = -1;
	for (int e = 0; graph->found != NULL && e < contexts->edges; e++) {
		int to = contexts->edge[e].to;

		if (to != 0 && graph->found[to] < 0)
			graph->found[to] = e;
	}
	return graph->found != NULL;
}

int64_t sw_picoseconds(double seconds)
{
	return seconds < FARTHEST * SW_PICOSECOND ? llround(seconds / SW_PICOSECOND) : (int64_t)FARTHEST;
}

/* ---- nodes ---- */

static const struct context_graph *graph_of(const sw_walk *walk)
{
	return walk->of;
}

static int context_of(const uint8_t *key)
{
	int32_t context;

	memcpy(&context, key, sizeof context);
	return context;
}

static void place_of(const sw_walk *walk, const uint8_t *key, int64_t *place)
{
	(void)walk;
	place[0] = context_of(key);
}

static bool key_of(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag)
{
	int32_t context = (int32_t)place[0];

	if (place[0] < 0 || place[0] >= graph_of(walk)->sum.contexts->count)
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no such context");
	memcpy(key, &context, sizeof context);
	return true;
}

static double seconds_to(const sw_walk *walk, int node)
{
	const sw_state *states = walk->store.states;
	double seconds = 0;

	for (; states[node].parent >= 0; node = states[node].parent)
		seconds += graph_of(walk)->price[states[node].tag];
	return seconds;
}

static int64_t distance(const sw_walk *walk, int node)
{
	return sw_picoseconds(seconds_to(walk, node));
}

static void look(const sw_walk *walk, const uint8_t *key, sw_node *node)
{
	const struct context_graph *graph = graph_of(walk);
	int context = context_of(key), known = sw_store_find(&walk->store, key);

	node->size = known >= 0 ? walk->store.states[known].size : sw_context_walk_missing(graph, context);
	node->bound = graph->rest != NULL && isfinite(graph->rest[context]) ? sw_picoseconds(graph->rest[context]) : 0;
	node->is_start = context == 0;
	node->is_goal = context == graph->sum.contexts->goal;
	node->leads_on = graph->sum.contexts->useful[context];
}

static void via(const sw_walk *walk, int node, sw_move *move)
{
	const struct context_graph *graph = graph_of(walk);
	int edge = walk->store.states[node].tag;

	*move = (sw_move){.step = graph->sum.contexts->edge[edge].step + 1, .cost = sw_picoseconds(graph->price[edge])};
}

/* Nothing is added at the start. */
static int64_t largest(const sw_walk *walk)
{
	return walk->store.states[0].size;
}

static void print_place(const sw_walk *walk, const int64_t *place, sw_text *text)
{
	sw_context_walk_print(graph_of(walk), (int)place[0], text);
}

const sw_step *sw_context_walk_step_of(const sw_walk *walk, const sw_move *move)
{
	assert(move->step >= 1 && move->step <= graph_of(walk)->sum.contexts->steps);
	return &graph_of(walk)->sum.contexts->step[move->step - 1];
}

static void print_move(const sw_walk *walk, const sw_move *move, sw_text *text)
{
	const struct context_graph *graph = graph_of(walk);

	sw_step_print(&graph->system, &graph->ports.hierarchy, sw_context_walk_step_of(walk, move), text);
}

/* ---- forward ---- */

static void offer(sw_walk *walk, int context, int from, int edge)
{
	const struct context_graph *graph = graph_of(walk);
	int32_t key = context;
	const uint8_t *bytes = (const uint8_t *)&key;
	int known = sw_store_find(&walk->store, bytes);
	double seconds = from < 0 ? 0 : seconds_to(walk, from) + graph->price[edge];
	sw_state state = {.cost = units_of(graph, seconds),
		.size = known >= 0 ? walk->store.states[known].size : sw_context_walk_missing(graph, context),
		.parent = from,
		.minor = from < 0 ? 0 : walk->store.states[from].minor + 1,
		.tag = edge};

	if (graph->rest != NULL)
		state.bound = isfinite(graph->rest[context]) ? units_of(graph, seconds + graph->rest[context]) - state.cost :
													   SW_NEVER;
	sw_walk_offer(walk, bytes, &state);
}

static bool leave(sw_walk *walk, int from)
{
	const sw_contexts *contexts = graph_of(walk)->sum.contexts;
	int at = context_of(sw_keys_at(&walk->store.keys, from));

	for (int e = contexts->first[at]; e < contexts->first[at + 1]; e++) {
		walk->store.edges++;
		offer(walk, contexts->edge[e].to, from, e);
	}
	return true;
}

/* Every graph of contexts has its goal. */
static bool cut_off(const sw_walk *walk, sw_diag *diag)
{
	(void)walk;
	return sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no steps lead to the sum");
}

/* ---- the graph ---- */

static void release(void *of)
{
	struct context_graph *graph = of;

	free(graph->price);
	free(graph->rest);
	free(graph->found);
	free(graph);
}

static sw_walk *again(const void *of, sw_diag *diag)
{
	const struct context_graph *graph = of;

	return sw_context_walk_new(&graph->sum, diag);
}

static const sw_graph row = {
	.words = {.name = "reductions",
		.about = "contexts of a sum over placed axes, by the seconds of steps",
		.node = "holds",
		.size = "missing",
		.nodes = "contexts",
		.visited = "contexts visited",
		.unit = SW_PICOSECOND},
	.goes_on = true,
	.free = release,
	.again = again,
	.leave = leave,
	.place_of = place_of,
	.key_of = key_of,
	.look = look,
	.distance = distance,
	.via = via,
	.largest = largest,
	.edges = sw_context_walk_edges,
	.print_place = print_place,
	.print_move = print_move,
	.cut_off = cut_off,
};

const sw_walk_words *sw_walk_of_contexts(void)
{
	return &row.words;
}

const sw_ports *sw_context_walk_ports(const sw_walk *walk)
{
	return walk->graph == &row ? &graph_of(walk)->ports : NULL;
}

static bool make_ports(struct context_graph *graph, const sw_context_sum *sum, sw_diag *diag)
{
	graph->system = *sum->system;
	graph->placement = *sum->placement;
	graph->axes = *sum->axes;
	graph->sum.system = &graph->system;
	graph->sum.placement = &graph->placement;
	graph->sum.axes = &graph->axes;
	if (!sw_ports_make(&graph->system, &graph->placement, sum->summed, sum->way, &graph->ports, diag))
		return false;
	if (graph->ports.hierarchy.count == 0)
		return sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the axes summed over have size 1: nothing to do");
	if (graph->ports.hierarchy.count != sum->contexts->factors)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "the sum is over %d levels, the graph is of %d",
			graph->ports.hierarchy.count, sum->contexts->factors);
	graph->unit = sw_ports_allreduce(&graph->ports, sum->bytes) / UNITS;
	graph->unit = graph->unit > 0 ? graph->unit : 1;
	return true;
}

static struct context_graph *make_graph(const sw_context_sum *sum, sw_diag *diag)
{
	struct context_graph *graph = calloc(1, sizeof *graph);

	if (graph == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	graph->sum = *sum;
	bool made = make_ports(graph, sum, diag);
	graph->price = made ? sw_context_prices(sum->contexts, &graph->ports, sum->bytes, true) : NULL;
	if (graph->price != NULL && note_found(graph) && (!sum->goal_directed || measure_rest(graph)))
		return graph;
	if (made)
		sw_diag_memory(diag);
	release(graph);
	return NULL;
}

sw_walk *sw_context_walk_new(const sw_context_sum *sum, sw_diag *diag)
{
	struct context_graph *graph = make_graph(sum, diag);
	int32_t goal = sum->contexts->goal;
	sw_walk *walk = graph != NULL ? sw_walk_make(&row, graph, (const uint8_t *)&goal, (int)sizeof goal, diag) : NULL;

	if (walk == NULL)
		return NULL;
	walk->places = 1;
	offer(walk, 0, -1, -1);
	if (walk->store.keys.count == 1)
		return walk;
	sw_diag_memory(diag);
	sw_walk_free(walk);
	return NULL;
}

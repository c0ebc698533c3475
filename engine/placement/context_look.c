/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices hold in a context, in words; the steps that lead out of it, and why the others do not.
 */
#include "placement/context_walk.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/summing.h>

/* ---- what is held ---- */

/* The edges from the start by which a context is found first; how many. */
static int way_to(const struct context_graph *graph, int context, int *way)
{
	int count = 0, at = context;

	for (; graph->found[at] >= 0; at = graph->sum.contexts->edge[graph->found[at]].from)
		count++;
	for (int k = count, i = context; way != NULL && k > 0; i = graph->sum.contexts->edge[graph->found[i]].from)
		way[--k] = graph->found[i];
	return count;
}

void sw_context_walk_held(const struct context_graph *graph, int context, struct sw_context_held *held)
{
	assert(context >= 0 && context < graph->sum.contexts->count);
	const sw_contexts *contexts = graph->sum.contexts;

	if (graph->found[context] < 0) {
		sw_context_held_start(contexts->factors, held);
		return;
	}
	const struct sw_context_edge *edge = &contexts->edge[graph->found[context]];
	sw_context_walk_held(graph, edge->from, held);
	sw_context_held_step(contexts->factors, &contexts->step[edge->step], held);
}

/* How many devices a class has. */
static double class_size(const struct context_graph *graph, int class)
{
	int h = graph->ports.hierarchy.count;
	double size = 1;

	for (int f = 0; f < h; f++)
		if (class >> (h - 1 - f) & 1)
			size *= (double)(sw_hierarchy_size(&graph->ports.hierarchy, f) - 1);
	return size;
}

/* How many devices have their shares in it: beside the first digit of a factor another one stands for all others, alone for
 * itself. */
static double terms_in(const struct context_graph *graph, uint32_t share)
{
	int classes = graph->sum.contexts->classes;
	double terms = 0;

	for (int c = 0; c < classes; c++) {
		int others = 0;

		if (!(share >> c & 1))
			continue;
		for (int bit = 1; bit < classes; bit <<= 1)
			others |= (c & bit) != 0 && share >> (c & ~bit) & 1 ? bit : 0;
		terms += class_size(graph, others);
	}
	return terms;
}

static double all_devices(const struct context_graph *graph)
{
	double all = 1;

	for (int f = 0; f < graph->ports.hierarchy.count; f++)
		all *= (double)sw_hierarchy_size(&graph->ports.hierarchy, f);
	return all;
}

/* Chunks are as many as devices, and of a class as many as it has devices. */
int64_t sw_context_walk_missing(const struct context_graph *graph, int context)
{
	int n = graph->sum.contexts->classes;
	double all = all_devices(graph), missing = 0;
	struct sw_context_held held;

	sw_context_walk_held(graph, context, &held);
	for (int c = 0; c < n; c++) {
		double most = 0;

		for (int d = 0; d < n; d++)
			most = fmax(most, terms_in(graph, held.share[d * n + c]));
		missing += class_size(graph, c) / all * (all - most);
	}
	return (int64_t)ceil(missing - 1e-9);
}

/* ---- names ---- */

/* What a device holds: how much, and what is in it. */
struct holding {
	uint8_t divided;
	int owed;     /* bit f: it is still to be summed over factor f; -1: that is no product of factors */
	double terms; /* that are missing then, in the chunk that has the fewest */
};

static const char *factor_name(const struct context_graph *graph, int factor)
{
	const sw_hierarchy *hierarchy = &graph->ports.hierarchy;

	return graph->system.level[hierarchy->digit[hierarchy->first[factor]].level].name;
}

/* The factors along which a set of shares stands still, or -1 where it is not all along the others. */
static int owed_of(const struct context_graph *graph, uint32_t share)
{
	int n = graph->sum.contexts->classes, first = __builtin_ctz(share), moves = 0;

	for (int c = 0; c < n; c++)
		if (share >> c & 1)
			moves |= c ^ first;
	if (__builtin_popcount(share) != 1 << __builtin_popcount((unsigned)moves))
		return -1;
	return (n - 1) & ~moves;
}

static struct holding holding_of(const struct context_graph *graph, const struct sw_context_held *held, int device)
{
	int n = graph->sum.contexts->classes;
	double all = all_devices(graph);
	struct holding holding = {.divided = held->divided[device]};
	bool first = true;

	for (int c = 0; c < n; c++) {
		uint32_t share = held->share[device * n + c];

		if (share == 0)
			continue;
		int owed = owed_of(graph, share);
		holding.owed = first || holding.owed == owed ? owed : -1;
		holding.terms = fmax(holding.terms, all - terms_in(graph, share));
		first = false;
	}
	return holding;
}

static bool same_holding(const struct holding *a, const struct holding *b)
{
	return a->divided == b->divided && a->owed == b->owed && (a->divided == SW_HOLDS_NOTHING || a->terms == b->terms);
}

static void print_holding(const struct context_graph *graph, const struct holding *holding, sw_text *text)
{
	int h = graph->ports.hierarchy.count;
	int64_t parts = 1;
	bool first = true;

	for (int f = 0; f < h; f++)
		if (holding->divided >> f & 1)
			parts *= sw_hierarchy_size(&graph->ports.hierarchy, f);
	sw_text_addf(text, parts > 1 ? "1/%lld" : "%lld", (long long)parts);
	if (holding->owed < 0) {
		sw_text_addf(text, "+%.0f", holding->terms);
		return;
	}
	for (int f = 0; f < h; f++)
		if (holding->owed >> (h - 1 - f) & 1) {
			sw_text_addf(text, "%s%s", first ? "+{" : ",", factor_name(graph, f));
			first = false;
		}
	sw_text_add(text, first ? "" : "}");
}

/* The factors of which all these devices have the first digit, where they are all such devices. */
static bool are_firsts(const struct context_graph *graph, uint32_t devices, int *firsts)
{
	int n = graph->sum.contexts->classes;
	uint32_t those = 0;

	*firsts = n - 1;
	for (int d = 0; d < n; d++)
		if (devices >> d & 1)
			*firsts &= ~d;
	for (int d = 0; d < n; d++)
		those |= (uint32_t)((d & *firsts) == 0) << d;
	return those == devices;
}

static void print_devices(const struct context_graph *graph, uint32_t devices, bool last, sw_text *text)
{
	int h = graph->ports.hierarchy.count, n = graph->sum.contexts->classes, firsts;
	bool first = true;

	if (__builtin_popcount(devices) == n)
		return;
	if (!are_firsts(graph, devices, &firsts)) {
		sw_text_addf(text, last ? "else " : "%d: ", __builtin_ctz(devices));
		return;
	}
	for (int f = 0; f < h; f++)
		if (firsts >> (h - 1 - f) & 1) {
			sw_text_addf(text, first ? "%s 0" : ", %s 0", factor_name(graph, f));
			first = false;
		}
	sw_text_add(text, ": ");
}

void sw_context_walk_print(const struct context_graph *graph, int context, sw_text *text)
{
	int n = graph->sum.contexts->classes;
	uint32_t left = (uint32_t)(((uint64_t)1 << n) - 1);
	struct holding holding[SW_MAX_CLASSES];
	struct sw_context_held held;
	bool first = true;

	sw_context_walk_held(graph, context, &held);
	for (int d = 0; d < n; d++) {
		holding[d] = holding_of(graph, &held, d);
		left &= holding[d].divided == SW_HOLDS_NOTHING ? ~((uint32_t)1 << d) : ~(uint32_t)0;
	}
	while (left != 0) {
		int at = __builtin_ctz(left);
		uint32_t alike = 0;

		for (int d = at; d < n; d++)
			if (left >> d & 1 && same_holding(&holding[d], &holding[at]))
				alike |= (uint32_t)1 << d;
		left &= ~alike;
		sw_text_add(text, first ? "" : "; ");
		print_devices(graph, alike, !first && left == 0, text);
		print_holding(graph, &holding[at], text);
		first = false;
	}
}

/* ---- edges ---- */

/* What the edge means for the walk now. */
static sw_edge_state verdict(const sw_walk *walk, int from, const sw_node *end, int edge)
{
	const sw_state *states = walk->store.states;

	if (end->id == 0)
		return SW_EDGE_NEW;
	if (from == 0)
		return SW_EDGE_NO_BETTER;
	if (states[end->id - 1].tag == edge)
		return SW_EDGE_TREE;
	double seconds = (double)sw_walk_node_distance(walk, from) * SW_PICOSECOND +
		((const struct context_graph *)walk->of)->price[edge];
	return end->order == 0 && seconds < (double)end->distance * SW_PICOSECOND * (1 - 1e-9) ? SW_EDGE_BETTER :
																							 SW_EDGE_NO_BETTER;
}

/* The sum, carried out up to this context. */
static bool sum_up_to(const struct context_graph *graph, int context, sw_arena *arena, sw_summing *summing)
{
	const sw_contexts *contexts = graph->sum.contexts;
	int count = way_to(graph, context, NULL), *way = SW_NEW(arena, int, count + 1);

	const sw_placed_sum sum = {&graph->placement, graph->sum.summed, SW_HIERARCHY_SUMMED_LEVELS};
	if (way == NULL || !sw_summing_start(&graph->system, &graph->axes, &sum, arena, summing, NULL))
		return false;
	way_to(graph, context, way);
	for (int k = 0; k < count; k++)
		if (!sw_summing_apply(summing, &contexts->step[contexts->edge[way[k]].step], arena, NULL))
			return false;
	return true;
}

static bool leads_out(const sw_contexts *contexts, int context, int step)
{
	for (int e = contexts->first[context]; e < contexts->first[context + 1]; e++)
		if (contexts->edge[e].step == step)
			return true;
	return false;
}

static void put_refused(const sw_node *node, int step, const sw_diag *why, sw_edge *edge)
{
	*edge = (sw_edge){.move = {.step = step + 1},
		.place = {node->place[0]},
		.size = node->size,
		.state = SW_EDGE_REFUSED,
		.code = why->code};
	snprintf(edge->why, sizeof edge->why, "%s: %.*s", sw_code_info_of(why->code)->name, (int)sizeof edge->why - 8,
		why->message);
}

/* The steps that may not be taken, each with the premise that fails; how many, -1: no memory. */
static int add_refused(const struct context_graph *graph, const sw_node *node, sw_arena *arena, sw_edge *edges)
{
	const sw_contexts *contexts = graph->sum.contexts;
	sw_summing *summing = SW_NEW(arena, sw_summing, 1);
	int count = 0, context = (int)node->place[0];

	if (summing == NULL || !sum_up_to(graph, context, arena, summing))
		return -1;
	for (int s = 0; s < contexts->steps; s++) {
		sw_diag why;

		if (leads_out(contexts, context, s) || sw_summing_apply(summing, &contexts->step[s], arena, &why))
			continue;
		if (why.code == SW_E01)
			return -1;
		put_refused(node, s, &why, &edges[count++]);
	}
	return count;
}

int sw_context_walk_edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **edges)
{
	const struct context_graph *graph = walk->of;
	const sw_contexts *contexts = graph->sum.contexts;
	int count = 0, context = (int)place[0], more;
	sw_node node, end;

	if (!sw_walk_node_at(walk, place, &node, NULL))
		return 0;
	*edges = SW_NEW(arena, sw_edge, contexts->steps + 1);
	if (*edges == NULL)
		return -1;
	for (int e = contexts->first[context]; e < contexts->first[context + 1]; e++) {
		sw_edge *edge = &(*edges)[count++];

		*edge = (sw_edge){.move = {.step = contexts->edge[e].step + 1, .cost = sw_picoseconds(graph->price[e])},
			.place = {contexts->edge[e].to}};
		sw_walk_node_at(walk, edge->place, &end, NULL);
		edge->size = end.size;
		edge->node = end.id;
		edge->state = verdict(walk, node.id, &end, e);
	}
	more = refused ? add_refused(graph, &node, arena, *edges + count) : 0;
	return more < 0 ? -1 : count + more;
}

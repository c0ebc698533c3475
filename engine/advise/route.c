/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over layouts whose edges are hops of a system.
 *
 * What a step would cost if the system did it as it stands is known at once; what the system makes of it is
 * asked only when the edge is about to be taken.
 */
#include "advise/route.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cost/model.h"
#include "search/store.h"
#include "base/room.h"

struct edge {
	int32_t from, to;
	int64_t cost;
	int32_t effort;
	bool asked; /* these are the system's */
};

struct search {
	sw_grid *grid;
	sw_hopper *hopper;
	const sw_route_limits *limits;
	struct edge *edges;
	int32_t count, room;
	sw_heap queue;
	int32_t state; /* whose steps are being looked at */
	sw_type *ends; /* two types to ask with */
	bool failed;
};

bool sw_route_allows(sw_hopper *hopper, const sw_route_limits *limits, const sw_type *from, const sw_type *to,
	sw_hop_price *price)
{
	return sw_hop_price_of(hopper, from, to, price) && !price->warns && price->height <= limits->budget &&
		(price->operations & limits->without) == 0 && (limits->multi_dim || !price->multi_dim);
}

/* ---- edges ---- */

static void enqueue(struct search *s, int32_t k)
{
	const struct edge *edge = &s->edges[k];
	const sw_grid_state *at = &s->grid->states[edge->from], *next = &s->grid->states[edge->to];
	int64_t total;

	if (next->home == SW_NEVER || next->closed || !sw_add(at->cost, edge->cost, &total) ||
		!sw_add(total, next->home, &total) || total >= s->limits->below)
		return;
	s->failed = s->failed || !sw_heap_put(&s->queue, k, total, at->effort + edge->effort + next->home_effort);
}

static void add_edge(struct search *s, const struct edge *edge)
{
	if (s->count == s->room) {
		int32_t room = s->room == 0 ? 1024 : 2 * s->room;
		struct edge *edges = realloc(s->edges, (size_t)room * sizeof *edges);

		s->failed = s->failed || edges == NULL;
		if (edges == NULL)
			return;
		s->edges = edges;
		s->room = room;
	}
	s->edges[s->count] = *edge;
	enqueue(s, s->count++);
}

static void add_step(void *context, sw_op op, int64_t factor, int32_t other)
{
	struct search *s = context;
	int64_t before = s->grid->states[s->state].size, after = s->grid->states[other].size;
	double volume = (double)sw_model_move_cost(SW_MODEL_VOLUME, op, before, after, factor);

	add_edge(s,
		&(struct edge){s->state, other, sw_paper_cost(op, before, after), sw_grid_effort(s->grid, 1, volume), false});
}

static void expand(struct search *s, int32_t state)
{
	const sw_grid_state *at = &s->grid->states[state];

	s->state = state;
	if (at->home_known)
		add_edge(s, &(struct edge){state, s->grid->to, at->home, at->home_effort, false});
	sw_grid_steps(s->grid, state, false, add_step, s);
}

/* Fills in what the system makes of the edge; false: nothing that is allowed. */
static bool ask(struct search *s, struct edge *edge)
{
	sw_hop_price price;

	sw_grid_type(s->grid, edge->from, &s->ends[0]);
	sw_grid_type(s->grid, edge->to, &s->ends[1]);
	if (!sw_route_allows(s->hopper, s->limits, &s->ends[0], &s->ends[1], &price))
		return false;
	edge->cost = price.cost;
	edge->effort = sw_grid_effort(s->grid, price.steps, price.volume);
	edge->asked = true;
	return true;
}

static void take(struct search *s, const struct edge *edge)
{
	const sw_grid_state *at = &s->grid->states[edge->from];
	sw_grid_state *next = &s->grid->states[edge->to];

	next->cost = at->cost + edge->cost;
	next->effort = at->effort + edge->effort;
	next->parent = edge->from;
	next->closed = true;
	if (edge->to != s->grid->to)
		expand(s, edge->to);
}

/* ---- the search ---- */

static bool over(const struct search *s)
{
	return s->hopper->asked > s->limits->most_hops || sw_grid_exhausted(s->grid);
}

static sw_route_end run(struct search *s)
{
	sw_grid_state *start = &s->grid->states[s->grid->from];

	start->cost = 0;
	start->closed = true;
	expand(s, s->grid->from);
	for (long beats = 0; s->queue.count > 0 && !s->grid->states[s->grid->to].closed; beats++) {
		int32_t k = sw_heap_pop(&s->queue);
		struct edge before = s->edges[k], *edge = &s->edges[k];

		if (s->failed || s->grid->failed || s->hopper->failed)
			return SW_ROUTE_MEMORY;
		if (over(s))
			return SW_ROUTE_CAPPED;
		if (beats % 64 == 0 && !sw_pulse_beat(s->limits->pulse, "hops", (long long)s->hopper->asked, 0))
			return SW_ROUTE_STOPPED;
		if (s->grid->states[edge->to].closed || (!edge->asked && !ask(s, edge)))
			continue;
		if (!before.asked && (edge->cost != before.cost || edge->effort > before.effort))
			enqueue(s, k);
		else
			take(s, &(struct edge){edge->from, edge->to, edge->cost, edge->effort, true});
	}
	return s->grid->capped ? SW_ROUTE_CAPPED : SW_ROUTE_DONE;
}

/* Writes down the way to the goal; false where it has more stops than there is room for. */
static bool collect(const sw_grid *grid, sw_stops *stops)
{
	int32_t chain[SW_ROUTE_STOPS];
	int n = 0;

	stops->count = 0;
	for (int32_t k = grid->to; k >= 0 && n < SW_ROUTE_STOPS; k = grid->states[k].parent) {
		SW_ROOM(chain, n);
		chain[n++] = k;
	}
	if (!grid->states[grid->to].closed)
		return true;
	if (chain[n - 1] != grid->from)
		return false;
	while (n > 0)
		sw_grid_type(grid, chain[--n], &stops->type[stops->count++]);
	return true;
}

sw_route_end sw_route_search(sw_grid *grid, sw_hopper *hopper, const sw_route_limits *limits, sw_stops *stops)
{
	struct search s = {.grid = grid, .hopper = hopper, .limits = limits};
	sw_arena_mark mark = sw_arena_here(hopper->arena);
	sw_route_end end = SW_ROUTE_MEMORY;

	stops->count = 0;
	if (grid->from == grid->to) /* what a system does for axes of size 1 no waypoint takes away */
		return SW_ROUTE_DONE;
	s.ends = SW_NEW(hopper->arena, sw_type, 2);
	grid->multi_dim = limits->multi_dim;
	grid->moves.most_edges = limits->most_edges / 2;
	if (s.ends != NULL && sw_grid_measure(grid, limits->below)) {
		grid->moves.most_edges = limits->most_edges;
		end = run(&s);
	}
	if (end == SW_ROUTE_DONE || end == SW_ROUTE_CAPPED) {
		if (!collect(grid, stops))
			end = SW_ROUTE_CAPPED;
		sw_route_shorten(hopper, limits, stops);
	}
	sw_heap_free(&s.queue);
	free(s.edges);
	sw_arena_back(hopper->arena, mark);
	return end;
}

/* ---- fewer stops ---- */

struct best {
	int64_t cost;
	int hops, steps, previous;
	double volume;
};

static bool better(const struct best *a, const struct best *b)
{
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->hops != b->hops || a->steps != b->steps)
		return a->hops != b->hops ? a->hops < b->hops : a->steps < b->steps;
	return a->volume < b->volume;
}

static void keep_chosen(const struct best *best, sw_stops *stops)
{
	int chosen[SW_ROUTE_STOPS], n = 0, last = stops->count - 1;

	stops->cost = best[last].cost;
	stops->steps = best[last].steps;
	for (int k = last; k >= 0; k = best[k].previous) {
		SW_ROOM(chosen, n);
		chosen[n++] = k;
	}
	stops->count = 0;
	while (n > 0) {
		SW_ROOM(stops->type, stops->count);
		stops->type[stops->count++] = stops->type[chosen[--n]];
	}
}

void sw_route_shorten(sw_hopper *hopper, const sw_route_limits *limits, sw_stops *stops)
{
	assert(stops->count >= 0 && stops->count <= SW_ROUTE_STOPS);
	struct best best[SW_ROUTE_STOPS] = {{0, 0, 0, -1, 0}};
	sw_hop_price price;

	for (int j = 1; j < stops->count; j++) {
		best[j] = (struct best){SW_NEVER, 0, 0, -1, 0};
		for (int i = 0; i < j; i++) {
			struct best way = {0, best[i].hops + 1, best[i].steps, i, best[i].volume};

			if (best[i].cost == SW_NEVER ||
				!sw_route_allows(hopper, limits, &stops->type[i], &stops->type[j], &price) ||
				!sw_add(best[i].cost, price.cost, &way.cost))
				continue;
			way.steps += price.steps;
			way.volume += price.volume;
			if (better(&way, &best[j]))
				best[j] = way;
		}
	}
	if (stops->count > 0 && (best[stops->count - 1].cost >= limits->below))
		stops->count = 0;
	else if (stops->count > 0)
		keep_chosen(best, stops);
}

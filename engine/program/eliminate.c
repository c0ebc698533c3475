/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaving choices out.
 */
#include "program/eliminate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/room.h"

/* A choice that is still there. */
struct node {
	int count;
	const double *own;
	bool late, gone;
	int alive; /* links that are not gone: one to each neighbour */
	int links, room;
	int *link;
};

struct link {
	bool gone;
	int step;    /* that left out what stood between its ends; -1: none did */
	int in, out; /* and the links that it had */
	int also;    /* that was united with it; -1: none was */
	int end[2];
	sw_link_costs costs;
};

struct net {
	sw_costs_store *store;
	sw_arena *arena; /* of what is not needed afterwards */
	sw_elimination *out;
	int count, room;
	struct node *node;
	int links, link_room;
	struct link *link;
	bool thin;
	sw_heap next; /* choices that are there, in the order in which they are left out, or split */
	int handed_room;
	int *handed; /* links that are to be handed over */
};

static bool no_memory(struct net *net)
{
	net->store->failure = SW_COSTS_NO_MEMORY;
	return false;
}

static bool add_end(struct net *net, int choice, int link)
{
	struct node *node = &net->node[choice];

	if (!SW_GROW(net->arena, node->link, node->links, node->room, 4))
		return no_memory(net);
	node->link[node->links++] = link;
	node->alive++;
	return true;
}

static void drop_link(struct net *net, int link)
{
	struct link *l = &net->link[link];
	assert(!l->gone);

	l->gone = true;
	net->node[l->end[0]].alive--;
	net->node[l->end[1]].alive--;
}

static bool add_link(struct net *net, int first, int second, const sw_link_costs *costs)
{
	assert(first != second);
	if (!SW_GROW(net->arena, net->link, net->links, net->link_room, 16))
		return no_memory(net);
	net->link[net->links] = (struct link){false, -1, -1, -1, -1, {first, second}, *costs};
	return add_end(net, first, net->links) && add_end(net, second, net->links) && (net->links++, true);
}

static bool add_node(struct net *net, int count, const double *own, int copy_of, bool late)
{
	int room = net->room;

	if (!SW_GROW(net->arena, net->node, net->count, net->room, 16) ||
		!SW_GROW(net->store->arena, net->out->copy_of, net->count, room, 16))
		return no_memory(net);
	net->node[net->count] = (struct node){.count = count, .own = own, .late = late};
	net->out->copy_of[net->count++] = copy_of;
	return true;
}

/* ---- neighbours ---- */

static int other_end(const struct link *link, int choice)
{
	assert(link->end[0] == choice || link->end[1] == choice);
	return link->end[link->end[0] == choice];
}

/* The link from a choice, turned where it leads to it. */
static bool link_from(struct net *net, const struct link *link, int choice, sw_link_costs *costs)
{
	*costs = link->costs;
	return link->end[0] == choice || sw_costs_turn(net->store, &link->costs, costs);
}

/* Links that are gone leave the list once they are the most of it. */
static void drop_gone(struct net *net, int choice)
{
	struct node *node = &net->node[choice];
	int kept = 0;

	if (node->links <= 2 * node->alive)
		return;
	for (int k = 0; k < node->links; k++)
		if (!net->link[node->link[k]].gone)
			node->link[kept++] = node->link[k];
	node->links = kept;
}

/* A link between the two choices that of `link`, which is the latest; -1: there is no other. */
static int link_beside(struct net *net, int link)
{
	const int *end = net->link[link].end;
	int choice = end[net->node[end[1]].alive < net->node[end[0]].alive], other = other_end(&net->link[link], choice);

	drop_gone(net, choice);
	for (int k = 0; k < net->node[choice].links; k++) {
		int beside = net->node[choice].link[k];

		if (beside != link && !net->link[beside].gone && other_end(&net->link[beside], choice) == other)
			return beside;
	}
	return -1;
}

/* Two links between the same choices become one. */
static bool unite(struct net *net, int a, int b)
{
	struct link *one = &net->link[a], *two = &net->link[b];
	int first = one->end[0], second = one->end[1];
	sw_link_costs other, both;

	if (!link_from(net, two, first, &other) ||
		!sw_costs_both(net->store, &one->costs, &other, net->node[first].count, net->node[second].count, &both))
		return false;
	one->costs = both;
	drop_link(net, b);
	two->also = one->also;
	one->also = b;
	return true;
}

/* The latest link becomes one with what there is between its choices. */
static bool unite_latest(struct net *net)
{
	int latest = net->links - 1, beside = link_beside(net, latest);

	return beside < 0 || unite(net, beside, latest);
}

static bool trimmed_link(struct net *net, const sw_choice_link *link)
{
	sw_link_costs costs = link->costs;

	return sw_costs_trim(net->store, &costs, net->node[link->first].count, net->node[link->second].count) &&
		add_link(net, link->first, link->second, &costs) && unite_latest(net);
}

static bool fill(struct net *net, const sw_choices *choices, const sw_choice_link *link, const double *const *own)
{
	for (int i = 0; i < choices->count; i++)
		if (!add_node(net, choices->choice[i].count, own[i], i, choices->choice[i].late))
			return false;
	for (int k = 0; k < choices->links; k++)
		if (!trimmed_link(net, &link[k]))
			return false;
	return true;
}

/* The values of its neighbours, each with each: a choice that leaves a small table behind comes early. */
static double left_by(const struct net *net, const struct node *node, int choice)
{
	double pairs = 1;

	for (int k = 0; k < node->links; k++)
		if (!net->link[node->link[k]].gone)
			pairs *= net->node[other_end(&net->link[node->link[k]], choice)].count;
	return pairs;
}

/* Turns of choices: those with fewer neighbours come first, and those that come late behind the others.  With three neighbours
 * none may be left out: the one that has most is split. */
enum turn { TURN_LATE = 3, TURN_SPLIT };

enum { TURN_BITS = 60 };

static enum turn turn_of(const struct net *net, const struct node *node)
{
	if (node->alive < 2)
		return (enum turn)node->alive;
	return node->alive > 2 || net->thin ? TURN_SPLIT : node->late ? TURN_LATE : (enum turn)2;
}

/* Where a choice stands among those that are there, after its links have changed. */
static bool rank(struct net *net, int choice)
{
	const int64_t most = (int64_t)1 << TURN_BITS;
	const struct node *node = &net->node[choice];
	enum turn turn = turn_of(net, node);
	int64_t within = 0;

	if (turn == TURN_SPLIT)
		within = most - 1 - node->alive;
	else if (turn >= 2) {
		double left = left_by(net, node, choice);

		within = left < (double)most ? (int64_t)left : most - 1;
	}
	return sw_heap_put(&net->next, choice, turn * most + within, 0) || no_memory(net);
}

static bool is_split(const struct net *net, int choice)
{
	return net->next.priority[choice] >> TURN_BITS == TURN_SPLIT;
}

/* ---- one choice less ---- */

/* Of what leads from the choice to a neighbour. */
static bool has_detour(const sw_left_out *step, int k)
{
	const sw_costs *costs = step->to[k].costs;

	return (step->turned[k] ? costs->onward : costs->detour) != NULL;
}

/* The link to a neighbour, from the choice or towards it; tables are turned only where they have to be. */
static bool led(struct net *net, const sw_left_out *step, int k, bool from, sw_link_costs *costs)
{
	*costs = step->to[k];
	return step->turned[k] != from || sw_costs_turn(net->store, &step->to[k], costs);
}

/* `link` are those from the choice to its neighbours. */
static bool lead_through(struct net *net, int choice, const sw_left_out *step, const int *link)
{
	const struct node *node = &net->node[choice];
	int in = has_detour(step, 0) && !has_detour(step, 1), out = 1 - in;
	sw_link_costs before, behind, through;

	if (!led(net, step, in, false, &before) || !led(net, step, out, true, &behind) ||
		!sw_costs_through(net->store, &before, node->own, node->count, &behind, &through) ||
		!add_link(net, step->other[in], step->other[out], &through))
		return false;
	struct link *made = &net->link[net->links - 1];
	made->step = net->out->count - 1;
	made->in = link[0];
	made->out = link[1];
	return unite_latest(net);
}

static bool absorb(struct net *net, int choice, const sw_left_out *step)
{
	struct node *node = &net->node[choice], *other = &net->node[step->other[0]];

	other->own = sw_costs_absorb(net->store, other->own, other->count, &step->to[0], !step->turned[0], node->own,
		node->count);
	other->late = true; /* tables by way of it are like no others any more */
	return other->own != NULL;
}

static bool leave_out(struct net *net, int choice)
{
	sw_elimination *out = net->out;
	struct node *node = &net->node[choice];
	int link[2];
	bool done = true;

	if (!SW_GROW(net->store->arena, out->step, out->count, out->room, 16))
		return no_memory(net);
	sw_left_out *step = &out->step[out->count++];
	*step = (sw_left_out){.choice = choice, .count = node->count, .own = node->own};
	for (int k = 0; k < node->links; k++) {
		const struct link *l = &net->link[node->link[k]];

		if (l->gone)
			continue;
		assert(step->others < 2);
		link[step->others] = node->link[k];
		step->other[step->others] = other_end(l, choice);
		step->turned[step->others] = l->end[0] != choice;
		SW_ROOM(step->to, step->others);
		step->to[step->others++] = l->costs;
		drop_link(net, node->link[k]);
	}
	node->gone = true;
	if (step->others > 0)
		done = step->others == 1 ? absorb(net, choice, step) : lead_through(net, choice, step, link);
	for (int k = 0; done && k < step->others; k++)
		done = rank(net, step->other[k]);
	return done;
}

/* ---- copies ---- */

/* Nothing for what a choice may be, INFINITY for what it may not. */
static const double *may_be(struct net *net, const struct node *node)
{
	double *own = sw_costs_draft(net->store, node->count, sizeof *own);

	if (own == NULL)
		return NULL;
	for (int v = 0; v < node->count; v++)
		own[v] = node->own == NULL || node->own[v] < INFINITY ? 0 : INFINITY;
	return sw_costs_own(net->store, own, node->count);
}

/* Links that are to be handed over: what was left out may hold as many as there are choices. */
static bool hand_later(struct net *net, int *count, int link)
{
	if (link < 0)
		return true;
	if (!SW_GROW(net->arena, net->handed, *count, net->handed_room, 16))
		return no_memory(net);
	net->handed[(*count)++] = link;
	return true;
}

/* What was left out between a choice and a neighbour that the copy takes over speaks of the copy from now on. */
static bool hand_over(struct net *net, int link, int choice, int copy)
{
	int count = 0;

	if (!hand_later(net, &count, link))
		return false;
	while (count > 0) {
		const struct link *l = &net->link[net->handed[--count]];

		if (!hand_later(net, &count, l->also))
			return false;
		if (l->step < 0)
			continue;
		sw_left_out *step = &net->out->step[l->step];
		for (int k = 0; k < step->others; k++)
			step->other[k] = step->other[k] == choice ? copy : step->other[k];
		if (!hand_later(net, &count, l->in) || !hand_later(net, &count, l->out))
			return false;
	}
	return true;
}

/* The last link of a choice, which is not its any more. */
static int take_last(struct net *net, int choice)
{
	struct node *node = &net->node[choice];
	int last;

	do
		last = node->link[--node->links];
	while (net->link[last].gone);
	node->alive--;
	return last;
}

/* A copy takes the last neighbour of the choice. */
static bool split(struct net *net, int choice)
{
	int copy = net->count;
	const double *own = may_be(net, &net->node[choice]);

	if (own == NULL || !add_node(net, net->node[choice].count, own, net->out->copy_of[choice], true))
		return false;
	int last = take_last(net, choice);
	struct link *link = &net->link[last];
	link->end[link->end[0] == choice ? 0 : 1] = copy;
	return hand_over(net, last, choice, copy) && add_end(net, copy, last) && rank(net, copy) && rank(net, choice) &&
		rank(net, other_end(link, copy));
}

/* May it go on?  Tables that were made before are asked for again without a word of it. */
static bool goes_on(const struct net *net)
{
	enum { OFTEN = 1024 };
	int done = net->out->count;

	if (done % OFTEN != OFTEN - 1 || sw_pulse_beat(net->store->pulse, "types", done, net->count))
		return true;
	net->store->failure = SW_COSTS_STOPPED;
	return false;
}

static bool leave_all_out(struct net *net)
{
	for (int i = 0; i < net->count; i++)
		if (!rank(net, i))
			return false;
	while (net->out->count < net->count) {
		int choice = sw_heap_pop(&net->next);

		if (!goes_on(net) || (is_split(net, choice) ? !split(net, choice) : !leave_out(net, choice)))
			return false;
	}
	return true;
}

bool sw_eliminate(const sw_choices *choices, const sw_choice_link *link, const double *const *own, bool thin,
	sw_costs_store *store, sw_elimination *elimination)
{
	struct net net = {.store = store, .arena = sw_arena_new(), .out = elimination, .thin = thin};

	*elimination = (sw_elimination){.given = choices->count};
	bool done = (net.arena != NULL || no_memory(&net)) && fill(&net, choices, link, own) && leave_all_out(&net);
	sw_heap_free(&net.next);
	sw_arena_free(net.arena);
	return done;
}

/* ---- reading back ---- */

/* What a value of the choice of step `at` costs where those that were left out later have theirs. */
static double cost_at(const sw_left_out *step, const int32_t *value, int32_t pick)
{
	double cost = step->own != NULL ? step->own[pick] : 0;

	for (int k = 0; k < step->others; k++)
		cost += step->turned[k] ? sw_link_cost(&step->to[k], value[step->other[k]], pick) :
								  sw_link_cost(&step->to[k], pick, value[step->other[k]]);
	return cost;
}

/* The cheapest value; behind `after` where that is one: the cheapest that comes later in the order of costs, then numbers. */
static int32_t pick_after(const sw_left_out *step, const int32_t *value, int32_t after, double *cost)
{
	double least = after < 0 ? 0 : cost_at(step, value, after);
	int32_t best = -1;

	*cost = INFINITY;
	for (int32_t v = 0; v < step->count; v++) {
		double mine = cost_at(step, value, v);

		if (mine >= *cost || (after >= 0 && (mine < least || (mine == least && v <= after))))
			continue;
		best = v;
		*cost = mine;
	}
	return best;
}

/* Steps below `at` follow.  false: none of the values can be. */
static bool read_back(const sw_elimination *e, int at, int32_t *value)
{
	double cost;

	for (int k = at - 1; k >= 0; k--) {
		int32_t pick = pick_after(&e->step[k], value, -1, &cost);

		if (pick < 0)
			return false;
		value[e->step[k].choice] = pick;
	}
	return true;
}

static bool push(sw_solutions *s, const sw_solution *solution)
{
	sw_solution *copy = SW_NEW(s->arena, sw_solution, 1);
	int k = s->count;

	if (copy == NULL || !SW_GROW(s->arena, s->heap, s->count, s->room, 64))
		return false;
	*copy = *solution;
	s->count++;
	for (; k > 0 && s->heap[(k - 1) / 2]->cost > copy->cost; k = (k - 1) / 2)
		s->heap[k] = s->heap[(k - 1) / 2];
	s->heap[k] = copy;
	return true;
}

static sw_solution *pop(sw_solutions *s)
{
	sw_solution *first = s->heap[0], *last = s->heap[--s->count];
	int k = 0;

	for (int child = 1; child < s->count; k = child, child = 2 * k + 1) {
		if (child + 1 < s->count && s->heap[child + 1]->cost < s->heap[child]->cost)
			child++;
		if (s->heap[child]->cost >= last->cost)
			break;
		s->heap[k] = s->heap[child];
	}
	s->heap[k] = last;
	return first;
}

/* The solution that differs from `base` at step `at`, where it takes the value after `after`. */
static bool push_after(sw_solutions *s, const sw_solution *base, int at, int32_t after, double cost)
{
	const sw_left_out *step = &s->elimination->step[at];
	double more;
	int32_t pick = pick_after(step, base->value, after, &more);

	if (pick < 0)
		return true;
	cost += more - cost_at(step, base->value, after);
	return push(s, &(sw_solution){cost, base, at, pick, NULL});
}

bool sw_solutions_begin(sw_solutions *s, const sw_elimination *elimination, sw_arena *arena)
{
	int32_t *value = SW_NEW(arena, int32_t, elimination->count);
	double cost = 0;

	*s = (sw_solutions){.elimination = elimination, .arena = arena};
	if (value == NULL)
		return false;
	if (!read_back(elimination, elimination->count, value))
		return true;
	for (int k = elimination->count - 1; k >= 0; k--)
		if (elimination->step[k].others == 0)
			cost += cost_at(&elimination->step[k], value, value[elimination->step[k].choice]);
	return push(s, &(sw_solution){cost, NULL, elimination->count, -1, value});
}

static bool fill_values(sw_solutions *s, sw_solution *solution)
{
	const sw_elimination *e = s->elimination;
	int32_t *value = SW_NEW(s->arena, int32_t, e->count);

	if (value == NULL)
		return false;
	memcpy(value, solution->from->value, (size_t)e->count * sizeof *value);
	value[e->step[solution->at].choice] = solution->pick;
	solution->value = value;
	return read_back(e, solution->at, value);
}

/* Those that differ from the latest one, and the one that differs from what it differs from at the same step. */
static bool push_others(sw_solutions *s)
{
	const sw_solution *latest = s->latest;
	int steps = latest == NULL ? 0 : latest->from != NULL ? latest->at : s->elimination->count;

	if (latest != NULL && latest->from != NULL &&
		!push_after(s, latest->from, latest->at, latest->pick, latest->cost))
		return false;
	for (int k = 0; k < steps; k++)
		if (!push_after(s, latest, k, latest->value[s->elimination->step[k].choice], latest->cost))
			return false;
	return true;
}

const sw_solution *sw_solutions_next(sw_solutions *s)
{
	if (!push_others(s) || s->count == 0)
		return NULL;
	sw_solution *solution = pop(s);
	s->latest = solution;
	return solution->value != NULL || fill_values(s, solution) ? solution : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over layouts: plans of slices, alltoalls and gathers that need no permutation.
 */
#include "axis_search.h"

#include <string.h>

#include "cost/model.h"
#include "astar.h"
#include "search/bound.h"
#include "rows.h"

/* A state while its edges are enumerated. */
struct state {
	uint8_t at[SW_MAX_DIMS][SW_MAX_FACTORS]; /* parts, major to minor */
	int length[SW_MAX_DIMS];
	int64_t tile[SW_MAX_DIMS];
	int64_t size;
	uint64_t used;
	bool sliced; /* in a normal form: only alltoalls and the way home follow */
};

struct search {
	const sw_space *space;
	const old_search_limits *limits;
	old_astar astar;
	int64_t tried; /* ways of popping and pushing, those that led nowhere too */
	sw_bound_rule rule;
	uint64_t all, anonymous; /* parts; parts that neither end uses */
	uint8_t to_at[SW_MAX_DIMS][SW_MAX_FACTORS];
	int32_t node;                         /* whose edges are being enumerated */
	int64_t before;                       /* its size */
	sw_op op;                             /* the kind of these edges */
	unsigned popped;                      /* dimensions that were popped from */
	enum { ANYWHERE, TOWARDS, HOME } aim; /* where an alltoall has to lead, see `aim_of` */
	bool arrived;                         /* and one was found that does: the others cost the same */
};

/* A key is: parts in the order of dimensions, then their number a dimension, then the phase. */
enum { PHASE_SLICE, PHASE_MOVE, PHASE_HOME };

static int64_t prime_of(const struct search *s, int part)
{
	return s->space->factors.at[part].prime;
}

static void write_key(const struct search *s, const struct state *st, int phase, uint8_t *key)
{
	int n = 0, parts = s->space->factors.count;

	for (int i = 0; i < s->space->rank; i++) {
		memcpy(key + n, st->at[i], (size_t)st->length[i]);
		n += st->length[i];
		key[parts + i] = (uint8_t)st->length[i];
	}
	memset(key + n, 0xff, (size_t)(parts - n));
	key[parts + s->space->rank] = (uint8_t)phase;
}

static int read_key(const struct search *s, const uint8_t *key, struct state *st)
{
	int n = 0, parts = s->space->factors.count;

	st->used = 0;
	st->size = 1;
	for (int i = 0; i < s->space->rank; i++) {
		st->length[i] = key[parts + i];
		st->tile[i] = s->space->problem->from.global[i];
		for (int k = 0; k < st->length[i]; k++) {
			st->at[i][k] = key[n++];
			st->used |= old_part_bit(st->at[i][k]);
			st->tile[i] /= prime_of(s, st->at[i][k]);
		}
		st->size *= st->tile[i];
	}
	st->sliced = key[parts + s->space->rank] != PHASE_SLICE;
	return key[parts + s->space->rank];
}

/* How far dimension `dim` agrees with `to`, from the major end. */
static int agreement(const struct search *s, const struct state *st, int dim)
{
	int n = 0, most = sw_layout_length(&s->space->to, dim);

	if (st->length[dim] < most)
		most = st->length[dim];
	while (n < most && st->at[dim][n] == s->to_at[dim][n])
		n++;
	return n;
}

/* Can slices alone continue dimension `dim`, which agrees so far, to what `to` has? */
static bool sliceable(const struct search *s, const struct state *st, int dim)
{
	if (st->sliced)
		return false;
	for (int k = st->length[dim]; k < sw_layout_length(&s->space->to, dim); k++)
		if ((st->used & old_part_bit(s->to_at[dim][k])) != 0)
			return false;
	return true;
}

static int64_t missing(const struct search *s, const struct state *st)
{
	int pushes = 0, pops = 0, both = 0;

	for (int i = 0; i < s->space->rank; i++) {
		int agreed = agreement(s, st, i);
		bool pop = st->length[i] > agreed, push = sw_layout_length(&s->space->to, i) > agreed;

		pops += pop;
		pushes += push && (!s->rule.normal || pop || !sliceable(s, st, i));
		both += pop && push;
	}
	if (!s->rule.normal)
		return sw_bound(&s->rule, 0, 0, st->size, st->sliced);
	int64_t bound = sw_bound(&s->rule, pushes, pops, st->size, st->sliced);
	if (bound != OLD_NEVER && both > 0 && s->limits->multi_dim)
		bound += st->sliced ? st->size : s->rule.floor_size; /* popped by one alltoall, pushed by a later one */
	return bound;
}

static bool live_allows(const struct search *s, int64_t before, int64_t after)
{
	return s->limits->live_budget == 0 || before + after <= s->limits->live_budget;
}

static void offer(struct search *s, const struct state *st, int phase)
{
	const old_astar_node *node = &s->astar.nodes[s->node];
	uint8_t key[SW_MAX_FACTORS + SW_MAX_DIMS + 1];
	bool again = s->op == SW_DYNSLICE && node->tag == SW_DYNSLICE;
	int64_t before = s->before;
	int64_t factor = s->op == SW_ALLGATHER ? st->size / before : 1;

	if (s->op == SW_ALLTOALL) {
		int64_t gathered = 1;

		for (int i = 0; i < s->space->rank; i++)
			if ((s->popped >> i & 1) != 0)
				gathered *= st->tile[i];
		for (int i = 0, n = 0; i < s->space->rank; n += node->key[s->space->factors.count + i], i++)
			if ((s->popped >> i & 1) != 0) {
				int64_t was = s->space->problem->from.global[i];

				for (int k = 0; k < node->key[s->space->factors.count + i]; k++)
					was /= prime_of(s, node->key[n + k]);
				gathered /= was;
			}
		factor = gathered;
	}
	s->astar.edges++;
	int64_t cost = node->cost + sw_model_move_cost(s->limits->model, s->op, before, st->size, factor);
	int64_t bound = missing(s, st);

	if (bound == OLD_NEVER || cost + bound >= s->limits->below || st->size > s->limits->budget ||
		!live_allows(s, again ? s->space->from_size : before, st->size))
		return;
	write_key(s, st, phase, key);
	old_astar_offer(&s->astar, key, cost, node->steps + !again, bound, s->node, s->op);
}

static bool is_home(const struct search *s, const struct state *st)
{
	for (int i = 0; i < s->space->rank; i++)
		if (agreement(s, st, i) < sw_layout_length(&s->space->to, i))
			return false;
	return true;
}

/* ---- edges ---- */

/* The parts of `pool` worth pushing: of those that are alike only the first. */
static uint64_t distinct(const struct search *s, uint64_t pool)
{
	uint64_t out = pool & ~s->anonymous;

	for (uint64_t rest = pool & s->anonymous; rest != 0; rest &= rest - 1) {
		int part = __builtin_ctzll(rest);
		bool first = true;

		for (uint64_t seen = out & s->anonymous; seen != 0; seen &= seen - 1)
			first = first && prime_of(s, __builtin_ctzll(seen)) != prime_of(s, part);
		if (first)
			out |= old_part_bit(part);
	}
	return out;
}

static void push(struct search *s, struct state *st, int dim, int part)
{
	st->at[dim][st->length[dim]++] = (uint8_t)part;
	st->tile[dim] /= prime_of(s, part);
	st->size /= prime_of(s, part);
	st->used |= old_part_bit(part);
}

static int pop(struct search *s, struct state *st, int dim)
{
	int part = st->at[dim][--st->length[dim]];

	st->tile[dim] *= prime_of(s, part);
	st->size *= prime_of(s, part);
	st->used &= ~old_part_bit(part);
	return part;
}

static bool exhausted(const struct search *s)
{
	return s->astar.edges + s->tried / 4 > s->limits->most_edges || s->astar.failed;
}

static bool enough(const struct search *s)
{
	return s->arrived || exhausted(s);
}

/* Where an alltoall from this state has to lead.  A dimension that neither end continues has to be popped by one alltoall and
 * pushed by a later one; so if this is the last one that is affordable it leads home, and if it is the last but one, to
 * where every dimension agrees with `to` as far as it goes.  A normal form of several dimensions ends with at most one
 * gather, of one price: any way home is as good as any other. */
static int aim_of(const struct search *s)
{
	int64_t gather = s->before < s->space->to_size ? s->space->to_size : 0;
	int64_t left = s->limits->below - 1 - s->astar.nodes[s->node].cost - gather;

	if (!s->rule.normal || !s->limits->multi_dim || left >= 3 * s->before)
		return ANYWHERE;
	return left >= 2 * s->before ? TOWARDS : HOME;
}

/* May dimension `dim` stay as it is, after what was popped from it? */
static bool stays_on_the_way(const struct search *s, const struct state *st, int dim)
{
	int agreed = agreement(s, st, dim), wanted = sw_layout_length(&s->space->to, dim);

	if (s->aim == ANYWHERE || agreed == wanted)
		return true;
	return agreed == st->length[dim] && (s->aim == TOWARDS || (s->popped >> dim & 1) == 0);
}

/* And may this part be pushed onto it? */
static bool leads_home(const struct search *s, const struct state *st, int dim, int part)
{
	int at = st->length[dim];

	return s->aim == ANYWHERE || at >= sw_layout_length(&s->space->to, dim) || s->to_at[dim][at] == part;
}

static void slices(struct search *s, struct state *st)
{
	uint64_t pool = distinct(s, s->all & ~st->used);

	s->op = SW_DYNSLICE;
	for (int i = 0; i < s->space->rank; i++)
		for (uint64_t rest = pool; rest != 0; rest &= rest - 1) {
			int part = __builtin_ctzll(rest);

			if (st->tile[i] % prime_of(s, part) != 0)
				continue;
			push(s, st, i, part);
			offer(s, st, PHASE_SLICE);
			pop(s, st, i);
		}
}

/* Pushes parts of the pool, of product `left` in all, onto dimensions from `dim` on (onto that one alone where only one
 * dimension may take part) and offers each outcome. */
static void pushes(struct search *s, struct state *st, int dim, bool alone, int64_t left, uint64_t pool)
{
	s->tried++;
	if (left == 1) {
		if (s->aim == HOME && !is_home(s, st))
			return;
		s->arrived = s->aim == HOME;
		offer(s, st, s->rule.normal ? PHASE_MOVE : PHASE_SLICE);
		return;
	}
	for (int j = dim; j < s->space->rank && !enough(s); j++) {
		if ((s->popped >> j & 1) != 0)
			continue;
		for (uint64_t rest = distinct(s, pool); rest != 0 && !enough(s); rest &= rest - 1) {
			int part = __builtin_ctzll(rest);

			if (left % prime_of(s, part) != 0 || st->tile[j] % prime_of(s, part) != 0 || !leads_home(s, st, j, part))
				continue;
			push(s, st, j, part);
			pushes(s, st, j, alone, left / prime_of(s, part), pool & ~old_part_bit(part));
			pop(s, st, j);
		}
		if (alone || (s->aim == HOME && agreement(s, st, j) < sw_layout_length(&s->space->to, j)))
			return;
	}
}

static void repush(struct search *s, struct state *st, int dim, const uint8_t *parts, int count)
{
	for (int k = count - 1; k >= 0; k--)
		push(s, st, dim, parts[k]);
}

/* Edges of one operation after some parts of product `factor` were popped. */
static void after_pops(struct search *s, struct state *st, int64_t factor)
{
	bool was = st->sliced;

	if (s->op == SW_ALLGATHER) {
		offer(s, st, PHASE_SLICE);
		return;
	}
	st->sliced = s->rule.normal;
	if (s->limits->multi_dim) {
		pushes(s, st, 0, false, factor, s->all & ~st->used);
	} else {
		for (int j = 0; j < s->space->rank; j++)
			if ((s->popped >> j & 1) == 0)
				pushes(s, st, j, true, factor, s->all & ~st->used);
	}
	st->sliced = was;
}

/* Pops minor-most parts of one dimension from `dim` on, or of several, in every way. */
static void pops(struct search *s, struct state *st, int dim, int64_t factor)
{
	uint8_t parts[SW_MAX_FACTORS];
	int count = 0;

	s->tried++;
	if (dim == s->space->rank) {
		if (s->popped != 0)
			after_pops(s, st, factor);
		return;
	}
	if (stays_on_the_way(s, st, dim))
		pops(s, st, dim + 1, factor);
	if (!s->limits->multi_dim && s->popped != 0)
		return;
	s->popped |= 1u << dim;
	while (st->length[dim] > 0 && !enough(s)) {
		parts[count] = (uint8_t)pop(s, st, dim);
		factor *= prime_of(s, parts[count]);
		count++;
		if (stays_on_the_way(s, st, dim))
			pops(s, st, dim + 1, factor);
	}
	repush(s, st, dim, parts, count);
	s->popped &= ~(1u << dim);
}

static void go_home(struct search *s, const struct state *st)
{
	const old_astar_node *node = &s->astar.nodes[s->node];
	uint8_t key[SW_MAX_FACTORS + SW_MAX_DIMS + 1];
	struct state home = {0};
	int steps;
	int64_t cost = node->cost + sw_gather_cost(&s->rule, s->space, st->tile, &steps);

	if (steps > 0 && (s->limits->without >> SW_ALLGATHER & 1) != 0)
		return;
	if (cost >= s->limits->below ||
		(steps > 0 &&
			!live_allows(s, s->limits->multi_dim ? st->size : s->space->to_size / s->rule.least_prime,
				s->space->to_size)))
		return;
	write_key(s, &home, PHASE_HOME, key);
	old_astar_offer(&s->astar, key, cost, node->steps + steps, 0, s->node, SW_ALLGATHER);
}

static void expand(struct search *s, struct state *st)
{
	unsigned without = s->limits->without;

	s->before = st->size;
	s->popped = 0;
	s->aim = ANYWHERE;
	s->arrived = false;
	if (is_home(s, st))
		go_home(s, st);
	if (!st->sliced && (without >> SW_DYNSLICE & 1) == 0)
		slices(s, st);
	if ((without >> SW_ALLTOALL & 1) == 0) {
		s->op = SW_ALLTOALL;
		s->aim = aim_of(s);
		pops(s, st, 0, 1);
	}
	if (!s->rule.normal && (without >> SW_ALLGATHER & 1) == 0) {
		s->op = SW_ALLGATHER;
		pops(s, st, 0, 1);
	}
}

/* ---- the way found ---- */

static void write_layout(const struct search *s, const uint8_t *key, sw_layout *layout)
{
	int n = 0, parts = s->space->factors.count;

	memcpy(layout->order, key, (size_t)parts);
	for (int i = 0; i < s->space->rank; i++) {
		layout->first[i] = n;
		n += key[parts + i];
	}
	layout->first[s->space->rank] = n;
}

static bool write_route(const struct search *s, int32_t goal, old_route *route)
{
	int32_t chain[OLD_MAX_HOPS];
	int n = 0;

	for (int32_t k = s->astar.nodes[goal].parent; s->astar.nodes[k].parent >= 0; k = s->astar.nodes[k].parent) {
		if (n == OLD_MAX_HOPS)
			return false;
		chain[n++] = k;
	}
	route->count = 0;
	while (n-- > 0) {
		sw_op op = (sw_op)s->astar.nodes[chain[n]].tag;
		bool again = op == SW_DYNSLICE && route->count > 0 && route->hop[route->count - 1].op == SW_DYNSLICE;
		old_hop *hop = &route->hop[again ? route->count - 1 : route->count++];

		hop->op = op;
		write_layout(s, s->astar.nodes[chain[n]].key, &hop->layout);
	}
	old_route_gather_home(s->space, s->limits->multi_dim, route);
	return true;
}

static void home_dimension(const sw_space *space, sw_layout *layout, unsigned dims)
{
	sw_layout out;
	int n = 0;

	for (int i = 0; i < space->rank; i++) {
		int keep = (dims >> i & 1) != 0 ? sw_layout_length(&space->to, i) : sw_layout_length(layout, i);

		out.first[i] = n;
		memcpy(out.order + n, layout->order + layout->first[i], (size_t)keep);
		n += keep;
	}
	out.first[space->rank] = n;
	*layout = out;
}

void old_route_gather_home(const sw_space *space, bool multi_dim, old_route *route)
{
	sw_layout layout = route->count > 0 ? route->hop[route->count - 1].layout : space->from;
	int64_t tile[SW_MAX_DIMS];

	sw_layout_tile(space, &space->factors, &layout, tile);
	for (;;) {
		unsigned dims = 0;
		int64_t least = INT64_MAX;

		for (int i = 0; i < space->rank; i++) {
			int64_t factor = space->problem->to.tile[i] / tile[i];

			if (factor > 1 && multi_dim)
				dims |= 1u << i;
			if (factor > 1 && !multi_dim && factor < least) {
				least = factor;
				dims = 1u << i;
			}
		}
		if (dims == 0 || route->count == OLD_MAX_HOPS)
			return;
		home_dimension(space, &layout, dims);
		sw_layout_tile(space, &space->factors, &layout, tile);
		route->hop[route->count].op = SW_ALLGATHER;
		route->hop[route->count++].layout = layout;
	}
}

static void search_init(struct search *s, const sw_space *space, const old_search_limits *limits)
{
	s->tried = 0;
	s->space = space;
	s->limits = limits;
	sw_bound_init(&s->rule, space, limits->model, limits->multi_dim, limits->without == 0);
	s->all = old_part_bits(space->factors.count);
	s->anonymous = s->all & ~sw_layout_used(&space->from, space->rank) & ~sw_layout_used(&space->to, space->rank);
	for (int i = 0; i < space->rank; i++)
		memcpy(s->to_at[i], space->to.order + space->to.first[i], (size_t)sw_layout_length(&space->to, i));
}

static void offer_start(struct search *s)
{
	struct state state, *st = &state;
	uint8_t key[SW_MAX_FACTORS + SW_MAX_DIMS + 1];

	memcpy(key, s->space->from.order, SW_MAX_FACTORS);
	for (int i = 0; i < s->space->rank; i++)
		key[s->space->factors.count + i] = (uint8_t)sw_layout_length(&s->space->from, i);
	key[s->space->factors.count + s->space->rank] = PHASE_SLICE;
	read_key(s, key, st);
	write_key(s, st, PHASE_SLICE, key);
	old_astar_offer(&s->astar, key, 0, 0, missing(s, st), -1, SW_OP_COUNT);
}

/* The goal is the state that is home; every other offers its edges. */
static bool visit(void *context, int32_t node)
{
	struct search *s = context;
	struct state st;

	if (read_key(s, s->astar.nodes[node].key, &st) == PHASE_HOME)
		return true;
	s->node = node;
	expand(s, &st);
	if (exhausted(s))
		s->astar.edges = s->limits->most_edges + 1;
	return false;
}

old_search_end old_axis_search(const sw_space *space, const old_search_limits *limits, sw_arena *arena,
	old_axis_result *result)
{
	struct search s;
	int32_t goal;

	search_init(&s, space, limits);
	if (!old_astar_init(&s.astar, arena, space->factors.count + space->rank + 1))
		return OLD_NO_MEMORY;
	offer_start(&s);
	old_search_end end = old_astar_run(&s.astar, visit, &s, limits->most_edges, limits->below, limits->pulse,
		"states", &goal, &result->floor);
	if (end == OLD_FOUND) {
		result->cost = s.astar.nodes[goal].cost;
		if (!write_route(&s, goal, &result->route))
			end = OLD_GAVE_UP;
	}
	old_astar_end(&s.astar);
	result->settled = s.astar.settled;
	result->seen = s.astar.count;
	result->edges = s.astar.edges;
	return end;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A* over local types, with a permutation to be paid once.
 */
#include "weak_permuted.h"

#include <string.h>

#include "cost/model.h"
#include "astar.h"
#include "search/bound.h"

/* How often each prime divides what a dimension is split by. */
typedef uint8_t split_counts[SW_MAX_DIMS][SW_MAX_PRIMES];

struct state {
	split_counts split;
	int used[SW_MAX_PRIMES];
	int64_t tile[SW_MAX_DIMS];
	int64_t size;
	bool sliced, paid;
};

struct search {
	const sw_space *space;
	const old_search_limits *limits;
	old_astar astar;
	int64_t tried; /* ways of popping and pushing, those that led nowhere too */
	sw_bound_rule rule;
	sw_primes primes;
	split_counts to;
	bool permute;
	int32_t node;
	int64_t before;
	int64_t gathered; /* factor of the alltoall being enumerated */
	unsigned popped;
};

enum { PHASE_SLICE, PHASE_MOVE, PHASE_HOME };
enum { KEY_ROOM = SW_MAX_DIMS * SW_MAX_PRIMES + 2 };

static int key_bytes(const struct search *s)
{
	return s->space->rank * s->primes.count + 2;
}

static void write_key(const struct search *s, const struct state *st, int phase, uint8_t *key)
{
	int n = 0;

	for (int i = 0; i < s->space->rank; i++)
		for (int q = 0; q < s->primes.count; q++)
			key[n++] = st->split[i][q];
	key[n++] = (uint8_t)phase;
	key[n] = st->paid;
}

static void shift(const struct search *s, struct state *st, int dim, int q, int by)
{
	int64_t prime = s->primes.prime[q];

	st->split[dim][q] = (uint8_t)(st->split[dim][q] + by);
	st->used[q] += by;
	for (; by > 0; by--) {
		st->tile[dim] /= prime;
		st->size /= prime;
	}
	for (; by < 0; by++) {
		st->tile[dim] *= prime;
		st->size *= prime;
	}
}

static void clear(const struct search *s, struct state *st)
{
	memset(st, 0, sizeof *st);
	st->size = 1;
	for (int i = 0; i < s->space->rank; i++) {
		st->tile[i] = s->space->problem->from.global[i];
		st->size *= st->tile[i];
	}
}

static int read_key(const struct search *s, const uint8_t *key, struct state *st)
{
	int n = 0;

	clear(s, st);
	for (int i = 0; i < s->space->rank; i++)
		for (int q = 0; q < s->primes.count; q++)
			shift(s, st, i, q, key[n++]);
	st->sliced = key[n] != PHASE_SLICE;
	st->paid = key[n + 1] != 0;
	return key[n];
}

static void count_splits(const struct search *s, const sw_prime_parts *factors, const sw_layout *layout,
	split_counts out)
{
	memset(out, 0, sizeof(split_counts));
	for (int i = 0; i < s->space->rank; i++)
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++)
			for (int q = 0; q < s->primes.count; q++)
				out[i][q] += s->primes.prime[q] == factors->at[layout->order[k]].prime;
}

/* In how many dimensions must prime `q` be pushed, after slices have served as many as they can? */
static int short_of(const struct search *s, const struct state *st, int q)
{
	int gaps[SW_MAX_DIMS], n = 0, spare = st->sliced ? 0 : s->primes.have[q] - st->used[q];

	for (int i = 0; i < s->space->rank; i++) {
		int gap = s->to[i][q] - st->split[i][q], k = n;

		if (gap <= 0)
			continue;
		for (n++; k > 0 && gaps[k - 1] > gap; k--)
			gaps[k] = gaps[k - 1];
		gaps[k] = gap;
	}
	int served = 0;
	while (served < n && gaps[served] <= spare)
		spare -= gaps[served++];
	return n - served;
}

static int64_t missing(const struct search *s, const struct state *st)
{
	int pushes = 0, pops = 0;

	for (int q = 0; q < s->primes.count; q++) {
		int n = short_of(s, st, q);

		if (n > pushes)
			pushes = n;
	}
	for (int i = 0; i < s->space->rank; i++)
		for (int q = 0; q < s->primes.count; q++)
			if (st->split[i][q] > s->to[i][q]) {
				pops++;
				break;
			}
	if (!s->rule.normal)
		pushes = pops = 0;
	int64_t bound = sw_bound(&s->rule, pushes, pops, st->size, st->sliced);
	if (bound != OLD_NEVER && s->permute && !st->paid)
		bound += st->sliced && s->rule.normal ? st->size : s->rule.floor_size;
	return bound;
}

static bool live_allows(const struct search *s, int64_t before, int64_t after)
{
	return s->limits->live_budget == 0 || before + after <= s->limits->live_budget;
}

static void offer(struct search *s, const struct state *st, sw_op op, int phase)
{
	const old_astar_node *node = &s->astar.nodes[s->node];
	uint8_t key[KEY_ROOM];
	bool again = op == SW_DYNSLICE && node->tag == SW_DYNSLICE;
	int64_t factor = op == SW_ALLGATHER ? st->size / s->before : s->gathered;
	s->astar.edges++;
	int64_t cost = node->cost + sw_model_move_cost(s->limits->model, op, s->before, st->size, factor);
	int64_t bound = missing(s, st);

	if (bound == OLD_NEVER || cost + bound >= s->limits->below || st->size > s->limits->budget ||
		!live_allows(s, again ? s->space->from_size : s->before, st->size))
		return;
	write_key(s, st, phase, key);
	old_astar_offer(&s->astar, key, cost, node->steps + !again, bound, s->node, op);
}

static bool exhausted(const struct search *s)
{
	return s->astar.edges + s->tried / 4 > s->limits->most_edges || s->astar.failed;
}

static void slices(struct search *s, struct state *st)
{
	for (int i = 0; i < s->space->rank; i++)
		for (int q = 0; q < s->primes.count; q++) {
			if (st->used[q] == s->primes.have[q] || st->tile[i] % s->primes.prime[q] != 0)
				continue;
			shift(s, st, i, q, 1);
			offer(s, st, SW_DYNSLICE, PHASE_SLICE);
			shift(s, st, i, q, -1);
		}
}

static int phase_of_moves(const struct search *s)
{
	return s->rule.normal ? PHASE_MOVE : PHASE_SLICE;
}

/* Gives the popped primes to dimensions from `dim` on, prime `q` on first, in every way (all to one dimension where only
 * one may take part), and offers each outcome. */
static void pushes(struct search *s, struct state *st, int dim, int q, bool alone, int *left, int open)
{
	s->tried++;
	if (open == 0) {
		offer(s, st, SW_ALLTOALL, phase_of_moves(s));
		return;
	}
	if (dim == s->space->rank || exhausted(s))
		return;
	if (q == s->primes.count || (s->popped >> dim & 1) != 0) {
		if (!alone)
			pushes(s, st, dim + 1, 0, alone, left, open);
		return;
	}
	int most = left[q], pushed = 0;

	if (!alone || most == 0)
		pushes(s, st, dim, q + 1, alone, left, open);
	while (pushed < most && st->tile[dim] % s->primes.prime[q] == 0) {
		shift(s, st, dim, q, 1);
		left[q]--;
		pushed++;
		if (!alone || pushed == most)
			pushes(s, st, dim, q + 1, alone, left, open - pushed);
	}
	shift(s, st, dim, q, -pushed);
	left[q] += pushed;
}

static void after_pops(struct search *s, struct state *st, sw_op op, int *left, int open)
{
	bool was = st->sliced;

	if (op == SW_ALLGATHER) {
		offer(s, st, SW_ALLGATHER, PHASE_SLICE);
		return;
	}
	st->sliced = s->rule.normal;
	if (s->limits->multi_dim) {
		pushes(s, st, 0, 0, false, left, open);
	} else {
		for (int j = 0; j < s->space->rank; j++)
			if ((s->popped >> j & 1) == 0)
				pushes(s, st, j, 0, true, left, open);
	}
	st->sliced = was;
}

/* Pops primes from `q` on of dimension `dim`, and of later dimensions where several may take part, in every way. */
static void pops(struct search *s, struct state *st, sw_op op, int dim, int q, bool here, int *left, int open)
{
	s->tried++;
	if (dim == s->space->rank || exhausted(s))
		return;
	if (q == s->primes.count) {
		if (here)
			after_pops(s, st, op, left, open);
		if (!here || s->limits->multi_dim)
			pops(s, st, op, dim + 1, 0, false, left, open);
		return;
	}
	int most = st->split[dim][q];
	int64_t gathered = s->gathered;
	unsigned popped = s->popped;

	pops(s, st, op, dim, q + 1, here, left, open);
	for (int n = 1; n <= most; n++) {
		shift(s, st, dim, q, -1);
		left[q]++;
		s->gathered *= s->primes.prime[q];
		s->popped |= 1u << dim;
		pops(s, st, op, dim, q + 1, true, left, open + n);
	}
	shift(s, st, dim, q, most);
	left[q] -= most;
	s->gathered = gathered;
	s->popped = popped;
}

static bool is_home(const struct search *s, const struct state *st)
{
	for (int i = 0; i < s->space->rank; i++)
		for (int q = 0; q < s->primes.count; q++)
			if (st->split[i][q] < s->to[i][q])
				return false;
	return st->paid || !s->permute;
}

static void go_home(struct search *s, const struct state *st)
{
	const old_astar_node *node = &s->astar.nodes[s->node];
	uint8_t key[KEY_ROOM];
	struct state home = {.paid = true};
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

static void pay(struct search *s, struct state *st)
{
	bool was = st->sliced;

	st->paid = true;
	st->sliced = s->rule.normal;
	offer(s, st, SW_ALLPERMUTE, phase_of_moves(s));
	st->paid = false;
	st->sliced = was;
}

static void expand(struct search *s, struct state *st)
{
	unsigned without = s->limits->without;
	int left[SW_MAX_PRIMES] = {0};

	s->before = st->size;
	s->popped = 0;
	s->gathered = 1;
	if (is_home(s, st))
		go_home(s, st);
	if (s->permute && !st->paid && (without >> SW_ALLPERMUTE & 1) == 0)
		pay(s, st);
	if (!st->sliced && (without >> SW_DYNSLICE & 1) == 0)
		slices(s, st);
	if ((without >> SW_ALLTOALL & 1) == 0)
		pops(s, st, SW_ALLTOALL, 0, 0, false, left, 0);
	if (!s->rule.normal && (without >> SW_ALLGATHER & 1) == 0)
		pops(s, st, SW_ALLGATHER, 0, 0, false, left, 0);
}

static void add_hop(old_weak_result *result, sw_op op, const int64_t *tile)
{
	bool again = op == SW_DYNSLICE && result->count > 0 && result->hop[result->count - 1].op == SW_DYNSLICE;

	if (!again && result->count == OLD_MAX_HOPS)
		return;
	old_weak_hop *hop = &result->hop[again ? result->count - 1 : result->count++];
	hop->op = op;
	memcpy(hop->tile, tile, sizeof hop->tile);
}

/* The gathers home are left out: they follow from the last tile and that of `to`. */
static bool write_path(const struct search *s, int32_t goal, old_weak_result *result)
{
	int32_t chain[OLD_MAX_HOPS * 2];
	struct state st;
	int n = 0;

	for (int32_t k = s->astar.nodes[goal].parent; s->astar.nodes[k].parent >= 0; k = s->astar.nodes[k].parent) {
		if (n == OLD_MAX_HOPS * 2)
			return false;
		chain[n++] = k;
	}
	result->count = 0;
	while (n-- > 0) {
		read_key(s, s->astar.nodes[chain[n]].key, &st);
		add_hop(result, (sw_op)s->astar.nodes[chain[n]].tag, st.tile);
	}
	return true;
}

static void offer_start(struct search *s)
{
	struct state state, *st = &state;
	uint8_t key[KEY_ROOM];
	split_counts from;

	count_splits(s, &s->space->factors, &s->space->from, from);
	clear(s, st);
	for (int i = 0; i < s->space->rank; i++)
		for (int q = 0; q < s->primes.count; q++)
			shift(s, st, i, q, from[i][q]);
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

old_search_end old_weak_search(const sw_space *space, const old_search_limits *limits, bool permute, sw_arena *arena,
	old_weak_result *result)
{
	struct search s = {.space = space, .limits = limits, .permute = permute};
	int32_t goal;

	sw_bound_init(&s.rule, space, limits->model, limits->multi_dim, limits->without == 0);
	sw_primes_of(&s.primes, &space->factors);
	count_splits(&s, &space->to_factors, &space->to, s.to);
	if (!old_astar_init(&s.astar, arena, key_bytes(&s)))
		return OLD_NO_MEMORY;
	offer_start(&s);
	old_search_end end = old_astar_run(&s.astar, visit, &s, limits->most_edges, limits->below, limits->pulse,
		"local types", &goal, &result->floor);
	if (end == OLD_FOUND) {
		result->cost = s.astar.nodes[goal].cost;
		if (!write_path(&s, goal, result))
			end = OLD_GAVE_UP;
	}
	old_astar_end(&s.astar);
	result->settled = s.astar.settled;
	result->seen = s.astar.count;
	result->edges = s.astar.edges;
	return end;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of local types with sums, solved from its goal.
 */
#include "search/to_go.h"

#include <string.h>

#include <shardwalk/number.h>

#include "cost/model.h"
#include "step/row.h"

enum {
	MOST_NODES = 1 << 16,
	MOST_INDEX = 1 << 20,
	MOST_PAIRED = 2048 /* nodes of which every pair is looked at */
};

/* ---- exponents ---- */

static int exponent_of(int64_t size, int64_t prime, int most)
{
	int n = 0;

	for (; n < most && size % prime == 0; size /= prime)
		n++;
	return n;
}

/* Counts, and where there is room keeps, the vectors that continue `vector` from a slot on. */
static void list_vectors(sw_exponents *of, int width, int slot, int left, uint8_t *vector)
{
	if (slot == width) {
		if (of->at != NULL)
			memcpy(of->at + (size_t)of->count * (size_t)width, vector, (size_t)width);
		of->count++;
		return;
	}
	for (int n = 0; n <= of->most[slot] && n <= left; n++) {
		vector[slot] = (uint8_t)n;
		list_vectors(of, width, slot + 1, left - n, vector);
	}
}

/* The vector with `more` at one slot and `also` at another (the same: only once); -1: there is none. */
static int32_t neighbour(const sw_exponents *of, int width, int32_t k, int slot, int more, int also)
{
	const uint8_t *at = of->at + (size_t)k * (size_t)width;
	int32_t key = 0;
	int total = 0;

	for (int i = 0; i < width; i++) {
		int n = at[i] + (i == slot ? more : 0) + (i == also && also != slot ? 1 : 0);

		if (n < 0 || n > of->most[i])
			return -1;
		key += n * of->weight[i];
		total += n;
	}
	return total > of->have ? -1 : of->index[key];
}

static bool fill_neighbours(sw_exponents *of, int width, sw_arena *arena)
{
	size_t count = (size_t)of->count * (size_t)width;

	of->up = SW_NEW(arena, int32_t, 3 * count);
	if (of->up == NULL)
		return false;
	of->down = of->up + count;
	of->pad = of->down + count;
	for (int32_t k = 0; k < of->count; k++)
		for (int i = 0; i < width; i++) {
			of->up[k * width + i] = neighbour(of, width, k, i, 1, i);
			of->down[k * width + i] = neighbour(of, width, k, i, -1, i);
			of->pad[k * width + i] = i < width - 1 ? neighbour(of, width, k, i, -1, width - 1) : -1;
		}
	return true;
}

/* false: memory; of->count is 0 where there are too many. */
static bool fill_exponents(sw_exponents *of, int width, sw_arena *arena)
{
	uint8_t vector[SW_MAX_DIMS + 1];
	int64_t room = 1;

	of->count = 0;
	of->at = NULL;
	for (int i = 0; i < width; i++) {
		of->weight[i] = (int32_t)room;
		room *= of->most[i] + 1;
		if (room > MOST_INDEX)
			return true;
	}
	list_vectors(of, width, 0, of->have, vector);
	of->at = SW_NEW(arena, uint8_t, (size_t)of->count * (size_t)width);
	of->index = SW_NEW(arena, int32_t, room);
	if (of->at == NULL || of->index == NULL)
		return false;
	of->count = 0;
	list_vectors(of, width, 0, of->have, vector);
	for (int32_t k = 0; k < of->count; k++) {
		int32_t key = 0;

		for (int i = 0; i < width; i++)
			key += of->at[k * width + i] * of->weight[i];
		of->index[key] = k;
	}
	return fill_neighbours(of, width, arena);
}

/* ---- nodes ---- */

static int64_t power(int64_t prime, int exponent)
{
	int64_t value = 1;

	while (exponent-- > 0)
		value *= prime;
	return value;
}

/* Fills sizes, and how much of the mesh each node uses: slices and zeros use more, pads leave dimensions. */
static void fill_nodes(sw_to_go *t, int64_t globalsize, int32_t *rank_of)
{
	for (int32_t n = 0; n < t->nodes; n++) {
		int used = 0, cut = 0;

		t->size[n] = globalsize;
		for (int q = 0; q < t->primes; q++)
			memcpy(&t->exponents[((int64_t)n * t->primes + q) * t->width],
				t->of[q].at + (int64_t)(n / t->of[q].stride % t->of[q].count) * t->width, (size_t)t->width);
		for (int q = 0; q < t->primes; q++)
			for (int i = 0; i < t->width; i++) {
				int e = sw_to_go_exponent(t, n, q, i);

				used += e;
				cut += i < t->rank ? e : 0;
				if (i < t->rank)
					t->size[n] /= power(t->of[q].prime, e);
			}
		rank_of[n] = (SW_MAX_FACTORS - used) * (SW_MAX_FACTORS + 1) + cut;
	}
}

static bool sort_nodes(sw_to_go *t, const int32_t *rank_of, sw_arena *arena)
{
	enum { RANKS = (SW_MAX_FACTORS + 1) * (SW_MAX_FACTORS + 1) };
	int32_t *begin = SW_NEW(arena, int32_t, RANKS + 1);

	if (begin == NULL)
		return false;
	memset(begin, 0, (RANKS + 1) * sizeof *begin);
	for (int32_t n = 0; n < t->nodes; n++)
		begin[rank_of[n] + 1]++;
	for (int r = 0; r < RANKS; r++)
		begin[r + 1] += begin[r];
	for (int32_t n = 0; n < t->nodes; n++)
		t->order[begin[rank_of[n]]++] = n;
	return true;
}

/* false: memory; t->nodes is 0 where there are too many. */
static bool make_nodes(sw_to_go *t, const sw_type *shape, sw_arena *arena)
{
	int64_t nodes = 1, groups = 1;

	t->nodes = 0;
	for (int q = 0; q < t->primes; q++) {
		t->weight[q] = (int32_t)groups;
		groups *= (t->of[q].have + 1) * (t->of[q].have + 1);
		if (groups > MOST_NODES)
			return true;
		if (!fill_exponents(&t->of[q], t->width, arena))
			return false;
		t->of[q].stride = (int32_t)nodes;
		nodes *= t->of[q].count;
		if (nodes == 0 || nodes > MOST_NODES)
			return true;
	}
	t->groups = (int32_t)groups;
	int32_t *rank_of = SW_NEW(arena, int32_t, nodes);
	t->size = SW_NEW(arena, int64_t, nodes);
	t->least = SW_NEW(arena, int64_t, t->groups);
	t->order = SW_NEW(arena, int32_t, nodes);
	t->cost[0] = SW_NEW(arena, int64_t, nodes);
	t->cost[1] = SW_NEW(arena, int64_t, nodes);
	t->exponents = SW_NEW(arena, uint8_t, nodes * t->primes * t->width);
	if (t->exponents == NULL || rank_of == NULL || t->size == NULL || t->least == NULL || t->order == NULL ||
		t->cost[0] == NULL || t->cost[1] == NULL)
		return false;
	t->nodes = (int32_t)nodes;
	fill_nodes(t, sw_type_globalsize(shape), rank_of);
	return sort_nodes(t, rank_of, arena);
}

int32_t sw_to_go_node(const sw_to_go *t, const sw_moves *m, const sw_row_draft *rows)
{
	int32_t key[SW_MAX_PRIMES] = {0}, node = 0;

	if (t->primes == 1) {
		for (int i = 0; i < t->rank; i++)
			key[0] += rows->length[i] * t->of[0].weight[i];
		key[0] += __builtin_popcountll(rows->summed) * t->of[0].weight[t->rank];
		return t->of[0].index[key[0]];
	}
	for (int i = 0; i <= t->rank; i++) {
		uint64_t summed = i == t->rank ? rows->summed : 0;
		int count = i == t->rank ? __builtin_popcountll(summed) : rows->length[i];

		for (int k = 0; k < count; k++, summed &= summed - 1) {
			int part = i == t->rank ? __builtin_ctzll(summed) : rows->at[i][k];
			int q = sw_to_go_prime(t, m->factor_of[part]);

			key[q] += t->of[q].weight[i];
		}
	}
	for (int q = 0; q < t->primes; q++)
		node += t->of[q].index[key[q]] * t->of[q].stride;
	return node;
}

/* `cut` of the parts of a prime cut dimensions, `summed` are summed. */
static int32_t group_part(const sw_to_go *t, int prime, int cut, int summed)
{
	return (summed * (t->of[prime].have + 1) + cut) * t->weight[prime];
}

int64_t sw_to_go_after_swap(const sw_to_go *t, const sw_moves *m)
{
	int cut[SW_MAX_PRIMES] = {0}, summed[SW_MAX_PRIMES] = {0};
	int32_t group = 0;

	for (int i = 0; i < t->rank; i++)
		for (int k = 0; k < m->before.length[i]; k++)
			cut[sw_to_go_prime(t, m->factor_of[m->before.at[i][k]])]++;
	for (uint64_t rest = m->before.summed; rest != 0; rest &= rest - 1)
		cut[sw_to_go_prime(t, m->factor_of[__builtin_ctzll(rest)])]++;
	for (uint64_t rest = m->now.summed; rest != 0; rest &= rest - 1)
		summed[sw_to_go_prime(t, m->factor_of[__builtin_ctzll(rest)])]++;
	for (int q = 0; q < t->primes; q++) {
		cut[q] -= summed[q];
		if (cut[q] > t->of[q].have)
			return SW_NEVER;
		group += group_part(t, q, cut[q], summed[q]);
	}
	return t->least[group];
}

/* ---- edges ---- */

static bool allows(const sw_to_go *t, sw_op op)
{
	return (t->without >> op & 1) == 0;
}

static int64_t cost_of(const sw_to_go *t, sw_op op, int64_t before, int64_t after, int64_t factor)
{
	return sw_model_move_cost(t->model, op, before * t->scale, after * t->scale, factor);
}

/* What changes between two nodes. */
typedef struct change {
	int pops, pushes;         /* dimensions */
	int64_t popped, pushed;   /* factors */
	int64_t finished, opened; /* factors of the sums */
	bool mixed;               /* a dimension is popped and pushed */
} change;

static void compare(const sw_to_go *t, int32_t before, int32_t after, change *c)
{
	*c = (change){.popped = 1, .pushed = 1, .finished = 1, .opened = 1};
	for (int i = 0; i < t->width; i++) {
		int64_t up = 1, down = 1;

		for (int q = 0; q < t->primes; q++) {
			int more = sw_to_go_exponent(t, after, q, i) - sw_to_go_exponent(t, before, q, i);

			up *= power(t->of[q].prime, more);
			down *= power(t->of[q].prime, -more);
		}
		c->mixed = c->mixed || (up > 1 && down > 1);
		if (i == t->rank) {
			c->opened = up;
			c->finished = down;
			return;
		}
		c->pushed *= up;
		c->popped *= down;
		c->pushes += up > 1;
		c->pops += down > 1;
	}
}

static sw_op op_that_sums(const sw_to_go *t, const change *c)
{
	if (c->opened > 1) {
		if (c->finished > 1 || c->pushes > 0)
			return SW_OP_COUNT;
		if (c->pops == 0)
			return SW_ZEROS;
		return c->popped == c->opened && (t->multi_dim || c->pops == 1) ? SW_PAD : SW_OP_COUNT;
	}
	if (c->pushes == 0)
		return c->pops == 0 ? SW_ALLREDUCE : SW_OP_COUNT;
	if (c->pushed != c->popped * c->finished || (!t->multi_dim && (c->pops > 0 || c->pushes > 1)))
		return SW_OP_COUNT;
	return SW_REDUCESCATTER;
}

static sw_op op_of(const sw_to_go *t, const change *c)
{
	if (c->mixed)
		return SW_OP_COUNT;
	if (c->opened > 1 || c->finished > 1)
		return op_that_sums(t, c);
	if (c->pops == 0)
		return c->pushes > 0 ? SW_DYNSLICE : SW_OP_COUNT;
	if (!t->multi_dim && (c->pops > 1 || c->pushes > 1))
		return SW_OP_COUNT;
	return c->pushes == 0 ? SW_ALLGATHER : c->popped == c->pushed ? SW_ALLTOALL : SW_OP_COUNT;
}

sw_op sw_to_go_edge(const sw_to_go *t, int32_t before, int32_t after, int64_t *cost)
{
	change c;

	compare(t, before, after, &c);
	sw_op op = op_of(t, &c);
	if (op == SW_OP_COUNT || !allows(t, op))
		return SW_OP_COUNT;
	*cost = cost_of(t, op, t->size[before], t->size[after], c.finished * c.popped);
	return op;
}

/* ---- shortest paths ---- */

static bool lower(int64_t *cost, int64_t other)
{
	if (other >= *cost)
		return false;
	*cost = other;
	return true;
}

static int32_t neighbour_of(const sw_to_go *t, int32_t node, int prime, const int32_t *table, int slot)
{
	const sw_exponents *of = &t->of[prime];
	int32_t k = node / of->stride % of->count, other = table[k * t->width + slot];

	return other < 0 ? -1 : node + (other - k) * of->stride;
}

/* Slices, zeros and pads cost nothing. */
static bool over_local_steps(const sw_to_go *t, int64_t *cost)
{
	bool changed = false;

	for (int32_t at = 0; at < t->nodes; at++) {
		int32_t n = t->order[at];

		if (t->size[n] > t->budget)
			continue;
		for (int q = 0; q < t->primes; q++)
			for (int i = 0; i < t->width; i++) {
				int32_t up = allows(t, i < t->rank ? SW_DYNSLICE : SW_ZEROS) ? neighbour_of(t, n, q, t->of[q].up, i) :
																			   -1;
				int32_t pad = i < t->rank && allows(t, SW_PAD) ? neighbour_of(t, n, q, t->of[q].pad, i) : -1;

				if (up >= 0)
					changed |= lower(&cost[n], cost[up]);
				if (pad >= 0)
					changed |= lower(&cost[n], cost[pad]);
			}
	}
	return changed;
}

/* The cheapest nodes of each number of parts that cut and that are summed; alltoalls stay among them, and reduce-scatters lead
 * from one more sum to one more cut. */
typedef struct groups {
	int64_t *least, *summed; /* of a group; and of those that reduce-scatters lead to from it */
	int64_t *below;          /* of nodes: what allreduces, or gathers, lead to */
} groups;

static int32_t group_of(const sw_to_go *t, int32_t node)
{
	int32_t group = 0;

	for (int q = 0; q < t->primes; q++) {
		int cut = 0;

		for (int i = 0; i < t->rank; i++)
			cut += sw_to_go_exponent(t, node, q, i);
		group += group_part(t, q, cut, sw_to_go_exponent(t, node, q, t->rank));
	}
	return group;
}

static void fill_least(const sw_to_go *t, int64_t *least, const int64_t *cost)
{
	for (int32_t k = 0; k < t->groups; k++)
		least[k] = SW_NEVER;
	for (int32_t n = 0; n < t->nodes; n++)
		lower(&least[group_of(t, n)], cost[n]);
}

static void fill_groups(const sw_to_go *t, groups *g, const int64_t *cost)
{
	fill_least(t, g->least, cost);
	for (int32_t k = 0; k < t->groups; k++) {
		g->summed[k] = SW_NEVER;
		for (int q = 0; q < t->primes; q++) {
			int have = t->of[q].have, own = k / t->weight[q] % ((have + 1) * (have + 1));

			if (own / (have + 1) == 0 || own % (have + 1) == have)
				continue;
			int32_t other = k - have * t->weight[q];
			lower(&g->summed[k], g->least[other]);
			lower(&g->summed[k], g->summed[other]);
		}
	}
}

static bool over_groups(const sw_to_go *t, groups *g, int64_t *cost)
{
	bool changed = false;

	fill_groups(t, g, cost);
	for (int32_t n = 0; n < t->nodes; n++) {
		int32_t k = group_of(t, n);
		int64_t middle = cost_of(t, SW_ALLTOALL, t->size[n], t->size[n], 2);

		if (t->size[n] > t->budget)
			continue;
		if (allows(t, SW_ALLTOALL))
			changed |= lower(&cost[n], sw_cost_plus(middle, g->least[k]));
		if (allows(t, SW_REDUCESCATTER))
			changed |= lower(&cost[n],
				sw_cost_plus(cost_of(t, SW_REDUCESCATTER, t->size[n], t->size[n], 2), g->summed[k]));
	}
	return changed;
}

/* Gathers and allreduces lead to nodes that use less of the mesh. */
static bool over_less(const sw_to_go *t, groups *g, int64_t *cost, bool sums)
{
	bool changed = false;

	for (int32_t at = t->nodes - 1; at >= 0; at--) {
		int32_t n = t->order[at];

		g->below[n] = SW_NEVER;
		for (int q = 0; q < t->primes; q++)
			for (int i = sums ? t->rank : 0; i < (sums ? t->width : t->rank); i++) {
				int32_t less = neighbour_of(t, n, q, t->of[q].down, i);

				if (less < 0)
					continue;
				lower(&g->below[n], g->below[less]);
				lower(&g->below[n],
					sw_cost_plus(cost[less], sums ? 0 : cost_of(t, SW_ALLGATHER, 0, t->size[less], 1)));
			}
	}
	for (int32_t n = 0; n < t->nodes; n++)
		if (t->size[n] <= t->budget)
			changed |= lower(&cost[n],
				sw_cost_plus(g->below[n], sums ? cost_of(t, SW_ALLREDUCE, t->size[n], t->size[n], 2) : 0));
	return changed;
}

static void by_groups(const sw_to_go *t, groups *g, int64_t *cost)
{
	bool changed = true;

	while (changed) {
		changed = over_local_steps(t, cost);
		changed |= over_groups(t, g, cost);
		changed |= allows(t, SW_ALLREDUCE) && over_less(t, g, cost, true);
		changed |= allows(t, SW_ALLGATHER) && over_less(t, g, cost, false);
	}
}

/* The cheapest node that has not been settled; -1: none is left. */
static int32_t cheapest(const sw_to_go *t, const int64_t *cost, const bool *settled)
{
	int32_t best = -1;

	for (int32_t n = 0; n < t->nodes; n++)
		if (!settled[n] && cost[n] != SW_NEVER && (best < 0 || cost[n] < cost[best]))
			best = n;
	return best;
}

static void by_pairs(const sw_to_go *t, bool *settled, int64_t *cost)
{
	int32_t after;

	memset(settled, 0, (size_t)t->nodes * sizeof *settled);
	while ((after = cheapest(t, cost, settled)) >= 0) {
		settled[after] = true;
		for (int32_t n = 0; n < t->nodes; n++) {
			int64_t edge;

			if (!settled[n] && t->size[n] <= t->budget && sw_to_go_edge(t, n, after, &edge) != SW_OP_COUNT)
				lower(&cost[n], sw_cost_plus(cost[after], edge));
		}
	}
}

/* Lowers what stands in `cost`, of which some are known, to what paths that end there cost.  false: memory. */
static bool solve(sw_to_go *t, int64_t *cost, sw_arena *arena)
{
	groups g;

	if (t->exact && (t->primes > 1 || !t->multi_dim || t->model != SW_MODEL_PAPER)) {
		bool *settled = SW_NEW(arena, bool, t->nodes);

		if (settled != NULL)
			by_pairs(t, settled, cost);
		return settled != NULL;
	}
	g.least = SW_NEW(arena, int64_t, t->groups);
	g.summed = SW_NEW(arena, int64_t, t->groups);
	g.below = SW_NEW(arena, int64_t, t->nodes);
	if (g.least == NULL || g.summed == NULL || g.below == NULL)
		return false;
	by_groups(t, &g, cost);
	return true;
}

static bool solve_both(sw_to_go *t, sw_arena *arena)
{
	for (int32_t n = 0; n < t->nodes; n++)
		t->cost[0][n] = n == t->to ? 0 : SW_NEVER;
	if (!solve(t, t->cost[0], arena))
		return false;
	fill_least(t, t->least, t->cost[0]);
	for (int32_t n = 0; n < t->nodes; n++)
		t->cost[1][n] = t->size[n] <= t->budget && allows(t, SW_ALLPERMUTE) ?
			sw_cost_plus(t->cost[0][n], cost_of(t, SW_ALLPERMUTE, t->size[n], t->size[n], 1)) :
			SW_NEVER;
	return solve(t, t->cost[1], arena);
}

static int32_t node_of_layout(const sw_to_go *t, const sw_prime_parts *factors, const sw_layout *layout)
{
	int32_t key[SW_MAX_PRIMES] = {0}, node = 0;

	for (int i = 0; i <= t->rank; i++) {
		uint64_t parts = i == t->rank ? layout->summed : 0;

		for (int k = i < t->rank ? layout->first[i] : 0; i < t->rank && k < layout->first[i + 1]; k++)
			parts |= sw_part_bit(layout->order[k]);
		for (; parts != 0; parts &= parts - 1) {
			int q = sw_to_go_prime(t, factors->at[__builtin_ctzll(parts)].prime);

			key[q] += t->of[q].weight[i];
		}
	}
	for (int q = 0; q < t->primes; q++)
		node += t->of[q].index[key[q]] * t->of[q].stride;
	return node;
}

bool sw_to_go_init(sw_to_go *t, const sw_space *space, const sw_search_limits *limits, sw_arena *arena)
{
	const sw_type *shape = &space->problem->from;
	sw_primes primes;

	sw_primes_of(&primes, &space->factors);
	*t = (sw_to_go){.rank = space->rank,
		.width = space->rank + 1,
		.primes = primes.count,
		.multi_dim = limits->multi_dim,
		.model = limits->model,
		.without = limits->without,
		.budget = limits->budget,
		.scale = limits->scale};
	for (int q = 0; q < t->primes; q++) {
		t->of[q].prime = primes.prime[q];
		t->of[q].have = t->of[q].most[t->rank] = primes.have[q];
		for (int i = 0; i < t->rank; i++)
			t->of[q].most[i] = exponent_of(shape->global[i], primes.prime[q], primes.have[q]);
	}
	if (!make_nodes(t, shape, arena))
		return false;
	if (t->nodes == 0)
		return true;
	t->exact = t->nodes <= MOST_PAIRED || (t->primes == 1 && t->multi_dim && t->model == SW_MODEL_PAPER);
	t->from = node_of_layout(t, &space->factors, &space->from);
	t->to = node_of_layout(t, &space->to_factors, &space->to);
	return solve_both(t, arena);
}

/* ---- paths ---- */

enum { MOST_COUNTED = 320 }; /* nodes of which the fewest steps to the goal are counted */

/* Shortest paths from `to_go->from`, step by step. */
typedef struct pathway {
	const sw_to_go *to_go;
	int16_t *
		steps; /* to the goal, by node and whether a permutation is on the way; 0: not counted yet; NULL: not counted */
} pathway;

/* Where a step stands in a path, first to last. */
static int turn_of(sw_op op)
{
	static const int turns[SW_COLLECTIVES] = {[SW_ZEROS] = 1,
		[SW_ALLTOALL] = 2,
		[SW_REDUCESCATTER] = 2,
		[SW_ALLPERMUTE] = 3,
		[SW_ALLREDUCE] = 4,
		[SW_ALLGATHER] = 5,
		[SW_PAD] = 6};

	return turns[op];
}

/* Does a shortest path go from `before` to `after` at once?  Then *step is that step. */
static bool leads_on(const sw_to_go *t, bool permuted, int32_t before, int32_t after, sw_to_go_step *step)
{
	const int64_t *cost = t->cost[permuted];
	int64_t edge;

	if (after == before || cost[after] > cost[before] || t->size[after] > t->budget)
		return false;
	*step = (sw_to_go_step){sw_to_go_edge(t, before, after, &edge), after};
	return step->op != SW_OP_COUNT && sw_cost_plus(cost[after], edge) == cost[before];
}

static bool may_permute(const sw_to_go *t, int32_t node)
{
	return t->cost[1][node] != SW_NEVER && t->cost[0][node] != SW_NEVER &&
		t->cost[1][node] ==
		sw_cost_plus(t->cost[0][node], cost_of(t, SW_ALLPERMUTE, t->size[node], t->size[node], 1));
}

static int count_steps(pathway *p, int32_t node, bool permuted)
{
	const sw_to_go *t = p->to_go;
	int16_t *own = &p->steps[2 * node + permuted];
	int best = INT16_MAX;
	sw_to_go_step step;

	if (node == t->to && !permuted)
		return 0;
	if (*own != 0)
		return *own;
	if (permuted && may_permute(t, node))
		best = 1 + count_steps(p, node, false);
	for (int32_t after = 0; after < t->nodes; after++)
		if (leads_on(t, permuted, node, after, &step)) {
			int steps = 1 + count_steps(p, after, permuted);

			best = steps < best ? steps : best;
		}
	*own = (int16_t)best;
	return best;
}

/* The step to take next: of those with which the fewest steps are left the one that stands first in a path. */
static bool next_step(pathway *p, int32_t node, bool permuted, sw_to_go_step *step)
{
	const sw_to_go *t = p->to_go;
	int fewest = INT16_MAX;
	sw_to_go_step other;

	step->op = SW_OP_COUNT;
	if (!permuted && leads_on(t, false, node, t->to, step))
		return true;
	step->op = SW_OP_COUNT;
	if (permuted && may_permute(t, node)) {
		*step = (sw_to_go_step){SW_ALLPERMUTE, node};
		fewest = p->steps != NULL ? count_steps(p, node, false) : 0;
	}
	for (int32_t after = 0; after < t->nodes; after++) {
		if (!leads_on(t, permuted, node, after, &other))
			continue;
		int steps = p->steps != NULL ? count_steps(p, after, permuted) : 0;
		if (steps > fewest || (steps == fewest && step->op != SW_OP_COUNT && turn_of(other.op) >= turn_of(step->op)))
			continue;
		fewest = steps;
		*step = other;
	}
	return step->op != SW_OP_COUNT;
}

/* Steps that leave devices to themselves are one where one edge leads past both. */
static void join_last(const sw_to_go *t, sw_to_go_step *steps, int *count)
{
	sw_to_go_step *last = &steps[*count - 1];
	int32_t before = *count > 2 ? last[-2].node : t->from;
	int64_t edge;

	if (*count < 2 || last[-1].op != last->op || !sw_is_one_with(last->op, last->op) ||
		sw_to_go_edge(t, before, last->node, &edge) != last->op)
		return;
	last[-1] = *last;
	(*count)--;
}

bool sw_to_go_path(const sw_to_go *t, bool permuted, sw_arena *arena, sw_to_go_step steps[SW_TO_GO_STEPS], int *count)
{
	pathway p = {.to_go = t};
	int32_t node = t->from;

	*count = 0;
	if (t->nodes == 0 || !t->exact || t->cost[permuted][node] == SW_NEVER)
		return false;
	if (t->nodes <= MOST_COUNTED)
		p.steps = SW_NEW_ZERO(arena, int16_t, 2 * t->nodes);
	while ((permuted || node != t->to) && *count < SW_TO_GO_STEPS) {
		sw_to_go_step *step = &steps[(*count)++];

		if (!next_step(&p, node, permuted, step))
			return false;
		permuted = permuted && step->op != SW_ALLPERMUTE;
		node = step->node;
		join_last(t, steps, count);
	}
	return node == t->to && !permuted;
}

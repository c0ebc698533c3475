/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The edges out of a node of the graph of local types, in a fixed order, and why others may not be taken.  See local.h.
 */
#include "search/local.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cost/model.h"
#include "step/row.h"

#define LOCAL_REASON_SIZE 120
#define LOCAL_MAX_REFUSED 64 /* smallest refused factors along the same dimensions */

typedef struct edge_walk {
	const sw_local *local;
	const sw_divisors *factors;
	const uint8_t *key;
	int64_t size;
	bool refused;
	local_visit *visit;
	void *context;
	int spare[LOCAL_MAX_PRIMES]; /* exponents that the mesh has left */
	local_key after;
	char why[LOCAL_REASON_SIZE];
} edge_walk;

/* Along which dimensions: -1 where the operation has none. */
typedef struct edge_way {
	sw_op op;
	int gather, split;
} edge_way;

/* Along a dimension each, of those that it has. */
static edge_way way_along(sw_op op, int gather, int split)
{
	return (edge_way){op, sw_row(op)->gathers ? gather : -1, sw_row(op)->splits ? split : -1};
}

static int64_t edge_tile(const edge_walk *walk, int dim)
{
	return walk->local->global[dim] / sw_local_product(walk->local, walk->key + dim * walk->local->primes);
}

static bool edge_gathers(const edge_walk *walk, int dim, const uint8_t *factor)
{
	const uint8_t *has = walk->key + dim * walk->local->primes;

	for (int p = 0; p < walk->local->primes; p++)
		if (factor[p] > has[p])
			return false;
	return true;
}

static bool edge_splits(const edge_walk *walk, int dim, const uint8_t *factor)
{
	const uint8_t *has = walk->key + dim * walk->local->primes, *most = walk->local->most + dim * walk->local->primes;

	for (int p = 0; p < walk->local->primes; p++)
		if (factor[p] > most[p] - has[p])
			return false;
	return true;
}

static bool edge_spare(const edge_walk *walk, const uint8_t *factor)
{
	for (int p = 0; p < walk->local->primes; p++)
		if (factor[p] > walk->spare[p])
			return false;
	return true;
}

static bool edge_fits(const edge_walk *walk, sw_op op, int64_t factor)
{
	return !sw_only_gathers(op) || factor <= walk->local->budget / walk->size;
}

static bool edge_allowed(const edge_walk *walk, edge_way way, int64_t value, const uint8_t *factor)
{
	if (walk->local->without >> way.op & 1)
		return false;
	if (way.gather >= 0 && !edge_gathers(walk, way.gather, factor))
		return false;
	if (way.gather < 0 && !edge_spare(walk, factor))
		return false;
	if (way.split >= 0 && !edge_splits(walk, way.split, factor))
		return false;
	return edge_fits(walk, way.op, value);
}

/* Why an edge is not allowed: the first premise that fails. */
static void edge_explain(edge_walk *walk, edge_way way, int64_t value, const uint8_t *factor)
{
	const sw_local *local = walk->local;
	int64_t parts = way.gather < 0 ? 0 : local->global[way.gather] / edge_tile(walk, way.gather);
	char *why = walk->why;

	if (local->without >> way.op & 1)
		snprintf(why, LOCAL_REASON_SIZE, "%s is forbidden here", sw_collective_of(way.op)->name);
	else if (way.gather >= 0 && parts == 1)
		snprintf(why, LOCAL_REASON_SIZE, "dimension %d is not partitioned", way.gather);
	else if (way.gather >= 0 && !edge_gathers(walk, way.gather, factor))
		snprintf(why, LOCAL_REASON_SIZE,
			"dimension %d is split into %" PRId64 " tiles, which is not divisible by %" PRId64, way.gather, parts,
			value);
	else if (way.split >= 0 && edge_tile(walk, way.split) % value)
		snprintf(why, LOCAL_REASON_SIZE, "local size %" PRId64 " of dimension %d is not divisible by %" PRId64,
			edge_tile(walk, way.split), way.split, value);
	else if (way.gather < 0)
		snprintf(why, LOCAL_REASON_SIZE, "the mesh has no more factor %" PRId64 " to slice by", value);
	else
		sw_local_above(local, walk->size * value, why, LOCAL_REASON_SIZE);
}

static void edge_change(edge_walk *walk, int dim, const uint8_t *factor, int sign)
{
	for (int p = 0; dim >= 0 && p < walk->local->primes; p++)
		walk->after[dim * walk->local->primes + p] += (uint8_t)(sign * factor[p]);
}

static bool edge_give(edge_walk *walk, edge_way way, int64_t factor, int64_t summed)
{
	local_edge edge = {
		.op = way.op,
		.gather_factor = way.gather >= 0 ? factor : 1,
		.split_factor = way.split >= 0 ? factor : 1,
		.before = walk->key,
		.after = walk->after,
		.terms = summed,
	};
	edge.size = summed > 0 ? walk->size / summed : walk->size / edge.split_factor * edge.gather_factor;
	edge.cost = sw_local_cost(walk->local, way.op, walk->size, edge.size, factor);
	return walk->visit(walk->context, &edge);
}

/* Does a divisor of the factor stand among those refused? */
static bool edge_known_refused(const int64_t *refused, int count, int64_t value)
{
	for (int k = 0; k < count; k++)
		if (value % refused[k] == 0)
			return true;
	return false;
}

/* A refused edge need not lead to a node: its end is told by the move's effect on the tile sizes, see
 * sw_walk_edges. */
static bool edge_refuse(edge_walk *walk, edge_way way, int64_t value, const uint8_t *factor)
{
	local_edge edge = {
		.op = way.op,
		.gather_factor = way.gather >= 0 ? value : 1,
		.split_factor = way.split >= 0 ? value : 1,
		.gather_dim = way.gather,
		.split_dim = way.split,
		.before = walk->key,
		.why = walk->why,
	};
	edge_explain(walk, way, value, factor);
	return walk->visit(walk->context, &edge);
}

static bool edge_along(edge_walk *walk, edge_way way)
{
	const sw_divisors *factors = walk->factors;
	int64_t refused[LOCAL_MAX_REFUSED];
	int count = 0;

	for (int k = 0; k < factors->count; k++) {
		const uint8_t *factor = factors->exponents + k * walk->local->primes;
		int64_t value = factors->value[k];

		if (edge_allowed(walk, way, value, factor)) {
			edge_change(walk, way.gather, factor, -1);
			edge_change(walk, way.split, factor, 1);
			bool go_on = edge_give(walk, way, value, 0);
			edge_change(walk, way.split, factor, -1);
			edge_change(walk, way.gather, factor, 1);
			if (!go_on)
				return false;
		} else if (walk->refused && count < LOCAL_MAX_REFUSED && !edge_known_refused(refused, count, value)) {
			refused[count++] = value;
			if (!edge_refuse(walk, way, value, factor))
				return false;
		}
	}
	return true;
}

static bool edge_one(edge_walk *walk, sw_op op)
{
	int rank = walk->local->rank;

	for (int i = 0; i < rank; i++) {
		if (!sw_swaps(op)) {
			if (!edge_along(walk, way_along(op, i, i)))
				return false;
			continue;
		}
		for (int j = 0; j < rank; j++)
			if (j != i && !edge_along(walk, way_along(op, i, j)))
				return false;
	}
	return true;
}

/* ---- several dimensions at once ---- */

/* What is chosen so far, dimension by dimension. */
typedef struct edge_choice {
	edge_way way; /* of its dimensions only whether it has them counts */
	int entries;
	int balance[LOCAL_MAX_PRIMES]; /* gathered less split */
	int64_t factor;                /* of the gathered or, of a dynslice, the split dimensions */
	int64_t summed;                /* of the sums that it finishes; 0: none */
	int gather_left[SW_MAX_DIMS + 1]
				   [LOCAL_MAX_PRIMES];                 /* exponents that this dimension and later ones can give ... */
	int split_left[SW_MAX_DIMS + 1][LOCAL_MAX_PRIMES]; /* ... or take */
} edge_choice;

static bool edge_choose(edge_walk *walk, edge_choice *choice, int dim);

/* Can the dimensions from `dim` on bring gathered and split factors into balance? */
static bool edge_hopeful(const edge_walk *walk, const edge_choice *choice, int dim)
{
	for (int p = 0; (sw_swaps(choice->way.op) || choice->summed > 0) && p < walk->local->primes; p++)
		if (choice->balance[p] > choice->split_left[dim][p] || -choice->balance[p] > choice->gather_left[dim][p])
			return false;
	for (int p = 0; choice->way.gather < 0 && choice->summed == 0 && p < walk->local->primes; p++)
		if (-choice->balance[p] > walk->spare[p])
			return false;
	return true;
}

static bool edge_choose_factor(edge_walk *walk, edge_choice *choice, int dim, int sign)
{
	const sw_divisors *factors = walk->factors;
	bool go_on = true;

	for (int k = 0; go_on && k < factors->count; k++) {
		const uint8_t *factor = factors->exponents + k * walk->local->primes;
		if (sign < 0 ? !edge_gathers(walk, dim, factor) : !edge_splits(walk, dim, factor))
			continue;
		int64_t before = choice->factor;
		bool counts = sign < 0 || (choice->way.gather < 0 && choice->summed == 0);
		if (counts &&
			(__builtin_mul_overflow(before, factors->value[k], &choice->factor) ||
				!edge_fits(walk, choice->way.op, choice->factor))) {
			choice->factor = before;
			continue;
		}
		for (int p = 0; p < walk->local->primes; p++)
			choice->balance[p] -= sign * factor[p];
		choice->entries++;
		edge_change(walk, dim, factor, sign);
		go_on = edge_choose(walk, choice, dim + 1);
		edge_change(walk, dim, factor, -sign);
		choice->entries--;
		for (int p = 0; p < walk->local->primes; p++)
			choice->balance[p] += sign * factor[p];
		choice->factor = before;
	}
	return go_on;
}

static bool edge_choose(edge_walk *walk, edge_choice *choice, int dim)
{
	if (!edge_hopeful(walk, choice, dim))
		return true;
	if (dim == walk->local->rank) {
		bool one = choice->entries <= (sw_swaps(choice->way.op) ? 2 : 1);
		return one || edge_give(walk, choice->way, choice->factor, choice->summed);
	}
	if (!edge_choose(walk, choice, dim + 1))
		return false;
	if ((choice->way.gather >= 0 || choice->summed > 0) && !edge_choose_factor(walk, choice, dim, -1))
		return false;
	return choice->way.split < 0 || edge_choose_factor(walk, choice, dim, 1);
}

/* What later dimensions can give and take. */
static void edge_left(const edge_walk *walk, edge_choice *choice)
{
	const sw_local *local = walk->local;

	for (int i = local->rank - 1; i >= 0; i--)
		for (int p = 0; p < local->primes; p++) {
			int has = walk->key[i * local->primes + p];
			choice->gather_left[i][p] = choice->gather_left[i + 1][p] + has;
			choice->split_left[i][p] = choice->split_left[i + 1][p] + local->most[i * local->primes + p] - has;
		}
}

static bool edge_multi_dim(edge_walk *walk, sw_op op)
{
	const sw_local *local = walk->local;
	edge_choice choice = {.way = way_along(op, 0, 0), .factor = 1};

	if (local->without >> op & 1)
		return true;
	edge_left(walk, &choice);
	return edge_choose(walk, &choice, 0);
}

/* ---- sums ---- */

/* `factor` joins the sums (sign 1) or leaves them, and a dimension (-1: none) grows or shrinks. */
static bool edge_sum(edge_walk *walk, sw_op op, int k, int sign, int dim)
{
	const sw_local *local = walk->local;
	const uint8_t *factor = walk->factors->exponents + k * local->primes;
	int64_t value = walk->factors->value[k];
	int64_t size = dim < 0 ? walk->size : sign > 0 ? walk->size * value : walk->size / value;
	local_edge edge = {.op = op,
		.gather_factor = 1,
		.split_factor = 1,
		.terms = value,
		.size = size,
		.cost = sw_local_cost(local, op, walk->size, size, value),
		.before = walk->key,
		.after = walk->after};

	edge_change(walk, local->rank, factor, sign);
	edge_change(walk, dim, factor, -sign);
	bool go_on = walk->visit(walk->context, &edge);
	edge_change(walk, dim, factor, sign);
	edge_change(walk, local->rank, factor, -sign);
	return go_on;
}

static bool edge_may(const edge_walk *walk, sw_op op)
{
	return (walk->local->without >> op & 1) == 0;
}

/* Zeros and pads of one dimension; allreduces, and reduce-scatters onto one. */
static bool edge_sums_one(edge_walk *walk)
{
	for (int k = 0; k < walk->factors->count; k++) {
		const uint8_t *factor = walk->factors->exponents + k * walk->local->primes;
		int64_t value = walk->factors->value[k];
		bool summed = edge_gathers(walk, walk->local->rank, factor);

		if (edge_may(walk, SW_ZEROS) && edge_spare(walk, factor) && !edge_sum(walk, SW_ZEROS, k, 1, -1))
			return false;
		if (edge_may(walk, SW_ALLREDUCE) && summed && !edge_sum(walk, SW_ALLREDUCE, k, -1, -1))
			return false;
		for (int i = 0; i < walk->local->rank; i++) {
			if (edge_may(walk, SW_REDUCESCATTER) && summed && edge_splits(walk, i, factor) &&
				!edge_sum(walk, SW_REDUCESCATTER, k, -1, i))
				return false;
			if (edge_may(walk, SW_PAD) && edge_gathers(walk, i, factor) &&
				value <= walk->local->budget / walk->size && !edge_sum(walk, SW_PAD, k, 1, i))
				return false;
		}
	}
	return true;
}

/* Reduce-scatters that pop, or push several dimensions. */
static bool edge_sums_several(edge_walk *walk)
{
	for (int k = 0; k < walk->factors->count; k++) {
		const uint8_t *factor = walk->factors->exponents + k * walk->local->primes;
		edge_choice choice = {.way = way_along(SW_REDUCESCATTER, 0, 0),
			.factor = walk->factors->value[k],
			.summed = walk->factors->value[k]};

		if (!edge_gathers(walk, walk->local->rank, factor))
			continue;
		for (int p = 0; p < walk->local->primes; p++)
			choice.balance[p] = factor[p];
		edge_left(walk, &choice);
		edge_change(walk, walk->local->rank, factor, -1);
		bool go_on = edge_choose(walk, &choice, 0);
		edge_change(walk, walk->local->rank, factor, 1);
		if (!go_on)
			return false;
	}
	return true;
}

static bool edge_sums(edge_walk *walk)
{
	return edge_sums_one(walk) &&
		(!walk->local->multi_dim || !edge_may(walk, SW_REDUCESCATTER) || edge_sums_several(walk));
}

bool sw_local_edges(const sw_local *local, const sw_divisors *factors, const uint8_t *key, int64_t size, bool refused,
	local_visit *visit, void *context)
{
	static const sw_op order[] = {SW_DYNSLICE, SW_ALLTOALL, SW_ALLGATHER};
	edge_walk walk = {.local = local,
		.factors = factors,
		.key = key,
		.size = size,
		.refused = refused,
		.visit = visit,
		.context = context};

	memcpy(walk.after, key, (size_t)local->width);
	for (int p = 0; p < local->primes; p++) {
		walk.spare[p] = local->has[p];
		for (int i = 0; i < local->rank + local->sums; i++)
			walk.spare[p] -= key[i * local->primes + p];
	}
	for (int k = 0; k < 3; k++) {
		if (!edge_one(&walk, order[k]))
			return false;
		if (local->multi_dim && !edge_multi_dim(&walk, order[k]))
			return false;
	}
	return !local->sums || edge_sums(&walk);
}

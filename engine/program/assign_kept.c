/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Homes and second types of values that are used more than once.
 */
#include "program/assign_kept.h"

#include <math.h>

/* A value whose ways to be kept are listed. */
struct lister {
	sw_net *net;
	sw_net_value *value;
	const sw_type_space *types;
	const sw_costs *metric;
	int v, homes, room, seconds_room, own_room;
	int32_t *home, *at, *second;
	double *own;
};

static double between(const struct lister *l, int32_t from, int32_t to)
{
	return l->metric->at[(int64_t)from * l->metric->cols + to];
}

static bool is_small(const struct lister *l, int32_t state)
{
	int64_t budget = l->value->space->budget;

	return budget == 0 || sw_type_space_size(l->types, state) <= budget;
}

/* Where an input lies comes first, so that it is not moved for nothing. */
static bool list_homes(struct lister *l)
{
	bool free = l->v >= l->net->program->inputs || l->value->given >= 0;
	int32_t first = l->value->home >= 0 ? l->value->home : l->value->given;

	l->home = SW_NEW(l->net->arena, int32_t, l->types->count);
	if (l->home == NULL)
		return sw_diag_memory(l->net->diag);
	if (first >= 0)
		l->home[l->homes++] = first;
	for (int32_t k = 0; l->value->home < 0 && k < l->types->count; k++)
		if (k != first && (free || l->types->sums[k] == 0) && is_small(l, k))
			l->home[l->homes++] = k;
	return true;
}

/* How many uses may begin at a second type; less than two: it is of no use. */
static int most_begin(const struct lister *l)
{
	if (l->net->options->live > 0)
		return 0;
	return l->value->home >= 0 ? l->value->free : l->value->free - 1;
}

static bool is_second(const struct lister *l, int32_t home, int32_t state)
{
	double way = between(l, home, state);

	return way > 0 && way < INFINITY && is_small(l, state);
}

static int64_t count_pairs(const struct lister *l)
{
	int64_t pairs = 0;

	for (int h = 0; h < l->homes && sw_costs_looked(&l->net->store, l->types->count); h++)
		for (int32_t k = 0; k < l->types->count; k++)
			pairs += is_second(l, l->home[h], k);
	return pairs;
}

/* Several tables of all pairs are made while choices are left out. */
static bool has_room(const struct lister *l, int64_t pairs)
{
	enum { TABLES = 16 };

	return (pairs + l->homes) * l->types->count <= sw_net_memory(l->net->options) / TABLES / (int64_t)sizeof(double);
}

double sw_kept_tie(const sw_net *net, int v, int32_t home, int32_t second)
{
	const sw_net_value *value = &net->value[v];
	const sw_type_space *types = &value->space->types;
	int64_t size = sw_type_space_size(types, home);

	if (second >= 0)
		size += sw_type_space_size(types, second);
	if (value->given >= 0 && value->given != home)
		size += sw_type_space_size(types, value->given);
	return (double)size * net->tie;
}

static bool add(struct lister *l, int32_t home, int32_t second)
{
	sw_arena *arena = l->net->arena;
	int count = l->value->count;
	double cost = sw_kept_tie(l->net, l->v, home, second);

	if (!SW_GROW(arena, l->at, count, l->room, 64) || !SW_GROW(arena, l->second, count, l->seconds_room, 64) ||
		!SW_GROW(arena, l->own, count, l->own_room, 64))
		return sw_diag_memory(l->net->diag);
	if (l->value->given >= 0)
		cost += between(l, l->value->given, home);
	if (second >= 0)
		cost += between(l, home, second);
	l->at[count] = home;
	l->second[count] = second;
	l->own[count] = cost;
	l->value->count++;
	return true;
}

static bool add_pairs(struct lister *l, bool seconds)
{
	for (int h = 0; h < l->homes; h++) {
		if (!add(l, l->home[h], -1))
			return false;
		for (int32_t k = 0; seconds && k < l->types->count; k++)
			if (is_second(l, l->home[h], k) && !add(l, l->home[h], k))
				return false;
	}
	return true;
}

/* ---- from there to a use ---- */

/* From each pair: from the home, or the second type where that is nearer. */
static const sw_costs *from_pairs(struct lister *l)
{
	const sw_net_value *value = l->value;
	int cols = l->types->count;
	sw_costs *table;
	double *at = sw_costs_new(&l->net->store, value->count, cols, &table);

	for (int p = 0; at != NULL && p < value->count; p++)
		for (int32_t k = 0; k < cols; k++) {
			double home = between(l, value->at[p], k);

			at[(int64_t)p * cols + k] = value->second[p] < 0 ? home : fmin(home, between(l, value->second[p], k));
		}
	if (at != NULL)
		table->onward = l->metric->at;
	return at == NULL ? NULL : table;
}

/* From each state, by way of any second type, of whose cost `shares` uses pay a share each. */
static const sw_costs *from_shares(struct lister *l, int shares)
{
	const sw_second second = {l->metric, l->value->space->budget, shares};

	return sw_metric_by_second(l->types, &second, l->net->options->machine == NULL, &l->net->store);
}

static bool find_begin(struct lister *l, int shares)
{
	sw_net_space *space = l->value->space;
	const sw_net_begins asked = {.home = shares > 0 ? NULL : l->value->at,
		.second = l->value->second,
		.count = shares > 0 ? 0 : l->value->count,
		.shares = shares};

	for (int k = 0; k < space->begins; k++) {
		const sw_net_begins *made = &space->begin[k];

		if (made->home == asked.home && made->second == asked.second && made->count == asked.count &&
			made->shares == shares) {
			l->value->begin = made->costs;
			return true;
		}
	}
	l->value->begin = shares > 0 ? from_shares(l, shares) : from_pairs(l);
	if (l->value->begin == NULL || !SW_GROW(l->net->arena, space->begin, space->begins, space->begin_room, 4))
		return l->value->begin != NULL && sw_diag_memory(l->net->diag);
	space->begin[space->begins] = asked;
	space->begin[space->begins++].costs = l->value->begin;
	return true;
}

static bool keep_lists(struct lister *l, bool seconds)
{
	sw_costs_store *store = &l->net->store;

	l->value->at = sw_costs_rows(store, l->at, l->value->count);
	if (seconds)
		l->value->second = sw_costs_rows(store, l->second, l->value->count);
	return store->failure == SW_COSTS_FINE;
}

bool sw_kept_list(sw_net *net, int v, double **own)
{
	sw_net_value *value = &net->value[v];
	struct lister l = {.net = net,
		.value = value,
		.types = &value->space->types,
		.metric = sw_net_metric(net, value->space, 0),
		.v = v};

	if (l.metric == NULL || !list_homes(&l))
		return false;
	int shares = most_begin(&l);
	int64_t pairs = shares > 1 ? count_pairs(&l) : 0;
	bool seconds = pairs > 0 && has_room(&l, pairs);
	net->cut = net->cut || (pairs > 0 && !seconds);
	if (!add_pairs(&l, seconds) || !keep_lists(&l, seconds))
		return false;
	*own = l.own;
	if (seconds)
		return find_begin(&l, 0);
	return pairs == 0 || net->kind != SW_NET_RELAXED || find_begin(&l, shares);
}

sw_rows_of sw_kept_rows(const sw_net_value *value)
{
	return value->second != NULL ? NULL : value->at;
}

const sw_costs *sw_kept_begin(const sw_net_value *value, const sw_costs *metric)
{
	return value->begin != NULL ? value->begin : metric;
}

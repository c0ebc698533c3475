/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of choices that may be good.
 */
#include "program/guess.h"

#include <math.h>

#include <shardwalk/number.h>

enum { ROUNDS = 3 }; /* of improvements */

bool sw_guess_init(sw_guess *guess, const sw_choices *choices, sw_costs_store *store)
{
	int *first = SW_NEW_ZERO(store->arena, int, choices->count + 2);
	int *link = SW_NEW(store->arena, int, 2 * choices->links);

	*guess = (sw_guess){choices, store, first, link};
	if (first == NULL || link == NULL) {
		store->failure = SW_COSTS_NO_MEMORY;
		return false;
	}
	for (int k = 0; k < choices->links; k++) {
		first[choices->link[k].first + 2]++;
		first[choices->link[k].second + 2]++;
	}
	for (int i = 0; i < choices->count; i++)
		first[i + 2] += first[i + 1];
	for (int k = 0; k < choices->links; k++) {
		link[first[choices->link[k].first + 1]++] = k;
		link[first[choices->link[k].second + 1]++] = k;
	}
	return true;
}

int64_t sw_guess_work(const sw_choices *choices)
{
	int64_t work = choices->count;

	for (int k = 0; k < choices->links; k++)
		work += (int64_t)choices->choice[choices->link[k].first].count +
			choices->choice[choices->link[k].second].count;
	return (ROUNDS + 1) * work;
}

/* What a value costs beside those of the neighbours that come before choice `below`. */
static double cost_beside(const sw_guess *g, int choice, int32_t pick, const int32_t *value, int below)
{
	const sw_choices *choices = g->choices;
	double cost = choices->choice[choice].own != NULL ? choices->choice[choice].own[pick] : 0;

	for (int n = g->first[choice]; n < g->first[choice + 1]; n++) {
		const sw_choice_link *link = &choices->link[g->link[n]];

		if (link->first == choice && link->second < below)
			cost += sw_link_cost(&link->costs, pick, value[link->second]);
		else if (link->second == choice && link->first < below)
			cost += sw_link_cost(&link->costs, value[link->first], pick);
	}
	return cost;
}

/* A choice takes the value that is best beside the others, and keeps `value[i]` where none is better than `least`. */
static bool pick_best(sw_guess *g, int i, double least, int32_t *value, int below)
{
	for (int32_t v = 0; v < g->choices->choice[i].count; v++) {
		double cost = cost_beside(g, i, v, value, below);

		if (cost < least) {
			least = cost;
			value[i] = v;
		}
		if (!sw_costs_looked(g->store, 1 + g->first[i + 1] - g->first[i]))
			return false;
	}
	return true;
}

bool sw_guess_first(sw_guess *g, int32_t *value)
{
	for (int i = 0; i < g->choices->count; i++) {
		value[i] = 0;
		if (!pick_best(g, i, INFINITY, value, i))
			return false;
	}
	return true;
}

bool sw_guess_improve(sw_guess *g, int32_t *value)
{
	int count = g->choices->count;

	for (int64_t n = 0; n < (int64_t)ROUNDS * count; n++) {
		int i = (int)(n % count);

		if (!pick_best(g, i, cost_beside(g, i, value[i], value, count), value, count))
			return false;
	}
	return true;
}

bool sw_guess_beside(sw_guess *g, const int32_t *value, sw_choices_same *same, void *context, double *cost)
{
	int count = g->choices->count;
	int32_t *other = SW_NEW(g->store->arena, int32_t, count);
	double whole = sw_choices_cost(g->choices, value);

	*cost = INFINITY;
	for (int i = 0; other != NULL && i < count; i++)
		other[i] = value[i];
	for (int i = 0; other != NULL && i < count; i++) {
		double rest = whole - cost_beside(g, i, value[i], value, count);

		for (int32_t v = 0; v < g->choices->choice[i].count; v++) {
			double here = rest + cost_beside(g, i, v, value, count);

			other[i] = v;
			if (here < *cost && !same(context, value, other))
				*cost = here;
			if (!sw_costs_looked(g->store, 1 + g->first[i + 1] - g->first[i]))
				return false;
		}
		other[i] = value[i];
	}
	if (other == NULL)
		g->store->failure = SW_COSTS_NO_MEMORY;
	return other != NULL;
}

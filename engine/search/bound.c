/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Admissible bounds and the cost of gathering home.
 */
#include "search/bound.h"

#include <assert.h>

#include "cost/model.h"
#include "search/store.h"

void sw_primes_of(sw_primes *primes, const sw_prime_parts *factors)
{
	primes->count = 0;
	for (int f = 0; f < factors->count; f++) {
		int q = 0;

		while (q < primes->count && primes->prime[q] != factors->at[f].prime)
			q++;
		if (q == primes->count) {
			primes->prime[primes->count++] = factors->at[f].prime;
			primes->have[q] = 0;
		}
		primes->have[q]++;
	}
}

/* How often `prime` divides the global sizes, at most `limit` times. */
static int divides(const sw_type *type, int64_t prime, int limit)
{
	int n = 0;

	for (int i = 0; i < type->rank; i++)
		for (int64_t size = type->global[i]; n < limit && size % prime == 0; size /= prime)
			n++;
	return n;
}

void sw_bound_init(sw_bound_rule *rule, const sw_space *space, sw_model model, bool multi_dim, bool all_allowed)
{
	sw_prime_parts parts;
	sw_primes primes;

	if (space->mixed)
		sw_prime_parts_default(&space->problem->mesh, &parts);
	sw_primes_of(&primes, space->mixed ? &parts : &space->factors);
	*rule = (sw_bound_rule){.model = model, .multi_dim = multi_dim, .normal = model == SW_MODEL_PAPER && all_allowed};
	rule->to_size = space->to_size;
	rule->floor_size = sw_type_globalsize(&space->problem->from);
	rule->least_prime = primes.count > 0 ? INT64_MAX : 2;
	for (int q = 0; q < primes.count; q++) {
		for (int n = divides(&space->problem->from, primes.prime[q], primes.have[q]); n > 0; n--)
			rule->floor_size /= primes.prime[q];
		if (primes.prime[q] < rule->least_prime)
			rule->least_prime = primes.prime[q];
	}
}

/* `gathers` > 0 of them, the first at no less than `size` times the least prime, the last makes `to`. */
static int64_t least_gathers(const sw_bound_rule *rule, int gathers, int64_t size)
{
	int64_t sum = rule->to_size, step = size;

	if (rule->multi_dim)
		gathers = 1;
	for (int k = 1; k < gathers && step <= rule->to_size / rule->least_prime; k++) {
		step *= rule->least_prime;
		sum += step;
	}
	return sum;
}

static int64_t bound_of_normal_form(const sw_bound_rule *rule, int alltoalls, int pops, int64_t size, bool sliced)
{
	int64_t low = sliced ? size : rule->floor_size;
	int sources = rule->multi_dim && alltoalls > 0 ? pops : alltoalls;
	int gathers = pops > sources ? pops - sources : 0;

	if (sliced && size >= rule->to_size && (gathers > 0 || size > rule->to_size))
		return SW_NEVER;
	if (gathers == 0 && size < rule->to_size)
		gathers = 1;
	int64_t gathered = alltoalls * low + least_gathers(rule, gathers > 0 ? gathers : 1, low);
	if (gathers > 0)
		return gathered;
	int64_t flat = alltoalls * rule->to_size; /* without a gather no tile is ever smaller than that of `to` */
	return flat < gathered ? flat : gathered;
}

/* Outside normal forms: a gather costs at least what it adds, so that all gathers together cost at least what `to` has more. */
static int64_t bound_of_any_form(const sw_bound_rule *rule, int alltoalls, int pops, int64_t size)
{
	int sources = rule->multi_dim && alltoalls > 0 ? pops : alltoalls;
	int64_t gathered = rule->to_size > size ? rule->to_size - size : 0;

	if (gathered == 0 && pops > sources)
		gathered = rule->floor_size * (rule->least_prime - 1);
	return alltoalls * sw_model_least_alltoall(rule->model, rule->floor_size) + gathered;
}

int64_t sw_bound(const sw_bound_rule *rule, int pushes, int pops, int64_t size, bool sliced)
{
	int least = rule->multi_dim && pushes > 0 ? 1 : pushes;
	int most = rule->multi_dim ? 1 : pops > pushes ? pops : pushes;
	int64_t best = SW_NEVER;

	for (int m = least; m <= most; m++) {
		int64_t bound = rule->normal ? bound_of_normal_form(rule, m, pops, size, sliced) :
									   bound_of_any_form(rule, m, pops, size);

		if (bound < best)
			best = bound;
	}
	return best;
}

int64_t sw_gather_cost(const sw_bound_rule *rule, const sw_space *space, const int64_t *tile, int *steps)
{
	int64_t factor[SW_MAX_DIMS], size = 1, cost = 0;
	int n = 0;

	for (int i = 0; i < space->rank; i++) {
		int64_t f = space->problem->to.tile[i] / tile[i];
		assert(f >= 1);
		int k = n;

		size *= tile[i];
		if (f == 1)
			continue;
		for (n++; k > 0 && factor[k - 1] > f; k--)
			factor[k] = factor[k - 1];
		factor[k] = f;
	}
	*steps = rule->multi_dim && n > 1 ? 1 : n;
	if (rule->multi_dim && n > 0)
		return sw_model_move_cost(rule->model, SW_ALLGATHER, size, rule->to_size, rule->to_size / size);
	for (int k = 0; k < n; k++) {
		cost += sw_model_move_cost(rule->model, SW_ALLGATHER, size, size * factor[k], factor[k]);
		size *= factor[k];
	}
	return cost;
}

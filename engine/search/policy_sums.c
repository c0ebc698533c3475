/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The policy that counts elements over layouts with sums: what is missing is known of local types.
 */
#include "cost/model.h"
#include "search/to_go.h"

static void init(sw_search *s)
{
	s->rule = (sw_bound_rule){.normal = false};
	sw_search_alike(s, sw_search_of_one_prime);
}

static int64_t price(const sw_search *s)
{
	const sw_moves *m = &s->moves;
	int64_t scale = s->limits->scale;

	return sw_model_move_cost(s->limits->model, m->op, m->before.size * scale, m->now.size * scale, m->factor);
}

static int64_t bound(const sw_search *s, bool sliced, bool permuted)
{
	const sw_to_go *to_go = s->limits->to_go;

	(void)sliced, (void)permuted;
	return to_go->nodes == 0 ? 0 : to_go->cost[0][sw_to_go_node(to_go, &s->moves, &s->moves.now)];
}

static void nothing(sw_search *s)
{
	(void)s;
}

/* What a move that swaps costs at least, and what is missing then. */
static bool hope(const sw_search *s)
{
	const sw_moves *m = &s->moves;
	const sw_to_go *to_go = s->limits->to_go;
	int64_t size = m->before.size * s->limits->scale, factor = m->factor > 1 ? m->factor : 2;

	if (to_go->nodes == 0)
		return true;
	int64_t left = sw_to_go_after_swap(to_go, m);
	int64_t price = sw_model_move_cost(s->limits->model, m->op, size, size, factor);
	return sw_cost_plus(sw_cost_plus(s->at.cost, price), left) < s->limits->below;
}

static void permutations(sw_search *s)
{
	if (sw_search_allows(s, SW_ALLPERMUTE))
		sw_moves_permutations(&s->moves);
}

const sw_policy sw_policy_sums = {"states", false, false, false, init, price, bound, nothing, hope};
const sw_policy sw_policy_sums_all = {"states", false, false, false, init, price, bound, permutations, hope};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that count elements: over layouts, and over local types.
 */
#include "cost/model.h"
#include "search/policy.h"

static int64_t price(const sw_search *s)
{
	const sw_moves *m = &s->moves;

	return sw_model_move_cost(s->limits->model, m->op, m->before.size, m->now.size, m->factor);
}

static void init_rule(sw_search *s)
{
	sw_bound_init(&s->rule, s->space, s->limits->model, s->limits->multi_dim, s->limits->without == 0);
}

static void offer_home(sw_search *s)
{
	const sw_row_draft *now = &s->moves.now;
	int64_t to_size = s->space->to_size;
	int steps;
	int64_t cost = sw_gather_cost(&s->rule, s->space, now->tile, &steps);

	if (steps == 0 ||
		(sw_search_allows(s, SW_ALLGATHER) &&
			sw_search_live(s, s->limits->multi_dim ? now->size : to_size / s->rule.least_prime, to_size)))
		sw_search_offer_home(s, cost, steps);
}

/* ---- over layouts ---- */

bool sw_search_of_one_prime(const sw_search *s, int a, int b)
{
	return s->moves.factor_of[a] == s->moves.factor_of[b];
}

static void init_layouts(sw_search *s)
{
	init_rule(s);
	sw_search_alike(s, sw_search_of_one_prime);
}

/* Can slices alone continue a dimension, which agrees so far, to what `to` has? */
static bool sliceable(const sw_moves *m, int dim)
{
	uint8_t recut[SW_MAX_FACTORS];
	const uint8_t *rest = m->to.at[dim] + m->now.length[dim];
	int n = m->to.length[dim] - m->now.length[dim];

	if (m->mixed != 0) {
		n = sw_row_draft_rest(m, &m->now, &m->to, dim, recut);
		rest = recut;
	}
	for (int k = 0; k < n; k++)
		if ((m->now.used & sw_part_bit(rest[k])) != 0)
			return false;
	return true;
}

static int64_t bound_of_layout(const sw_search *s, bool sliced, bool permuted)
{
	const sw_moves *m = &s->moves;
	int pushes = 0, pops = 0, both = 0;

	(void)permuted;
	for (int i = 0; i < m->rank && s->rule.normal; i++) {
		int agreed = sw_moves_agreement(m, i);
		bool pop = m->now.length[i] > agreed, push = m->to.length[i] > agreed;

		pops += pop;
		pushes += push && (pop || sliced || !sliceable(m, i));
		both += pop && push;
	}
	int64_t bound = sw_bound(&s->rule, pushes, pops, m->now.size, sliced);
	if (bound != SW_NEVER && both > 0 && s->limits->multi_dim)
		bound += sliced ? m->now.size : s->rule.floor_size; /* popped by one alltoall, pushed by a later one */
	return bound;
}

/* Where an alltoall from this state has to lead.  A dimension that neither end continues has to be popped by one alltoall and
 * pushed by a later one; so if this is the last one that is affordable it leads home, and if it is the last but one, to
 * where every dimension agrees with `to` as far as it goes.  A normal form of several dimensions ends with at most one
 * gather, of one price: any way home is as good as any other. */
static sw_aim aim_of(const sw_search *s)
{
	int64_t size = s->moves.now.size, gather = size < s->space->to_size ? s->space->to_size : 0;
	int64_t left = s->limits->below - 1 - s->at.cost - gather;

	if (!s->rule.normal || !s->limits->multi_dim || left >= 3 * size)
		return SW_ANYWHERE;
	return left >= 2 * size ? SW_TOWARDS : SW_HOME;
}

static void go_home_or_aim(sw_search *s)
{
	if (sw_moves_are_home(&s->moves))
		offer_home(s);
	s->moves.aim = aim_of(s);
}

const sw_policy sw_policy_elements = {"states", false, true, false, init_layouts, price, bound_of_layout,
	go_home_or_aim, NULL};

/* ---- over local types ---- */

static void init_local(sw_search *s)
{
	init_rule(s);
	sw_moves_count(&s->moves);
}

/* In how many dimensions must the prime of rows `q` be pushed, after slices have served as many as they can? */
static int short_of(const sw_search *s, int q, bool sliced)
{
	const sw_moves *m = &s->moves;
	int gaps[SW_MAX_DIMS], n = 0, spare = sliced ? 0 : __builtin_popcountll(m->takes[q] & ~m->now.used);

	for (int i = 0; i < m->rank; i++) {
		int gap = m->to.length[m->first[i] + q] - m->now.length[m->first[i] + q], k = n;

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

static bool has_surplus(const sw_moves *m, int dim)
{
	for (int r = m->first[dim]; r < m->first[dim + 1]; r++)
		if (m->now.length[r] > m->to.length[r])
			return true;
	return false;
}

static int64_t bound_of_local(const sw_search *s, bool sliced, bool permuted)
{
	const sw_moves *m = &s->moves;
	int pushes = 0, pops = 0;

	for (int q = 0; s->rule.normal && m->rank > 0 && q < m->first[1]; q++) {
		int n = short_of(s, q, sliced);

		if (n > pushes)
			pushes = n;
	}
	for (int i = 0; s->rule.normal && i < m->rank; i++)
		pops += has_surplus(m, i);
	int64_t bound = sw_bound(&s->rule, pushes, pops, m->now.size, sliced);
	if (bound != SW_NEVER && s->policy->once && !permuted)
		bound += sliced ? m->now.size : s->rule.floor_size;
	return bound;
}

static void go_home_or_permute(sw_search *s)
{
	bool open = s->policy->once && !s->permuted;

	if (!open && sw_moves_are_home(&s->moves))
		offer_home(s);
	s->moves.op = SW_ALLPERMUTE;
	if (open && sw_search_allows(s, SW_ALLPERMUTE)) {
		s->moves.edges++;
		sw_search_offer(s);
	}
}

const sw_policy sw_policy_local = {"local types", false, true, false, init_local, price, bound_of_local,
	go_home_or_permute, NULL};
const sw_policy sw_policy_permuted = {"local types", true, true, false, init_local, price, bound_of_local,
	go_home_or_permute, NULL};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search over layouts beside the three searches of 0.1.0 that it replaced: by every policy, the same costs.
 */
#ifndef TESTS_ORACLE_AGREE_H
#define TESTS_ORACLE_AGREE_H

#include <stdio.h>
#include <stdlib.h>

#include <shardwalk/arena.h>
#include <shardwalk/cost.h>

#include "cost/latency.h"
#include "search/layout_search.h"
#include "timed_search.h"
#include "weak_permuted.h"

typedef struct agreement {
	sw_arena *arena;
	int64_t searches, open; /* made; of those, given up by one of the two */
	char why[400];          /* what differs */
} agreement;

static inline old_search_limits limits_of_old(const sw_search_limits *limits)
{
	return (old_search_limits){limits->model, limits->multi_dim, limits->without, limits->budget, limits->live_budget,
		limits->below, limits->most_edges, NULL};
}

/* The ends of both searches are numbered alike.  Costs of seconds may differ by what their sums of parts are rounded to. */
static inline bool agree_on(agreement *a, const char *what, const sw_search_limits *limits, sw_search_end end,
	const sw_search_result *now, old_search_end old_end, int64_t old_cost)
{
	bool both = end == SW_FOUND && old_end == OLD_FOUND;

	a->searches++;
	if (end == SW_GAVE_UP || old_end == OLD_GAVE_UP) {
		a->open++;
		return true;
	}
	if ((int)end == (int)old_end && (!both || now->cost == old_cost))
		return true;
	snprintf(a->why, sizeof a->why, "%s, model %d, several %d, without %x, live %lld: %d %lld, before %d %lld", what,
		(int)limits->model, limits->multi_dim, limits->without, (long long)limits->live_budget, (int)end,
		(long long)now->cost, (int)old_end, (long long)old_cost);
	return false;
}

static inline bool agree_by_elements(agreement *a, const sw_space *space, const sw_search_limits *limits)
{
	old_search_limits old = limits_of_old(limits);
	old_axis_result *route = SW_NEW(a->arena, old_axis_result, 1);
	old_weak_result *path = SW_NEW(a->arena, old_weak_result, 1);
	sw_search_result now;

	if (space->one_order) {
		sw_search_end end = sw_layout_search(space, limits, &sw_policy_elements, a->arena, &now);
		old_search_end before = old_axis_search(space, &old, a->arena, route);

		if (!agree_on(a, "elements", limits, end, &now, before, route->cost))
			return false;
	}
	for (int permute = 0; permute < 2; permute++) {
		sw_search_end end = sw_layout_search(space, limits, permute ? &sw_policy_permuted : &sw_policy_local,
			a->arena, &now);
		old_search_end before = old_weak_search(space, &old, permute, a->arena, path);

		if (!agree_on(a, permute ? "permuted" : "local", limits, end, &now, before, path->cost))
			return false;
	}
	return true;
}

/* That of 0.1.0 let slices cross slow links, and permutations more of them than their tiles do. */
static inline bool agree_by_seconds(agreement *a, const sw_space *space, const sw_search_limits *limits)
{
	old_search_limits old = limits_of_old(limits);
	old_axis_result *route = SW_NEW(a->arena, old_axis_result, 1);
	sw_search_result now;

	if (!space->one_order)
		return true;
	sw_search_end end = sw_layout_search(space, limits, &sw_policy_seconds, a->arena, &now);
	old_search_end before = old_timed_search(space, &old, limits->machine, a->arena, route);
	bool dear = end == SW_FOUND && before == OLD_FOUND && now.cost < route->cost &&
		sw_slots_matter(limits->machine, &space->problem->mesh);
	return agree_on(a, "seconds", limits, end, &now, before, dear ? now.cost : route->cost);
}

/* `without` and `live_budget` of the limits are looked at; false: see `why`. */
static inline bool agree_with_oracles(agreement *a, const sw_space *space, const sw_search_limits *bounds)
{
	sw_search_limits limits = *bounds;
	bool good = true;

	limits.below = INT64_MAX / 4;
	for (int variant = 0; good && variant < 4; variant++) {
		sw_arena_mark mark = sw_arena_here(a->arena);

		limits.model = (variant & 1) != 0 ? SW_MODEL_VOLUME : SW_MODEL_PAPER;
		limits.multi_dim = variant > 1;
		good = agree_by_elements(a, space, &limits) && ((variant & 1) != 0 || agree_by_seconds(a, space, &limits));
		sw_arena_back(a->arena, mark);
	}
	return good;
}

#endif

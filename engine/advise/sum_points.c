/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waypoints where terms of a sum wait: a system sums into pieces, where it is asked for them.
 */
#include "advise/sum_points.h"

#include <string.h>

#include <shardwalk/number.h>

#include "peers/sums.h"
#include "search/store.h"
#include "step/part_list.h"

enum { MOST_POINTS = 24 };

typedef struct looking {
	const sw_advice *advice;
	sw_arena *arena;
	sw_diag *diag;
	const sw_type *point[MOST_POINTS];
	int points;
	int64_t best;
	bool failed; /* memory ran out */
} looking;

/* Can a line of the program say it, and the target?  Constraints of JAX say no sums, and only Shardy has words for parts of axes. */
static bool can_say(const looking *l, const sw_type *type)
{
	const sw_mesh *mesh = &l->advice->problem.mesh;

	if (l->advice->target == SW_ADVISE_JAX && (sw_type_terms(type) > 1 || sw_type_terms(&l->advice->problem.to) > 1))
		return false;
	for (int k = 0; k < type->first[type->rank + 1] && l->advice->target != SW_ADVISE_SHARDY; k++)
		if (sw_type_part(type, k).size != mesh->axis[sw_type_part(type, k).axis].size)
			return false;
	return true;
}

static void add_point(looking *l, const sw_type *type)
{
	const sw_problem *problem = &l->advice->problem;

	if (l->points == MOST_POINTS || !can_say(l, type) || sw_type_equal(type, &problem->from) ||
		sw_type_equal(type, &problem->to))
		return;
	for (int k = 0; k < l->points; k++)
		if (sw_type_equal(l->point[k], type))
			return;
	l->point[l->points++] = type;
}

/* What the best plans pass through; what such a plan costs, SW_NEVER where there is none. */
static int64_t add_plan(looking *l, sw_strategy strategy)
{
	sw_plan_options options = {.strategy = strategy, .sizes_only = true, .budget = l->advice->budget};
	sw_plan *plan = SW_NEW(l->arena, sw_plan, 1);
	sw_diag diag = {.code = SW_OK};

	l->failed = l->failed || plan == NULL;
	if (l->failed || !sw_plan_find(&l->advice->problem, &options, l->arena, plan, &diag)) {
		l->failed = l->failed || diag.code == SW_E01;
		return SW_NEVER;
	}
	for (int k = 0; k + 1 < plan->program.steps; k++)
		if (plan->program.value[k + 1].type != NULL)
			add_point(l, plan->program.value[k + 1].type);
	return plan->cost;
}

/* The sum in pieces along one dimension, in the order of the mesh. */
static void add_pieces(looking *l)
{
	sw_peer_sums *sums = SW_NEW(l->arena, sw_peer_sums, 1);

	if (sums == NULL) {
		l->failed = true;
		return;
	}
	sw_peer_sums_of(&l->advice->problem, sums);
	for (int i = 0; i < sums->bare.from.rank && sums->ended.count > 0; i++) {
		sw_type *type = SW_NEW(l->arena, sw_type, 1);
		sw_part_list parts, minor = {.count = 0};

		if (type == NULL) {
			l->failed = true;
			return;
		}
		if (sums->bare.from.tile[i] % sums->terms != 0)
			continue;
		sw_peer_sums_put(sums, NULL, &sums->bare.from, type);
		for (int k = sums->ended.count - 1; k >= 0; k--)
			sw_part_list_append(&minor, sums->ended.at[k]);
		sw_part_list_of(type, i, &parts);
		sw_part_list_push(&parts, minor.at, minor.count);
		sw_part_list_put(type, i, &parts);
		add_point(l, type);
	}
}

/* What the system pays for a hop; -1: it does not do it within the bound. */
static int64_t price(looking *l, const sw_type *from, const sw_type *to)
{
	sw_arena_mark mark = sw_arena_here(l->arena);
	sw_plan_options options = {.strategy = sw_advise_strategy(l->advice->target), .sizes_only = true};
	sw_problem *hop = SW_NEW(l->arena, sw_problem, 1);
	sw_plan *plan = SW_NEW(l->arena, sw_plan, 1);
	sw_diag diag = {.code = SW_OK};
	int64_t cost = -1;

	l->failed = l->failed || hop == NULL || plan == NULL;
	if (l->failed)
		return -1;
	*hop = l->advice->problem;
	hop->from = *from;
	hop->to = *to;
	if (sw_plan_find(hop, &options, l->arena, plan, &diag) && plan->height <= l->advice->budget)
		cost = plan->cost;
	l->failed = l->failed || diag.code == SW_E01;
	sw_arena_back(l->arena, mark);
	return cost;
}

static void try_ways(looking *l, const sw_type **points, int *count)
{
	const sw_problem *problem = &l->advice->problem;

	for (int a = 0; a < l->points && !l->failed; a++) {
		int64_t first = price(l, &problem->from, l->point[a]), last = price(l, l->point[a], &problem->to);

		if (first >= 0 && last >= 0 && first + last < l->best) {
			l->best = first + last;
			points[0] = l->point[a];
			*count = 1;
		}
		for (int b = 0; b < l->points && first >= 0 && first < l->best && !l->failed; b++) {
			int64_t middle = b == a ? -1 : price(l, l->point[a], l->point[b]);
			int64_t rest = middle < 0 || first + middle >= l->best ? -1 : price(l, l->point[b], &problem->to);

			if (rest < 0 || first + middle + rest >= l->best)
				continue;
			l->best = first + middle + rest;
			points[0] = l->point[a];
			points[1] = l->point[b];
			*count = 2;
		}
	}
}

bool sw_sum_points(const sw_advice *advice, int64_t below, sw_arena *arena, const sw_type **points, int *count,
	int64_t *least, sw_diag *diag)
{
	looking *l = SW_NEW_ZERO(arena, looking, 1);

	*count = 0;
	if (l == NULL)
		return sw_diag_memory(diag);
	*l = (looking){.advice = advice, .arena = arena, .diag = diag, .best = below};
	*least = add_plan(l, SW_FUSED);
	add_plan(l, SW_EXACT);
	add_pieces(l);
	try_ways(l, points, count);
	return !l->failed || sw_diag_memory(diag);
}

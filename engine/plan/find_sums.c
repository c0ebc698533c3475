/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching plans between types with sums.
 *
 * The graph of local types is solved first: no plan costs less than its shortest path, and the shortest path with one
 * permutation can be lowered.  A search over layouts that knows what is missing from every local type then looks for a cheaper
 * plan without a permutation: first with blanks, which leaves nothing out, then, where what it finds cannot be named, without.
 */
#include "plan/find_sums.h"

#include <math.h>

#include "plan/lower_sums.h"

enum {
	MOST_ORDERS = 48,          /* combinations of orders of primes that are searched */
	MOST_BLANK_EDGES = 400000, /* of searches with blanks */
	MOST_EDGES = 600000        /* and without */
};

/* What one strategy has to go on.  Costs are in parts of an element. */
typedef struct sums_find {
	sw_finder *f;
	bool multi_dim;
	sw_to_go *to_go;
	int64_t permuted; /* no plan with a permutation that was left out costs less; SW_NEVER: none was */
	int64_t straight; /* the same of plans without */
} sums_find;

/* The parts of an element in which costs are whole numbers. */
static int64_t scale_of(const sw_finder *f, sw_model model)
{
	return model == SW_MODEL_PAPER ? 1 : f->problem->mesh.devices;
}

static int64_t best_cost(const sw_finder *f)
{
	return f->any ? llround(f->best.model_cost * (double)scale_of(f, f->options->model)) : INT64_MAX;
}

static sw_search_limits limits_of(const sw_finder *f, sw_model model, bool multi_dim)
{
	return (sw_search_limits){
		.model = model,
		.multi_dim = multi_dim,
		.without = f->options->without,
		.budget = f->budget,
		.live_budget = f->options->live_budget,
		.below = best_cost(f),
		.most_bytes = f->options->memory,
		.pulse = f->options->pulse,
		.scale = scale_of(f, model),
	};
}

static bool solve(sums_find *s)
{
	sw_finder *f = s->f;
	sw_search_limits limits = limits_of(f, f->options->model, s->multi_dim);

	s->to_go = SW_NEW(f->arena, sw_to_go, 1);
	return (s->to_go != NULL && sw_to_go_init(s->to_go, &f->space, &limits, f->arena)) || sw_diag_memory(f->diag);
}

/* A shortest path, with a permutation or without; *lowered: it became a candidate. */
static bool consider_path(sums_find *s, bool permuted, bool *lowered)
{
	sw_to_go_step steps[SW_TO_GO_STEPS];
	sw_candidate c;
	int count;

	*lowered = false;
	if (!sw_to_go_path(s->to_go, permuted, s->f->arena, steps, &count))
		return true;
	sw_candidate_begin(&c, s->f, &s->f->space);
	*lowered = sw_lower_sums(&c.lowering, s->to_go, steps, count);
	return *lowered || c.lowering.failed ? sw_finder_consider(s->f, &c) : true;
}

/* ---- layouts ---- */

/* How layouts are searched. */
typedef struct manner {
	const sw_policy *policy;
	bool blanks;
	int64_t edges; /* that are left to look at */
} manner;

/* *floor: no plan over the layouts of a space that was left out costs less. */
static bool over_layouts(sums_find *s, const sw_space *space, manner *how, int64_t *floor)
{
	sw_finder *f = s->f;
	sw_search_limits limits = limits_of(f, f->options->model, s->multi_dim);
	sw_search_result result;
	sw_candidate c;

	limits.to_go = s->to_go;
	limits.blanks = how->blanks;
	limits.most_edges = how->edges;
	sw_search_end end = sw_layout_search(space, &limits, how->policy, f->arena, &result);
	sw_finder_count(f, &result);
	how->edges -= result.edges;
	f->stopped = f->stopped || end == SW_STOPPED;
	if (end == SW_NO_MEMORY)
		return sw_diag_memory(f->diag);
	bool found = end == SW_FOUND && (!how->blanks || result.path.count > 0);
	*floor = found || end == SW_NOTHING ? SW_NEVER : result.floor;
	if (!found)
		return true;
	sw_candidate_begin(&c, f, space);
	sw_lower_path(&c.lowering, &result.path);
	return sw_finder_consider(f, &c);
}

/* All types, however axes of several primes are cut. */
static bool over_types(sums_find *s, manner how, int64_t *floor)
{
	sw_space *types = SW_NEW(s->f->arena, sw_space, 1);

	if (types == NULL)
		return sw_diag_memory(s->f->diag);
	if (sw_space_one_cut(&s->f->space) || !sw_space_of_types(types, s->f->problem))
		return true;
	return over_layouts(s, types, &how, floor);
}

/* Every order of primes in which both ends can be said; where axes have one prime each there is one, and it has all types. */
static bool over_orders(sums_find *s, manner how, int64_t *floor)
{
	sw_finder *f = s->f;
	sw_space *space = SW_NEW(f->arena, sw_space, 1);
	sw_orders *orders = SW_NEW(f->arena, sw_orders, 1);
	sw_prime_parts factors;
	int64_t ignored;

	if (sw_space_one_cut(&f->space))
		return over_layouts(s, &f->space, &how, floor);
	if (space == NULL || orders == NULL)
		return sw_diag_memory(f->diag);
	sw_orders_init(orders, f->problem);
	for (int k = 0; k < MOST_ORDERS && how.edges > 0 && !f->stopped; k++) {
		if (!sw_orders_choose(orders, &f->problem->mesh, k, &factors))
			return true;
		if (sw_space_init(space, f->problem, &factors, NULL) && !over_layouts(s, space, &how, &ignored))
			return false;
	}
	return true;
}

/* No plan costs less, as far as is known. */
static int64_t bound_of(const sums_find *s)
{
	const sw_to_go *t = s->to_go;
	int64_t cost = best_cost(s->f), bound = s->permuted < s->straight ? s->permuted : s->straight;

	if (t->nodes > 0 && t->cost[0][t->from] > bound)
		bound = t->cost[0][t->from];
	return bound < cost ? bound : cost;
}

static bool is_open(const sums_find *s)
{
	return !s->f->stopped && bound_of(s) < best_cost(s->f);
}

/* Zeros over a part that `to` does not sum are left out with blanks: with a reducescatter they are a slice, where slices are
 * allowed. */
static bool may_be_blank(const sums_find *s)
{
	return (s->f->options->without >> SW_DYNSLICE & 1) == 0 && s->f->space.factors.count <= SW_MAX_PRIME_PARTS / 2;
}

static bool straight(sums_find *s)
{
	manner blanks = {&sw_policy_sums, true, MOST_BLANK_EDGES};
	manner all = {&sw_policy_sums, false, MOST_EDGES + s->f->options->prove};

	s->straight = 0;
	if (is_open(s) && may_be_blank(s) && !over_orders(s, blanks, &s->straight))
		return false;
	return (!is_open(s) || over_orders(s, all, &s->straight)) && (!is_open(s) || over_types(s, all, &s->straight));
}

/* Where the shortest path with a permutation cannot be lowered. */
static bool permuted(sums_find *s)
{
	manner all = {&sw_policy_sums_all, false, MOST_EDGES + s->f->options->prove};

	return (!is_open(s) || over_orders(s, all, &s->permuted)) && (!is_open(s) || over_types(s, all, &s->permuted));
}

static bool search(sums_find *s)
{
	const sw_to_go *t = s->to_go;
	bool lowered;

	s->straight = 0;
	s->permuted = t->nodes == 0 ? 0 : t->cost[1][t->from];
	if (!consider_path(s, false, &lowered) || !consider_path(s, true, &lowered))
		return false;
	if (lowered)
		s->permuted = SW_NEVER;
	else if (!sw_consider_sum_first(s->f, s->multi_dim ? SW_FUSED : SW_EXACT, true, s->f->budget))
		return false;
	return (!is_open(s) || straight(s)) && (lowered || permuted(s));
}

/* Where it is open whether a plan of several-dimension steps is the cheapest, one of steps of one may be cheaper. */
static bool with_one_dimension(const sums_find *s)
{
	sums_find one = {.f = s->f};

	return !s->multi_dim || !is_open(s) || (solve(&one) && search(&one));
}

/* ---- what is proved ---- */

bool sw_find_sums_bound(sw_finder *f, sw_model model, bool multi_dim, int64_t *bound)
{
	sw_search_limits limits = limits_of(f, model, multi_dim);
	sw_to_go *t = SW_NEW(f->arena, sw_to_go, 1);

	if (t == NULL || !sw_to_go_init(t, &f->space, &limits, f->arena))
		return sw_diag_memory(f->diag);
	*bound = t->nodes > 0 && t->cost[0][t->from] != SW_NEVER ? t->cost[0][t->from] / limits.scale : 0;
	return true;
}

static bool conclude(sums_find *s)
{
	sw_finder *f = s->f;
	sw_plan *best = &f->best;
	int64_t bound = bound_of(s), paper = bound;

	if (!f->any)
		return true;
	best->optimal = bound >= best_cost(f);
	best->model_bound = best->optimal ? best->model_cost : (double)bound / (double)scale_of(f, f->options->model);
	if (best->model != SW_MODEL_PAPER && !sw_find_sums_bound(f, SW_MODEL_PAPER, s->multi_dim, &paper))
		return false;
	best->lower_bound = paper < best->cost ? paper : best->cost;
	return true;
}

bool sw_candidates_with_sums(sw_finder *f, bool multi_dim)
{
	sums_find s = {.f = f, .multi_dim = multi_dim};

	if (!solve(&s) || !search(&s) || !with_one_dimension(&s) || !conclude(&s))
		return false;
	if (!multi_dim && f->options->model == SW_MODEL_PAPER && s.to_go->nodes > 0)
		f->local_cost = s.to_go->cost[0][s.to_go->from];
	return true;
}

bool sw_consider_sums_path(sw_finder *f)
{
	sums_find s = {.f = f};
	bool lowered;

	if (!solve(&s) || !consider_path(&s, false, &lowered))
		return false;
	if (!f->any && !sw_consider_sum_first(f, SW_PAPER, true, f->budget))
		return false;
	if (f->options->model == SW_MODEL_PAPER && s.to_go->nodes > 0)
		f->local_cost = s.to_go->cost[0][s.to_go->from];
	return true;
}

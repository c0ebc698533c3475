/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategies exact and fused: the cheapest plan, and how much of that is proved.
 *
 * Four sources of candidates, each a bound for the next: the closed form on meshes of one prime; the paper's plan; the
 * cheapest path over local types with one permutation, which can always be lowered; and the search over layouts for
 * plans without a permutation, in every order of the axes' primes.  Where axes have several primes a search over all types
 * then proves the best of these, or finds a better one.
 */
#include <math.h>

#include <shardwalk/number.h>

#include "plan/find_sums.h"
#include "plan/strategy.h"

#include "search/closed_form.h"
#include "search/layout_search.h"
#include "search/local_by_primes.h"
#include "step/row.h"

enum {
	MOST_ORDERS = 48,          /* combinations of orders of primes that are searched */
	MOST_LOCAL_EDGES = 600000, /* looked at in one search over local types: some tenths of a second */
	MOST_AXIS_EDGES = 600000,  /* and in all searches over layouts of one kind */
	MOST_BOUND_EDGES = 300000,
	MOST_TIE_EDGES = 1000, /* to decide between plans of one cost */
	FEW_PARTS = 6,         /* so few that paths of several-dimension moves are found at once */
	SEARCHED_PARTS = 14    /* on meshes of more prime parts layouts are searched only a little */
};

/* What the searches of one strategy have shown. */
struct proof {
	bool complete; /* every search ran to its end */
	int64_t floor; /* else: nothing that was left out costs less (in the plan's model) */
};

static void incomplete(struct proof *proof, int64_t floor)
{
	proof->complete = false;
	if (floor < proof->floor)
		proof->floor = floor;
}

static int64_t whole_of(double cost)
{
	return sw_nearest(floor(cost));
}

/* Only plans at most as costly as the best are of interest; equal cost may still save steps. */
static sw_search_limits limits_of(const sw_finder *f, bool multi_dim, int64_t most_edges)
{
	return (sw_search_limits){
		.model = f->options->model,
		.multi_dim = multi_dim,
		.without = f->options->without,
		.budget = f->budget,
		.live_budget = f->options->live_budget,
		.below = f->any ? sw_cost_plus(whole_of(f->best.model_cost), 1) : INT64_MAX,
		.most_edges = most_edges,
		.most_bytes = f->options->memory,
		.pulse = f->options->pulse,
	};
}

/* What an unfinished search means for the proof; false: memory. */
static bool note_end(sw_finder *f, struct proof *proof, sw_search_end end, int64_t floor)
{
	if (end == SW_NO_MEMORY)
		return sw_diag_memory(f->diag);
	f->stopped = f->stopped || end == SW_STOPPED;
	if (end == SW_GAVE_UP || end == SW_STOPPED)
		incomplete(proof, floor);
	return true;
}

static bool by_primes(sw_finder *f)
{
	sw_layout_path path;
	sw_candidate c;

	if (!sw_local_by_primes(&f->space, f->arena, &path))
		return sw_diag_memory(f->diag);
	sw_candidate_begin(&c, f, &f->space);
	bool lowered = sw_lower_local(&c.lowering, &path, true, NULL, 0);
	return lowered || c.lowering.failed ? sw_finder_consider(f, &c) : true;
}

static bool with_permutation(sw_finder *f, bool multi_dim, struct proof *proof)
{
	sw_search_limits limits = limits_of(f, multi_dim, MOST_LOCAL_EDGES);
	sw_search_result result;
	sw_candidate c;

	sw_search_end end = sw_layout_search(&f->space, &limits, &sw_policy_permuted, f->arena, &result);
	sw_finder_count(f, &result);
	if (!note_end(f, proof, end, result.floor))
		return false;
	if (end != SW_FOUND)
		return true;
	sw_candidate_begin(&c, f, &f->space);
	if (sw_lower_local(&c.lowering, &result.path, multi_dim, NULL, 0) || c.lowering.failed)
		return sw_finder_consider(f, &c);
	incomplete(proof, result.cost);
	return true;
}

static bool in_space(sw_finder *f, const sw_space *space, const sw_search_limits *limits, int64_t *edges,
	struct proof *proof)
{
	sw_search_result result;
	sw_candidate c;

	sw_search_end end = sw_layout_search(space, limits, &sw_policy_elements, f->arena, &result);
	sw_finder_count(f, &result);
	*edges -= result.edges;
	if (!note_end(f, proof, end, result.floor))
		return false;
	if (end != SW_FOUND)
		return true;
	sw_candidate_begin(&c, f, space);
	sw_lower_path(&c.lowering, &result.path);
	return sw_finder_consider(f, &c);
}

static bool over_layouts(sw_finder *f, const sw_space *space, bool multi_dim, int64_t *edges, struct proof *proof)
{
	sw_search_limits limits = limits_of(f, multi_dim, *edges);

	return in_space(f, space, &limits, edges, proof);
}

static bool without_permutation(sw_finder *f, bool multi_dim, struct proof *proof)
{
	sw_space *space = SW_NEW(f->arena, sw_space, 1);
	sw_orders *orders = SW_NEW(f->arena, sw_orders, 1);
	int64_t edges = f->space.factors.count > SEARCHED_PARTS ? MOST_AXIS_EDGES / 4 : MOST_AXIS_EDGES;
	sw_prime_parts factors;

	if (f->one_prime)
		return over_layouts(f, &f->space, multi_dim, &edges, proof);
	if (space == NULL || orders == NULL)
		return sw_diag_memory(f->diag);
	sw_orders_init(orders, f->problem);
	for (int k = 0; k < MOST_ORDERS && edges > 0 && !f->stopped; k++) {
		if (!sw_orders_choose(orders, &f->problem->mesh, k, &factors))
			return true;
		if (sw_space_init(space, f->problem, &factors, NULL) && !over_layouts(f, space, multi_dim, &edges, proof))
			return false;
	}
	return true;
}

/* On meshes of several primes the search over layouts sees only some of the types, so that its end proves nothing. */
static bool searched(sw_finder *f, bool multi_dim, struct proof *proof)
{
	struct proof ignored = {true, INT64_MAX};
	return with_permutation(f, multi_dim, proof) &&
		(f->stopped || without_permutation(f, multi_dim, f->one_prime ? proof : &ignored));
}

/* Is there a cheaper plan without a permutation, however axes of several primes are cut? */
static bool over_types(sw_finder *f, bool multi_dim, struct proof *proof)
{
	int64_t edges = f->options->prove;

	if (f->one_prime || !f->any)
		return true;
	sw_space *types = SW_NEW(f->arena, sw_space, 1);
	if (types == NULL)
		return sw_diag_memory(f->diag);
	if (edges == 0 || f->stopped || !sw_space_of_types(types, f->problem)) {
		incomplete(proof, 0);
		return true;
	}
	sw_search_limits limits = limits_of(f, multi_dim, edges);
	limits.below = whole_of(f->best.model_cost);
	return in_space(f, types, &limits, &edges, proof);
}

/* ---- bounds ---- */

bool sw_find_local_bound(sw_finder *f, sw_model model, bool multi_dim, int64_t *bound)
{
	sw_search_limits limits = limits_of(f, multi_dim, MOST_BOUND_EDGES);
	sw_search_result result;
	int64_t known = multi_dim ? f->multi_dim_cost : f->local_cost;

	if (f->space.sums)
		return sw_find_sums_bound(f, model, multi_dim, bound);
	if (model == SW_MODEL_PAPER && known >= 0) {
		*bound = known;
		return true;
	}
	limits.model = model;
	limits.below = INT64_MAX;
	limits.live_budget = 0;
	limits.without = 0;
	sw_search_end end = sw_layout_search(&f->space, &limits, &sw_policy_local, f->arena, &result);
	sw_finder_count(f, &result);
	if (end == SW_NO_MEMORY)
		return sw_diag_memory(f->diag);
	*bound = end == SW_FOUND ? result.cost : result.floor;
	return true;
}

static int64_t at_least(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Proved by searches to the end (then among plans whose maps are types), or by a bound that holds for all maps. */
static bool conclude(sw_finder *f, bool multi_dim, const struct proof *proof)
{
	sw_plan *best = &f->best;
	int64_t bound, paper_bound;

	if (!f->any)
		return true;
	int64_t cost = whole_of(best->model_cost);
	if (!sw_find_local_bound(f, best->model, multi_dim, &bound))
		return false;
	bound = at_least(bound, proof->complete ? cost : at_most(cost, proof->floor));
	if (best->model == SW_MODEL_PAPER)
		paper_bound = bound;
	else if (!sw_find_local_bound(f, SW_MODEL_PAPER, multi_dim, &paper_bound))
		return false;
	best->optimal = bound >= cost;
	best->model_bound = (double)at_most(bound, cost);
	best->lower_bound = at_most(best->model == SW_MODEL_PAPER ? at_most(bound, cost) : paper_bound, best->cost);
	return true;
}

static void proved(sw_finder *f)
{
	f->best.optimal = true;
	f->best.lower_bound = f->best.cost;
	f->best.model_bound = f->best.model_cost;
}

/* ---- the closed form ---- */

/* Considers the closed form's plan; *exact: it is the cheapest of all plans of types under the model paper. */
static bool closed_form(sw_finder *f, bool *exact)
{
	sw_closed_result *result = SW_NEW(f->arena, sw_closed_result, 1);
	sw_candidate c;

	*exact = false;
	if (result == NULL)
		return sw_diag_memory(f->diag);
	if (!sw_closed_form(&f->space, f->options->live_budget, result)) {
		f->least_live = result->least_live;
		return true;
	}
	*exact = result->optimal && f->options->live_budget == 0;
	sw_candidate_begin(&c, f, &f->space);
	sw_lower_path(&c.lowering, &result->path);
	return sw_finder_consider(f, &c);
}

/* Where the closed form's plan happens to work on one dimension at a time, nothing is cheaper for `exact` either; what it costs
 * is a bound for `exact` in any case. */
static bool exact_by_closed_form(sw_finder *f, bool *done, int64_t *bound)
{
	bool exact = false;

	*done = false;
	*bound = 0;
	if (!f->one_prime || f->options->model != SW_MODEL_PAPER || f->options->without != 0 ||
		f->options->live_budget != 0)
		return true;
	if (!closed_form(f, &exact))
		return false;
	if (exact)
		*bound = f->best.cost;
	*done = exact && sw_plan_is_one_dimension(&f->best);
	f->any = *done;
	return true;
}

/* Tiles so large that sums of costs might not fit into 64 bits are not searched: the paper's plan is kept, whose cost is
 * checked, and only a plan that costs nothing is called optimal. */
static bool too_large_to_search(const sw_finder *f)
{
	return at_least(f->space.from_size, f->space.to_size) > INT64_MAX / 64;
}

static bool unsearched(sw_finder *f)
{
	if (!sw_consider_local_path(f, f->options->model, false) || !sw_find_local_cost(f))
		return false;
	if (!f->any)
		return true;
	f->best.optimal = f->best.cost == 0;
	f->best.lower_bound = 0;
	f->best.model_bound = 0;
	return true;
}

/* Only a plan with an alltoall beside another step that sends may have a rival that costs as much and sends less: one permute at
 * the smallest size is taken only where no alltoall is possible there, and an alltoall in groups of the prime sends the least. */
static bool may_send_less(const sw_finder *f)
{
	int64_t prime = f->space.factors.count > 0 ? f->space.factors.at[0].prime : 1, group = 0;
	int sends = 0;

	for (int k = 0; k < f->best.program.steps; k++) {
		const sw_step *step = &f->best.program.step[k];

		sends += sw_row(step->op)->among != SW_AMONG_NONE;
		group = step->op == SW_ALLTOALL ? step->group_size : group;
	}
	return sends > 1 && group > 0 && (f->best.permutes > 0 || group > prime);
}

/* What a way has to have at most to be as good; volumes that are all alike say nothing. */
static int64_t tie_of(const sw_plan *plan)
{
	double volume = sw_plan_volume(plan);

	return volume < (double)SW_MOST_VOLUME ? sw_minor((int64_t)volume, plan->permutes, plan->program.steps) :
											 INT64_MAX;
}

/* The closed form looks at costs alone, so that a search decides between plans of one cost.  It looks at little: where that does
 * not suffice, the best of what it found is taken. */
static bool settle_ties(sw_finder *f, bool multi_dim)
{
	sw_search_limits limits = limits_of(f, multi_dim, MOST_TIE_EDGES);
	sw_search_result result;
	sw_candidate c;

	if (!may_send_less(f))
		return true;
	limits.tie = tie_of(&f->best);
	sw_search_end end = sw_layout_search(&f->space, &limits, &sw_policy_elements, f->arena, &result);
	sw_finder_count(f, &result);
	if (end == SW_NO_MEMORY)
		return sw_diag_memory(f->diag);
	f->stopped = f->stopped || end == SW_STOPPED;
	if (result.path.count == 0)
		return true;
	sw_candidate_begin(&c, f, &f->space);
	sw_lower_path(&c.lowering, &result.path);
	return sw_finder_consider(f, &c);
}

bool sw_candidates_exact(sw_finder *f)
{
	struct proof proof = {true, INT64_MAX};
	int64_t bound;
	bool done;

	if (f->space.sums)
		return sw_candidates_with_sums(f, false);
	if (too_large_to_search(f))
		return unsearched(f);
	if (!exact_by_closed_form(f, &done, &bound))
		return false;
	if (done) {
		if (!settle_ties(f, false))
			return false;
		proved(f);
		return sw_find_local_cost(f);
	}
	if (!sw_consider_local_path(f, f->options->model, false))
		return false;
	if (!f->stopped && !searched(f, false, &proof))
		return false;
	if (!over_types(f, false, &proof) || !conclude(f, false, &proof) || !sw_find_local_cost(f))
		return false;
	if (f->any && bound > f->best.lower_bound) {
		f->best.lower_bound = at_most(bound, f->best.cost);
		f->best.model_bound = (double)f->best.lower_bound;
		f->best.optimal = f->best.lower_bound == f->best.cost;
	}
	return true;
}

bool sw_candidates_fused(sw_finder *f)
{
	struct proof proof = {true, INT64_MAX}, ignored = {true, INT64_MAX};
	bool exact = false;

	if (f->space.sums)
		return sw_candidates_with_sums(f, true);
	if (too_large_to_search(f))
		return unsearched(f);
	if (f->one_prime && f->options->without == 0 && !closed_form(f, &exact))
		return false;
	if (exact && f->options->model == SW_MODEL_PAPER) {
		if (!settle_ties(f, true))
			return false;
		proved(f);
		return sw_find_local_cost(f);
	}
	if (!sw_consider_local_path(f, f->options->model, false) || !by_primes(f))
		return false;
	if (f->space.factors.count <= FEW_PARTS && !sw_consider_local_path(f, f->options->model, true))
		return false;
	if (!f->stopped && !searched(f, true, &proof))
		return false;
	if (!f->stopped && !(f->one_prime && proof.complete) && !searched(f, false, &ignored))
		return false;
	return over_types(f, true, &proof) && conclude(f, true, &proof) && sw_find_local_cost(f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planning under models in seconds: what is cheapest by sizes and what other systems do, priced by the machine, and a search
 * over layouts that asks the machine about every move.
 */
#include "plan/find_timed.h"

#include <math.h>
#include <string.h>

#include "base/bounded_pulse.h"
#include "cost/latency.h"
#include "plan/least.h"
#include "search/layout_search.h"
#include "step/row.h"

/* Times of a machine that was measured are right to some ten percent: what promises less than that is no gain. */
#define MEASURED_DOUBT 0.1

enum {
	MOST_TIMED_EDGES = 120000,
	FEW_PARTS = 4,          /* so few that all permutations are looked at in every search */
	GROUPED_DEVICES = 4096, /* up to here groups are made before a step is priced, where places matter */
	MOST_PEER_BEATS = 24    /* of the pulse, in the search of another system's planner */
};

/* Does the strategy look for plans that the machine prices, beside what is cheapest by sizes? */
static bool is_searched(sw_strategy strategy)
{
	return strategy == SW_EXACT || strategy == SW_FUSED;
}

/* Other systems' strategies: their plans are considered too. */
static const sw_strategy peers[] = {SW_SHARDY, SW_XLA, SW_DTENSOR, SW_DTENSOR_MIN_COST};

static bool consider(sw_finder *f, sw_plan *plan)
{
	if (sw_places_matter(f->machine, &f->problem->mesh) && f->problem->mesh.devices <= GROUPED_DEVICES &&
		!sw_plan_group(plan, f->arena, f->diag))
		return false;
	return sw_finder_consider(f, plan);
}

/* The steps of a plan by sizes, to be priced anew; and what its own strategy says of them. */
static void restart(const sw_finder *f, sw_plan *plan)
{
	sw_plan found = *plan;

	*plan = f->blank;
	plan->count = found.count;
	plan->steps = found.steps;
	plan->note = found.strategy == f->options->strategy ? found.note : NULL;
}

/* The plan by sizes of one strategy.  `lower_bound` is not touched where it is none of the strategy itself. */
static bool by_sizes(sw_finder *f, sw_strategy strategy, sw_model model, int64_t *lower_bound)
{
	bool own = strategy == f->options->strategy && model == SW_MODEL_PAPER;
	sw_plan_options options = *f->options;
	sw_plan plan;

	options.strategy = strategy;
	options.model = model;
	options.machine = NULL;
	options.sizes_only = true;
	if (!sw_find_in_slots(f->problem, &options, f->arena, &plan, own ? f->diag : NULL))
		return !own;
	sw_finder_count_plan(f, &plan);
	if (own) {
		*lower_bound = plan.lower_bound;
		f->local_cost = plan.local_cost;
	}
	restart(f, &plan);
	return consider(f, &plan);
}

/* ---- what other systems do ---- */

/* Are these steps such as the strategy makes itself? */
static bool fits(const sw_finder *f, const sw_plan *plan)
{
	for (int k = 0; k < plan->count && f->options->strategy == SW_EXACT; k++)
		if (!sw_row(plan->steps[k].op)->local && (plan->steps[k].gathers > 1 || plan->steps[k].splits > 1))
			return false;
	return true;
}

/* What another system would do, where its planner comes to an end soon. */
static bool by_peer(sw_finder *f, sw_strategy strategy)
{
	sw_bounded_pulse pulse;
	sw_plan_options options = *f->options;
	sw_diag why;
	sw_plan plan;

	options.strategy = strategy;
	options.model = SW_MODEL_PAPER;
	options.machine = NULL;
	options.sizes_only = true;
	options.pulse = &pulse.pulse;
	sw_bounded_pulse_init(&pulse, f->options->pulse, MOST_PEER_BEATS);
	if (!sw_find_in_slots(f->problem, &options, f->arena, &plan, &why))
		return why.code != SW_E01 || sw_diag_memory(f->diag);
	sw_finder_count_plan(f, &plan);
	restart(f, &plan);
	return !fits(f, &plan) || consider(f, &plan);
}

/* The plan of `exact`: `fused` may take it, but does not come across it in every search that gives up. */
static bool by_exact(sw_finder *f)
{
	sw_plan_options options = *f->options;
	sw_diag why;
	sw_plan plan;

	options.strategy = SW_EXACT;
	options.sizes_only = true;
	options.prove = 0;
	if (!sw_find_in_slots(f->problem, &options, f->arena, &plan, &why))
		return why.code != SW_E01 || sw_diag_memory(f->diag);
	sw_finder_count_plan(f, &plan);
	restart(f, &plan);
	return consider(f, &plan);
}

static bool by_peers(sw_finder *f)
{
	for (size_t k = 0; k < sizeof peers / sizeof *peers && !f->stopped; k++)
		if (!by_peer(f, peers[k]))
			return false;
	return true;
}

/* ---- gather and slice ---- */

/* How far a dimension of `from` agrees with that of `to`, from the major end. */
static int agreement(const sw_space *space, int dim)
{
	const sw_layout *a = &space->from, *b = &space->to;
	int n = 0;

	while (n < sw_layout_length(a, dim) && n < sw_layout_length(b, dim) &&
		a->order[a->first[dim] + n] == b->order[b->first[dim] + n])
		n++;
	return n;
}

/* `layout` with dimension `dim` cut to its first `keep` parts. */
static void cut(const sw_space *space, sw_layout *layout, int dim, int keep)
{
	int drop = sw_layout_length(layout, dim) - keep;

	memmove(layout->order + layout->first[dim] + keep, layout->order + layout->first[dim + 1],
		(size_t)(layout->first[space->rank] - layout->first[dim + 1]));
	for (int i = dim + 1; i <= space->rank; i++)
		layout->first[i] -= drop;
}

/* Gathers all that does not agree with `to`, at once or a dimension a step, then slices: few rounds, much memory. */
static bool gather_and_slice(sw_finder *f, bool several)
{
	sw_layout layout = f->space.from;
	sw_plan plan = f->blank;
	sw_lowering l;
	bool pending = false;

	sw_lowering_init(&l, &f->space, f->arena, &plan);
	for (int i = 0; i < f->space.rank; i++) {
		int keep = agreement(&f->space, i);

		if (sw_layout_length(&layout, i) == keep)
			continue;
		cut(&f->space, &layout, i, keep);
		pending = true;
		if (!several)
			sw_lower_to_layout(&l, SW_ALLGATHER, &f->space.factors, &layout);
	}
	if (pending && several)
		sw_lower_to_layout(&l, SW_ALLGATHER, &f->space.factors, &layout);
	if (layout.first[f->space.rank] < f->space.to.first[f->space.rank])
		sw_lower_to_type(&l, SW_DYNSLICE, &f->problem->to);
	return l.failed ? sw_diag_memory(f->diag) : consider(f, &plan);
}

/* ---- the search ---- */

static sw_search_limits limits_of(const sw_finder *f, bool several, int64_t most_edges)
{
	return (sw_search_limits){
		.machine = f->machine,
		.several = several,
		.without = f->options->without,
		.budget = f->budget,
		.live_budget = f->options->live_budget,
		.below = f->any && f->best.model_cost < 9e6 ? (int64_t)(f->best.model_cost * SW_PICO) + 1000 : INT64_MAX / 4,
		.most_edges = most_edges,
		.most_bytes = f->options->memory,
		.pulse = f->options->pulse,
	};
}

/* Searches the layouts of a space; where all permutations are looked at, `least` rises to what no plan of types is below. */
static bool over_layouts(sw_finder *f, const sw_space *space, bool several, bool all, int64_t most_edges,
	double *least)
{
	const sw_policy *policy = all ? &sw_policy_seconds_all : &sw_policy_seconds;
	sw_search_limits limits = limits_of(f, several, most_edges);
	sw_search_result result;
	sw_lowering l;

	sw_search_end end = sw_layout_search(space, &limits, policy, f->arena, &result);
	sw_finder_count(f, &result);
	f->stopped = f->stopped || end == SW_STOPPED;
	if (end == SW_NO_MEMORY)
		return sw_diag_memory(f->diag);
	if (all)
		*least = fmax(*least, (double)result.floor / SW_PICO);
	if (result.path.count == 0)
		return true;
	sw_plan plan = f->blank;
	sw_lowering_init(&l, space, f->arena, &plan);
	sw_lower_path(&l, &result.path);
	return l.failed ? sw_diag_memory(f->diag) : consider(f, &plan);
}

/* Are the layouts of one order of primes all types? */
static bool one_cut(const sw_finder *f)
{
	const sw_prime_parts *parts = &f->space.factors;

	for (int p = 1; p < parts->count; p++)
		if (parts->at[p].axis == parts->at[p - 1].axis && parts->at[p].prime != parts->at[p - 1].prime)
			return false;
	return f->space.one_order;
}

/* What the search leaves open: permutations that do not seem to pay, and other cuts of axes. */
static bool over_types(sw_finder *f, bool several, double *least)
{
	const sw_space *types = &f->space;
	sw_space *mixed = SW_NEW(f->arena, sw_space, 1);

	if (mixed == NULL)
		return sw_diag_memory(f->diag);
	if (!one_cut(f)) {
		if (!sw_space_of_types(mixed, f->problem))
			return true;
		types = mixed;
	}
	return over_layouts(f, types, several, true, f->options->prove, least);
}

static bool search(sw_finder *f, bool several, double *least)
{
	bool all = one_cut(f) && f->space.factors.count <= FEW_PARTS;

	if (f->space.one_order &&
		!(gather_and_slice(f, several) &&
			over_layouts(f, &f->space, several, all, MOST_TIMED_EDGES + (all ? f->options->prove : 0), least)))
		return false;
	return all || f->options->prove == 0 || f->stopped || over_types(f, several, least);
}

/* ---- the strategies ---- */

/* The plans of other strategies, of which the best is kept in `known`: a plan of one's own has to be worth it. */
static bool by_others(sw_finder *f, sw_plan *known, bool *any)
{
	sw_plan own = f->best;
	bool own_any = f->any;
	int64_t none;

	f->any = false;
	if (!by_peers(f) || !by_sizes(f, SW_PAPER, SW_MODEL_PAPER, &none) ||
		(f->options->strategy == SW_FUSED && !by_exact(f)))
		return false;
	*known = f->best;
	*any = f->any;
	return !own_any || sw_finder_consider(f, &own);
}

static bool is_worth_it(const sw_finder *f, const sw_plan *known)
{
	double doubt = f->options->model == SW_MODEL_CALIBRATED ? MEASURED_DOUBT : 1e-9;

	return f->best.model_cost < (1 - doubt) * known->model_cost;
}

static bool searched(sw_finder *f, double *least)
{
	bool several = f->options->strategy == SW_FUSED, any = false;
	sw_plan known;

	if (!by_others(f, &known, &any))
		return false;
	if (!f->stopped && !search(f, several, least))
		return false;
	if (any && !is_worth_it(f, &known))
		f->best = known;
	return true;
}

/* Nothing is below what has to arrive, and no plan of types below `least`; sums of a search are rounded step by step. */
static void conclude(sw_finder *f, int64_t lower_bound, double least)
{
	sw_plan *best = &f->best;
	double bound = fmax(sw_least_seconds(f->problem, f->machine), least);

	best->optimal = best->model_cost <= bound * (1 + 1e-9) + best->count / SW_PICO;
	best->model_bound = best->optimal ? best->model_cost : bound;
	best->lower_bound = lower_bound < best->cost ? lower_bound : best->cost;
}

static bool find_all(sw_finder *f)
{
	sw_strategy own = f->options->strategy;
	int64_t lower_bound = 0;
	double least = 0;

	if (!by_sizes(f, own, SW_MODEL_PAPER, &lower_bound))
		return false;
	if (is_searched(own) &&
		(!by_sizes(f, own, SW_MODEL_VOLUME, &lower_bound) || (!f->stopped && !searched(f, &least))))
		return false;
	if (f->any)
		conclude(f, lower_bound, least);
	return true;
}

/* A pulse that is not asked again once it said no, however many searches are still to begin. */
struct heeded {
	const sw_pulse *outer;
	bool *stopped;
};

static bool go_on_until_stopped(void *context, const char *what, long long done, long long total)
{
	struct heeded *heeded = context;

	*heeded->stopped = *heeded->stopped || !sw_pulse_beat(heeded->outer, what, done, total);
	return !*heeded->stopped;
}

bool sw_find_timed(sw_finder *f)
{
	const sw_plan_options *options = f->options;
	struct heeded heeded = {options->pulse, &f->stopped};
	sw_pulse pulse = {go_on_until_stopped, &heeded};
	sw_plan_options own = *options;

	own.pulse = &pulse;
	f->options = &own;
	bool found = find_all(f);
	f->options = options;
	return found;
}

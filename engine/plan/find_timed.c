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
#include "plan/strategy.h"
#include "plan/time_bound.h"
#include "search/layout_search.h"
#include "step/row.h"

/* Times of a machine that was measured are right to some ten percent: what promises less than that is no gain. */
#define MEASURED_DOUBT 0.1

enum {
	MOST_TIMED_EDGES = 120000,
	FEW_PARTS = 4,       /* so few that all permutations are looked at in every search */
	MOST_PEER_BEATS = 24 /* of the pulse, in the search of another system's planner */
};

/* The steps of another finder's plan, to be priced anew; and what its own strategy says of them. */
static void take_steps(const sw_finder *f, sw_plan *plan)
{
	sw_plan found = *plan;

	*plan = f->blank;
	plan->program.steps = found.program.steps;
	plan->program.step = found.program.step;
	plan->program.value = found.program.value;
	plan->note = found.strategy == f->options->strategy ? found.note : NULL;
}

/* What a strategy finds under a model, where it comes to an end within so many beats of the pulse.  Where it is the strategy
 * itself that counts elements, it has to find something, which bounds what it finds in seconds. */
static bool consider_strategy(sw_finder *f, sw_strategy strategy, sw_model model, int64_t beats)
{
	bool own = strategy == f->options->strategy && model == SW_MODEL_PAPER;
	sw_plan_options options = *f->options;
	sw_bounded_pulse pulse;
	sw_diag why;
	sw_plan plan;

	options.strategy = strategy;
	options.model = model;
	options.sizes_only = true;
	options.prove = sw_model_is_timed(model) ? 0 : options.prove;
	options.pulse = &pulse.pulse;
	sw_bounded_pulse_init(&pulse, f->options->pulse, beats);
	pulse.stopped = f->stopped;
	bool found = sw_find_in_slots(f->problem, &options, f->arena, &plan, &why);
	f->stopped = pulse.stopped;
	if (!found && own && f->diag != NULL)
		*f->diag = why;
	if (!found)
		return !own && (why.code != SW_E01 || sw_diag_memory(f->diag));
	sw_finder_count_plan(f, &plan);
	if (own) {
		f->lower_bound = plan.lower_bound;
		f->local_cost = plan.local_cost;
	}
	take_steps(f, &plan);
	bool fits = !sw_strategy_is(f->options->strategy, SW_ONE_DIMENSION) || sw_plan_is_one_dimension(&plan);
	return !fits || sw_finder_consider_plan(f, &plan);
}

/* Other systems' plans; of equal ones the first is kept. */
static bool consider_peers(sw_finder *f)
{
	static const sw_strategy peers[] = {SW_SHARDY, SW_XLA, SW_DTENSOR, SW_DTENSOR_MIN_COST};

	if (f->space.sums)
		return consider_strategy(f, SW_SUM_FIRST, SW_MODEL_PAPER, INT64_MAX);
	for (size_t k = 0; k < sizeof peers / sizeof *peers && !f->stopped; k++)
		if (!consider_strategy(f, peers[k], SW_MODEL_PAPER, MOST_PEER_BEATS))
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
static bool gather_and_slice(sw_finder *f, bool multi_dim)
{
	sw_layout layout = f->space.from;
	sw_candidate c;
	bool pending = false;

	sw_candidate_begin(&c, f, &f->space);
	for (int i = 0; i < f->space.rank; i++) {
		int keep = agreement(&f->space, i);

		if (sw_layout_length(&layout, i) == keep)
			continue;
		cut(&f->space, &layout, i, keep);
		pending = true;
		if (!multi_dim)
			sw_lower_to_layout(&c.lowering, SW_ALLGATHER, &f->space.factors, &layout);
	}
	if (pending && multi_dim)
		sw_lower_to_layout(&c.lowering, SW_ALLGATHER, &f->space.factors, &layout);
	if (layout.first[f->space.rank] < f->space.to.first[f->space.rank])
		sw_lower_to_type(&c.lowering, SW_DYNSLICE, &f->problem->to);
	return sw_finder_consider(f, &c);
}

/* ---- the search ---- */

static sw_search_limits limits_of(const sw_finder *f, bool multi_dim, int64_t most_edges)
{
	return (sw_search_limits){
		.machine = f->machine,
		.multi_dim = multi_dim,
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
static bool over_layouts(sw_finder *f, const sw_space *space, bool multi_dim, bool all, int64_t most_edges,
	double *least)
{
	const sw_policy *policy = all ? &sw_policy_seconds_all : &sw_policy_seconds;
	sw_search_limits limits = limits_of(f, multi_dim, most_edges);
	sw_search_result result;
	sw_candidate c;

	sw_search_end end = sw_layout_search(space, &limits, policy, f->arena, &result);
	sw_finder_count(f, &result);
	f->stopped = f->stopped || end == SW_STOPPED;
	if (end == SW_NO_MEMORY)
		return sw_diag_memory(f->diag);
	if (all && !f->space.sums) /* zeros and pads are priced one by one, and are one step */
		*least = fmax(*least, (double)result.floor / SW_PICO);
	if (result.path.count == 0)
		return true;
	sw_candidate_begin(&c, f, space);
	sw_lower_path(&c.lowering, &result.path);
	return sw_finder_consider(f, &c);
}

/* What the search leaves open: permutations that do not seem to pay, and other cuts of axes. */
static bool over_types(sw_finder *f, bool multi_dim, double *least)
{
	const sw_space *types = &f->space;
	sw_space *mixed = SW_NEW(f->arena, sw_space, 1);

	if (mixed == NULL)
		return sw_diag_memory(f->diag);
	if (!sw_space_one_cut(&f->space)) {
		if (f->space.sums || !sw_space_of_types(mixed, f->problem))
			return true;
		types = mixed;
	}
	return over_layouts(f, types, multi_dim, true, f->options->prove, least);
}

static bool search(sw_finder *f, bool multi_dim, double *least)
{
	bool all = sw_space_one_cut(&f->space) && f->space.factors.count <= FEW_PARTS;

	if (f->space.one_order &&
		!((f->space.sums || gather_and_slice(f, multi_dim)) &&
			over_layouts(f, &f->space, multi_dim, all, MOST_TIMED_EDGES + (all ? f->options->prove : 0), least)))
		return false;
	return all || f->options->prove == 0 || f->stopped || over_types(f, multi_dim, least);
}

/* ---- the strategies ---- */

/* The plans of other strategies, of which the best is kept in `known`: a plan of one's own has to be worth it.  `fused` may take
 * that of `exact`, but does not come across it in every search that gives up. */
static bool consider_others(sw_finder *f, bool multi_dim, sw_plan *known, bool *any)
{
	sw_plan own = f->best;
	bool own_any = f->any;

	f->any = false;
	if (!consider_peers(f) || !consider_strategy(f, SW_PAPER, SW_MODEL_PAPER, INT64_MAX) ||
		(multi_dim && !consider_strategy(f, SW_EXACT, f->options->model, INT64_MAX)))
		return false;
	*known = f->best;
	*any = f->any;
	return !own_any || sw_finder_consider_plan(f, &own);
}

static bool is_worth_it(const sw_finder *f, const sw_plan *known)
{
	double doubt = f->options->model == SW_MODEL_CALIBRATED ? MEASURED_DOUBT : 1e-9;

	return f->best.model_cost < (1 - doubt) * known->model_cost;
}

static bool searched(sw_finder *f, double *least)
{
	bool multi_dim = !sw_strategy_is(f->options->strategy, SW_ONE_DIMENSION), any = false;
	sw_plan known;

	if (!consider_others(f, multi_dim, &known, &any))
		return false;
	if (!f->stopped && !search(f, multi_dim, least))
		return false;
	if (any && !is_worth_it(f, &known))
		f->best = known;
	return true;
}

/* Nothing is below what has to arrive, and no plan of types below `least`; sums of a search are rounded step by step. */
static void conclude(sw_finder *f, double least)
{
	sw_plan *best = &f->best;
	bool filled = sw_type_terms(&f->problem->to) > 1; /* what devices hold of terms may be made of zeros */
	double bound = fmax(filled ? 0 : sw_bound_seconds(f->problem, f->machine), least);

	best->optimal = best->model_cost <= bound * (1 + 1e-9) + best->program.steps / SW_PICO;
	best->model_bound = best->optimal ? best->model_cost : bound;
	best->lower_bound = f->lower_bound < best->cost ? f->lower_bound : best->cost;
}

/* What DTensor does with sums, axis by axis: it may be worth more than fewer bytes. */
static bool consider_axis_by_axis(sw_finder *f)
{
	return !f->space.sums || f->stopped ||
		(consider_strategy(f, SW_DTENSOR, SW_MODEL_PAPER, MOST_PEER_BEATS) &&
			consider_strategy(f, SW_DTENSOR_MIN_COST, SW_MODEL_PAPER, MOST_PEER_BEATS));
}

/* A machine that prices whole steps is asked about plans, not about moves. */
static bool find_priced(sw_finder *f)
{
	bool any = false, searches = sw_strategy_is(f->options->strategy, SW_SEARCHES);
	sw_plan known;

	if (searches &&
		(!consider_strategy(f, f->options->strategy, SW_MODEL_VOLUME, INT64_MAX) ||
			!consider_others(f, !sw_strategy_is(f->options->strategy, SW_ONE_DIMENSION), &known, &any) ||
			!consider_axis_by_axis(f)))
		return false;
	if (searches && !f->stopped && f->space.one_order && !f->space.sums && !gather_and_slice(f, true))
		return false;
	f->best.optimal = f->any && f->best.model_cost <= 0;
	f->best.model_bound = 0;
	return true;
}

bool sw_find_timed(sw_finder *f)
{
	sw_strategy own = f->options->strategy;
	double least = 0;

	if (!consider_strategy(f, own, SW_MODEL_PAPER, INT64_MAX))
		return false;
	if (f->machine->seconds != NULL)
		return find_priced(f);
	if (sw_strategy_is(own, SW_SEARCHES) &&
		(!consider_strategy(f, own, SW_MODEL_VOLUME, INT64_MAX) || (!f->stopped && !searched(f, &least))))
		return false;
	if (f->any)
		conclude(f, least);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sw_plan_find: the frame around the strategies.
 */
#include "plan/between.h"
#include "plan/borrow.h"
#include "plan/find_timed.h"
#include "plan/singles.h"
#include "plan/strategy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "cost/alike.h"
#include "cost/latency.h"
#include "cost/model.h"
#include "index/box.h"
#include "step/row.h"

enum { GROUPED_DEVICES = 4096 }; /* up to here groups are made before a step is priced */

/* ---- costs ---- */

int64_t sw_exchanged(const sw_problem *problem, int64_t from_slot, int64_t to_slot)
{
	assert(from_slot >= 0 && from_slot < problem->mesh.devices && to_slot >= 0 && to_slot < problem->mesh.devices);
	int64_t before[SW_MAX_DIMS], after[SW_MAX_DIMS], terms;

	sw_type_offset(&problem->mesh, &problem->from, from_slot, before);
	sw_type_offset(&problem->mesh, &problem->to, to_slot, after);
	if (!sw_mul(sw_terms_joined(&problem->from, &problem->to), sw_type_localsize(&problem->to), &terms))
		return INT64_MAX;
	const sw_box from = {before, problem->from.tile}, to = {after, problem->to.tile};
	return terms - sw_box_common(problem->from.rank, &from, &to);
}

int64_t sw_most_exchanged(const sw_problem *problem, const int32_t *from_slot)
{
	int64_t most = 0;

	if (problem->mesh.devices > SW_MAX_MAP_DEVICES)
		return sw_type_localsize(&problem->to);
	for (int64_t p = 0; p < problem->mesh.devices; p++) {
		int64_t got = sw_exchanged(problem, from_slot ? from_slot[p] : p, p);

		if (got > most)
			most = got;
	}
	return most;
}

/* The most that a device gets by step k, an exchange, which may lie on other devices afterwards. */
static int64_t most_exchanged(const sw_plan *plan, int k)
{
	int64_t devices = plan->problem.mesh.devices, most;
	if (sw_problem_has_words(&plan->problem))
		return sw_between_moved(&plan->problem, plan->program.step[k].rule);
	const int64_t *before = sw_plan_order(plan, k), *after = sw_plan_order(plan, k + 1);
	int32_t *at = before != after ? malloc((size_t)devices * 2 * sizeof *at) : NULL;

	for (int64_t p = 0; at && p < devices; p++)
		at[devices + sw_device_at(before, p)] = (int32_t)p;
	for (int64_t p = 0; at && p < devices; p++)
		at[p] = at[devices + sw_device_at(after, p)];
	most = sw_most_exchanged(&plan->problem, at);
	free(at);
	return most;
}

/* What a step that adds costs need not be whole: sizes that its group does not divide are counted in parts of an element. */
static double move_cost(sw_model model, const sw_step *step, int64_t before, int64_t after)
{
	int64_t group = step->group_size > 0 ? step->group_size : 1, parts = sw_adds_terms(step->op) ? group : 1, whole;

	if (!sw_mul(before, 4 * parts, &whole))
		parts = 1;
	return (double)sw_model_move_cost(model, step->op, before * parts, after * parts, group) / (double)parts;
}

static double cost_under(sw_model model, const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	if (sw_step_moves_nothing(plan, k))
		return 0;
	if (model != SW_MODEL_PAPER && sw_is_exchange(plan, k))
		return (double)most_exchanged(plan, k);
	return move_cost(model, step, plan->program.value[k].localsize, plan->program.value[k + 1].localsize);
}

double sw_step_model_cost(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	return cost_under(plan->model, plan, k);
}

double sw_plan_volume(const sw_plan *plan)
{
	double sum = 0;

	if (plan->received > 0)
		return plan->received;
	for (int k = 0; k < plan->program.steps; k++)
		sum += cost_under(SW_MODEL_VOLUME, plan, k);
	return sum;
}

/* ---- candidates ---- */

static bool uses(const sw_plan *plan, unsigned operations)
{
	for (int k = 0; k < plan->program.steps; k++)
		if ((operations >> plan->program.step[k].op & 1) != 0)
			return true;
	return false;
}

/* Of plans of one cost the one with the least volume, then the fewest permutes, then the fewest steps. */
static bool better(const sw_plan *a, const sw_plan *b)
{
	if (a->model_cost < b->model_cost || a->model_cost > b->model_cost)
		return a->model_cost < b->model_cost;
	double one = sw_plan_volume(a), other = sw_plan_volume(b);
	if (one < other || one > other)
		return one < other;
	if (a->permutes != b->permutes)
		return a->permutes < b->permutes;
	if (a->program.steps != b->program.steps)
		return a->program.steps < b->program.steps;
	return a->live_peak < b->live_peak;
}

static bool allowed(sw_finder *f, const sw_plan *candidate)
{
	int64_t live = f->options->live_budget;

	if (uses(candidate, f->options->without) || (f->bounded && candidate->height > f->budget))
		return false;
	if (!f->bounded || live == 0 || candidate->live_peak <= live)
		return true;
	if (f->least_live == 0 || candidate->live_peak < f->least_live)
		f->least_live = candidate->live_peak;
	return false;
}

static double price(const sw_plan *plan, int k, const sw_machine *machine)
{
	if (plan->model == SW_MODEL_PAPER)
		return (double)plan->program.step[k].cost;
	if (sw_model_is_timed(plan->model))
		return sw_predict_seconds(plan, k, machine);
	return sw_step_model_cost(plan, k);
}

void sw_plan_price(sw_plan *plan, const sw_machine *machine)
{
	bool known = true;

	plan->model_cost = 0;
	for (int k = 0; k < plan->program.steps; k++) {
		plan->model_cost += plan->program.step[k].model_cost = price(plan, k, machine);
		known = known && plan->program.step[k].model_cost >= 0;
	}
	plan->model_cost = known ? plan->model_cost : -1;
}

const char *sw_plan_unpriced(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].model_cost < 0)
			return sw_collective_of(plan->program.step[k].op)->name;
	return NULL;
}

bool sw_refuse_unpriced(const char *operation, sw_diag *diag)
{
	sw_diag_set(diag, SW_S10, (sw_span){0, 0}, "%s was not measured on this machine", operation);
	sw_diag_hint(diag, "calibrate measures all operations; model latency uses round numbers");
	return false;
}

/* A plan of the same problem, over a mesh of which only the axes that there are need to be copied. */
static void copy_plan(sw_plan *to, const sw_plan *from)
{
	size_t axes = offsetof(sw_plan, problem.mesh.axis), rest = offsetof(sw_plan, problem.mesh) + sizeof(sw_mesh);

	memcpy(to, from, axes + (size_t)from->problem.mesh.count * sizeof(sw_axis));
	memcpy((char *)to + rest, (const char *)from + rest, sizeof *to - rest);
}

bool sw_finder_consider_plan(sw_finder *f, sw_plan *plan)
{
	if ((f->grouped && !sw_plan_group(plan, f->arena, f->diag)) || !sw_plan_total(plan, f->diag))
		return false;
	sw_plan_price(plan, f->machine);
	const char *unpriced = sw_plan_unpriced(plan);
	if (unpriced != NULL) {
		f->unpriced = f->unpriced != NULL ? f->unpriced : unpriced;
	} else if (allowed(f, plan) && (!f->any || better(plan, &f->best))) {
		copy_plan(&f->best, plan);
		f->any = true;
	}
	return true;
}

void sw_candidate_begin(sw_candidate *c, sw_finder *f, const sw_space *space)
{
	copy_plan(&c->plan, &f->blank);
	sw_lowering_init(&c->lowering, space, f->arena, &c->plan);
	c->lowering.crowded = &f->crowded;
}

bool sw_finder_consider(sw_finder *f, sw_candidate *c)
{
	return c->lowering.failed ? sw_diag_memory(f->diag) : sw_finder_consider_plan(f, &c->plan);
}

bool sw_plan_is_one_dimension(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].gathers > 1 || (sw_step_members(plan, k) > 0 && plan->program.step[k].splits > 1))
			return false;
	return true;
}

/* ---- the frame ---- */

static void count(sw_finder *f, int64_t settled, int64_t seen, int64_t edges, int64_t memory)
{
	f->blank.search.settled += settled;
	f->blank.search.seen += seen;
	f->blank.search.edges += edges;
	f->blank.search.memory = memory > 0 ? memory : f->blank.search.memory;
}

void sw_finder_count(sw_finder *f, const sw_search_result *result)
{
	count(f, result->settled, result->seen, result->edges, result->full);
}

void sw_finder_count_plan(sw_finder *f, const sw_plan *plan)
{
	count(f, plan->search.settled, plan->search.seen, plan->search.edges, plan->search.memory);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sw_amount said(const sw_finder *f, int64_t elements)
{
	return sw_size_said(elements, sw_dtype_bytes(f->problem->from.dtype), f->options->unit);
}

static void hint_budget(const sw_finder *f, int64_t least)
{
	sw_diag_hint(f->diag, "budget %s is the smallest that allows a plan",
		sw_size_typed(least, sw_dtype_bytes(f->problem->from.dtype), f->options->unit).text);
}

static bool set_budget(sw_finder *f)
{
	int64_t from = sw_type_localsize(&f->problem->from), to = sw_type_localsize(&f->problem->to);
	int64_t least = from > to ? from : to;

	if (sw_problem_has_words(f->problem)) {
		f->budget = f->options->budget;
		return true;
	}

	f->budget = f->options->budget == 0 ? least : f->options->budget;
	if (!f->bounded || f->budget >= least)
		return true;
	sw_diag_set(f->diag, SW_S01, (sw_span){0, 0}, "a budget of %s is too small", said(f, f->budget).text);
	sw_diag_expected(f->diag, "at least %s, the tile of '%s'", said(f, least).text, from >= to ? "from" : "to");
	sw_diag_found(f->diag, "%s", said(f, f->budget).text);
	hint_budget(f, least);
	return false;
}

static void set_space(sw_finder *f)
{
	sw_prime_parts factors, to;
	int64_t prime;

	sw_prime_parts_default(&f->problem->mesh, &factors);
	if (!sw_space_init(&f->space, f->problem, &factors, NULL)) {
		sw_orders *orders = SW_NEW(f->arena, sw_orders, 1);

		sw_orders_init(orders, f->problem);
		if (sw_orders_choose(orders, &f->problem->mesh, 0, &factors)) {
			sw_space_init(&f->space, f->problem, &factors, NULL);
		} else {
			sw_orders_ends(orders, f->problem, &factors, &to);
			sw_space_init(&f->space, f->problem, &factors, &to);
		}
	}
	f->one_prime = sw_space_one_prime(&f->space, &prime);
}

static void set_blank(sw_finder *f, sw_plan *blank)
{
	memset(blank, 0, offsetof(sw_plan, problem));
	blank->name = NULL;
	blank->problem = *f->problem;
	memset(&blank->strategy, 0, sizeof *blank - offsetof(sw_plan, strategy));
	blank->strategy = f->options->strategy;
	blank->model = f->options->model;
	blank->machine = f->machine_name;
	blank->budget = f->budget;
	blank->live_budget = f->options->live_budget;
	blank->unit = f->options->unit;
	blank->local_cost = -1;
}

/* The next larger size that a tile of this problem can have; 0 where there is none. */
static int64_t next_size(const sw_space *space, int64_t size)
{
	int64_t global = sw_type_globalsize(&space->problem->from), best = 0;

	for (int64_t parts = space->problem->mesh.devices; parts >= 1; parts--)
		if (space->problem->mesh.devices % parts == 0 && global % parts == 0 && global / parts > size &&
			(best == 0 || global / parts < best))
			best = global / parts;
	return best;
}

static void finder_init(sw_finder *f, const sw_problem *problem, const sw_plan_options *options, sw_arena *arena,
	sw_diag *diag)
{
	f->problem = problem;
	f->options = options;
	f->arena = arena;
	f->diag = diag;
	f->machine = NULL;
	f->machine_name = NULL;
	f->bounded = sw_strategy_is(options->strategy, SW_PROVES);
	f->grouped = false;
	f->any = f->stopped = f->crowded = false;
	f->local_cost = f->multi_dim_cost = -1;
	f->unpriced = NULL;
	f->least_live = f->lower_bound = 0;
}

/* Looks for the best plan within the budget; f->any tells whether there is one.  false: see f->diag. */
static bool search(sw_finder *f)
{
	if (sw_problem_has_words(f->problem)) {
		set_blank(f, &f->blank);
		return sw_consider_between(f);
	}
	set_space(f);
	set_blank(f, &f->blank);
	if (!sw_model_is_timed(f->options->model))
		return sw_strategy_row_of(f->options->strategy)->candidates(f);
	f->grouped = sw_slots_matter(f->machine, &f->problem->mesh) && f->problem->mesh.devices <= GROUPED_DEVICES;
	return sw_find_timed(f);
}

/* Is there a plan under these options? */
static bool finds(const sw_finder *f, const sw_plan_options *options)
{
	sw_finder *other = SW_NEW(f->arena, sw_finder, 1);

	if (other == NULL)
		return false;
	finder_init(other, f->problem, options, f->arena, NULL);
	other->machine = f->machine;
	other->machine_name = f->machine_name;
	other->budget = f->budget;
	return search(other) && !other->stopped && other->any;
}

/* Names the operations of which each, allowed again, leads to a plan between types with sums. */
static void hint_forbidden(const sw_finder *f)
{
	sw_plan_options options = *f->options;
	sw_text names = {0};
	int count = 0;

	for (int op = 0; op < SW_COLLECTIVES && f->space.sums; op++) {
		options.without = f->options->without & ~(1u << op);
		if (options.without == f->options->without || !finds(f, &options))
			continue;
		sw_text_addf(&names, "%s%s", count++ > 0 ? " or " : "", sw_collective_of((sw_op)op)->name);
	}
	if (count > 0) {
		sw_diag_expected(f->diag, "a plan with %s, forbidden here", sw_text_get(&names));
		sw_diag_hint(f->diag, "allow %s again", sw_text_get(&names));
	}
	sw_text_free(&names);
}

static bool refuse(sw_finder *f)
{
	if (f->stopped)
		return sw_diag_set(f->diag, SW_S03, (sw_span){0, 0}, "stopped before any plan was found");
	if (f->crowded) {
		sw_diag_set(f->diag, SW_S08, (sw_span){0, 0},
			"the steps of this plan have no types, and maps of %lld devices would take more than 1 GiB",
			(long long)f->problem->mesh.devices);
		sw_diag_hint(f->diag, "`plan direct` needs no maps; on a mesh of fewer devices maps are smaller");
		return false;
	}
	if (f->least_live > 0) {
		sw_diag_set(f->diag, SW_S01, (sw_span){0, 0}, "a live budget of %s is too small",
			said(f, f->options->live_budget).text);
		sw_diag_expected(f->diag, "at least %s", said(f, f->least_live).text);
		sw_diag_hint(f->diag,
			"%s are enough for source and destination tiles "
			"together",
			said(f, f->least_live).text);
		return false;
	}
	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0}, "no plan of strategy '%s' is left within %s",
		sw_strategy_name(f->options->strategy), said(f, f->budget).text);
	sw_diag_hint(f->diag, "allow the forbidden operations again, or raise the budget");
	hint_forbidden(f);
	return false;
}

/* The smallest budget above `budget` under which a plan exists; 0: none does, or it cannot be told. */
static int64_t sufficient_budget(const sw_finder *f)
{
	sw_plan_options options = *f->options;
	sw_finder *other = SW_NEW(f->arena, sw_finder, 1);

	if (other == NULL || f->stopped || options.without == 0 || options.live_budget != 0 || !f->bounded ||
		f->problem->mesh.devices > 4096)
		return 0;
	for (int64_t budget = f->budget; (budget = next_size(&f->space, budget)) > 0;) {
		finder_init(other, f->problem, &options, f->arena, NULL);
		other->machine = f->machine;
		other->machine_name = f->machine_name;
		other->budget = options.budget = budget;
		if (!search(other) || other->stopped)
			return 0;
		if (other->any)
			return budget;
	}
	return 0;
}

/* The machine of a model in seconds; its name is kept with the plan. */
static bool set_machine(sw_finder *f)
{
	f->machine_name = NULL;
	f->machine = f->options->machine;
	if (!sw_model_is_timed(f->options->model))
		return true;
	if (f->machine == NULL && f->options->model == SW_MODEL_CALIBRATED) {
		sw_diag_set(f->diag, SW_S10, (sw_span){0, 0}, "this machine has not been measured yet");
		sw_diag_hint(f->diag, "calibrate measures it; model latency uses round numbers");
		return false;
	}
	if (f->machine == NULL)
		f->machine = sw_machine_of_model(f->options->model);
	if (f->machine->name == NULL)
		return true;
	f->machine_name = sw_arena_copy(f->arena, f->machine->name, strlen(f->machine->name));
	return f->machine_name != NULL || sw_diag_memory(f->diag);
}

/* Where operations are forbidden the budget may be too small although both ends fit. */
static bool refuse_with_budget(sw_finder *f)
{
	if (f->unpriced != NULL && !f->stopped)
		return sw_refuse_unpriced(f->unpriced, f->diag);
	int64_t budget = sufficient_budget(f);

	if (budget == 0)
		return refuse(f);
	sw_diag_set(f->diag, SW_S01, (sw_span){0, 0}, "without these operations a budget of %s is too small",
		said(f, f->budget).text);
	sw_diag_expected(f->diag, "at least %s", said(f, budget).text);
	sw_diag_found(f->diag, "%s", said(f, f->budget).text);
	hint_budget(f, budget);
	return false;
}

/* Other systems order and move axes of size 1 like all others. */
static const sw_problem *seen_by(sw_strategy strategy, const sw_problem *problem, sw_arena *arena)
{
	return sw_strategy_is(strategy, SW_FOLLOWS) || sw_problem_has_words(problem) ? problem :
																				   sw_without_singles(problem, arena);
}

bool sw_find_in_slots(const sw_problem *problem, const sw_plan_options *options, sw_arena *arena, sw_plan *plan,
	sw_diag *diag)
{
	sw_finder *f = SW_NEW(arena, sw_finder, 1);
	const sw_problem *bare = seen_by(options->strategy, problem, arena);
	double begin = now();

	if (f == NULL || bare == NULL)
		return sw_diag_memory(diag);
	finder_init(f, bare, options, arena, diag);
	if (!sw_type_redistributable(&problem->from, &problem->to, diag) || !set_budget(f) || !set_machine(f) ||
		!search(f))
		return false;
	if (!f->any)
		return refuse_with_budget(f);
	f->best.search = f->blank.search;
	f->best.has_bound = f->bounded;
	f->best.local_cost = f->local_cost;
	const sw_machine *machine = sw_model_is_timed(options->model) ? f->machine : NULL;
	if (!sw_answer_asked(bare, problem, arena, &f->best, diag) ||
		(f->bounded && !sw_note_borrowed(&f->best, machine, arena)))
		return false;
	if (!options->sizes_only && !sw_plan_group(&f->best, arena, diag))
		return false;
	copy_plan(plan, &f->best);
	plan->search.seconds = now() - begin;
	return true;
}

bool sw_plan_find(const sw_problem *problem, const sw_plan_options *options, sw_arena *arena, sw_plan *plan,
	sw_diag *diag)
{
	return sw_find_in_slots(problem, options, arena, plan, diag) &&
		(sw_problem_has_words(problem) || sw_plan_reorder(plan, options, arena, diag));
}

bool sw_local_bound(const sw_problem *problem, const sw_plan_options *options, sw_model model, sw_arena *arena,
	int64_t *bound, sw_diag *diag)
{
	sw_plan_options asked = *options;
	sw_finder *f = SW_NEW(arena, sw_finder, 1);

	if (f == NULL)
		return sw_diag_memory(diag);
	asked.model = model;
	finder_init(f, problem, &asked, arena, diag);
	if (!set_budget(f))
		return false;
	set_space(f);
	set_blank(f, &f->blank);
	return sw_find_local_bound(f, model, !sw_strategy_is(options->strategy, SW_ONE_DIMENSION), bound);
}

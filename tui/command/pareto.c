/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command pareto: plans that no other one beats both in memory and in cost.
 *
 * The plan of `plan` is one point.  The best plan without a bound is one end; then memory is bounded below what the plan before
 * took, again and again, until no plan is left.  A search that gives up may find less with more room, so every plan is held
 * against all others.
 */
#include "command/compare/compare.h"
#include "command/compare/compare_schedules.h"
#include "command/compare/pareto_schedules.h"

#include <math.h>
#include <string.h>

#include "session/pareto_set.h"

#define MOST_POINTS 64

struct pareto_set {
	const struct invocation *run;
	struct plan_request asked;
	bool live; /* memory is the peak memory */
	sw_arena *arena;
	sw_plan *plans[MOST_POINTS + 1]; /* from the most memory to the least */
	int count;
	bool open; /* some plan that was found is not proved to be the cheapest within its bounds */
};

static int64_t memory_of(const struct pareto_set *set, const sw_plan *plan)
{
	return set->live ? plan->live_peak : plan->height;
}

/* Neither takes less memory nor costs less. */
static bool beaten(const struct pareto_set *set, const sw_plan *plan, const sw_plan *by)
{
	return memory_of(set, by) <= memory_of(set, plan) && by->model_cost <= plan->model_cost * (1 + 1e-9);
}

static void keep(struct pareto_set *set, sw_plan *plan)
{
	int left = 0, at;
	for (int k = 0; k < set->count; k++)
		if (beaten(set, plan, set->plans[k]))
			return;
	for (int k = 0; k < set->count; k++)
		if (!beaten(set, set->plans[k], plan))
			set->plans[left++] = set->plans[k];
	for (at = left; at > 0 && memory_of(set, set->plans[at - 1]) < memory_of(set, plan); at--)
		set->plans[at] = set->plans[at - 1];
	set->plans[at] = plan;
	set->count = left + 1;
}

/* Finds a plan and keeps it; NULL: there is none. */
static sw_plan *add(struct pareto_set *set, const sw_problem *problem, const sw_plan_options *options, sw_diag *diag)
{
	sw_plan *plan = SW_NEW(set->arena, sw_plan, 1);
	if (!plan)
		sw_diag_memory(diag);
	if (!plan || !plan_find(set->run, problem, options, set->arena, plan, diag))
		return NULL;
	set->open = set->open || !plan->optimal;
	keep(set, plan);
	return plan;
}

static bool went_wrong(const sw_diag *diag)
{
	return diag->code == SW_S03 || diag->code == SW_E01;
}

/* What bounds the plan of `plan`, and whether the person said so. */
static bool first_bounds(struct pareto_set *set, const sw_problem *problem, sw_plan_options *options, bool *said,
	sw_diag *diag)
{
	const struct settings *settings = &set->run->session->state.settings;
	*said = option_given(set->run, OPTION_BUDGET) || !setting_is(settings, SETTING_BUDGET, "1x");
	if (!plan_request_options(&set->asked, problem, NULL, options, diag))
		return false;
	options->sizes_only = problem->mesh.devices > GROUPED_DEVICES;
	return true;
}

static bool find_set(struct pareto_set *set, const sw_problem *problem, sw_diag *diag)
{
	sw_plan_options options;
	bool said;
	if (!first_bounds(set, problem, &options, &said, diag))
		return false;
	if (!said && !add(set, problem, &options, diag) && went_wrong(diag))
		return false;
	if (!said)
		options.budget = sw_type_globalsize(&problem->from);
	for (int k = 0; k < MOST_POINTS; k++) {
		const sw_plan *plan = add(set, problem, &options, diag);
		if (!plan)
			return set->count && !went_wrong(diag);
		int64_t bound = memory_of(set, plan) - 1;
		if (bound < 1 || !plan->has_bound)
			return true;
		*(set->live ? &options.live_budget : &options.budget) = bound;
	}
	return true;
}

/* A plan as good as one that `plan` proved before is that one: the same plan is not proved on one line and open on another. */
static void adopt_proof(struct pareto_set *set, const sw_problem *problem)
{
	const sw_plan *proved = session_proved_plan(set->run->session, problem, set->asked.without);
	for (int k = 0; proved && k < set->count; k++) {
		const sw_plan *plan = set->plans[k];
		if (plan->optimal || plan->model != proved->model || plan->height != proved->height ||
			plan->live_peak != proved->live_peak ||
			fabs(plan->model_cost - proved->model_cost) > 1e-9 * plan->model_cost)
			continue;
		sw_plan *copy = SW_NEW(set->arena, sw_plan, 1);
		const sw_plan *kept = copy ? plan_copy(proved, set->arena) : NULL;
		if (!kept)
			return;
		*copy = *kept;
		set->plans[k] = copy;
	}
}

/* ---- answers ---- */

static bool add_fields(const struct pareto_set *set, const struct plan_facts *facts, sw_diag *diag)
{
	struct fields *fields = document_fields(set->run->answer, "shardwalk.pareto/1");
	field_text(fields, "memory", set->live ? "live_peak" : "height");
	field_text(fields, "model", sw_model_name(set->asked.model));
	struct fields *plans = field_list(fields, "plans");
	for (int i = 0; i < set->count; i++)
		if (!compare_fields(field_object(plans, NULL), set->plans[i], &facts[i], diag))
			return false;
	return true;
}

static bool answer_set(struct pareto_set *set, int chosen, sw_diag *diag)
{
	const struct invocation *run = set->run;
	const sw_machine *machine;
	if (!compare_machine_on(&set->asked, &set->plans[0]->problem.mesh, &machine, diag))
		return false;
	struct plan_facts *facts = compare_facts(run, set->plans, set->count, machine, diag);
	if (!facts || !compare_arrange(run, set->plans, facts, set->count, diag))
		return false;
	if (!add_fields(set, facts, diag))
		return false;
	struct view_options options = view_options_default(run->answer->width);
	options.step = chosen;
	struct view_input in = {.mesh = &set->plans[0]->problem.mesh,
		.plans = (const sw_plan *const *)set->plans,
		.plan_count = set->count,
		.facts = facts,
		.open_trades = set->open,
		.machine = machine ? machine->name : NULL,
		.against = set->live ? "live" : "height"};
	return view_answer(run, view_pareto, &in, &options, diag);
}

/* ---- one of them ---- */

static bool hold(const struct invocation *run, const sw_plan *chosen, unsigned without, sw_diag *diag)
{
	struct session *session = run->session;
	sw_arena *arena = sw_arena_new();
	const sw_plan *plan = arena ? plan_copy(chosen, arena) : NULL;
	if (!plan) {
		sw_arena_free(arena);
		return sw_diag_memory(diag);
	}
	session_keep_plan(session, arena, plan);
	if (session->state.plan)
		session->state.plan->without = without;
	return session_plan(session, &plan, diag) && plan_answer(run, plan, 0, diag);
}

static bool take(const struct invocation *run, sw_plan *const *plans, int count, unsigned without, sw_diag *diag)
{
	int64_t number;
	return read_count(run, argument(run, 0), 1, count, &number, diag) && hold(run, plans[number - 1], without, diag);
}

/* Options ask for other plans than those of the table that was shown. */
static bool asks_anew(const struct invocation *run)
{
	for (int i = 0; i < run->given_count; i++)
		if (run->given[i].option != OPTION_JSON)
			return true;
	return false;
}

static bool find_and_answer(struct pareto_set *set, const sw_problem *problem, sw_diag *diag)
{
	const struct invocation *run = set->run;
	if (!find_set(set, problem, diag))
		return refuse_budget(run, diag);
	adopt_proof(set, problem);
	if (argument(run, 0))
		return take(run, set->plans, set->count, set->asked.without, diag);
	if (!answer_set(set, VIEW_ALL, diag))
		return false;
	session_keep_pareto_set(run->session, set->arena, problem,
		&(struct kept_pareto_set){.without = set->asked.without,
			.open = set->open,
			.count = set->count,
			.plans = set->plans});
	set->arena = NULL;
	return true;
}

bool command_pareto(struct invocation *run, sw_diag *diag)
{
	struct pareto_set set = {.run = run, .live = option_number(run, OPTION_MEASURE, 0) == 1};
	sw_problem problem;
	if (schedules_are_present(run->session))
		return pareto_schedules(run, diag);
	if (!plan_request_read(run, NULL, &set.asked, diag) || !session_problem(run->session, &problem, diag))
		return false;
	set.asked.prove = 0;
	const struct kept_pareto_set *shown = session_pareto_set(run->session, &problem);
	if (argument(run, 0) && shown && !asks_anew(run))
		return take(run, shown->plans, shown->count, shown->without, diag);
	set.arena = sw_arena_new();
	if (!set.arena)
		return sw_diag_memory(diag);
	bool ok = find_and_answer(&set, &problem, diag);
	sw_arena_free(set.arena);
	return ok;
}

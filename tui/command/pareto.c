/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command pareto: plans that no other one beats both in memory and in cost.
 *
 * The plan of `plan` is one point.  The best plan without a bound is one end; then memory is bounded below what the plan before
 * took, again and again, until no plan is left.  A search that gives up may find less with more room, so every plan is held
 * against all others.
 */
#include "command/compare.h"

#include <string.h>

#include "session/front.h"

#define MOST_POINTS 64

struct front {
	const struct invocation *run;
	struct plan_request asked;
	bool live; /* memory is the live peak */
	sw_arena *arena;
	sw_plan *plans[MOST_POINTS + 1]; /* from the most memory to the least */
	int count;
};

static int64_t memory_of(const struct front *front, const sw_plan *plan)
{
	return front->live ? plan->live_peak : plan->height;
}

static bool read_measure(const struct invocation *run, bool *live, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_MEASURE);
	*live = word && sw_str_is(word->text, "live");
	if (!word || *live || sw_str_is(word->text, "height"))
		return true;
	sw_diag_set(diag, SW_L13, line_span(run->place->text, word->raw), "'%.*s' is no measure of memory",
		(int)(word->text.length < 40 ? word->text.length : 40), word->text.at);
	sw_diag_expected(diag, "height or live");
	return false;
}

/* Neither takes less memory nor costs less. */
static bool beaten(const struct front *front, const sw_plan *plan, const sw_plan *by)
{
	return memory_of(front, by) <= memory_of(front, plan) && by->model_cost <= plan->model_cost * (1 + 1e-9);
}

static void keep(struct front *front, sw_plan *plan)
{
	int left = 0, at;
	for (int k = 0; k < front->count; k++)
		if (beaten(front, plan, front->plans[k]))
			return;
	for (int k = 0; k < front->count; k++)
		if (!beaten(front, front->plans[k], plan))
			front->plans[left++] = front->plans[k];
	for (at = left; at > 0 && memory_of(front, front->plans[at - 1]) < memory_of(front, plan); at--)
		front->plans[at] = front->plans[at - 1];
	front->plans[at] = plan;
	front->count = left + 1;
}

/* Finds a plan and keeps it; NULL: there is none. */
static sw_plan *add(struct front *front, const sw_problem *problem, const sw_plan_options *options, sw_diag *diag)
{
	sw_plan *plan = SW_NEW(front->arena, sw_plan, 1);
	if (!plan)
		sw_diag_memory(diag);
	if (!plan || !plan_find(front->run, problem, options, front->arena, plan, diag))
		return NULL;
	keep(front, plan);
	return plan;
}

static bool went_wrong(const sw_diag *diag)
{
	return diag->code == SW_S03 || diag->code == SW_E01;
}

/* What bounds the plan of `plan`, and whether the person said so. */
static bool first_bounds(struct front *front, const sw_problem *problem, sw_plan_options *options, bool *said,
	sw_diag *diag)
{
	const struct settings *settings = &front->run->session->state.settings;
	*said = option_given(front->run, OPTION_BUDGET) || !setting_is(settings, SETTING_BUDGET, "1x");
	if (!plan_request_options(&front->asked, problem, NULL, options, diag))
		return false;
	options->sizes_only = problem->mesh.devices > GROUPED_DEVICES;
	return true;
}

static bool find_front(struct front *front, const sw_problem *problem, sw_diag *diag)
{
	sw_plan_options options;
	bool said;
	if (!first_bounds(front, problem, &options, &said, diag))
		return false;
	if (!said && !add(front, problem, &options, diag) && went_wrong(diag))
		return false;
	if (!said)
		options.budget = sw_type_globalsize(&problem->from);
	for (int k = 0; k < MOST_POINTS; k++) {
		const sw_plan *plan = add(front, problem, &options, diag);
		if (!plan)
			return front->count && !went_wrong(diag);
		int64_t bound = memory_of(front, plan) - 1;
		if (bound < 1 || !plan->has_bound)
			return true;
		*(front->live ? &options.live_budget : &options.budget) = bound;
	}
	return true;
}

/* ---- answers ---- */

static bool add_fields(const struct front *front, const struct plan_facts *facts, sw_diag *diag)
{
	struct fields *fields = document_fields(front->run->answer, "shardwalk.pareto/1");
	field_text(fields, "memory", front->live ? "live_peak" : "height");
	field_text(fields, "model", sw_model_name(front->asked.model));
	struct fields *plans = field_list(fields, "plans");
	for (int i = 0; i < front->count; i++)
		if (!compare_fields(field_object(plans, NULL), front->plans[i], &facts[i], diag))
			return false;
	return true;
}

static bool answer_front(const struct front *front, int chosen, sw_diag *diag)
{
	const struct invocation *run = front->run;
	const sw_machine *machine;
	if (!compare_machine(&front->asked, front->plans[0]->problem.mesh.devices, &machine, diag))
		return false;
	struct plan_facts *facts = compare_facts(run, front->plans, front->count, machine, diag);
	if (!facts)
		return false;
	if (wants_json(run))
		return add_fields(front, facts, diag);
	struct view_options options = view_options_default(run->answer->width);
	options.step = chosen;
	struct view_input in = {.mesh = &front->plans[0]->problem.mesh,
		.plans = (const sw_plan *const *)front->plans,
		.plan_count = front->count,
		.facts = facts,
		.machine = machine ? machine->name : NULL,
		.against = front->live ? "live" : "height"};
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
	session_hold_plan(session, arena, plan);
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

static bool find_and_answer(struct front *front, const sw_problem *problem, sw_diag *diag)
{
	const struct invocation *run = front->run;
	if (!find_front(front, problem, diag))
		return refuse_budget(run, diag);
	if (argument(run, 0))
		return take(run, front->plans, front->count, front->asked.without, diag);
	if (!answer_front(front, VIEW_ALL, diag))
		return false;
	session_hold_front(run->session, front->arena, problem, front->plans, front->count, front->asked.without);
	front->arena = NULL;
	return true;
}

bool command_pareto(struct invocation *run, sw_diag *diag)
{
	struct front front = {.run = run};
	sw_problem problem;
	if (!read_measure(run, &front.live, diag) || !plan_request_read(run, NULL, &front.asked, diag) ||
		!session_problem(run->session, &problem, diag))
		return false;
	const struct held_front *shown = session_front(run->session, &problem);
	if (argument(run, 0) && shown && !asks_anew(run))
		return take(run, shown->plans, shown->count, shown->without, diag);
	front.arena = sw_arena_new();
	if (!front.arena)
		return sw_diag_memory(diag);
	bool ok = find_and_answer(&front, &problem, diag);
	sw_arena_free(front.arena);
	return ok;
}

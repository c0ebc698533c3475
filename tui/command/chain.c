/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans through stops, A ~> B ~> C: leg by leg, all of it, and what it would cost without the stops.
 */
#include <string.h>

#include <shardwalk/number.h>

#include "command/plan.h"
#include "views/draw.h"

/* ---- the legs ---- */

static int stops_of(const struct state *state)
{
	int count = 0;
	for (const struct stop *stop = state->via; stop; stop = stop->before)
		count++;
	return count;
}

/* Each leg begins where the one before it ends. */
static struct chain *make_legs(const struct state *state, const sw_problem *problem, sw_arena *arena)
{
	int count = stops_of(state) + 1, i = count - 1;
	struct chain *chain = SW_NEW_ZERO(arena, struct chain, 1);
	sw_type *types = SW_NEW(arena, sw_type, count + 1);
	if (!chain || !types || !(chain->leg = SW_NEW_ZERO(arena, struct leg, count)))
		return NULL;
	chain->count = count;
	types[0] = problem->from;
	types[count] = problem->to;
	for (const struct stop *stop = state->via; stop; stop = stop->before)
		types[i--] = stop->type;
	for (int k = 0; k < count; k++) {
		types[k + 1].dtype = types[0].dtype;
		chain->leg[k].from = &types[k];
		chain->leg[k].to = &types[k + 1];
	}
	return chain;
}

static bool find_between(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_plan_options options;
	return plan_request_options(asked, problem, NULL, &options, diag) &&
		plan_find(run, problem, &options, arena, plan, diag);
}

/* ---- all of them ---- */

/* The steps of a leg behind those before it. */
static bool append(sw_plan *plan, const sw_plan *leg, sw_arena *arena, sw_diag *diag)
{
	if (!sw_plan_own(plan, leg->program.steps, arena))
		return sw_diag_memory(diag);
	for (int k = 0; k < leg->program.steps; k++) {
		plan->program.step[plan->program.steps++] = leg->program.step[k];
		plan->program.value[plan->program.steps] = leg->program.value[k + 1];
	}
	plan->model_cost += leg->model_cost;
	plan->budget = sw_larger(plan->budget, leg->budget);
	plan->live_budget = sw_larger(plan->live_budget, leg->live_budget);
	plan->search.settled += leg->search.settled;
	plan->search.seen += leg->search.seen;
	plan->search.edges += leg->search.edges;
	plan->search.memory = leg->search.memory > 0 ? leg->search.memory : plan->search.memory;
	plan->search.seconds += leg->search.seconds;
	return true;
}

static bool add_leg(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	struct leg *leg, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_problem own = {.mesh = problem->mesh, .from = *leg->from, .to = *leg->to};
	sw_plan found;
	if (!find_between(run, asked, &own, arena, &found, diag))
		return false;
	leg->steps = found.program.steps;
	leg->cost = found.cost;
	leg->height = found.height;
	leg->model_cost = found.model_cost;
	if (plan->origin)
		return append(plan, &found, arena, diag);
	*plan = found;
	plan->problem = *problem;
	plan->origin = "chain";
	plan->has_bound = plan->optimal = false;
	plan->local_cost = -1;
	plan->note = NULL;
	return true;
}

static void cost_text(const sw_plan *plan, int64_t cost, double model_cost, sw_text *text)
{
	sw_text_addf(text, "cost %s", words_count(cost).text);
	if (sw_model_is_timed(plan->model))
		sw_text_addf(text, ", %s", words_seconds(model_cost).text);
	else if (plan->model != SW_MODEL_PAPER)
		sw_text_addf(text, ", model %s", words_count(sw_nearest(model_cost)).text);
}

/* "leg 1, 2 steps, to [...]: cost 36; ...; without stops, 1 step: cost 36" */
static bool add_note(const struct chain *chain, const sw_diag *why, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_text text = {0};
	for (int k = 0; k < chain->count; k++) {
		const struct leg *leg = &chain->leg[k];
		sw_text_addf(&text, "leg %d, %s, to ", k + 1, words_plural(leg->steps, "step", "steps").text);
		sw_type_print(&plan->problem.mesh, leg->to, false, &text);
		sw_text_add(&text, ": ");
		cost_text(plan, leg->cost, leg->model_cost, &text);
		sw_text_add(&text, "; ");
	}
	if (chain->has_direct) {
		sw_text_addf(&text, "without stops, %s: ", words_plural(chain->direct_steps, "step", "steps").text);
		cost_text(plan, chain->direct_cost, chain->direct_model_cost, &text);
	} else {
		sw_text_addf(&text, "without stops: %s", why->message);
	}
	plan->note = sw_text_keep(&text, arena);
	return plan->note || sw_diag_memory(diag);
}

/* The same problem without stops; false where that was stopped. */
static bool find_direct(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	struct chain *chain, sw_arena *arena, sw_diag *why)
{
	struct plan_request sizes = *asked;
	sw_plan direct;
	sizes.sizes_only = true;
	chain->has_direct = find_between(run, &sizes, problem, arena, &direct, why);
	if (!chain->has_direct)
		return why->code != SW_E01 && why->code != SW_S03;
	chain->direct_steps = direct.program.steps;
	chain->direct_cost = direct.cost;
	chain->direct_model_cost = direct.model_cost;
	return true;
}

bool chain_find(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	sw_arena *arena, sw_plan *plan, const struct chain **found, sw_diag *diag)
{
	struct chain *chain = make_legs(&run->session->state, problem, arena);
	sw_diag why = {.code = SW_OK};
	*plan = (sw_plan){.origin = NULL};
	if (!chain)
		return sw_diag_memory(diag);
	for (int k = 0; k < chain->count; k++)
		if (!add_leg(run, asked, problem, &chain->leg[k], arena, plan, diag))
			return false;
	if (!find_direct(run, asked, problem, chain, arena, &why)) {
		*diag = why;
		return false;
	}
	*found = chain;
	return sw_plan_total(plan, diag) && add_note(chain, &why, arena, plan, diag);
}

/* ---- for programs ---- */

static void add_figures(struct fields *in, int steps, int64_t cost, double model_cost)
{
	field_int(in, "steps", steps);
	field_int(in, "cost", cost);
	field_number(in, "model_cost", model_cost);
}

void chain_fields(const struct chain *chain, const sw_mesh *mesh, struct fields *in)
{
	struct fields *legs = field_list(in, "legs");
	for (int k = 0; k < chain->count; k++) {
		const struct leg *leg = &chain->leg[k];
		struct fields *one = field_object(legs, NULL);
		field_type(one, "from", mesh, leg->from, false);
		field_type(one, "to", mesh, leg->to, false);
		add_figures(one, leg->steps, leg->cost, leg->model_cost);
		field_int(one, "height", leg->height);
	}
	if (chain->has_direct)
		add_figures(field_object(in, "direct"), chain->direct_steps, chain->direct_cost, chain->direct_model_cost);
	else
		field_null(in, "direct");
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command finish: to the goal, and what is known then.
 */
#include <shardwalk/number.h>

#include "answer/watch.h"
#include "command/plan.h"
#include "command/walk/walk.h"
#include "session/machine.h"
#include "session/walks.h"
#include "views/walk_words.h"

/* ---- the search ---- */

static bool plan_sizes(const struct invocation *run, sw_walk *walk, sw_strategy strategy, sw_plan *plan,
	sw_diag *diag)
{
	const struct settings *settings = &run->session->state.settings;
	struct watch watch;
	sw_plan_options options = {
		.strategy = strategy,
		.model = (sw_model)settings->value[SETTING_MODEL].number,
		.budget = sw_walk_largest(walk),
		.unit = sw_walk_unit(walk),
		.without = (unsigned)settings->value[SETTING_WITHOUT].number,
		.sizes_only = true,
		.pulse = &watch.pulse,
	};
	if (options.model == SW_MODEL_PORTS) /* the walk counts elements then, too */
		options.model = SW_MODEL_PAPER;
	if (!machine_find(options.model, settings->value[SETTING_HARDWARE].text, sw_walk_problem(walk)->mesh.devices,
			&options.machine, diag))
		return false;
	watch_start(&watch, run->session->console);
	bool ok = sw_plan_find(sw_walk_problem(walk), &options, run->arena, plan, diag);
	watch_end(&watch);
	return ok;
}

/* As the walk counts: elements, or nanoseconds. */
static int64_t plan_cost(const sw_plan *plan)
{
	return sw_nearest(plan->model_cost * (sw_model_is_timed(plan->model) ? 1e9 : 1));
}

static const char *cost_unit(sw_model model)
{
	return sw_model_is_timed(model) ? " ns" : "";
}

static void say_saving(const struct invocation *run, const sw_plan *lowered, const sw_plan *fused)
{
	sw_text text = {0};
	sw_text_add(&text, "fused: cost ");
	sw_print_count(&text, plan_cost(fused));
	sw_text_addf(&text, "%s in %d %s: ", cost_unit(fused->model), fused->program.steps,
		plural(fused->program.steps, "step", "steps"));
	if (fused->model_cost < lowered->model_cost) {
		sw_text_add(&text, "saves ");
		sw_print_count(&text, plan_cost(lowered) - plan_cost(fused));
		sw_text_addf(&text, "%s (%.0f %%)", cost_unit(fused->model),
			100 * (1 - fused->model_cost / lowered->model_cost));
	} else {
		sw_text_add(&text, "nothing to save");
	}
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

static void say_lowered(const struct invocation *run, const sw_plan *lowered, int64_t local)
{
	sw_text text = {0};
	sw_text_add(&text, "paper: made into steps, cost ");
	sw_print_count(&text, plan_cost(lowered));
	sw_text_addf(&text, "%s in %d %s", cost_unit(lowered->model), lowered->program.steps,
		plural(lowered->program.steps, "step", "steps"));
	if (plan_cost(lowered) > local && lowered->permutes)
		sw_text_addf(&text, ", %lld of them for %s", (long long)(plan_cost(lowered) - local),
			sw_model_is_timed(lowered->model) ? "a permutation and packing" : "a permutation");
	else if (plan_cost(lowered) > local)
		sw_text_addf(&text, ", %lld%s above the walk: packing and slower axes",
			(long long)(plan_cost(lowered) - local), cost_unit(lowered->model));
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

static bool tell_plans(const struct invocation *run, sw_walk *walk, const sw_node *goal, sw_diag *diag)
{
	sw_plan lowered, fused;
	sw_text local = {0};
	sw_text_add(&local, "optimum over local types: ");
	sw_print_count(&local, goal->distance);
	sw_text_addf(&local, "%s\n", cost_unit((sw_model)run->session->state.settings.value[SETTING_MODEL].number));
	document_lines(run->answer, &local);
	if (!plan_sizes(run, walk, SW_PAPER, &lowered, diag))
		return false;
	say_lowered(run, &lowered, goal->distance);
	if (!plan_sizes(run, walk, SW_FUSED, &fused, diag))
		return false;
	say_saving(run, &lowered, &fused);
	return true;
}

/* ---- sums ---- */

static void tell_programs(const struct invocation *run, sw_walk *walk, const sw_node *goal)
{
	const struct kept_walk *kept = session_begun(run->session);
	double allreduce = sw_ports_allreduce(sw_context_walk_ports(walk), kept->sum.bytes);
	document_line(run->answer, "%s: %s; one allreduce takes %s",
		sw_contexts_complete(kept->sum.contexts) ? "optimum over programs of any length" :
												   "the fastest program found",
		words_cost(walk, goal->distance).text, words_seconds_to(allreduce, 4).text);
}

/* ---- the command ---- */

bool command_finish(struct invocation *run, sw_diag *diag)
{
	sw_walk *walk;
	sw_node goal;
	if (!walk_begin(run, &walk, diag) || !walk_on(run, walk, diag) || !sw_walk_node(walk, sw_walk_goal(walk), &goal))
		return false;
	walk_say_where(run, walk);
	if (!walk_answer_path(run, walk, goal.id, diag))
		return false;
	if (run->answer->fields)
		return true;
	if (sw_walk_problem(walk))
		return tell_plans(run, walk, &goal, diag);
	if (sw_context_walk_ports(walk))
		tell_programs(run, walk, &goal);
	return true;
}

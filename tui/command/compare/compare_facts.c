/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of plans side by side: times, which take the same steps, what they cost under a model, and their order.
 */
#include "command/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/machine.h"

/* ---- times ---- */

static void print_problem(const sw_problem *problem, sw_text *text)
{
	sw_mesh_print(&problem->mesh, text);
	sw_type_print(&problem->mesh, &problem->from, true, text);
	sw_type_print(&problem->mesh, &problem->to, true, text);
}

static bool is_last_run(const struct kept_run *kept, const sw_problem *problem)
{
	sw_text a = {0}, b = {0};
	if (!kept || !kept->has_problem)
		return false;
	print_problem(&kept->problem, &a);
	print_problem(problem, &b);
	bool same = strcmp(sw_text_get(&a), sw_text_get(&b)) == 0;
	sw_text_free(&a);
	sw_text_free(&b);
	return same;
}

/* ---- the same steps ---- */

static void print_numbers(const int32_t *numbers, int64_t count, const char *what, sw_text *text)
{
	if (!numbers)
		return;
	sw_text_add(text, what);
	for (int64_t i = 0; i < count; i++)
		sw_text_addf(text, " %d", numbers[i]);
}

static void print_entries(const sw_entry *entries, int count, sw_text *text)
{
	for (int i = 0; i < count; i++)
		sw_text_addf(text, " %d:%lld", entries[i].dim, (long long)entries[i].factor);
	sw_text_add(text, ";");
}

static void print_step(const sw_plan *plan, int k, sw_text *text)
{
	const sw_step *step = &plan->program.step[k];
	const sw_value *made = &plan->program.value[k + 1];
	int64_t devices = plan->problem.mesh.devices;
	sw_text_addf(text, "%d", (int)step->op);
	print_entries(step->gather, step->gathers, text);
	print_entries(step->split, step->splits, text);
	if (made->type)
		sw_type_print(&plan->problem.mesh, made->type, false, text);
	for (int64_t i = 0; !made->type && made->map && i < devices * plan->problem.from.rank; i++)
		sw_text_addf(text, " %lld", (long long)made->map[i]);
	print_numbers(step->group_size > 0 ? step->groups : NULL, step->grouped, " groups", text);
	print_numbers(step->source, devices, " source", text);
	sw_text_add(text, "\n");
}

/* All steps, so that two plans of the same problem take the same steps where these texts are equal. */
static void print_steps(const sw_plan *plan, sw_text *text)
{
	for (int k = 0; k < plan->program.steps; k++)
		print_step(plan, k, text);
}

bool compare_same_steps(const sw_plan *a, const sw_plan *b)
{
	sw_text one = {0}, two = {0};
	if (a->program.steps != b->program.steps)
		return false;
	print_steps(a, &one);
	print_steps(b, &two);
	bool same = !one.failed && !two.failed && strcmp(sw_text_get(&one), sw_text_get(&two)) == 0;
	sw_text_free(&one);
	sw_text_free(&two);
	return same;
}

/* ---- what was measured ---- */

void compare_remember(struct kept_run *kept, const sw_plan *const *plans, int count)
{
	const struct run_plan **last = &kept->plans;
	for (int i = 0; i < count; i++) {
		sw_text text = {0};
		struct run_plan *plan = SW_NEW_ZERO(kept->arena, struct run_plan, 1);
		const char *steps;
		print_steps(plans[i], &text);
		steps = sw_text_keep(&text, kept->arena);
		if (plan && steps) {
			*plan = (struct run_plan){.name = plans[i]->name, .steps = steps};
			*last = plan;
			last = &plan->next;
		}
	}
	kept->problem = plans[0]->problem;
	kept->problem.mesh.order = kept->problem.to_order = NULL; /* which need not live as long */
	kept->has_problem = true;
}

static double median_of(const struct kept_run *kept, const char *plan)
{
	const struct times *times = records_merge(&kept->records, plan);
	return times && times->total.seconds.median > 0 ? times->total.seconds.median : -1;
}

/* Of several that took these steps the one of the same name counts; NULL: none did. */
static const char *measured_as(const struct kept_run *kept, const sw_plan *plan)
{
	sw_text steps = {0};
	const char *name = NULL;
	print_steps(plan, &steps);
	for (const struct run_plan *run = kept->plans; run; run = run->next) {
		if (!run->steps || strcmp(run->steps, sw_text_get(&steps)) != 0)
			continue;
		bool own = strcmp(run->name, compare_name(plan)) == 0;
		if (median_of(kept, run->name) >= 0 && (own || !name))
			name = run->name;
	}
	sw_text_free(&steps);
	return name;
}

static double measured_seconds(const struct kept_run *kept, const sw_plan *plan)
{
	const char *name = measured_as(kept, plan);
	return name ? median_of(kept, name) : -1;
}

const struct times *compare_times(const struct session *session, const sw_plan *plan)
{
	const struct kept_run *kept = session->last_run;
	const char *name = is_last_run(kept, &plan->problem) ? measured_as(kept, plan) : NULL;
	const struct times *times = name ? records_merge(&kept->records, name) : NULL;
	return times && times->count == plan->program.steps ? times : NULL;
}

struct plan_facts *compare_facts(const struct invocation *run, sw_plan *const *plans, int count,
	const sw_machine *machine, sw_diag *diag)
{
	struct plan_facts *facts = SW_NEW_ZERO(run->arena, struct plan_facts, count ? count : 1);
	if (!facts) {
		sw_diag_memory(diag);
		return NULL;
	}
	const struct kept_run *kept = count ? run->session->last_run : NULL;
	if (kept && !is_last_run(kept, &plans[0]->problem))
		kept = NULL;
	for (int i = 0; i < count; i++) {
		facts[i].volume = sw_plan_volume(plans[i]);
		facts[i].predicted = machine ? sw_predict_seconds(plans[i], -1, machine) : -1;
		facts[i].measured = kept ? measured_seconds(kept, plans[i]) : -1;
	}
	return facts;
}

/* ---- the order ---- */

const char *compare_name(const sw_plan *plan)
{
	return plan->origin ? plan->origin : sw_strategy_name(plan->strategy);
}

bool compare_is_over(const sw_plan *plan)
{
	return (plan->budget > 0 && plan->height > plan->budget) ||
		(plan->live_budget > 0 && plan->live_peak > plan->live_budget);
}

double compare_rounded(double cost)
{
	enum { BITS = 36 };
	int exponent;
	double part = frexp(cost, &exponent);
	return ldexp(rint(ldexp(part, BITS)), exponent - BITS);
}

static int rank_of(const sw_plan *plan)
{
	if (plan->origin)
		return 2 * SW_STRATEGY_COUNT;
	if (plan->strategy == SW_FUSED)
		return -1;
	return (int)plan->strategy + (sw_strategy_is(plan->strategy, SW_FOLLOWS) ? SW_STRATEGY_COUNT : 0);
}

struct row {
	sw_plan *plan;
	struct plan_facts facts;
};

static int sign_of(double difference)
{
	return (difference > 0) - (difference < 0);
}

static int by_rank(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	const int orders[] = {
		compare_is_over(a->plan) - compare_is_over(b->plan),
		sign_of(compare_rounded(a->plan->model_cost) - compare_rounded(b->plan->model_cost)),
		sign_of(compare_rounded(a->facts.predicted) - compare_rounded(b->facts.predicted)),
		a->plan->program.steps - b->plan->program.steps,
		rank_of(a->plan) - rank_of(b->plan),
	};
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		if (orders[i])
			return orders[i];
	return 0;
}

void compare_sort(sw_plan **plans, struct plan_facts *facts, int count)
{
	struct row rows[COMPARED_MOST];
	for (int i = 0; i < count; i++)
		rows[i] = (struct row){plans[i], facts[i]};
	qsort(rows, (size_t)count, sizeof(*rows), by_rank);
	for (int i = 0; i < count; i++) {
		plans[i] = rows[i].plan;
		facts[i] = rows[i].facts;
	}
}

/* ---- rows ---- */

static bool same_figures(const sw_plan *a, const sw_plan *b)
{
	return !a->origin && !b->origin && a->program.steps == b->program.steps && a->cost == b->cost &&
		a->height == b->height && a->live_peak == b->live_peak &&
		!sign_of(compare_rounded(a->model_cost) - compare_rounded(b->model_cost)) && a->budget == b->budget &&
		a->live_budget == b->live_budget;
}

static bool measured_apart(const struct plan_facts *a, const struct plan_facts *b)
{
	return sign_of(a->measured - b->measured) != 0;
}

void compare_share(sw_plan *const *plans, struct plan_facts *facts, int count)
{
	for (int i = 1; i < count; i++)
		for (int k = 0; k < i && !facts[i].same; k++)
			if (!facts[k].same && same_figures(plans[k], plans[i]) && !measured_apart(&facts[k], &facts[i]) &&
				compare_same_steps(plans[k], plans[i]))
				facts[i].same = k + 1;
}

/* ---- the model's cost of any plan ---- */

/* Elements that arrive in step k. */
static double step_volume(const sw_plan *plan, int k)
{
	sw_plan before = *plan, after = *plan;
	before.program.steps = k;
	after.program.steps = k + 1;
	return sw_plan_volume(&after) - sw_plan_volume(&before);
}

static double step_cost(const sw_plan *plan, int k, const sw_machine *machine)
{
	if (plan->model == SW_MODEL_PAPER)
		return (double)plan->program.step[k].cost;
	if (plan->model == SW_MODEL_VOLUME)
		return step_volume(plan, k);
	double seconds = sw_predict_seconds(plan, k, machine);
	return seconds > 0 ? seconds : 0;
}

bool compare_price(const sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_plan *priced,
	sw_diag *diag)
{
	const sw_machine *machine = options->machine ? options->machine : sw_machine_of_model(options->model);
	*priced = *plan;
	if (!sw_plan_own(priced, 0, arena))
		return sw_diag_memory(diag);
	priced->model = options->model;
	priced->machine = sw_model_is_timed(options->model) ? machine->name : NULL;
	priced->budget = options->budget;
	priced->live_budget = options->live_budget;
	priced->has_bound = priced->optimal = false;
	priced->local_cost = -1;
	if (plan->program.claimed)
		memset(&priced->search, 0, sizeof(priced->search));
	priced->program.claimed = false;
	priced->model_cost = 0;
	for (int k = 0; k < plan->program.steps; k++)
		priced->model_cost += priced->program.step[k].model_cost = step_cost(priced, k, machine);
	return true;
}

/* ---- fields ---- */

bool compare_fields(struct fields *in, const sw_plan *plan, const struct plan_facts *facts, sw_diag *diag)
{
	sw_text text = {0};
	if (!in)
		return true;
	bool ok = sw_plan_write(plan, SW_JSON_NO_STEPS | SW_JSON_LINE, &text, diag);
	field_members(in, (sw_str){sw_text_get(&text), text.length});
	field_digits(in, "volume", facts->volume, 9);
	field_digits(in, "predicted_s", facts->predicted, 9);
	field_digits(in, "measured_s", facts->measured, 9);
	sw_text_free(&text);
	return ok;
}

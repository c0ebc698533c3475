/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of plans side by side.
 */
#include "command/compare.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/answer.h"
#include "launch/machine.h"
#include "views/draw.h"

bool compare_machine(const struct wish *wish, int64_t devices, const sw_machine **machine, sw_diag *diag)
{
	sw_model model = sw_model_is_timed(wish->model) ? wish->model : SW_MODEL_LATENCY;
	return machine_find(model, wish->hardware, devices, machine, diag);
}

/* ---- times ---- */

static void print_problem(const sw_problem *problem, sw_text *text)
{
	sw_mesh_print(&problem->mesh, text);
	sw_type_print(&problem->mesh, &problem->from, true, text);
	sw_type_print(&problem->mesh, &problem->to, true, text);
}

static bool is_last_run(const struct held_run *held, const sw_problem *problem)
{
	sw_text a = {0}, b = {0};
	if (!held || !held->has_problem)
		return false;
	print_problem(&held->problem, &a);
	print_problem(problem, &b);
	bool same = strcmp(sw_text_get(&a), sw_text_get(&b)) == 0;
	sw_text_free(&a);
	sw_text_free(&b);
	return same;
}

static double measured_seconds(const struct invocation *run, const sw_plan *plan)
{
	const struct held_run *held = run->session->last_run;
	if (!is_last_run(held, &plan->problem))
		return -1;
	const struct times *times = records_merge(&held->records, sw_strategy_name(plan->strategy));
	return times && times->total.seconds.median > 0 ? times->total.seconds.median : -1;
}

struct plan_facts *compare_facts(const struct invocation *run, sw_plan *const *plans, int count, const sw_machine *machine,
	sw_diag *diag)
{
	struct plan_facts *facts = SW_NEW_ZERO(run->arena, struct plan_facts, count ? count : 1);
	if (!facts) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int i = 0; i < count; i++) {
		facts[i].volume = sw_plan_volume(plans[i]);
		facts[i].predicted = machine ? sw_predict_seconds(plans[i], -1, machine) : -1;
		facts[i].measured = measured_seconds(run, plans[i]);
	}
	return facts;
}

/* ---- why ---- */

static void spending(const sw_plan *plan, double spent[SW_OP_COUNT])
{
	for (int op = 0; op < SW_OP_COUNT; op++)
		spent[op] = 0;
	for (int k = 0; k < plan->count; k++)
		spent[plan->steps[k].op] += plan->steps[k].model_cost;
}

static int uses_of(const sw_plan *plan, int op)
{
	int n = 0;
	for (int k = 0; k < plan->count; k++)
		n += (int)plan->steps[k].op == op;
	return n;
}

static void add_cost(const sw_plan *plan, double cost, sw_text *text)
{
	if (sw_model_is_timed(plan->model))
		sw_text_add(text, words_seconds(cost).text);
	else
		sw_print_count(text, (int64_t)cost);
}

/* The operation on which `other` spends most beyond `best`. */
static int dearest(const double mine[SW_OP_COUNT], const double theirs[SW_OP_COUNT])
{
	int most = 0;
	for (int op = 1; op < SW_OP_COUNT; op++)
		if (theirs[op] - mine[op] > theirs[most] - mine[most])
			most = op;
	return most;
}

static void add_reason(const sw_plan *best, const sw_plan *other, sw_text *text)
{
	double mine[SW_OP_COUNT], theirs[SW_OP_COUNT];
	spending(best, mine);
	spending(other, theirs);
	int op = dearest(mine, theirs), uses = uses_of(other, op);
	const char *name = sw_collective_of((sw_op)op)->name;
	sw_text_addf(text, ": %s spends ", sw_strategy_name(other->strategy));
	add_cost(other, theirs[op], text);
	sw_text_addf(text, " on %d %s%s, ", uses, name, uses == 1 ? "" : "s");
	if (uses_of(best, op) == 0) {
		sw_text_addf(text, "which %s does without", sw_strategy_name(best->strategy));
		return;
	}
	sw_text_addf(text, "%s ", sw_strategy_name(best->strategy));
	add_cost(best, mine[op], text);
	sw_text_addf(text, " on %d", uses_of(best, op));
}

static void add_tie(const sw_plan *best, sw_plan *const *plans, int tied, sw_text *text)
{
	const sw_plan *next = plans[1];
	sw_text_addf(text, "%s costs what %s does", sw_strategy_name(best->strategy), sw_strategy_name(next->strategy));
	if (tied > 2)
		sw_text_addf(text, " and %d more", tied - 2);
	if (best->height < next->height)
		sw_text_add(text, ", with a lower height");
	else if (best->live_peak < next->live_peak)
		sw_text_add(text, ", with less live memory");
	else if (best->count < next->count)
		sw_text_add(text, ", in fewer steps");
}

static void add_gain(const sw_plan *best, const sw_plan *other, sw_text *text)
{
	sw_text_addf(text, "%s, the next, costs ", sw_strategy_name(other->strategy));
	if (best->model_cost > 0)
		sw_text_addf(text, "%.3g times as much as %s", other->model_cost / best->model_cost, sw_strategy_name(best->strategy));
	else
		sw_text_addf(text, "more than the nothing of %s", sw_strategy_name(best->strategy));
	add_reason(best, other, text);
}

void compare_why(sw_plan *const *plans, int count, sw_text *text)
{
	int tied = 1;
	while (tied < count && plans[tied]->model_cost <= plans[0]->model_cost * (1 + 1e-9))
		tied++;
	if (count < 2)
		return;
	if (tied > 1)
		add_tie(plans[0], plans, tied, text);
	if (tied > 1 && tied < count)
		sw_text_add(text, "; ");
	if (tied < count)
		add_gain(plans[0], plans[tied], text);
	if (plans[0]->budget > 0 && plans[0]->height > plans[0]->budget)
		sw_text_add(text, "; but it is above the budget");
	sw_text_add(text, ".");
}

/* ---- JSON ---- */

static void add_number(const char *key, double number, sw_text *text)
{
	sw_text_addf(text, number < 0 ? ", \"%s\": null" : ", \"%s\": %.9g", key, number);
}

bool compare_write(const sw_plan *plan, const struct plan_facts *facts, sw_text *text, sw_diag *diag)
{
	sw_text one = {0};
	bool ok = sw_plan_write(plan, SW_JSON_NO_STEPS | SW_JSON_LINE, &one, diag);
	while (one.length && strchr("}\n", one.data[one.length - 1]) && ok) {
		bool brace = one.data[--one.length] == '}';
		one.data[one.length] = '\0';
		if (brace)
			break;
	}
	sw_text_add(text, sw_text_get(&one));
	add_number("volume", facts->volume, text);
	add_number("predicted_s", facts->predicted, text);
	add_number("measured_s", facts->measured, text);
	sw_text_add(text, "}");
	sw_text_free(&one);
	return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `compare --to TYPE`: what every strategy needs for the present target, A, and for another one, B.
 */
#include "command/compare/compare.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "views/draw.h"

enum { TARGETS = 2 };

struct targets {
	struct comparison c[TARGETS];
	sw_problem problem[TARGETS];
};

static const char *const names[TARGETS] = {"A", "B"};

/* The present problem with another target.  T09 at the word. */
static bool read_other(const struct invocation *run, const struct word *word, sw_problem *problem, sw_diag *diag)
{
	if (!read_type(run, word->text, &problem->to, diag))
		return false;
	if (!sw_uneven_same_array(&problem->from, &problem->to, diag)) {
		diag->also = (sw_span){0, 0};
		sw_diag_hint(diag, "both targets are of the array that `from` describes");
		return refuse_at(run, word->raw, diag);
	}
	sw_type_agree(&problem->from, &problem->to);
	return true;
}

static const sw_plan *plan_of(const struct comparison *c, const char *name, const struct plan_facts **facts)
{
	for (int i = 0; i < c->count; i++)
		if (strcmp(compare_name(c->plans[i]), name) == 0) {
			*facts = &c->facts[i];
			return c->plans[i];
		}
	return NULL;
}

/* ---- the table ---- */

static void add_targets(struct document *answer, const struct targets *t)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_LEFT("", ROLE_TYPE), {0}};
	struct table *table = document_table(answer, columns);
	for (int i = 0; i < TARGETS; i++) {
		sw_text text = {0};
		sw_type_print(&t->problem[i].mesh, &t->problem[i].to, true, &text);
		table_add(table, "%s", names[i]);
		table_add_text(table, &text);
	}
}

enum quantity { COST, HEIGHT, STEPS, TIME, QUANTITIES };

static void quantity_text(const sw_plan *plan, const struct plan_facts *facts, enum quantity quantity, sw_text *text)
{
	if (!plan || (quantity == TIME && facts->predicted < 0))
		sw_text_add_char(text, '-');
	else if (quantity == COST)
		sw_text_add(text, words_price(plan->model, plan->model_cost).text);
	else if (quantity == HEIGHT)
		sw_text_addf(text, "%s%s", words_count(plan->height).text,
			plan->budget > 0 && plan->height > plan->budget ? "!" : "");
	else if (quantity == STEPS)
		sw_text_addf(text, "%d", plan->program.steps);
	else
		sw_text_add(text, words_seconds(facts->predicted).text);
}

static void add_row(struct table *table, const struct targets *t, const char *name)
{
	table_add(table, "%s", name);
	for (int q = 0; q < QUANTITIES; q++)
		for (int i = 0; i < TARGETS; i++) {
			sw_text text = {0};
			const struct plan_facts *facts = NULL;
			const sw_plan *plan = plan_of(&t->c[i], name, &facts);
			quantity_text(plan, facts, (enum quantity)q, &text);
			table_add_text(table, &text);
		}
}

static void add_table(struct document *answer, const struct targets *t)
{
	static const struct column columns[] = {COLUMN_LEFT("strategy", ROLE_NUMBER), COLUMN_RIGHT("cost A", ROLE_NUMBER),
		COLUMN_RIGHT("B", ROLE_NUMBER), COLUMN_RIGHT("height A", ROLE_NUMBER), COLUMN_RIGHT("B", ROLE_NUMBER),
		COLUMN_RIGHT("steps A", ROLE_NUMBER), COLUMN_RIGHT("B", ROLE_NUMBER),
		{.head = "time A", .right = true, .role = ROLE_NUMBER, .drops = 1},
		{.head = "B", .right = true, .role = ROLE_NUMBER, .drops = 1}, {0}};
	const struct plan_facts *facts;
	document_line(answer, "%s", "");
	struct table *table = document_table(answer, columns);
	for (int i = 0; i < t->c[0].count; i++)
		add_row(table, t, compare_name(t->c[0].plans[i]));
	for (int i = 0; i < t->c[1].count; i++)
		if (!plan_of(&t->c[0], compare_name(t->c[1].plans[i]), &facts))
			add_row(table, t, compare_name(t->c[1].plans[i]));
}

/* ---- what is said below ---- */

/* The plan of the strategy that is set, else the best. */
static const sw_plan *plan_chosen(const struct comparison *c, sw_strategy strategy)
{
	const struct plan_facts *facts;
	const sw_plan *own = plan_of(c, sw_strategy_name(strategy), &facts);
	return own ? own : c->plans[0];
}

static void add_steps(struct document *answer, const struct targets *t, sw_strategy strategy)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_LEFT("", ROLE_NUMBER),
		COLUMN_LEFT("", ROLE_OP), {0}};
	document_line(answer, "%s", "");
	struct table *table = document_table(answer, columns);
	for (int i = 0; i < TARGETS; i++) {
		const sw_plan *plan = plan_chosen(&t->c[i], strategy);
		sw_text steps = {0};
		words_steps(plan, "nothing to do", &steps);
		table_add(table, "to %s by", names[i]);
		table_add(table, "%s", compare_name(plan));
		table_add_text(table, &steps);
	}
}

/* "to B costs 2 times as much as to A: 64 elements instead of 32" */
static void add_verdict(struct document *answer, const struct targets *t, sw_strategy strategy)
{
	const sw_plan *plan[TARGETS] = {plan_chosen(&t->c[0], strategy), plan_chosen(&t->c[1], strategy)};
	double cost[TARGETS] = {compare_rounded(plan[0]->model_cost), compare_rounded(plan[1]->model_cost)};
	const char *unit = sw_model_is_timed(plan[0]->model) ? "" : " elements";
	int more = cost[1] > cost[0];
	const struct words dear = words_price(plan[more]->model, plan[more]->model_cost),
					   cheap = words_price(plan[!more]->model, plan[!more]->model_cost);
	sw_text line = {0};
	if (cost[0] == cost[1])
		sw_text_addf(&line, "both cost the same: %s%s", dear.text, unit);
	else if (cost[!more] <= 0)
		sw_text_addf(&line, "to %s costs %s%s, to %s nothing", names[more], dear.text, unit, names[!more]);
	else
		sw_text_addf(&line, "to %s costs %.3g times as much as to %s: %s%s instead of %s", names[more],
			cost[more] / cost[!more], names[!more], dear.text, unit, cheap.text);
	document_line(answer, "%s", sw_text_get(&line));
	sw_text_free(&line);
}

static void add_notes(const struct invocation *run, const struct targets *t)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_NOTE), {0}};
	struct table *table = document_table(run->answer, columns);
	bool over = false;
	for (int i = 0; i < TARGETS; i++) {
		const struct comparison *c = &t->c[i];
		for (int k = 0; k < c->count; k++)
			over |= c->plans[k]->budget > 0 && c->plans[k]->height > c->plans[k]->budget;
		for (int k = 0; k < c->refused_count; k++)
			table_add(table, "no plan to %s by %s: %s", names[i], sw_strategy_name(c->refused[k].strategy),
				compare_reason(&c->refused[k], run->arena));
	}
	table_add(table, "cost and height in elements per device%s", over ? "; height!: above its budget" : "");
	if (t->c[0].machine && t->c[0].machine->name)
		table_add(table, "time: predicted on hardware %s", t->c[0].machine->name);
}

/* ---- the answer ---- */

static bool targets_json(const struct invocation *run, const struct targets *t, sw_diag *diag)
{
	struct fields *list = field_list(document_fields(run->answer, "shardwalk.targets/1"), "targets");
	for (int i = 0; list && i < TARGETS; i++)
		if (!compare_object(field_object(list, NULL), &t->c[i], names[i], diag))
			return false;
	return true;
}

static bool targets_answer(const struct invocation *run, const struct targets *t, sw_strategy strategy, sw_diag *diag)
{
	if (!targets_json(run, t, diag))
		return false;
	document_line(run->answer, "compare  two targets");
	add_targets(run->answer, t);
	add_table(run->answer, t);
	add_steps(run->answer, t, strategy);
	add_verdict(run->answer, t, strategy);
	add_notes(run, t);
	return true;
}

/* The other target lies on the devices that the array lies on now. */
static bool find_targets(const struct invocation *run, const struct plan_request *asked, struct targets *t,
	sw_diag *diag)
{
	t->problem[1].to_order = NULL;
	if (!compare_find(run, asked, false, &t->problem[0], run->arena, &t->c[0], diag) ||
		!compare_find(run, asked, true, &t->problem[1], run->arena, &t->c[1], diag))
		return refuse_budget(run, diag);
	return compare_know(run, asked, &t->c[0], diag) && compare_know(run, asked, &t->c[1], diag);
}

bool compare_targets(const struct invocation *run, const struct plan_request *asked, const struct word *to,
	sw_diag *diag)
{
	struct targets *t = SW_NEW_ZERO(run->arena, struct targets, 1);
	if (!t)
		return sw_diag_memory(diag);
	if (!session_problem(run->session, &t->problem[0], diag))
		return false;
	t->problem[1] = t->problem[0];
	bool ok = read_other(run, to, &t->problem[1], diag) && find_targets(run, asked, t, diag) &&
		targets_answer(run, t, asked->strategy, diag);
	for (int i = 0; i < TARGETS; i++) {
		sw_text_free(&t->c[i].why);
		sw_text_free(&t->c[i].not_taken);
	}
	return ok;
}

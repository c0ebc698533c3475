/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `compare --merged`: a plan, what it becomes when neighbouring steps are merged, and why they are or are not.
 */
#include "command/compare/compare.h"

#include <string.h>

#include "views/draw.h"

struct merging {
	sw_plan plan, merged, best; /* best: that of fused; count -1 where there is none */
	sw_merge *pair;
};

/* ---- which plan ---- */

/* The present plan where it is not the one that is merged already; else that of `exact`, one dimension a step. */
static bool read_unmerged(const struct invocation *run, const struct word *word, const sw_plan **plan, sw_diag *diag)
{
	static const char exact[] = "exact";
	const struct word by_exact = {sw_str_of(exact), sw_str_of(exact)};
	const struct kept_plan *kept = run->session->state.plan;
	bool merged = kept && !kept->plan.origin && kept->plan.strategy == SW_FUSED;
	bool open = !run->session->state.has[DEFINED_TO];
	bool present = word || (kept && (!merged || open));
	return read_plan(run, present ? word : &by_exact, plan, diag) && plan_on_tiles(*plan, diag);
}

/* Both under the model that is set, beside the best plan of one step over several dimensions. */
static bool price_all(const struct invocation *run, const struct plan_request *asked, struct merging *m,
	sw_diag *diag)
{
	struct plan_request fused = *asked;
	sw_plan_options options;
	sw_plan plan = m->plan, merged = m->merged;
	fused.strategy = SW_FUSED;
	if (!plan_request_options(&fused, &plan.problem, NULL, &options, diag) ||
		!compare_price(&plan, &options, run->arena, &m->plan, diag) ||
		!compare_price(&merged, &options, run->arena, &m->merged, diag))
		return false;
	if (!plan_find(run, &plan.problem, &options, run->arena, &m->best, diag)) {
		m->best.program.steps = -1;
		return diag->code != SW_S03;
	}
	return true;
}

/* ---- words ---- */

/* ---- the tables ---- */

static const struct column columns[] = {COLUMN_RIGHT("#", ROLE_LABEL),
	{.head = "operation", .role = ROLE_OP, .fit = CELL_WRAP, .most = 36}, COLUMN_RIGHT("cost", ROLE_NUMBER),
	COLUMN_LEFT("", ROLE_TEXT), {0}};

static struct table *start_plan(struct document *answer, const char *title, const sw_plan *plan)
{
	document_line(answer, "%s: %s, cost %s%s", title, words_plural(plan->program.steps, "step", "steps").text,
		words_price(plan->model, plan->model_cost).text, sw_model_is_timed(plan->model) ? "" : " elements");
	return document_table(answer, columns);
}

static void add_step(struct table *table, const sw_plan *plan, int k)
{
	sw_text text = {0};
	table_add(table, "%d", k + 1);
	sw_plan_print_step(plan, k, &text);
	table_add_text(table, &text);
	table_add(table, "%s", words_price(plan->model, plan->program.step[k].model_cost).text);
}

/* What is told of a step and the one before it stands beside it; of steps that are one, beside the first two. */
static void add_unmerged(struct document *answer, const struct merging *m, const char *title)
{
	struct table *table = start_plan(answer, title, &m->plan);
	for (int k = 0; k < m->plan.program.steps; k++) {
		const sw_merge *pair = k ? &m->pair[k - 1] : NULL;
		add_step(table, &m->plan, k);
		if (!pair)
			table_add(table, "%s", "");
		else if (!pair->merged)
			table_add(table, "cannot merge with %d: %s", k, pair->why);
		else if (pair->first == k - 1)
			table_add(table, "merges with %d: %s", k, pair->why);
		else
			table_add(table, "merges with %d", k);
	}
}

/* The step up to which one goes that begins with step `first`. */
static int end_of(const struct merging *m, int first)
{
	int end = first + 1;
	while (end < m->plan.program.steps && m->pair[end - 1].merged)
		end++;
	return end;
}

static void add_merged(struct document *answer, const struct merging *m)
{
	struct table *table = start_plan(answer, "merged", &m->merged);
	int k = 0;
	for (int first = 0, end; first < m->plan.program.steps && k < m->merged.program.steps; first = end) {
		end = end_of(m, first);
		if (strstr(end - first > 1 ? m->pair[first].why : "", "nothing is left"))
			continue;
		add_step(table, &m->merged, k++);
		if (end - first > 1)
			table_add(table, "steps %d %s %d", first + 1, end - first == 2 ? "and" : "to", end);
		else
			table_add(table, "step %d", first + 1);
	}
}

static void add_verdict(struct document *answer, const struct merging *m)
{
	double saved = m->plan.model_cost - m->merged.model_cost;
	sw_text line = {0};
	if (m->merged.program.steps == m->plan.program.steps)
		sw_text_add(&line, "nothing can be merged");
	else
		sw_text_addf(&line, "merging saves %d of %d steps", m->plan.program.steps - m->merged.program.steps,
			m->plan.program.steps);
	if (saved > 0)
		sw_text_addf(&line, " and %s of %s%s", words_price(m->plan.model, saved).text,
			words_price(m->plan.model, m->plan.model_cost).text, sw_model_is_timed(m->plan.model) ? "" : " elements");
	if (m->best.program.steps >= 0)
		sw_text_addf(&line, "\n`plan fused` finds %s, cost %s",
			words_plural(m->best.program.steps, "step", "steps").text,
			words_price(m->best.model, m->best.model_cost).text);
	document_line(answer, "%s", sw_text_get(&line));
	for (int k = 0; k + 1 < m->plan.program.steps; k++)
		if (strstr(m->pair[k].why, "block")) {
			document_line(answer, "a block is what the devices of a group hold together");
			break;
		}
	sw_text_free(&line);
}

/* ---- for programs ---- */

static bool add_object(struct fields *in, const char *key, const sw_plan *plan, sw_diag *diag)
{
	sw_text text = {0};
	if (!in)
		return true;
	bool ok = sw_plan_write(plan, SW_JSON_LINE, &text, diag);
	if (ok)
		field_raw(in, key, (sw_str){sw_text_get(&text), text.length});
	sw_text_free(&text);
	return ok;
}

static bool merged_json(const struct invocation *run, const struct merging *m, sw_diag *diag)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.merged/1"), *pairs = field_list(fields, "pairs");
	for (int k = 0; k + 1 < m->plan.program.steps; k++) {
		struct fields *pair = field_object(pairs, NULL);
		field_ints(pair, "steps", (int64_t[]){k + 1, k + 2}, 2);
		field_bool(pair, "merged", m->pair[k].merged);
		field_text(pair, "why", m->pair[k].why);
	}
	return add_object(fields, "unmerged", &m->plan, diag) && add_object(fields, "merged", &m->merged, diag);
}

bool compare_merged(const struct invocation *run, const struct plan_request *asked, const struct word *word,
	sw_diag *diag)
{
	struct merging *m = SW_NEW_ZERO(run->arena, struct merging, 1);
	const sw_plan *plan;
	if (!m)
		return sw_diag_memory(diag);
	if (!read_unmerged(run, word, &plan, diag) || !plan_with_groups(run, plan, &m->plan, diag))
		return false;
	m->pair = SW_NEW(run->arena, sw_merge, plan->program.steps ? plan->program.steps : 1);
	if (!m->pair)
		return sw_diag_memory(diag);
	if (!sw_plan_merge(&m->plan, run->arena, &m->merged, m->pair, diag) || !price_all(run, asked, m, diag))
		return false;
	if (!merged_json(run, m, diag))
		return false;
	add_unmerged(run->answer, m, compare_name(plan));
	document_line(run->answer, "%s", "");
	add_merged(run->answer, m);
	add_verdict(run->answer, m);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command compare: all strategies on one problem, or on many.
 */
#include "command/compare/compare.h"

#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "command/placement/algorithms.h"
#include "command/compare/compare_schedules.h"
#include "command/compare/grow.h"
#include "command/compare/tally.h"
#include "command/programs/product_ways.h"
#include "session/machine.h"
#include "host/interrupt.h"
#include "views/compared.h"
#include "views/histogram.h"

#define COMPARE_SCHEMA "shardwalk.compare/1"

/* Blanks inside figures break in JSON as others do. */
static void add_why(struct fields *in, const sw_text *why)
{
	sw_text plain = {0};
	for (const char *at = sw_text_get(why); *at; at++) {
		bool blank = at[0] == '\xc2' && at[1] == '\xa0';
		sw_text_add_char(&plain, blank ? ' ' : *at);
		at += blank;
	}
	field_printed(in, "why", &plain);
}

static void add_problem(struct fields *in, const sw_problem *problem)
{
	field_mesh(in, "mesh", &problem->mesh);
	field_text(in, "dtype", sw_dtype_name(problem->from.dtype));
	field_ends(in, problem, false);
}

static void add_refused(struct fields *in, const struct refused *refused)
{
	field_text(in, "strategy", sw_strategy_name(refused->strategy));
	field_diag(in, "error", &refused->why, NULL, 0, (sw_str){"", 0});
}

static bool add_strategies(struct fields *in, const struct comparison *c, sw_diag *diag)
{
	for (int i = 0; i < c->count; i++)
		if (!compare_fields(field_object(in, NULL), c->plans[i], &c->facts[i], diag))
			return false;
	for (int i = 0; i < c->refused_count; i++)
		add_refused(field_object(in, NULL), &c->refused[i]);
	return true;
}

bool compare_object(struct fields *in, const struct comparison *c, const char *name, sw_diag *diag)
{
	if (name)
		field_text(in, "name", name);
	add_problem(field_object(in, "problem"), &c->plans[0]->problem);
	field_text(in, "machine", c->machine && c->machine->name ? c->machine->name : "");
	field_bool(in, "machine_measured", c->machine && !c->machine->hardware);
	add_why(in, &c->why);
	return add_strategies(field_list(in, "strategies"), c, diag);
}

/* ---- finding the plans ---- */

static bool go_on(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return !interrupt_signal();
}

bool compare_find_one(const struct invocation *run, bool one_of_many, const sw_problem *problem,
	sw_plan_options *options, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	sw_pulse pulse = {go_on, NULL};
	if (!one_of_many)
		return plan_find(run, problem, options, arena, plan, diag);
	options->pulse = &pulse;
	return sw_plan_find(problem, options, arena, plan, diag);
}

/* The plans of all strategies that have one; where one fails, whatever the reason, the others are compared.  false: it was stopped. */
static bool find_all(const struct invocation *run, const struct plan_request *asked, bool one_of_many,
	const sw_problem *problem, sw_arena *arena, struct comparison *c, sw_diag *diag)
{
	struct plan_request one = *asked;
	bool sums = sw_type_terms(&problem->from) > 1 || sw_type_terms(&problem->to) > 1;
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		if (!sums && sw_strategy_is((sw_strategy)s, SW_FOR_SUMS))
			continue;
		sw_plan_options options;
		struct refused *refused = &c->refused[c->refused_count];
		sw_plan *plan = c->plans[c->count] = SW_NEW(arena, sw_plan, 1);
		one.strategy = (sw_strategy)s;
		if (!plan)
			return sw_diag_memory(diag);
		if (!plan_request_options(&one, problem, NULL, &options, diag))
			return false;
		options.sizes_only = problem->mesh.devices > GROUPED_DEVICES;
		if (compare_find_one(run, one_of_many, problem, &options, arena, plan, &refused->why)) {
			c->count++;
			continue;
		}
		*diag = refused->why;
		if (diag->code == SW_S03)
			return false;
		refused->strategy = one.strategy;
		c->refused_count++;
	}
	return true;
}

/* Where no plan is within its bounds the error is the one that `plan` tells of. */
static bool some_within(const struct comparison *c, sw_strategy wanted, sw_diag *diag)
{
	const struct refused *chosen = NULL;
	for (int i = 0; i < c->count; i++)
		if (!compare_is_over(c->plans[i]))
			return true;
	for (int i = 0; i < c->refused_count; i++)
		if (!chosen || c->refused[i].strategy == wanted ||
			(c->refused[i].strategy == SW_FUSED && chosen->strategy != wanted))
			chosen = &c->refused[i];
	if (chosen)
		*diag = chosen->why;
	else
		sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no strategy has a plan within the bounds");
	return false;
}

bool compare_find(const struct invocation *run, const struct plan_request *asked, bool one_of_many,
	const sw_problem *problem, sw_arena *arena, struct comparison *c, sw_diag *diag)
{
	return find_all(run, asked, one_of_many, problem, arena, c, diag) && some_within(c, asked->strategy, diag);
}

/* ---- a plan that is no strategy's own ---- */

static bool is_for(const sw_plan *plan, const sw_problem *problem)
{
	return sw_mesh_equal(&plan->problem.mesh, &problem->mesh) && sw_type_equal(&plan->problem.from, &problem->from) &&
		sw_type_same_map(&problem->mesh, &plan->problem.to, &problem->to) && sw_plan_reaches(plan, NULL);
}

static const sw_plan *plan_by(const struct comparison *c, const char *name)
{
	for (int i = 0; i < c->count; i++)
		if (strcmp(compare_name(c->plans[i]), name) == 0)
			return c->plans[i];
	return NULL;
}

/* A row for it, under the name of what it is from, with its number where a strategy has that name. */
static bool add_kept(const struct invocation *run, const struct plan_request *asked, const struct kept_plan *kept,
	struct comparison *c, sw_diag *diag)
{
	sw_plan_options options;
	sw_plan *plan = SW_NEW(run->arena, sw_plan, 1);
	const char *name = compare_name(&kept->plan);
	sw_text numbered = {0};
	if (!plan)
		return sw_diag_memory(diag);
	if (!plan_request_options(asked, &kept->plan.problem, NULL, &options, diag) ||
		!compare_price(&kept->plan, &options, run->arena, plan, diag))
		return false;
	sw_strategy strategy;
	if (sw_strategy_parse(sw_str_of(name), &strategy, NULL)) {
		sw_text_addf(&numbered, "%s $%d", name, kept->number);
		name = sw_text_get(&numbered);
	}
	plan->origin = sw_arena_copy(run->arena, name, strlen(name));
	sw_text_free(&numbered);
	if (!plan->origin)
		return sw_diag_memory(diag);
	c->plans[c->count++] = plan;
	return true;
}

/* The present plan where it was imported, read from a file or made by hand. */
static bool add_present(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	struct comparison *c, sw_diag *diag)
{
	const struct kept_plan *kept = run->session->state.plan;
	if (!kept || !kept->plan.origin || !is_for(&kept->plan, problem))
		return true;
	const sw_plan *own = plan_by(c, kept->plan.origin);
	return (own && compare_same_steps(own, &kept->plan)) || add_kept(run, asked, kept, c, diag);
}

/* `compare $2` */
static bool add_named(const struct invocation *run, const struct word *word, const struct plan_request *asked,
	const sw_problem *problem, struct comparison *c, sw_diag *diag)
{
	int64_t number = 0;
	const struct kept_plan *kept = read_result(word, &number) ? session_result(run->session, number) : NULL;
	if (kept && is_for(&kept->plan, problem))
		return add_kept(run, asked, kept, c, diag);
	if (kept && !sw_plan_reaches(&kept->plan, diag) && diag->code == SW_P07)
		return refuse_at(run, word->raw, diag);
	sw_diag_set(diag, SW_L08, line_span(run->position->text, word->raw),
		kept ? "'%.*s' is a plan of another problem" : "there is no plan '%.*s'", AS_SHOWN(word->text));
	sw_diag_hint(diag, "plans are numbered as they are made: $1, $2, ...");
	return false;
}

/* ---- the answer ---- */

bool compare_know(const struct invocation *run, const struct plan_request *asked, struct comparison *c, sw_diag *diag)
{
	if (!compare_machine_on(asked, &c->plans[0]->problem.mesh, &c->machine, diag))
		return false;
	c->facts = compare_facts(run, c->plans, c->count, c->machine, diag);
	if (!c->facts)
		return false;
	compare_sort(c->plans, c->facts, c->count);
	compare_share(c->plans, c->facts, c->count);
	compare_why(c->plans, c->facts, c->count, &c->why);
	compare_not_taken(c->plans, c->facts, c->count, asked->strategy, &c->not_taken);
	return true;
}

const char *compare_reason(const struct refused *refused, sw_arena *arena)
{
	sw_text text = {0};
	sw_text_add(&text, refused->why.message);
	if (refused->why.code == SW_S01 && *refused->why.hint)
		sw_text_addf(&text, "; %s", refused->why.hint);
	const char *reason = sw_text_keep(&text, arena);
	return reason ? reason : "";
}

/* Hardware of the table is no machine that anything was run on. */
static const char *unlike(const struct comparison *c)
{
	const sw_machine *measured;
	if (!c->machine || !c->machine->hardware)
		return NULL;
	return machine_find(SW_MODEL_CALIBRATED, "", c->plans[0]->problem.mesh.devices, &measured, NULL) ?
		"which knows nothing about this machine: model calibrated does" :
		"which knows nothing about this machine: calibrate measures it";
}

bool compare_arrange(const struct invocation *run, sw_plan **plans, struct plan_facts *facts, int count,
	sw_diag *diag)
{
	struct compared *row = SW_NEW(run->arena, struct compared, count + 1);
	sw_plan **plan = SW_NEW(run->arena, sw_plan *, count + 1);
	struct plan_facts *fact = SW_NEW(run->arena, struct plan_facts, count + 1);
	if (!row || !plan || !fact)
		return sw_diag_memory(diag);
	for (int i = 0; i < count; i++)
		row[i] = compared_of(plans[i], &facts[i]);
	struct rows rows = compared_rows(row, count);
	if (!rows_arrange(&rows, run->answer, diag))
		return false;
	for (int i = 0; i < count && rows.order; i++) {
		int64_t from = rows_at(&rows, i, NULL).number - 1;
		plan[i] = plans[from];
		fact[i] = facts[from];
		fact[i].same = 0;
	}
	if (!rows.order || !count)
		return true;
	memcpy(plans, plan, sizeof(*plan) * (size_t)count);
	memcpy(facts, fact, sizeof(*fact) * (size_t)count);
	return true;
}

/* Those that share a row do so with the first of them. */
static bool arrange(const struct invocation *run, struct comparison *c, sw_diag *diag)
{
	if (!compare_arrange(run, c->plans, c->facts, c->count, diag))
		return false;
	if (run->answer->arrangement->ordered)
		compare_share(c->plans, c->facts, c->count);
	return true;
}

static bool comparison_answer(const struct invocation *run, const struct comparison *c, sw_diag *diag)
{
	struct fields *fields = document_fields(run->answer, COMPARE_SCHEMA);
	if (fields)
		return compare_object(fields, c, NULL, diag);
	struct plan_refusal refusals[SW_STRATEGY_COUNT];
	for (int i = 0; i < c->refused_count; i++)
		refusals[i] = (struct plan_refusal){sw_strategy_name(c->refused[i].strategy),
			compare_reason(&c->refused[i], run->arena)};
	struct view_input in = {.mesh = &c->plans[0]->problem.mesh,
		.plans = (const sw_plan *const *)c->plans,
		.plan_count = c->count,
		.order = run->answer->arrangement->ordered ? option_text(run, OPTION_BY) : NULL,
		.facts = c->facts,
		.machine = c->machine ? c->machine->name : NULL,
		.unlike = unlike(c),
		.refusals = refusals,
		.refusal_count = c->refused_count,
		.why = c->why.length ? sw_text_get(&c->why) : NULL,
		.not_taken = c->not_taken.length ? sw_text_get(&c->not_taken) : NULL};
	compare_keep(run->session, &in);
	return view_answer(run, view_compare, &in, NULL, diag);
}

static bool compare_one(const struct invocation *run, const struct plan_request *asked, const struct word *named,
	sw_diag *diag)
{
	struct comparison c = {.count = 0};
	sw_problem problem;
	if (!session_any_problem(run->session, &problem, diag))
		return false;
	if (!compare_find(run, asked, false, &problem, run->arena, &c, diag))
		return refuse_budget(run, diag);
	if (!(named ? add_named(run, named, asked, &problem, &c, diag) : add_present(run, asked, &problem, &c, diag)))
		return false;
	bool ok = compare_know(run, asked, &c, diag) && arrange(run, &c, diag) && comparison_answer(run, &c, diag);
	sw_text_free(&c.why);
	sw_text_free(&c.not_taken);
	return ok;
}

/* ---- many problems ---- */

struct survey {
	const struct invocation *run;
	struct plan_request asked;
	struct tally tally[SW_STRATEGY_COUNT];
	int problems;
};

static const sw_plan *plan_of(const struct comparison *c, sw_strategy strategy)
{
	return plan_by(c, sw_strategy_name(strategy));
}

static bool tally_plan(struct tally *tally, const sw_plan *plan, const sw_plan *against)
{
	tally->ratios.over += compare_is_over(plan);
	return tally_add(tally, plan->model_cost, against->model_cost);
}

/* The first reason of each strategy is told, and those of fused, as its plan is what the others are measured by. */
static void tell_refused(const struct survey *survey, const struct comparison *c, const char *name)
{
	struct session *session = survey->run->session;
	for (int i = 0; i < c->refused_count; i++) {
		sw_strategy strategy = c->refused[i].strategy;
		const char *by = sw_strategy_name(strategy), *message = c->refused[i].why.message;
		if (strategy == SW_FUSED)
			answer_remark(session, "%s: no ratios, because %s has no plan: %s", name, by, message);
		else if (!survey->tally[strategy].ratios.missing)
			answer_remark(session, "%s: %s has no plan, the first such problem: %s", name, by, message);
	}
}

static bool survey_add(struct survey *survey, const struct comparison *c, const char *name)
{
	const sw_plan *against = plan_of(c, SW_FUSED);
	tell_refused(survey, c, name);
	for (int i = 0; i < c->refused_count; i++)
		survey->tally[c->refused[i].strategy].ratios.missing++;
	for (int i = 0; i < c->count && against; i++)
		if (!tally_plan(&survey->tally[c->plans[i]->strategy], c->plans[i], against))
			return false;
	survey->problems++;
	return true;
}

static bool comparison_line(const struct comparison *c, const char *name, sw_arena *arena, sw_text *out,
	sw_diag *diag)
{
	struct fields *fields = fields_new(arena);
	field_text(fields, "schema", COMPARE_SCHEMA);
	if (!compare_object(fields, c, name, diag))
		return false;
	return fields_line(fields, out, diag);
}

static bool survey_visit(void *context, const sw_problem *problem, const char *name, sw_arena *arena, sw_text *out,
	sw_diag *diag)
{
	struct survey *survey = context;
	struct invocation run = *survey->run;
	struct comparison c = {.count = 0};
	run.arena = arena;
	if (!compare_find(&run, &survey->asked, true, problem, arena, &c, diag))
		return false;
	bool ok = survey_add(survey, &c, name ? name : "-") || sw_diag_memory(diag);
	if (ok && run.answer->for_programs)
		ok = compare_know(&run, &survey->asked, &c, diag) && comparison_line(&c, name, arena, out, diag);
	sw_text_free(&c.why);
	sw_text_free(&c.not_taken);
	return ok;
}

static void survey_sort(struct survey *survey, struct ratios ratios[SW_STRATEGY_COUNT])
{
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		tally_finish(&survey->tally[s], sw_strategy_name((sw_strategy)s));
		ratios[s] = survey->tally[s].ratios;
	}
}

static bool survey_fields(const struct survey *survey, const struct ratios *ratios, sw_diag *diag)
{
	struct fields *fields = document_fields(survey->run->answer, "shardwalk.compare-many/1");
	struct rows rows = ratios_rows(ratios, SW_STRATEGY_COUNT);
	if (!rows_arrange(&rows, survey->run->answer, diag))
		return false;
	field_int(fields, "problems", survey->problems);
	field_text(fields, "against", sw_strategy_name(SW_FUSED));
	field_text(fields, "model", sw_model_name(survey->asked.model));
	return rows_list(&rows, fields, "strategies", diag);
}

static bool survey_answer(struct survey *survey, sw_diag *diag)
{
	struct ratios ratios[SW_STRATEGY_COUNT];
	survey_sort(survey, ratios);
	if (!survey->problems)
		return true;
	sw_text against = {0};
	if (!survey_fields(survey, ratios, diag))
		return false;
	sw_text_addf(&against, "%s of fused, model %s", sw_model_is_timed(survey->asked.model) ? "time" : "cost",
		sw_model_name(survey->asked.model));
	struct view_input in = {.ratios = ratios,
		.ratio_count = SW_STRATEGY_COUNT,
		.against = sw_text_get(&against),
		.arranged = survey->run->answer->arrangement};
	bool ok = view_answer(survey->run, view_histogram, &in, NULL, diag);
	sw_text_free(&against);
	return ok;
}

static bool compare_many(struct invocation *run, const struct plan_request *asked, sw_diag *diag)
{
	struct survey survey = {.run = run, .asked = *asked};
	bool ok = problems_visit(run, argument(run, 0), survey_visit, &survey, diag) && survey_answer(&survey, diag);
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		tally_free(&survey.tally[s]);
	return ok;
}

/* `--limit` counts problems of a file. */
static bool check_limit(const struct invocation *run, bool many, sw_diag *diag)
{
	const struct word *limit = option_given(run, OPTION_LIMIT);
	if (many || !limit)
		return true;
	sw_diag_set(diag, SW_L02, line_span(run->position->text, limit->raw),
		"`--limit` is a number of problems of a file, but no file is named");
	sw_diag_hint(diag, "compare FILE --limit N; without a file it compares the strategies on the present problem");
	return false;
}

/* What stands beside the strategies is one thing at a time. */
static bool check_alone(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	const struct word *to = option_given(run, OPTION_TO), *merged = option_given(run, OPTION_MERGED);
	const struct word *second = to && merged ? merged : to && word ? word : NULL;
	if (!second)
		return true;
	sw_diag_set(diag, SW_L02, line_span(run->position->text, second->raw),
		"`--to` compares two targets, and nothing else");
	sw_diag_hint(diag, "leave one of the two out");
	return false;
}

/* Of what is neither, one word is enough. */
static bool check_argument(struct invocation *run, const struct word *word, sw_diag *diag)
{
	struct word *words;
	if (!word || line_words(word->raw, run->arena, &words) < 2)
		return true;
	sw_diag_set(diag, SW_L04, line_span(run->position->text, words[1].raw), "'compare' takes no further argument");
	sw_diag_expected(diag, "a file, a plan, or A ~> B");
	return false;
}

/* `compare A ~> B`: the redistribution is the present one then, and `undo` takes it back. */
static bool take_ends(struct invocation *run, sw_diag *diag)
{
	if (!session_remember(run->session, run->statement, diag))
		return false;
	bool ok = command_redistribute(run, diag);
	session_commit(run->session, ok);
	return ok;
}

bool command_compare(struct invocation *run, sw_diag *diag)
{
	struct plan_request asked;
	const struct word *word = argument(run, 0), *to = option_given(run, OPTION_TO);
	bool ends = word && line_arrow(word->raw).length;
	if (!(ends ? take_ends(run, diag) : check_argument(run, word, diag)))
		return false;
	word = ends ? NULL : word;
	if (option_given(run, OPTION_GROW))
		return compare_grown(run, diag);
	bool merged = option_given(run, OPTION_MERGED), many = word && *word->raw.at != '$' && !merged;
	if (!word && !to && !merged && product_is_present(run->session))
		return compare_ways(run, diag);
	if (!word && !to && !merged && schedules_are_present(run->session))
		return compare_schedules(run, diag);
	if (!check_alone(run, word, diag) || !check_limit(run, many, diag) || !plan_request_read(run, NULL, &asked, diag))
		return false;
	if (to || merged)
		return to ? compare_targets(run, &asked, to, diag) : compare_merged(run, &asked, word, diag);
	if (!word && algorithms_are_asked(run))
		return compare_algorithms(run, diag);
	if (many) {
		sw_text text = {0};
		bool measured = measured_are_in(run, word, &text), ok = measured && compare_measured(run, word, &text, diag);
		sw_text_free(&text);
		if (measured)
			return ok;
	}
	if (many)
		asked.prove = 0;
	return many ? compare_many(run, &asked, diag) : compare_one(run, &asked, word, diag);
}

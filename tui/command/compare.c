/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command compare: all strategies on one problem, or on many.
 */
#include "command/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/json.h>

#include "command/answer.h"
#include "shell/interrupt.h"

static bool follows_another(const sw_plan *plan)
{
	return plan->strategy >= SW_XLA && plan->strategy <= SW_DTENSOR_MIN_COST;
}

/* Where all figures are equal the strategies that follow another system come last. */
static int by_cost(const void *left, const void *right)
{
	const sw_plan *a = *(sw_plan *const *)left, *b = *(sw_plan *const *)right;
	if (a->model_cost != b->model_cost)
		return a->model_cost < b->model_cost ? -1 : 1;
	if (a->height != b->height)
		return a->height < b->height ? -1 : 1;
	if (a->live_peak != b->live_peak)
		return a->live_peak < b->live_peak ? -1 : 1;
	if (a->count != b->count)
		return a->count - b->count;
	if (follows_another(a) != follows_another(b))
		return follows_another(a) ? 1 : -1;
	return (int)b->strategy - (int)a->strategy;
}

/* ---- one problem ---- */

static void write_problem(sw_json *json, const sw_problem *problem)
{
	sw_json_open(json, '{', false);
	sw_json_key(json, "mesh");
	size_t begin = sw_json_text_begin(json);
	sw_mesh_print(&problem->mesh, json->text);
	sw_json_text_end(json, begin);
	sw_json_key(json, "dtype");
	sw_json_string(json, sw_dtype_name(problem->from.dtype));
	const struct { const char *key; const sw_type *type; } ends[] = {{"from", &problem->from}, {"to",
		&problem->to}};
	for (int i = 0; i < 2; i++) {
		sw_json_key(json, ends[i].key);
		begin = sw_json_text_begin(json);
		sw_type_print(&problem->mesh, ends[i].type, false, json->text);
		sw_json_text_end(json, begin);
	}
	sw_json_close(json);
}

struct comparison {
	sw_plan *plans[SW_STRATEGY_COUNT];
	int count;
	const sw_machine *machine;
	struct plan_facts *facts;
	sw_text why;
};

static bool comparison_write(const struct comparison *c, const char *name, sw_text *text, sw_diag *diag)
{
	sw_json json;
	bool ok = true;
	sw_text_add(text, "{\"schema\": \"shardwalk.compare/1\"");
	sw_json_start(&json, text, true);
	if (name) {
		sw_text_add(text, ", \"name\": ");
		sw_json_string(&json, name);
	}
	sw_text_add(text, ", \"problem\": ");
	sw_json_start(&json, text, true);
	write_problem(&json, &c->plans[0]->problem);
	sw_text_add(text, ", \"machine\": ");
	sw_json_start(&json, text, true);
	sw_json_string(&json, c->machine && c->machine->name ? c->machine->name : "");
	sw_text_add(text, ", \"why\": ");
	sw_json_start(&json, text, true);
	sw_json_string(&json, sw_text_get(&c->why));
	sw_text_add(text, ", \"strategies\": [");
	for (int i = 0; i < c->count && ok; i++) {
		sw_text_add(text, i ? ", " : "");
		ok = compare_write(c->plans[i], &c->facts[i], text, diag);
	}
	sw_text_add(text, "]}\n");
	return ok;
}

/* All strategies' plans, those that there are, the best first; who has none is told of in a remark where `say`.
 * false: none has, or it was stopped. */
static bool comparison_find(const struct invocation *run, struct wish *wish, const sw_problem *problem, sw_arena *arena,
	bool say, struct comparison *c, sw_diag *diag)
{
	sw_diag why;
	c->count = 0;
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		sw_plan_options options;
		wish->strategy = (sw_strategy)s;
		if (!wish_options(wish, problem, NULL, &options, diag))
			return false;
		options.sizes_only = problem->mesh.devices > GROUPED_DEVICES;
		sw_plan *plan = c->plans[c->count] = SW_NEW(arena, sw_plan, 1);
		if (!plan)
			return sw_diag_memory(diag);
		if (plan_find(run, problem, &options, arena, plan, &why)) {
			c->count++;
			continue;
		}
		*diag = why;
		if (why.code == SW_S03)
			return false;
		if (say)
			console_remark(&run->session->console, "%s: %s", sw_strategy_name((sw_strategy)s), why.message);
	}
	qsort(c->plans, (size_t)c->count, sizeof(*c->plans), by_cost);
	return c->count > 0;
}

static bool comparison_know(const struct invocation *run, const struct wish *wish, struct comparison *c, sw_diag *diag)
{
	if (!compare_machine(wish, c->plans[0]->problem.mesh.devices, &c->machine, diag))
		return false;
	c->facts = compare_facts(run, c->plans, c->count, c->machine, diag);
	compare_why(c->plans, c->count, &c->why);
	return c->facts != NULL;
}

static bool comparison_answer(const struct invocation *run, const struct comparison *c, sw_diag *diag)
{
	if (wants_json(run)) {
		sw_text text = {0};
		bool ok = comparison_write(c, NULL, &text, diag) && console_write(&run->session->console, &text, diag);
		sw_text_free(&text);
		return ok;
	}
	struct view_options options = view_options_default(run->session->console.width);
	struct view_input in = {.mesh = &c->plans[0]->problem.mesh, .plans = (const sw_plan *const *)c->plans,
		.plan_count = c->count, .facts = c->facts, .machine = c->machine ? c->machine->name : NULL,
		.why = c->why.length ? sw_text_get(&c->why) : NULL};
	return view_answer(run, view_compare, &in, &options, diag);
}

static bool compare_one(struct invocation *run, struct wish *wish, sw_diag *diag)
{
	struct comparison c = {.count = 0};
	sw_problem problem;
	if (!session_problem(run->session, &problem, diag))
		return false;
	if (!comparison_find(run, wish, &problem, run->arena, true, &c, diag))
		return refuse_budget(run, diag);
	bool ok = comparison_know(run, wish, &c, diag) && comparison_answer(run, &c, diag);
	sw_text_free(&c.why);
	return ok;
}

/* ---- many problems ---- */

/* The costs of one strategy, as ratios to those of fused. */
struct tally {
	struct ratios ratios;
	double *ratio;
	int room;
};

struct survey {
	const struct invocation *run;
	struct wish wish;
	struct tally tally[SW_STRATEGY_COUNT];
	int problems;
};

static bool tally_add(struct tally *tally, double ratio)
{
	if (tally->ratios.count == tally->room) {
		int room = tally->room ? tally->room * 2 : 256;
		double *grown = realloc(tally->ratio, (size_t)room * sizeof(*grown));
		if (!grown)
			return false;
		tally->ratio = grown;
		tally->room = room;
	}
	tally->ratio[tally->ratios.count++] = ratio;
	return true;
}

static const sw_plan *plan_of(const struct comparison *c, sw_strategy strategy)
{
	for (int i = 0; i < c->count; i++)
		if (c->plans[i]->strategy == strategy)
			return c->plans[i];
	return NULL;
}

/* Two costs of 0 count as 1; a cost against 0 is left out and counted. */
static bool survey_add(struct survey *survey, const struct comparison *c)
{
	const sw_plan *against = plan_of(c, SW_FUSED);
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		struct tally *tally = &survey->tally[s];
		const sw_plan *plan = plan_of(c, (sw_strategy)s);
		if (!plan || !against) {
			tally->ratios.missing++;
			continue;
		}
		tally->ratios.over += plan->budget > 0 && plan->height > plan->budget;
		if (against->model_cost <= 0 && plan->model_cost > 0)
			tally->ratios.infinite++;
		else if (!tally_add(tally, against->model_cost > 0 ? plan->model_cost / against->model_cost : 1))
			return false;
	}
	survey->problems++;
	return true;
}

static bool survey_visit(void *context, const sw_problem *problem, const char *name, sw_arena *arena, sw_text *out,
	sw_diag *diag)
{
	struct survey *survey = context;
	struct invocation run = *survey->run;
	struct comparison c = {.count = 0};
	run.arena = arena;
	if (!comparison_find(&run, &survey->wish, problem, arena, false, &c, diag))
		return false;
	bool ok = survey_add(survey, &c) || sw_diag_memory(diag);
	if (ok && wants_json(&run))
		ok = comparison_know(&run, &survey->wish, &c, diag) && comparison_write(&c, name, out, diag);
	sw_text_free(&c.why);
	return ok;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static void survey_sort(struct survey *survey, struct ratios ratios[SW_STRATEGY_COUNT])
{
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		struct tally *tally = &survey->tally[s];
		if (tally->ratios.count)
			qsort(tally->ratio, (size_t)tally->ratios.count, sizeof(double), by_value);
		tally->ratios.ratio = tally->ratio;
		tally->ratios.name = sw_strategy_name((sw_strategy)s);
		ratios[s] = tally->ratios;
	}
}

static double geometric_mean(const struct ratios *r)
{
	double sum = 0;
	for (int i = 0; i < r->count; i++)
		sum += log(r->ratio[i] > 0 ? r->ratio[i] : 1);
	return r->count ? exp(sum / r->count) : 0;
}

static bool survey_json(const struct survey *survey, const struct ratios *ratios, sw_diag *diag)
{
	sw_text text = {0};
	sw_text_addf(&text, "{\"schema\": \"shardwalk.compare-many/1\", \"problems\": %d, \"against\": \"%s\", \"model\": \"%s\", "
		"\"strategies\": [", survey->problems, sw_strategy_name(SW_FUSED), sw_model_name(survey->wish.model));
	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		const struct ratios *r = &ratios[s];
		sw_text_addf(&text, "%s{\"strategy\": \"%s\", \"count\": %d, \"geometric_mean\": %.6g, \"least\": %.6g, \"median\": %.6g, "
			"\"most\": %.6g, \"against_zero\": %d, \"over_budget\": %d, \"missing\": %d}", s ? ", " : "", r->name, r->count,
			geometric_mean(r), r->count ? r->ratio[0] : 0, r->count ? r->ratio[r->count / 2] : 0,
			r->count ? r->ratio[r->count - 1] : 0, r->infinite, r->over, r->missing);
	}
	sw_text_add(&text, "]}\n");
	bool ok = console_write(&survey->run->session->console, &text, diag);
	sw_text_free(&text);
	return ok;
}

static bool survey_answer(struct survey *survey, sw_diag *diag)
{
	struct ratios ratios[SW_STRATEGY_COUNT];
	survey_sort(survey, ratios);
	if (!survey->problems)
		return true;
	if (wants_json(survey->run))
		return survey_json(survey, ratios, diag);
	struct view_options options = view_options_default(survey->run->session->console.width);
	sw_text against = {0};
	sw_text_addf(&against, "%s of fused, model %s", sw_model_is_timed(survey->wish.model) ? "time" : "cost",
		sw_model_name(survey->wish.model));
	struct view_input in = {.ratios = ratios, .ratio_count = SW_STRATEGY_COUNT, .against = sw_text_get(&against)};
	bool ok = view_answer(survey->run, view_histogram, &in, &options, diag);
	sw_text_free(&against);
	return ok;
}

static bool compare_many(struct invocation *run, const struct wish *wish, sw_diag *diag)
{
	struct survey survey = {.run = run, .wish = *wish};
	bool ok = problems_visit(run, argument(run, 0), survey_visit, &survey, diag) && survey_answer(&survey, diag);
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		free(survey.tally[s].ratio);
	return ok;
}

bool command_compare(struct invocation *run, sw_diag *diag)
{
	struct wish wish;
	if (!wish_read(run, NULL, &wish, diag))
		return false;
	return argument(run, 0) ? compare_many(run, &wish, diag) : compare_one(run, &wish, diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last formula on more and more MPI ranks: weak scaling.
 */
#include "launch/run_grown.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "command/compare/compare_schedules.h"
#include "launch/run_program.h"
#include "launch/run_schedules.h"

struct grown_run {
	struct invocation *run;
	struct growth growth;
	struct contest contest; /* of the present number of ranks */
	struct rivals rivals;
	const char *shown; /* the name of the schedule that runs alone; NULL: several are compared */
	sw_text commands;  /* that would start it */
	char what[48];     /* runs */
};

/* ---- what is asked for ---- */

static bool refuse_ranks(const struct invocation *run, sw_diag *diag)
{
	const struct value *counts = option_value(run, OPTION_GROW);
	int64_t most = run->session->state.settings.value[SETTING_MAX_RANKS].number;

	for (int n = 0; n < counts->count; n++)
		if (counts->counts[n] > most && option_given(run, OPTION_DRY_RUN) == NULL) {
			run_refuse_ranks(run, NULL, counts->counts[n], most, diag);
			diag->at = line_span(run->position->text, option_given(run, OPTION_GROW)->raw);
			sw_diag_hint(diag, "`set max_ranks %lld` allows them; `compare --grow` predicts without ranks",
				(long long)counts->counts[n]);
			return true;
		}
	return false;
}

static bool check(const struct invocation *run, sw_diag *diag)
{
	/* Options that speak of plans, of one program or of one number of ranks. */
	static const enum option others[] = {OPTION_SWEEP, OPTION_COLLECTIVES, OPTION_LIMIT, OPTION_RANKS, OPTION_SAMPLES,
		OPTION_COUNT};

	if (!options_fit(run, others, "not for schedules that grow", "`run --compare cannon,summa --grow 1,2,4,8`", diag))
		return false;
	if (schedules_are_present(run->session) && argument(run, 0) == NULL)
		return !refuse_ranks(run, diag);
	sw_diag_set(diag, SW_L07, line_span(run->position->text, option_given(run, OPTION_GROW)->raw),
		"`--grow` is for formulas, and none is present");
	sw_diag_hint(diag, "schedule cannon m=2000 n=2000 k=2000, then run --grow 1,2,4,8");
	return false;
}

/* Those that are named, or what is there. */
static bool find_names(struct grown_run *g, sw_diag *diag)
{
	const struct word *word = option_given(g->run, OPTION_COMPARE);
	bool scheduled = g->run->session->state.subject == SUBJECT_SCHEDULE && g->growth.schedule != NULL;

	if (word != NULL)
		return rivals_read(&g->rivals, word, diag);
	g->rivals.count = 1;
	g->rivals.rival[0] = (struct rival){.name = scheduled ? "own" : "owner"};
	g->shown = scheduled && g->growth.algorithm != NULL ? g->growth.algorithm->name : g->rivals.rival[0].name;
	return true;
}

/* ---- one number of ranks ---- */

static void find_row(const struct contest *contest, struct rival *rival)
{
	for (int n = 0; n < contest->count; n++)
		if (strcmp(contest->contender[n].name, rival->name) == 0)
			rival->found = &contest->contender[n];
	for (int n = 0; n < contest->left_out_count; n++)
		if (strcmp(contest->left_out[n].name, rival->name) == 0)
			rival->why = contest->left_out[n].why;
}

static bool plan_all(struct grown_run *g, int64_t ranks, sw_diag *diag)
{
	struct state before;

	session_try(g->run->session, &before);
	bool ok = growth_move(&g->growth, ranks, &g->contest, diag);
	for (int n = 0; ok && n < g->rivals.count; n++) {
		g->rivals.rival[n] = (struct rival){.name = g->rivals.rival[n].name};
		find_row(&g->contest, &g->rivals.rival[n]);
	}
	ok = ok && rivals_plan(&g->rivals, diag);
	session_try_end(g->run->session, &before);
	return ok;
}

static bool leave_out(struct grown_run *g, int64_t ranks, sw_diag *diag)
{
	for (int n = 0; n < g->rivals.count; n++) {
		const struct rival *rival = &g->rivals.rival[n];
		if (rival->why != NULL &&
			!growth_leave_out(&g->growth, ranks, g->shown != NULL ? g->shown : rival->name, rival->why, diag))
			return false;
	}
	return true;
}

/* Its row, as far as it is known without a run; NULL: no memory. */
static struct grown *add_row(struct grown_run *g, const struct rival *rival, int64_t ranks, sw_diag *diag)
{
	struct contender c = contender_blank(rival->name);

	assert(rival->why == NULL && ranks == g->contest.processors);
	if (rival->found != NULL)
		c = *rival->found;
	if (g->shown != NULL)
		c.name = g->shown;
	return growth_add(&g->growth, &g->contest, &c, diag);
}

static void take_times(struct grown_run *g, const struct times *times, struct grown *row)
{
	double ranks = (double)row->processors;

	row->measured = times->total.seconds.median;
	row->gflops = row->flops / ranks / row->measured / 1e9;
	row->gbytes = row->bytes / ranks / row->measured / 1e9;
	if (times->total.predicted > 0) {
		row->contender.predicted = times->total.predicted;
		row->rate = row->flops / ranks / row->contender.predicted / 1e9;
	}
	g->growth.model = times->model;
	row->efficiency = 1;
	for (const struct grown *first = g->growth.row; first < row; first++)
		if (strcmp(first->contender.name, row->contender.name) == 0 && first->measured > 0) {
			row->efficiency = row->gflops / first->gflops;
			return;
		}
}

/* As they are named, on each number of ranks. */
static bool add_measured(struct grown_run *g, const struct kept_run *kept, int64_t ranks, sw_diag *diag)
{
	for (int n = 0; n < g->rivals.count; n++) {
		const struct times *times = rival_times(kept, &g->rivals.rival[n]);
		struct grown *row = times != NULL ? add_row(g, &g->rivals.rival[n], ranks, diag) : NULL;
		if (times != NULL && row == NULL)
			return false;
		if (row != NULL)
			take_times(g, times, row);
	}
	return true;
}

static bool add_dry(struct grown_run *g, int64_t ranks, sw_diag *diag)
{
	for (int n = 0; n < g->rivals.count; n++) {
		const struct rival *rival = &g->rivals.rival[n];
		struct grown *row = rival->why == NULL ? add_row(g, rival, ranks, diag) : NULL;
		if (rival->why != NULL)
			continue;
		if (row == NULL || (row->memory = rival_bytes(rival, diag)) < 0)
			return false;
		row->values = rival->planned.values;
		row->program_steps = rival->planned.steps;
	}
	sw_text_addf(&g->commands, "%scommand  ", g->commands.length > 0 ? "\n" : "");
	job_print(g->rivals.job, &g->commands);
	return true;
}

/* Times are kept even where the runs did not finish. */
static bool measure(struct grown_run *g, int64_t ranks, sw_diag *diag)
{
	sw_diag more = {.code = SW_OK};
	bool ok = rivals_launch(&g->rivals, g->shown != NULL ? 1 : COMPARED_LAUNCHES, diag);
	const struct kept_run *kept = rivals_keep(&g->rivals);

	return (kept == NULL || add_measured(g, kept, ranks, ok ? diag : &more)) && ok;
}

static bool run_job(struct grown_run *g, int64_t ranks, sw_diag *diag)
{
	if (!plan_all(g, ranks, diag) || !leave_out(g, ranks, diag))
		return false;
	bool any = false;
	for (int n = 0; n < g->rivals.count; n++)
		any = any || g->rivals.rival[n].why == NULL;
	if (!any)
		return true;
	snprintf(g->what, sizeof g->what, "run: schedules on %lld ranks", (long long)ranks);
	if (!job_start(g->rivals.job, g->what, diag) || !rivals_add(&g->rivals, diag))
		return false;
	g->rivals.job->options.ranks = (int)ranks;
	return option_given(g->run, OPTION_DRY_RUN) != NULL ? add_dry(g, ranks, diag) : measure(g, ranks, diag);
}

static bool run_count(struct grown_run *g, int64_t ranks, sw_diag *diag)
{
	struct job job = {.run = g->run, .options = run_options(g->run)};

	g->rivals.job = &job;
	bool ok = run_job(g, ranks, diag);
	job_end(&job);
	g->rivals.job = NULL;
	return ok;
}

/* ---- what is told ---- */

static bool answer(struct grown_run *g, sw_diag *diag)
{
	bool dry = option_given(g->run, OPTION_DRY_RUN) != NULL;
	unsigned is = dry ? GROWN_DRY : GROWN_MEASURED | (g->growth.slow ? GROWN_BYTES : GROWN_FLOPS);
	sw_text title = {0};

	sw_text_addf(&title, "run  %s, constant memory per rank", g->growth.statement);
	bool ok = growth_answer(&g->growth, dry ? "shardwalk.dry_run/1" : "shardwalk.schedules-grown/1",
		sw_text_get(&title), is, diag);
	sw_text_free(&title);
	if (g->commands.length > 0)
		document_lines(g->run->answer, &g->commands);
	return ok;
}

static bool none_is_left(const struct grown_run *g, sw_diag *diag)
{
	const struct growth *growth = &g->growth;

	if (growth->count > 0)
		return false;
	sw_diag_set(diag, SW_L13, line_span(g->run->position->text, option_given(g->run, OPTION_GROW)->raw),
		"no schedule is left: %s: %s", growth->out_count > 0 ? growth->out[0].name : g->rivals.rival[0].name,
		growth->out_count > 0 ? growth->out[0].why : "it did not run to the end");
	sw_diag_hint(diag, "`compare --grow` lists those that run, and on how many");
	return true;
}

bool run_grown(struct invocation *run, sw_diag *diag)
{
	const struct value *counts = option_value(run, OPTION_GROW);
	struct grown_run *g = SW_NEW_ZERO(run->arena, struct grown_run, 1);
	struct job reading = {.run = run};
	sw_diag more = {.code = SW_OK};

	assert(counts != NULL && counts->count > 0);
	if (g == NULL)
		return sw_diag_memory(diag);
	g->run = run;
	g->rivals.job = &reading;
	if (!check(run, diag) || !growth_begin(run, &g->growth, diag) || !find_names(g, diag))
		return false;
	g->rivals.growth = &g->growth;
	bool ok = true;
	for (int n = 0; ok && n < counts->count; n++)
		ok = run_count(g, counts->counts[n], diag);
	if (ok && none_is_left(g, diag))
		ok = false;
	else if (g->growth.count > 0)
		ok = answer(g, ok ? diag : &more) && ok;
	sw_text_free(&g->commands);
	return ok;
}

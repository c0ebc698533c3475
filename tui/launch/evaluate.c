/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command evaluate, and its runs: the plans of some problems at a time, in one launch, each plan once whichever strategies
 * found it.
 */
#define _GNU_SOURCE
#include "command/compare/evaluate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "command/compare/compare.h"
#include "launch/commands.h"
#include "launch/job.h"
#include "launch/smaller.h"

enum { PROBLEMS_AT_ONCE = 8, REPETITIONS = 15, NAME = 48 };

/* A problem of a launch: the plan of each strategy, NULL where there is none, and the strategy whose run counts for it. */
struct running {
	int n; /* of the row */
	const sw_plan *plan[SW_STRATEGY_COUNT];
	int same[SW_STRATEGY_COUNT];
};

struct runner {
	struct evaluation *e;
	struct running problem[PROBLEMS_AT_ONCE];
	int count;
	int64_t ranks;
	int done, wanted; /* problems */
	struct timespec start;
	char what[128]; /* for the line of progress */
};

/* ---- which plans ---- */

static void name_run(const struct runner *r, const struct running *running, int s, char name[NAME])
{
	snprintf(name, NAME, "%d %s", running->n + 1, sw_strategy_name(r->e->strategy[s]));
}

/* Plans that take the same steps are run once. */
static int same_as(const struct running *running, int s)
{
	for (int k = 0; k < s; k++)
		if (running->plan[k] && compare_same_steps(running->plan[k], running->plan[s]))
			return k;
	return s;
}

static bool add_plan(struct runner *r, struct job *job, struct running *running, const sw_problem *problem, int s,
	sw_diag *diag)
{
	sw_plan *plan = SW_NEW(job->arena, sw_plan, 1);
	char name[NAME];
	if (!plan)
		return sw_diag_memory(diag);
	if (!evaluate_find(r->e, s, problem, job->arena, plan, NULL, diag))
		return diag->code != SW_S03;
	running->plan[s] = plan;
	running->same[s] = same_as(running, s);
	name_run(r, running, s, name);
	return running->same[s] != s || !plan->program.steps || job_add(job, plan, name, diag);
}

static bool add_problem(struct runner *r, struct job *job, struct running *running, sw_diag *diag)
{
	sw_problem problem, scaled;
	const struct evaluated *row = &r->e->problem[running->n];
	if (!evaluated_problem(r->e, row, &problem, diag))
		return false;
	if (!problem_for_share(&problem, r->e->scale, &scaled))
		return sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "problem %d cannot be scaled to %g of its size",
			running->n + 1, r->e->scale);
	for (int s = 0; s < r->e->strategies; s++)
		if (!add_plan(r, job, running, &scaled, s, diag))
			return false;
	return true;
}

/* ---- what came of it ---- */

static double seconds_of(const struct runner *r, const struct job *job, const struct running *running, int s)
{
	char name[NAME];
	if (!running->plan[s]->program.steps)
		return 0;
	name_run(r, running, running->same[s], name);
	const struct times *times = records_merge(&job->records, name);
	return times && times->right ? times->total.seconds.median : -1;
}

static bool keep_problem(struct runner *r, const struct job *job, const struct running *running, sw_diag *diag)
{
	struct evaluated *row = &r->e->problem[running->n];
	double seconds[SW_STRATEGY_COUNT];
	for (int s = 0; s < r->e->strategies; s++) {
		seconds[s] = running->plan[s] ? seconds_of(r, job, running, s) : -1;
		if (running->plan[s] && seconds[s] < 0)
			return true;
	}
	for (int s = 0; s < r->e->strategies; s++) {
		const sw_plan *plan = running->plan[s];
		row->plan[s].seconds = seconds[s];
		row->plan[s].ran_cost = plan ? plan->model_cost : -1;
		row->plan[s].ran_bytes = plan ? (double)plan->cost * row->dtype_bytes : -1;
	}
	row->ran = true;
	r->done++;
	return journal_ran(r->e, running->n, diag);
}

/* ---- a launch ---- */

static void say_progress(struct runner *r)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)(now.tv_sec - r->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - r->start.tv_nsec);
	int length = snprintf(r->what, sizeof(r->what), "evaluate: %d of %d problems run", r->done, r->wanted);
	if (r->done)
		snprintf(r->what + length, sizeof(r->what) - (size_t)length, ", about %.0f s to go",
			seconds * (r->wanted - r->done) / r->done);
}

static bool add_problems(struct runner *r, struct job *job, sw_diag *diag)
{
	for (int i = 0; i < r->count; i++)
		if (!add_problem(r, job, &r->problem[i], diag))
			return false;
	return true;
}

/* What was measured is kept, also where the launch was ended. */
static bool launch(struct runner *r, sw_diag *diag)
{
	struct job job = {.run = r->e->run, .options = run_options(r->e->run)};
	sw_diag kept = {.code = SW_OK};
	say_progress(r);
	bool ok = job_start(&job, r->what, diag) && add_problems(r, &job, diag);
	if (ok) {
		job.options.ranks = (int)r->ranks;
		job.options.total = true;
		job.options.reps = job.options.reps < 0 ? REPETITIONS : job.options.reps;
		ok = !job.count || job_launch(&job, 0, diag);
		for (int i = 0; i < r->count && kept.code == SW_OK; i++)
			keep_problem(r, &job, &r->problem[i], &kept);
	}
	job_end(&job);
	r->count = 0;
	if (ok && kept.code != SW_OK) {
		*diag = kept;
		return false;
	}
	return ok;
}

/* ---- all of them ---- */

static bool refuse_ranks(const struct evaluation *e, int64_t ranks, int64_t most, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RUN);
	sw_diag_set(diag, SW_L13, line_span(e->run->position->text, word->raw),
		"%lld ranks are more than max_ranks, which is %lld", (long long)ranks, (long long)most);
	sw_diag_hint(diag, "`set max_ranks %lld` allows them", (long long)ranks);
	return false;
}

/* Why this one is not run; NULL: it may be. */
static const char *left_out(const struct evaluated *row)
{
	bool planned = row->plan[0].planned;
	return row->ordered ? "its devices are not in the usual order" :
		planned         ? NULL :
						  "its first strategy has no plan";
}

static bool add_row(struct runner *r, int n, sw_diag *diag)
{
	const struct evaluated *row = &r->e->problem[n];
	int64_t most = r->e->run->session->state.settings.value[SETTING_MAX_RANKS].number;
	if (left_out(row)) {
		answer_remark(r->e->run->session, "problem %d is not run: %s", n + 1, left_out(row));
		r->wanted--;
		return true;
	}
	if (row->devices > most)
		return refuse_ranks(r->e, row->devices, most, diag);
	if (r->count && row->devices != r->ranks && !launch(r, diag))
		return false;
	r->ranks = row->devices;
	r->problem[r->count++] = (struct running){.n = n};
	return r->count < PROBLEMS_AT_ONCE || launch(r, diag);
}

static int count_wanted(const struct evaluation *e, int most)
{
	int wanted = 0;
	for (int n = 0; n < most; n++)
		wanted += !e->problem[n].ran;
	return wanted;
}

static bool run_problems(struct evaluation *e, sw_diag *diag)
{
	int most = e->runs < e->count ? (int)e->runs : e->count;
	struct runner r = {.e = e, .wanted = count_wanted(e, most)};
	clock_gettime(CLOCK_MONOTONIC, &r.start);
	for (int n = 0; n < most; n++)
		if (!e->problem[n].ran && !add_row(&r, n, diag))
			return false;
	return !r.count || launch(&r, diag);
}

/* A launch that is ended speaks of its times as a result, which these are not. */
static void say_kept(const struct evaluation *e, sw_diag *diag)
{
	if (e->journal)
		sw_diag_hint(diag, "the same line continues from the results in '%.100s'", e->journal_name);
	else
		sw_diag_hint(diag, "the results so far are shown; `--resume FILE` would have kept them");
}

/* What was found is told of, whatever ended it. */
static bool evaluate(struct evaluation *e, sw_diag *diag)
{
	sw_diag failure = {.code = SW_OK};
	if (!evaluate_plan(e, diag))
		return false;
	bool ran = e->stopped || run_problems(e, &failure);
	e->stopped |= failure.code == SW_S03;
	bool answered = evaluate_answer(e, diag);
	if (ran)
		return answered;
	if (failure.code == SW_S03)
		say_kept(e, &failure);
	*diag = failure;
	return false;
}

bool command_evaluate(struct invocation *run, sw_diag *diag)
{
	struct evaluation e;
	bool ok = evaluate_read(run, &e, diag) && (e.take ? evaluate_take : evaluate)(&e, diag);
	evaluate_end(&e);
	return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs, as `run` and `calibrate` share them.
 */
#define _GNU_SOURCE
#include "launch/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/schedule_program.h>
#include <shardwalk/simulate.h>

#include "command/plan.h"
#include "launch/folder.h"
#include "host/limits.h"
#include "host/file.h"
#include "host/safe.h"
#include "views/draw.h"

bool job_start(struct job *job, const char *what, sw_diag *diag)
{
	sw_text warning = {0};
	if (safe_refuses(diag, "'%.*s' would start programs", (int)strcspn(what, ":"), what))
		return false;
	job->arena = sw_arena_new();
	if (!job->arena)
		return sw_diag_memory(diag);
	job->records = records_start(job->arena);
	job->live = (struct live_run){.what = what, .records = &job->records};
	job->run->session->live = &job->live;
	calibration_load(job->arena, &job->calibration, &warning);
	if (warning.length)
		answer_remark(job->run->session, "%s", sw_text_get(&warning));
	sw_text_free(&warning);
	bool several = job->options.hosts || job->options.hostfile;
	return limits_allow_ranks(1, diag) && programs_find(&job->programs, diag) &&
		folder_make(job->folder, several, &job->lock, diag);
}

void job_end(struct job *job)
{
	job->run->session->live = NULL;
	if (*job->folder) {
		folder_remove(job->folder);
		close(job->lock);
	}
	sw_arena_free(job->arena);
}

/* ---- plans ---- */

static bool refuse_more(sw_diag *diag)
{
	return sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "more than %d plans in one launch", JOB_PLANS);
}

bool job_add(struct job *job, const sw_plan *plan, const char *name, sw_diag *diag)
{
	sw_strategy strategy;
	sw_text text = {0}, path = {0};
	sw_plan *named = SW_NEW(job->arena, sw_plan, 1);
	if (!named)
		return sw_diag_memory(diag);
	if (job->count == JOB_PLANS)
		return refuse_more(diag);
	if (!plan_with_groups(job->run, plan, named, diag))
		return false;
	named->name = sw_arena_copy(job->arena, name, strlen(name));
	sw_text_addf(&path, "%s/plan-%d.json", job->folder, job->count + 1);
	bool ok = sw_plan_write(named, SW_JSON_MAPS | SW_JSON_LINE, &text, diag) &&
		file_write(sw_text_get(&path), &text, diag);
	job->plan[job->count] = named;
	job->file[job->count] = sw_arena_copy(job->arena, sw_text_get(&path), path.length);
	ok = ok && job->file[job->count++];
	if (sw_strategy_parse(sw_str_of(name), &strategy, NULL))
		job->live.has |= 1u << strategy;
	sw_text_free(&text);
	sw_text_free(&path);
	return ok;
}

/* Records of a program name it; what they tell of steps is told of those of the program. */
bool job_add_program(struct job *job, const sw_program *planned, sw_diag *diag)
{
	sw_text text = {0}, path = {0};
	sw_plan *named = SW_NEW_ZERO(job->arena, sw_plan, 1);
	if (!named)
		return sw_diag_memory(diag);
	if (job->count == JOB_PLANS)
		return refuse_more(diag);
	named->problem.mesh = planned->mesh;
	sw_text_addf(&path, "%s/program-%d.json", job->folder, job->count + 1);
	bool ok = sw_program_write(planned, SW_JSON_MAPS | SW_JSON_LINE, &text, diag) &&
		file_write(sw_text_get(&path), &text, diag);
	sw_str name = planned->name;
	job->file[job->count] = sw_arena_copy(job->arena, sw_text_get(&path), path.length);
	named->name = name.length ? sw_arena_copy(job->arena, name.at, name.length) : "program";
	job->plan[job->count] = named;
	job->planned[job->count] = planned;
	ok = ok && ((named->name && job->file[job->count]) || sw_diag_memory(diag));
	job->count += ok;
	sw_text_free(&text);
	sw_text_free(&path);
	return ok;
}

/* ---- records on their way ---- */

static int find_plan(const struct job *job, const char *name)
{
	for (int i = 0; name && i < job->count; i++)
		if (strcmp(job->plan[i]->name, name) == 0)
			return i;
	return -1;
}

int job_hosts(const struct job *job)
{
	const char *hosts = job->options.hosts;
	int count = hosts != NULL;
	for (; hosts && *hosts; hosts++)
		count += *hosts == ',';
	return count;
}

/* Several names of one machine make no second one: its ranks share memory, and nothing goes over the network. */
static void tell_hosts(struct job *job, const sw_record *record)
{
	int named = job_hosts(job);
	if (job->told_hosts || record->hosts <= 0 || record->hosts >= named)
		return;
	answer_remark(job->run->session,
		"`--hosts` names %d hosts, but the ranks are on %d: ranks of one host share its memory", named,
		record->hosts);
	job->told_hosts = true;
}

/* Has the machine a rate for any of its steps? */
static bool is_predicted(const struct job *job)
{
	const sw_plan *plan = job->plan[job->present];
	for (int k = 0; k < plan->program.steps; k++)
		if (sw_predict_seconds(plan, k, &job->machine) >= 0)
			return true;
	return false;
}

/* Then its ranks predict by what they measured at first, and know what overlaps. */
static bool has_schedule(const struct job *job)
{
	const sw_program *planned = job->planned[job->present];
	return planned && sw_program_lowering(planned);
}

static void hear_start(struct job *job, sw_record *record)
{
	tell_hosts(job, record);
	bool messages = record->hosts > 1 || (record->transport && strcmp(record->transport, "messages") == 0);
	job->present = find_plan(job, record->plan);
	if (job->present >= 0)
		record->predicted_by = calibration_machine(&job->calibration, messages,
			job->plan[job->present]->problem.mesh.devices, job->arena, &job->machine);
	if (record->throttle > 0)
		record->predicted_by = "ports, on simulated links";
	else if (job->present >= 0 && !is_predicted(job))
		record->predicted_by = has_schedule(job) ? TIMES_PROBED : NULL;
	const char *measured = job->calibration.library;
	if (record->library && (!measured || strcmp(measured, record->library) != 0))
		job->machine.kernels = 0; /* another library multiplies at other rates */
}

static void add_prediction(const struct job *job, sw_record *record, int step)
{
	double seconds = sw_predict_seconds(job->plan[job->present], step, &job->machine);
	if (seconds >= 0)
		record->predicted = seconds;
}

/* What ranks compute and was not measured here they predict themselves. */
static void hear_program(struct job *job, sw_record *record)
{
	int step = record->step - 1;
	const sw_program *planned = job->present < 0 ? NULL : job->planned[job->present];
	if (job->present >= 0 && job->other[job->present])
		return;
	if (record->kind == SW_RECORD_TOTAL) {
		if (job->present < 0 || !has_schedule(job))
			record->predicted = job->predicted;
		return;
	}
	if (!planned || step < 0 || step >= planned->steps)
		return;
	const sw_plan *plan = planned->step[step].inside;
	double seconds = plan ? sw_predict_seconds(plan, -1, &job->machine) :
							sw_compute_seconds(planned, step, &job->machine);
	if (seconds >= 0)
		record->predicted = seconds;
	job->predicted = (step ? job->predicted : 0) + record->predicted;
}

static void hear_step(struct job *job, sw_record *record)
{
	int step = record->step - 1;
	sw_text label = {0};
	if (job->present < 0 || step < 0 || step >= job->plan[job->present]->program.steps)
		return;
	sw_plan_print_step(job->plan[job->present], step, &label);
	record->label = sw_text_keep(&label, job->arena);
	add_prediction(job, record, step);
}

static bool print_line(const struct job *job, const sw_record *record, sw_diag *diag)
{
	sw_text text = {0};
	if (record->kind == SW_RECORD_KINDS)
		return true;
	sw_record_write(record, &text);
	bool failed = text.failed;
	sw_text_add_char(&text, '\n');
	document_lines(job->run->answer, &text);
	return failed ? sw_diag_memory(diag) : answer_flush(job->run->session, diag);
}

/* Of what runs. */
static int steps_of(const struct job *job)
{
	if (job->present < 0)
		return 0;
	const sw_program *planned = job->planned[job->present];
	return planned ? job->other[job->present] ? 0 : planned->steps : job->plan[job->present]->program.steps;
}

/* The step that ranks are at; those of a program have names of their own. */
static void name_step(struct job *job)
{
	struct live_run *live = &job->live;
	sw_text label = {0};
	if (job->present >= 0 && !job->planned[job->present] && live->measured < live->steps)
		sw_plan_print_step(job->plan[job->present], live->measured, &label);
	snprintf(live->step, sizeof(live->step), "%s", sw_text_get(&label));
	sw_text_free(&label);
}

static bool hear(void *context, sw_record *record, sw_diag *diag)
{
	struct job *job = context;
	if (record->kind == SW_RECORD_START)
		hear_start(job, record);
	bool timed = record->kind == SW_RECORD_STEP || record->kind == SW_RECORD_TOTAL;
	if (job->planned[0] && timed)
		hear_program(job, record);
	else if (record->kind == SW_RECORD_STEP)
		hear_step(job, record);
	else if (record->kind == SW_RECORD_TOTAL && job->present >= 0)
		add_prediction(job, record, -1);
	live_hear(&job->live, record, steps_of(job));
	name_step(job);
	return !job->lines || print_line(job, record, diag);
}

/* ---- launching ---- */

void job_print(const struct job *job, sw_text *text)
{
	const char *file = "plan.json";
	const struct launch launch = {.programs = &job->programs, .options = &job->options, .plans = &file, .count = 1};
	launch_print(&launch, text);
}

void job_expect(struct job *job, int launches)
{
	job->live.launches = launches;
}

/* Of plan `i` by the machine; negative: not known. */
static double predicted_of(const struct job *job, int i, const sw_machine *machine)
{
	const sw_program *planned = job->planned[i];
	double sum = planned ? 0 : sw_predict_seconds(job->plan[i], -1, machine);
	for (int s = 0; planned && s < planned->steps && sum >= 0; s++) {
		const sw_plan *inside = planned->step[s].inside;
		double seconds = inside ? sw_predict_seconds(inside, -1, machine) : sw_compute_seconds(planned, s, machine);
		sum = seconds < 0 ? -1 : sum + seconds;
	}
	return sum;
}

/* Each step is repeated, then all of them are, beside what is measured for comparison; 0: a plan has no predicted time. */
static double expected_seconds(const struct job *job)
{
	enum { WARMUP = 3, TURNS = 2, WAYS = 3 };
	const struct launch_options *options = &job->options;
	bool messages = options->transport && strcmp(options->transport, "messages") == 0;
	double sum = 0;
	for (int i = 0; i < job->count; i++) {
		sw_machine machine;
		calibration_machine(&job->calibration, messages, job->plan[i]->problem.mesh.devices, job->arena, &machine);
		double seconds = predicted_of(job, i, &machine);
		if (seconds < 0)
			return 0;
		int reps = options->reps >= 0 ? options->reps : sw_run_repetitions(seconds, messages);
		sum += seconds * (reps + (options->warmup >= 0 ? options->warmup : WARMUP)) *
			(options->total ? 1 : TURNS * WAYS);
	}
	return sum;
}

bool job_launch(struct job *job, int first, sw_diag *diag)
{
	const char *files[JOB_PLANS];
	for (int i = 0; i < job->count; i++)
		files[i] = job->file[(first + i) % job->count];
	const struct launch launch = {.programs = &job->programs,
		.options = &job->options,
		.folder = job->folder,
		.plans = files,
		.count = job->count,
		.console = job->run->session->console,
		.live = &job->live,
		.record = hear,
		.context = job};
	job->present = -1;
	job->live.expected = expected_seconds(job);
	live_launch(&job->live, job->count, live_now());
	return launch_run(&launch, &job->records, diag);
}

const struct kept_run *job_keep(struct job *job)
{
	bool any = false;
	for (int i = 0; i < job->records.count; i++)
		any |= job->records.times[i].count > 0 || job->records.times[i].complete;
	if (!any)
		return NULL;
	sw_arena *arena = job->arena;
	job->arena = NULL;
	return session_keep_run(job->run->session, arena, &job->records) ? job->run->session->last_run : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command evaluate: what was asked for, and the plans.
 */
#define _GNU_SOURCE
#include "command/compare/evaluate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shardwalk/evaluation.h>

#include "answer/watch.h"
#include "command/compare/compare.h"
#include "host/interrupt.h"
#include "session/machine.h"

#define EVALUATED_MOST 10000000

/* ---- reading ---- */

/* What says how problems are drawn says nothing of those of a file. */
static bool check_drawn(const struct invocation *run, sw_diag *diag)
{
	static const enum option drawn[] = {OPTION_DEVICES, OPTION_SEED};
	for (size_t i = 0; i < sizeof(drawn) / sizeof(*drawn) && argument(run, 0); i++) {
		const struct word *word = option_given(run, drawn[i]);
		if (!word)
			continue;
		sw_diag_set(diag, SW_L02, line_span(run->position->text, word->raw),
			"`--%s` is for random problems, but these are from a file", option_rows[drawn[i]].name);
		sw_diag_hint(diag, "`--problems N` takes the first N of a file");
		return false;
	}
	return true;
}

static bool read_run(const struct invocation *run, struct evaluation *e, sw_diag *diag)
{
	const struct word *scale = option_given(run, OPTION_SCALE);
	if (!scale || e->runs)
		return true;
	sw_diag_set(diag, SW_L02, line_span(run->position->text, scale->raw),
		"`--scale` is for problems that run, but none do");
	sw_diag_hint(diag, "`--run N` runs the first N problems");
	return false;
}

bool evaluate_read(const struct invocation *run, struct evaluation *e, sw_diag *diag)
{
	static const sw_strategy usual[] = {SW_PAPER, SW_FUSED, SW_XLA};
	const struct value *strategies = option_value(run, OPTION_STRATEGIES);
	const struct word *file = argument(run, 0);
	*e = (struct evaluation){.run = run,
		.strategies = strategies ? strategies->count : (int)(sizeof(usual) / sizeof(*usual)),
		.problems = option_number(run, OPTION_PROBLEMS, file ? EVALUATED_MOST : 1000),
		.devices = option_number(run, OPTION_DEVICES, 8),
		.seed = option_number(run, OPTION_SEED, 1),
		.runs = option_number(run, OPTION_RUN, 0),
		.scale = option_real(run, OPTION_SCALE, 0.1)};
	memcpy(e->strategy, strategies ? strategies->strategy : usual, (size_t)e->strategies * sizeof(*usual));
	e->file = file ? file_name(run, file) : NULL;
	if (!plan_request_read(run, NULL, &e->asked, diag) || !check_drawn(run, diag) ||
		!option_count(run, OPTION_TAKE, 1, EVALUATED_MOST, &e->take, diag) || !read_run(run, e, diag))
		return false;
	e->asked.prove = 0;
	e->scratch = sw_arena_new();
	return e->scratch || sw_diag_memory(diag);
}

void evaluate_end(struct evaluation *e)
{
	sw_arena_free(e->scratch);
	free(e->problem);
	if (e->journal)
		fclose(e->journal);
}

/* ---- planning ---- */

static bool go_on(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return !interrupt_signal();
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool evaluate_find(const struct evaluation *e, int s, const sw_problem *problem, sw_arena *arena, sw_plan *plan,
	double *seconds, sw_diag *diag)
{
	struct plan_request one = e->asked;
	sw_pulse pulse = {go_on, NULL};
	sw_plan_options options;
	one.strategy = e->strategy[s];
	if (!plan_request_options(&one, problem, &pulse, &options, diag))
		return false;
	options.sizes_only = problem->mesh.devices > GROUPED_DEVICES;
	double start = now();
	bool ok = compare_find_one(e->run, true, problem, &options, arena, plan, diag);
	if (seconds)
		*seconds = now() - start;
	return ok;
}

struct evaluated *evaluation_add(struct evaluation *e, sw_diag *diag)
{
	if (e->count == e->room) {
		int room = e->room ? e->room * 2 : 256;
		struct evaluated *grown = realloc(e->problem, (size_t)room * sizeof(*grown));
		if (!grown)
			return sw_diag_memory(diag), NULL;
		e->problem = grown;
		e->room = room;
	}
	struct evaluated *row = &e->problem[e->count];
	*row = (struct evaluated){.plan = SW_NEW_ZERO(e->run->arena, struct evaluated_plan, e->strategies)};
	if (!row->plan)
		return sw_diag_memory(diag), NULL;
	for (int s = 0; s < e->strategies; s++)
		row->plan[s] =
			(struct evaluated_plan){.strategy = sw_strategy_name(e->strategy[s]), .predicted = -1, .seconds = -1};
	e->count++;
	return row;
}

static bool name_problem(const struct evaluation *e, const sw_problem *problem, const char *name,
	struct evaluated *row, sw_diag *diag)
{
	sw_text mesh = {0}, from = {0}, to = {0};
	sw_mesh_print(&problem->mesh, &mesh);
	sw_type_print(&problem->mesh, &problem->from, true, &from);
	sw_type_print(&problem->mesh, &problem->to, true, &to);
	row->mesh = sw_text_keep(&mesh, e->run->arena);
	row->from = sw_text_keep(&from, e->run->arena);
	row->to = sw_text_keep(&to, e->run->arena);
	row->name = name ? sw_arena_copy(e->run->arena, name, strlen(name)) : NULL;
	row->devices = problem->mesh.devices;
	row->dtype_bytes = sw_dtype_bytes(problem->from.dtype);
	row->bytes = sw_type_globalsize(&problem->from) * row->dtype_bytes;
	return (row->mesh && row->from && row->to) || sw_diag_memory(diag);
}

static void take_plan(const struct evaluation *e, const sw_plan *plan, double seconds, struct evaluated_plan *out)
{
	const sw_machine *machine = NULL;
	out->planned = true;
	out->over = compare_is_over(plan);
	out->cost = plan->cost;
	out->model_cost = plan->model_cost;
	out->searched = seconds;
	if (compare_machine(&e->asked, plan->problem.mesh.devices, &machine, NULL) && machine)
		out->predicted = sw_predict_seconds(plan, -1, machine);
}

/* The first reason of each strategy is told. */
static void tell_missing(struct evaluation *e, int s, const sw_diag *why)
{
	if (!e->told[s])
		answer_remark(e->run->session, "problem %d: %s has no plan, the first such problem: %s", e->count,
			sw_strategy_name(e->strategy[s]), why->message);
	e->told[s] = true;
}

static bool plan_problem(struct evaluation *e, const sw_problem *problem, const char *name, sw_diag *diag)
{
	struct evaluated *row = evaluation_add(e, diag);
	if (!row || !name_problem(e, problem, name, row, diag))
		return false;
	row->ordered = problem->mesh.order || problem->to_order;
	for (int s = 0; s < e->strategies; s++) {
		sw_plan plan;
		double seconds;
		if (evaluate_find(e, s, problem, e->scratch, &plan, &seconds, diag)) {
			take_plan(e, &plan, seconds, &row->plan[s]);
		} else if (diag->code == SW_S03) {
			e->count--;
			return false;
		} else {
			tell_missing(e, s, diag);
		}
	}
	return journal_planned(e, e->count - 1, diag);
}

/* ---- what was planned before ---- */

static bool is_same(const struct evaluation *e, const struct evaluated *row, const sw_problem *problem)
{
	struct evaluated now = {.name = NULL};
	return name_problem(e, problem, NULL, &now, NULL) && strcmp(now.mesh, row->mesh) == 0 &&
		strcmp(now.from, row->from) == 0 && strcmp(now.to, row->to) == 0 && now.devices == row->devices &&
		now.bytes == row->bytes && now.dtype_bytes == row->dtype_bytes;
}

static bool check_resumed(const struct evaluation *e, int n, const sw_problem *problem, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_RESUME);
	if (is_same(e, &e->problem[n], problem))
		return true;
	sw_diag_set(diag, SW_L13, line_span(e->run->position->text, word->raw),
		"problem %d of '%.100s' is not the one of this evaluation", n + 1, e->journal_name);
	sw_diag_hint(diag, "name another file, or remove this one");
	return false;
}

/* ---- problems that are drawn ---- */

static bool plan_drawn_one(struct evaluation *e, int64_t n, sw_diag *diag)
{
	sw_problem problem;
	sw_arena_clear(e->scratch);
	if (!sw_evaluation_draw(e->devices, (uint64_t)e->seed, n, &problem, diag))
		return false;
	return n < e->resumed ? check_resumed(e, (int)n, &problem, diag) : plan_problem(e, &problem, NULL, diag);
}

static bool plan_drawn(struct evaluation *e, sw_diag *diag)
{
	struct watch watch;
	bool ok = true;
	watch_start(&watch, e->run->session->console);
	for (int64_t n = 0; n < e->problems && ok && !e->stopped; n++) {
		e->stopped = !sw_pulse_beat(&watch.pulse, "problems", n, e->problems);
		ok = e->stopped || plan_drawn_one(e, n, diag);
		e->stopped |= !ok && diag->code == SW_S03;
	}
	watch_end(&watch);
	return ok || e->stopped;
}

/* ---- problems of a file ---- */

/* A failure here ends all, and is no matter of the line: it is kept, and the reading stopped. */
static bool visit(void *context, const sw_problem *problem, const char *name, sw_arena *arena, sw_text *out,
	sw_diag *diag)
{
	struct evaluation *e = context;
	int64_t n = e->visited++;
	(void)arena, (void)out;
	sw_arena_clear(e->scratch);
	if (n < e->resumed ? check_resumed(e, (int)n, problem, diag) : plan_problem(e, problem, name, diag))
		return true;
	e->failure = *diag;
	diag->code = SW_S03;
	return false;
}

static bool plan_file(struct evaluation *e, sw_diag *diag)
{
	bool ok = problems_visit(e->run, argument(e->run, 0), visit, e, diag);
	e->stopped = interrupt_signal() || e->failure.code == SW_S03;
	if (e->failure.code != SW_OK && !e->stopped) {
		*diag = e->failure;
		return false;
	}
	if (!e->stopped && e->visited < e->count)
		e->count = (int)e->visited;
	return ok || e->stopped;
}

bool evaluate_plan(struct evaluation *e, sw_diag *diag)
{
	const sw_machine *machine; /* what no problem could be planned without */
	if (!machine_find(e->asked.model, e->asked.hardware, e->devices, &machine, diag) || !journal_open(e, diag) ||
		!(e->file ? plan_file : plan_drawn)(e, diag))
		return false;
	if (e->stopped && !e->file)
		answer_remark(e->run->session, "stopped after %d of %lld problems", e->count, (long long)e->problems);
	if (e->stopped && e->journal)
		answer_remark(e->run->session, "the same line continues from the results in '%s'", e->journal_name);
	return true;
}

bool evaluated_problem(const struct evaluation *e, const struct evaluated *row, sw_problem *problem, sw_diag *diag)
{
	sw_text ends = {0};
	bool pads = setting_is(&e->run->session->state.settings, SETTING_UNEVEN, "pad");
	sw_text_addf(&ends, "%s ~> %s", row->from, row->to);
	sw_mesh mesh;
	bool ok = sw_mesh_parse(sw_str_of(row->mesh), &mesh, diag) &&
		sw_problem_parse_as(&mesh, (sw_str){sw_text_get(&ends), ends.length}, pads, problem, diag);
	sw_text_free(&ends);
	return ok;
}

/* ---- one of them ---- */

struct taking {
	const struct invocation *run;
	int64_t wanted, seen;
	sw_problem problem;
	const char *name; /* NULL: it has none */
	bool taken;
};

static bool take_one(struct taking *taking, const sw_problem *problem, const char *name, sw_diag *diag)
{
	taking->problem = *problem;
	taking->name = name ? sw_arena_copy(taking->run->arena, name, strlen(name)) : NULL;
	taking->taken = take_problem(taking->run->session, problem, diag);
	return taking->taken;
}

/* As a line of a file of problems has it. */
static void answer_taken(const struct taking *taking)
{
	struct document *answer = taking->run->answer;
	struct fields *fields = document_fields(answer, "shardwalk.problem/1");
	const sw_problem *problem = &taking->problem;
	sw_text lines = {0};
	field_int(fields, "id", taking->wanted);
	if (taking->name)
		field_text(fields, "name", taking->name);
	field_mesh(fields, "mesh", &problem->mesh);
	field_text(fields, "dtype", sw_dtype_name(problem->from.dtype));
	field_ends(fields, problem, false);
	sw_text_add(&lines, "mesh ");
	sw_mesh_print(&problem->mesh, &lines);
	sw_text_add_char(&lines, '\n');
	sw_type_print(&problem->mesh, &problem->from, true, &lines);
	sw_text_add(&lines, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, true, &lines);
	sw_text_add_char(&lines, '\n');
	document_lines(answer, &lines);
	answer_hint(taking->run->session, "this is now the problem; `compare` plans it by every strategy");
}

static bool take_visited(void *context, const sw_problem *problem, const char *name, sw_arena *arena, sw_text *out,
	sw_diag *diag)
{
	struct taking *taking = context;
	(void)arena, (void)out;
	return ++taking->seen != taking->wanted || take_one(taking, problem, name, diag);
}

static bool refuse_take(const struct evaluation *e, const struct taking *taking, sw_diag *diag)
{
	const struct word *word = option_given(e->run, OPTION_TAKE);
	sw_diag_set(diag, SW_L12, line_span(e->run->position->text, word->raw), "there is no problem %lld",
		(long long)taking->wanted);
	sw_diag_expected(diag, "1 to %lld", (long long)taking->seen);
	return false;
}

bool evaluate_take(struct evaluation *e, sw_diag *diag)
{
	struct taking taking = {.run = e->run, .wanted = e->take};
	if (e->file) {
		if (!problems_visit(e->run, argument(e->run, 0), take_visited, &taking, diag))
			return false;
		if (!taking.taken)
			return refuse_take(e, &taking, diag);
	} else {
		sw_problem problem;
		if (!sw_evaluation_draw(e->devices, (uint64_t)e->seed, e->take - 1, &problem, diag) ||
			!take_one(&taking, &problem, NULL, diag))
			return false;
	}
	answer_taken(&taking);
	return true;
}

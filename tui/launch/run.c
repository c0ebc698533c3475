/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command `run`: which plans, on how many ranks, how often, and what is told of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/number.h>
#include <shardwalk/placement.h>
#include <shardwalk/reduction_plan.h>

#include "answer/watch.h"
#include "answer/words.h"
#include "command/compare/compare.h"
#include "launch/commands.h"
#include "launch/job.h"
#include "launch/rounding.h"
#include "launch/run_grown.h"
#include "launch/run_program.h"
#include "launch/run_schedules.h"
#include "launch/run_sums.h"
#include "launch/run_ways.h"
#include "command/plan.h"
#include "command/placement/reduction.h"
#include "command/programs/planned.h"
#include "command/programs/product_ways.h"
#include "launch/smaller.h"
#include "host/file.h"
#include "host/interrupt.h"

#define DEFAULT_TIMEOUT 60

/* ---- options ---- */

struct launch_options run_options(const struct invocation *run)
{
	return (struct launch_options){.timeout = option_real(run, OPTION_TIMEOUT, DEFAULT_TIMEOUT),
		.number = 1,
		.reps = (int)option_number(run, OPTION_REPS, -1),
		.warmup = (int)option_number(run, OPTION_WARMUP, -1),
		.transport = option_text(run, OPTION_TRANSPORT),
		.overlap = option_text(run, OPTION_OVERLAP),
		.in_place = option_text(run, OPTION_IN_PLACE),
		.throttle = option_given(run, OPTION_THROTTLE) != NULL,
		.collectives = option_given(run, OPTION_COLLECTIVES) != NULL,
		.hosts = option_text(run, OPTION_HOSTS),
		.hostfile = option_text(run, OPTION_HOSTFILE),
		.launcher = option_text(run, OPTION_LAUNCHER)};
}

/* ---- how many ranks ---- */

bool run_refuse_ranks(const struct invocation *run, const sw_problem *small, int64_t ranks, int64_t most,
	sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_RANKS);
	sw_diag_set(diag, SW_L13, word ? line_span(run->position->text, word->raw) : (sw_span){0, 0},
		"%lld ranks are more than max_ranks, which is %lld", (long long)ranks, (long long)most);
	if (small)
		sw_diag_hint(diag,
			"`run --ranks %lld` uses the largest part of the mesh that fits; `set max_ranks %lld` allows all "
			"of them; `verify` needs no ranks",
			(long long)small->mesh.devices, (long long)ranks);
	else
		sw_diag_hint(diag, "`set max_ranks %lld` allows them; `verify` needs no ranks", (long long)ranks);
	return false;
}

/* A letter from the person at the terminal; 0 where nobody answers. */
static char ask(const struct session *session, const char *question)
{
	char answer = 0, letter;
	if (!session->interactive || !session->console->in_terminal || !session->console->err_terminal ||
		session->console->taker)
		return 0;
	fprintf(stderr, "%s ", question);
	while (!interrupt_signal()) {
		ssize_t n = read(STDIN_FILENO, &letter, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || letter == '\n')
			break;
		answer = answer ? answer : letter;
	}
	return interrupt_signal() ? 0 : answer;
}

/* Asks for what is above the limit: a part of the mesh, or all of it. */
static bool fit_to_limit(const struct invocation *run, sw_problem *problem, int64_t ranks, int64_t most,
	sw_diag *diag)
{
	sw_problem small;
	sw_text question = {0}, mesh = {0};
	bool there = problem_for_devices(problem, most, &small) && small.mesh.devices > 1;
	if (there)
		sw_mesh_print(&small.mesh, &mesh);
	sw_text_addf(&question, "%lld ranks are more than max_ranks, which is %lld. ", (long long)ranks, (long long)most);
	if (there)
		sw_text_addf(&question, "p: on the part %s of the mesh, with %lld ranks; ", sw_text_get(&mesh),
			(long long)small.mesh.devices);
	sw_text_add(&question, "a: all of them anyway; anything else: no [n]");
	char answer = ask(run->session, sw_text_get(&question));
	sw_text_free(&question);
	sw_text_free(&mesh);
	if (there && (answer == 'p' || answer == 'P'))
		*problem = small;
	else if (answer != 'a' && answer != 'A')
		return run_refuse_ranks(run, there ? &small : NULL, ranks, most, diag);
	return true;
}

static bool refuse_part(const struct invocation *run, const sw_problem *problem, const sw_problem *small,
	sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_RANKS);
	sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw),
		"no part of the mesh with all its axes has %.*s devices", (int)word->text.length, word->text.at);
	sw_diag_expected(diag, "%lld, or %lld for a part of it", (long long)problem->mesh.devices,
		(long long)small->mesh.devices);
	sw_diag_hint(diag, "a part leaves out prime factors of axes, the largest first");
	return false;
}

/* The problem for as many ranks as were asked for. */
static bool fit_ranks(const struct invocation *run, sw_problem *problem, sw_diag *diag)
{
	int64_t ranks = problem->mesh.devices;
	int64_t most = run->session->state.settings.value[SETTING_MAX_RANKS].number;
	sw_problem small = *problem;
	if (!option_count(run, OPTION_RANKS, 1, problem->mesh.devices, &ranks, diag))
		return false;
	if (ranks < problem->mesh.devices &&
		(!problem_for_devices(problem, ranks, &small) || small.mesh.devices != ranks))
		return refuse_part(run, problem, &small, diag);
	*problem = small;
	return ranks <= most || option_given(run, OPTION_DRY_RUN) || fit_to_limit(run, problem, ranks, most, diag);
}

static void tell_part(const struct invocation *run, const sw_problem *problem)
{
	sw_text text = {0};
	sw_text_add(&text, "on a part of the mesh: ");
	sw_mesh_print(&problem->mesh, &text);
	sw_text_add(&text, ", ");
	sw_type_print(&problem->mesh, &problem->from, true, &text);
	sw_text_add(&text, " ~> ");
	sw_type_print(&problem->mesh, &problem->to, true, &text);
	answer_remark(run->session, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- which plans ---- */

static bool find_plan(const struct job *job, const sw_problem *problem, sw_strategy strategy, sw_plan *plan,
	sw_diag *diag)
{
	const struct invocation *run = job->run;
	struct watch watch;
	struct plan_request asked;
	sw_plan_options options;
	if (!plan_request_read(run, NULL, &asked, diag))
		return false;
	asked.strategy = strategy;
	watch_start(&watch, run->session->console);
	bool ok = plan_request_options(&asked, problem, &watch.pulse, &options, diag) &&
		sw_plan_find(problem, &options, job->arena, plan, diag);
	watch_end(&watch);
	return ok;
}

static bool add_found(struct job *job, const sw_problem *problem, sw_strategy strategy, const char *name,
	sw_diag *diag)
{
	sw_plan *plan = SW_NEW(job->arena, sw_plan, 1);
	return plan ? find_plan(job, problem, strategy, plan, diag) && job_add(job, plan, name, diag) :
				  sw_diag_memory(diag);
}

static bool same_types(const sw_problem *a, const sw_problem *b)
{
	return sw_mesh_equal(&a->mesh, &b->mesh) && sw_type_equal(&a->from, &b->from) && sw_type_equal(&a->to, &b->to);
}

static const char *name_of(const sw_plan *plan)
{
	return plan->name ? plan->name : plan->origin ? plan->origin : sw_strategy_name(plan->strategy);
}

/* Who passes on what in which order is of the system that the plan was made for: it cannot be planned for another one. */
static bool is_of_system(const sw_plan *plan)
{
	bool inside = false;
	for (int k = 0; k < plan->program.steps; k++)
		inside = inside || plan->program.step[k].inside;
	return inside || sw_plan_pieces_of_tile(plan) > 0;
}

static bool refuse_fewer(sw_diag *diag)
{
	sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "a reduction program runs on all devices of its system");
	sw_diag_hint(diag, "define a smaller system: system, axes, place, reductions");
	return false;
}

static bool add_one(struct job *job, const sw_plan *plan, const sw_problem *problem, sw_diag *diag)
{
	if (is_of_system(plan) && !same_types(&plan->problem, problem))
		return refuse_fewer(diag);
	if (same_types(&plan->problem, problem))
		return job_add(job, plan, name_of(plan), diag);
	tell_part(job->run, problem);
	return add_found(job, problem, plan->strategy, name_of(plan), diag);
}

/* A strategy that has no plan is left out and told of, as `compare` does.  false: it was stopped. */
static bool add_if_found(struct job *job, const sw_problem *problem, sw_strategy strategy, sw_diag *diag)
{
	sw_plan *plan = SW_NEW(job->arena, sw_plan, 1);
	if (!plan)
		return sw_diag_memory(diag);
	if (find_plan(job, problem, strategy, plan, diag))
		return job_add(job, plan, sw_strategy_name(strategy), diag);
	if (diag->code == SW_S03)
		return false;
	answer_remark(job->run->session, "%s: left out: %s", sw_strategy_name(strategy), diag->message);
	return true;
}

/* All that may be compared here. */
static bool refuse_rivals(const struct word *word, sw_diag *diag)
{
	sw_text list = {0};
	if (diag->code != SW_S04)
		return false;
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		sw_text_addf(&list, "%s%s", s ? "," : "", sw_strategy_name((sw_strategy)s));
	bool calls = memmem(word->text.at, word->text.length, LAUNCH_ALLTOALLW, strlen(LAUNCH_ALLTOALLW));
	sw_diag_expected(diag, "some of %s; or `" LAUNCH_ALLTOALLW "`, or for programs that sum `reductions`, alone",
		sw_text_get(&list));
	if (calls)
		sw_diag_hint(diag,
			"`--compare " LAUNCH_ALLTOALLW
			"` runs the present plan beside both calls: `plan --strategy NAME` chooses it");
	sw_text_free(&list);
	return false;
}

static bool add_compared(struct job *job, const struct word *word, const sw_problem *problem, sw_diag *diag)
{
	struct value rivals;
	if (!read_strategies(job->run, word, &rivals, diag))
		return refuse_rivals(word, diag);
	for (int i = 0; i < rivals.count; i++)
		if (!add_if_found(job, problem, rivals.strategy[i], diag))
			return false;
	return job->count > 0;
}

/* `--compare reductions`: the programs that `reductions` lists, by their numbers. */
static bool add_reductions(struct job *job, const struct word *word, sw_diag *diag)
{
	int64_t most = 10;
	int count;
	sw_plan *plans;
	if (!option_count(job->run, OPTION_LIMIT, 1, JOB_PLANS, &most, diag))
		return false;
	if (!reductions_as_plans(job->run, job->arena, (int)most, &plans, &count, diag))
		return refuse_at(job->run, word->raw, diag);
	for (int i = 0; i < count; i++)
		if (!job_add(job, &plans[i], plans[i].name, diag))
			return false;
	return true;
}

static bool refuse_sums(const struct word *word, const struct job *job, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, line_span(job->run->position->text, word->raw),
		"MPI_Alltoallw moves values but does not add: the present problem has sums");
	sw_diag_hint(diag, "`--collectives` uses MPI's collectives that add");
	return false;
}

/* `--compare alltoallw`: the plan, and the problem as one exchange by MPI_Alltoallw on subarrays and by MPI_Alltoallv on packed tiles. */
static bool add_calls(struct job *job, const struct word *word, const sw_plan *plan, const sw_problem *problem,
	sw_diag *diag)
{
	if (!problem->from_words && !problem->to_words &&
		(sw_type_terms(&problem->from) > 1 || sw_type_terms(&problem->to) > 1))
		return refuse_sums(word, job, diag);
	job->options.rivals = true;
	return add_one(job, plan, problem, diag) && add_found(job, problem, SW_DIRECT, LAUNCH_ALLTOALLW, diag) &&
		add_found(job, problem, SW_DIRECT, LAUNCH_ALLTOALLV, diag);
}

static bool add_size(struct job *job, const sw_plan *plan, const sw_problem *problem, int64_t bytes, sw_diag *diag)
{
	sw_text name = {0};
	sw_print_bytes(&name, bytes);
	bool ok = add_found(job, problem, plan->strategy, sw_text_get(&name), diag);
	sw_text_free(&name);
	return ok;
}

static bool add_sweep(struct job *job, const struct word *word, const sw_plan *plan, const sw_problem *problem,
	sw_diag *diag)
{
	const int64_t *sizes = option_value(job->run, OPTION_SWEEP)->sizes;
	int64_t before = 0;
	sw_problem scaled;
	for (int64_t size = sizes[0]; size <= sizes[1] && size < INT64_MAX / 2; size *= 2) {
		int64_t bytes = problem_for_bytes(problem, size, &scaled);
		if (!bytes)
			return sw_diag_set(diag, SW_L13, line_span(job->run->position->text, word->raw),
				"the array cannot be made that large");
		bool wanted = bytes > before && bytes <= 2 * sizes[1];
		if (wanted && !add_size(job, plan, &scaled, bytes, diag))
			return false;
		before = wanted ? bytes : before;
	}
	if (job->count)
		return true;
	sw_diag_set(diag, SW_L13, line_span(job->run->position->text, word->raw), "no array of this shape is that small");
	sw_diag_hint(diag, "sizes are those of the larger tile on a device");
	return false;
}

static bool add_plans(struct job *job, const sw_plan *plan, const sw_problem *problem, sw_diag *diag)
{
	const struct word *compare = option_given(job->run, OPTION_COMPARE),
					  *sweep = option_given(job->run, OPTION_SWEEP);
	if (is_of_system(plan) && sweep)
		return sw_diag_set(diag, SW_L02, line_span(job->run->position->text, sweep->raw),
			"a reduction program has one size: `--sweep` is for plans over types");
	if (compare && sweep)
		return sw_diag_set(diag, SW_L02, line_span(job->run->position->text, sweep->raw),
			"`--compare` and `--sweep` do not go together");
	job->options.ranks = (int)problem->mesh.devices;
	if ((compare || sweep) && !same_types(&plan->problem, problem))
		tell_part(job->run, problem);
	if (compare && sw_str_is(compare->text, "reductions"))
		return add_reductions(job, compare, diag);
	if (compare && sw_str_is(compare->text, LAUNCH_ALLTOALLW))
		return add_calls(job, compare, plan, problem, diag);
	if (compare)
		return add_compared(job, compare, problem, diag);
	return sweep ? add_sweep(job, sweep, plan, problem, diag) : add_one(job, plan, problem, diag);
}

/* ---- samples ---- */

/* A folder that is not there is told of before anything is measured; what is there and is no file, as a device, needs none. */
static bool check_samples(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_SAMPLES);
	sw_text folder = {0};
	if (!word)
		return true;
	const char *name = file_name(run, word), *slash = strrchr(name, '/');
	sw_text_add_str(&folder, slash ? (sw_str){name, slash > name ? (size_t)(slash - name) : 1} : sw_str_of("."));
	bool ok = access(sw_text_get(&folder), W_OK) == 0 || file_is_special(name);
	if (!ok) {
		sw_diag_set(diag, SW_B02, line_span(run->position->text, word->raw),
			"cannot write to the folder '%.120s': %s", sw_text_get(&folder), strerror(errno));
		sw_diag_hint(diag, "name a file in an existing folder");
	}
	sw_text_free(&folder);
	return ok;
}

void run_name_samples(struct job *job)
{
	sw_text path = {0};
	if (!option_given(job->run, OPTION_SAMPLES))
		return;
	sw_text_addf(&path, "%s/samples.csv", job->folder);
	job->options.samples = sw_text_keep(&path, job->arena);
}

/* Times are kept even where the run did not finish. */
bool run_keep_samples(struct job *job, sw_diag *diag)
{
	const struct word *word = option_given(job->run, OPTION_SAMPLES);
	sw_text text = {0};
	if (!word || access(job->options.samples, F_OK) != 0)
		return true;
	bool ok = file_read(job->options.samples, &text, diag) && file_write(file_name(job->run, word), &text, diag);
	sw_text_free(&text);
	if (!ok && diag)
		diag->at = line_span(job->run->position->text, word->raw);
	return ok;
}

/* ---- launches ---- */

/* Strategies that were asked for while it ran take part from the next launch on. */
static bool add_wanted(struct job *job, const sw_problem *problem, sw_diag *diag)
{
	unsigned wanted = job->live.wanted;
	job->live.wanted = 0;
	job->live.has |= wanted; /* also what has no plan: it is not asked for again */
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		if (wanted >> s & 1 && !add_if_found(job, problem, (sw_strategy)s, diag))
			return false;
	return true;
}

/* Plans beside each other run as often as `--compare` has it, unless a number was given. */
static bool launch_all(struct job *job, const sw_problem *problem, sw_diag *diag)
{
	int64_t usual = option_given(job->run, OPTION_COMPARE) && !is_of_system(job->plan[0]) ? COMPARED_LAUNCHES : 1;
	int64_t launches = option_number(job->run, OPTION_LAUNCHES, usual);
	job->live.takes = !option_given(job->run, OPTION_SWEEP);
	for (int64_t i = 0; i < launches; i++) {
		int before = job->count;
		job->options.number = (int)i + 1;
		job_expect(job, (int)launches);
		if (!job_launch(job, (int)(i % job->count), diag) || !add_wanted(job, problem, diag))
			return false;
		bool more = job->count > before && !option_given(job->run, OPTION_LAUNCHES);
		launches = more && launches < COMPARED_LAUNCHES ? COMPARED_LAUNCHES : launches;
	}
	return true;
}

/* Of the plan where it matters most. */
static void tell_rounding(struct job *job)
{
	const sw_plan *plan = NULL;
	sw_text text = {0};
	for (int i = 0; i < job->count; i++)
		if (rounding_of(job->plan[i]) > (plan ? rounding_of(plan) : 0))
			plan = job->plan[i];
	if (!plan)
		return;
	if (job->count > 1)
		sw_text_addf(&text, "%s, ", plan->name);
	rounding_print(plan, &text);
	document_line(job->run->answer, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

static bool answer_times(struct job *job, sw_diag *diag)
{
	struct session *session = job->run->session;
	const struct kept_run *kept = job_keep(job);
	if (kept)
		compare_remember(session->last_run, job->plan, job->count);
	if (!kept || job->lines)
		return true;
	struct view_input in = {.times = &kept->records, .times_number = kept->number};
	bool ok = view_answer(job->run, view_times, &in, NULL, diag);
	tell_rounding(job);
	sums_tell(job->run, &kept->records);
	return ok;
}

/* ---- without ranks ---- */

static const sw_plan *largest_plan(const struct job *job)
{
	const sw_plan *largest = job->plan[0];
	for (int i = 1; i < job->count; i++)
		if (job->plan[i]->live_peak > largest->live_peak)
			largest = job->plan[i];
	return largest;
}

static bool adds_terms(const sw_plan *plan)
{
	const sw_problem *problem = &plan->problem;
	return problem->from_words || problem->to_words || sw_type_terms(&problem->from) > 1 ||
		sw_type_terms(&problem->to) > 1;
}

/* The most bytes of buffers of a rank where all goes by messages, as shardwalk-exec lays them out: two messages or the largest tile; where
 * terms are added, what arrives, and what is on its way around a ring; each in whole pages.  -1: 64 bits do not count them. */
static int64_t buffers_most(const sw_plan *plan)
{
	enum { PAGE = 4096 };
	bool adds = adds_terms(plan);
	double volume = adds ? sw_plan_volume(plan) : 0;
	int64_t tiles, bytes;
	if (!sw_mul(plan->height, adds ? 4 : 2, &tiles) || volume > (double)(INT64_MAX / 64) ||
		!sw_add(tiles, (int64_t)volume, &tiles) || !sw_mul(tiles, sw_dtype_bytes(plan->problem.from.dtype), &bytes))
		return -1;
	return sw_add(bytes, (adds ? 4 : 2) * PAGE - 1, &bytes) ? bytes / PAGE * PAGE : -1;
}

/* What a run would need, and the line that starts it; nothing is started. */
static bool answer_dry_run(struct job *job, sw_diag *diag)
{
	const sw_plan *plan = largest_plan(job);
	int bytes = sw_dtype_bytes(plan->problem.from.dtype), ranks = job->options.ranks;
	int64_t all, buffers = buffers_most(plan);
	sw_text command = {0};
	if (__builtin_mul_overflow(plan->live_peak, ranks, &all))
		return sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "the memory of all ranks overflows");
	job_print(job, &command);
	struct document *answer = job->run->answer;
	struct fields *fields = document_fields(answer, "shardwalk.dry_run/1");
	field_int(fields, "ranks", ranks);
	field_int(fields, "plans", job->count);
	field_int(fields, "tile_bytes_per_rank", plan->live_peak * bytes);
	field_int(fields, "buffer_bytes_per_rank", buffers);
	field_text(fields, "command", sw_text_get(&command));
	document_line(answer, "ranks    %d, for each of %d %s", ranks, job->count, plural(job->count, "plan", "plans"));
	document_line(answer, "memory   %s a rank for the tiles before and after a step, %s in all",
		sw_size_bytes(plan->live_peak, bytes, plan->unit).text, sw_size_bytes(all, bytes, plan->unit).text);
	document_line(answer, "buffers  at most %s a rank if messages are sent, none in the shared memory of one host",
		words_bytes(buffers, SW_I8).text);
	document_line(answer, "command  %s", sw_text_get(&command));
	document_line(answer, "`export plan plan.json` writes the file; nothing was started");
	sw_text_free(&command);
	return true;
}

/* Units of outer levels are hosts where there are as many: then each host has the ranks of one.  0: as mpiexec deals them. */
static int ranks_on_host(const struct job *job, const sw_plan *plan)
{
	int hosts = job_hosts(job);
	int64_t units = 1;
	sw_system system;
	if (!job->options.hosts || !sw_plan_system(plan, &system, NULL))
		return 0;
	for (int j = 0; j < system.count; j++) {
		units *= system.level[j].size;
		if (units == hosts)
			return (int)(system.devices / units);
	}
	return 0;
}

static bool run_job(struct job *job, const sw_plan *plan, const sw_problem *problem, sw_diag *diag)
{
	if (!job_start(job, "run", diag) || !add_plans(job, plan, problem, diag))
		return false;
	if (option_given(job->run, OPTION_DRY_RUN))
		return answer_dry_run(job, diag);
	run_name_samples(job);
	bool ok = launch_all(job, problem, diag);
	sw_diag more = {.code = SW_OK};
	bool kept = run_keep_samples(job, ok ? diag : &more);
	bool answered = answer_times(job, ok && kept ? diag : &more);
	return ok && kept && answered;
}

static bool refuse_dtype(const struct invocation *run, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, line_span(run->position->text, option_given(run, OPTION_DTYPE)->raw),
		"`--dtype` is for programs: no program is present");
	sw_diag_hint(diag, "`program FILE` reads one; the types of a problem contain their element type");
	return false;
}

bool command_run(struct invocation *run, sw_diag *diag)
{
	struct job job = {.run = run, .lines = run->answer->for_programs, .options = run_options(run)};
	const sw_plan *plan;
	if (sums_are_listed(run))
		return run_sums(run, diag);
	if (option_given(run, OPTION_GROW))
		return run_grown(run, diag);
	if (!check_samples(run, diag))
		return false;
	bool product = product_is_present(run->session);
	if (!argument(run, 0) && !product && schedules_are_compared(run)) {
		bool done = run_schedules(&job, diag);
		job_end(&job);
		return done;
	}
	if (!argument(run, 0) && (product || planned_is_present(run->session))) {
		bool done = (product ? run_product : run_program)(&job, diag);
		job_end(&job);
		return done;
	}
	if (option_given(run, OPTION_DTYPE))
		return refuse_dtype(run, diag);
	if (!read_solution(run, argument(run, 0), &plan, diag))
		return false;
	sw_problem problem = plan->problem;
	job.options.each = ranks_on_host(&job, plan);
	bool ok = fit_ranks(run, &problem, diag) && run_job(&job, plan, &problem, diag);
	job_end(&job);
	return ok;
}

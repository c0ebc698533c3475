/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One plan: read, check, ask for memory, fill, run, prove, time, prove again.
 */
#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/json.h>
#include <shardwalk/planned.h>
#include <shardwalk/record.h>
#include <shardwalk/uneven.h>

#include "data.h"
#include "memory.h"
#include "numbers.h"
#include "read.h"
#include "report.h"
#include "requests.h"
#include "room.h"
#include "sha256.h"
#include "timing.h"
#include "values_job.h"
#include "watch.h"

typedef struct job {
	ex_team *team;
	const ex_options *options;
	ex_result *result;
	const char *file, *name;
	sw_arena *arena;
	sw_text text;
	sw_plan whole, plan; /* as read; with what is inside of its steps in their places */
	int *outer;          /* the step of the whole that a step is, or is inside of */
	ex_program program;
	ex_run run;
	ex_rings rings;
	ex_probe probe;
	ex_usage usage;
	ex_wrong wrong;
	double error, bound; /* of sums of floats of any value: by how much they are off, and may be */
	bool inexact;        /* they are off by more */
	uint64_t digest;
	ex_fault fault;
} job;

static ex_report report_of(job *j)
{
	return (ex_report){j->team, j->options, j->result, j->file, j->name, j->arena, &j->text, j->usage};
}

/* ---- the plan ---- */

static bool get_plan(job *j)
{
	bool ok = ex_read_plan(&j->text, j->team->rank == 0, j->arena, &j->whole, &j->fault) &&
		(sw_plan_unfold(&j->whole, j->arena, &j->plan, &j->outer) ||
			ex_fault_set(&j->fault, EX_LACKS, "E01", "out of memory"));
	return ex_agree(j->team, ok, &j->fault) &&
		ex_read_ranks(j->team, j->plan.problem.mesh.devices, "plan", &j->fault);
}

/* What it would need by messages is worth a hint only where they are not what it does. */
static bool space_suffices(job *j, const ex_need *need)
{
	ex_run other;
	ex_need messages;
	ex_fault ignored;
	bool known = need->shared && ex_run_lay_out(&other, j->team, &j->program, EX_MESSAGES, false, j->arena, &ignored);
	if (known)
		ex_run_need(&other, &messages);
	return ex_room_allow_run(j->team, need, known ? &messages : NULL, &j->fault);
}

static bool check_throttle(job *j)
{
	int passing = 0;
	for (int k = 0; k < j->plan.program.steps; k++)
		passing += j->plan.program.step[k].passing != SW_PASSES_AT_ONCE;
	if (!j->options->throttle || (passing > 0 && passing == j->plan.program.steps))
		return true;
	ex_fault_set(&j->fault, EX_NO, "P06", "--throttle runs reduction programs, whose plans say their system");
	return ex_fault_hint(&j->fault, "`reductions N` makes one");
}

static bool lay_out_rings(job *j)
{
	if (j->program.passing == 0)
		return true;
	j->run.rings = &j->rings;
	return ex_rings_lay_out(&j->rings, j->team, &j->plan, j->arena, &j->fault);
}

static bool open_rings(job *j)
{
	if (j->program.passing == 0)
		return true;
	return ex_agree(j->team, ex_rings_open(&j->rings, &j->fault), &j->fault) &&
		(!j->options->throttle || ex_throttle_open(&j->rings.throttle, j->plan.machine, &j->fault));
}

static bool prepare(job *j)
{
	ex_transport transport;
	ex_need need;
	ex_report report = report_of(j);
	j->name = j->plan.name ? j->plan.name : j->file;
	ex_watch_plan(j->name);
	if (!check_throttle(j) || !ex_report_transport(&report, &transport, &j->fault))
		return false;
	bool ok = ex_program_make(&j->plan, j->team->rank, j->arena, &j->program, &j->fault);
	if (ok && j->program.passing == j->program.count && j->program.count > 0)
		transport = EX_MESSAGES;
	ok = ok && ex_run_lay_out(&j->run, j->team, &j->program, transport, j->options->collectives, j->arena, &j->fault);
	if (!ex_agree(j->team, ok && lay_out_rings(j), &j->fault))
		return false;
	ex_run_need(&j->run, &need);
	return ex_memory_suffices(j->team, &need, j->options->memory, &j->fault) && space_suffices(j, &need) &&
		ex_run_open(&j->run, &j->fault) && open_rings(j);
}

/* ---- faults on purpose, for tests ---- */

static void hang(void)
{
	for (;;)
		pause();
}

static void fault_on_purpose(const job *j, int step)
{
	const ex_options *o = j->options;
	if (o->fault_rank != j->team->rank || o->fault_step != step)
		return;
	if (strcmp(o->fault, "die") == 0)
		raise(SIGKILL);
	else if (strcmp(o->fault, "segv") == 0)
		raise(SIGSEGV);
	else if (strcmp(o->fault, "leave") == 0)
		_exit(0);
	else if (strcmp(o->fault, "stop") == 0)
		raise(SIGSTOP);
	else if (strcmp(o->fault, "hang") == 0)
		hang();
}

static void spoil(const job *j)
{
	const ex_options *o = j->options;
	char *tile = ex_run_tile(&j->run, j->program.count);
	int64_t size = j->program.element, bytes = size * sw_type_localsize(&j->plan.problem.to);
	if (o->flip_rank == j->team->rank && o->flip_byte >= 0 && o->flip_byte < bytes)
		tile[o->flip_byte] ^= 0x10;
	if (o->swap_rank == j->team->rank && o->swap_a >= 0 && o->swap_b >= 0 && (o->swap_a + 1) * size <= bytes &&
		(o->swap_b + 1) * size <= bytes) {
		char keep[16];
		memcpy(keep, tile + o->swap_a * size, (size_t)size);
		memcpy(tile + o->swap_a * size, tile + o->swap_b * size, (size_t)size);
		memcpy(tile + o->swap_b * size, keep, (size_t)size);
	}
}

/* ---- running and proving ---- */

/* All ranks check; the wrong element of the lowest rank that has one is everybody's. */
static bool check(job *j, int k)
{
	uint64_t mine, *all = SW_NEW(j->arena, uint64_t, j->team->ranks);
	bool right = ex_data_check(&j->run, k, &j->wrong, &mine);
	double first = right ? j->team->ranks : j->team->rank;
	ex_team_reduce(j->team, &first, 1, MPI_MIN);
	if (all) {
		ex_allgather(j->team->world, &mine, sizeof(mine), all);
		j->digest = 0;
		for (int i = 0; i < j->team->ranks; i++)
			j->digest = (j->digest ^ all[i]) * 0x9fb21c651e98df25u;
	}
	if ((int)first == j->team->ranks)
		return true;
	ex_bcast(j->team->world, &j->wrong, sizeof(j->wrong), (int)first);
	return false;
}

static void await_all(job *j)
{
	ex_watch_step(0, SW_DYNSLICE);
	ex_team_barrier(j->team);
}

static bool run_once(job *j, bool spoiled)
{
	ex_data_fill(&j->run);
	await_all(j);
	for (int k = 0; k < j->program.count; k++) {
		ex_watch_step(j->outer[k] + 1, j->whole.program.step[j->outer[k]].op);
		fault_on_purpose(j, j->outer[k] + 1);
		ex_run_step(&j->run, k);
		if (j->options->check_steps && !j->plan.program.value[k + 1].pieces && !check(j, k + 1))
			return false;
	}
	await_all(j);
	if (spoiled)
		spoil(j);
	return check(j, j->program.count);
}

/* Where the order of adding is that of rings or trees, once more on floats of any value. */
static bool run_floats(job *j)
{
	if (j->program.passing == 0 || !ex_numbers_are_floats(j->plan.problem.from.dtype))
		return true;
	ex_numbers_fill(&j->run);
	await_all(j);
	for (int k = 0; k < j->program.count; k++)
		ex_run_step(&j->run, k);
	await_all(j);
	j->inexact = !ex_numbers_check(&j->run, j->arena, &j->error, &j->bound);
	double most[3] = {j->error, j->bound, j->inexact};
	ex_team_reduce(j->team, most, 3, MPI_MAX);
	j->error = most[0];
	j->bound = most[1];
	return !(most[2] > 0);
}

/* ---- records ---- */

/* Bandwidth per rank as benchmarks of collectives give it: of what lands, and of what crosses between ranks. */
static void add_bandwidth(sw_record *record, const job *j, int k, const ex_timed *timed)
{
	const ex_step *step = &j->program.steps[k];
	double group = (double)step->step->group_size;
	double crossing = group > 1                                  ? (group - 1) / group :
		sw_collective_of(step->step->op)->among == SW_AMONG_NONE ? 0 :
																   1;
	if (timed->step.median <= 0)
		return;
	record->landing = (double)step->after / timed->step.median;
	record->crossing = record->landing * crossing;
}

/* What the plan's model says, where it speaks of seconds.  Rates of a system are those of the model; simulated links are slower by a
 * factor. */
static double predicted(const job *j, double seconds)
{
	if (j->program.passing > 0)
		return j->rings.throttle.on ? seconds / j->rings.throttle.factor : NAN;
	return strcmp(sw_model_unit(j->plan.model), "s") == 0 ? seconds : NAN;
}

/* The first step that is, or is inside of, step k of the whole; the bytes that land in all of them. */
static int first_of(const job *j, int k, int64_t *landing)
{
	int first = 0;
	*landing = 0;
	while (j->outer[first] < k)
		first++;
	for (int i = first; j->outer[i] == k; i++)
		*landing += j->program.steps[i].landing;
	return first;
}

static void write_step(job *j, int k, const ex_timed *timed)
{
	int64_t landing;
	int at = first_of(j, k, &landing);
	ex_report report = report_of(j);
	const ex_choice *choice = &j->run.choice[at];
	sw_record record;
	sw_record_start(SW_RECORD_STEP, &record);
	record.step = k + 1;
	record.op = sw_collective_of(j->whole.program.step[k].op)->name;
	bool passes = j->program.steps[at].passes;
	record.transport = ex_transport_name(passes ? EX_MESSAGES : j->run.transport);
	if (j->run.transport == EX_SHARED && !passes) {
		record.direction = choice->push ? "push" : "pull";
		record.store = choice->store == EX_STREAM ? "stream" : "plain";
		record.block = choice->block;
	}
	if (timed) {
		ex_report_times(&record, timed, landing);
		if (!passes)
			add_bandwidth(&record, j, at, timed);
		ex_report_samples(&report, "step", k + 1, timed);
	}
	record.predicted = predicted(j, j->whole.program.step[k].model_cost);
	ex_result_write(j->result, &record);
}

static void write_total(job *j, const ex_timed *timed)
{
	ex_report report = report_of(j);
	int64_t bytes = 0;
	sw_record record;
	sw_record_start(SW_RECORD_TOTAL, &record);
	for (int k = 0; k < j->program.count; k++)
		bytes += j->program.steps[k].landing;
	ex_report_times(&record, timed, bytes);
	record.parts = (sw_list){timed->part, j->whole.program.steps};
	record.predicted = predicted(j, j->plan.model_cost);
	ex_report_samples(&report, "total", 0, timed);
	ex_result_write(j->result, &record);
}

/* Padding travels and is proved like all else: its bytes in the tiles at first and at last, over all ranks. */
static void count_padding(const sw_problem *problem, int64_t bytes[2])
{
	const sw_type *const ends[] = {&problem->from, &problem->to};
	for (int i = 0; i < 2; i++) {
		sw_padding_count count;
		sw_type_padding(&problem->mesh, ends[i], &count);
		bytes[i] = count.total * sw_dtype_bytes(problem->from.dtype);
	}
}

static void write_memory(job *j)
{
	ex_need need;
	ex_run_need(&j->run, &need);
	double most[3] = {(double)j->run.region_bytes, (double)need.buffers, (double)ex_memory_process()};
	int64_t padding[2];
	sw_record record;
	ex_team_reduce(j->team, most, 3, MPI_MAX);
	sw_record_start(SW_RECORD_MEMORY, &record);
	record.predicted_bytes = j->program.peak;
	record.tile_bytes = (int64_t)most[0];
	record.buffer_bytes = (int64_t)most[1];
	record.process_bytes = (int64_t)most[2];
	if (sw_type_padded(&j->plan.problem.from)) {
		count_padding(&j->plan.problem, padding);
		record.padding = (sw_list){padding, 2};
	}
	ex_result_write(j->result, &record);
}

/* The bytes of a value as one number in hexadecimal digits, the most significant first. */
static void value_text(const unsigned char *bytes, int64_t count, char text[40])
{
	strcpy(text, "0x");
	for (int64_t i = 0; i < count; i++)
		snprintf(text + 2 + 2 * i, 3, "%02x", bytes[count - 1 - i]);
}

static void write_check(job *j, bool right)
{
	char digest[24], expected[40], found[40];
	const ex_wrong *wrong = &j->wrong;
	int rank = j->plan.problem.from.rank;
	sw_record record;
	const sw_record_origin origin = {{wrong->origin, rank}, wrong->origin_device};
	const sw_record_wrong first = {.device = wrong->device,
		.position = {wrong->position, rank},
		.index = {wrong->index, rank},
		.expected = expected,
		.found = found,
		.belongs = wrong->belongs ? &origin : NULL,
		.belongs_known = wrong->asked};
	value_text(wrong->expected, j->program.element, expected);
	value_text(wrong->found, j->program.element, found);
	snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)j->digest);
	sw_record_start(SW_RECORD_CHECK, &record);
	record.verified = right;
	record.wrong = wrong->any ? &first : NULL;
	record.data_digest = digest;
	if (j->program.passing > 0 && ex_numbers_are_floats(j->plan.problem.from.dtype)) {
		record.largest_difference = j->error;
		record.difference_bound = j->bound;
	}
	ex_result_write(j->result, &record);
}

/* ---- timing ---- */

/* Steps that change their tiles. */
static bool time_row(job *j)
{
	enum { REPS = 9, REPS_THROTTLED = 3 };
	ex_report report = report_of(j);
	int count = j->whole.program.steps, asked = j->options->reps;
	int reps = asked >= 0 ? asked : j->rings.throttle.on ? REPS_THROTTLED : REPS;
	ex_timed *timed = SW_NEW(j->arena, ex_timed, count + 1);
	bool ok = timed && ex_timing_row(&j->run, j->outer, reps, j->arena, timed);
	if (!ok)
		ex_fault_set(&j->fault, EX_LACKS, "E01", "out of memory");
	if (!ex_agree(j->team, ok, &j->fault))
		return false;
	for (int k = 0; k < count; k++)
		write_step(j, k, &timed[k]);
	write_total(j, &timed[count]);
	return ex_report_written(&report, &j->fault);
}

static bool time_steps(job *j)
{
	ex_report report = report_of(j);
	ex_protocol protocol = {.warmup = j->options->warmup,
		.reps = j->options->reps,
		.reference = !j->options->no_reference};
	ex_timed timed;
	ex_choice *plain = SW_NEW(j->arena, ex_choice, j->program.count);
	if (!plain)
		ex_fault_set(&j->fault, EX_LACKS, "E01", "out of memory");
	if (!ex_agree(j->team, plain != NULL, &j->fault))
		return false;
	ex_timing_tune(&j->run, plain);
	for (int k = 0; k < j->program.count; k++) {
		sw_arena_mark mark = sw_arena_here(j->arena);
		bool alone = !j->options->total;
		if (alone && !ex_agree(j->team, ex_timing_take(&j->run, k, &protocol, j->arena, &timed), &j->fault))
			return false;
		write_step(j, k, alone ? &timed : NULL);
		sw_arena_back(j->arena, mark);
		if (!ex_report_written(&report, &j->fault))
			return false;
	}
	if (!ex_agree(j->team, ex_timing_take(&j->run, -1, &protocol, j->arena, &timed), &j->fault))
		return false;
	write_total(j, &timed);
	return ex_report_written(&report, &j->fault);
}

/* Runs, proves, times, and proves again what was timed. */
static bool execute(job *j, bool *right)
{
	ex_report report = report_of(j);
	*right = run_once(j, true);
	if (*right && j->options->reps != 0) {
		bool apart = j->program.passing == 0 && j->program.count == j->whole.program.steps;
		if (!(apart ? time_steps : time_row)(j))
			return false;
		*right = run_once(j, false);
		ex_report_machine(&report);
	} else {
		for (int k = 0; k < j->whole.program.steps; k++)
			write_step(j, k, NULL);
	}
	*right = *right && run_floats(j);
	write_memory(j);
	write_check(j, *right);
	if (!ex_report_written(&report, &j->fault))
		return false;
	ex_report_complete(&report, *right);
	return ex_report_written(&report, &j->fault);
}

static void print_text(sw_text *text, const int64_t *number, int count)
{
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "[", (long long)number[i]);
	sw_text_add(text, count ? "]" : "[]");
}

/* Of values that are still to be summed. */
static void report_terms(const job *j, const char *index, ex_fault *fault)
{
	const ex_wrong *wrong = &j->wrong;
	if (wrong->copy_of >= 0)
		ex_fault_set(fault, EX_NO, "P04", "term %lld of %lld of element %s on device %d is not that of device %d",
			(long long)wrong->term + 1, (long long)wrong->terms, index, wrong->device, wrong->copy_of);
	else
		ex_fault_set(fault, EX_NO, "P04",
			"the %lld terms of element %s do not add up, on device %d and those with it", (long long)wrong->terms,
			index, wrong->device);
	ex_fault_hint(fault, "`--check-steps` names the first step after which it is so");
}

static void report_inexact(const job *j)
{
	ex_fault fault;
	if (j->team->rank)
		return;
	ex_fault_set(&fault, EX_NO, "P04", "sums of floats are off by more than the order of adding explains");
	ex_fault_hint(&fault, "by up to %g, where it explains %g", j->error, j->bound);
	ex_fault_print(&fault, j->file);
}

static void report_wrong(const job *j)
{
	ex_fault fault;
	sw_text position = {0}, index = {0}, origin = {0};
	int rank = j->plan.problem.from.rank;
	if (j->team->rank)
		return;
	print_text(&position, j->wrong.position, rank);
	print_text(&index, j->wrong.index, rank);
	print_text(&origin, j->wrong.origin, rank);
	ex_fault_set(&fault, EX_NO, "P04",
		"element %s of the tile on device %d is wrong: element %s of the array belongs there", sw_text_get(&position),
		j->wrong.device, sw_text_get(&index));
	if (j->wrong.terms > 1)
		report_terms(j, sw_text_get(&index), &fault);
	else if (j->wrong.belongs)
		ex_fault_hint(&fault, "the value found belongs to element %s, which device %d held at first",
			sw_text_get(&origin), j->wrong.origin_device);
	else
		ex_fault_hint(&fault, "%s",
			j->wrong.asked ? "the value found belongs to no element of the array" :
							 "the element type is too narrow to tell where the value found belongs");
	ex_fault_print(&fault, j->file);
	sw_text_free(&position);
	sw_text_free(&index);
	sw_text_free(&origin);
}

static void close_job(job *j)
{
	ex_run_close(&j->run);
	ex_rings_close(&j->rings);
	if (j->team->rank == 0)
		sw_text_free(&j->text);
	sw_arena_free(j->arena);
}

int ex_job(ex_team *team, const ex_options *options, ex_result *result, const char *file)
{
	job j = {.team = team,
		.options = options,
		.result = result,
		.file = file,
		.name = file,
		.arena = sw_arena_new(),
		.run.share.file = -1,
		.rings.throttle.share.file = -1};
	bool right = false;
	int status;
	ex_report report;
	sw_record more;
	ex_watch_plan(file);
	ex_usage_take(&j.usage);
	bool ok = ex_agree(team, j.arena != NULL, &j.fault) && ex_read_share(team, file, j.arena, &j.text, &j.fault);
	if (ok && sw_program_is_file((sw_str){sw_text_get(&j.text), j.text.length})) {
		report = report_of(&j);
		status = ex_values_job(&report);
		close_job(&j);
		return status;
	}
	ok = ok && get_plan(&j);
	ok = ok && prepare(&j);
	if (ok) {
		report = report_of(&j);
		if (options->reps != 0)
			ex_probe_take(team, &j.probe);
		sw_record_start(SW_RECORD_START, &more);
		more.throttle = j.rings.throttle.on ? j.rings.throttle.factor : 0;
		ex_report_start(&report, j.run.transport, &j.probe, &more);
		ok = execute(&j, &right);
	}
	if (ok && !right)
		(j.wrong.any ? report_wrong : report_inexact)(&j);
	report = report_of(&j);
	status = ok ? right ? EX_DONE : EX_NO : ex_report_fault(&report, &j.fault);
	close_job(&j);
	return status;
}

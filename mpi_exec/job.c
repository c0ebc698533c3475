/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job: read, check, ask for memory, fill, run, prove, time, prove again.
 */
#define _GNU_SOURCE
#include "job.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/json.h>
#include <shardwalk/planned.h>

#include "memory.h"
#include "read.h"
#include "requests.h"
#include "room.h"
#include "sha256.h"
#include "watch.h"
#include "work.h"

/* ---- before anything is allocated ---- */

static bool read_work(ex_work *work)
{
	bool ok = work->kind->read(work);
	return ex_agree(work->team, ok, &work->fault) &&
		ex_read_ranks(work->team, work->program->mesh.devices, work->kind->what, &work->fault);
}

static bool has_memory(ex_work *work)
{
	ex_team *team = work->team;
	const char *smaller = work->kind->smaller;
	if (!ex_memory_suffices(team, &work->need, work->options->memory, &work->fault))
		return smaller ? ex_fault_hint(&work->fault, "%s", smaller) : false;
	return ex_room_allow_run(team, &work->need, work->messages, &work->fault);
}

/* Which transport was chosen; false where it cannot be had. */
static bool choose_transport(ex_work *work)
{
	const ex_options *o = work->options;
	bool messages = o->transport == EX_MESSAGES || ex_options_calls(o, work->name) != EX_NO_CALLS,
		 can = work->team->flags != NULL;
	work->transport = messages || !can ? EX_MESSAGES : EX_SHARED;
	if (messages || can || o->transport != EX_SHARED)
		return true;
	work->fault = work->team->no_flags;
	return false;
}

static bool prepare(ex_work *work)
{
	ex_watch_plan(work->name);
	if (!choose_transport(work))
		return false;
	bool ok = work->kind->lay_out(work);
	return ex_agree(work->team, ok, &work->fault) && has_memory(work) && work->kind->open(work);
}

/* ---- faults on purpose, for tests ---- */

static void hang(void)
{
	for (;;)
		pause();
}

static void fault_on_purpose(const ex_work *work, int step)
{
	const ex_options *o = work->options;
	if (o->fault_rank != work->team->rank || o->fault_step != step)
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

static void spoil(const ex_work *work)
{
	const ex_options *o = work->options;
	int rank = work->team->rank;
	char *tile = work->memory->region + work->returned.at;
	const sw_type *type = work->returned.type;
	int64_t size = sw_dtype_bytes(type->dtype), bytes = size * work->returned.elements;
	if (o->flip_rank == rank && o->flip_byte >= 0 && o->flip_byte < bytes)
		tile[o->flip_byte] ^= 0x10;
	if (o->swap_rank == rank && o->swap_a >= 0 && o->swap_b >= 0 && (o->swap_a + 1) * size <= bytes &&
		(o->swap_b + 1) * size <= bytes) {
		char keep[16];
		memcpy(keep, tile + o->swap_a * size, (size_t)size);
		memcpy(tile + o->swap_a * size, tile + o->swap_b * size, (size_t)size);
		memcpy(tile + o->swap_b * size, keep, (size_t)size);
	}
}

/* ---- running and proving ---- */

static void await_all(ex_work *work)
{
	ex_watch_step(0, SW_DYNSLICE);
	ex_team_barrier(work->team);
}

static void perform(ex_work *work, int part)
{
	int step = ex_work_step(work, part);
	ex_watch_step(step + 1, work->program->step[step].op);
	fault_on_purpose(work, step + 1);
	work->kind->perform(work, part);
}

/* What the lowest rank has found is everybody's. */
static bool agree(ex_work *work, bool right)
{
	ex_team *team = work->team;
	double first = right ? team->ranks : team->rank;
	ex_team_reduce(team, &first, 1, MPI_MIN);
	if ((int)first == team->ranks)
		return true;
	ex_bcast(team->world, &work->wrong, sizeof(work->wrong), (int)first);
	return false;
}

/* No rank waits for the others where nothing is compared: the steps have to get along without. */
static bool is_right(ex_work *work, int value, bool spoiled)
{
	if (work->kind->proves && !work->kind->proves(work, value))
		return true;
	await_all(work);
	if (spoiled && value == work->made)
		spoil(work);
	bool right = work->kind->prove(work, value);
	work->wrong.value = value;
	return agree(work, right);
}

/* Parts from one to another of a round. */
static bool run_parts(ex_work *work, int64_t round, int from, int to, bool spoiled)
{
	bool right = true;
	work->round = round;
	for (int part = from; right && part < to; part++) {
		if (!ex_work_does(work, part))
			continue;
		perform(work, part);
		right = is_right(work, work->inputs + part, spoiled);
	}
	return right;
}

/* Where a round ends, and what it brings is the first input. */
static void begin_again(ex_work *work)
{
	work->kind->again(work);
	await_all(work);
	work->kind->prove_again(work);
	await_all(work);
}

/* Values are compared where they are made, since their memory is another's later. */
static bool run_once(ex_work *work, bool spoiled)
{
	bool right = true;
	work->kind->fill(work);
	await_all(work);
	for (int value = 0; right && value < work->inputs; value++)
		right = is_right(work, value, spoiled);
	bool again = false;
	for (int64_t round = 0; right && (round == 0 || round < work->rounds); round++) {
		again = sw_program_goes_on(work->program, round);
		right = run_parts(work, round, 0, work->loop, spoiled && !again);
		if (right && again)
			begin_again(work);
	}
	return right && run_parts(work, 0, work->loop, work->parts, spoiled);
}

/* ---- records ---- */

static void write_record(ex_work *work, sw_record *record)
{
	if (work->kind->add[record->kind])
		work->kind->add[record->kind](work, record);
	ex_result_write(work->result, record);
}

/* The processors that every rank may use, as one text where all are alike. */
static sw_list binding(ex_team *team, sw_arena *arena)
{
	enum { TEXT = 64 };
	char mine[TEXT] = "", *all = SW_NEW(arena, char, TEXT * team->ranks);
	const char **texts = SW_NEW(arena, const char *, team->ranks);
	cpu_set_t set;
	if (!all || !texts)
		return (sw_list){NULL, 0};
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		for (int cpu = 0, used = 0; cpu < CPU_SETSIZE && used < TEXT - 8; cpu++)
			if (CPU_ISSET(cpu, &set))
				used += snprintf(mine + used, (size_t)(TEXT - used), "%s%d", used ? "," : "", cpu);
	ex_allgather(team->world, mine, TEXT, all);
	bool alike = true;
	for (int i = 0; i < team->ranks; i++) {
		texts[i] = all + i * TEXT;
		alike = alike && strcmp(texts[0], texts[i]) == 0;
	}
	return (sw_list){texts, alike ? 1 : team->ranks};
}

/* Nothing takes no time: 0 is what was not measured. */
static sw_probe measured(const ex_probe *probe)
{
	return (sw_probe){probe->hop > 0 ? probe->hop : NAN, probe->bandwidth > 0 ? probe->bandwidth : NAN};
}

static void write_start(ex_work *work)
{
	ex_team *team = work->team;
	char digest[65], host[64] = "", library[MPI_MAX_LIBRARY_VERSION_STRING];
	const sw_probe probe = measured(&work->probe);
	sw_record record;
	sw_record_start(SW_RECORD_START, &record);
	record.binding = binding(team, work->arena);
	ex_sha256(sw_text_get(work->text), work->text->length, digest);
	gethostname(host, sizeof(host) - 1);
	ex_mpi_library(library);
	record.plan = work->name;
	record.file = work->file;
	record.digest = digest;
	record.program = sw_written_by();
	record.host = host;
	record.hosts = team->hosts;
	record.cores = team->cores;
	record.ranks = team->ranks;
	record.mpi = library;
	record.yield = team->yields;
	record.transport = ex_transport_name(work->transport);
	record.collectives = ex_options_calls(work->options, work->name) != EX_NO_CALLS;
	record.reps = work->options->reps;
	record.warmup = work->options->warmup;
	record.launch = work->options->launch;
	record.vectors = ex_copy_kind();
	record.probe = &probe;
	write_record(work, &record);
}

/* Times into a record, and all of them into the samples. */
static void add_times(sw_record *record, const ex_timed *timed, int64_t bytes)
{
	bool beside = timed->reference_sample != NULL;
	record->exchange = timed->exchange_sample ? &timed->exchange : NULL;
	record->seconds = &timed->step;
	record->bytes = bytes;
	record->reps = timed->reps;
	record->course = (sw_list){timed->course, timed->courses};
	if (!beside)
		return;
	record->reference = &timed->reference;
	record->reference_store = timed->reference_store == EX_STREAM ? "stream" : "plain";
	record->share = timed->step.median > 0 ? timed->reference.median / timed->step.median : 0;
}

static void write_samples(ex_work *work, const char *what, int step, const ex_timed *timed)
{
	char reference[32];
	snprintf(reference, sizeof(reference), "%s_reference", what);
	for (int i = 0; i < timed->reps; i++)
		ex_result_sample(work->result, work->name, what, step, i, timed->step_sample[i]);
	for (int i = 0; i < timed->reps && timed->reference_sample; i++)
		ex_result_sample(work->result, work->name, reference, step, i, timed->reference_sample[i]);
	for (int i = 0; i < timed->reps && timed->exchange_sample; i++)
		ex_result_sample(work->result, work->name, "exchange", step, i, timed->exchange_sample[i]);
}

static void write_step(ex_work *work, int s, const ex_timed *timed)
{
	sw_record record;
	sw_record_start(SW_RECORD_STEP, &record);
	record.step = s + 1;
	record.op = sw_op_name(work->program->step[s].op);
	record.predicted = work->kind->predicted(work, s);
	if (timed) {
		add_times(&record, timed, work->kind->landing(work, s));
		write_samples(work, "step", s + 1, timed);
	}
	work->kind->describe(work, s, timed, &record);
	write_record(work, &record);
}

static void write_total(ex_work *work, const ex_timed *timed)
{
	int64_t bytes = 0;
	int steps = work->program->steps;
	sw_record record;
	sw_record_start(SW_RECORD_TOTAL, &record);
	for (int s = 0; s < steps; s++)
		bytes += work->kind->landing(work, s);
	add_times(&record, timed, bytes);
	record.parts = (sw_list){timed->part, steps};
	record.predicted = work->kind->predicted(work, steps);
	write_samples(work, "total", 0, timed);
	write_record(work, &record);
}

static void write_machine(ex_work *work)
{
	ex_probe taken;
	ex_usage now;
	sw_record record;
	ex_usage_take(&now);
	sw_record_start(SW_RECORD_MACHINE, &record);
	record.others = ex_usage_of_others(work->team, &work->usage, &now);
	record.busy = record.others > 0.05;
	ex_probe_take(work->team, &taken);
	const sw_probe probe = measured(&taken);
	record.probe = &probe;
	write_record(work, &record);
}

static void write_memory(ex_work *work)
{
	double most[3] = {(double)work->memory->region_bytes, (double)work->need.buffers, (double)ex_memory_process()};
	sw_record record;
	ex_team_reduce(work->team, most, 3, MPI_MAX);
	sw_record_start(SW_RECORD_MEMORY, &record);
	record.predicted_bytes = work->memory->program->peak + (int64_t)most[1];
	record.tile_bytes = (int64_t)most[0];
	record.buffer_bytes = (int64_t)most[1];
	record.process_bytes = (int64_t)most[2];
	write_record(work, &record);
}

static void write_check(ex_work *work, bool right)
{
	const ex_wrong *wrong = &work->wrong;
	char expected[40], found[40];
	sw_record record;
	sw_record_start(SW_RECORD_CHECK, &record);
	record.verified = right;
	const sw_record_origin origin = {{wrong->origin, wrong->dims}, wrong->origin_device};
	const sw_record_wrong first = {.device = wrong->device,
		.position = {wrong->position, wrong->dims},
		.index = {wrong->index, wrong->dims},
		.expected = expected,
		.found = found,
		.belongs = wrong->belongs ? &origin : NULL,
		.belongs_known = wrong->asked};
	if (wrong->any) {
		work->kind->element(wrong, wrong->expected, expected);
		work->kind->element(wrong, wrong->found, found);
		record.wrong = &first;
	}
	write_record(work, &record);
}

static void write_complete(ex_work *work, bool right)
{
	sw_record record;
	sw_record_start(SW_RECORD_COMPLETE, &record);
	record.status = right ? 0 : 1;
	write_record(work, &record);
}

/* Did the records get out?  Asked after every one, so that a full disk ends the run and not the patience. */
static bool is_written(ex_work *work)
{
	ex_result_flush_samples(work->result);
	if (work->result->failed)
		work->fault = work->result->fault;
	return ex_agree(work->team, !work->result->failed, &work->fault);
}

/* ---- the whole ---- */

static void write_timed(ex_work *work, int s, const ex_timed *timed)
{
	if (s < work->program->steps)
		write_step(work, s, timed);
	else
		write_total(work, timed);
}

/* Every step and then all of them; each is written as soon as it is known. */
static bool time_steps(ex_work *work)
{
	int steps = work->program->steps;
	bool ok = work->kind->tune(work);
	for (int s = 0; ok && s <= steps; s++) {
		const ex_timed *timed = NULL;
		sw_arena_mark mark = sw_arena_here(work->arena);
		ok = work->kind->take(work, s, &timed);
		if (ok)
			write_timed(work, s, timed);
		sw_arena_back(work->arena, mark);
		ok = ok && is_written(work);
	}
	return ok;
}

static bool write_untimed(ex_work *work)
{
	for (int s = 0; s < work->program->steps; s++)
		write_step(work, s, NULL);
	return is_written(work);
}

/* Runs, proves, times, and proves again what was timed. */
static bool execute(ex_work *work, bool *right)
{
	*right = run_once(work, true);
	if (*right && work->options->reps != 0) {
		if (!time_steps(work))
			return false;
		*right = run_once(work, false);
		write_machine(work);
	} else if (!write_untimed(work)) {
		return false;
	}
	*right = *right && (!work->kind->prove_last || work->kind->prove_last(work));
	write_memory(work);
	write_check(work, *right);
	if (!is_written(work))
		return false;
	write_complete(work, *right);
	return is_written(work);
}

static int tell_fault(ex_work *work)
{
	if (work->team->rank == 0) {
		ex_fault_print(&work->fault, work->file);
		ex_result_error(work->result, work->name, &work->fault);
	}
	return work->fault.status;
}

static bool get_text(ex_work *work, sw_text *text)
{
	if (!ex_agree(work->team, work->arena || ex_work_no_memory(work), &work->fault) ||
		!ex_read_share(work->team, work->file, work->arena, text, &work->fault))
		return false;
	bool program = sw_program_is_file((sw_str){sw_text_get(text), text->length});
	work->kind = program ? &ex_work_values : &ex_work_chain;
	return true;
}

static bool run(ex_work *work, bool *right)
{
	if (!read_work(work) || !prepare(work))
		return false;
	if (work->options->reps != 0) {
		ex_probe_take(work->team, &work->probe);
		if (work->kind->measure)
			work->kind->measure(work);
	}
	write_start(work);
	return execute(work, right);
}

int ex_job(ex_team *team, const ex_options *options, ex_result *result, const char *file)
{
	sw_text text = {0};
	ex_work work = {.team = team,
		.options = options,
		.result = result,
		.file = file,
		.name = file,
		.arena = sw_arena_new(),
		.text = &text};
	bool right = false;
	ex_watch_plan(file);
	ex_usage_take(&work.usage);
	bool ok = get_text(&work, &text) && run(&work, &right);
	if (ok && !right && team->rank == 0)
		work.kind->report(&work);
	int status = ok ? right ? EX_DONE : EX_NO : tell_fault(&work);
	if (work.own)
		work.kind->close(&work);
	if (team->rank == 0)
		sw_text_free(&text);
	sw_arena_free(work.arena);
	return status;
}

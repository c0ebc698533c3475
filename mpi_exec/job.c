/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One plan: read, check, ask for memory, fill, run, prove, time, prove again.
 */
#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/uneven.h>

#include "memory.h"
#include "requests.h"
#include "room.h"
#include "sha256.h"
#include "timing.h"
#include "watch.h"

enum { LONGEST_PLAN = 1 << 30 };

typedef struct job {
	ex_team *team;
	const ex_options *options;
	ex_result *result;
	const char *file, *name;
	sw_arena *arena;
	sw_text text;
	sw_plan plan;
	ex_program program;
	ex_run run;
	ex_probe probe;
	ex_usage usage;
	ex_wrong wrong;
	uint64_t digest;
	ex_fault fault;
} job;

/* ---- the plan ---- */

bool ex_job_read_plan(const char *file, sw_text *text, ex_fault *fault)
{
	char block[1 << 16];
	FILE *in = fopen(file, "re");
	size_t n;
	while (in && text->length < LONGEST_PLAN && (n = fread(block, 1, sizeof(block), in)) > 0)
		sw_text_add_str(text, (sw_str){block, n});
	int error = errno;
	bool right = in && !ferror(in) && !text->failed;
	if (in)
		fclose(in);
	if (!right) {
		ex_fault_set(fault, EX_NO, "B01", "cannot read the plan: %s", strerror(error));
		return ex_fault_hint(fault, "write one with: shardwalk plan ... --json --maps > FILE");
	}
	return text->length < LONGEST_PLAN || ex_fault_set(fault, EX_NO, "B01", "the plan is longer than 1 GiB");
}

bool ex_job_parse_plan(const sw_text *text, bool prove, sw_arena *arena, sw_plan *plan, ex_fault *fault)
{
	sw_diag diag = {0};
	if (!sw_plan_read((sw_str){sw_text_get(text), text->length}, arena, plan, &diag) ||
		(prove && !sw_plan_check(plan, &diag)) || !sw_plan_on_devices(plan, arena, &diag))
		return ex_fault_of(fault, &diag);
	return true;
}

/* Rank 0 reads, so that the other hosts need not have the file. */
static bool get_plan(job *j)
{
	int64_t length = 0;
	bool ok = true;
	if (j->team->rank == 0)
		ok = ex_job_read_plan(j->file, &j->text, &j->fault);
	if (!ex_agree(j->team, ok, &j->fault))
		return false;
	length = (int64_t)j->text.length;
	ex_bcast(j->team->world, &length, sizeof(length), 0);
	if (j->team->rank) {
		char *room = sw_arena_alloc(j->arena, (size_t)length + 1, 1);
		if (room)
			j->text = (sw_text){.data = room, .length = (size_t)length, .capacity = (size_t)length};
		ok = room != NULL;
	}
	if (!ex_agree(j->team, ok, &j->fault))
		return false;
	ex_bcast(j->team->world, j->text.data, (int)length, 0);
	ok = ex_job_parse_plan(&j->text, j->team->rank == 0, j->arena, &j->plan, &j->fault);
	return ex_agree(j->team, ok, &j->fault);
}

static bool ranks_fit(job *j)
{
	long long devices = (long long)j->plan.problem.mesh.devices;
	if (devices == j->team->ranks)
		return true;
	ex_fault_set(&j->fault, EX_NO, "P03", "the plan is for %lld devices, and %d rank%s run", devices, j->team->ranks,
		j->team->ranks == 1 ? "" : "s");
	return ex_fault_hint(&j->fault, "start it with mpiexec -n %lld", devices);
}

static bool choose_transport(job *j, ex_transport *transport)
{
	*transport = j->options->transport == EX_MESSAGES || j->options->collectives ? EX_MESSAGES : EX_SHARED;
	if (*transport == EX_SHARED && !j->team->flags) {
		*transport = EX_MESSAGES;
		if (j->options->transport == EX_SHARED) {
			j->fault = j->team->no_flags;
			return false;
		}
	}
	return true;
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

static bool prepare(job *j)
{
	ex_transport transport;
	ex_need need;
	if (!get_plan(j) || !ranks_fit(j) || !choose_transport(j, &transport))
		return false;
	j->name = j->plan.name ? j->plan.name : j->file;
	ex_watch_plan(j->name);
	bool ok = ex_program_make(&j->plan, j->team->rank, j->arena, &j->program, &j->fault) &&
		ex_run_lay_out(&j->run, j->team, &j->program, transport, j->options->collectives, j->arena, &j->fault);
	if (!ex_agree(j->team, ok, &j->fault))
		return false;
	ex_run_need(&j->run, &need);
	return ex_memory_suffices(j->team, &need, j->options->memory, &j->fault) && space_suffices(j, &need) &&
		ex_run_open(&j->run, &j->fault);
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
		ex_watch_step(k + 1, j->plan.steps[k].op);
		fault_on_purpose(j, k + 1);
		ex_run_step(&j->run, k);
		if (j->options->check_steps && !check(j, k + 1))
			return false;
	}
	await_all(j);
	if (spoiled)
		spoil(j);
	return check(j, j->program.count);
}

/* ---- records ---- */

static json_t *seconds_of(const ex_spread *s)
{
	return json_pack("{sf sf sf sf}", "median", s->median, "p10", s->p10, "p90", s->p90, "max", s->max);
}

/* The processors that every rank may use, as one text where all are alike. */
static json_t *binding(ex_team *team, sw_arena *arena)
{
	enum { TEXT = 64 };
	char mine[TEXT] = "", *all = SW_NEW(arena, char, TEXT * team->ranks);
	cpu_set_t set;
	if (!all)
		return json_null();
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		for (int cpu = 0, used = 0; cpu < CPU_SETSIZE && used < TEXT - 8; cpu++)
			if (CPU_ISSET(cpu, &set))
				used += snprintf(mine + used, (size_t)(TEXT - used), "%s%d", used ? "," : "", cpu);
	ex_allgather(team->world, mine, TEXT, all);
	json_t *list = json_array();
	bool alike = true;
	for (int i = 0; i < team->ranks; i++) {
		alike = alike && strcmp(all, all + i * TEXT) == 0;
		json_array_append_new(list, json_string(all + i * TEXT));
	}
	if (!alike)
		return list;
	json_decref(list);
	return json_string(all);
}

/* Nothing takes no time: 0 is what was not measured. */
static json_t *measured(double value)
{
	return value > 0 ? json_real(value) : json_null();
}

static json_t *probe_record(const ex_probe *probe)
{
	return json_pack("{so so}", "hop_seconds", measured(probe->hop), "stream_bytes_per_second",
		measured(probe->bandwidth));
}

static void write_start(job *j)
{
	ex_team *team = j->team;
	char digest[65], host[64] = "", library[MPI_MAX_LIBRARY_VERSION_STRING];
	json_t *bound = binding(team, j->arena);
	ex_sha256(sw_text_get(&j->text), j->text.length, digest);
	gethostname(host, sizeof(host) - 1);
	ex_mpi_library(library);
	json_t *record = json_pack("{ss ss ss ss ss ss si si si ss sb}", "schema", "shardwalk.run/1", "record", "start",
		"plan", j->name, "file", j->file, "plan_sha256", digest, "host", host, "hosts", team->hosts, "cores",
		team->cores, "ranks", team->ranks, "mpi", library, "yield", team->yields);
	json_t *more = json_pack("{ss sb si si si ss so so}", "transport", ex_transport_name(j->run.transport),
		"collectives", j->options->collectives, "reps", j->options->reps, "warmup", j->options->warmup, "launch",
		j->options->launch, "vectors", ex_copy_kind(), "binding", bound, "probe", probe_record(&j->probe));
	if (record && more)
		json_object_update(record, more);
	json_decref(more);
	ex_result_write(j->result, record);
}

static void add_times(json_t *record, const ex_timed *timed, int64_t bytes)
{
	bool beside = timed->reference_sample != NULL;
	const char *store = timed->reference_store == EX_STREAM ? "stream" : "plain";
	double share = timed->step.median > 0 ? timed->reference.median / timed->step.median : 0;
	json_t *more = json_pack("{so so ss? so sI si}", "seconds", seconds_of(&timed->step), "reference_seconds",
		beside ? seconds_of(&timed->reference) : json_null(), "reference_store", beside ? store : NULL, "share",
		beside ? json_real(share) : json_null(), "bytes", (json_int_t)bytes, "reps", timed->reps);
	if (record && more)
		json_object_update(record, more);
	json_decref(more);
}

/* Bandwidth per rank as benchmarks of collectives give it: of what lands, and of what crosses between ranks. */
static void add_bandwidth(json_t *record, const job *j, int k, const ex_timed *timed)
{
	const ex_step *step = &j->program.steps[k];
	double landing = (double)step->after / timed->step.median, group = (double)step->step->group_size;
	double crossing = group > 1 ? (group - 1) / group : sw_collective_of(step->step->op)->local ? 0 : 1;
	if (record && timed->step.median > 0) {
		json_object_set_new(record, "algorithm_bandwidth", json_real(landing));
		json_object_set_new(record, "bus_bandwidth", json_real(landing * crossing));
	}
}

static void write_samples(job *j, const char *what, int step, const ex_timed *timed)
{
	char reference[32];
	snprintf(reference, sizeof(reference), "%s_reference", what);
	for (int i = 0; i < timed->reps; i++)
		ex_result_sample(j->result, j->name, what, step, i, timed->step_sample[i]);
	for (int i = 0; i < timed->reps && timed->reference_sample; i++)
		ex_result_sample(j->result, j->name, reference, step, i, timed->reference_sample[i]);
}

/* What the plan's model says, where it speaks of seconds. */
static json_t *predicted(const sw_plan *plan, double seconds)
{
	return strcmp(sw_model_unit(plan->model), "s") == 0 ? json_real(seconds) : json_null();
}

static void write_step(job *j, int k, const ex_timed *timed)
{
	const ex_choice *choice = &j->run.choice[k];
	bool shared = j->run.transport == EX_SHARED;
	json_t *record = json_pack("{ss si ss ss ss? ss?}", "record", "step", "step", k + 1, "op",
		sw_collective_of(j->program.steps[k].step->op)->name, "transport", ex_transport_name(j->run.transport),
		"direction", shared ? choice->push ? "push" : "pull" : NULL, "store",
		shared ? choice->store == EX_STREAM ? "stream" : "plain" : NULL);
	if (record && shared)
		json_object_set_new(record, "block", json_integer(choice->block));
	if (record && timed) {
		add_times(record, timed, j->program.steps[k].landing);
		add_bandwidth(record, j, k, timed);
		write_samples(j, "step", k + 1, timed);
	}
	if (record)
		json_object_set_new(record, "predicted_seconds", predicted(&j->plan, j->plan.steps[k].model_cost));
	ex_result_write(j->result, record);
}

static json_t *numbers(const double *number, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		json_array_append_new(list, json_real(number[i]));
	return list;
}

static void write_total(job *j, const ex_timed *timed)
{
	json_t *record = json_pack("{ss}", "record", "total");
	int64_t bytes = 0;
	for (int k = 0; k < j->program.count; k++)
		bytes += j->program.steps[k].landing;
	add_times(record, timed, bytes);
	if (record)
		json_object_set_new(record, "step_seconds", numbers(timed->part, j->program.count));
	write_samples(j, "total", 0, timed);
	if (record)
		json_object_set_new(record, "predicted_seconds", predicted(&j->plan, j->plan.model_cost));
	ex_result_write(j->result, record);
}

/* Padding travels and is proved like all else: its bytes in the tiles at first and at last, over all ranks. */
static json_t *padding_record(const sw_problem *problem)
{
	const sw_type *const ends[] = {&problem->from, &problem->to};
	json_t *list = json_array();
	for (int i = 0; i < 2; i++) {
		sw_padding_count count;
		sw_type_padding(&problem->mesh, ends[i], &count);
		json_array_append_new(list, json_integer((json_int_t)(count.total * sw_dtype_bytes(problem->from.dtype))));
	}
	return list;
}

static void write_memory(job *j)
{
	double most[3] = {(double)j->run.region_bytes, (double)j->run.staging_bytes, (double)ex_memory_process()};
	ex_team_reduce(j->team, most, 3, MPI_MAX);
	json_t *record = json_pack("{ss sI sI sI sI}", "record", "memory", "predicted_bytes",
		(json_int_t)(j->plan.live_peak * j->program.element), "tile_bytes", (json_int_t)most[0], "buffer_bytes",
		(json_int_t)most[1], "process_bytes", (json_int_t)most[2]);
	if (record && sw_type_padded(&j->plan.problem.from))
		json_object_set_new(record, "padding_bytes", padding_record(&j->plan.problem));
	ex_result_write(j->result, record);
}

static void write_machine(job *j)
{
	ex_probe probe;
	ex_usage now;
	ex_usage_take(&now);
	double others = ex_usage_of_others(j->team, &j->usage, &now);
	ex_probe_take(j->team, &probe);
	ex_result_write(j->result,
		json_pack("{ss so sf sb}", "record", "machine", "probe", probe_record(&probe), "others_share", others, "busy",
			others > 0.05));
}

static void write_check(job *j, bool right)
{
	char digest[24];
	snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)j->digest);
	ex_result_write(j->result,
		json_pack("{ss sb so ss}", "record", "check", "verified", right, "first_wrong",
			ex_result_wrong(&j->wrong, j->plan.problem.from.rank, j->program.element), "digest", digest));
}

/* Did the records get out?  Asked after every one, so that a full disk ends the run and not the patience. */
static bool written(job *j)
{
	ex_result_flush_samples(j->result);
	if (j->result->failed)
		j->fault = j->result->fault;
	return ex_agree(j->team, !j->result->failed, &j->fault);
}

/* ---- timing ---- */

static bool time_steps(job *j)
{
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
		if (!written(j))
			return false;
	}
	if (!ex_agree(j->team, ex_timing_take(&j->run, -1, &protocol, j->arena, &timed), &j->fault))
		return false;
	write_total(j, &timed);
	return written(j);
}

/* Runs, proves, times, and proves again what was timed. */
static bool execute(job *j, bool *right)
{
	*right = run_once(j, true);
	if (*right && j->options->reps != 0) {
		if (!time_steps(j))
			return false;
		*right = run_once(j, false);
		write_machine(j);
	} else {
		for (int k = 0; k < j->program.count; k++)
			write_step(j, k, NULL);
	}
	write_memory(j);
	write_check(j, *right);
	if (!written(j))
		return false;
	ex_result_write(j->result, json_pack("{ss sI}", "record", "complete", "status", (json_int_t)(*right ? 0 : 1)));
	return written(j);
}

static int report(job *j)
{
	if (j->team->rank == 0) {
		ex_fault_print(&j->fault, j->file);
		ex_result_error(j->result, j->name, &j->fault);
	}
	return j->fault.status;
}

static void print_text(sw_text *text, const int64_t *number, int count)
{
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "[", (long long)number[i]);
	sw_text_add(text, count ? "]" : "[]");
}

static void report_wrong(const job *j)
{
	ex_fault fault;
	sw_text place = {0}, index = {0}, origin = {0};
	int rank = j->plan.problem.from.rank;
	if (j->team->rank)
		return;
	print_text(&place, j->wrong.place, rank);
	print_text(&index, j->wrong.index, rank);
	print_text(&origin, j->wrong.origin, rank);
	ex_fault_set(&fault, EX_NO, "P04",
		"element %s of the tile on device %d is wrong: element %s of the array belongs there", sw_text_get(&place),
		j->wrong.device, sw_text_get(&index));
	if (j->wrong.belongs)
		ex_fault_hint(&fault, "the value found belongs to element %s, which device %d held at first",
			sw_text_get(&origin), j->wrong.origin_device);
	else
		ex_fault_hint(&fault, "%s",
			j->wrong.asked ? "the value found belongs to no element of the array" :
							 "the element type is too narrow to tell where the value found belongs");
	ex_fault_print(&fault, j->file);
	sw_text_free(&place);
	sw_text_free(&index);
	sw_text_free(&origin);
}

int ex_job(ex_team *team, const ex_options *options, ex_result *result, const char *file)
{
	job j = {.team = team,
		.options = options,
		.result = result,
		.file = file,
		.name = file,
		.arena = sw_arena_new(),
		.run.share.file = -1};
	bool right = false;
	int status;
	ex_watch_plan(file);
	ex_usage_take(&j.usage);
	bool ok = ex_agree(team, j.arena != NULL, &j.fault) && prepare(&j);
	if (ok) {
		if (options->reps != 0)
			ex_probe_take(team, &j.probe);
		write_start(&j);
		ok = execute(&j, &right);
	}
	if (ok && !right)
		report_wrong(&j);
	status = ok ? right ? EX_DONE : EX_NO : report(&j);
	ex_run_close(&j.run);
	if (team->rank == 0)
		sw_text_free(&j.text);
	sw_arena_free(j.arena);
	return status;
}

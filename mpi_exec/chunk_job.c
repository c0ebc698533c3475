/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reduction program: run, prove, time, prove again, and once more on data whose sum depends on the order of adding.
 */
#define _GNU_SOURCE
#include "chunk_job.h"

#include <math.h>

#include "chunks.h"
#include "memory.h"
#include "room.h"
#include "watch.h"

enum { REPS = 9, REPS_THROTTLED = 3 };

typedef struct job {
	ex_report *report;
	const sw_plan *plan;
	ex_chunks chunks;
	double error, bound;
	int64_t wrong; /* element of this rank's tile; -1: none */
	ex_fault fault;
} job;

/* ---- ready to run ---- */

static bool prepare(job *j)
{
	ex_team *team = j->report->team;
	ex_need need = {.tiles = ex_chunks_bytes(j->plan)};
	if (!ex_memory_suffices(team, &need, j->report->options->memory, &j->fault) ||
		!ex_room_allow_run(team, &need, NULL, &j->fault))
		return false;
	bool ok = ex_chunks_open(&j->chunks, team, j->plan, j->report->arena, &j->fault);
	if (!ex_agree(team, ok, &j->fault))
		return false;
	return !j->report->options->throttle || ex_throttle_open(&j->chunks.throttle, j->plan->machine, &j->fault);
}

/* ---- running and proving ---- */

/* All steps one after another, each between barriers; the seconds of each. */
static void run_steps(job *j, double *seconds)
{
	for (int k = 0; k < j->plan->count; k++) {
		ex_team_barrier(j->report->team);
		double begin = MPI_Wtime();
		ex_chunks_step(&j->chunks, k);
		ex_team_barrier(j->report->team);
		seconds[k] = MPI_Wtime() - begin;
	}
}

static bool is_right(job *j, ex_numbers numbers)
{
	ex_team *team = j->report->team;
	j->wrong = ex_chunks_check(&j->chunks, numbers, &j->error, &j->bound);
	double most[3] = {j->error, j->bound, j->wrong >= 0};
	ex_team_reduce(team, most, 3, MPI_MAX);
	j->error = most[0];
	j->bound = most[1];
	return !(most[2] > 0);
}

static void spoil(job *j)
{
	const ex_options *o = j->report->options;
	if (o->flip_rank == j->report->team->rank && o->flip_byte >= 0 &&
		o->flip_byte < j->chunks.count * j->chunks.element)
		j->chunks.tile[o->flip_byte] ^= 0x10;
}

static bool run_once(job *j, ex_numbers numbers, double *seconds)
{
	ex_chunks_fill(&j->chunks, numbers);
	run_steps(j, seconds);
	spoil(j);
	return is_right(j, numbers);
}

static bool is_float(const sw_plan *plan)
{
	sw_dtype dtype = plan->problem.from.dtype;
	return dtype == SW_F16 || dtype == SW_BF16 || dtype == SW_F32 || dtype == SW_F64;
}

/* ---- records ---- */

/* Rates of the system are those of the model; simulated links are slower by the factor. */
static double predicted(const job *j, double seconds)
{
	return j->chunks.throttle.on ? seconds / j->chunks.throttle.factor : NAN;
}

/* Of step k, or of all for k = count, in every repetition. */
static sw_spread spread_of(const job *j, int k, const double *samples, int reps, double *scratch)
{
	int count = j->plan->count;
	for (int r = 0; r < reps; r++) {
		scratch[r] = 0;
		for (int i = k == count ? 0 : k; i < (k == count ? count : k + 1); i++)
			scratch[r] += samples[r * count + i];
	}
	return ex_spread_of(scratch, reps);
}

static void write_times(job *j, const double *samples, int reps, double *scratch)
{
	double *parts = scratch + reps;
	int64_t bytes = 0;
	sw_record record;
	for (int k = 0; k <= j->plan->count; k++) {
		bool total = k == j->plan->count;
		sw_spread spread = {0};
		sw_record_start(total ? SW_RECORD_TOTAL : SW_RECORD_STEP, &record);
		if (reps > 0) {
			spread = spread_of(j, k, samples, reps, scratch);
			record.seconds = &spread;
		}
		record.reps = reps;
		record.transport = ex_transport_name(EX_MESSAGES);
		record.predicted = predicted(j, total ? j->plan->model_cost : j->plan->steps[k].model_cost);
		if (total) {
			record.bytes = bytes;
			record.parts = (sw_list){parts, reps > 0 ? j->plan->count : 0};
		} else {
			record.bytes = ex_chunks_landing(&j->chunks, k);
			bytes += record.bytes;
			record.step = k + 1;
			record.op = sw_collective_of(j->plan->steps[k].op)->name;
			parts[k] = spread.median;
		}
		ex_result_write(j->report->result, &record);
	}
}

static void write_check(job *j, bool right)
{
	sw_record record;
	sw_record_start(SW_RECORD_MEMORY, &record);
	record.tile_bytes = j->chunks.count * j->chunks.element;
	record.predicted_bytes = record.tile_bytes;
	record.buffer_bytes = 2 * record.tile_bytes;
	record.process_bytes = ex_memory_process();
	ex_result_write(j->report->result, &record);
	sw_record_start(SW_RECORD_CHECK, &record);
	record.verified = right;
	if (is_float(j->plan)) {
		record.largest_difference = j->error;
		record.difference_bound = j->bound;
	}
	ex_result_write(j->report->result, &record);
	ex_report_complete(j->report, right);
}

/* ---- the whole ---- */

static bool time_steps(job *j, double *samples, int reps)
{
	for (int r = 0; r < reps; r++) {
		if (r == reps - 1) /* the sums of the last one are compared; before, they only grow */
			ex_chunks_fill(&j->chunks, EX_EXACT);
		run_steps(j, samples + r * j->plan->count);
	}
	return reps == 0 || is_right(j, EX_EXACT);
}

static bool execute(job *j, bool *right)
{
	int asked = j->report->options->reps, count = j->plan->count;
	int reps = asked >= 0 ? asked : j->chunks.throttle.on ? REPS_THROTTLED : REPS;
	double *samples = SW_NEW_ZERO(j->report->arena, double, (reps + 2) * (count + 1));
	if (samples == NULL)
		ex_fault_set(&j->fault, EX_LACKS, "E01", "out of memory");
	if (!ex_agree(j->report->team, samples != NULL, &j->fault))
		return false;
	*right = run_once(j, EX_EXACT, samples) && time_steps(j, samples, reps);
	write_times(j, samples, *right ? reps : 0, samples + reps * count);
	if (*right && is_float(j->plan))
		*right = run_once(j, EX_RANDOM, samples);
	if (reps > 0)
		ex_report_machine(j->report);
	write_check(j, *right);
	return ex_report_written(j->report, &j->fault);
}

static void report_wrong(const job *j)
{
	ex_fault fault;
	if (j->wrong < 0)
		return;
	ex_fault_set(&fault, EX_NO, "P04", "the sum of element %lld of the tile on device %d is wrong",
		(long long)j->wrong, j->report->team->rank);
	if (is_float(j->plan))
		ex_fault_hint(&fault, "it is off by up to %g, where the order of adding explains %g", j->error, j->bound);
	ex_fault_print(&fault, j->report->file);
}

int ex_chunk_job(ex_report *report, const sw_plan *plan)
{
	job j = {.report = report, .plan = plan, .wrong = -1, .chunks.throttle.share.file = -1};
	ex_probe probe = {0};
	sw_record more;
	bool right = false;
	ex_watch_plan(report->name);
	bool ok = prepare(&j);
	if (ok) {
		if (report->options->reps != 0)
			ex_probe_take(report->team, &probe);
		sw_record_start(SW_RECORD_START, &more);
		more.throttle = j.chunks.throttle.on ? j.chunks.throttle.factor : 0;
		ex_report_start(report, EX_MESSAGES, &probe, &more);
		ok = execute(&j, &right);
	}
	if (ok && !right)
		report_wrong(&j);
	int status = ok ? right ? EX_DONE : EX_NO : ex_report_fault(report, &j.fault);
	ex_chunks_close(&j.chunks);
	return status;
}

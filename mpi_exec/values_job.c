/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs on ranks, from their text to their records.
 */
#include "values_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "proof.h"
#include "read.h"
#include "requests.h"
#include "room.h"
#include "watch.h"

typedef struct values_job {
	ex_report named; /* after the function of the program */
	const ex_report *report;
	ex_team *team;
	sw_arena *arena;
	sw_program program;
	ex_values values;
	ex_proof proof;
	ex_transport transport;
	ex_probe probe;
	ex_fault fault;
} values_job;

static bool multiplies(const sw_step *step)
{
	return step->equation || step->body;
}

static int64_t bytes_made(const values_job *j, int s)
{
	return j->program.value[sw_program_value_of(&j->program, s)].bytes;
}

/* ---- before anything is allocated ---- */

static bool read_program(values_job *j)
{
	sw_diag diag = {0};
	const sw_text *text = j->report->text;
	bool ok = sw_program_read((sw_str){sw_text_get(text), text->length}, j->arena, &j->program, &diag) ||
		ex_fault_of(&j->fault, &diag);
	return ex_agree(j->team, ok, &j->fault) && ex_read_ranks(j->team, j->program.mesh.devices, "program", &j->fault);
}

static bool has_memory(values_job *j)
{
	ex_need need;
	ex_values_need(&j->values, &need);
	need.tiles += ex_proof_bytes(&j->proof) / j->team->local_ranks + 1;
	if (!ex_memory_suffices(j->team, &need, j->report->options->memory, &j->fault))
		return ex_fault_hint(&j->fault, "smaller sizes on the same mesh take the same steps");
	return ex_room_allow_run(j->team, &need, NULL, &j->fault);
}

/* Records are told by the name of the function. */
static void take_name(values_job *j)
{
	sw_str name = j->program.name;
	const char *kept = name.length ? sw_arena_copy(j->arena, name.at, name.length) : "program";
	j->named = *j->report;
	j->named.name = kept ? kept : j->named.name;
	j->report = &j->named;
	ex_watch_plan(j->named.name);
}

static bool prepare(values_job *j)
{
	if (!read_program(j) || !ex_report_transport(j->report, &j->transport, &j->fault))
		return false;
	take_name(j);
	bool ok = ex_values_lay_out(&j->values, j->team, &j->program, j->transport, j->arena, &j->fault) &&
		ex_proof_lay_out(&j->proof, &j->values, j->arena, &j->fault);
	return ex_agree(j->team, ok, &j->fault) && has_memory(j) && ex_values_open(&j->values, &j->fault) &&
		ex_proof_open(&j->proof, j->arena, &j->fault);
}

/* ---- running and proving ---- */

static void spoil(const values_job *j)
{
	const ex_options *o = j->report->options;
	int value = j->program.returned;
	if (o->flip_rank == j->team->rank && o->flip_byte >= 0 && o->flip_byte < j->program.value[value].bytes)
		ex_values_tile(&j->values, value)[o->flip_byte] ^= 0x10;
}

static void watch_step(const values_job *j, int s)
{
	const sw_step *step = &j->program.step[s];
	bool moves = step->inside && step->inside->program.steps;
	ex_watch_step(s + 1, moves ? step->inside->program.step[0].op : SW_DYNSLICE);
}

/* Every value is compared where it is made, since its memory is another's later. */
static bool run_once(values_job *j, bool spoiled)
{
	bool right = true;
	ex_proof_fill(&j->proof);
	if (spoiled && j->program.returned < j->program.inputs)
		spoil(j);
	ex_team_barrier(j->team);
	for (int i = 0; right && i < j->program.inputs; i++)
		right = ex_proof_value(&j->proof, i);
	for (int s = 0; right && s < j->program.steps; s++) {
		int made = sw_program_value_of(&j->program, s);
		watch_step(j, s);
		ex_values_step(&j->values, s);
		if (spoiled && made == j->program.returned)
			spoil(j);
		ex_team_barrier(j->team);
		right = ex_proof_value(&j->proof, made);
	}
	ex_team_barrier(j->team);
	return right;
}

/* ---- timing ---- */

typedef struct times {
	int reps, steps;
	double *start, *end; /* of each step, repetition after repetition; then of the references, then of all */
	double *scratch;
} times;

static int series_of(const times *t)
{
	return 2 * t->steps + 1;
}

static void time_one(values_job *j, times *t, int series, int rep, void (*act)(values_job *j, int s), int s)
{
	int at = series * t->reps + rep;
	ex_team_barrier(j->team);
	t->start[at] = ex_now();
	act(j, s);
	t->end[at] = ex_now();
}

static void act_step(values_job *j, int s)
{
	ex_values_step(&j->values, s);
}

static void act_reference(values_job *j, int s)
{
	if (!ex_values_reference(&j->values, s))
		ex_run_alone(&j->values.all);
}

static void act_all(values_job *j, int s)
{
	(void)s;
	for (int k = 0; k < j->program.steps; k++)
		ex_values_step(&j->values, k);
}

static bool has_reference(const values_job *j, int s)
{
	return !j->report->options->no_reference && j->program.step[s].equation;
}

/* One repetition: every step alone, between barriers, and then all one after another. */
static void repeat(values_job *j, times *t, int rep)
{
	for (int s = 0; s < t->steps; s++) {
		watch_step(j, s);
		if (has_reference(j, s))
			time_one(j, t, t->steps + s, rep, act_reference, s);
		time_one(j, t, s, rep, act_step, s);
	}
	time_one(j, t, 2 * t->steps, rep, act_all, 0);
}

static bool make_times(values_job *j, times *t, int reps)
{
	*t = (times){.reps = reps, .steps = j->program.steps};
	int64_t count = (int64_t)series_of(t) * reps;
	t->start = SW_NEW_ZERO(j->arena, double, count);
	t->end = SW_NEW_ZERO(j->arena, double, count);
	t->scratch = SW_NEW(j->arena, double, reps);
	bool ok = t->start && t->end && t->scratch;
	if (!ok)
		ex_fault_set(&j->fault, EX_LACKS, "E01", "out of memory");
	return ex_agree(j->team, ok, &j->fault);
}

static bool tune(values_job *j)
{
	for (int s = 0; s < j->program.steps; s++) {
		bool moves = j->program.step[s].inside && j->values.plan[s].count > 0;
		ex_choice *plain = SW_NEW(j->arena, ex_choice, moves ? j->values.plan[s].count : 1);
		if (!plain)
			ex_fault_set(&j->fault, EX_LACKS, "E01", "out of memory");
		if (!ex_agree(j->team, plain != NULL, &j->fault))
			return false;
		if (moves)
			ex_timing_tune(&j->values.run[s], plain);
	}
	ex_proof_fill(&j->proof);
	ex_team_barrier(j->team);
	return true;
}

static bool take_times(values_job *j, times *t)
{
	times warm;
	int reps = j->report->options->reps, warmup = j->report->options->warmup;
	if (!tune(j) || !make_times(j, &warm, 1))
		return false;
	for (int i = 0; i < (warmup ? warmup : 1); i++)
		repeat(j, &warm, 0);
	ex_timing_combine(j->team, warm.start, warm.end, series_of(&warm));
	double last = warm.start[2 * warm.steps];
	if (!make_times(j, t, reps > 0 ? reps : ex_timing_reps(&j->values.all, last)))
		return false;
	for (int i = 0; i < t->reps; i++)
		repeat(j, t, i);
	for (int i = 0; i < series_of(t); i++)
		ex_timing_combine(j->team, t->start + (int64_t)i * t->reps, t->end + (int64_t)i * t->reps, t->reps);
	return true;
}

/* ---- records ---- */

static void write_start(values_job *j)
{
	bool products = false;
	sw_record more;
	sw_record_start(SW_RECORD_START, &more);
	for (int s = 0; s < j->program.steps; s++)
		products |= multiplies(&j->program.step[s]);
	const ex_blas *blas = &j->values.blas;
	if (products) {
		more.library = blas->library ? blas->library : "plain loop";
		more.library_threads = blas->threads;
		more.library_rate = blas->rate;
		more.library_hint = blas->library ? NULL : "the package libopenblas0-pthread multiplies faster";
	}
	ex_report_start(j->report, j->transport, &j->probe, &more);
}

static void label_of(const values_job *j, int s, sw_text *label)
{
	const sw_step *step = &j->program.step[s];
	sw_str name = j->program.value[sw_program_value_of(&j->program, s)].name;
	sw_text_addf(label, "%.*s = %s", (int)name.length, name.at, sw_op_name(step->op));
	for (int i = 0; i < step->operands; i++) {
		name = j->program.value[step->operand[i]].name;
		sw_text_addf(label, " %.*s", (int)name.length, name.at);
	}
}

/* As many ranks as do not have a core of their own take turns. */
static double turns(const values_job *j)
{
	double turns = (double)j->team->ranks / (j->team->cores * j->team->hosts);
	return turns > 1 ? turns : 1;
}

/* What is computed, by the rate of the product as measured; what is read and written beside it, by that of memory. */
static double predicted(const values_job *j, int s)
{
	const sw_step *step = &j->program.step[s];
	int64_t bytes = bytes_made(j, s);
	if (step->inside)
		return NAN;
	if (multiplies(step))
		return sw_compute_flops(&j->program, s) / j->values.blas.rate * turns(j);
	for (int i = 0; i < step->operands; i++)
		bytes += j->program.value[step->operand[i]].bytes;
	return j->probe.bandwidth > 0 ? (double)bytes * j->team->ranks / j->probe.bandwidth : NAN;
}

static void write_step(values_job *j, int s, const times *t)
{
	const sw_step *step = &j->program.step[s];
	ex_timed timed, beside;
	sw_text label = {0};
	sw_record record;
	sw_record_start(SW_RECORD_STEP, &record);
	label_of(j, s, &label);
	record.step = s + 1;
	record.op = sw_op_name(step->op);
	record.label = sw_text_get(&label);
	record.transport = step->inside ? ex_transport_name(j->transport) : NULL;
	double flops = sw_compute_flops(&j->program, s);
	record.flops = flops > 0 ? flops : NAN;
	record.predicted = predicted(j, s);
	if (t) {
		ex_timing_spread(t->start + (int64_t)s * t->reps, t->reps, t->scratch, &timed);
		timed.step_sample = t->start + (int64_t)s * t->reps;
		if (has_reference(j, s)) {
			timed.reference_sample = t->start + (int64_t)(t->steps + s) * t->reps;
			ex_timing_spread(timed.reference_sample, t->reps, t->scratch, &beside);
			timed.reference = beside.step;
		}
		ex_report_times(&record, &timed, bytes_made(j, s) * j->team->ranks);
		ex_report_samples(j->report, "step", s + 1, &timed);
	}
	ex_result_write(j->report->result, &record);
	sw_text_free(&label);
}

static void write_total(values_job *j, const times *t)
{
	ex_timed timed, part;
	sw_record record;
	int64_t bytes = 0;
	double *parts = SW_NEW(j->arena, double, t->steps + 1);
	const double *sample = t->start + (int64_t)2 * t->steps * t->reps;
	sw_record_start(SW_RECORD_TOTAL, &record);
	ex_timing_spread(sample, t->reps, t->scratch, &timed);
	timed.step_sample = t->start + (int64_t)2 * t->steps * t->reps;
	for (int s = 0; s < t->steps; s++)
		bytes += bytes_made(j, s) * j->team->ranks;
	for (int s = 0; parts && s < t->steps; s++) {
		ex_timing_spread(t->start + (int64_t)s * t->reps, t->reps, t->scratch, &part);
		parts[s] = part.step.median;
	}
	ex_report_times(&record, &timed, bytes);
	record.parts = (sw_list){parts, parts ? t->steps : 0};
	ex_report_samples(j->report, "total", 0, &timed);
	ex_result_write(j->report->result, &record);
}

static void write_memory(values_job *j)
{
	double most[3] = {(double)j->values.all.region_bytes,
		(double)(j->values.all.staging_bytes + j->values.scratch_bytes), (double)ex_memory_process()};
	sw_record record;
	ex_team_reduce(j->team, most, 3, MPI_MAX);
	sw_record_start(SW_RECORD_MEMORY, &record);
	record.predicted_bytes = j->values.room.region;
	record.tile_bytes = (int64_t)most[0];
	record.buffer_bytes = (int64_t)most[1];
	record.process_bytes = (int64_t)most[2];
	ex_result_write(j->report->result, &record);
}

/* Where results are rounded they lie within a bound, and are not called verified. */
static void write_check(values_job *j, bool right)
{
	const ex_proof *proof = &j->proof;
	char expected[40], found[40];
	int rank = proof->right ? 0 : j->program.value[proof->wrong.value].type->rank;
	sw_record record;
	const sw_record_wrong first = {.device = proof->wrong.device,
		.position = {proof->wrong.position, rank},
		.index = {proof->wrong.index, rank},
		.expected = expected,
		.found = found};
	double off = proof->off;
	ex_team_reduce(j->team, &off, 1, MPI_MAX);
	snprintf(expected, sizeof expected, "%.17g", proof->wrong.expected);
	snprintf(found, sizeof found, "%.17g", proof->wrong.found);
	sw_record_start(SW_RECORD_CHECK, &record);
	record.verified = right && proof->data.exact;
	record.wrong = proof->right ? NULL : &first;
	if (!proof->data.exact) {
		record.largest_difference = off;
		record.difference_bound = proof->bound;
	}
	ex_result_write(j->report->result, &record);
}

static void report_wrong(values_job *j)
{
	const ex_proof *proof = &j->proof;
	const sw_value *value = &j->program.value[proof->wrong.value];
	sw_text index = {0};
	ex_fault fault;
	if (j->team->rank)
		return;
	sw_type_print_tile(proof->wrong.index, value->type->rank, &index);
	ex_fault_set(&fault, EX_NO, "P04", "element %s of '%.*s' is %g on device %d, and should be %g",
		sw_text_get(&index), (int)value->name.length, value->name.at, proof->wrong.found, proof->wrong.device,
		proof->wrong.expected);
	int made = sw_program_maker(&j->program, proof->wrong.value);
	if (made >= 0)
		ex_fault_hint(&fault, "step %d, %s, made it of values that were right", made + 1,
			sw_op_name(j->program.step[made].op));
	ex_fault_print(&fault, j->report->file);
	sw_text_free(&index);
}

/* ---- the whole ---- */

static bool write_steps(values_job *j, const times *t)
{
	for (int s = 0; s < j->program.steps; s++) {
		write_step(j, s, t);
		if (!ex_report_written(j->report, &j->fault))
			return false;
	}
	if (t)
		write_total(j, t);
	return ex_report_written(j->report, &j->fault);
}

static bool execute(values_job *j, bool *right)
{
	times t;
	bool timed = false;
	*right = run_once(j, true);
	if (*right && j->report->options->reps != 0) {
		if (!take_times(j, &t))
			return false;
		timed = true;
	}
	if (!write_steps(j, timed ? &t : NULL))
		return false;
	if (timed) {
		*right = run_once(j, false);
		ex_report_machine(j->report);
	}
	write_memory(j);
	write_check(j, *right);
	if (!ex_report_written(j->report, &j->fault))
		return false;
	ex_report_complete(j->report, *right);
	return ex_report_written(j->report, &j->fault);
}

int ex_values_job(const ex_report *report)
{
	values_job j = {.report = report, .team = report->team, .arena = report->arena, .proof.share.file = -1};
	bool right = false, ok = prepare(&j);
	if (ok) {
		if (report->options->reps != 0)
			ex_probe_take(j.team, &j.probe);
		write_start(&j);
		ok = execute(&j, &right);
	}
	if (ok && !right)
		report_wrong(&j);
	int status = ok ? right ? EX_DONE : EX_NO : ex_report_fault(report, &j.fault);
	ex_proof_close(&j.proof);
	ex_values_close(&j.values);
	return status;
}

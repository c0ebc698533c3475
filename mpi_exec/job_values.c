/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of values as the work of a job: each value proved by whole arrays where it is made.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/choice.h>
#include <shardwalk/planned.h>
#include <shardwalk/schedule_program.h>

#include "pace.h"
#include "proof.h"
#include "watch.h"
#include "work.h"

typedef struct texts {
	sw_program program;
	ex_values values;
	ex_proof proof;
	ex_timed *timed; /* of each step, and of all */
	ex_pace pace;    /* in the leaf's type; all 0 where nothing is timed, or nothing multiplied */
	ex_trial trial;  /* where ScaLAPACK multiplies: `program` is on block-cyclic copies then */
	bool tries;
} texts;

static bool multiplies(const sw_step *step)
{
	return step->equation || step->body || sw_step_does(step, SW_DOES_LEAF);
}

/* Is step `s` a product by ScaLAPACK? */
static bool by_scalapack(const ex_work *work, int s)
{
	const texts *t = work->own;
	return t->tries && sw_step_does(&work->program->step[s], SW_DOES_LEAF);
}

/* Operations of a device in step `s`. */
static double flops_of(const ex_work *work, int s)
{
	const sw_schedule_product *p = &((const texts *)work->own)->trial.product;
	if (by_scalapack(work, s))
		return 2.0 * (double)p->m * (double)p->n * (double)p->k / work->team->ranks;
	return sw_compute_flops(work->program, s);
}

/* ---- the program ---- */

/* The program by ScaLAPACK in place of the one that was read. */
static bool take_blocks(ex_work *work, texts *t)
{
	sw_diag diag = {0};
	sw_schedule_product product;
	const char *why_not;
	sw_program *read = SW_NEW(work->arena, sw_program, 1);
	if (!read)
		return ex_work_no_memory(work);
	*read = t->program;
	if (read->value[0].type->dtype != SW_F64 || !sw_program_product(read, &product, &why_not))
		return ex_fault_set(&work->fault, EX_NO, "P06", "pdgemm does not compute '%s': %s", work->name,
			read->value[0].type->dtype != SW_F64 ? "its elements are not f64" : why_not);
	t->tries = true;
	return ex_trial_take(&t->trial, work->team, &product, &work->fault) &&
		(sw_program_on_blocks(read, t->trial.grid, t->trial.block, work->arena, &t->program, &diag) ||
			ex_fault_of(&work->fault, &diag));
}

static bool read_text(ex_work *work, texts *t)
{
	sw_diag diag = {0};
	if (!sw_program_read((sw_str){sw_text_get(work->text), work->text->length}, work->arena, &t->program, &diag))
		return ex_fault_of(&work->fault, &diag);
	sw_str name = t->program.name;
	work->name = name.length ? sw_arena_copy(work->arena, name.at, name.length) : "program";
	return work->name || ex_work_no_memory(work);
}

static bool read_program(ex_work *work)
{
	texts *t = work->own = SW_NEW_ZERO(work->arena, texts, 1);
	const char *other = work->options->pdgemm;
	if (!ex_agree(work->team, t || ex_work_no_memory(work), &work->fault))
		return false;
	t->proof.share.file = -1;
	bool read = read_text(work, t);
	if (other && !ex_agree(work->team, read, &work->fault)) /* all of them try blocks, or none */
		return false;
	if (!read || (other && strcmp(work->name, other) == 0 && !take_blocks(work, t)))
		return false;
	work->program = &t->program;
	work->inputs = t->program.inputs;
	work->parts = t->program.steps;
	work->made = t->program.returned;
	work->rounds = t->program.rounds;
	work->loop = sw_program_loop(&t->program);
	return true;
}

/* What this rank has of what is returned. */
static bool count_returned(ex_work *work)
{
	sw_arena *arena = sw_arena_new();
	sw_holding holding;
	bool known = arena && sw_program_holding(work->program, work->made, arena, &holding);
	work->returned.elements = known ? sw_holding_size(&holding, work->team->rank) : -1;
	sw_arena_free(arena);
	return work->returned.elements >= 0;
}

static bool lay_out(ex_work *work)
{
	texts *t = work->own;
	ex_team *team = work->team;
	const ex_manner manner = {work->transport, !work->options->no_overlap, work->options->copies};
	if (!ex_values_lay_out(&t->values, team, &t->program, &manner, work->arena, &work->fault) ||
		!ex_proof_lay_out(&t->proof, &t->values, work->arena, &work->fault))
		return false;
	t->values.trial = t->tries ? &t->trial : NULL;
	work->memory = &t->values.all;
	work->returned.at = t->values.at[work->made];
	work->returned.type = t->program.value[work->made].type;
	if (!count_returned(work))
		return ex_work_no_memory(work);
	ex_values_need(&t->values, &work->need);
	work->need.tiles += ex_proof_bytes(&t->proof) / team->local_ranks + 1;
	return true;
}

static bool open_values(ex_work *work)
{
	texts *t = work->own;
	return ex_values_open(&t->values, &work->fault) && ex_proof_open(&t->proof, work->arena, &work->fault);
}

static void close_values(ex_work *work)
{
	texts *t = work->own;
	ex_proof_close(&t->proof);
	ex_values_close(&t->values);
	if (t->tries)
		ex_trial_close(&t->trial);
}

/* ---- running and proving ---- */

static void fill(ex_work *work)
{
	ex_proof_fill(&((texts *)work->own)->proof);
}

static void perform(ex_work *work, int s)
{
	ex_values_step(&((texts *)work->own)->values, s, work->round > 0);
}

static void again(ex_work *work)
{
	ex_values_again(&((texts *)work->own)->values);
}

static void prove_again(ex_work *work)
{
	sw_reference_again(&((texts *)work->own)->proof.whole, work->team->local_rank, work->team->local_ranks);
}

/* What arrives while something is computed is proved with that; what is not finished is not proved. */
static bool proves(const ex_work *work, int value)
{
	const texts *t = work->own;
	int by = sw_program_maker(work->program, value);
	bool waited = by > 0 && ex_values_waits(&t->values, by - 1);
	return by < 0 || (!ex_values_waits(&t->values, by) && (waited || !sw_program_partial(work->program, by)));
}

static bool prove(ex_work *work, int value)
{
	texts *t = work->own;
	int by = sw_program_maker(work->program, value), first = by;
	bool right = true;
	while (first > 0 && ex_values_waits(&t->values, first - 1))
		first--;
	for (; right && first < by; first++)
		right = ex_proof_value(&t->proof, sw_program_value_of(work->program, first), &work->wrong);
	return right &&
		((by >= 0 && sw_program_partial(work->program, by)) || ex_proof_value(&t->proof, value, &work->wrong));
}

/* ---- timing ---- */

/* The step that multiplies most; -1: none does. */
static int largest_product(const ex_work *work)
{
	int most = -1;
	for (int s = 0; s < work->parts; s++)
		if (multiplies(&work->program->step[s]) && (most < 0 || flops_of(work, s) > flops_of(work, most)))
			most = s;
	return most;
}

/* The largest input, as this rank has it: what is read of it lies there. */
static int largest_input(const ex_work *work)
{
	int most = 0;
	for (int i = 1; i < work->inputs; i++)
		if (work->program->value[i].bytes > work->program->value[most].bytes)
			most = i;
	return most;
}

static void measure(ex_work *work)
{
	texts *t = work->own;
	int s = largest_product(work);
	if (s < 0)
		return;
	sw_dtype dtype = work->program->value[sw_program_value_of(work->program, s)].type->dtype;
	int input = largest_input(work);
	const ex_pace_of of = {dtype, cbrt(flops_of(work, s) / 2), ex_values_tile(&t->values, input),
		work->program->value[input].bytes};
	if (sw_dtype_computes(dtype))
		ex_pace_take(work->team, &t->values.blas, &of, &t->pace);
}

/* Series: each step, all of them, and the reference of each step, repetition after repetition. */
typedef struct times {
	int reps, series;
	double *start, *end;
} times;

typedef void (*act)(ex_work *work, int s);

static void time_one(ex_work *work, times *t, int series, int rep, act act, int s)
{
	int at = series * t->reps + rep;
	ex_team_barrier(work->team);
	t->start[at] = ex_now();
	act(work, s);
	t->end[at] = ex_now();
}

static void perform_reference(ex_work *work, int s)
{
	texts *t = work->own;
	if (!ex_values_reference(&t->values, s))
		ex_run_alone(&t->values.all);
}

/* What is brought to blocks and back counts apart. */
static void perform_product(ex_work *work)
{
	for (int s = 0; s < work->parts; s++)
		if (by_scalapack(work, s))
			perform(work, s);
}

static void perform_all(ex_work *work, int steps)
{
	if (((const texts *)work->own)->tries) {
		perform_product(work);
		return;
	}
	for (work->round = 0; work->round == 0 || work->round < work->rounds; work->round++) {
		for (int s = 0; s < work->loop; s++)
			if (ex_work_does(work, s))
				perform(work, s);
		if (sw_program_goes_on(work->program, work->round))
			again(work);
	}
	work->round = 0;
	for (int s = work->loop; s < steps; s++)
		perform(work, s);
}

static bool has_reference(const ex_work *work, int s)
{
	return !work->options->no_reference && work->program->step[s].equation;
}

/* One repetition: every step alone, between barriers, and then all one after another. */
static void repeat(ex_work *work, times *t, int rep)
{
	int steps = work->parts;
	for (int s = 0; s < steps; s++) {
		ex_watch_step(s + 1, work->program->step[s].op);
		if (has_reference(work, s))
			time_one(work, t, steps + 1 + s, rep, perform_reference, s);
		time_one(work, t, s, rep, perform, s);
	}
	time_one(work, t, steps, rep, perform_all, steps);
}

static bool make_times(ex_work *work, times *t, int reps)
{
	sw_arena *arena = work->arena;
	*t = (times){.reps = reps, .series = 2 * work->parts + 1};
	t->start = SW_NEW_ZERO(arena, double, (int64_t)t->series *reps);
	t->end = SW_NEW_ZERO(arena, double, (int64_t)t->series *reps);
	return ex_agree(work->team, (t->start && t->end) || ex_work_no_memory(work), &work->fault);
}

static bool choose_copies(ex_work *work)
{
	texts *t = work->own;
	for (int s = 0; s < work->parts; s++) {
		int count = t->values.plan[s].count; /* 0 where nothing is sent */
		ex_choice *plain = SW_NEW(work->arena, ex_choice, count + 1);
		if (!ex_agree(work->team, plain || ex_work_no_memory(work), &work->fault))
			return false;
		if (count > 0)
			ex_timing_tune(&t->values.run[s], plain);
	}
	fill(work);
	ex_team_barrier(work->team);
	return true;
}

static bool evaluate(ex_work *work, times *t)
{
	texts *own = work->own;
	int steps = work->parts;
	sw_arena *arena = work->arena;
	own->timed = SW_NEW(arena, ex_timed, steps + 1);
	bool ok = own->timed && ex_timing_evaluate(t->start, steps, t->reps, arena, own->timed);
	for (int s = 0; ok && s < steps; s++)
		if (has_reference(work, s))
			ok = ex_timing_beside(t->start + (int64_t)(steps + 1 + s) * t->reps, arena, &own->timed[s]);
	return ex_agree(work->team, ok || ex_work_no_memory(work), &work->fault);
}

static bool tune(ex_work *work)
{
	times warm, t;
	ex_team *team = work->team;
	int reps = work->options->reps, warmup = work->options->warmup;
	if (!choose_copies(work) || !make_times(work, &warm, 1))
		return false;
	for (int i = 0; i < (warmup ? warmup : 1); i++)
		repeat(work, &warm, 0);
	ex_timing_combine(team, warm.start, warm.end, warm.series);
	if (reps <= 0)
		reps = ex_timing_reps(&((texts *)work->own)->values.all, warm.start[work->parts]);
	if (!make_times(work, &t, reps))
		return false;
	for (int i = 0; i < reps; i++)
		repeat(work, &t, i);
	for (int64_t i = 0; i < t.series; i++)
		ex_timing_combine(team, t.start + i * reps, t.end + i * reps, reps);
	return evaluate(work, &t);
}

/* What is done with the step behind it has no time of its own. */
static bool take(ex_work *work, int s, const ex_timed **timed)
{
	const texts *t = work->own;
	*timed = s < work->parts && ex_values_waits(&t->values, s) ? NULL : &t->timed[s];
	return true;
}

/* ---- records ---- */

/* Is any formula computed while messages travel?  Else why the first one is not; NULL: there are none. */
static const char *overlap_of(const ex_work *work)
{
	const ex_values *values = &((texts *)work->own)->values;
	const char *why = NULL;
	for (int s = 0; s < work->parts; s++) {
		if (work->program->step[s].formula && !values->overlaps)
			return "--overlap off";
		if (values->overlap[s])
			return "yes";
		why = why ? why : values->why[s];
	}
	return why;
}

static void add_places(const ex_work *work, sw_record *record)
{
	const ex_places *places = &((const texts *)work->own)->values.places;
	if (!sw_program_lowering(work->program) || ((const texts *)work->own)->tries)
		return;
	record->messages = places->messages;
	record->in_place = places->in_place;
}

static void add_start(ex_work *work, sw_record *record)
{
	record->overlap = overlap_of(work);
	add_places(work, record);
	const ex_blas *blas = &((texts *)work->own)->values.blas;
	const ex_pace *pace = &((texts *)work->own)->pace;
	bool products = false;
	for (int s = 0; s < work->parts; s++)
		products |= multiplies(&work->program->step[s]);
	if (!products)
		return;
	const ex_scalapack *scalapack = &((texts *)work->own)->trial.library;
	record->library = scalapack->handle ? "ScaLAPACK" : blas->library ? blas->library : "plain loop";
	record->library_file = scalapack->handle ? scalapack->blas : blas->file;
	record->pdgemm_file = scalapack->handle ? scalapack->file : NULL;
	record->library_threads = blas->threads;
	record->library_rate = pace->products > 0 ? pace->products : NAN;
	record->library_hint = blas->library || scalapack->handle ? NULL :
																"the package libopenblas0-pthread multiplies faster";
}

static int64_t bytes_made(const ex_work *work, int s)
{
	return work->program->value[sw_program_value_of(work->program, s)].bytes;
}

static int64_t landing(const ex_work *work, int s)
{
	const texts *t = work->own;
	if (ex_values_in_place(&t->values, s))
		return 0;
	if (sw_program_sends(work->program, s))
		return t->values.plan[s].steps->landing;
	return bytes_made(work, s) * work->team->ranks;
}

static const char *label_of(const ex_work *work, int s)
{
	const sw_step *step = &work->program->step[s];
	sw_str name = work->program->value[sw_program_value_of(work->program, s)].name;
	sw_text label = {0};
	sw_text_addf(&label, "%.*s = %s", (int)name.length, name.at,
		by_scalapack(work, s) ? "pdgemm" : sw_op_name(step->op));
	for (int i = 0; i < step->operands; i++) {
		name = work->program->value[step->operand[i]].name;
		sw_text_addf(&label, " %.*s", (int)name.length, name.at);
	}
	const char *kept = sw_arena_copy(work->arena, sw_text_get(&label), label.length);
	sw_text_free(&label);
	return kept;
}

/* Bytes that land, all ranks at once. */
static double copying(const ex_work *work, int64_t bytes)
{
	return work->probe.bandwidth > 0 ? (double)bytes / work->probe.bandwidth : NAN;
}

/* What this machine does, as it was measured at first: memory that all ranks share, a number from core to core, products. */
static sw_schedule_rates rates_of(const ex_work *work, int s)
{
	const sw_type *type = work->program->value[sw_program_value_of(work->program, s)].type;
	const ex_pace *pace = &((const texts *)work->own)->pace;
	return (sw_schedule_rates){.flops = pace->products / work->team->ranks,
		.memory = pace->reading / work->team->ranks,
		.bandwidth = work->probe.bandwidth / work->team->ranks,
		.latency = work->probe.hop,
		.bytes = sw_dtype_bytes(type->dtype),
		.overlap = ((texts *)work->own)->values.overlaps};
}

/* Of bytes that land on all ranks. */
static double messages_of(const ex_work *work, int s, int64_t bytes)
{
	const sw_schedule_rates rates = rates_of(work, s);
	return work->probe.bandwidth > 0 ? sw_messages_seconds(&rates, (double)bytes / rates.bytes / work->team->ranks) :
									   NAN;
}

/* A leaf reads its arrays once; other products are those of matrices. */
static double leaf_seconds(const ex_work *work, int s, const sw_schedule_rates *rates)
{
	sw_leaf_load load = {flops_of(work, s), 0};
	if (sw_step_does(&work->program->step[s], SW_DOES_LEAF) && !by_scalapack(work, s))
		sw_program_leaf_load(work->program, s, &load);
	return rates->flops > 0 ? sw_leaf_seconds(rates, load.operations, load.elements) : NAN;
}

/* What is computed, by the rate of the product as measured; what is read and written beside it by that of memory. */
static double predicted_step(const ex_work *work, int s)
{
	const sw_step *step = &work->program->step[s];
	const sw_schedule_rates rates = rates_of(work, s);
	if (step->inside)
		return NAN;
	if (multiplies(step))
		return leaf_seconds(work, s, &rates);
	if (sw_program_sends(work->program, s))
		return messages_of(work, s, landing(work, s));
	int64_t bytes = bytes_made(work, s);
	for (int i = 0; i < step->operands; i++)
		bytes += work->program->value[step->operand[i]].bytes;
	return copying(work, bytes * work->team->ranks);
}

/* Of a schedule: what its leaves wait for, and the longer of each leaf and of what arrives meanwhile. */
static double predicted_all(const ex_work *work)
{
	const texts *t = work->own;
	double all = 0;
	int64_t now = 0, meanwhile = 0;
	for (int s = 0; s < work->parts; s++) {
		const sw_schedule_rates rates = rates_of(work, s);
		bool sends = sw_program_sends(work->program, s);
		if (sends)
			*(ex_values_waits(&t->values, s) ? &meanwhile : &now) += landing(work, s);
		if (sends && s < work->parts - 1)
			continue;
		all += messages_of(work, s, now);
		all += sw_overlapped_seconds(&rates, sends ? 0 : predicted_step(work, s), messages_of(work, s, meanwhile));
		now = meanwhile = 0;
	}
	return all;
}

static double predicted(const ex_work *work, int s)
{
	if (s < work->parts)
		return predicted_step(work, s);
	return sw_program_lowering(work->program) ? predicted_all(work) : NAN;
}

static void describe(ex_work *work, int s, const ex_timed *timed, sw_record *record)
{
	(void)timed;
	double flops = flops_of(work, s);
	if (by_scalapack(work, s))
		record->block = ((const texts *)work->own)->trial.block;
	record->label = label_of(work, s);
	if (work->program->step[s].inside || sw_program_sends(work->program, s))
		record->transport = ex_values_in_place(&((const texts *)work->own)->values, s) ?
			"in place" :
			ex_transport_name(work->transport);
	record->flops = flops > 0 ? flops : NAN;
}

static void element_text(const ex_wrong *wrong, const void *element, char text[40])
{
	snprintf(text, 40, "%.17g", sw_element(wrong->dtype, element, 0));
}

/* Where results are rounded they lie within a bound, and are not called verified. */
static void add_check(ex_work *work, sw_record *record)
{
	const ex_proof *proof = &((texts *)work->own)->proof;
	double off = proof->off;
	ex_team_reduce(work->team, &off, 1, MPI_MAX);
	record->verified = record->verified && proof->data.exact;
	if (record->verified && proof->data.array)
		record->checksum = sw_reference_checksum(&proof->whole);
	if (!proof->data.exact) {
		record->largest_difference = off;
		record->difference_bound = proof->bound;
	}
}

static void report(const ex_work *work)
{
	const ex_wrong *wrong = &work->wrong;
	const sw_value *value = &work->program->value[wrong->value];
	sw_text index = {0};
	ex_fault fault;
	sw_type_print_tile(wrong->index, wrong->dims, &index);
	ex_fault_set(&fault, EX_NO, "P04", "element %s of '%.*s' is %g on device %d, and should be %g",
		sw_text_get(&index), (int)value->name.length, value->name.at, sw_element(wrong->dtype, wrong->found, 0),
		wrong->device, sw_element(wrong->dtype, wrong->expected, 0));
	int made = sw_program_maker(work->program, wrong->value);
	if (made >= 0)
		ex_fault_hint(&fault, "step %d, %s, made it of values that were right", made + 1,
			sw_op_name(work->program->step[made].op));
	ex_fault_print(&fault, work->file);
	sw_text_free(&index);
}

const ex_work_kind ex_work_values = {
	.what = "program",
	.smaller = "smaller sizes on the same mesh take the same steps",
	.read = read_program,
	.lay_out = lay_out,
	.open = open_values,
	.close = close_values,
	.fill = fill,
	.perform = perform,
	.again = again,
	.prove_again = prove_again,
	.proves = proves,
	.prove = prove,
	.measure = measure,
	.tune = tune,
	.take = take,
	.landing = landing,
	.predicted = predicted,
	.describe = describe,
	.element = element_text,
	.add = {[SW_RECORD_START] = add_start, [SW_RECORD_CHECK] = add_check},
	.report = report,
};

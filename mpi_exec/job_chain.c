/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as the work of a job: a run of its steps, each element proved by its index.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "data.h"
#include "numbers.h"
#include "read.h"
#include "requests.h"
#include "work.h"

typedef struct chain {
	sw_plan whole, plan; /* as read; with what is inside of its steps in their places */
	ex_program program;
	ex_run run;
	ex_rings rings;
	ex_need messages;    /* by messages, where they are not what it does */
	ex_timed *row;       /* of steps that change their tiles, and of all: they were timed in a row; NULL ... */
	ex_timed alone;      /* ... else the last that was timed by itself */
	double error, bound; /* of sums of floats of any value: by how much they are off, and may be */
	bool inexact;        /* they are off by more */
	uint64_t digest;
	int64_t padding[2];
	char digest_text[24];
} chain;

/* ---- the plan ---- */

static bool read_plan(ex_work *work)
{
	chain *c = work->own = SW_NEW_ZERO(work->arena, chain, 1);
	int *outer;
	if (!c)
		return ex_work_no_memory(work);
	c->run.share.file = c->rings.throttle.share.file = -1;
	if (!ex_read_plan(work->text, work->team->rank == 0, work->arena, &c->whole, &work->fault))
		return false;
	if (!sw_plan_unfold(&c->whole, work->arena, &c->plan, &outer))
		return ex_work_no_memory(work);
	work->program = &c->whole.program;
	work->outer = outer;
	work->inputs = 1;
	work->loop = work->parts = work->made = c->plan.program.steps;
	work->name = c->plan.name ? c->plan.name : work->file;
	return true;
}

static bool check_throttle(ex_work *work)
{
	const chain *c = work->own;
	int passing = 0;
	for (int k = 0; k < work->parts; k++)
		passing += c->plan.program.step[k].passing != SW_PASSES_AT_ONCE;
	if (!work->options->throttle || (passing > 0 && passing == work->parts))
		return true;
	ex_fault_set(&work->fault, EX_NO, "P06", "--throttle runs reduction programs, whose plans say their system");
	return ex_fault_hint(&work->fault, "`reductions N` makes one");
}

/* They carry out one exchange, and add nothing. */
static bool check_calls(ex_work *work)
{
	const chain *c = work->own;
	bool asked = c->run.calls > EX_BY_COLLECTIVES, done = c->program.count == 1 && ex_pattern_call(&c->run, 0);
	if (!asked || done || c->program.count == 0)
		return true;
	ex_fault_set(&work->fault, EX_NO, "P06",
		"MPI_Alltoallv and MPI_Alltoallw carry out plans of one exchange without sums");
	return ex_fault_hint(&work->fault, "`plan direct` makes one");
}

static bool lay_out_rings(ex_work *work)
{
	chain *c = work->own;
	if (c->program.passing == 0)
		return true;
	c->run.rings = &c->rings;
	return ex_rings_lay_out(&c->rings, work->team, &c->plan, work->arena, &work->fault);
}

/* What it would need by messages is worth a hint only where they are not what it does. */
static void find_needs(ex_work *work)
{
	chain *c = work->own;
	ex_run other;
	ex_fault ignored;
	ex_run_need(&c->run, &work->need);
	if (!work->need.shared ||
		!ex_run_lay_out(&other, work->team, &c->program, EX_MESSAGES, EX_NO_CALLS, work->arena, &ignored))
		return;
	ex_run_need(&other, &c->messages);
	work->messages = &c->messages;
}

static bool lay_out(ex_work *work)
{
	chain *c = work->own;
	ex_team *team = work->team;
	if (!check_throttle(work) || !ex_program_make(&c->plan, team->rank, work->arena, &c->program, &work->fault))
		return false;
	if (c->program.passing == c->program.count && c->program.count > 0)
		work->transport = EX_MESSAGES;
	if (!ex_run_lay_out(&c->run, team, &c->program, work->transport, ex_options_calls(work->options, work->name),
			work->arena, &work->fault) ||
		!check_calls(work) || !lay_out_rings(work))
		return false;
	work->memory = &c->run;
	work->returned.at = c->program.tile_last;
	work->returned.type = &c->plan.problem.to;
	work->returned.elements = ex_program_elements(&c->program, c->program.count);
	find_needs(work);
	return true;
}

static bool open_rings(ex_work *work)
{
	chain *c = work->own;
	if (c->program.passing == 0)
		return true;
	return ex_agree(work->team, ex_rings_open(&c->rings, &work->fault), &work->fault) &&
		(!work->options->throttle || ex_throttle_open(&c->rings.throttle, &c->plan, &work->fault));
}

static bool open_run(ex_work *work)
{
	chain *c = work->own;
	return ex_run_open(&c->run, &work->fault) && open_rings(work);
}

static void close_run(ex_work *work)
{
	chain *c = work->own;
	ex_run_close(&c->run);
	ex_rings_close(&c->rings);
}

/* ---- running and proving ---- */

static void fill(ex_work *work)
{
	ex_data_fill(&((chain *)work->own)->run);
}

static void perform(ex_work *work, int part)
{
	ex_run_step(&((chain *)work->own)->run, part);
}

/* Of which devices have pieces nothing says each element. */
static bool proves(const ex_work *work, int value)
{
	const chain *c = work->own;
	bool asked = value > 0 && work->options->check_steps;
	return value == work->made || (asked && !c->plan.program.value[value].pieces);
}

/* All ranks check, and know the digest of all that they hold. */
static bool prove(ex_work *work, int k)
{
	chain *c = work->own;
	ex_team *team = work->team;
	uint64_t mine, *all = SW_NEW(work->arena, uint64_t, team->ranks);
	bool right = ex_data_check(&c->run, k, &work->wrong, &mine);
	if (all) {
		ex_allgather(team->world, &mine, sizeof(mine), all);
		c->digest = 0;
		for (int i = 0; i < team->ranks; i++)
			c->digest = (c->digest ^ all[i]) * 0x9fb21c651e98df25u;
	}
	return right;
}

static bool adds_floats(const chain *c)
{
	return c->program.passing > 0 && ex_numbers_are_floats(c->plan.problem.from.dtype);
}

/* Where the order of adding is that of rings or trees, once more on floats of any value. */
static bool prove_floats(ex_work *work)
{
	chain *c = work->own;
	ex_team *team = work->team;
	if (!adds_floats(c))
		return true;
	ex_numbers_fill(&c->run);
	ex_team_barrier(team);
	for (int k = 0; k < work->parts; k++)
		ex_run_step(&c->run, k);
	ex_team_barrier(team);
	c->inexact = !ex_numbers_check(&c->run, work->arena, &c->error, &c->bound);
	double most[3] = {c->error, c->bound, c->inexact};
	ex_team_reduce(team, most, 3, MPI_MAX);
	c->error = most[0];
	c->bound = most[1];
	return !(most[2] > 0);
}

/* ---- timing ---- */

/* Steps that change their tiles are timed in a row. */
static bool time_row(ex_work *work)
{
	enum { REPS = 9, REPS_THROTTLED = 3 };
	chain *c = work->own;
	int asked = work->options->reps, reps = asked >= 0 ? asked : c->rings.throttle.on ? REPS_THROTTLED : REPS;
	c->row = SW_NEW(work->arena, ex_timed, work->program->steps + 1);
	bool ok = (c->row && ex_timing_row(&c->run, work->outer, reps, work->arena, c->row)) || ex_work_no_memory(work);
	return ex_agree(work->team, ok, &work->fault);
}

static bool tune(ex_work *work)
{
	chain *c = work->own;
	if (c->program.passing > 0 || c->program.count != work->program->steps)
		return time_row(work);
	ex_choice *plain = SW_NEW(work->arena, ex_choice, c->program.count);
	if (!ex_agree(work->team, plain || ex_work_no_memory(work), &work->fault))
		return false;
	ex_timing_tune(&c->run, plain);
	return true;
}

static bool take(ex_work *work, int s, const ex_timed **timed)
{
	chain *c = work->own;
	const ex_options *o = work->options;
	const ex_protocol protocol = {.warmup = o->warmup, .reps = o->reps, .reference = !o->no_reference};
	bool all = s == work->program->steps;
	*timed = c->row ? &c->row[s] : all || !o->total ? &c->alone : NULL;
	if (c->row || !*timed)
		return true;
	bool ok = ex_timing_take(&c->run, all ? -1 : s, &protocol, work->arena, &c->alone) || ex_work_no_memory(work);
	return ex_agree(work->team, ok, &work->fault);
}

/* ---- records ---- */

/* The first part that is, or is inside of, a step. */
static int first_of(const ex_work *work, int step)
{
	int first = 0;
	while (work->outer[first] < step)
		first++;
	return first;
}

static int64_t landing(const ex_work *work, int step)
{
	const chain *c = work->own;
	int64_t bytes = 0;
	for (int i = first_of(work, step); work->outer[i] == step; i++)
		bytes += c->program.steps[i].landing;
	return bytes;
}

/* What the plan's model says, where it speaks of seconds.  Rates of a system are those of the model; simulated links are slower by a
 * factor. */
static double predicted(const ex_work *work, int step)
{
	const chain *c = work->own;
	bool all = step == work->program->steps;
	double seconds = all ? c->plan.model_cost : work->program->step[step].model_cost;
	if (c->program.passing > 0)
		return c->rings.throttle.on ? seconds / c->rings.throttle.factor : NAN;
	return strcmp(sw_model_unit(c->plan.model), "s") == 0 ? seconds : NAN;
}

/* Bandwidth per rank as benchmarks of collectives give it: of what lands, and of what crosses between ranks. */
static void add_bandwidth(sw_record *record, const ex_step *step, const ex_timed *timed)
{
	double group = (double)step->step->group_size;
	double crossing = group > 1                                  ? (group - 1) / group :
		sw_collective_of(step->step->op)->among == SW_AMONG_NONE ? 0 :
																   1;
	if (timed->step.median <= 0)
		return;
	record->landing = (double)step->after / timed->step.median;
	record->crossing = record->landing * crossing;
}

static void describe(ex_work *work, int s, const ex_timed *timed, sw_record *record)
{
	const chain *c = work->own;
	int at = first_of(work, s);
	const ex_choice *choice = &c->run.choice[at];
	bool passes = c->program.steps[at].passes;
	record->transport = ex_transport_name(passes ? EX_MESSAGES : work->transport);
	record->collective = ex_pattern_call(&c->run, at);
	if (work->transport == EX_SHARED && !passes) {
		record->direction = choice->push ? "push" : "pull";
		record->store = choice->store == EX_STREAM ? "stream" : "plain";
		record->block = choice->block;
	}
	if (timed && !passes)
		add_bandwidth(record, &c->program.steps[at], timed);
}

static void add_start(ex_work *work, sw_record *record)
{
	const ex_throttle *throttle = &((chain *)work->own)->rings.throttle;
	record->throttle = throttle->on ? throttle->factor : 0;
}

/* Padding travels and is proved like all else: its bytes in the tiles at first and at last, over all ranks. */
static void add_padding(ex_work *work, sw_record *record)
{
	chain *c = work->own;
	const sw_problem *problem = &c->plan.problem;
	const sw_type *const ends[] = {&problem->from, &problem->to};
	if (!sw_type_padded(&problem->from))
		return;
	for (int i = 0; i < 2; i++) {
		sw_padding_count count;
		sw_type_padding(&problem->mesh, ends[i], &count);
		c->padding[i] = count.total * sw_dtype_bytes(problem->from.dtype);
	}
	record->padding = (sw_list){c->padding, 2};
}

/* The bytes of a value as one number in hexadecimal digits, the most significant first. */
static void element_text(const ex_wrong *wrong, const void *element, char text[40])
{
	const unsigned char *bytes = element;
	int64_t count = sw_dtype_bytes(wrong->dtype);
	strcpy(text, "0x");
	for (int64_t i = 0; i < count; i++)
		snprintf(text + 2 + 2 * i, 3, "%02x", bytes[count - 1 - i]);
}

static void add_check(ex_work *work, sw_record *record)
{
	chain *c = work->own;
	snprintf(c->digest_text, sizeof(c->digest_text), "%016llx", (unsigned long long)c->digest);
	record->data_digest = c->digest_text;
	if (adds_floats(c)) {
		record->largest_difference = c->error;
		record->difference_bound = c->bound;
	}
}

/* ---- what is wrong ---- */

/* Of values that are still to be summed. */
static void report_terms(const ex_wrong *wrong, const char *index, ex_fault *fault)
{
	if (wrong->copy_of >= 0)
		ex_fault_set(fault, EX_NO, "P04", "term %lld of %lld of element %s on device %d is not that of device %d",
			(long long)wrong->term + 1, (long long)wrong->terms, index, wrong->device, wrong->copy_of);
	else
		ex_fault_set(fault, EX_NO, "P04",
			"the %lld terms of element %s do not add up, on device %d and those with it", (long long)wrong->terms,
			index, wrong->device);
	ex_fault_hint(fault, "`--check-steps` names the first step after which it is so");
}

static void report_inexact(const ex_work *work)
{
	const chain *c = work->own;
	ex_fault fault;
	ex_fault_set(&fault, EX_NO, "P04", "sums of floats are off by more than the order of adding explains");
	ex_fault_hint(&fault, "by up to %g, where it explains %g", c->error, c->bound);
	ex_fault_print(&fault, work->file);
}

static void report_wrong(const ex_work *work)
{
	const ex_wrong *wrong = &work->wrong;
	ex_fault fault;
	sw_text position = {0}, index = {0}, origin = {0};
	sw_type_print_tile(wrong->position, wrong->dims, &position);
	sw_type_print_tile(wrong->index, wrong->dims, &index);
	sw_type_print_tile(wrong->origin, wrong->dims, &origin);
	ex_fault_set(&fault, EX_NO, "P04",
		"element %s of the tile on device %d is wrong: element %s of the array belongs there", sw_text_get(&position),
		wrong->device, sw_text_get(&index));
	if (wrong->terms > 1)
		report_terms(wrong, sw_text_get(&index), &fault);
	else if (wrong->belongs)
		ex_fault_hint(&fault, "the value found belongs to element %s, which device %d held at first",
			sw_text_get(&origin), wrong->origin_device);
	else
		ex_fault_hint(&fault, "%s",
			wrong->asked ? "the value found belongs to no element of the array" :
						   "the element type is too narrow to tell where the value found belongs");
	ex_fault_print(&fault, work->file);
	sw_text_free(&position);
	sw_text_free(&index);
	sw_text_free(&origin);
}

static void report(const ex_work *work)
{
	(work->wrong.any ? report_wrong : report_inexact)(work);
}

const ex_work_kind ex_work_chain = {
	.what = "plan",
	.read = read_plan,
	.lay_out = lay_out,
	.open = open_run,
	.close = close_run,
	.fill = fill,
	.perform = perform,
	.proves = proves,
	.prove = prove,
	.prove_last = prove_floats,
	.tune = tune,
	.take = take,
	.landing = landing,
	.predicted = predicted,
	.describe = describe,
	.element = element_text,
	.add = {[SW_RECORD_START] = add_start, [SW_RECORD_MEMORY] = add_padding, [SW_RECORD_CHECK] = add_check},
	.report = report,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laying out values, and executing steps on them.
 */
#include "values.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "schedule.h"
#include "watch.h"

enum { ALIGNMENT = 64 };

/* ---- layout ---- */

/* Moments: every step of the program, and every step of a plan in it, is one. */
typedef struct layout {
	ex_values *values;
	sw_tenant *tenant; /* values, then tiles on the way */
	int count;
	int *moment;     /* of each step of the program, the first; one more at the end */
	int *on_the_way; /* of each step of the program: its first tile on the way */
	int *of;         /* of each value, the tenant that it is */
} layout;

static const sw_plan *plan_of(const ex_values *values, int step)
{
	return values->program->step[step].inside;
}

/* Is there a run of the step? */
static bool runs(const ex_values *values, int step)
{
	return plan_of(values, step) || sw_program_sends(values->program, step);
}

static int moments_of(const ex_values *values, int step)
{
	const sw_plan *plan = plan_of(values, step);
	return plan && plan->program.steps > 1 ? plan->program.steps : 1;
}

static int tiles_on_the_way(const ex_values *values, int step)
{
	const sw_plan *plan = plan_of(values, step);
	return plan && plan->program.steps > 1 ? plan->program.steps - 1 : 0;
}

static bool count_moments(layout *l, sw_arena *arena)
{
	const sw_program *program = l->values->program;
	int tenants = program->values;
	l->moment = SW_NEW(arena, int, program->steps + 1);
	l->on_the_way = SW_NEW(arena, int, program->steps + 1);
	l->of = SW_NEW(arena, int, program->values + 1);
	if (!l->moment || !l->on_the_way || !l->of)
		return false;
	l->moment[0] = 0;
	for (int s = 0; s < program->steps; s++) {
		l->moment[s + 1] = l->moment[s] + moments_of(l->values, s);
		l->on_the_way[s] = tenants;
		tenants += tiles_on_the_way(l->values, s);
	}
	l->tenant = SW_NEW_ZERO(arena, sw_tenant, tenants + 1);
	l->count = tenants;
	return l->tenant != NULL;
}

/* The step from whose beginning on what step `s` makes may be written: it may be computed while operands arrive. */
static int begins(const ex_values *values, int s)
{
	const sw_program *program = values->program;
	int first = s;
	while (program->step[s].formula && first > 0 && plan_of(values, first - 1) &&
		ex_overlap_brings(program, first - 1, s))
		first--;
	return first;
}

/* The step with which step `s` is done: the formula that takes what it brings, or itself. */
static int done_with(const ex_values *values, int s)
{
	int next = s;
	while (next < values->program->steps && plan_of(values, next))
		next++;
	return next < values->program->steps && begins(values, next) <= s ? next : s;
}

/* The first moment of what step `s` makes.  Another round finds what is constant where it was. */
static int first_moment(const layout *l, int s)
{
	if (l->values->program->value[sw_program_value_of(l->values->program, s)].constant)
		return 0;
	if (moments_of(l->values, s) > 1)
		return l->moment[s + 1] - 1;
	return l->moment[begins(l->values, done_with(l->values, s))];
}

/* Inputs stay where they are, so that the program can be executed again. */
static void add_values(layout *l)
{
	const sw_program *program = l->values->program;
	for (int i = 0; i < program->values; i++) {
		const sw_value *value = &program->value[i];
		int made = sw_program_maker(program, i);
		bool input = made < 0;
		int last = value->last < 0 ? 0 : value->last;
		l->tenant[i] = (sw_tenant){.bytes = l->values->places.of[i] ? 0 : value->bytes,
			.first = input ? 0 : first_moment(l, made),
			.last = input || last >= program->steps ? l->moment[program->steps] : l->moment[last + 1] - 1};
	}
}

/* What goes on from a value that nobody reads later lies where that lay. */
static void join_values(layout *l)
{
	const sw_program *program = l->values->program;
	for (int i = 0; i < program->values; i++) {
		int made = sw_program_maker(program, i), before = made < 0 ? -1 : sw_program_goes_on_from(program, made);
		l->of[i] = i;
		if (before < program->inputs || program->value[before].last > made)
			continue;
		assert(l->tenant[l->of[before]].bytes == l->tenant[i].bytes);
		l->of[i] = l->of[before];
		l->tenant[l->of[i]].last = l->tenant[i].last;
		l->tenant[i].bytes = 0;
	}
}

static void add_tiles(layout *l)
{
	for (int s = 0; s < l->values->program->steps; s++) {
		const ex_program *program = &l->values->plan[s];
		for (int k = 0; k < tiles_on_the_way(l->values, s); k++)
			l->tenant[l->on_the_way[s] + k] = (sw_tenant){.bytes = program->steps[k].after,
				.first = l->moment[s] + k,
				.last = l->moment[s] + k + 1};
	}
}

/* Where the tiles of one redistribution lie, the operand first. */
static bool place_run(const layout *l, int step, sw_arena *arena)
{
	const sw_program *program = l->values->program;
	int count = l->values->plan[step].count;
	int64_t *at = SW_NEW(arena, int64_t, count + 1);
	if (!at)
		return false;
	at[0] = l->values->at[program->step[step].operand[0]];
	for (int k = 1; k < count; k++)
		at[k] = l->tenant[l->on_the_way[step] + k - 1].at;
	at[count] = count ? l->values->at[sw_program_value_of(program, step)] : at[0];
	ex_program_place(&l->values->plan[step], at);
	return true;
}

static bool make_programs(ex_values *values, sw_arena *arena, ex_fault *fault)
{
	int count = values->program->steps;
	values->plan = SW_NEW_ZERO(arena, ex_program, count + 1);
	values->run = SW_NEW_ZERO(arena, ex_run, count + 1);
	values->at = SW_NEW_ZERO(arena, int64_t, values->program->values + 1);
	if (!values->plan || !values->run || !values->at)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	for (int s = 0; s < count; s++) {
		int rank = values->team->rank;
		bool sends = sw_program_sends(values->program, s);
		if (sends && !ex_schedule_make(values->program, s, 1, rank, arena, &values->plan[s], fault))
			return false;
		if (plan_of(values, s) && !ex_program_make(plan_of(values, s), rank, arena, &values->plan[s], fault))
			return false;
	}
	return true;
}

static bool place(ex_values *values, sw_arena *arena, ex_fault *fault)
{
	layout l = {.values = values};
	if (!count_moments(&l, arena))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	add_values(&l);
	join_values(&l);
	add_tiles(&l);
	values->room.region = sw_tenants_place(l.tenant, l.count, ALIGNMENT, arena);
	if (values->room.region < 0)
		return ex_fault_set(fault, EX_NO, "T10", "the values are too large");
	values->room.peak = values->room.region;
	for (int i = 0; i < values->program->values; i++)
		values->at[i] = l.tenant[l.of[i]].at;
	for (int s = 0; s < values->program->steps; s++) {
		if (plan_of(values, s) && !place_run(&l, s, arena))
			return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
		if (sw_program_sends(values->program, s))
			ex_schedule_place(&values->plan[s], values->at);
	}
	return true;
}

static int64_t most_scratch(const sw_program *program)
{
	int64_t room = 0, tile = 0;
	for (int s = 0; s < program->steps; s++)
		room = sw_larger(room, sw_compute_room(program, s));
	for (int i = 0; i < program->values; i++)
		tile = sw_larger(tile, program->value[i].bytes);
	return sw_larger(room, tile) + ALIGNMENT;
}

static bool lay_out_overlaps(ex_values *values, sw_arena *arena, ex_fault *fault)
{
	int steps = values->program->steps;
	bool ok = true;
	values->overlap = SW_NEW_ZERO(arena, ex_overlap *, steps + 1);
	values->why = SW_NEW_ZERO(arena, const char *, steps + 1);
	values->fetches = SW_NEW_ZERO(arena, ex_fetches *, steps + 1);
	if (!values->overlap || !values->why || !values->fetches)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	for (int s = 0; ok && values->overlaps && s < steps; s++) {
		ok = ex_overlap_lay_out(values->program, s, values->run, arena, &values->overlap[s], &values->why[s],
				 fault) &&
			ex_fetches_lay_out(values->program, s, &values->all, values->at, arena, &values->fetches[s], fault);
		if (ok && values->fetches[s])
			values->all.staging_bytes = sw_larger(values->all.staging_bytes, values->fetches[s]->run.staging_bytes);
	}
	return ok;
}

bool ex_values_lay_out(ex_values *values, ex_team *team, const sw_program *program, const ex_manner *manner,
	sw_arena *arena, ex_fault *fault)
{
	ex_transport transport = manner->transport;
	bool copies = manner->copies || transport != EX_SHARED;
	*values = (ex_values){.team = team, .program = program, .all.share.file = -1};
	if (!ex_places_find(program, team, copies, arena, &values->places, fault) ||
		!make_programs(values, arena, fault) || !place(values, arena, fault))
		return false;
	for (int i = 0; i < program->values; i++)
		if (values->places.of[i])
			values->look_bytes = sw_larger(values->look_bytes, program->value[i].bytes + ALIGNMENT);
	values->all = (ex_run){.team = team, .program = &values->room, .transport = transport, .share = {.file = -1}};
	values->scratch_bytes = most_scratch(program);
	for (int s = 0; s < program->steps; s++) {
		ex_run *run = &values->run[s];
		if (runs(values, s) && !ex_run_lay_out(run, team, &values->plan[s], transport, EX_NO_CALLS, arena, fault))
			return false;
		values->all.staging_bytes = sw_larger(values->all.staging_bytes, run->staging_bytes);
	}
	values->overlaps = manner->overlaps;
	return lay_out_overlaps(values, arena, fault);
}

void ex_values_need(const ex_values *values, ex_need *need)
{
	ex_run_need(&values->all, need);
	need->buffers += values->scratch_bytes + values->look_bytes;
}

/* ---- memory ---- */

bool ex_values_open(ex_values *values, ex_fault *fault)
{
	bool ok = ex_run_open(&values->all, fault) && ex_agree(values->team, ex_blas_find(&values->blas, fault), fault);
	if (!ok)
		return false;
	for (int s = 0; s < values->program->steps; s++) {
		if (runs(values, s))
			ex_run_join(&values->run[s], &values->all);
		if (values->fetches[s])
			ex_run_join(&values->fetches[s]->run, &values->all);
	}
	values->scratch = malloc((size_t)values->scratch_bytes);
	values->look = malloc((size_t)values->look_bytes + 1);
	bool has = values->scratch && values->look;
	if (!has)
		ex_fault_set(fault, EX_LACKS, "E01", "cannot allocate %lld bytes for products: %s",
			(long long)(values->scratch_bytes + values->look_bytes), strerror(errno));
	return ex_agree(values->team, has, fault);
}

void ex_values_close(ex_values *values)
{
	if (values->team)
		ex_run_close(&values->all);
	for (int s = 0; values->overlap && s < values->program->steps; s++)
		ex_overlap_close(values->overlap[s]);
	values->overlap = NULL;
	free(values->scratch);
	free(values->look);
	values->scratch = values->look = NULL;
}

char *ex_values_tile(const ex_values *values, int value)
{
	assert(value >= 0 && value < values->program->values);
	return values->all.region + values->at[value];
}

/* ---- in place ---- */

bool ex_values_in_place(const ex_values *values, int s)
{
	return values->places.of[sw_program_value_of(values->program, s)] != NULL;
}

/* Where this rank reads a value; of one that it has nothing of where that would be. */
static const ex_reading *place_of(const ex_values *values, int value)
{
	const ex_reading *places = values->places.of[value];
	return places && places[values->team->rank].any ? &places[values->team->rank] : NULL;
}

static const char *placed(const ex_values *values, const ex_reading *place)
{
	int64_t element = sw_dtype_bytes(values->program->value[place->input].type->dtype);
	return ex_run_at(&values->all, place->rank, values->at[place->input]) + place->at * element;
}

const char *ex_values_stored(const ex_values *values, int value)
{
	const ex_reading *place = place_of(values, value);
	sw_loops loops = {.elements = 1};
	int64_t count[SW_LOOPS], from_by[SW_LOOPS], into_by[SW_LOOPS];
	ex_shape shape;
	if (!place)
		return ex_values_tile(values, value);
	for (int d = 0, n = 0; d < place->dims; d++)
		if (place->size[d] > 1) {
			count[n] = place->size[d];
			from_by[n++] = place->step[d];
			loops.loops = n;
		}
	for (int n = loops.loops - 1; n >= 0; n--) {
		into_by[n] = loops.elements;
		loops.elements *= count[n];
	}
	loops.count = count;
	loops.from_by = from_by;
	loops.into_by = into_by;
	ex_shape_of(&shape, sw_dtype_bytes(values->program->value[value].type->dtype), &loops);
	ex_copy(&shape, values->look, placed(values, place), 0, shape.runs, EX_PLAIN);
	return values->look;
}

/* ---- steps ---- */

static void redistribute(ex_values *values, int s)
{
	const sw_program *program = values->program;
	int count = values->plan[s].count, made = sw_program_value_of(program, s);
	for (int k = 0; k < count; k++)
		ex_run_step(&values->run[s], k);
	if (count)
		return;
	memcpy(ex_values_tile(values, made), ex_values_tile(values, program->step[s].operand[0]),
		(size_t)program->value[made].bytes);
	ex_run_alone(&values->all);
}

/* The next step that does not only bring something, is it done with `s`? */
static bool fetches_meanwhile(const ex_values *values, int s)
{
	int next = s;
	while (next < values->program->steps && sw_step_does(&values->program->step[next], SW_DOES_FETCH))
		next++;
	return next < values->program->steps && values->fetches[next] && values->fetches[next]->first <= s && s < next;
}

bool ex_values_waits(const ex_values *values, int s)
{
	int next = s + 1;
	while (next < values->program->steps && plan_of(values, next))
		next++;
	return (values->overlaps && next < values->program->steps && ex_overlap_has(values->overlap[next], s)) ||
		fetches_meanwhile(values, s);
}

/* A LEAF, which reads some of its operands where they are. */
static bool compute_in_place(ex_values *values, int s, const void **operand, const sw_multiplier *by)
{
	const sw_step *step = &values->program->step[s];
	const int64_t *steps[SW_MAX_OPERANDS] = {NULL};
	const sw_leaf_part all = {operand, steps, ex_values_tile(values, sw_program_value_of(values->program, s)),
		values->team->rank, 0, 1};
	for (int i = 0; i < step->operands; i++) {
		const ex_reading *place = place_of(values, step->operand[i]);
		if (!place)
			continue;
		operand[i] = placed(values, place);
		steps[i] = place->step;
	}
	return sw_program_leaf(values->program, s, &all, by);
}

static bool compute(ex_values *values, int s, const void **operand, const sw_multiplier *by)
{
	if (values->places.in_place > 0 && sw_step_does(&values->program->step[s], SW_DOES_LEAF))
		return compute_in_place(values, s, operand, by);
	return sw_compute(values->program, s, operand, ex_values_tile(values, sw_program_value_of(values->program, s)),
		values->scratch, by, values->team->rank);
}

void ex_values_step(ex_values *values, int s, bool again)
{
	assert(s >= 0 && s < values->program->steps);
	const sw_step *step = &values->program->step[s];
	const void *operand[SW_MAX_OPERANDS];
	if (ex_values_waits(values, s))
		return;
	if (step->inside) {
		redistribute(values, s);
		return;
	}
	if (ex_values_in_place(values, s)) {
		ex_run_alone(&values->all);
		return;
	}
	for (int i = 0; i < step->operands; i++)
		operand[i] = ex_values_tile(values, step->operand[i]);
	const sw_multiplier by = {ex_blas_multiply, &values->blas};
	if (values->trial && sw_step_does(step, SW_DOES_LEAF))
		ex_trial_multiply(values->trial, values->team, operand[1], operand[2],
			ex_values_tile(values, sw_program_value_of(values->program, s)));
	else if (values->overlaps && values->overlap[s])
		ex_overlap_step(values->overlap[s], again, operand,
			ex_values_tile(values, sw_program_value_of(values->program, s)));
	else if (values->fetches[s])
		ex_fetches_step(values->fetches[s], &by, operand,
			ex_values_tile(values, sw_program_value_of(values->program, s)));
	else if (!compute(values, s, operand, &by))
		ex_watch_end("out of memory, while a formula was computed", "fewer elements take less");
	if (sw_program_sends(values->program, s))
		ex_run_step(&values->run[s], 0);
	else
		ex_run_alone(&values->all);
	ex_watch_work();
}

void ex_values_again(ex_values *values)
{
	const sw_program *program = values->program;
	int brings = sw_program_brings(program);
	if (brings > 0)
		memcpy(ex_values_tile(values, 0), ex_values_tile(values, brings), (size_t)program->value[0].bytes);
	ex_run_alone(&values->all);
}

/* Operands as if they lay packed: as many elements, in the order that is easiest. */
bool ex_values_reference(ex_values *values, int s)
{
	assert(s >= 0 && s < values->program->steps);
	const sw_program *program = values->program;
	const sw_step *step = &program->step[s];
	int made = sw_program_value_of(program, s);
	if (!step->equation)
		return false;
	const sw_type *type[2] = {program->value[step->operand[0]].type, program->value[step->operand[1]].type};
	sw_letters letters;
	sw_gemm gemm;
	sw_letters_of(step->equation, type[0]->tile, type[1]->tile, &letters);
	sw_gemm_of(&letters, &gemm);
	gemm.a = (sw_matrices){.lead = gemm.k};
	gemm.b = gemm.c = (sw_matrices){.lead = gemm.n};
	int64_t size = sw_dtype_bytes(type[0]->dtype);
	const char *a = ex_values_tile(values, step->operand[gemm.swapped]),
			   *b = ex_values_tile(values, step->operand[!gemm.swapped]);
	for (int64_t i = 0; i < gemm.batch; i++)
		ex_blas_multiply(&values->blas, type[0]->dtype, &gemm, a + i * gemm.m * gemm.k * size,
			b + i * gemm.k * gemm.n * size, ex_values_tile(values, made) + i * gemm.m * gemm.n * size);
	ex_run_alone(&values->all);
	return true;
}

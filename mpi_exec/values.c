/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laying out values, and executing steps on them.
 */
#include "values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

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
} layout;

static const sw_plan *plan_of(const ex_values *values, int step)
{
	return sw_program_op_moves(values->planned->step[step].op) ? values->planned->step[step].plan : NULL;
}

static int moments_of(const ex_values *values, int step)
{
	const sw_plan *plan = plan_of(values, step);
	return plan && plan->count > 1 ? plan->count : 1;
}

static int tiles_on_the_way(const ex_values *values, int step)
{
	const sw_plan *plan = plan_of(values, step);
	return plan && plan->count > 1 ? plan->count - 1 : 0;
}

static bool count_moments(layout *l, sw_arena *arena)
{
	const sw_planned *planned = l->values->planned;
	int tenants = planned->values;
	l->moment = SW_NEW(arena, int, planned->count + 1);
	l->on_the_way = SW_NEW(arena, int, planned->count + 1);
	if (!l->moment || !l->on_the_way)
		return false;
	l->moment[0] = 0;
	for (int s = 0; s < planned->count; s++) {
		l->moment[s + 1] = l->moment[s] + moments_of(l->values, s);
		l->on_the_way[s] = tenants;
		tenants += tiles_on_the_way(l->values, s);
	}
	l->tenant = SW_NEW_ZERO(arena, sw_tenant, tenants + 1);
	l->count = tenants;
	return l->tenant != NULL;
}

/* Inputs stay where they are, so that the program can be executed again. */
static void add_values(layout *l)
{
	const sw_planned *planned = l->values->planned;
	for (int i = 0; i < planned->values; i++) {
		const sw_held_value *value = &planned->value[i];
		bool input = value->made < 0;
		int last = value->last < 0 ? 0 : value->last;
		l->tenant[i] = (sw_tenant){.bytes = value->bytes,
			.first = input ? 0 : l->moment[value->made + 1] - 1,
			.last = input || last >= planned->count ? l->moment[planned->count] : l->moment[last + 1] - 1};
		if (!input && moments_of(l->values, value->made) == 1)
			l->tenant[i].first = l->moment[value->made];
	}
}

static void add_tiles(layout *l)
{
	for (int s = 0; s < l->values->planned->count; s++) {
		const ex_program *program = &l->values->program[s];
		for (int k = 0; k < tiles_on_the_way(l->values, s); k++)
			l->tenant[l->on_the_way[s] + k] = (sw_tenant){.bytes = program->steps[k].after,
				.first = l->moment[s] + k,
				.last = l->moment[s] + k + 1};
	}
}

/* Where the tiles of one redistribution lie, the operand first. */
static bool place_run(const layout *l, int step, sw_arena *arena)
{
	const sw_planned_step *of = &l->values->planned->step[step];
	int count = l->values->program[step].count;
	int64_t *at = SW_NEW(arena, int64_t, count + 1);
	if (!at)
		return false;
	at[0] = l->values->at[of->operand[0]];
	for (int k = 1; k < count; k++)
		at[k] = l->tenant[l->on_the_way[step] + k - 1].at;
	at[count] = count ? l->values->at[of->result] : at[0];
	ex_program_place(&l->values->program[step], at);
	return true;
}

static bool make_programs(ex_values *values, sw_arena *arena, ex_fault *fault)
{
	int count = values->planned->count;
	values->program = SW_NEW_ZERO(arena, ex_program, count + 1);
	values->run = SW_NEW_ZERO(arena, ex_run, count + 1);
	values->at = SW_NEW_ZERO(arena, int64_t, values->planned->values + 1);
	if (!values->program || !values->run || !values->at)
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	for (int s = 0; s < count; s++)
		if (plan_of(values, s) &&
			!ex_program_make(plan_of(values, s), values->team->rank, arena, &values->program[s], fault))
			return false;
	return true;
}

static bool place(ex_values *values, sw_arena *arena, ex_fault *fault)
{
	layout l = {.values = values};
	if (!count_moments(&l, arena))
		return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	add_values(&l);
	add_tiles(&l);
	values->room.region = sw_tenants_place(l.tenant, l.count, ALIGNMENT, arena);
	if (values->room.region < 0)
		return ex_fault_set(fault, EX_NO, "T10", "the values are too large");
	for (int i = 0; i < values->planned->values; i++)
		values->at[i] = l.tenant[i].at;
	for (int s = 0; s < values->planned->count; s++)
		if (plan_of(values, s) && !place_run(&l, s, arena))
			return ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	return true;
}

static int64_t most_scratch(const sw_planned *planned)
{
	int64_t room = 0, tile = 0;
	for (int s = 0; s < planned->count; s++)
		room = sw_larger(room, sw_compute_room(planned, &planned->step[s]));
	for (int i = 0; i < planned->values; i++)
		tile = sw_larger(tile, planned->value[i].bytes);
	return sw_larger(room, tile) + ALIGNMENT;
}

bool ex_values_lay_out(ex_values *values, ex_team *team, const sw_planned *planned, ex_transport transport,
	sw_arena *arena, ex_fault *fault)
{
	*values = (ex_values){.team = team, .planned = planned, .all.share.file = -1};
	if (!make_programs(values, arena, fault) || !place(values, arena, fault))
		return false;
	values->all = (ex_run){.team = team, .program = &values->room, .transport = transport, .share = {.file = -1}};
	values->scratch_bytes = most_scratch(planned);
	for (int s = 0; s < planned->count; s++) {
		ex_run *run = &values->run[s];
		if (plan_of(values, s) && !ex_run_lay_out(run, team, &values->program[s], transport, false, arena, fault))
			return false;
		values->all.staging_bytes = sw_larger(values->all.staging_bytes, run->staging_bytes);
	}
	return true;
}

void ex_values_need(const ex_values *values, ex_need *need)
{
	ex_run_need(&values->all, need);
	need->buffers += values->scratch_bytes;
}

/* ---- memory ---- */

bool ex_values_open(ex_values *values, ex_fault *fault)
{
	bool ok = ex_run_open(&values->all, fault) && ex_agree(values->team, ex_blas_find(&values->blas, fault), fault);
	if (!ok)
		return false;
	for (int s = 0; s < values->planned->count; s++)
		if (plan_of(values, s))
			ex_run_join(&values->run[s], &values->all);
	values->scratch = malloc((size_t)values->scratch_bytes);
	if (!values->scratch)
		ex_fault_set(fault, EX_LACKS, "E01", "cannot allocate %lld bytes for products: %s",
			(long long)values->scratch_bytes, strerror(errno));
	return ex_agree(values->team, values->scratch != NULL, fault);
}

void ex_values_close(ex_values *values)
{
	if (values->team)
		ex_run_close(&values->all);
	free(values->scratch);
	values->scratch = NULL;
}

char *ex_values_tile(const ex_values *values, int value)
{
	return values->all.region + values->at[value];
}

/* ---- steps ---- */

static void redistribute(ex_values *values, int s)
{
	const sw_planned_step *step = &values->planned->step[s];
	int count = values->program[s].count;
	for (int k = 0; k < count; k++)
		ex_run_step(&values->run[s], k);
	if (count)
		return;
	memcpy(ex_values_tile(values, step->result), ex_values_tile(values, step->operand[0]),
		(size_t)values->planned->value[step->result].bytes);
	ex_run_alone(&values->all);
}

void ex_values_step(ex_values *values, int s)
{
	const sw_planned_step *step = &values->planned->step[s];
	const void *operand[SW_MAX_OPERANDS];
	if (sw_program_op_moves(step->op)) {
		redistribute(values, s);
		return;
	}
	for (int i = 0; i < step->count; i++)
		operand[i] = ex_values_tile(values, step->operand[i]);
	const sw_multiplier by = {ex_blas_multiply, &values->blas};
	sw_compute(values->planned, step, operand, ex_values_tile(values, step->result), values->scratch, &by);
	ex_run_alone(&values->all);
	ex_watch_work();
}

/* Operands as if they lay packed: as many elements, in the order that is easiest. */
bool ex_values_reference(ex_values *values, int s)
{
	const sw_planned *planned = values->planned;
	const sw_planned_step *step = &planned->step[s];
	const sw_type *type[2] = {&planned->value[step->operand[0]].type, &planned->value[step->operand[1]].type};
	sw_letters letters;
	sw_gemm gemm;
	if (!sw_program_op_multiplies(step->op))
		return false;
	sw_letters_of(sw_planned_equation(planned, step), type[0]->tile, type[1]->tile, &letters);
	sw_gemm_of(&letters, &gemm);
	gemm.a = (sw_matrices){.lead = gemm.k};
	gemm.b = gemm.c = (sw_matrices){.lead = gemm.n};
	int64_t size = sw_dtype_bytes(type[0]->dtype);
	const char *a = ex_values_tile(values, step->operand[gemm.swapped]),
			   *b = ex_values_tile(values, step->operand[!gemm.swapped]);
	for (int64_t i = 0; i < gemm.batch; i++)
		ex_blas_multiply(&values->blas, type[0]->dtype, &gemm, a + i * gemm.m * gemm.k * size,
			b + i * gemm.k * gemm.n * size, ex_values_tile(values, step->result) + i * gemm.m * gemm.n * size);
	ex_run_alone(&values->all);
	return true;
}

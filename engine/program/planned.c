/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with plans.
 */
#include <shardwalk/planned.h>

#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "program/print.h"
#include "program/typing.h"

typedef struct maker {
	const sw_program *program;
	const sw_plan *const *plan;
	const sw_plan_options *options;
	sw_arena *arena;
	sw_diag *diag;
	sw_program *planned;
	const sw_str *name; /* of the values of the program */
	int *lies;          /* of each of them the value that it is in the one with plans */
	int moves;
} maker;

/* ---- values ---- */

static bool add_value(maker *m, int v)
{
	sw_program *planned = m->planned;
	sw_value *value = &planned->value[planned->values];
	*value = m->program->value[v];
	value->name = m->name[v];
	value->last = v < m->program->inputs ? -1 : planned->steps;
	value->localsize = sw_program_elements(m->program, v);
	memcpy(value->tile, value->type->tile, sizeof value->tile);
	m->lies[v] = planned->values++;
	if (value->localsize < 0)
		return sw_diag_memory(m->diag);
	if (sw_mul(value->localsize, sw_dtype_bytes(value->type->dtype), &value->bytes))
		return true;
	return sw_diag_set(m->diag, SW_T10, (sw_span){0, 0}, "a tile of '%.*s' is too large", (int)value->name.length,
		value->name.at);
}

/* ---- steps ---- */

static bool find_plan(const maker *m, int s, const sw_plan **out)
{
	sw_plan_options options = *m->options;
	sw_plan *plan = SW_NEW_ZERO(m->arena, sw_plan, 1);
	sw_problem *problem = SW_NEW_ZERO(m->arena, sw_problem, 1);
	if (!plan || !problem)
		return sw_diag_memory(m->diag);
	sw_program_problem(m->program, s, problem);
	if (sw_problem_has_words(problem))
		options.strategy = SW_DIRECT;
	*out = plan;
	return sw_plan_find(problem, &options, m->arena, plan, m->diag);
}

static bool take_plan(maker *m, int s, sw_step *step)
{
	const sw_plan *given = m->plan ? m->plan[m->moves] : NULL;
	step->inside = given ? given : step->inside;
	m->moves++;
	return step->inside || find_plan(m, s, &step->inside);
}

static bool add_step(maker *m, int s, bool moves)
{
	sw_program *planned = m->planned;
	sw_step *step = &planned->step[planned->steps];
	*step = m->program->step[s];
	for (int i = 0; i < step->operands; i++) {
		step->operand[i] = m->lies[step->operand[i]];
		planned->value[step->operand[i]].last = planned->steps;
	}
	if (!add_value(m, sw_program_value_of(m->program, s)) || (moves && !take_plan(m, s, step)))
		return false;
	planned->steps++;
	return true;
}

/* Where nothing is left of the rounds, what they bring is the first input of what follows. */
static void end_loop(maker *m)
{
	m->planned->loop = m->planned->steps;
	if (m->planned->steps > 0)
		return;
	m->lies[0] = m->lies[m->program->brings];
	m->planned->rounds = 0;
}

/* What is redistributed to where it lies is the same value. */
static bool add_steps(maker *m)
{
	const sw_program *program = m->program;
	int move = sw_program_next_move(program, -1);
	for (int s = 0; s < program->steps; s++) {
		if (!sw_op_computes(program->step[s].op) && s != move)
			m->lies[sw_program_value_of(program, s)] = m->lies[program->step[s].operand[0]];
		else if (!add_step(m, s, s == move))
			return false;
		move = s == move ? sw_program_next_move(program, s) : move;
		if (s + 1 == program->loop)
			end_loop(m);
	}
	return true;
}

/* ---- the program ---- */

/* The type of the result may be left open: it is then that in which the value is. */
static bool refuse_open(const sw_program *program, sw_diag *diag)
{
	for (int i = 0; i < program->values; i++)
		if (program->value[i].open) {
			sw_diag_set(diag, SW_A10, program->value[i].at, "the type of '%.*s' is not chosen yet",
				(int)program->value[i].name.length, program->value[i].name.at);
			sw_diag_hint(diag, "`assign` fills each `?` with the types of least total cost");
			return false;
		}
	return true;
}

static bool make_room(maker *m)
{
	const sw_program *program = m->program;
	m->planned->value = SW_NEW(m->arena, sw_value, program->values + 1);
	m->planned->step = SW_NEW(m->arena, sw_step, program->steps + 1);
	m->lies = SW_NEW(m->arena, int, program->values + 1);
	m->name = sw_program_names(program, m->arena);
	return (m->planned->value && m->planned->step && m->lies && m->name) || sw_diag_memory(m->diag);
}

/* What a round brings is read when it ends. */
static void keep_brought(sw_program *planned, int value)
{
	planned->brings = value;
	planned->value[value].last = planned->value[value].last < planned->loop ? planned->loop :
																			  planned->value[value].last;
}

/* Every round reads them. */
static bool keep_constants(sw_program *planned, sw_arena *arena)
{
	const bool *constant = sw_program_constants(planned, arena);
	for (int v = 0; constant && v < planned->values; v++) {
		planned->value[v].constant = constant[v];
		if (constant[v])
			planned->value[v].last = planned->steps;
	}
	return constant;
}

bool sw_program_plan(const sw_program *program, const sw_plan *const *plan, const sw_plan_options *options,
	sw_arena *arena, sw_program *planned, sw_diag *diag)
{
	maker m = {program, plan, options, arena, diag, planned, NULL, NULL, 0};
	*planned = *program;
	planned->values = planned->steps = planned->loop = 0;
	if (!refuse_open(program, diag) || !make_room(&m))
		return false;
	for (int v = 0; v < program->inputs; v++)
		if (!add_value(&m, v))
			return false;
	if (!add_steps(&m))
		return false;
	planned->returned = m.lies[program->returned];
	planned->value[planned->returned].last = planned->steps;
	if (planned->loop > 0)
		keep_brought(planned, m.lies[program->brings]);
	return keep_constants(planned, arena) || sw_diag_memory(diag);
}

/* ---- other elements ---- */

static void put_dtype(sw_type *type, sw_dtype dtype)
{
	type->dtype = dtype;
	type->dtype_given = true;
}

bool sw_program_with_dtype(const sw_program *program, sw_dtype dtype, sw_arena *arena, sw_program *out, sw_diag *diag)
{
	sw_typing typing = {.arena = arena};
	*out = *program;
	out->claimed = false;
	return (sw_typing_own(&typing, out) && sw_typing_put(&typing, out, put_dtype, dtype)) || sw_diag_memory(diag);
}

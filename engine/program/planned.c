/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a typed program to values in memory and steps between them.
 */
#include <shardwalk/planned.h>

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/text.h>

#include "program/typing.h"

typedef struct maker {
	const sw_program *program;
	const sw_plan *const *plan;
	const sw_plan_options *options;
	sw_arena *arena;
	sw_diag *diag;
	sw_planned *planned;
	int redistributions;
	int *kept; /* of each value of the program, where it is held in its home */
} maker;

static bool bytes_of(const sw_type *type, int64_t *bytes)
{
	return sw_mul(sw_type_localsize(type), sw_dtype_bytes(type->dtype), bytes);
}

/* The number of a new value. */
static int add_value(maker *m, sw_str name, const sw_type *type)
{
	sw_planned *planned = m->planned;
	sw_held_value *value = &planned->value[planned->values];
	*value = (sw_held_value){.name = name, .type = *type, .made = planned->count, .last = planned->count};
	if (bytes_of(type, &value->bytes))
		return planned->values++;
	sw_diag_set(m->diag, SW_T10, (sw_span){0, 0}, "a tile of '%.*s' is too large", (int)name.length, name.at);
	return -1;
}

static bool find_plan(maker *m, const sw_type *from, const sw_type *to, const sw_plan **out)
{
	sw_plan *plan = SW_NEW_ZERO(m->arena, sw_plan, 1);
	sw_problem *problem = SW_NEW_ZERO(m->arena, sw_problem, 1);
	if (!plan || !problem)
		return sw_diag_memory(m->diag);
	*problem = (sw_problem){.mesh = m->program->mesh, .from = *from, .to = *to};
	if (!sw_plan_find(problem, m->options, m->arena, plan, m->diag))
		return false;
	*out = plan;
	return true;
}

/* The value `at` in this type: itself, or what a redistribution makes of it. */
static int in_type(maker *m, int statement, int at, sw_str name, const sw_type *type)
{
	sw_planned *planned = m->planned;
	if (sw_type_equal(&planned->value[at].type, type))
		return at;
	int number = m->redistributions++, made = add_value(m, name, type);
	if (made < 0)
		return -1;
	sw_planned_step *step = &planned->step[planned->count];
	*step = (sw_planned_step){.op = SW_DO_REDISTRIBUTE,
		.statement = statement,
		.redistribution = number,
		.count = 1,
		.operand = {at},
		.result = made,
		.plan = m->plan ? m->plan[number] : NULL};
	if (!step->plan && !find_plan(m, &planned->value[at].type, type, &step->plan))
		return -1;
	planned->value[at].last = planned->count++;
	return made;
}

/* What a statement computes, from operands as it uses them. */
static int compute(maker *m, int s, const int *operand)
{
	sw_planned *planned = m->planned;
	const sw_program_statement *statement = &m->program->statement[s];
	int made = add_value(m, m->program->value[sw_program_value_of(m->program, s)].name, &statement->types->computed);
	if (made < 0)
		return -1;
	sw_planned_step *step = &planned->step[planned->count];
	*step = (sw_planned_step){.op = statement->op,
		.statement = s,
		.redistribution = -1,
		.count = statement->count,
		.result = made};
	for (int i = 0; i < statement->count; i++) {
		step->operand[i] = operand[i];
		planned->value[operand[i]].last = planned->count;
	}
	planned->count++;
	return made;
}

static bool make_statement(maker *m, int s)
{
	const sw_program *program = m->program;
	const sw_program_statement *statement = &program->statement[s];
	int value = sw_program_value_of(program, s), operand[SW_MAX_OPERANDS], made;
	for (int i = 0; i < statement->count; i++) {
		int used = statement->operand[i];
		const sw_type *type = i < 2 && !sw_program_op_has_body(statement->op) ? &statement->types->use[i] :
																				&program->value[used].home;
		operand[i] = in_type(m, s, m->kept[used], program->value[used].name, type);
		if (operand[i] < 0)
			return false;
	}
	made = sw_program_op_moves(statement->op) ? operand[0] : compute(m, s, operand);
	if (made >= 0)
		made = in_type(m, s, made, program->value[value].name, &program->value[value].home);
	m->kept[value] = made;
	return made >= 0;
}

static bool make_room(maker *m)
{
	const sw_program *program = m->program;
	int operands = 0;
	for (int s = 0; s < program->statements; s++)
		operands += program->statement[s].count;
	int steps = operands + 2 * program->statements + 1;
	m->planned->value = SW_NEW_ZERO(m->arena, sw_held_value, program->inputs + steps);
	m->planned->step = SW_NEW_ZERO(m->arena, sw_planned_step, steps);
	m->kept = SW_NEW(m->arena, int, program->values + 1);
	return (m->planned->value && m->planned->step && m->kept) || sw_diag_memory(m->diag);
}

static bool make_inputs(maker *m)
{
	for (int i = 0; i < m->program->inputs; i++) {
		m->kept[i] = add_value(m, m->program->value[i].name, &m->program->value[i].home);
		if (m->kept[i] < 0)
			return false;
		m->planned->value[i].made = m->planned->value[i].last = -1;
	}
	return true;
}

/* The type of the result may be left open: it is then that in which the value is kept. */
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

/* What a file says of the program: a use in another type than the home is a statement there, with a name. */
static const sw_program *as_written(const sw_program *program, sw_arena *arena, sw_diag *diag)
{
	sw_text text = {0};
	sw_program *written = SW_NEW_ZERO(arena, sw_program, 1);
	sw_program_print(program, &text);
	sw_str kept = {sw_arena_copy(arena, sw_text_get(&text), text.length), text.length};
	sw_text_free(&text);
	if (!written || !kept.at) {
		sw_diag_memory(diag);
		return NULL;
	}
	return sw_program_parse(kept, NULL, arena, written, diag) ? written : NULL;
}

bool sw_planned_make(const sw_program *program, const sw_plan *const *plan, const sw_plan_options *options,
	sw_arena *arena, sw_planned *planned, sw_diag *diag)
{
	if (!refuse_open(program, diag))
		return false;
	program = as_written(program, arena, diag);
	maker m = {program, plan, options, arena, diag, planned, 0, NULL};
	*planned = (sw_planned){.program = program};
	if (!program || !make_room(&m) || !make_inputs(&m))
		return false;
	for (int s = 0; s < program->statements; s++)
		if (!make_statement(&m, s))
			return false;
	planned->returned = in_type(&m, program->statements, m.kept[program->returned],
		program->value[program->returned].name,
		program->result_open ? &program->value[program->returned].home : &program->result);
	if (planned->returned < 0)
		return false;
	planned->value[planned->returned].last = planned->count;
	return true;
}

const sw_equation *sw_planned_equation(const sw_planned *planned, const sw_planned_step *step)
{
	return &planned->program->statement[step->statement].equation;
}

/* ---- other elements ---- */

static void put_dtype(sw_type *type, sw_dtype dtype)
{
	type->dtype = dtype;
	type->dtype_given = true;
}

static bool copy_body(sw_program_statement *statement, sw_dtype dtype, sw_arena *arena)
{
	sw_body *body = SW_NEW(arena, sw_body, 1);
	if (!body)
		return false;
	*body = *statement->body;
	put_dtype(&body->as, dtype);
	statement->body = body;
	return true;
}

bool sw_program_with_dtype(const sw_program *program, sw_dtype dtype, sw_arena *arena, sw_program *out, sw_diag *diag)
{
	sw_typing typing = {.arena = arena};
	*out = *program;
	out->value = SW_NEW(arena, sw_program_value, program->values + 1);
	out->statement = SW_NEW(arena, sw_program_statement, program->statements + 1);
	if (!out->value || !out->statement)
		return sw_diag_memory(diag);
	for (int i = 0; i < program->values; i++) {
		out->value[i] = program->value[i];
		put_dtype(&out->value[i].home, dtype);
	}
	for (int s = 0; s < program->statements; s++) {
		sw_program_statement *statement = &out->statement[s];
		*statement = program->statement[s];
		if (!sw_typing_put(&typing, statement, put_dtype, dtype) ||
			(statement->body && !copy_body(statement, dtype, arena)))
			return sw_diag_memory(diag);
	}
	put_dtype(&out->result, dtype);
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Typing programs.
 *
 * Source: seed 000, figures 7 to 9.
 */
#include "program/typing.h"

#include <string.h>

#include <shardwalk/number.h>

#include "program/body.h"
#include "program/ops.h"
#include "program/rules.h"

static const sw_span type_nowhere = {0, 0};

bool sw_program_open(const sw_program *program)
{
	bool open = program->result_open;
	for (int v = 0; v < program->values; v++)
		open |= program->value[v].open;
	return open;
}

/* The same array, whole on every device. */
static sw_type type_whole(const sw_type *type)
{
	sw_type whole = *type;
	bool given = type->dtype_given;
	sw_type_replicated(type->dtype, type->rank, type->global, &whole, NULL);
	whole.dtype_given = given;
	return whole;
}

/* ---- shared types ---- */

static bool type_written_alike(const sw_type *a, const sw_type *b)
{
	return a->dtype_given == b->dtype_given && a->padding == b->padding && sw_type_equal(a, b);
}

static bool type_all_alike(const sw_statement_types *a, const sw_statement_types *b)
{
	return type_written_alike(&a->computed, &b->computed) && type_written_alike(&a->use[0], &b->use[0]) &&
		type_written_alike(&a->use[1], &b->use[1]);
}

static uint64_t type_hash(uint64_t hash, const sw_type *type)
{
	for (int d = 0; d < type->rank; d++)
		hash = (hash ^ (uint64_t)type->tile[d]) * 1099511628211u;
	for (int i = 0; i < type->first[type->rank + 1]; i++)
		hash = (hash ^ type->packed.axis[i]) * 1099511628211u;
	return hash ^ hash >> 32;
}

const sw_statement_types *sw_typing_share(sw_typing *typing, const sw_statement_types *types)
{
	uint64_t hash = type_hash(type_hash(type_hash(0, &types->use[0]), &types->use[1]), &types->computed);
	const sw_statement_types **latest = &typing->latest[hash % SW_TYPING_LATEST];
	if (*latest && type_all_alike(*latest, types))
		return *latest;
	sw_statement_types *own = SW_NEW(typing->arena, sw_statement_types, 1);
	if (own)
		*own = *types;
	*latest = own;
	return own;
}

/* ---- statements ---- */

static bool type_any_open(const sw_program *program, const sw_program_statement *statement)
{
	bool open = false;
	for (int i = 0; i < statement->count; i++)
		open |= program->value[statement->operand[i]].open;
	return open;
}

static bool type_uses(const sw_program *program, const sw_program_statement *statement, bool uses,
	sw_statement_types *types, sw_diag *diag)
{
	for (int i = 0; i < statement->count && i < 2; i++) {
		const sw_program_value *value = &program->value[statement->operand[i]];
		if (!uses || sw_program_op_has_body(statement->op))
			types->use[i] = value->home;
		else if (!sw_rule_same_array(&program->mesh, &value->home, &types->use[i], diag))
			return false;
	}
	return true;
}

/* The element type of a body's result is that of its operands. */
static bool type_body_elements(const sw_type *operand, int count, sw_type *as, sw_diag *diag)
{
	for (int i = 0; i < count; i++) {
		if (operand[i].dtype_given && as->dtype_given && operand[i].dtype != as->dtype) {
			sw_diag_set(diag, SW_A15, type_nowhere, "the body computes %s from %s", sw_dtype_name(as->dtype),
				sw_dtype_name(operand[i].dtype));
			sw_diag_expected(diag, "one element type for all operands and the result");
			sw_diag_found(diag, "%s and %s", sw_dtype_name(operand[i].dtype), sw_dtype_name(as->dtype));
			return sw_rule_name(diag, SW_RULE_OUT);
		}
		if (operand[i].dtype_given) {
			as->dtype = operand[i].dtype;
			as->dtype_given = true;
		}
	}
	return true;
}

void sw_typing_operands(const sw_program *program, const sw_program_statement *statement,
	sw_type operand[SW_MAX_OPERANDS])
{
	for (int i = 0; i < statement->count; i++)
		operand[i] = program->value[statement->operand[i]].home;
}

static bool type_body(const sw_program *program, const sw_program_statement *statement, sw_type *computed,
	sw_diag *diag)
{
	const sw_body *body = statement->body;
	sw_type operand[SW_MAX_OPERANDS];
	sw_typing_operands(program, statement, operand);
	for (int i = 0; i < statement->count; i++) {
		bool open = program->value[statement->operand[i]].open;
		if (!sw_body_check_parameter(&program->mesh, &operand[i], open, &body->local[i], diag))
			return false;
	}
	*computed = body->as;
	return sw_body_check_result(&program->mesh, body, diag) &&
		type_body_elements(operand, statement->count, computed, diag) &&
		(!statement->typed || sw_body_check_copies(&program->mesh, body, operand, diag));
}

static bool type_home(const sw_program *program, const sw_program_statement *statement, const sw_type *computed,
	sw_program_value *value, sw_diag *diag)
{
	if (sw_program_op_has_body(statement->op))
		value->home = *computed;
	else if (statement->home_given)
		return sw_rule_same_array(&program->mesh, computed, &value->home, diag);
	else
		value->home = value->open ? type_whole(computed) : *computed;
	return true;
}

static bool type_compute(const sw_program *program, const sw_program_statement *statement, sw_statement_types *types,
	sw_diag *diag)
{
	if (sw_program_op_has_body(statement->op))
		return type_body(program, statement, &types->computed, diag);
	return statement->typed ?
		sw_rule_compute(&program->mesh, statement->op, &statement->equation, types->use, &types->computed, diag) :
		sw_rule_shape(statement->op, &statement->equation, types->use, &types->computed, diag);
}

bool sw_typing_statement(sw_typing *typing, sw_program *program, int s, bool uses, sw_diag *diag)
{
	sw_program_statement *statement = &program->statement[s];
	sw_program_value *value = &program->value[sw_program_value_of(program, s)];
	bool body = sw_program_op_has_body(statement->op);
	sw_statement_types types = {0};
	if (uses && statement->types)
		types = *statement->types;
	statement->typed = (body || !value->open) && !type_any_open(program, statement);
	if (!type_uses(program, statement, uses, &types, diag) || !type_compute(program, statement, &types, diag))
		return false;
	statement->types = sw_typing_share(typing, &types);
	if (!statement->types)
		return sw_diag_memory(diag);
	value->open |= !body && !statement->typed && !statement->home_given;
	return type_home(program, statement, &types.computed, value, diag);
}

/* ---- the return ---- */

bool sw_typing_return(sw_program *program, bool uses, sw_diag *diag)
{
	const sw_program_value *value = &program->value[program->returned];
	sw_type home = value->home, result = program->result_open ? home : program->result;
	sw_text text[2] = {{0}, {0}};
	sw_type_agree(&home, &result);
	bool array = sw_type_redistributable(&home, &result, NULL);
	if (array && (value->open || uses || sw_type_same_map(&program->mesh, &home, &result))) {
		program->result = result;
		return true;
	}
	sw_type_print(&program->mesh, &value->home, value->home.dtype_given, &text[0]);
	sw_type_print(&program->mesh, &program->result, program->result.dtype_given, &text[1]);
	sw_diag_set(diag, SW_A18, type_nowhere, "%s is returned as %s", sw_text_get(&text[0]), sw_text_get(&text[1]));
	sw_diag_expected(diag, "%s, the type of the signature", sw_text_get(&text[1]));
	sw_diag_found(diag, "%s", sw_text_get(&text[0]));
	if (array)
		sw_diag_hint(diag, "write NAME = redistribute %.*s as %s, and return NAME", (int)value->name.length,
			value->name.at, sw_text_get(&text[1]));
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return sw_rule_name(diag, SW_RULE_RETURN);
}

/* ---- element types ---- */

static void type_take_dtype(sw_type *type, sw_dtype dtype)
{
	if (!type->dtype_given)
		type->dtype = dtype;
}

/* Is it said, and no other than what was said before? */
static bool type_one_dtype(const sw_type *type, sw_dtype *dtype)
{
	if (!type->dtype_given)
		return true;
	bool same = *dtype == SW_DTYPE_COUNT || *dtype == type->dtype;
	*dtype = type->dtype;
	return same;
}

bool sw_typing_put(sw_typing *typing, sw_program_statement *statement, void (*put)(sw_type *type, sw_dtype dtype),
	sw_dtype dtype)
{
	sw_statement_types types = *statement->types;
	put(&types.use[0], dtype);
	put(&types.use[1], dtype);
	put(&types.computed, dtype);
	statement->types = sw_typing_share(typing, &types);
	return statement->types;
}

bool sw_typing_elements(sw_typing *typing, sw_program *program, sw_diag *diag)
{
	sw_dtype dtype = SW_DTYPE_COUNT;
	bool one = program->result_open || type_one_dtype(&program->result, &dtype);
	for (int v = 0; one && v < program->values; v++)
		one = type_one_dtype(&program->value[v].home, &dtype);
	if (!one || dtype == SW_DTYPE_COUNT)
		return true;
	type_take_dtype(&program->result, dtype);
	for (int v = 0; v < program->values; v++)
		type_take_dtype(&program->value[v].home, dtype);
	for (int s = 0; s < program->statements; s++)
		if (!sw_typing_put(typing, &program->statement[s], type_take_dtype, dtype))
			return sw_diag_memory(diag);
	return true;
}

/* ---- notes ---- */

bool sw_typing_notes(sw_program *program, sw_arena *arena, sw_diag *diag)
{
	sw_program_note *notes = NULL;
	int count = 0, room = 0;
	for (int s = 0; s < program->statements; s++) {
		const sw_program_statement *statement = &program->statement[s];
		sw_type operand[SW_MAX_OPERANDS];
		const char *note = NULL;
		if (!sw_program_op_has_body(statement->op) || !statement->typed)
			continue;
		sw_typing_operands(program, statement, operand);
		if (!sw_body_note(&program->mesh, statement->body, operand, arena, &note) ||
			(note && !SW_GROW(arena, notes, count, room, 4)))
			return sw_diag_memory(diag);
		if (note)
			notes[count++] = (sw_program_note){statement->at, note};
	}
	program->note = notes;
	program->notes = count;
	return true;
}

/* ---- all ---- */

static bool type_goes_on(const sw_program *program, int s, const sw_pulse *pulse, sw_diag *diag)
{
	enum { OFTEN = 1024 };
	if (s % OFTEN != OFTEN - 1 || sw_pulse_beat(pulse, "statements", s, program->statements))
		return true;
	return sw_diag_set(diag, SW_S03, type_nowhere, "stopped after %d statements were typed", s);
}

bool sw_typing_all(sw_typing *typing, sw_program *program, bool uses, const sw_pulse *pulse, sw_diag *diag)
{
	for (int s = 0; s < program->statements; s++)
		if (!type_goes_on(program, s, pulse, diag) || !sw_typing_statement(typing, program, s, uses, diag)) {
			if (diag && diag->at.end == 0)
				diag->at = program->statement[s].at;
			return false;
		}
	return sw_typing_return(program, uses, diag);
}

/* Values and statements as they were, in `kept`, or back from there. */
static bool type_keep(const sw_program *program, sw_arena *kept, sw_program *before)
{
	*before = *program;
	before->value = SW_NEW(kept, sw_program_value, program->values);
	before->statement = SW_NEW(kept, sw_program_statement, program->statements);
	if (!before->value || !before->statement)
		return false;
	memcpy(before->value, program->value, sizeof(sw_program_value) * (size_t)program->values);
	memcpy(before->statement, program->statement, sizeof(sw_program_statement) * (size_t)program->statements);
	return true;
}

static void type_put_back(const sw_program *before, sw_program *program)
{
	sw_program_value *value = program->value;
	sw_program_statement *statement = program->statement;
	memcpy(value, before->value, sizeof(sw_program_value) * (size_t)before->values);
	memcpy(statement, before->statement, sizeof(sw_program_statement) * (size_t)before->statements);
	*program = *before;
	program->value = value;
	program->statement = statement;
}

bool sw_program_type(sw_program *program, bool uses, sw_arena *arena, sw_diag *diag)
{
	sw_arena *kept = sw_arena_new();
	sw_typing typing = {.arena = arena};
	sw_program before;
	bool typed = (kept && type_keep(program, kept, &before)) || sw_diag_memory(diag);
	if (typed && !sw_typing_all(&typing, program, uses, NULL, diag)) {
		type_put_back(&before, program);
		typed = false;
	}
	sw_arena_free(kept);
	return typed && sw_typing_elements(&typing, program, diag) && sw_typing_notes(program, arena, diag);
}

/* ---- operations ---- */

/* Twice the product of the sizes of a product of tiles. */
static bool type_local_flops(const sw_local *local, const sw_local *call, int64_t *flops)
{
	int64_t size;
	return sw_mul(call->tile[0], call->tile[1], &size) && sw_mul(size, local[call->operand[0]].tile[1], &size) &&
		sw_mul(size, 2, &size) && sw_add(*flops, size, flops);
}

bool sw_program_flops(const sw_program *program, int s, int64_t *flops, sw_diag *diag)
{
	const sw_program_statement *statement = &program->statement[s];
	const sw_body *body = sw_program_op_has_body(statement->op) ? statement->body : NULL;
	int64_t sum = 0;
	if (sw_program_op_multiplies(statement->op))
		return sw_product_flops(&statement->equation, &statement->types->use[0], &statement->types->use[1], flops,
			diag);
	for (int i = body ? body->parameters : 0; body && i < body->count; i++)
		if (sw_program_op_multiplies(body->local[i].op) && !type_local_flops(body->local, &body->local[i], &sum)) {
			sw_diag_set(diag, SW_S09, statement->at, "the operations of the body are more than 64 bits count");
			return false;
		}
	*flops = sum;
	return true;
}

/* ---- redistributions ---- */

typedef struct type_list {
	const sw_program *program;
	sw_arena *arena;
	sw_redistribution *item;
	int count, room;
} type_list;

static bool type_add_move(type_list *list, int statement, int operand, int value, const sw_type *from,
	const sw_type *to)
{
	if (sw_type_same_map(&list->program->mesh, from, to))
		return true;
	if (!SW_GROW(list->arena, list->item, list->count, list->room, list->program->statements + 1))
		return false;
	list->item[list->count++] =
		(sw_redistribution){.statement = statement, .operand = operand, .value = value, .from = *from, .to = *to};
	return true;
}

static bool type_add_moves(type_list *list, int s)
{
	const sw_program *program = list->program;
	const sw_program_statement *statement = &program->statement[s];
	int result = sw_program_value_of(program, s);
	if (!statement->typed)
		return true;
	for (int i = 0; i < statement->count && i < 2 && !sw_program_op_has_body(statement->op); i++) {
		int value = statement->operand[i];
		if (!type_add_move(list, s, i, value, &program->value[value].home, &statement->types->use[i]))
			return false;
	}
	return program->value[result].open ||
		type_add_move(list, s, -1, result, &statement->types->computed, &program->value[result].home);
}

int sw_program_redistributions(const sw_program *program, sw_arena *arena, const sw_redistribution **list)
{
	type_list moves = {.program = program, .arena = arena};
	const sw_program_value *returned = &program->value[program->returned];
	for (int s = 0; s < program->statements; s++)
		if (!type_add_moves(&moves, s))
			return -1;
	if (!program->result_open && !returned->open &&
		!type_add_move(&moves, program->statements, -1, program->returned, &returned->home, &program->result))
		return -1;
	*list = moves.item;
	return moves.count;
}

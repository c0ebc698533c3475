/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Typing programs.
 *
 * Source: seed 000, figures 7 to 9.
 */
#include "program/typing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/distribution.h>
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

static bool type_any_open(const sw_program *program, const sw_step *step)
{
	bool open = false;
	for (int i = 0; i < step->operands; i++)
		open |= program->value[step->operand[i]].open;
	return open;
}

bool sw_program_typed(const sw_program *program, int s)
{
	assert(s >= 0 && s < program->steps);
	return !program->value[sw_program_value_of(program, s)].open && !type_any_open(program, &program->step[s]);
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

static uint64_t type_hash(const sw_type *type)
{
	uint64_t hash = type->rank;
	for (int d = 0; d < type->rank; d++)
		hash = (hash ^ (uint64_t)type->tile[d]) * 1099511628211u;
	for (int i = 0; i < type->first[type->rank + 1]; i++)
		hash = (hash ^ type->packed.axis[i]) * 1099511628211u;
	return hash ^ hash >> 32;
}

const sw_type *sw_typing_share(sw_typing *typing, const sw_type *type)
{
	const sw_type **latest = &typing->latest[type_hash(type) % SW_TYPING_LATEST];
	if (*latest && type_written_alike(*latest, type))
		return *latest;
	sw_type *own = SW_NEW(typing->arena, sw_type, 1);
	if (own)
		*own = *type;
	*latest = own;
	return own;
}

/* ---- element types ---- */

static void type_take_dtype(sw_type *type, sw_dtype dtype)
{
	if (!type->dtype_given)
		type->dtype = dtype;
}

static bool type_put(sw_typing *typing, const sw_type **type, void (*put)(sw_type *type, sw_dtype dtype),
	sw_dtype dtype)
{
	sw_type other = **type;
	put(&other, dtype);
	*type = sw_typing_share(typing, &other);
	return *type;
}

bool sw_typing_own(sw_typing *typing, sw_program *program)
{
	sw_value *value = SW_NEW(typing->arena, sw_value, program->values + 1);
	sw_step *step = SW_NEW(typing->arena, sw_step, program->steps + 1);
	if (!value || !step)
		return false;
	memcpy(value, program->value, sizeof(*value) * (size_t)program->values);
	memcpy(step, program->step, sizeof(*step) * (size_t)program->steps);
	for (int s = 0; s < program->steps; s++)
		step[s].inside = NULL;
	program->value = value;
	program->step = step;
	return true;
}

static const sw_program *type_put_body(sw_typing *typing, const sw_program *body,
	void (*put)(sw_type *type, sw_dtype dtype), sw_dtype dtype)
{
	sw_program *own = SW_NEW(typing->arena, sw_program, 1);
	if (!own)
		return NULL;
	*own = *body;
	return sw_typing_own(typing, own) && sw_typing_put(typing, own, put, dtype) ? own : NULL;
}

bool sw_typing_put(sw_typing *typing, sw_program *program, void (*put)(sw_type *type, sw_dtype dtype), sw_dtype dtype)
{
	if (program->result && !type_put(typing, &program->result, put, dtype))
		return false;
	for (int v = 0; v < program->values; v++)
		if (!type_put(typing, &program->value[v].type, put, dtype))
			return false;
	for (int s = 0; s < program->steps; s++) {
		sw_step *step = &program->step[s];
		if (step->body && !(step->body = type_put_body(typing, step->body, put, dtype)))
			return false;
	}
	return true;
}

/* ---- values and steps ---- */

static bool type_add_value(sw_typing *typing, const sw_value *value)
{
	sw_program *program = typing->program;
	if (!value->type || !SW_GROW(typing->arena, program->value, program->values, typing->value_room, typing->likely))
		return false;
	program->value[program->values++] = *value;
	return true;
}

bool sw_typing_input(sw_typing *typing, const sw_value *input)
{
	assert(typing->program->steps == 0);
	sw_value value = *input;
	value.type = sw_typing_share(typing, input->type);
	typing->program->inputs++;
	return type_add_value(typing, &value);
}

int sw_typing_add(sw_typing *typing, const sw_step *step, const sw_value *value, const sw_type *type, sw_diag *diag)
{
	sw_program *program = typing->program;
	sw_value made = *value;
	made.type = sw_typing_share(typing, type);
	if (!SW_GROW(typing->arena, program->step, program->steps, typing->step_room, typing->likely) ||
		!type_add_value(typing, &made)) {
		sw_diag_memory(diag);
		return -1;
	}
	program->step[program->steps++] = *step;
	return program->values - 1;
}

int sw_typing_move(sw_typing *typing, int value, sw_step_why why, const sw_type *type, const sw_distribution *words,
	sw_diag *diag)
{
	const sw_value *from = &typing->program->value[value];
	int s = sw_program_maker(typing->program, value);
	const sw_step step = {.op = SW_REDISTRIBUTE,
		.why = why,
		.operands = 1,
		.operand = {value},
		.at = s < 0 ? from->at : typing->program->step[s].at};
	const sw_value made = {.name = from->name, .at = from->at, .given = from->given, .words = words};
	return sw_typing_add(typing, &step, &made, type, diag);
}

/* ---- what steps compute ---- */

/* The element type of a body's result is that of its operands. */
static bool type_body_elements(const sw_type *const *operand, int count, sw_type *as, sw_diag *diag)
{
	for (int i = 0; i < count; i++) {
		if (operand[i]->dtype_given && as->dtype_given && operand[i]->dtype != as->dtype) {
			sw_diag_set(diag, SW_A15, type_nowhere, "the body computes %s from %s", sw_dtype_name(as->dtype),
				sw_dtype_name(operand[i]->dtype));
			sw_diag_expected(diag, "one element type for all operands and the result");
			sw_diag_found(diag, "%s and %s", sw_dtype_name(operand[i]->dtype), sw_dtype_name(as->dtype));
			return sw_rule_name(diag, SW_RULE_OUT);
		}
		if (operand[i]->dtype_given) {
			as->dtype = operand[i]->dtype;
			as->dtype_given = true;
		}
	}
	return true;
}

static void type_operands(const sw_program *program, const sw_step *step, const sw_type **operand)
{
	for (int i = 0; i < step->operands; i++)
		operand[i] = program->value[step->operand[i]].type;
}

/* What computes on tiles has operands of tile types. */
static bool type_of_tiles(const sw_program *program, const sw_step *step, sw_diag *diag)
{
	bool fits = true;
	for (int i = 0; fits && i < step->operands; i++) {
		const sw_value *operand = &program->value[step->operand[i]];
		fits = operand->words == NULL ||
			sw_type_refuse_words(&program->mesh, operand->type, operand->words, type_nowhere, diag);
	}
	return fits;
}

bool sw_type_of_body(sw_typing *typing, const sw_step *step, const sw_value *value, bool typed, sw_type *made,
	sw_diag *diag)
{
	const sw_program *program = typing->program, *body = step->body;
	const sw_type *operand[SW_MAX_OPERANDS];
	(void)value;
	if (!type_of_tiles(program, step, diag))
		return false;
	type_operands(program, step, operand);
	for (int i = 0; i < step->operands; i++) {
		bool open = program->value[step->operand[i]].open;
		if (!sw_body_check_parameter(&program->mesh, operand[i], open, &body->value[i], diag))
			return false;
	}
	*made = *body->result;
	return sw_body_check_result(&program->mesh, body, diag) &&
		type_body_elements(operand, step->operands, made, diag) &&
		(!typed || sw_body_check_copies(&program->mesh, body, operand, diag));
}

bool sw_type_moved(sw_typing *typing, const sw_step *step, const sw_value *value, bool typed, sw_type *made,
	sw_diag *diag)
{
	const sw_program *program = typing->program;
	(void)typed;
	*made = *value->type;
	return sw_rule_same_array(&program->mesh, program->value[step->operand[0]].type, made, diag);
}

static bool type_compute(const sw_program *program, const sw_step *step, bool typed, sw_type *made, sw_diag *diag)
{
	const sw_type *operand[SW_MAX_OPERANDS];
	if (!type_of_tiles(program, step, diag))
		return false;
	type_operands(program, step, operand);
	return typed ? sw_rule_compute(&program->mesh, step->op, step->equation, operand, made, diag) :
				   sw_rule_shape(step->op, step->equation, operand, made, diag);
}

int sw_typing_step(sw_typing *typing, const sw_step *step, const sw_value *value, sw_diag *diag)
{
	assert(step->operands >= 0 && step->operands <= SW_MAX_OPERANDS);
	sw_value result = *value;
	sw_step own = *step;
	sw_type made;
	own.inside = NULL;
	const sw_workings *row = sw_workings_of(step->op);
	bool said = row->type != NULL, typed = (said || !value->open) && !type_any_open(typing->program, step);
	if (said ? !row->type(typing, step, value, typed, &made, diag) :
			   !type_compute(typing->program, step, typed, &made, diag))
		return -1;
	result.open = !said && !typed;
	result.given = said;
	if (result.open)
		made = type_whole(&made);
	if (step->body && !(own.body = type_put_body(typing, step->body, type_take_dtype, made.dtype))) {
		sw_diag_memory(diag);
		return -1;
	}
	return sw_typing_add(typing, &own, &result, &made, diag);
}

int sw_typing_keep(sw_typing *typing, const sw_type *type, const sw_distribution *words, sw_diag *diag)
{
	assert(typing->program->steps > 0);
	sw_program *program = typing->program;
	int last = program->values - 1;
	sw_value *value = &program->value[last];
	sw_type home = *type;
	bool typed = sw_program_typed(program, program->steps - 1);
	if (!sw_rule_same_array(&program->mesh, value->type, &home, diag))
		return -1;
	value->open = false;
	value->given = true;
	if (typed && !sw_type_same_any(&program->mesh, value->type, value->words, &home, words))
		return sw_typing_move(typing, last, SW_STEP_TO_KEEP, &home, words, diag);
	value->words = words;
	value->type = sw_typing_share(typing, &home);
	if (value->type)
		return last;
	sw_diag_memory(diag);
	return -1;
}

int sw_typing_use(sw_typing *typing, int value, const sw_type *type, sw_diag *diag)
{
	assert(value >= 0 && value < typing->program->values);
	const sw_program *program = typing->program;
	sw_type use = *type;
	if (!sw_rule_same_array(&program->mesh, program->value[value].type, &use, diag))
		return -1;
	return sw_type_same_any(&program->mesh, program->value[value].type, program->value[value].words, &use, NULL) ?
		value :
		sw_typing_move(typing, value, SW_STEP_TO_USE, &use, NULL, diag);
}

/* ---- the return ---- */

static bool type_refuse_return(const sw_program *program, int returned, const sw_type *result,
	const sw_distribution *words, bool array, sw_diag *diag)
{
	const sw_value *value = &program->value[returned];
	sw_text text[2] = {{0}, {0}};
	sw_type_print_any(&program->mesh, value->type, value->words, value->type->dtype_given, &text[0]);
	sw_type_print_any(&program->mesh, result, words, result->dtype_given, &text[1]);
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

bool sw_typing_return(sw_typing *typing, int value, const sw_type *type, const sw_distribution *words, bool moves,
	sw_diag *diag)
{
	assert(value >= 0 && value < typing->program->values);
	sw_program *program = typing->program;
	const sw_value *returned = &program->value[value];
	sw_type home = *returned->type, result = type ? *type : home;
	sw_type_agree(&home, &result);
	bool array = sw_type_redistributable(&home, &result, NULL);
	words = type != NULL ? words : returned->words;
	bool lies = sw_type_same_any(&program->mesh, &home, returned->words, &result, words);
	if (!array || !(returned->open || moves || lies))
		return type_refuse_return(program, value, type, words, array, diag);
	program->result = sw_typing_share(typing, &result);
	if (!program->result)
		return sw_diag_memory(diag);
	program->result_words = words;
	program->returned = lies || returned->open ?
		value :
		sw_typing_move(typing, value, SW_STEP_TO_RETURN, &result, words, diag);
	return program->returned >= 0;
}

/* ---- one element type ---- */

/* Is it said, and no other than what was said before? */
static bool type_one_dtype(const sw_type *type, sw_dtype *dtype)
{
	if (!type->dtype_given)
		return true;
	bool same = *dtype == SW_DTYPE_COUNT || *dtype == type->dtype;
	*dtype = type->dtype;
	return same;
}

static bool type_elements(sw_typing *typing)
{
	sw_program *program = typing->program;
	sw_dtype dtype = SW_DTYPE_COUNT;
	bool one = program->result_open || type_one_dtype(program->result, &dtype);
	for (int v = 0; one && v < program->values; v++)
		one = type_one_dtype(program->value[v].type, &dtype);
	return !one || dtype == SW_DTYPE_COUNT || sw_typing_put(typing, program, type_take_dtype, dtype);
}

/* ---- notes ---- */

static bool type_notes(const sw_typing *typing)
{
	sw_program *program = typing->program;
	int room = 0;
	for (int s = 0; s < program->steps; s++) {
		const sw_step *step = &program->step[s];
		const sw_type *operand[SW_MAX_OPERANDS];
		const char *note = NULL;
		if (!step->body || !sw_program_typed(program, s))
			continue;
		type_operands(program, step, operand);
		if (!sw_body_note(&program->mesh, step->body, operand, typing->arena, &note) ||
			(note && !SW_GROW(typing->arena, program->note, program->notes, room, 4)))
			return false;
		if (note)
			program->note[program->notes++] = (sw_program_note){step->at, note};
	}
	return true;
}

bool sw_typing_finish(sw_typing *typing, sw_diag *diag)
{
	assert(typing->program->values == typing->program->inputs + typing->program->steps);
	return (type_elements(typing) && type_notes(typing)) || sw_diag_memory(diag);
}

/* ---- rounds ---- */

bool *sw_program_constants(const sw_program *program, sw_arena *arena)
{
	bool *constant = SW_NEW(arena, bool, program->values + 1);
	for (int v = 0; constant && v < program->values; v++) {
		int s = sw_program_maker(program, v);
		constant[v] = sw_program_repeats(program) && v > 0;
		for (int i = 0; s >= 0 && i < program->step[s].operands; i++)
			constant[v] &= constant[program->step[s].operand[i]];
	}
	return constant;
}

/* ---- as it is written ---- */

static int type_bare_value(const sw_program *program, const int *of, int s)
{
	return program->step[s].why == SW_STEP_WRITTEN ? -1 : of[program->step[s].operand[0]];
}

static bool type_bare_room(const sw_program *program, sw_arena *arena, sw_program *bare)
{
	*bare = *program;
	bare->value = SW_NEW(arena, sw_value, program->values + 1);
	bare->step = SW_NEW(arena, sw_step, program->steps + 1);
	bare->values = program->inputs;
	bare->steps = 0;
	return bare->value && bare->step;
}

bool sw_program_bare(const sw_program *program, sw_arena *arena, sw_program *bare, int *of)
{
	if (!type_bare_room(program, arena, bare))
		return false;
	for (int v = 0; v < program->inputs; v++) {
		bare->value[v] = program->value[v];
		of[v] = v;
	}
	for (int s = 0; s < program->steps; s++) {
		int v = sw_program_value_of(program, s), same = type_bare_value(program, of, s);
		if (s == program->loop)
			bare->loop = bare->steps;
		of[v] = same >= 0 ? same : bare->values;
		if (program->step[s].why == SW_STEP_TO_KEEP)
			bare->value[same] = program->value[v];
		if (same >= 0)
			continue;
		sw_step *step = &bare->step[bare->steps++];
		*step = program->step[s];
		if (step->equation)
			step->formula = NULL;
		for (int i = 0; i < step->operands; i++)
			step->operand[i] = of[step->operand[i]];
		bare->value[bare->values++] = program->value[v];
	}
	bare->returned = of[program->returned];
	bare->brings = program->loop > 0 ? of[program->brings] : 0;
	return true;
}

/* ---- operations ---- */

/* Twice the product of the sizes of all letters. */
static bool type_product_flops(const sw_program *program, const sw_step *step, int64_t *sum, sw_diag *diag)
{
	int64_t flops;
	return sw_product_flops(step->equation, program->value[step->operand[0]].type,
			   program->value[step->operand[1]].type, &flops, diag) &&
		(sw_add(*sum, flops, sum) ||
			sw_diag_set(diag, SW_S09, step->at, "the operations of the body are more than 64 bits count"));
}

static bool type_body_flops(const sw_program *body, int64_t *sum, sw_diag *diag)
{
	bool fits = true;
	for (int s = 0; fits && s < body->steps; s++)
		fits = !body->step[s].equation || type_product_flops(body, &body->step[s], sum, diag);
	return fits;
}

bool sw_program_flops(const sw_program *program, int s, int64_t *flops, sw_diag *diag)
{
	assert(s >= 0 && s < program->steps);
	const sw_step *step = &program->step[s];
	int64_t sum = 0;
	if (step->equation ? !type_product_flops(program, step, &sum, diag) :
			step->body ? !type_body_flops(step->body, &sum, diag) :
						 false)
		return false;
	*flops = sum;
	return true;
}

/* ---- redistributions ---- */

static bool type_moves(const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	return !sw_op_computes(step->op) && sw_program_typed(program, s) &&
		(sw_program_has_words(program, s) ||
			!sw_type_same_map(&program->mesh, program->value[step->operand[0]].type,
				program->value[sw_program_value_of(program, s)].type));
}

int sw_program_next_move(const sw_program *program, int s)
{
	assert(s >= -1);
	for (s++; s < program->steps; s++)
		if (type_moves(program, s))
			return s;
	return -1;
}

int sw_program_moves(const sw_program *program)
{
	int moves = 0;
	for (int s = sw_program_next_move(program, -1); s >= 0; s = sw_program_next_move(program, s))
		moves++;
	return moves;
}

unsigned sw_program_reads(const sw_program *program)
{
	unsigned *reads = calloc((size_t)program->values + 1, sizeof(*reads)), all = ~0u;
	for (int v = 0; reads && v < program->inputs; v++)
		reads[v] = 1u << (v & 31);
	for (int s = 0; reads && s < program->steps; s++)
		for (int i = 0; i < program->step[s].operands; i++)
			reads[sw_program_value_of(program, s)] |= reads[program->step[s].operand[i]];
	all = reads ? reads[program->returned] : all;
	free(reads);
	return all;
}

int sw_program_statement(const sw_program *program, int s)
{
	assert(s >= 0 && s < program->steps);
	int number = 0;
	for (int k = 0; k <= s; k++)
		number += program->step[k].why != SW_STEP_TO_KEEP;
	return number;
}

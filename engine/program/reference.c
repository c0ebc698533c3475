/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program on whole arrays: what its tiles are compared with.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "index/box.h"
#include "plan/devices.h"
#include "program/ops.h"

static const sw_type *type_of(const sw_program *program, int value)
{
	return program->value[value].type;
}

static bool shares_array(const sw_workings *row)
{
	return row->shares || !row->reference;
}

/* What is computed from nothing but itself is the same array. */
static int origin_of(const sw_program *program, int value)
{
	for (int s = sw_program_maker(program, value); s >= 0 && shares_array(sw_workings_of(program->step[s].op));
		 s = sw_program_maker(program, value))
		value = program->step[s].operand[0];
	return value;
}

static bool array_bytes(const sw_program *program, int value, int64_t *bytes)
{
	const sw_type *type = type_of(program, value);
	return sw_mul(sw_type_globalsize(type), sw_dtype_bytes(type->dtype), bytes) && sw_add(*bytes, 63, bytes);
}

int64_t sw_reference_bytes(const sw_program *program)
{
	int64_t sum = 0, bytes;
	for (int i = 0; i < program->values; i++)
		if (origin_of(program, i) == i && (!array_bytes(program, i, &bytes) || !sw_add(sum, bytes / 64 * 64, &sum)))
			return -1;
	return sum;
}

bool sw_reference_make(const sw_data *data, void *memory, sw_arena *arena, sw_reference *whole, sw_diag *diag)
{
	const sw_program *program = data->program;
	int64_t bytes, at = 0;
	*whole = (sw_reference){.data = data};
	whole->array = SW_NEW_ZERO(arena, void *, program->values + 1);
	whole->origin = SW_NEW(arena, int, program->values + 1);
	whole->error = SW_NEW(arena, double, program->values + 1);
	if (!whole->array || !whole->origin || !whole->error)
		return sw_diag_memory(diag);
	for (int i = 0; i < program->values; i++) {
		int origin = origin_of(program, i);
		whole->origin[i] = origin;
		whole->error[i] = i >= program->inputs && data->value[i].exactness == SW_DATA_ROUNDED ? NAN : 0;
		if (!memory)
			continue;
		whole->array[i] = origin == i ? (char *)memory + at : whole->array[origin];
		if (origin == i && array_bytes(program, i, &bytes))
			at += bytes / 64 * 64;
	}
	return true;
}

/* ---- tiles of arrays ---- */

void sw_reference_cut(const sw_type *type, const void *whole, const int64_t *offset, void *tile)
{
	sw_box_move(type->dtype, (sw_corner){tile, type->tile, NULL},
		(sw_corner){(char *)(uintptr_t)whole, type->global, offset}, type->tile, type->rank, false);
}

void sw_reference_put(const sw_type *type, void *whole, const int64_t *offset, const void *tile)
{
	sw_box_move(type->dtype, (sw_corner){whole, type->global, offset},
		(sw_corner){(char *)(uintptr_t)tile, type->tile, NULL}, type->tile, type->rank, false);
}

/* ---- inputs ---- */

void sw_reference_input(const sw_reference *whole, int input, int part, int parts)
{
	assert(input >= 0 && input < whole->data->program->inputs && part >= 0 && part < parts);
	const sw_type *type = type_of(whole->data->program, input);
	int64_t offset[SW_MAX_DIMS] = {0}, size[SW_MAX_DIMS], row = sw_dtype_bytes(type->dtype);
	memcpy(size, type->global, sizeof size);
	for (int i = 1; i < type->rank; i++)
		row *= size[i];
	if (type->rank) {
		offset[0] = type->global[0] * part / parts;
		size[0] = type->global[0] * (part + 1) / parts - offset[0];
	}
	if ((type->rank && size[0] > 0) || (!type->rank && part == 0))
		sw_data_fill(whole->data, input, offset, size, -1, (char *)whole->array[input] + offset[0] * row);
}

/* ---- bodies ---- */

typedef struct bodies {
	const sw_reference *whole;
	const sw_program *program;
	int s, result; /* step and its value */
	const sw_step *step;
	const sw_type *type;
	char *tile[SW_MAX_OPERANDS], *made, *room, *seen;
} bodies;

static int64_t tile_bytes(const sw_type *type)
{
	return sw_type_localsize(type) * sw_dtype_bytes(type->dtype);
}

static bool bodies_open(bodies *b)
{
	int64_t seen = 1;
	for (int i = 0; i < b->type->rank; i++)
		seen *= b->type->global[i] / b->type->tile[i];
	b->seen = calloc((size_t)(seen * sw_type_terms(b->type)), 1);
	b->room = malloc((size_t)(sw_compute_room(b->program, b->s) + tile_bytes(b->type)));
	b->made = malloc((size_t)tile_bytes(b->type));
	bool ok = b->seen && b->room && b->made;
	for (int i = 0; i < b->step->operands; i++) {
		b->tile[i] = malloc((size_t)tile_bytes(type_of(b->program, b->step->operand[i])));
		ok = ok && b->tile[i];
	}
	return ok;
}

static void bodies_close(bodies *b)
{
	for (int i = 0; i < b->step->operands; i++)
		free(b->tile[i]);
	free(b->seen);
	free(b->room);
	free(b->made);
}

/* What the device in a slot computes comes to its place; terms are added. */
static void run_slot(bodies *b, int64_t slot, const int64_t *offset)
{
	const sw_work work = {(const void *const *)b->tile, b->made, b->room, NULL, 0};
	for (int i = 0; i < b->step->operands; i++) {
		const sw_type *type = type_of(b->program, b->step->operand[i]);
		int64_t at[SW_MAX_DIMS];
		sw_type_offset(&b->program->mesh, type, slot, at);
		sw_reference_cut(type, b->whole->array[b->step->operand[i]], at, b->tile[i]);
	}
	sw_body_run(b->program, b->s, &work);
	if (sw_type_terms(b->type) > 1) {
		char *sum = b->room;
		sw_reference_cut(b->type, b->whole->array[b->result], offset, sum);
		sw_add_to(b->type->dtype, b->made, sum, sw_type_localsize(b->type));
	}
	sw_reference_put(b->type, b->whole->array[b->result], offset, b->made);
}

bool sw_body_reference(const sw_reference *whole, int s, int part, int parts)
{
	const sw_program *program = whole->data->program;
	int result = sw_program_value_of(program, s);
	bodies b = {.whole = whole,
		.program = program,
		.s = s,
		.result = result,
		.step = &program->step[s],
		.type = type_of(program, result)};
	int64_t terms = sw_type_terms(b.type), offset[SW_MAX_DIMS];
	bool ok = bodies_open(&b);
	if (ok && terms > 1 && part == 0)
		memset(whole->array[result], 0, (size_t)(sw_type_globalsize(b.type) * sw_dtype_bytes(b.type->dtype)));
	for (int64_t slot = 0; ok && slot < program->mesh.devices; slot++) {
		sw_type_offset(&program->mesh, b.type, slot, offset);
		int64_t number = sw_tile_number(b.type->rank, b.type->global, b.type->tile, offset) * terms +
			sw_type_term(&program->mesh, b.type, slot);
		bool mine = terms > 1 ? part == 0 : number % parts == part;
		if (mine && !b.seen[number])
			run_slot(&b, slot, offset);
		b.seen[number] = 1;
	}
	bodies_close(&b);
	return ok;
}

/* ---- steps ---- */

static void letters_of(const sw_program *program, int s, sw_letters *letters)
{
	const sw_step *step = &program->step[s];
	sw_letters_of(step->equation, type_of(program, step->operand[0])->global,
		type_of(program, step->operand[1])->global, letters);
}

bool sw_product_reference(const sw_reference *whole, int s, int part, int parts)
{
	const sw_program *program = whole->data->program;
	const sw_step *step = &program->step[s];
	sw_letters letters;
	letters_of(program, s, &letters);
	int64_t rows = letters.kept ? letters.letter[0].size : 1, first = rows * part / parts;
	sw_contract(&letters, type_of(program, step->operand[0])->dtype, whole->array[step->operand[0]],
		whole->array[step->operand[1]], whole->array[sw_program_value_of(program, s)], first,
		rows * (part + 1) / parts - first);
	return true;
}

bool sw_elements_reference(const sw_reference *whole, int s, int part, int parts)
{
	const sw_program *program = whole->data->program;
	const sw_step *step = &program->step[s];
	int result = sw_program_value_of(program, s);
	const sw_type *type = type_of(program, result);
	int64_t all = sw_type_globalsize(type), first = all * part / parts, size = sw_dtype_bytes(type->dtype);
	const char *a = whole->array[step->operand[0]], *b = step->operands > 1 ? whole->array[step->operand[1]] : NULL;
	sw_by_element(step->op, type->dtype, a + first * size, b ? b + first * size : NULL,
		(char *)whole->array[result] + first * size, all * (part + 1) / parts - first);
	return true;
}

bool sw_reference_step(const sw_reference *whole, int s, int part, int parts)
{
	assert(s >= 0 && s < whole->data->program->steps && part >= 0 && part < parts);
	const sw_workings *row = sw_workings_of(whole->data->program->step[s].op);
	return !row->reference || row->reference(whole, s, part, parts);
}

void sw_reference_again(const sw_reference *whole, int part, int parts)
{
	const sw_program *program = whole->data->program;
	const sw_type *type = type_of(program, 0);
	int brings = sw_program_brings(program);
	int64_t all = sw_type_globalsize(type), size = sw_dtype_bytes(type->dtype), first = all * part / parts;
	if (whole->array[0] == whole->array[brings])
		return;
	memcpy((char *)whole->array[0] + first * size, (const char *)whole->array[brings] + first * size,
		(size_t)((all * (part + 1) / parts - first) * size));
	whole->error[0] = whole->error[brings];
}

/* ---- rounding ---- */

static double unit_of(sw_dtype dtype)
{
	return dtype == SW_F32 ? 0x1p-24 : dtype == SW_F64 ? 0x1p-53 : 0;
}

static sw_extent extent_of_products(sw_extent a, sw_extent b, double summed, double unit)
{
	double each = a.most * b.most, slack = (summed + 8) * unit;
	return (
		sw_extent){summed * each, summed * (slack * each + a.error * b.most + b.error * a.most + a.error * b.error)};
}

sw_extent sw_product_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit)
{
	sw_letters letters;
	double summed = 1;
	(void)terms;
	letters_of(program, s, &letters);
	for (int i = letters.kept; i < letters.count; i++)
		summed *= (double)letters.letter[i].size;
	return extent_of_products(operand[0], operand[1], summed, unit);
}

sw_extent sw_same_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit)
{
	(void)program, (void)s, (void)terms, (void)unit;
	return operand[0];
}

static sw_extent extent_kept(sw_extent a, sw_extent b, double unit)
{
	(void)b, (void)unit;
	return a;
}

static sw_extent extent_of_twice(sw_extent a, sw_extent b, double unit)
{
	(void)b, (void)unit;
	return (sw_extent){2 * a.most, 2 * a.error};
}

static sw_extent extent_of_sum(sw_extent a, sw_extent b, double unit)
{
	return (sw_extent){a.most + b.most, a.error + b.error + unit * (a.most + b.most)};
}

static sw_extent extent_of_product(sw_extent a, sw_extent b, double unit)
{
	return extent_of_products(a, b, 1, unit);
}

static sw_extent extent_of_power(sw_extent a, sw_extent b, double unit)
{
	(void)b;
	return (sw_extent){exp(a.most), exp(a.most) * (expm1(a.error) + 4 * unit)};
}

static sw_extent (*const extents[SW_GROWTHS])(sw_extent a, sw_extent b, double unit) = {
	[SW_GROWS_NOT] = extent_kept,
	[SW_GROWS_TWICE] = extent_of_twice,
	[SW_GROWS_AS_SUM] = extent_of_sum,
	[SW_GROWS_AS_PRODUCT] = extent_of_product,
	[SW_GROWS_AS_POWER] = extent_of_power,
};

sw_extent sw_elements_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit)
{
	const sw_step *step = &program->step[s];
	sw_extent e = extents[sw_operation_of(step->op)->grows](operand[0], operand[step->operands - 1], unit);
	e.error += terms * unit * operand[0].most;
	return e;
}

/* Terms of what it makes add up. */
/* Where memory is short nothing is known of it. */
sw_extent sw_body_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit)
{
	const sw_program *body = program->step[s].body;
	sw_extent *made = calloc((size_t)body->values, sizeof *made), e = {INFINITY, INFINITY};
	if (!made)
		return e;
	for (int i = 0; i < body->inputs; i++)
		made[i] = operand[i];
	for (int k = 0; k < body->steps; k++) {
		const sw_step *call = &body->step[k];
		const sw_extent of[] = {made[call->operand[0]], made[call->operand[call->operands - 1]]};
		made[body->inputs + k] = sw_workings_of(call->op)->extent(body, k, of, 0, unit);
	}
	e = made[body->returned];
	e.error *= terms;
	free(made);
	return e;
}

static sw_extent extent_of(const sw_reference *whole, int value)
{
	const sw_type *type = type_of(whole->data->program, value);
	sw_extent e = {0, whole->error[value]};
	int64_t all = sw_type_globalsize(type);
	for (int64_t i = 0; i < all; i++)
		e.most = fmax(e.most, fabs(sw_element(type->dtype, whole->array[value], i)));
	return e;
}

void sw_reference_error(const sw_reference *whole, int value)
{
	assert(value >= 0 && value < whole->data->program->values);
	const sw_program *program = whole->data->program;
	int s = sw_program_maker(program, value);
	sw_extent operand[SW_MAX_OPERANDS];
	if (whole->data->value[value].exactness != SW_DATA_ROUNDED || s < 0)
		return;
	const sw_step *step = &program->step[s];
	for (int i = 0; i < step->operands; i++)
		operand[i] = extent_of(whole, step->operand[i]);
	double terms = (double)sw_type_terms(type_of(program, value));
	whole->error[value] =
		sw_workings_of(step->op)->extent(program, s, operand, terms, unit_of(whole->data->dtype)).error;
}

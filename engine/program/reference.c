/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program on whole arrays: what its tiles are compared with.
 */
#include <shardwalk/simulate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "program/body_run.h"

static int origin_of(const sw_planned *planned, int value)
{
	while (planned->value[value].made >= 0 && sw_program_op_moves(planned->step[planned->value[value].made].op))
		value = planned->step[planned->value[value].made].operand[0];
	return value;
}

static bool array_bytes(const sw_planned *planned, int value, int64_t *bytes)
{
	const sw_type *type = &planned->value[value].type;
	return sw_mul(sw_type_globalsize(type), sw_dtype_bytes(type->dtype), bytes) && sw_add(*bytes, 63, bytes);
}

int64_t sw_reference_bytes(const sw_planned *planned)
{
	int64_t sum = 0, bytes;
	for (int i = 0; i < planned->values; i++)
		if (origin_of(planned, i) == i && (!array_bytes(planned, i, &bytes) || !sw_add(sum, bytes / 64 * 64, &sum)))
			return -1;
	return sum;
}

bool sw_reference_make(const sw_data *data, void *memory, sw_arena *arena, sw_reference *whole, sw_diag *diag)
{
	const sw_planned *planned = data->planned;
	int64_t bytes, at = 0;
	*whole = (sw_reference){.data = data};
	whole->array = SW_NEW_ZERO(arena, void *, planned->values + 1);
	whole->origin = SW_NEW(arena, int, planned->values + 1);
	whole->error = SW_NEW(arena, double, planned->values + 1);
	if (!whole->array || !whole->origin || !whole->error)
		return sw_diag_memory(diag);
	for (int i = 0; i < planned->values; i++) {
		int origin = origin_of(planned, i);
		whole->origin[i] = origin;
		whole->error[i] = data->value[i].exactness == SW_DATA_ROUNDED ? NAN : 0;
		if (!memory)
			continue;
		whole->array[i] = origin == i ? (char *)memory + at : whole->array[origin];
		if (origin == i && array_bytes(planned, i, &bytes))
			at += bytes / 64 * 64;
	}
	return true;
}

/* ---- tiles of arrays ---- */

/* Rows of a tile that follow each other in memory in the whole array as well. */
static void move_tile(const sw_type *type, char *whole, const int64_t *offset, char *tile, bool out)
{
	int64_t at[SW_MAX_DIMS] = {0}, row = sw_dtype_bytes(type->dtype);
	int outer = type->rank;
	while (outer > 0) {
		outer--;
		row *= type->tile[outer];
		if (type->tile[outer] != type->global[outer])
			break;
	}
	for (bool more = true; more;) {
		int64_t index = 0;
		for (int i = 0; i < type->rank; i++)
			index = index * type->global[i] + offset[i] + (i < outer ? at[i] : 0);
		char *there = whole + index * sw_dtype_bytes(type->dtype);
		memcpy(out ? tile : there, out ? there : tile, (size_t)row);
		tile += row;
		more = false;
		for (int i = outer - 1; i >= 0 && !more; i--) {
			more = ++at[i] < type->tile[i];
			at[i] = more ? at[i] : 0;
		}
	}
}

void sw_reference_cut(const sw_type *type, const void *whole, const int64_t *offset, void *tile)
{
	move_tile(type, (char *)(uintptr_t)whole, offset, tile, true);
}

void sw_reference_put(const sw_type *type, void *whole, const int64_t *offset, const void *tile)
{
	move_tile(type, whole, offset, (char *)(uintptr_t)tile, false);
}

/* ---- inputs ---- */

void sw_reference_input(const sw_reference *whole, int input, int part, int parts)
{
	const sw_type *type = &whole->data->planned->value[input].type;
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
	const sw_planned_step *step;
	const sw_body *body;
	const sw_type *type;
	char *tile[SW_MAX_OPERANDS], *result, *room, *seen;
} bodies;

static int64_t tile_number(const sw_type *type, const int64_t *offset)
{
	int64_t number = 0;
	for (int i = 0; i < type->rank; i++)
		number = number * (type->global[i] / type->tile[i]) + offset[i] / type->tile[i];
	return number;
}

static int64_t tile_bytes(const sw_type *type)
{
	return sw_type_localsize(type) * sw_dtype_bytes(type->dtype);
}

static bool bodies_open(bodies *b)
{
	const sw_planned *planned = b->whole->data->planned;
	int64_t seen = 1, size = sw_dtype_bytes(b->type->dtype);
	for (int i = 0; i < b->type->rank; i++)
		seen *= b->type->global[i] / b->type->tile[i];
	b->seen = calloc((size_t)(seen * sw_type_terms(b->type)), 1);
	b->room = malloc((size_t)(sw_body_room(b->body) * size + tile_bytes(b->type)));
	b->result = malloc((size_t)tile_bytes(b->type));
	bool ok = b->seen && b->room && b->result;
	for (int i = 0; i < b->step->count; i++) {
		b->tile[i] = malloc((size_t)tile_bytes(&planned->value[b->step->operand[i]].type));
		ok = ok && b->tile[i];
	}
	return ok;
}

static void bodies_close(bodies *b)
{
	for (int i = 0; i < b->step->count; i++)
		free(b->tile[i]);
	free(b->seen);
	free(b->room);
	free(b->result);
}

/* What the device in a slot computes comes to its place; terms are added. */
static void run_slot(bodies *b, int64_t slot, const int64_t *offset)
{
	const sw_planned *planned = b->whole->data->planned;
	const sw_mesh *mesh = &planned->program->mesh;
	for (int i = 0; i < b->step->count; i++) {
		const sw_type *type = &planned->value[b->step->operand[i]].type;
		int64_t at[SW_MAX_DIMS];
		sw_type_offset(mesh, type, slot, at);
		sw_reference_cut(type, b->whole->array[b->step->operand[i]], at, b->tile[i]);
	}
	sw_body_run(b->body, b->type->dtype, (const void *const *)b->tile, b->result, b->room, NULL);
	if (sw_type_terms(b->type) > 1) {
		char *sum = b->room;
		sw_reference_cut(b->type, b->whole->array[b->step->result], offset, sum);
		sw_add_to(b->type->dtype, b->result, sum, sw_type_localsize(b->type));
	}
	sw_reference_put(b->type, b->whole->array[b->step->result], offset, b->result);
}

static bool run_bodies(const sw_reference *whole, const sw_planned_step *step, int part, int parts)
{
	const sw_planned *planned = whole->data->planned;
	const sw_mesh *mesh = &planned->program->mesh;
	bodies b = {.whole = whole,
		.step = step,
		.body = planned->program->statement[step->statement].body,
		.type = &planned->value[step->result].type};
	int64_t terms = sw_type_terms(b.type), offset[SW_MAX_DIMS];
	bool ok = bodies_open(&b);
	if (ok && terms > 1 && part == 0)
		memset(whole->array[step->result], 0, (size_t)(sw_type_globalsize(b.type) * sw_dtype_bytes(b.type->dtype)));
	for (int64_t slot = 0; ok && slot < mesh->devices; slot++) {
		sw_type_offset(mesh, b.type, slot, offset);
		int64_t number = tile_number(b.type, offset) * terms + sw_type_term(mesh, b.type, slot);
		bool mine = terms > 1 ? part == 0 : number % parts == part;
		if (mine && !b.seen[number])
			run_slot(&b, slot, offset);
		b.seen[number] = 1;
	}
	bodies_close(&b);
	return ok;
}

/* ---- steps ---- */

static void contract(const sw_reference *whole, const sw_planned_step *step, int part, int parts)
{
	const sw_planned *planned = whole->data->planned;
	const sw_type *a = &planned->value[step->operand[0]].type, *b = &planned->value[step->operand[1]].type;
	sw_letters letters;
	sw_letters_of(sw_planned_equation(planned, step), a->global, b->global, &letters);
	int64_t rows = letters.kept ? letters.letter[0].size : 1, first = rows * part / parts;
	sw_contract(&letters, a->dtype, whole->array[step->operand[0]], whole->array[step->operand[1]],
		whole->array[step->result], first, rows * (part + 1) / parts - first);
}

bool sw_reference_step(const sw_reference *whole, int s, int part, int parts)
{
	const sw_planned *planned = whole->data->planned;
	const sw_planned_step *step = &planned->step[s];
	const sw_type *type = &planned->value[step->result].type;
	int64_t all = sw_type_globalsize(type), first = all * part / parts, size = sw_dtype_bytes(type->dtype);
	const char *a = whole->array[step->operand[0]], *b = step->count > 1 ? whole->array[step->operand[1]] : NULL;
	if (sw_program_op_has_body(step->op))
		return run_bodies(whole, step, part, parts);
	if (sw_program_op_multiplies(step->op))
		contract(whole, step, part, parts);
	else if (!sw_program_op_moves(step->op))
		sw_by_element(step->op, type->dtype, a + first * size, b ? b + first * size : NULL,
			(char *)whole->array[step->result] + first * size, all * (part + 1) / parts - first);
	return true;
}

/* ---- rounding ---- */

/* The largest absolute value, and how far it may be off. */
typedef struct extent {
	double most, error;
} extent;

static double unit_of(sw_dtype dtype)
{
	return dtype == SW_F32 ? 0x1p-24 : dtype == SW_F64 ? 0x1p-53 : 0;
}

/* Of sums of `summed` products. */
static extent product_extent(extent a, extent b, double summed, double unit)
{
	double each = a.most * b.most, slack = (summed + 8) * unit;
	return (extent){summed * each, summed * (slack * each + a.error * b.most + b.error * a.most + a.error * b.error)};
}

static extent same_extent(extent a, extent b, double unit)
{
	(void)b, (void)unit;
	return a;
}

static extent exp_extent(extent a, extent b, double unit)
{
	(void)b;
	return (extent){exp(a.most), exp(a.most) * (expm1(a.error) + 4 * unit)};
}

static extent scale_extent(extent a, extent b, double unit)
{
	(void)b, (void)unit;
	return (extent){2 * a.most, 2 * a.error};
}

static extent add_extent(extent a, extent b, double unit)
{
	return (extent){a.most + b.most, a.error + b.error + unit * (a.most + b.most)};
}

static extent mul_extent(extent a, extent b, double unit)
{
	return product_extent(a, b, 1, unit);
}

static extent (*const element_extents[SW_DO_COUNT])(extent a, extent b, double unit) = {
	[SW_DO_RELU] = same_extent,
	[SW_DO_EXP] = exp_extent,
	[SW_DO_NEG] = same_extent,
	[SW_DO_SCALE] = scale_extent,
	[SW_DO_ADD] = add_extent,
	[SW_DO_MUL] = mul_extent,
};

static double summed_of(const sw_equation *equation, const int64_t *a, const int64_t *b)
{
	sw_letters letters;
	double summed = 1;
	sw_letters_of(equation, a, b, &letters);
	for (int i = letters.kept; i < letters.count; i++)
		summed *= (double)letters.letter[i].size;
	return summed;
}

static extent extent_of(const sw_reference *whole, int value)
{
	const sw_type *type = &whole->data->planned->value[value].type;
	extent e = {0, whole->error[value]};
	int64_t all = sw_type_globalsize(type);
	for (int64_t i = 0; i < all; i++)
		e.most = fmax(e.most, fabs(sw_element(type->dtype, whole->array[value], i)));
	return e;
}

static extent body_extent(const sw_reference *whole, const sw_planned_step *step, double unit)
{
	enum { MOST = 256 };
	extent local[MOST];
	const sw_body *body = whole->data->planned->program->statement[step->statement].body;
	for (int i = 0; i < body->count && i < MOST; i++) {
		const sw_local *at = &body->local[i];
		if (i < body->parameters) {
			local[i] = extent_of(whole, step->operand[i]);
			continue;
		}
		extent a = local[at->operand[0]],
			   b = local[sw_program_op_operands(at->op) > 1 ? at->operand[1] : at->operand[0]];
		double summed = (double)body->local[at->operand[0]].tile[1];
		local[i] = sw_program_op_multiplies(at->op) ? product_extent(a, b, summed, unit) :
													  element_extents[at->op](a, b, unit);
	}
	return local[body->returned];
}

void sw_reference_error(const sw_reference *whole, int value)
{
	const sw_planned *planned = whole->data->planned;
	if (whole->data->value[value].exactness != SW_DATA_ROUNDED || planned->value[value].made < 0)
		return;
	const sw_planned_step *step = &planned->step[planned->value[value].made];
	double unit = unit_of(whole->data->dtype), terms = (double)sw_type_terms(&planned->value[value].type);
	if (sw_program_op_moves(step->op)) {
		whole->error[value] = whole->error[step->operand[0]];
		return;
	}
	extent a = extent_of(whole, step->operand[0]), b = step->count > 1 ? extent_of(whole, step->operand[1]) : a;
	if (sw_program_op_has_body(step->op))
		whole->error[value] = body_extent(whole, step, unit).error * terms;
	else if (sw_program_op_multiplies(step->op))
		whole->error[value] = product_extent(a, b,
			summed_of(sw_planned_equation(planned, step), planned->value[step->operand[0]].type.global,
				planned->value[step->operand[1]].type.global),
			unit)
								  .error;
	else
		whole->error[value] = element_extents[step->op](a, b, unit).error + terms * unit * a.most;
}

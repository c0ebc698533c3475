/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device makes of its tiles: products, operations by element, and bodies.
 */
#include <shardwalk/simulate.h>

#include <string.h>

#include <shardwalk/number.h>

#include "program/body_run.h"

static const sw_equation matrix_product = {{2, 2, 2}, {"ij", "jk", "ik"}};

static const sw_body *body_of(const sw_planned *planned, const sw_planned_step *step)
{
	return planned->program->statement[step->statement].body;
}

static sw_dtype dtype_of(const sw_planned *planned, const sw_planned_step *step)
{
	return planned->value[step->result].type.dtype;
}

static int64_t elements_of(const int64_t *tile, int rank)
{
	int64_t count = 1;
	for (int i = 0; i < rank; i++)
		count *= tile[i];
	return count;
}

static const int64_t *tile_of(const sw_planned *planned, int value)
{
	return planned->value[value].type.tile;
}

static int64_t local_elements(const sw_local *local)
{
	return elements_of(local->tile, local->rank);
}

/* ---- room ---- */

static int64_t product_room(const sw_equation *equation, const int64_t *a, const int64_t *b)
{
	sw_letters letters;
	sw_gemm gemm;
	sw_letters_of(equation, a, b, &letters);
	sw_gemm_of(&letters, &gemm);
	return sw_gemm_room(&gemm);
}

/* Elements of all tiles that a body makes, one after the other. */
int64_t sw_body_room(const sw_body *body)
{
	int64_t sum = 0, most = 0;
	for (int i = body->parameters; i < body->count; i++) {
		const sw_local *local = &body->local[i];
		sum += local_elements(local);
		if (sw_program_op_multiplies(local->op))
			most = sw_larger(most,
				product_room(&matrix_product, body->local[local->operand[0]].tile,
					body->local[local->operand[1]].tile));
	}
	return sum + most;
}

int64_t sw_compute_room(const sw_planned *planned, const sw_planned_step *step)
{
	int64_t elements = 0;
	if (sw_program_op_multiplies(step->op))
		elements = product_room(sw_planned_equation(planned, step), tile_of(planned, step->operand[0]),
			tile_of(planned, step->operand[1]));
	else if (sw_program_op_has_body(step->op))
		elements = sw_body_room(body_of(planned, step));
	return elements * sw_dtype_bytes(dtype_of(planned, step));
}

/* ---- work ---- */

static double product_flops(const sw_equation *equation, const int64_t *a, const int64_t *b)
{
	sw_letters letters;
	double flops = 2;
	sw_letters_of(equation, a, b, &letters);
	for (int i = 0; i < letters.count; i++)
		flops *= (double)letters.letter[i].size;
	return flops;
}

double sw_compute_flops(const sw_planned *planned, const sw_planned_step *step)
{
	double flops = 0;
	if (sw_program_op_moves(step->op))
		return 0;
	if (sw_program_op_multiplies(step->op))
		return product_flops(sw_planned_equation(planned, step), tile_of(planned, step->operand[0]),
			tile_of(planned, step->operand[1]));
	if (!sw_program_op_has_body(step->op))
		return (double)sw_type_localsize(&planned->value[step->result].type);
	const sw_body *body = body_of(planned, step);
	for (int i = body->parameters; i < body->count; i++) {
		const sw_local *local = &body->local[i];
		flops += sw_program_op_multiplies(local->op) ?
			product_flops(&matrix_product, body->local[local->operand[0]].tile, body->local[local->operand[1]].tile) :
			(double)local_elements(local);
	}
	return flops;
}

/* ---- the work itself ---- */

typedef struct tile {
	const int64_t *size;
	const void *data;
} tile;

static void multiply_tiles(const sw_equation *equation, sw_dtype dtype, tile a, tile b, void *c, void *room,
	const sw_multiplier *by)
{
	sw_letters letters;
	sw_gemm gemm;
	sw_letters_of(equation, a.size, b.size, &letters);
	if (!by) {
		sw_contract(&letters, dtype, a.data, b.data, c, 0, letters.kept ? letters.letter[0].size : 1);
		return;
	}
	sw_gemm_of(&letters, &gemm);
	sw_gemm_run(&gemm, dtype, a.data, b.data, c, room, by);
}

void sw_body_run(const sw_body *body, sw_dtype dtype, const void *const *operand, void *result, void *room,
	const sw_multiplier *by)
{
	enum { MOST = 256 };
	const void *made[MOST];
	char *free = room;
	size_t bytes = (size_t)sw_dtype_bytes(dtype);
	for (int i = 0; i < body->parameters; i++)
		made[i] = operand[i];
	char *packs = free;
	for (int i = body->parameters; i < body->count; i++)
		packs += (size_t)local_elements(&body->local[i]) * bytes;
	for (int i = body->parameters; i < body->count && i < MOST; i++) {
		const sw_local *local = &body->local[i];
		int a = local->operand[0], b = sw_program_op_operands(local->op) > 1 ? local->operand[1] : a;
		if (sw_program_op_multiplies(local->op))
			multiply_tiles(&matrix_product, dtype, (tile){body->local[a].tile, made[a]},
				(tile){body->local[b].tile, made[b]}, free, packs, by);
		else
			sw_by_element(local->op, dtype, made[a], made[b], free, local_elements(local));
		made[i] = free;
		free += (size_t)local_elements(local) * bytes;
	}
	memcpy(result, made[body->returned], (size_t)local_elements(&body->local[body->returned]) * bytes);
}

bool sw_compute(const sw_planned *planned, const sw_planned_step *step, const void *const *operand, void *result,
	void *room, const sw_multiplier *by)
{
	sw_dtype dtype = dtype_of(planned, step);
	if (sw_program_op_multiplies(step->op))
		multiply_tiles(sw_planned_equation(planned, step), dtype,
			(tile){tile_of(planned, step->operand[0]), operand[0]},
			(tile){tile_of(planned, step->operand[1]), operand[1]}, result, room, by);
	else if (sw_program_op_has_body(step->op))
		sw_body_run(body_of(planned, step), dtype, operand, result, room, by);
	else if (sw_program_op_by_element(step->op))
		sw_by_element(step->op, dtype, operand[0], step->count > 1 ? operand[1] : NULL, result,
			sw_type_localsize(&planned->value[step->result].type));
	else
		return false;
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device makes of its tiles: products, operations by element, and bodies.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "program/ops.h"

const sw_equation sw_matrix_product = {{2, 2, 2}, {"ij", "jk", "ik"}};

/* What a step computes with: the types of its operands, and of its result. */
static const sw_type *operand_of(const sw_program *program, int s, int k)
{
	return program->value[program->step[s].operand[k]].type;
}

static const sw_type *result_of(const sw_program *program, int s)
{
	return program->value[sw_program_value_of(program, s)].type;
}

static void letters_of(const sw_program *program, int s, sw_letters *letters)
{
	sw_letters_of(program->step[s].equation, operand_of(program, s, 0)->tile, operand_of(program, s, 1)->tile,
		letters);
}

/* ---- room ---- */

int64_t sw_product_room(const sw_program *program, int s)
{
	sw_letters letters;
	sw_gemm gemm;
	letters_of(program, s, &letters);
	sw_gemm_of(&letters, &gemm);
	return sw_gemm_room(&gemm);
}

static int64_t room_of(const sw_program *program, int s)
{
	const sw_workings *row = sw_workings_of(program->step[s].op);
	return row->room ? row->room(program, s) : 0;
}

/* All tiles that it makes, one after the other, and what one step packs. */
int64_t sw_body_room(const sw_program *program, int s)
{
	const sw_program *body = program->step[s].body;
	int64_t sum = 0, most = 0;
	for (int k = 0; k < body->steps; k++) {
		sum += sw_type_localsize(result_of(body, k));
		most = sw_larger(most, room_of(body, k));
	}
	return sum + most;
}

int64_t sw_compute_room(const sw_program *program, int s)
{
	assert(s >= 0 && s < program->steps);
	return room_of(program, s) * sw_dtype_bytes(result_of(program, s)->dtype);
}

/* ---- work ---- */

double sw_product_work(const sw_program *program, int s)
{
	sw_letters letters;
	double flops = 2;
	letters_of(program, s, &letters);
	for (int i = 0; i < letters.count; i++)
		flops *= (double)letters.letter[i].size;
	return flops;
}

double sw_elements_work(const sw_program *program, int s)
{
	return (double)sw_type_localsize(result_of(program, s));
}

double sw_body_work(const sw_program *program, int s)
{
	const sw_program *body = program->step[s].body;
	double flops = 0;
	for (int k = 0; k < body->steps; k++)
		flops += sw_compute_flops(body, k);
	return flops;
}

double sw_compute_flops(const sw_program *program, int s)
{
	assert(s >= 0 && s < program->steps);
	const sw_workings *row = sw_workings_of(program->step[s].op);
	return row->flops ? row->flops(program, s) : 0;
}

/* ---- the work itself ---- */

bool sw_product_run(const sw_program *program, int s, const sw_work *work)
{
	sw_dtype dtype = result_of(program, s)->dtype;
	sw_letters letters;
	sw_gemm gemm;
	letters_of(program, s, &letters);
	if (!work->by) {
		sw_contract(&letters, dtype, work->operand[0], work->operand[1], work->result, 0,
			letters.kept ? letters.letter[0].size : 1);
		return true;
	}
	sw_gemm_of(&letters, &gemm);
	sw_gemm_run(&gemm, dtype, work->operand[0], work->operand[1], work->result, work->room, work->by);
	return true;
}

bool sw_elements_run(const sw_program *program, int s, const sw_work *work)
{
	const sw_step *step = &program->step[s];
	const sw_type *made = result_of(program, s);
	sw_by_element(step->op, made->dtype, work->operand[0], step->operands > 1 ? work->operand[1] : NULL, work->result,
		sw_type_localsize(made));
	return true;
}

/* Tiles lie one after the other in the room, and behind them what one step packs. */
/* Where a value of a body lies: it is an operand, or stands in the room behind those that were made before it. */
static const char *place_of(const sw_program *body, int value, const sw_work *work, size_t bytes)
{
	int made = sw_program_maker(body, value);
	size_t before = 0;
	if (made < 0)
		return work->operand[value];
	for (int k = 0; k < made; k++)
		before += (size_t)sw_type_localsize(result_of(body, k)) * bytes;
	return (const char *)work->room + before;
}

bool sw_body_run(const sw_program *program, int s, const sw_work *work)
{
	const sw_program *body = program->step[s].body;
	size_t bytes = (size_t)sw_dtype_bytes(result_of(program, s)->dtype);
	char *free = work->room, *packs = free;
	for (int k = 0; k < body->steps; k++)
		packs += (size_t)sw_type_localsize(result_of(body, k)) * bytes;
	for (int k = 0; k < body->steps; k++) {
		const sw_step *call = &body->step[k];
		const void *operand[] = {place_of(body, call->operand[0], work, bytes),
			place_of(body, call->operand[call->operands - 1], work, bytes)};
		if (!sw_workings_of(call->op)->run(body, k, &(sw_work){operand, free, packs, work->by, work->device}))
			return false;
		free += (size_t)sw_type_localsize(result_of(body, k)) * bytes;
	}
	assert(free == packs);
	memcpy(work->result, place_of(body, body->returned, work, bytes),
		(size_t)sw_type_localsize(result_of(program, s)) * bytes);
	return true;
}

bool sw_compute(const sw_program *program, int s, const void *const *operand, void *result, void *room,
	const sw_multiplier *by, int64_t device)
{
	assert(s >= 0 && s < program->steps && sw_workings_of(program->step[s].op)->run != NULL);
	return sw_workings_of(program->step[s].op)->run(program, s, &(sw_work){operand, result, room, by, device});
}

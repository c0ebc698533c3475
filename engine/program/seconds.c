/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of what a device makes of its tiles, by the rates of its kernels.
 */
#include <assert.h>
#include <math.h>

#include <shardwalk/cost.h>

#include "program/ops.h"

static const sw_type *operand_of(const sw_program *program, int s, int k)
{
	return program->value[program->step[s].operand[k]].type;
}

static const sw_type *result_of(const sw_program *program, int s)
{
	return program->value[sw_program_value_of(program, s)].type;
}

/* Not known is negative, and makes a sum not known. */
static double both(double a, double b)
{
	return a < 0 || b < 0 ? -1 : a + b;
}

/* What is packed is read and written once, element after element. */
static double product(const sw_machine *machine, const sw_equation *equation, sw_dtype dtype, const int64_t *a,
	const int64_t *b)
{
	sw_letters letters;
	sw_gemm gemm;

	if (dtype != SW_F32 && dtype != SW_F64)
		return -1;
	sw_letters_of(equation, a, b, &letters);
	sw_gemm_of(&letters, &gemm);
	double m = (double)gemm.m, n = (double)gemm.n, k = (double)gemm.k;
	double flops = 2 * (double)gemm.batch * m * n * k * (dtype == SW_F64 ? 2 : 1);
	double packed = 2 * (double)sw_gemm_room(&gemm) * (double)sw_dtype_bytes(dtype);
	double seconds = sw_kernel_seconds(machine, SW_KERNEL_PRODUCT, 3 / (1 / m + 1 / n + 1 / k), flops);

	return packed > 0 ? both(seconds, sw_kernel_seconds(machine, SW_KERNEL_EACH, packed, packed)) : seconds;
}

/* By what hardware states. */
static double stated(const sw_machine *machine, const sw_equation *equation, const int64_t *a, const int64_t *b)
{
	double flops = 2, rate = sw_machine_flops(machine);

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < equation->rank[side]; i++)
			if (side == 0 || sw_equation_find(equation, SW_EQUATION_A, equation->letter[side][i]) < 0)
				flops *= (double)(side == 0 ? a : b)[i];
	return rate > 0 ? flops / rate : -1;
}

double sw_product_seconds(const sw_machine *machine, const sw_equation *equation, sw_dtype dtype, const int64_t *a,
	const int64_t *b)
{
	if (machine->hardware != NULL)
		return stated(machine, equation, a, b);
	double seconds = product(machine, equation, dtype, a, b);
	return seconds < 0 ? -1 : seconds + sw_kernel_start(machine, SW_KERNEL_PRODUCT);
}

/* ---- columns of the table ---- */

double sw_product_time(const sw_machine *machine, const sw_program *program, int s)
{
	return product(machine, program->step[s].equation, result_of(program, s)->dtype, operand_of(program, s, 0)->tile,
		operand_of(program, s, 1)->tile);
}

/* Of so many arrays of a tile's size that are read or written. */
static double by_element(const sw_machine *machine, sw_kernel kernel, const sw_type *tile, int arrays)
{
	double bytes = (double)sw_type_localsize(tile) * (double)sw_dtype_bytes(tile->dtype) * arrays;

	return sw_kernel_seconds(machine, kernel, bytes, bytes);
}

double sw_elements_time(const sw_machine *machine, const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];

	return by_element(machine, sw_operation_of(step->op)->kernel, result_of(program, s), step->operands + 1);
}

/* Its result is copied to its place. */
double sw_body_time(const sw_machine *machine, const sw_program *program, int s)
{
	const sw_program *body = program->step[s].body;
	double seconds = by_element(machine, SW_KERNEL_EACH, body->value[body->returned].type, 2);

	for (int k = 0; k < body->steps; k++)
		seconds = both(seconds, sw_workings_of(body->step[k].op)->seconds(machine, body, k));
	return seconds;
}

double sw_compute_seconds(const sw_program *program, int s, const sw_machine *machine)
{
	assert(s >= 0 && s < program->steps);
	sw_op op = program->step[s].op;
	double seconds = sw_op_computes(op) ? sw_workings_of(op)->seconds(machine, program, s) : -1;

	return seconds < 0 ? -1 : seconds + sw_kernel_start(machine, sw_operation_of(op)->kernel);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of what a device makes of its tiles, by the rates of its kernels.
 */
#include <math.h>

#include <shardwalk/cost.h>
#include <shardwalk/simulate.h>

static const sw_equation matrix_product = {{2, 2, 2}, {"ij", "jk", "ik"}};

/* Not known is negative, and makes a sum not known. */
static double both(double a, double b)
{
	return a < 0 || b < 0 ? -1 : a + b;
}

static double elements_of(const int64_t *tile, int rank)
{
	double count = 1;

	for (int i = 0; i < rank; i++)
		count *= (double)tile[i];
	return count;
}

static sw_kernel kernel_of(sw_program_op op)
{
	static const sw_kernel kernels[SW_DO_COUNT] = {
		[SW_DO_RELU] = SW_KERNEL_EACH,
		[SW_DO_EXP] = SW_KERNEL_EXP,
		[SW_DO_NEG] = SW_KERNEL_EACH,
		[SW_DO_SCALE] = SW_KERNEL_EACH,
		[SW_DO_ADD] = SW_KERNEL_PAIRS,
		[SW_DO_MUL] = SW_KERNEL_PAIRS,
	};
	return kernels[op];
}

static double by_element(const sw_machine *machine, sw_program_op op, sw_dtype dtype, double elements)
{
	double bytes = elements * (double)sw_dtype_bytes(dtype) * (sw_program_op_operands(op) + 1);

	return sw_kernel_seconds(machine, kernel_of(op), bytes, bytes);
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

static double local_seconds(const sw_machine *machine, const sw_body *body, sw_dtype dtype, int i)
{
	const sw_local *local = &body->local[i];

	if (sw_program_op_multiplies(local->op))
		return product(machine, &matrix_product, dtype, body->local[local->operand[0]].tile,
			body->local[local->operand[1]].tile);
	return by_element(machine, local->op, dtype, elements_of(local->tile, local->rank));
}

/* Its result is copied to its place. */
static double body_seconds(const sw_machine *machine, const sw_body *body, sw_dtype dtype)
{
	const sw_local *returned = &body->local[body->returned];
	double seconds = by_element(machine, SW_DO_RELU, dtype, elements_of(returned->tile, returned->rank));

	for (int i = body->parameters; i < body->count; i++)
		seconds = both(seconds, local_seconds(machine, body, dtype, i));
	return seconds;
}

double sw_compute_seconds(const sw_planned *planned, const sw_planned_step *step, const sw_machine *machine)
{
	const sw_type *type = &planned->value[step->result].type;
	sw_kernel kernel = SW_KERNEL_PRODUCT;
	double seconds = -1;

	if (sw_program_op_multiplies(step->op)) {
		seconds = product(machine, sw_planned_equation(planned, step), type->dtype,
			planned->value[step->operand[0]].type.tile, planned->value[step->operand[1]].type.tile);
	} else if (sw_program_op_has_body(step->op)) {
		seconds = body_seconds(machine, planned->program->statement[step->statement].body, type->dtype);
	} else if (sw_program_op_by_element(step->op)) {
		kernel = kernel_of(step->op);
		seconds = by_element(machine, step->op, type->dtype, (double)sw_type_localsize(type));
	}
	return seconds < 0 ? -1 : seconds + sw_kernel_start(machine, kernel);
}

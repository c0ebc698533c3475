/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of what programs compute.
 */
#include "program/ops.h"

#include <math.h>

#include "program/elements.h"

/* ---- element by element ---- */

static int64_t exp_of_whole(int64_t x)
{
	return x > 43 ? INT64_MAX : (int64_t)exp((double)x);
}

/* Loops over elements of one type; `work` is the one in which sums and products have a rule. */
#define EACH_OF_TYPE(name, id, type, work_type, expression) \
	SW_VECTORISED static void name##_##id(const void *left, const void *right, void *made, int64_t count) \
	{ \
		typedef work_type work __attribute__((unused)); \
		const type *a = left, *b = right; \
		type *out = made; \
		(void)b; \
		for (int64_t i = 0; i < count; i++) \
			out[i] = (type)(expression); \
	}

/* `a[i]` and `b[i]` are the operands; in the type `work` nothing overflows without a rule. */
#define EACH(name, expression) \
	EACH_OF_TYPE(name, f32, float, float, expression) \
	EACH_OF_TYPE(name, f64, double, double, expression) \
	EACH_OF_TYPE(name, i32, int32_t, uint32_t, expression) \
	EACH_OF_TYPE(name, i64, int64_t, uint64_t, expression) \
	static const sw_each_of name = {name##_f32, name##_f64, name##_i32, name##_i64};

/* clang-format off */
EACH(each_relu, a[i] > 0 ? a[i] : 0)
EACH(each_exp, _Generic(a[i], float: expf((float)a[i]), double: exp((double)a[i]), default: exp_of_whole((int64_t)a[i])))
EACH(each_neg, 0 - (work)a[i])
EACH(each_scale, 2 * (work)a[i])
EACH(each_add, (work)a[i] + (work)b[i])
EACH(each_mul, (work)a[i] * (work)b[i])
/* clang-format on */

static sw_extent extent_kept(sw_extent a, sw_extent b, double unit)
{
	(void)b, (void)unit;
	return a;
}

static sw_extent extent_of_exp(sw_extent a, sw_extent b, double unit)
{
	(void)b;
	return (sw_extent){exp(a.most), exp(a.most) * (expm1(a.error) + 4 * unit)};
}

static sw_extent extent_of_scale(sw_extent a, sw_extent b, double unit)
{
	(void)b, (void)unit;
	return (sw_extent){2 * a.most, 2 * a.error};
}

static sw_extent extent_of_add(sw_extent a, sw_extent b, double unit)
{
	return (sw_extent){a.most + b.most, a.error + b.error + unit * (a.most + b.most)};
}

static sw_extent extent_of_mul(sw_extent a, sw_extent b, double unit)
{
	return sw_extent_of_products(a, b, 1, unit);
}

/* ---- the rows ---- */

#define PRODUCT \
	.room = sw_product_room, .flops = sw_product_work, .seconds = sw_product_time, .kernel = SW_KERNEL_PRODUCT, \
	.run = sw_product_run, .reference = sw_product_reference, .extent = sw_product_extent, \
	.expect = sw_expect_product

#define ELEMENTS \
	.tiles = "tiles of the same sizes", .flops = sw_elements_work, .seconds = sw_elements_time, \
	.run = sw_elements_run, .reference = sw_elements_reference, .extent = sw_elements_extent, \
	.expect = sw_expect_elements

static const sw_computation rows[SW_DO_COUNT + 1] = {
	[SW_DO_REDISTRIBUTE] =
		{
			.name = "redistribute",
			.about = "the same value in another type",
			.operands = 1,
			.statement = true,
			.type = sw_type_moved,
			.sums = SW_SUMS_RULED,
			.forms = sw_forms_moved,
			.rule = sw_rule_moved,
			.extent = sw_same_extent,
			.expect = sw_expect_same,
		},
	[SW_DO_SPMD] =
		{
			.name = "spmd_op",
			.about = "a body that every device runs on its tiles",
			.operands = -1,
			.statement = true,
			.type = sw_type_of_body,
			.sums = SW_SUMS_RULED,
			.room = sw_body_room,
			.flops = sw_body_work,
			.seconds = sw_body_time,
			.kernel = SW_KERNEL_PRODUCT,
			.run = sw_body_run,
			.reference = sw_body_reference,
			.extent = sw_body_extent,
			.expect = sw_expect_body,
		},
	[SW_DO_EINSUM] =
		{
			.name = "einsum",
			.about = "a product over letters",
			.operands = 2,
			.statement = true,
			.elsewhere = "in a body tiles are multiplied by matmul; einsum is a statement of the program",
			.sums = SW_SUMS_RULED,
			.forms = sw_forms_product,
			.rule = sw_rule_product,
			PRODUCT,
		},
	[SW_DO_MATMUL] =
		{
			.name = "matmul",
			.about = "a product of two tiles, in a body",
			.operands = 2,
			.call = true,
			.equation = &sw_matrix_product,
			.elsewhere = "whole arrays are multiplied by einsum \"ij,jk->ik\"; matmul stands in a body",
			.sums = SW_SUMS_NEVER,
			.tiles = "tiles [a, b] and [b, c]",
			.rule = sw_rule_product,
			PRODUCT,
		},
	[SW_DO_RELU] =
		{
			.name = "relu",
			.about = "the larger of 0 and each element",
			.operands = 1,
			.statement = true,
			.call = true,
			.sums = SW_SUMS_NEVER,
			.forms = sw_forms_whole,
			.rule = sw_rule_unary,
			.kernel = SW_KERNEL_EACH,
			.each = &each_relu,
			.growth = {.factor = 1},
			.each_extent = extent_kept,
			ELEMENTS,
		},
	[SW_DO_EXP] =
		{
			.name = "exp",
			.about = "e to the power of each element",
			.operands = 1,
			.statement = true,
			.call = true,
			.sums = SW_SUMS_NEVER,
			.forms = sw_forms_whole,
			.rule = sw_rule_unary,
			.kernel = SW_KERNEL_EXP,
			.each = &each_exp,
			.growth = {.factor = 1, .exponential = true},
			.each_extent = extent_of_exp,
			ELEMENTS,
		},
	[SW_DO_NEG] =
		{
			.name = "neg",
			.about = "each element with the other sign",
			.operands = 1,
			.statement = true,
			.call = true,
			.sums = SW_SUMS_ALIKE,
			.forms = sw_forms_alike,
			.rule = sw_rule_unary,
			.kernel = SW_KERNEL_EACH,
			.each = &each_neg,
			.growth = {.factor = 1},
			.each_extent = extent_kept,
			ELEMENTS,
		},
	[SW_DO_SCALE] =
		{
			.name = "scale",
			.about = "twice each element",
			.operands = 1,
			.statement = true,
			.call = true,
			.sums = SW_SUMS_ALIKE,
			.forms = sw_forms_alike,
			.rule = sw_rule_unary,
			.kernel = SW_KERNEL_EACH,
			.each = &each_scale,
			.growth = {.factor = 2},
			.each_extent = extent_of_scale,
			ELEMENTS,
		},
	[SW_DO_ADD] =
		{
			.name = "add",
			.about = "the sum of two arrays, element by element",
			.operands = 2,
			.statement = true,
			.call = true,
			.sums = SW_SUMS_ALIKE,
			.forms = sw_forms_alike,
			.rule = sw_rule_alike,
			.kernel = SW_KERNEL_PAIRS,
			.each = &each_add,
			.growth = {.factor = 1, .plus_other = true},
			.each_extent = extent_of_add,
			ELEMENTS,
		},
	[SW_DO_MUL] =
		{
			.name = "mul",
			.about = "the product of two arrays, element by element",
			.operands = 2,
			.statement = true,
			.call = true,
			.sums = SW_SUMS_RULED,
			.forms = sw_forms_elements,
			.rule = sw_rule_elements,
			.kernel = SW_KERNEL_PAIRS,
			.each = &each_mul,
			.growth = {.factor = 1, .times_other = true},
			.each_extent = extent_of_mul,
			ELEMENTS,
		},
};

const sw_computation *sw_computation_of(sw_program_op op)
{
	return &rows[op];
}

const char *sw_program_op_name(sw_program_op op)
{
	return rows[op].name;
}

const char *sw_program_op_about(sw_program_op op)
{
	return rows[op].about;
}

bool sw_program_op_moves(sw_program_op op)
{
	return rows[op].run == NULL;
}

sw_program_op sw_program_op_named(sw_str name)
{
	int op = 0;
	while (op < SW_DO_COUNT && !sw_str_is(name, rows[op].name))
		op++;
	return (sw_program_op)op;
}

bool sw_program_reserved(sw_str name)
{
	static const char *const words[] = {"mesh", "fn", "as", "return"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (sw_str_is(name, words[i]))
			return true;
	return sw_program_op_named(name) < SW_DO_COUNT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of what programs compute.
 */
#include "program/ops.h"

#include <assert.h>
#include <math.h>

#include "program/elements.h"

/* ---- element by element ---- */

static int64_t exp_of_whole(int64_t x)
{
	return x > 43 ? INT64_MAX : (int64_t)exp((double)x);
}

#define EXP(x) \
	_Generic((x), float : expf((float)(x)), double : exp((double)(x)), default : exp_of_whole((int64_t)(x)))

/* A loop over elements of one type. */
#define EACH_OF_TYPE(name, id, type, work, expression) \
	SW_VECTORISED static void name##_##id(const void *left, const void *right, void *made, int64_t count) \
	{ \
		typedef type value; \
		typedef work number __attribute__((unused)); \
		const value *a = left, *b = right; \
		value *out = made; \
		(void)b; \
		for (int64_t i = 0; i < count; i++) \
			out[i] = expression; \
	}

#define EACH(name, expression) \
	EACH_OF_TYPE(name, f32, float, float, expression) \
	EACH_OF_TYPE(name, f64, double, double, expression) \
	EACH_OF_TYPE(name, i32, int32_t, uint32_t, expression) \
	EACH_OF_TYPE(name, i64, int64_t, uint64_t, expression) \
	static const sw_each_of name = {name##_f32, name##_f64, name##_i32, name##_i64, #expression};

/* clang-format off */
EACH(each_relu, a[i] > 0 ? a[i] : 0)
EACH(each_exp, (value)EXP(a[i]))
EACH(each_neg, (value)(0 - (number)a[i]))
EACH(each_scale, (value)(2 * (number)a[i]))
EACH(each_add, (value)((number)a[i] + (number)b[i]))
EACH(each_mul, (value)((number)a[i] * (number)b[i]))
/* clang-format on */

/* ---- by what results are made ---- */

static const sw_workings workings[SW_MAKINGS] = {
	[SW_MADE_BY_PLAN] =
		{
			.rule = "T-REDIST",
			.type = sw_type_moved,
			.extent = sw_same_extent,
			.expect = sw_expect_same,
		},
	[SW_MADE_BY_BODY] =
		{
			.rule = "T-SPMD",
			.type = sw_type_of_body,
			.room = sw_body_room,
			.flops = sw_body_work,
			.seconds = sw_body_time,
			.run = sw_body_run,
			.reference = sw_body_reference,
			.extent = sw_body_extent,
			.expect = sw_expect_body,
		},
	[SW_MADE_BY_PRODUCT] =
		{
			.rule = "EINSUM",
			.tiles = "tiles [a, b] and [b, c]",
			.room = sw_product_room,
			.flops = sw_product_work,
			.seconds = sw_product_time,
			.run = sw_product_run,
			.reference = sw_product_reference,
			.extent = sw_product_extent,
			.expect = sw_expect_product,
		},
	[SW_MADE_BY_ELEMENT] =
		{
			.rule = "EW",
			.tiles = "tiles of the same sizes",
			.flops = sw_elements_work,
			.seconds = sw_elements_time,
			.run = sw_elements_run,
			.reference = sw_elements_reference,
			.extent = sw_elements_extent,
			.expect = sw_expect_elements,
		},
	[SW_MADE_BY_FORMULA] =
		{
			.rule = "FORMULA",
			.flops = sw_formula_flops,
			.seconds = sw_formula_time,
			.run = sw_formula_execute,
			.reference = sw_formula_reference,
			.extent = sw_formula_extent,
			.expect = sw_expect_formula,
		},
	[SW_MADE_AT_START] =
		{
			.rule = "SCHEDULE",
			.run = sw_iteration_begin,
			.seconds = sw_iteration_time,
			.reference = sw_start_reference,
			.extent = sw_iteration_extent,
			.expect = sw_expect_iteration,
		},
	[SW_MADE_BY_MESSAGES] =
		{
			.rule = "SCHEDULE",
			.run = sw_iteration_begin,
			.seconds = sw_iteration_time,
			.reference = sw_iteration_reference,
			.extent = sw_iteration_extent,
			.expect = sw_expect_iteration,
			.sends = true,
			.shares = true,
		},
	[SW_MADE_BY_LEAF] =
		{
			.rule = "SCHEDULE",
			.flops = sw_iteration_flops,
			.seconds = sw_iteration_time,
			.run = sw_iteration_compute,
			.reference = sw_iteration_reference,
			.extent = sw_iteration_extent,
			.expect = sw_expect_iteration,
			.shares = true,
		},
};

/* ---- the rows ---- */

#define BY_ELEMENT .made = SW_MADE_BY_ELEMENT, .statement = true, .call = true

static const sw_operation rows[SW_OP_COUNT + 1] = {
	[SW_REDISTRIBUTE] =
		{
			.made = SW_MADE_BY_PLAN,
			.operands = 1,
			.statement = true,
			.rule = sw_rule_unary,
			.forms = sw_forms_moved,
			.words = {.python = "%a", .jax = "reshard", .jax_sums = true},
		},
	[SW_SPMD] =
		{
			.made = SW_MADE_BY_BODY,
			.operands = -1,
			.statement = true,
			.kernel = SW_KERNEL_PRODUCT,
		},
	[SW_EINSUM] =
		{
			.made = SW_MADE_BY_PRODUCT,
			.operands = 2,
			.statement = true,
			.elsewhere = "in a body, matmul multiplies tiles; einsum is a statement of the program",
			.rule = sw_rule_product,
			.forms = sw_forms_product,
			.kernel = SW_KERNEL_PRODUCT,
			.grows = SW_GROWS_AS_PRODUCT,
		},
	[SW_COMPUTE] =
		{
			.made = SW_MADE_BY_FORMULA,
			.operands = -1,
			.statement = true,
			.elsewhere = "formulas are about whole arrays; compute is a statement of the program",
			.kernel = SW_KERNEL_EACH,
		},
	[SW_START] = {.made = SW_MADE_AT_START, .kernel = SW_KERNEL_EACH},
	[SW_FETCH] = {.made = SW_MADE_BY_MESSAGES, .operands = -1, .kernel = SW_KERNEL_EACH},
	[SW_LEAF] = {.made = SW_MADE_BY_LEAF, .operands = -1, .kernel = SW_KERNEL_PRODUCT},
	[SW_GIVE] = {.made = SW_MADE_BY_MESSAGES, .operands = -1, .kernel = SW_KERNEL_EACH},
	[SW_MATMUL] =
		{
			.made = SW_MADE_BY_PRODUCT,
			.operands = 2,
			.call = true,
			.elsewhere = "einsum \"ij,jk->ik\" multiplies whole arrays; matmul belongs in a body",
			.equation = &sw_matrix_product,
			.rule = sw_rule_product,
			.kernel = SW_KERNEL_PRODUCT,
			.grows = SW_GROWS_AS_PRODUCT,
			.words = {.python = "%a @ %b"},
		},
	[SW_RELU] =
		{
			BY_ELEMENT,
			.operands = 1,
			.rule = sw_rule_whole,
			.forms = sw_forms_whole,
			.kernel = SW_KERNEL_EACH,
			.each = &each_relu,
			.words = {.python = "%n.maximum(%a, 0)",
				.jax = "relu",
				.torch = "torch.relu",
				.mlir = "maximum",
				.constant = "0",
				.c = "relu"},
		},
	[SW_EXP] =
		{
			BY_ELEMENT,
			.operands = 1,
			.rule = sw_rule_whole,
			.forms = sw_forms_whole,
			.kernel = SW_KERNEL_EXP,
			.each = &each_exp,
			.grows = SW_GROWS_AS_POWER,
			.words = {.python = "%n.exp(%a)",
				.jax = "exp",
				.torch = "torch.exp",
				.mlir = "exponential",
				.c = "exponential"},
		},
	[SW_NEG] =
		{
			BY_ELEMENT,
			.operands = 1,
			.rule = sw_rule_unary,
			.forms = sw_forms_alike,
			.kernel = SW_KERNEL_EACH,
			.each = &each_neg,
			.words = {.python = "negative(%a)",
				.outside = "-%a",
				.jax = "negative",
				.torch = "torch.neg",
				.mlir = "negate",
				.c = "negative"},
		},
	[SW_SCALE] =
		{
			BY_ELEMENT,
			.operands = 1,
			.rule = sw_rule_unary,
			.forms = sw_forms_alike,
			.kernel = SW_KERNEL_EACH,
			.each = &each_scale,
			.grows = SW_GROWS_TWICE,
			.words =
				{.python = "2 * %a", .torch = "lambda a: 2 * a", .mlir = "multiply", .constant = "2", .c = "twice"},
		},
	[SW_ADD] =
		{
			BY_ELEMENT,
			.operands = 2,
			.rule = sw_rule_alike,
			.forms = sw_forms_alike,
			.kernel = SW_KERNEL_PAIRS,
			.each = &each_add,
			.grows = SW_GROWS_AS_SUM,
			.words = {.python = "%a + %b",
				.jax = "add",
				.jax_sums = true,
				.torch = "torch.add",
				.mlir = "add",
				.c = "add"},
		},
	[SW_MUL] =
		{
			BY_ELEMENT,
			.operands = 2,
			.rule = sw_rule_elements,
			.forms = sw_forms_elements,
			.kernel = SW_KERNEL_PAIRS,
			.each = &each_mul,
			.grows = SW_GROWS_AS_PRODUCT,
			.words = {.python = "%a * %b", .jax = "multiply", .torch = "torch.mul", .mlir = "multiply", .c = "times"},
		},
};

sw_op sw_op_that_does(sw_does does)
{
	static const sw_op of[SW_DOES_COUNT] = {
		[SW_DOES_START] = SW_START,
		[SW_DOES_FETCH] = SW_FETCH,
		[SW_DOES_LEAF] = SW_LEAF,
		[SW_DOES_GIVE] = SW_GIVE,
	};

	assert((unsigned)does < SW_DOES_COUNT);
	return of[does];
}

const sw_operation *sw_operation_of(sw_op op)
{
	assert((unsigned)op <= SW_OP_COUNT);
	return &rows[op];
}

const sw_workings *sw_workings_of(sw_op op)
{
	return &workings[rows[op].made];
}

bool sw_op_computes(sw_op op)
{
	return sw_workings_of(op)->run != NULL;
}

int sw_program_origin(const sw_program *program, int value)
{
	int s = sw_program_maker(program, value);

	while (s >= 0 && !sw_op_computes(program->step[s].op)) {
		value = program->step[s].operand[0];
		s = sw_program_maker(program, value);
	}
	return value;
}

const char *sw_op_rule(sw_op op)
{
	return sw_workings_of(op)->rule;
}

void sw_operations_list(bool calls, sw_text *text)
{
	const char *before = "";

	for (int op = SW_COLLECTIVES; op < SW_OP_COUNT; op++)
		if (calls ? rows[op].call : rows[op].statement) {
			sw_text_addf(text, "%s%s", before, sw_op_name((sw_op)op));
			before = ", ";
		}
}

sw_op sw_operation_named(sw_str name)
{
	int op = SW_COLLECTIVES;

	while (op < SW_OP_COUNT && !((rows[op].statement || rows[op].call) && sw_str_is(name, sw_op_name((sw_op)op))))
		op++;
	return (sw_op)op;
}

bool sw_program_reserved(sw_str name)
{
	static const char *const words[] = {"mesh", "fn", "as", "return"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (sw_str_is(name, words[i]))
			return true;
	return sw_operation_named(name) < SW_OP_COUNT;
}

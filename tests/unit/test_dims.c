/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the dimensions of operands become in results: the same instruction as HLO and as StableHLO says the same.
 */
#include <shardwalk/text.h>

#include "foreign/module/dims.h"
#include "foreign/module/hlo_text.h"
#include "foreign/module/mlir.h"

#include "kit/arena.h"
#include "kit/kit.h"

#define SIDES 2

/* An instruction of one or two operands.  `says`: of each dimension of the left operand, then behind a bar of the right one, what it
 * becomes: a number, `+0` a sum, `-` nothing; `!` behind it: it may not be cut.  `none`: the result does not follow from it. */
static const struct operation_row {
	const char *name, *hlo, *mlir, *left, *right, *result; /* hlo NULL: it has no such operation */
	const char *hlo_says, *mlir_says;                      /* attributes */
	const char *says;
} rows[] = {
	{"add", "add", "stablehlo.add", "4x8", "4x8", "4x8", "", "", "0 1 same | 0 1 same"},
	{"another size keeps no place", "add", "stablehlo.add", "4x8", "4x1", "4x8", "", "", "0 1 same | none"},
	{"transpose", "transpose", "stablehlo.transpose", "2x4x8", NULL, "8x2x4", ", dimensions={2,0,1}",
		", dims = [2, 0, 1]", "1 2 0"},
	{"a transpose says each dimension once", "transpose", "stablehlo.transpose", "4x4", NULL, "4x4",
		", dimensions={0,0}", ", dims = [0, 0]", "none"},
	{"a transpose says all dimensions", "transpose", "stablehlo.transpose", "4x4", NULL, "4x4", ", dimensions={1}",
		", dims = [1]", "none"},
	{"a dimension of a transpose is one of the operand", "transpose", "stablehlo.transpose", "4x4", NULL, "4x4",
		", dimensions={0,2}", ", dims = [0, 2]", "none"},
	{"broadcast", "broadcast", "stablehlo.broadcast_in_dim", "4x8", NULL, "2x4x3x8", ", dimensions={1,3}",
		", dims = [1, 3]", "1 3"},
	{"one element is spread", "broadcast", "stablehlo.broadcast_in_dim", "1x8", NULL, "4x8", ", dimensions={0,1}",
		", dims = [0, 1]", "- 1"},
	{"a broadcast of a number", "broadcast", "stablehlo.broadcast_in_dim", "", NULL, "4x8", ", dimensions={}",
		", dims = []", "none"},
	{"reshape splits", "reshape", "stablehlo.reshape", "8x6", NULL, "2x4x6", "", "", "0 2 even"},
	{"reshape merges", "reshape", "stablehlo.reshape", "2x4x6", NULL, "8x6", "", "", "0 -! 1 even"},
	{"reshape adds ones", "reshape", "stablehlo.reshape", "8x6", NULL, "1x8x1x6", "", "", "1 3 even"},
	{"reshape drops ones", "reshape", "stablehlo.reshape", "1x8x1x6", NULL, "8x6", "", "", "-! 0 -! 1 even"},
	{"reshape of ones alone", "reshape", "stablehlo.reshape", "1x1", NULL, "1", "", "", "0! -! even"},
	{"a reshape across keeps the major part", "reshape", "stablehlo.reshape", "4x6", NULL, "6x4", "", "",
		"0 -! even"},
	{"a reshape that loses elements", "reshape", "stablehlo.reshape", "4x6", NULL, "4x5", "", "", "none"},
	{"sizes that no number holds", "reshape", "stablehlo.reshape", "2x9223372036854775807", NULL, "3x9", "", "",
		"none"},
	{"slice", "slice", "stablehlo.slice", "8x6", NULL, "8x3", ", slice={[0:8], [0:3]}", " [0:8, 0:3]", "0 1!"},
	{"pad", NULL, "stablehlo.pad", "8x6", "", "8x7", "", ", low = [0, 0], high = [0, 1], interior = [0, 0]",
		"0 1! | none"},
	{"product", "dot", "stablehlo.dot_general", "4x8", "8x6", "4x6",
		", lhs_contracting_dims={1}, rhs_contracting_dims={0}", ", contracting_dims = [1] x [0]", "0 +0 | +0 1"},
	{"product of batches", "dot", "stablehlo.dot_general", "8x2x4x3", "3x2x6x8", "2x4x6",
		", lhs_batch_dims={1}, lhs_contracting_dims={0,3}, rhs_batch_dims={1}, rhs_contracting_dims={3,0}",
		", batching_dims = [1] x [1], contracting_dims = [0, 3] x [3, 0]", "+0 0 1 +1 | +1 0 2 +0"},
	{"outer product", "dot", "stablehlo.dot_general", "4", "6", "4x6", "", "", "0 | 1"},
	{"lists of different lengths", "dot", "stablehlo.dot_general", "4x8", "8x6", "4x6",
		", lhs_contracting_dims={1}, rhs_contracting_dims={0,1}", ", contracting_dims = [1] x [0, 1]", "none | none"},
	{"a sum over a dimension twice", "dot", "stablehlo.dot_general", "4x8", "8x6x8", "4x6",
		", lhs_contracting_dims={1,1}, rhs_contracting_dims={0,2}", ", contracting_dims = [1, 1] x [0, 2]",
		"none | none"},
	{"a dimension that an operand does not have", "dot", "stablehlo.dot_general", "4x8", "8x6", "4x6",
		", lhs_contracting_dims={1}, rhs_contracting_dims={4}", ", contracting_dims = [1] x [4]", "none | none"},
	{"a result of another rank", "dot", "stablehlo.dot_general", "4x8", "8x6", "4x6x2",
		", lhs_contracting_dims={1}, rhs_contracting_dims={0}", ", contracting_dims = [1] x [0]", "none | none"},
};

static void add_type(sw_text *out, const char *sizes, bool mlir)
{
	sw_text_add(out, mlir ? "tensor<" : "f32[");
	for (const char *at = sizes; *at; at++)
		sw_text_add_char(out, *at == 'x' && !mlir ? ',' : *at);
	sw_text_add(out, !mlir ? "]" : *sizes ? "xf32>" : "f32>");
}

static void add_hlo(sw_text *out, const struct operation_row *row)
{
	const char *side[SIDES] = {row->left, row->right};
	sw_text_add(out, "HloModule m\n\nENTRY %main {\n");
	for (int k = 0; k < SIDES && side[k]; k++) {
		sw_text_add(out, k ? "  %b = " : "  %a = ");
		add_type(out, side[k], false);
		sw_text_add(out, k ? " parameter(1)\n" : " parameter(0)\n");
	}
	sw_text_add(out, "  ROOT %r = ");
	add_type(out, row->result, false);
	sw_text_add_char(out, ' ');
	sw_text_add(out, row->hlo);
	sw_text_add(out, row->right ? "(%a, %b)" : "(%a)");
	sw_text_add(out, row->hlo_says);
	sw_text_add(out, "\n}\n");
}

static void add_mlir(sw_text *out, const struct operation_row *row)
{
	const char *side[SIDES] = {row->left, row->right};
	sw_text_add(out, "module @m {\n  func.func public @main(%arg0: ");
	add_type(out, row->left, true);
	if (row->right) {
		sw_text_add(out, ", %arg1: ");
		add_type(out, row->right, true);
	}
	sw_text_add(out, ") {\n    %0 = ");
	sw_text_add(out, row->mlir);
	sw_text_add(out, row->right ? " %arg0, %arg1" : " %arg0");
	sw_text_add(out, row->mlir_says);
	sw_text_add(out, " : (");
	for (int k = 0; k < SIDES && side[k]; k++) {
		sw_text_add(out, k ? ", " : "");
		add_type(out, side[k], true);
	}
	sw_text_add(out, ") -> ");
	add_type(out, row->result, true);
	sw_text_add(out, "\n    return\n  }\n}\n");
}

static void add_dims(sw_text *out, const graph_dims *dims)
{
	for (int d = 0; d < dims->from; d++) {
		sw_text_add(out, d ? " " : "");
		if (dims->into[d] < 0)
			sw_text_add_char(out, '-');
		else
			sw_text_addf(out, dims->into[d] < dims->to ? "%d" : "+%d",
				dims->into[d] - (dims->into[d] < dims->to ? 0 : dims->to));
		sw_text_add(out, dims->whole >> d & 1 ? "!" : "");
	}
	sw_text_add(out, dims->same ? " same" : dims->even ? " even" : "");
}

/* Reads the module, and compares what its one operation, the last of HLO, says of its operands. */
static void says_dims(const sw_text *text, const char *says)
{
	graph_module module = {.partitions = 1};
	sw_str whole = {sw_text_get(text), text->length};
	sw_text said = {0};
	sw_diag diag;
	graph_dims dims;
	hlo_shape to;
	bool mlir = sw_str_starts(whole, "module");
	sw_span span = {0, whole.length};
	assert_true(mlir ? mlir_read(whole, span, 1, NULL, arena, &module, &diag) :
					   hlo_module_read(whole, NULL, arena, &module, &diag));
	int i = mlir ? 0 : module.instructions - 1;
	const graph_instruction *at = &module.instruction[i];
	assert_true(graph_shape(&module, mlir ? at->first_result : i, &to));
	for (int k = 0; k < at->operands; k++) {
		sw_text_add(&said, k ? " | " : "");
		if (graph_dims_of(&module, at, k, &to, &dims))
			add_dims(&said, &dims);
		else
			sw_text_add(&said, "none");
	}
	assert_string_equal(sw_text_get(&said), says);
	sw_text_free(&said);
}

static void both_say(void **state)
{
	const struct operation_row *row = *state;
	for (int mlir = row->hlo ? 0 : 1; mlir < 2; mlir++) {
		sw_text text = {0};
		if (mlir)
			add_mlir(&text, row);
		else
			add_hlo(&text, row);
		says_dims(&text, row->says);
		sw_text_free(&text);
	}
}

static void texts_say(const char *const *text, size_t count, const char *says)
{
	for (size_t k = 0; k < count; k++) {
		sw_text whole = {0};
		sw_text_add(&whole, text[k]);
		says_dims(&whole, says);
		sw_text_free(&whole);
	}
}

static void the_generic_form_says_it_too(void **state)
{
	(void)state;
	static const char *const text[] = {
		"module @m {\n"
		"  func.func public @main(%arg0: tensor<2x4x8xf32>, %arg1: tensor<8x2x6xf32>) {\n"
		"    %0 = \"stablehlo.dot_general\"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<"
		"lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], "
		"rhs_contracting_dimensions = [0]>}> : (tensor<2x4x8xf32>, tensor<8x2x6xf32>) -> tensor<2x4x6xf32>\n"
		"    return\n"
		"  }\n"
		"}\n"};
	texts_say(text, COUNT(text), "0 1 +0 | +0 0 2");
}

/* Its second operand is where it begins. */
static void a_reduction_drops_dimensions(void **state)
{
	(void)state;
	static const char *const text[] = {"HloModule m\n\n"
									   "add {\n"
									   "  x = f32[] parameter(0)\n"
									   "  y = f32[] parameter(1)\n"
									   "  ROOT s = f32[] add(x, y)\n"
									   "}\n\n"
									   "ENTRY main {\n"
									   "  a = f32[2,4,8] parameter(0)\n"
									   "  c = f32[] constant(0)\n"
									   "  ROOT r = f32[4] reduce(a, c), dimensions={0,2}, to_apply=add\n"
									   "}\n",
		"module @m {\n"
		"  func.func public @main(%arg0: tensor<2x4x8xf32>, %arg1: tensor<f32>) {\n"
		"    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 2] : "
		"(tensor<2x4x8xf32>, tensor<f32>) -> tensor<4xf32>\n"
		"    return\n"
		"  }\n"
		"}\n"};
	texts_say(text, COUNT(text), "- 0 - | none");
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(both_say, rows, name),
		TEST(the_generic_form_says_it_too),
		TEST(a_reduction_drops_dimensions),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What programs compute in the words of other languages.
 */
#include "emit/words.h"

#include "emit/mpi_body.h"

static const sw_writing by_move = {
	.whole = sw_whole_elements,
	.jax = sw_jax_move,
	.dtensor = sw_dtensor_move,
	.mlir = sw_mlir_move,
	.shard_map = sw_shard_map_move,
	.c_needs = sw_c_needs_move,
	.c_operation = sw_c_move,
	.c = "move",
};

static const sw_writing by_body = {
	.whole = sw_whole_body,
	.jax = sw_jax_body,
	.dtensor = sw_dtensor_body,
	.mlir = sw_mlir_body,
	.shard_map = sw_shard_map_body,
	.c_needs = sw_c_needs_body,
	.c_tables = sw_c_body_tables,
	.c_operation = sw_c_body,
	.c = "body",
};

static const sw_writing by_product = {
	.whole = sw_whole_product,
	.jax = sw_jax_product,
	.dtensor = sw_dtensor_product,
	.mlir = sw_mlir_product,
	.shard_map = sw_shard_map_product,
	.c_needs = sw_c_needs_operation,
	.c_tables = sw_c_product_tables,
	.c_operation = sw_c_product,
	.c = "product",
};

static const sw_writing by_elements = {
	.whole = sw_whole_elements,
	.jax = sw_jax_operation,
	.dtensor = sw_dtensor_operation,
	.mlir = sw_mlir_operation,
	.shard_map = sw_shard_map_operation,
	.c_needs = sw_c_needs_operation,
	.c_operation = sw_c_elements,
	.c = "elements",
};

static const sw_words rows[SW_DO_COUNT] = {
	[SW_DO_REDISTRIBUTE] = {.writing = &by_move, .python = "%a", .jax_sums = true},
	[SW_DO_SPMD] = {.writing = &by_body},
	[SW_DO_EINSUM] =
		{
			.writing = &by_product,
			.c_need = SW_MPI_EINSUM | SW_MPI_PRODUCT,
			.c_bound_need = SW_MPI_BOUND_PRODUCT,
			.c_bound = "bound_product",
		},
	[SW_DO_MATMUL] =
		{
			.writing = &by_product,
			.python = "%a @ %b",
			.c_need = SW_MPI_PRODUCT,
			.c_bound_need = SW_MPI_BOUND_PRODUCT,
			.c_bound = "bound_product",
		},
	[SW_DO_RELU] =
		{
			.writing = &by_elements,
			.python = "%n.maximum(%a, 0)",
			.torch = "torch.relu",
			.mlir = "maximum",
			.constant = "0",
			.c = "relu",
			.c_need = SW_MPI_RELU,
			.c_bound_need = SW_MPI_BOUND_SAME,
			.c_bound = "bound_same",
		},
	[SW_DO_EXP] =
		{
			.writing = &by_elements,
			.python = "%n.exp(%a)",
			.torch = "torch.exp",
			.mlir = "exponential",
			.c = "exponential",
			.c_need = SW_MPI_EXP,
			.c_bound_need = SW_MPI_BOUND_EXP | SW_MPI_EXP,
			.c_bound = "bound_exp",
		},
	[SW_DO_NEG] =
		{
			.writing = &by_elements,
			.python = "negative(%a)",
			.outside = "-%a",
			.torch = "torch.neg",
			.mlir = "negate",
			.c = "negative",
			.c_need = SW_MPI_NEG,
			.c_bound_need = SW_MPI_BOUND_SAME,
			.c_bound = "bound_same",
		},
	[SW_DO_SCALE] =
		{
			.writing = &by_elements,
			.python = "2 * %a",
			.torch = "lambda a: 2 * a",
			.mlir = "multiply",
			.constant = "2",
			.c = "twice",
			.c_need = SW_MPI_SCALE,
			.c_bound_need = SW_MPI_BOUND_SUM,
			.c_bound = "bound_sum",
		},
	[SW_DO_ADD] =
		{
			.writing = &by_elements,
			.python = "%a + %b",
			.jax_sums = true,
			.torch = "torch.add",
			.mlir = "add",
			.c = "add",
			.c_need = SW_MPI_ADD,
			.c_bound_need = SW_MPI_BOUND_SUM,
			.c_bound = "bound_sum",
		},
	[SW_DO_MUL] =
		{
			.writing = &by_elements,
			.python = "%a * %b",
			.torch = "torch.mul",
			.mlir = "multiply",
			.c = "times",
			.c_need = SW_MPI_MUL,
			.c_bound_need = SW_MPI_BOUND_PRODUCT,
			.c_bound = "bound_product",
		},
};

const sw_words *sw_words_of(sw_program_op op)
{
	return &rows[op];
}

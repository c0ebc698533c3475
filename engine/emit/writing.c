/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How steps of programs are written in other languages.
 */
#include "emit/writing.h"

static const sw_writing rows[SW_MAKINGS] = {
	[SW_MADE_BY_PLAN] =
		{
			.whole = sw_whole_elements,
			.jax = sw_jax_move,
			.dtensor = sw_dtensor_move,
			.mlir = sw_mlir_move,
			.shard_map = sw_shard_map_move,
			.c_needs = sw_c_needs_move,
			.c_fields = sw_c_move,
			.c = "move",
		},
	[SW_MADE_BY_BODY] =
		{
			.whole = sw_whole_body,
			.jax = sw_jax_body,
			.dtensor = sw_dtensor_body,
			.mlir = sw_mlir_body,
			.shard_map = sw_shard_map_body,
			.c_needs = sw_c_needs_body,
			.c_tables = sw_c_body_tables,
			.c_fields = sw_c_body,
			.c = "body",
		},
	[SW_MADE_BY_PRODUCT] =
		{
			.whole = sw_whole_product,
			.jax = sw_jax_product,
			.dtensor = sw_dtensor_product,
			.mlir = sw_mlir_product,
			.shard_map = sw_shard_map_product,
			.c_needs = sw_c_needs_product,
			.c_tables = sw_c_product_tables,
			.c_fields = sw_c_product,
			.c = "product",
		},
	[SW_MADE_BY_ELEMENT] =
		{
			.whole = sw_whole_elements,
			.jax = sw_jax_elements,
			.dtensor = sw_dtensor_elements,
			.mlir = sw_mlir_elements,
			.shard_map = sw_shard_map_elements,
			.c_needs = sw_c_needs_elements,
			.c_fields = sw_c_elements,
			.c = "elements",
		},
	[SW_MADE_BY_FORMULA] =
		{
			.c_needs = sw_c_needs_formula,
			.c_tables = sw_c_formula_tables,
			.c_fields = sw_c_formula,
			.c = "formula",
		},
};

const sw_writing *sw_writing_of(sw_op op)
{
	return &rows[sw_operation_of(op)->made];
}

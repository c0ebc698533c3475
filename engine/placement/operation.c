/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operations on chunks: one row each.
 */
#include <shardwalk/reduction.h>

static const sw_reduction_row rows[] = {
#define X(id, name, brings, leaves, ring, passes, trees) \
	{name, SW_BRINGS_##brings, SW_LEAVES_##leaves, SW_RING_##ring, passes, trees},
	SW_REDUCTION_OPS(X)
#undef X
};

const sw_reduction_row *sw_reduction_row_of(sw_reduction_op op)
{
	return &rows[op];
}

sw_reduction_op sw_reduction_op_named(sw_str name)
{
	int op = 0;

	while (op < SW_REDUCTION_OP_COUNT && !sw_str_same_letters(name, sw_str_of(rows[op].name)))
		op++;
	return (sw_reduction_op)op;
}

double sw_reduction_edge(sw_reduction_op op, double n)
{
	const sw_reduction_row *row = &rows[op];
	double each = row->ring == SW_RING_PARTS ? (n - 1) / n : row->ring == SW_RING_WHOLES ? n - 1 : 1;

	return row->passes * each;
}

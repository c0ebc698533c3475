/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operations of programs: names and what they do to sums.
 */
#include "program/ops.h"

typedef struct op_row {
	const char *name;
	int operands;
	enum sw_with_sums sums;
	const char *about;
} op_row;

static const op_row op_rows[SW_DO_COUNT] = {
#define X(id, name, operands, sums, about) [SW_DO_##id] = {name, operands, sums, about},
	SW_PROGRAM_OPS(X)
#undef X
};

const char *sw_program_op_name(sw_program_op op)
{
	return op_rows[op].name;
}

const char *sw_program_op_about(sw_program_op op)
{
	return op_rows[op].about;
}

int sw_program_op_operands(sw_program_op op)
{
	return op_rows[op].operands;
}

enum sw_with_sums sw_program_op_sums(sw_program_op op)
{
	return op_rows[op].sums;
}

sw_program_op sw_program_op_named(sw_str name)
{
	int op = 0;
	while (op < SW_DO_COUNT && !sw_str_is(name, op_rows[op].name))
		op++;
	return (sw_program_op)op;
}

bool sw_program_op_local(sw_program_op op)
{
	return op >= SW_DO_MATMUL && op < SW_DO_COUNT;
}

bool sw_program_op_global(sw_program_op op)
{
	return op != SW_DO_MATMUL && op < SW_DO_COUNT;
}

bool sw_program_reserved(sw_str name)
{
	static const char *const words[] = {"mesh", "fn", "as", "return"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (sw_str_is(name, words[i]))
			return true;
	return sw_program_op_named(name) < SW_DO_COUNT;
}

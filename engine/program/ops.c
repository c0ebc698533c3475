/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operations of programs: names and what they do to sums.
 */
#include "program/ops.h"

/* Where an operation is written: as a statement of the program, or as a call in a body. */
typedef struct place {
	bool statement, call;
} place;

static const place place_STATEMENT = {.statement = true}, place_CALL = {.call = true}, place_BOTH = {true, true};

/* How its result is made; one of these is true. */
typedef struct making {
	bool moves, has_body, multiplies, by_element;
} making;

static const making making_MOVE = {.moves = true}, making_BODY = {.has_body = true};
static const making making_PRODUCT = {.multiplies = true}, making_ELEMENTS = {.by_element = true};

typedef struct op_row {
	const char *name;
	int operands;
	const place *place;
	const making *making;
	enum sw_with_sums sums;
	const char *about;
} op_row;

static const op_row op_rows[SW_DO_COUNT + 1] = {
#define X(id, name, operands, place, making, sums, about) \
	[SW_DO_##id] = {name, operands, &place_##place, &making_##making, sums, about},
	SW_PROGRAM_OPS(X)
#undef X
		[SW_DO_COUNT] = {.place = &(const place){0}, .making = &(const making){0}}};

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
	return op_rows[op].place->call;
}

bool sw_program_op_global(sw_program_op op)
{
	return op_rows[op].place->statement;
}

bool sw_program_op_moves(sw_program_op op)
{
	return op_rows[op].making->moves;
}

bool sw_program_op_has_body(sw_program_op op)
{
	return op_rows[op].making->has_body;
}

bool sw_program_op_multiplies(sw_program_op op)
{
	return op_rows[op].making->multiplies;
}

bool sw_program_op_by_element(sw_program_op op)
{
	return op_rows[op].making->by_element;
}

bool sw_program_reserved(sw_str name)
{
	static const char *const words[] = {"mesh", "fn", "as", "return"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (sw_str_is(name, words[i]))
			return true;
	return sw_program_op_named(name) < SW_DO_COUNT;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of products share.
 */
#include "foreign/program/operand.h"

#include <string.h>

sw_span operand_span(const operand_text *of, sw_str slice)
{
	size_t begin = (size_t)(slice.at - of->text.at);
	return (sw_span){begin, begin + slice.length};
}

bool operand_refuse(const operand_text *of, sw_str slice, const char *expected)
{
	sw_span at = operand_span(of, slice);
	if (slice.length == 0)
		sw_diag_set(of->diag, SW_N01, at, "the text ends too early");
	else
		sw_diag_set(of->diag, SW_N01, at, "cannot read '%.*s'", (int)(slice.length < 60 ? slice.length : 60),
			slice.at);
	sw_diag_expected(of->diag, "%s", expected);
	return false;
}

bool operand_blame(const operand_text *of, sw_str slice)
{
	sw_diag *diag = of->diag;
	sw_span at = operand_span(of, slice);
	if (diag && diag->at.end == 0)
		diag->at = at;
	else if (diag)
		sw_diag_shift(diag, at.begin);
	return false;
}

static bool take_sharding(const operand_text *of, sw_sharding *sharding, sw_str text, const sw_type *shape,
	sw_type *type)
{
	sw_notation_context context = {.mesh = of->mesh, .rank = shape ? shape->rank : -1, .shape = shape};
	if (!sw_sharding_parse(text, &context, of->arena, sharding, of->diag) ||
		(shape && !sw_sharding_take_shape(sharding, shape, of->diag)))
		return operand_blame(of, text);
	bool ok = sharding->own_mesh || !sharding->named ?
		sw_sharding_over(sharding, of->mesh, shape, of->arena, type, of->diag) :
		sw_sharding_type(sharding, shape, of->arena, type, of->diag);
	return ok || operand_blame(of, text);
}

/* A type keeps nothing of the sharding. */
bool operand_sharded(const operand_text *of, sw_str text, const sw_type *shape, sw_type *type)
{
	sw_arena_mark mark = sw_arena_here(of->arena);
	sw_sharding *sharding = SW_NEW(of->arena, sw_sharding, 1);
	bool ok = sharding ? take_sharding(of, sharding, text, shape, type) : sw_diag_memory(of->diag);
	if (ok)
		type->dtype_given = shape ? shape->dtype_given : type->dtype_given;
	sw_arena_back(of->arena, mark);
	return ok;
}

bool operand_shape(const operand_text *of, sw_str all, sw_product *product, sw_type *result)
{
	bool ok = sw_product_shape(&product->equation, &product->a, &product->b, result, of->diag);
	if (!ok && of->diag)
		of->diag->at = operand_span(of, all);
	return ok;
}

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

/* The position behind the quote that opens at `at`. */
static size_t quote_end(sw_str text, size_t at)
{
	const char *end = memchr(text.at + at + 1, text.at[at], text.length - at - 1);
	return end ? (size_t)(end - text.at) + 1 : text.length;
}

/* Steps over one byte or quoted string and counts brackets; an arrow is none. */
static size_t step_over(sw_str text, size_t at, int *depth)
{
	char c = text.at[at];
	if (c == '\'' || c == '"')
		return quote_end(text, at);
	*depth += c == '(' || c == '[' || c == '{';
	*depth -= c == ')' || c == ']' || c == '}';
	return at + 1;
}

size_t operand_find(sw_str text, size_t at, const char *sign)
{
	int depth = 0;
	while (at < text.length) {
		if (depth == 0 && sw_str_starts(sw_str_behind(text, at), sign))
			return at;
		at = step_over(text, at, &depth);
	}
	return text.length;
}

size_t operand_close(sw_str text, size_t at)
{
	int depth = 0;
	while (at < text.length) {
		at = step_over(text, at, &depth);
		if (depth <= 0)
			return depth == 0 ? at : 0;
	}
	return 0;
}

sw_str operand_item(sw_str list, size_t *at)
{
	size_t begin = *at < list.length ? *at : list.length, end = operand_find(list, begin, ",");
	*at = end + 1;
	return sw_str_trim((sw_str){list.at + begin, end - begin});
}

static bool take_sharding(const operand_text *of, sw_sharding *sharding, sw_str text, const sw_type *shape,
	sw_type *type)
{
	sw_notation_context context = {of->mesh, shape ? shape->rank : -1, false};
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

bool operand_shape(const operand_text *of, sw_str all, sw_product_text *product, sw_type *result)
{
	bool ok = sw_product_shape(&product->equation, &product->a, &product->b, result, of->diag);
	if (!ok && of->diag)
		of->diag->at = operand_span(of, all);
	return ok;
}

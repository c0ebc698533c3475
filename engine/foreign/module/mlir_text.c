/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slices of the text of StableHLO: types, lists, shardings.
 */
#define _GNU_SOURCE
#include "foreign/module/hlo_text.h"
#include "foreign/module/mlir.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

sw_str mlir_part(sw_str list, int k)
{
	assert(k >= 0);
	size_t at = 0;
	sw_str part = sw_str_split(list, &at, SW_NESTING_MLIR);
	while (k-- > 0)
		part = sw_str_split(list, &at, SW_NESTING_MLIR);
	return part;
}

bool mlir_shape_read(sw_str type, mlir_shape *shape)
{
	if (!sw_str_starts(type, "tensor<") || type.at[type.length - 1] != '>')
		return false;
	sw_str rest = {type.at + 7, type.length - 8};
	*shape = (mlir_shape){.rank = 0};
	for (;;) {
		size_t length = sw_str_digits(rest);
		if (!length || length == rest.length || rest.at[length] != 'x')
			break;
		if (shape->rank == MLIR_DIMS || !sw_read_int((sw_str){rest.at, length}, &shape->dim[shape->rank++], NULL))
			return false;
		rest = sw_str_behind(rest, length + 1);
	}
	const char *encoding = memchr(rest.at, ',', rest.length);
	shape->dtype = encoding ? (sw_str){rest.at, (size_t)(encoding - rest.at)} : rest;
	return rest.length > 0 && *rest.at != '?';
}

int mlir_list(sw_str text, const char *name, int64_t *number, int room)
{
	sw_str rest;
	if (!sw_str_after(text, name, &rest))
		return -1;
	const char *end = memchr(rest.at, ']', rest.length);
	int64_t count = hlo_numbers((sw_str){rest.at, end ? (size_t)(end - rest.at) : rest.length}, number, room);
	for (int64_t k = 0; k < count && k < room; k++)
		if (number[k] < 0)
			return -1;
	return count > room ? -1 : (int)count;
}

static sw_str quoted(sw_str text)
{
	int depth = 0;
	size_t end = sw_str_step(text, 0, SW_NESTING_MLIR, &depth);
	return end > 2 ? (sw_str){text.at + 1, end - 2} : (sw_str){"", 0};
}

/* `<@mesh, ...>`, `<mesh<...>, ...>`, `<#sdy.mesh<...>, ...>` or `#sdy.sharding<...>` at the start; empty: none. */
static sw_str angled(sw_str text)
{
	size_t name = sw_str_starts(text, "#sdy.sharding<") ? strlen("#sdy.sharding") : 0;
	sw_str rest = sw_str_behind(text, name);
	if (!sw_str_starts(rest, "<@") && !sw_str_starts(rest, "<mesh<") && !sw_str_starts(rest, "<#sdy.mesh<"))
		return (sw_str){"", 0};
	size_t end = sw_str_balanced(rest, 0, SW_NESTING_MLIR);
	return (sw_str){rest.at, end};
}

sw_str mlir_shardings_in(sw_str text, const char *key)
{
	sw_str rest;
	if (!sw_str_after(text, key, &rest))
		return rest;
	size_t end = *key && key[strlen(key) - 1] == '[' ?
		sw_str_balanced(text, (size_t)(rest.at - text.at) - 1, SW_NESTING_MLIR) :
		0;
	if (end)
		rest.length = end - (size_t)(rest.at - text.at);
	return rest;
}

sw_str mlir_next_sharding(sw_str *rest, bool first)
{
	sw_str found = {"", 0};
	for (; rest->length && !found.length; *rest = sw_str_behind(*rest, found.length ? found.length : 1)) {
		if (*rest->at == '"') {
			found = first ? quoted(*rest) : found;
			rest->length = 0;
			return found;
		}
		found = *rest->at == '<' || *rest->at == '#' ? angled(*rest) : found;
		if (found.length)
			*rest = sw_str_behind(*rest, (size_t)(found.at - rest->at));
	}
	return found;
}

sw_str mlir_sharding_in(sw_str text, const char *key)
{
	sw_str rest = mlir_shardings_in(text, key);
	return mlir_next_sharding(&rest, true);
}

bool mlir_dtype_read(sw_str name, sw_dtype *dtype)
{
	char lower[32];
	if (name.length >= sizeof(lower))
		return false;
	for (size_t i = 0; i <= name.length; i++)
		lower[i] = i == name.length                ? '\0' :
			name.at[i] >= 'A' && name.at[i] <= 'Z' ? (char)(name.at[i] | 0x20) :
													 name.at[i];
	const char *own = strcmp(lower, "i1") == 0 ? "pred" :
		strcmp(lower, "complex<f32>") == 0     ? "c64" :
		strcmp(lower, "complex<f64>") == 0     ? "c128" :
												 lower[0] == 'u' && lower[1] == 'i' ?
											 memmove(lower + 1, lower + 2, strlen(lower + 2) + 1),
			   lower : lower;
	return sw_dtype_parse(sw_str_of(own), dtype, NULL);
}

/* ---- attributes ---- */

/* `dense<[[0, 1]]> : tensor<1x2xi64>` behind NAME. */
static bool table_in(sw_str text, const char *name, sw_str *value)
{
	sw_str rest;
	sw_str_after(text, name, &rest);
	size_t end = sw_str_starts(rest, " = dense<") ? sw_str_balanced(rest, strlen(" = dense"), SW_NESTING_MLIR) : 0;
	if (!end)
		return false;
	sw_str type = sw_str_trim(sw_str_behind(rest, end));
	type = sw_str_trim(sw_str_behind(type, sw_str_starts(type, ":")));
	size_t typed = sw_str_starts(type, "tensor<") ? sw_str_balanced(type, strlen("tensor"), SW_NESTING_MLIR) : 0;
	*value = sw_str_trim((sw_str){rest.at + 3, (size_t)(type.at + typed - rest.at) - 3});
	return typed > 0;
}

/* `stablehlo.compare  LT, %a, %b`, or `#stablehlo<comparison_direction LT>` */
static bool direction_in(const graph_instruction *op, sw_str *value)
{
	sw_str rest;
	if (!sw_str_after(op->attributes, "comparison_direction ", &rest))
		rest = sw_str_trim(sw_str_behind(op->attributes, op->word.length));
	size_t length = 0;
	while (length < rest.length && rest.at[length] >= 'A' && rest.at[length] <= 'Z')
		length++;
	*value = (sw_str){rest.at, length};
	return length > 0;
}

/* What stands between the first OPEN before the types and CLOSE. */
static bool between(sw_str text, char open, char close, sw_str *value)
{
	const char *types = memmem(text.at, text.length, " : ", 3);
	const char *first = memchr(text.at, open, types ? (size_t)(types - text.at) : text.length);
	sw_str rest = sw_str_behind(text, first ? (size_t)(first - text.at) + 1 : text.length);
	const char *end = rest.length ? memchr(rest.at, close, rest.length) : NULL;
	*value = (sw_str){rest.at, end ? (size_t)(end - rest.at) : 0};
	return end != NULL;
}

/* Lists of dimensions by HLO's names, and how other operations or the generic form say them; right: the list behind that of the left
 * operand. */
static const struct list_row {
	const char *name, *key, *other;
	bool right;
} lists[] = {
	{"dimensions", "dims = [", "dimensions = [", false},
	{"lhs_batch_dims", "batching_dims = [", "lhs_batching_dimensions = [", false},
	{"rhs_batch_dims", "batching_dims = [", "rhs_batching_dimensions = [", true},
	{"lhs_contracting_dims", "contracting_dims = [", "lhs_contracting_dimensions = [", false},
	{"rhs_contracting_dims", "contracting_dims = [", "rhs_contracting_dimensions = [", true},
};

static bool list_in(sw_str text, const char *name, sw_str *value)
{
	const struct list_row *row = lists, *end = lists + sizeof(lists) / sizeof(*lists);
	while (row < end && strcmp(row->name, name) != 0)
		row++;
	if (row == end)
		return false;
	bool said = sw_str_after(text, row->key, value) ? !row->right || sw_str_after(*value, "] x [", value) :
													  sw_str_after(text, row->other, value);
	const char *close = value->length ? memchr(value->at, ']', value->length) : NULL;
	value->length = close ? (size_t)(close - value->at) : value->length;
	return said;
}

bool mlir_attribute(const graph_instruction *op, const char *name, sw_str *value)
{
	if (strcmp(name, "direction") == 0)
		return direction_in(op, value);
	if (strcmp(name, "slice") == 0)
		return between(op->attributes, '[', ']', value);
	if (strcmp(name, "literal") == 0)
		return between(op->attributes, '<', '>', value);
	return list_in(op->attributes, name, value) || table_in(op->attributes, name, value);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products as the scaling book writes them: arrays whose dimensions have letters, sizes, and axes as subscripts.
 */
#include "foreign/program/operand.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#define NAMES_MOST (3 * SW_MAX_DIMS)

/* One array: its text, the names of its dimensions and what it says of sizes. */
typedef struct book_array {
	sw_str text;
	sw_dtype dtype;
	bool dtype_given;
	sw_sharding *sharding;
	int name[SW_MAX_DIMS]; /* of book_names */
} book_array;

typedef struct book_names {
	int count;
	sw_str name[NAMES_MOST];
	char letter[NAMES_MOST];
	int64_t size[NAMES_MOST]; /* 0: not said yet */
	sw_str said[NAMES_MOST];  /* where */
} book_names;

/* ---- arrays ---- */

/* Takes `A[I:64, J_X:32] {U_Y}` from the front; false where there is none. */
static bool take_array(sw_str *rest, sw_str *array)
{
	const char *open = memchr(rest->at, '[', rest->length);
	size_t end = open ? sw_str_balanced(*rest, (size_t)(open - rest->at), SW_NESTING_PYTHON) : 0, behind = end;
	if (!end)
		return false;
	while (behind < rest->length && rest->at[behind] == ' ')
		behind++;
	if (behind < rest->length && rest->at[behind] == '{')
		end = sw_str_balanced(*rest, behind, SW_NESTING_PYTHON);
	if (!end)
		return false;
	*array = (sw_str){rest->at, end};
	*rest = sw_str_trim(sw_str_behind(*rest, end));
	return true;
}

/* Signs of a product between two arrays, and of what it makes. */
static sw_str without_sign(sw_str text, const char *const *signs)
{
	for (; *signs; signs++)
		if (sw_str_starts(text, *signs))
			return sw_str_trim(sw_str_behind(text, strlen(*signs)));
	return text;
}

static bool is_subscript_mark(sw_str text, size_t at)
{
	unsigned char c = (unsigned char)text.at[at];
	return c == '_' || c == ':' || c >= 0x80;
}

static int name_of(book_names *names, sw_str name)
{
	for (int i = 0; i < names->count; i++)
		if (sw_str_equal(names->name[i], name))
			return i;
	names->name[names->count] = name;
	names->size[names->count] = 0;
	return names->count++;
}

/* `J_X:32` -> J; `JX` whose X cuts the dimension -> J. */
static sw_str dimension_name(sw_str item, bool cut)
{
	size_t length = 0;
	while (length < item.length && !is_subscript_mark(item, length))
		length++;
	return sw_str_trim((sw_str){item.at, cut && length == item.length && length > 1 ? 1 : length});
}

static bool take_size(const operand_text *of, book_names *names, int name, sw_str item)
{
	size_t colon = sw_str_outside(item, 0, SW_NESTING_PYTHON, ":");
	int64_t size;
	if (colon == item.length)
		return true;
	if (!sw_read_int(sw_str_trim(sw_str_behind(item, colon + 1)), &size, NULL) || size < 1)
		return operand_refuse(of, item, "a size of at least 1 after the colon");
	if (names->size[name] == 0) {
		names->size[name] = size;
		names->said[name] = item;
		return true;
	}
	if (names->size[name] == size)
		return true;
	sw_str first = names->said[name];
	sw_diag_set(of->diag, SW_A04, operand_span(of, item), "letter '%.*s' is %lld and %lld",
		(int)names->name[name].length, names->name[name].at, (long long)names->size[name], (long long)size);
	sw_diag_also(of->diag, operand_span(of, first), "the other size");
	if (of->diag)
		of->diag->rule = SW_RULE_SIZE;
	return false;
}

/* Where `[` of an array opens; its text has one. */
static size_t bracket_of(const book_array *array)
{
	return (size_t)((const char *)memchr(array->text.at, '[', array->text.length) - array->text.at);
}

static bool read_names(const operand_text *of, book_array *array, book_names *names)
{
	size_t open = bracket_of(array), close = sw_str_balanced(array->text, open, SW_NESTING_PYTHON), at = 0;
	sw_str list = {array->text.at + open + 1, close - open - 2};
	for (int d = 0; d < array->sharding->rank; d++) {
		sw_str item = sw_str_split(list, &at, SW_NESTING_PYTHON);
		bool cut = array->sharding->first[d + 1] > array->sharding->first[d];
		array->name[d] = name_of(names, dimension_name(item, cut));
		if (!take_size(of, names, array->name[d], item))
			return false;
	}
	return true;
}

static bool read_array(const operand_text *of, sw_str text, book_array *array, book_names *names)
{
	sw_notation_context context = {.mesh = of->mesh, .rank = -1};
	*array = (book_array){.text = text, .dtype = SW_F32};
	size_t open = bracket_of(array);
	array->dtype_given = sw_dtype_parse(sw_str_trim((sw_str){text.at, open}), &array->dtype, NULL);
	array->sharding = SW_NEW(of->arena, sw_sharding, 1);
	if (!array->sharding)
		return sw_diag_memory(of->diag);
	if (!sw_sharding_parse(text, &context, of->arena, array->sharding, of->diag))
		return operand_blame(of, text);
	if (array->sharding->notation != SW_NOTATION_BOOK)
		return operand_refuse(of, text, "an array with letters, such as A[I:64, J_X:32]");
	return read_names(of, array, names);
}

/* ---- letters ---- */

static bool is_taken(const book_names *names, int before, char letter)
{
	for (int i = 0; i < before; i++)
		if (names->letter[i] == letter)
			return true;
	return false;
}

/* The first of a name in either case, small first; else the first that is free. */
static void give_letters(book_names *names)
{
	static const char all[] = "ijklmnopqrstuvwxyzabcdefghABCDEFGHIJKLMNOPQRSTUVWXYZ";
	for (int i = 0; i < names->count; i++) {
		char first = names->name[i].length ? *names->name[i].at : 'i', small = (char)(first | 0x20);
		char wanted[sizeof(all) + 2] = {small, (char)(small & ~0x20)};
		int begin = small >= 'a' && small <= 'z' ? 0 : 2, k = begin;
		memcpy(wanted + 2, all, sizeof(all));
		while (is_taken(names, i, wanted[k]))
			k++;
		names->letter[i] = wanted[k];
	}
}

static void spell(const book_array *array, const book_names *names, sw_text *text)
{
	for (int d = 0; d < array->sharding->rank; d++)
		sw_text_add_char(text, names->letter[array->name[d]]);
}

/* Letters that the result leaves out are summed; without a result those that both operands have. */
static void spell_result(const book_array *array, const book_names *names, sw_text *text)
{
	for (int side = 0; side < 2; side++)
		for (int d = 0; d < array[side].sharding->rank; d++) {
			bool both = false;
			for (int k = 0; k < array[!side].sharding->rank; k++)
				both |= array[!side].name[k] == array[side].name[d];
			if (!both)
				sw_text_add_char(text, names->letter[array[side].name[d]]);
		}
}

static bool make_equation(const operand_text *of, const book_array *array, int arrays, const book_names *names,
	sw_equation *equation)
{
	sw_text text = {0};
	spell(&array[0], names, &text);
	sw_text_add(&text, ",");
	spell(&array[1], names, &text);
	sw_text_add(&text, "->");
	if (arrays == 3)
		spell(&array[2], names, &text);
	else
		spell_result(array, names, &text);
	bool ok = sw_equation_parse(sw_str_of(sw_text_get(&text)), equation, of->diag);
	if (!ok && of->diag) {
		of->diag->at = operand_span(of, sw_str_trim(of->text));
		of->diag->also = (sw_span){0, 0};
	}
	sw_text_free(&text);
	return ok;
}

/* ---- types ---- */

static bool array_type(const operand_text *of, const book_array *array, const book_names *names, sw_type *type)
{
	int64_t global[SW_MAX_DIMS] = {0};
	sw_type shape;
	for (int d = 0; d < array->sharding->rank; d++) {
		const sw_str name = names->name[array->name[d]];
		global[d] = names->size[array->name[d]];
		if (global[d] > 0)
			continue;
		sw_diag_set(of->diag, SW_N03, operand_span(of, array->text), "the size of %.*s is unknown", (int)name.length,
			name.at);
		sw_diag_expected(of->diag, "%.*s:SIZE in one of the arrays", (int)name.length, name.at);
		return false;
	}
	if (!sw_type_replicated(array->dtype, array->sharding->rank, global, &shape, of->diag))
		return operand_blame(of, array->text);
	shape.dtype_given = array->dtype_given;
	array->sharding->has_shape = false;
	if (!sw_sharding_take_shape(array->sharding, &shape, of->diag) ||
		!sw_sharding_type(array->sharding, &shape, of->arena, type, of->diag))
		return operand_blame(of, array->text);
	type->dtype_given = shape.dtype_given;
	return true;
}

/* An element type that one array says holds for those that say none. */
static void share_dtype(book_array *array, int arrays)
{
	for (int i = 0; i < arrays; i++)
		for (int k = 0; k < arrays && !array[i].dtype_given; k++)
			if (array[k].dtype_given) {
				array[i].dtype = array[k].dtype;
				array[i].dtype_given = true;
			}
}

/* ---- lines ---- */

static int read_arrays(const operand_text *of, book_array *array, book_names *names)
{
	static const char *const times[] = {"*_LOCAL", "\u00b7_LOCAL", "\u22c5_LOCAL", "*", "@", "\u00b7", "\u22c5", "x ",
		NULL};
	static const char *const makes[] = {"->", "\u2192", "=", NULL};
	sw_str rest = sw_str_trim(of->text), text, before;
	if (!take_array(&rest, &text) || !read_array(of, text, &array[0], names))
		return of->diag && of->diag->code != SW_OK ?
			0 :
			(operand_refuse(of, rest, "an array such as A[I:64, J_X:32]"), 0);
	rest = without_sign(rest, times);
	if (!take_array(&rest, &text))
		return operand_refuse(of, rest, "the second array, such as B[J_X:32, K:48]"), 0;
	if (!read_array(of, text, &array[1], names))
		return 0;
	if (rest.length == 0)
		return 2;
	before = rest;
	rest = without_sign(rest, makes);
	if (rest.length == before.length || !take_array(&rest, &text) || rest.length)
		return operand_refuse(of, rest, "-> and the result, such as C[I, K_X]"), 0;
	return read_array(of, text, &array[2], names) ? 3 : 0;
}

bool operand_book(const operand_text *of, sw_product *product)
{
	book_array array[3];
	book_names names = {.count = 0};
	sw_type result;
	of->diag->code = SW_OK;
	int arrays = read_arrays(of, array, &names);
	if (!arrays)
		return false;
	give_letters(&names);
	share_dtype(array, arrays);
	product->wanted = arrays == 3;
	return make_equation(of, array, arrays, &names, &product->equation) &&
		array_type(of, &array[0], &names, &product->a) && array_type(of, &array[1], &names, &product->b) &&
		operand_shape(of, sw_str_trim(of->text), product, &result) &&
		(!product->wanted || array_type(of, &array[2], &names, &product->as));
}

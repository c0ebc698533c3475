/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products as JAX writes them, with types beside the names of operands.
 */
#include "base/python.h"
#include "base/room.h"
#include "foreign/program/operand.h"

#include <string.h>

/* ---- operands ---- */

/* `x: ` before a type, whose own brackets come later. */
static sw_str without_name(sw_str item)
{
	size_t colon = sw_str_outside(item, 0, SW_NESTING_PYTHON, ":"),
		   open = sw_str_outside(item, 0, SW_NESTING_PYTHON, "[");
	size_t call = sw_str_outside(item, 0, SW_NESTING_PYTHON, "(");
	bool named = colon < open && colon < call;
	return named ? sw_str_trim(sw_str_behind(item, colon + 1)) : item;
}

/* The bytes of `f32[8@x,2048]{U:y}` at the start; 0: there is no type. */
static size_t type_length(sw_str text)
{
	const char *open = memchr(text.at, '[', text.length);
	size_t end = open ? sw_str_balanced(text, (size_t)(open - text.at), SW_NESTING_PYTHON) : 0;
	if (end && end < text.length && text.at[end] == '{')
		end = sw_str_balanced(text, end, SW_NESTING_PYTHON);
	return end;
}

static bool operand_untyped(const operand_text *of, sw_str item)
{
	sw_span at = operand_span(of, item);
	sw_diag_set(of->diag, SW_N03, at, "the type of '%.*s' is unknown", (int)(item.length < 40 ? item.length : 40),
		item.at);
	sw_diag_expected(of->diag, "NAME: DTYPE[SIZES] P(AXES)");
	sw_diag_hint(of->diag, "such as x: f32[8,2048] P('x', None), or x: f32[8@x,2048] as jax.typeof(x) prints it");
	return false;
}

/* Does a type that says no axes of its own stand before P(...)? */
static bool whole(const operand_text *of, sw_str text, const sw_type *type)
{
	if (type->first[type->rank + 1] == 0)
		return true;
	sw_diag_set(of->diag, SW_N01, operand_span(of, text),
		"the type gives a sharding, and so does the text "
		"after it");
	sw_diag_expected(of->diag, "axes in one of the two places");
	return false;
}

bool jax_operand(const operand_text *of, sw_str item, sw_type *type)
{
	sw_str text = without_name(item);
	size_t length = sw_str_starts(text, "jax.ShapeDtypeStruct(") || sw_str_starts(text, "ShapeDtypeStruct(") ?
		text.length :
		type_length(text);
	if (length == 0)
		return operand_untyped(of, item);
	sw_str shape = {text.at, length}, spec = sw_str_trim(sw_str_behind(text, length));
	if (!operand_sharded(of, shape, NULL, type))
		return false;
	sw_type bare = *type;
	return spec.length == 0 || (whole(of, spec, type) && operand_sharded(of, spec, &bare, type));
}

/* ---- equations ---- */

/* Letters in the order in which they are taken: i, j, k first. */
static const char letters[] = "ijklmnopqrstuvwxyzabcdefghIJKLMNOPQRSTUVWXYZABCDEFGH";

/* `A @ B` of arrays with these ranks: the last dimension of A with the last but one of B, or its only one. */
static void contract(sw_equation *e, int a, int b)
{
	int next = 0, sum_b = b > 1 ? b - 2 : 0, count = 0;
	for (int d = 0; d < a; d++)
		e->letter[SW_EQUATION_A][d] = letters[next++];
	for (int d = 0; d < b; d++)
		e->letter[SW_EQUATION_B][d] = d == sum_b ? e->letter[SW_EQUATION_A][a - 1] : letters[next++];
	for (int d = 0; d + 1 < a; d++)
		e->letter[SW_EQUATION_RESULT][count++] = e->letter[SW_EQUATION_A][d];
	for (int d = 0; d < b; d++)
		if (d != sum_b)
			e->letter[SW_EQUATION_RESULT][count++] = e->letter[SW_EQUATION_B][d];
	e->rank[SW_EQUATION_A] = a;
	e->rank[SW_EQUATION_B] = b;
	e->rank[SW_EQUATION_RESULT] = count;
}

/* The dimensions before the last two are those of a batch, counted from the end. */
static void contract_batches(sw_equation *e, int a, int b)
{
	int large = a > b ? a : b, count = 0;
	char batch[SW_MAX_DIMS], rows = letters[large - 2], inner = letters[large - 1], columns = letters[large];
	memcpy(batch, letters, (size_t)(large - 2));
	for (int side = SW_EQUATION_A; side <= SW_EQUATION_B; side++) {
		int rank = side == SW_EQUATION_A ? a : b;
		for (int d = 0; d + 2 < rank; d++)
			e->letter[side][d] = batch[large - rank + d];
		e->letter[side][rank - 2] = side == SW_EQUATION_A ? rows : inner;
		e->letter[side][rank - 1] = side == SW_EQUATION_A ? inner : columns;
		e->rank[side] = rank;
	}
	for (; count < large - 2; count++)
		e->letter[SW_EQUATION_RESULT][count] = batch[count];
	e->letter[SW_EQUATION_RESULT][count++] = rows;
	e->letter[SW_EQUATION_RESULT][count++] = columns;
	e->rank[SW_EQUATION_RESULT] = count;
}

bool jax_contraction(const operand_text *of, sw_str call, const sw_type *a, const sw_type *b, sw_equation *equation)
{
	bool batches = !sw_str_is(call, "dot") && a->rank > 1 && b->rank > 1 && (a->rank > 2 || b->rank > 2);
	*equation = (sw_equation){{0}, {{0}}};
	if (a->rank == 0 || b->rank == 0 || (batches && a->rank != b->rank && a->rank > 2 && b->rank > 2) ||
		a->rank + b->rank - 2 > SW_MAX_DIMS) {
		sw_diag_set(of->diag, SW_A03, operand_span(of, of->text),
			"arrays of %d and of %d dimensions are not multiplied like this", a->rank, b->rank);
		if (of->diag)
			of->diag->rule = SW_RULE_RANK;
		sw_diag_hint(of->diag, "jnp.einsum says which dimensions meet");
		return false;
	}
	if (batches)
		contract_batches(equation, a->rank, b->rank);
	else
		contract(equation, a->rank, b->rank);
	return true;
}

/* ---- calls ---- */

static bool take_argument(const operand_text *of, const sw_py_item *item, jax_call *call)
{
	if (sw_str_is(item->key, "out_sharding") || sw_str_is(item->key, "out_shardings"))
		call->out = item->value;
	if (item->key.length)
		return true; /* precision, preferred_element_type: no matter of types here */
	if (sw_str_is(call->name, "einsum") && !call->equation.at) {
		call->equation = sw_str_unquoted(item->text);
		return call->equation.at > item->text.at ||
			operand_refuse(of, item->text, "the equation in quotes, such as 'bd,df->bf'");
	}
	if (call->operands == 2)
		return operand_refuse(of, item->text, "out_sharding=P(...), after two operands");
	SW_ROOM(call->operand, call->operands);
	call->operand[call->operands++] = item->text;
	return true;
}

static bool read_arguments(const operand_text *of, sw_str list, jax_call *call)
{
	for (sw_py_item item; sw_py_take(&list, &item);) {
		if (item.text.length == 0)
			return operand_refuse(of, (sw_str){item.text.at, 1}, "an argument");
		if (!take_argument(of, &item, call))
			return false;
	}
	return call->operands == 2 || operand_refuse(of, list, "two operands with their types");
}

/* `x: T @ w: T`; false: it is no such text. */
static bool read_operator(sw_str text, jax_call *call)
{
	size_t at = sw_str_outside(text, 0, SW_NESTING_PYTHON, "@");
	if (at == text.length)
		return false;
	*call = (jax_call){.name = {text.at + at, 1}, .operands = 2};
	call->operand[0] = sw_py_inside((sw_str){text.at, at}, "(");
	call->operand[1] = sw_py_inside(sw_str_behind(text, at + 1), "(");
	return true;
}

static bool read_call(const operand_text *of, sw_str text, jax_call *call)
{
	sw_scan scan = {.text = text};
	sw_span at;
	*call = (jax_call){.name = sw_py_word(&scan, &at)};
	bool opens = sw_scan_peek(&scan) == '(';
	size_t begin = scan.at, end = sw_str_balanced(text, begin, SW_NESTING_PYTHON);
	if (!opens ||
		(!sw_str_is(call->name, "einsum") && !sw_str_is(call->name, "dot") && !sw_str_is(call->name, "matmul")))
		return operand_refuse(of, text, "jnp.einsum(...), jnp.dot(...), jnp.matmul(...), or A @ B");
	if (end == 0)
		return operand_refuse(of, (sw_str){text.at + text.length, 0}, "')', which closes the call");
	sw_str rest = sw_str_trim(sw_str_behind(text, end));
	if (rest.length && !sw_str_is(rest, ";"))
		return operand_refuse(of, rest, "nothing after the call");
	return read_arguments(of, (sw_str){text.at + begin + 1, end - begin - 2}, call);
}

bool jax_call_read(const operand_text *of, sw_str text, jax_call *call)
{
	return read_operator(text, call) || read_call(of, text, call);
}

/* ---- products ---- */

static bool read_equation(const operand_text *of, const jax_call *call, sw_product *product)
{
	if (!call->equation.at)
		return jax_contraction(of, call->name, &product->a, &product->b, &product->equation);
	return sw_equation_parse(call->equation, &product->equation, of->diag) || operand_blame(of, call->equation);
}

/* `y = ` before the expression. */
static sw_str without_target(sw_str text)
{
	size_t at = 0;
	while (at < text.length &&
		(text.at[at] == '_' || text.at[at] == ' ' || (text.at[at] >= '0' && text.at[at] <= '9') ||
			(text.at[at] >= 'A' && text.at[at] <= 'Z') || (text.at[at] >= 'a' && text.at[at] <= 'z')))
		at++;
	return at > 0 && at < text.length && text.at[at] == '=' ? sw_str_trim(sw_str_behind(text, at + 1)) : text;
}

static bool read_jax(const operand_text *of, sw_product *product)
{
	sw_str inner = without_target(sw_str_trim(of->text));
	jax_call call;
	sw_type result;
	if (!jax_call_read(of, inner, &call) || !jax_operand(of, call.operand[0], &product->a) ||
		!jax_operand(of, call.operand[1], &product->b) || !read_equation(of, &call, product) ||
		!operand_shape(of, inner, product, &result))
		return false;
	product->wanted = call.out.length > 0 && !sw_str_is(call.out, "None");
	return !product->wanted || operand_sharded(of, call.out, &result, &product->as);
}

/* ---- which form ---- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A name, and what follows it; '\0': no name, or nothing. */
static char behind_name(sw_str text)
{
	size_t at = 0;
	while (at < text.length &&
		(is_letter(text.at[at]) || text.at[at] == '.' || (text.at[at] >= '0' && text.at[at] <= '9')))
		at++;
	return at > 0 && at < text.length ? text.at[at] : '\0';
}

sw_product_form sw_product_form_of(sw_str text)
{
	sw_str inner = without_target(sw_str_trim(text));
	char next = behind_name(inner);
	if (next == '(' || next == ':' || (inner.length && *inner.at == '('))
		return SW_PRODUCT_JAX;
	if (next != '[' || !is_letter(*inner.at))
		return SW_PRODUCT_LETTERS;
	const char *open = memchr(inner.at, '[', inner.length);
	bool letter = open + 1 < inner.at + inner.length && is_letter(open[1]);
	return letter ? SW_PRODUCT_BOOK : SW_PRODUCT_JAX;
}

bool sw_product_read(const sw_mesh *mesh, sw_str text, sw_arena *arena, sw_product *product, sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};
	const operand_text of = {text, mesh, arena, diag ? diag : &own};
	*product = (sw_product){.mesh = *mesh};
	return sw_product_form_of(text) == SW_PRODUCT_BOOK ? operand_book(&of, product) : read_jax(&of, product);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of JAX as a program.
 *
 * The text is read from a copy of equal length in which comments are blanks, and so are line breaks within brackets: every line
 * of it is then a statement, and positions are those of the text.
 */
#define _GNU_SOURCE
#include "foreign/program/build.h"
#include "foreign/program/operand.h"

#include <string.h>

typedef struct jax_reader {
	operand_text of; /* the copy */
	build b;
	sw_names names; /* what they are now: a build_ref of `ref` */
	int refs, ref_room;
	build_ref *ref;
	sw_str name; /* of the function */
	bool returned;
	build_ref result;
} jax_reader;

/* ---- the copy ---- */

/* The end of the quoted string that opens at `at`: behind the quote, or the end of its line. */
static size_t string_end(const char *text, size_t length, size_t at)
{
	char quote = text[at++];
	while (at < length && text[at] != quote && text[at] != '\n')
		at++;
	return at < length && text[at] == quote ? at + 1 : at;
}

static void flatten(char *text, size_t length)
{
	int depth = 0;
	for (size_t at = 0; at < length;) {
		char c = text[at];
		if (c == '\'' || c == '"') {
			at = string_end(text, length, at);
			continue;
		}
		depth += c == '(' || c == '[' || c == '{';
		depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
		if (c == '#')
			while (at < length && text[at] != '\n')
				text[at++] = ' ';
		else if ((c == '\n' && depth > 0) || c == '\r' || c == '\t' || (c == '\\' && text[at + 1] == '\n'))
			text[at++] = ' ';
		else
			at++;
	}
}

/* ---- names ---- */

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_word(sw_str text)
{
	for (size_t i = 0; i < text.length; i++)
		if (!is_word_byte(text.at[i]))
			return false;
	return text.length > 0 && (*text.at < '0' || *text.at > '9');
}

static bool name_value(jax_reader *r, sw_str name, build_ref ref)
{
	if (!SW_GROW(r->of.arena, r->ref, r->refs, r->ref_room, 16))
		return sw_diag_memory(r->of.diag);
	r->ref[r->refs] = ref;
	return sw_names_add(&r->names, name, r->refs++) || sw_diag_memory(r->of.diag);
}

/* `x: f32[8,2048] P('x', None)` */
static bool declare(jax_reader *r, sw_str item, build_ref *ref)
{
	size_t colon = operand_find(item, 0, ":");
	sw_str name = sw_str_trim((sw_str){item.at, colon});
	sw_type type;
	if (!is_word(name))
		return operand_refuse(&r->of, item, "NAME: DTYPE[SIZES] P(AXES)");
	return jax_operand(&r->of, item, &type) &&
		build_input(&r->b, name, &type, false, operand_span(&r->of, name), ref) && name_value(r, name, *ref);
}

static bool unknown_name(const jax_reader *r, sw_str name)
{
	sw_str near = sw_names_nearest(&r->names, name);
	sw_diag_set(r->of.diag, SW_N03, operand_span(&r->of, name), "nothing says the type of '%.*s'",
		(int)(name.length < 40 ? name.length : 40), name.at);
	sw_diag_expected(r->of.diag, "a name that stands before, or NAME: DTYPE[SIZES] P(AXES)");
	if (near.length > 0)
		sw_diag_hint(r->of.diag, "did you mean '%.*s'?", (int)near.length, near.at);
	return false;
}

static bool use(jax_reader *r, sw_str item, build_ref *ref)
{
	item = sw_str_trim(item);
	if (!is_word(item))
		return declare(r, item, ref);
	int found = sw_names_find(&r->names, item);
	if (found < 0)
		return unknown_name(r, item);
	*ref = r->ref[found];
	return true;
}

/* ---- statements ---- */

/* The sharding that a result is asked for in; its shape is that of the statement. */
static bool asked(const jax_reader *r, sw_str text, const sw_type *shape, sw_type *home)
{
	sw_type whole;
	return sw_type_replicated(shape->dtype, shape->rank, shape->global, &whole, r->of.diag) &&
		operand_sharded(&r->of, text, &whole, home);
}

static bool add_product(jax_reader *r, sw_str target, const jax_call *call, sw_str all, build_ref *ref)
{
	build_statement s = {.op = SW_DO_EINSUM, .count = 2, .at = operand_span(&r->of, all)};
	sw_product_text product = {.wanted = false};
	sw_type result, home;
	bool wanted = call->out.length > 0 && !sw_str_is(call->out, "None");
	s.value = (build_value){.name = target, .at = operand_span(&r->of, target)};
	if (!use(r, call->operand[0], &s.operand[0]) || !use(r, call->operand[1], &s.operand[1]))
		return false;
	product.a = build_at(&r->b, s.operand[0])->type;
	product.b = build_at(&r->b, s.operand[1])->type;
	bool ok = call->equation.at ?
		sw_equation_parse(call->equation, &s.equation, r->of.diag) || operand_blame(&r->of, call->equation) :
		jax_contraction(&r->of, call->name, &product.a, &product.b, &s.equation);
	product.equation = s.equation;
	return ok && operand_shape(&r->of, all, &product, &result) && (!wanted || asked(r, call->out, &result, &home)) &&
		build_add(&r->b, &s, wanted ? &home : NULL, false, ref);
}

/* Calls of one or two arrays, by the word behind the last dot. */
static const struct call_row {
	const char *word;
	sw_program_op op;
	int operands;
} call_rows[] = {
	{"relu", SW_DO_RELU, 1},
	{"exp", SW_DO_EXP, 1},
	{"negative", SW_DO_NEG, 1},
	{"add", SW_DO_ADD, 2},
	{"multiply", SW_DO_MUL, 2},
	{"with_sharding_constraint", SW_DO_REDISTRIBUTE, 2},
	{"reshard", SW_DO_REDISTRIBUTE, 2},
};

/* The row of `jax.nn.relu(...)`, and what stands in its brackets; NULL: it is none. */
static const struct call_row *call_of(sw_str text, sw_str *list)
{
	const char *open = memchr(text.at, '(', text.length);
	size_t begin = open ? (size_t)(open - text.at) : 0, end = open ? operand_close(text, begin) : 0;
	size_t word = begin;
	if (end == 0 || end != text.length)
		return NULL;
	while (word > 0 && is_word_byte(text.at[word - 1]))
		word--;
	*list = (sw_str){text.at + begin + 1, end - begin - 2};
	for (size_t i = 0; i < sizeof call_rows / sizeof *call_rows; i++)
		if (sw_str_is((sw_str){text.at + word, begin - word}, call_rows[i].word))
			return &call_rows[i];
	return NULL;
}

static bool add_call(jax_reader *r, sw_str target, const struct call_row *row, sw_str list, build_ref *ref)
{
	build_statement s = {.op = row->op, .at = operand_span(&r->of, list)};
	bool moves = row->op == SW_DO_REDISTRIBUTE;
	size_t at = 0;
	sw_type home;
	s.value = (build_value){.name = target, .at = operand_span(&r->of, target)};
	s.count = moves ? 1 : row->operands;
	for (int k = 0; k < s.count; k++)
		if (!use(r, at <= list.length ? operand_item(list, &at) : (sw_str){list.at + list.length, 0}, &s.operand[k]))
			return false;
	if (moves && at > list.length)
		return operand_refuse(&r->of, (sw_str){list.at + list.length, 0}, "the sharding, such as P('x', None)");
	sw_str spec = moves ? operand_item(list, &at) : (sw_str){list.at + list.length, 0};
	if (at <= list.length && sw_str_trim(sw_str_behind(list, at)).length > 0)
		return operand_refuse(&r->of, sw_str_trim(sw_str_behind(list, at)), "nothing more");
	return (!moves || asked(r, sw_str_trim(spec), &build_at(&r->b, s.operand[0])->type, &home)) &&
		build_add(&r->b, &s, moves ? &home : NULL, !moves, ref);
}

static bool read_expression(jax_reader *r, sw_str target, sw_str text, build_ref *ref)
{
	sw_str list;
	jax_call call;
	while (text.length > 1 && *text.at == '(' && operand_close(text, 0) == text.length)
		text = sw_str_trim((sw_str){text.at + 1, text.length - 2});
	const struct call_row *row = call_of(text, &list);
	if (is_word(text))
		return use(r, text, ref);
	if (row)
		return add_call(r, target, row, list, ref);
	return jax_call_read(&r->of, text, &call) && add_product(r, target, &call, text, ref);
}

/* `def f(x: TYPE, y: TYPE) -> ...:` */
static bool read_head(jax_reader *r, sw_str line)
{
	const char *open = memchr(line.at, '(', line.length);
	size_t end = open ? operand_close(line, (size_t)(open - line.at)) : 0;
	if (end == 0)
		return operand_refuse(&r->of, line, "def NAME(x: TYPE, ...):");
	r->name = sw_str_trim((sw_str){line.at + 4, (size_t)(open - line.at) - 4});
	sw_str list = {open + 1, end - (size_t)(open - line.at) - 2};
	for (size_t at = 0; at <= list.length;) {
		sw_str item = sw_str_trim(operand_item(list, &at));
		build_ref ref;
		if (item.length > 0 && !is_word(item) && !declare(r, item, &ref))
			return false;
	}
	return true;
}

static bool read_assignment(jax_reader *r, sw_str line, size_t equal)
{
	sw_str target = sw_str_trim((sw_str){line.at, equal});
	build_ref ref;
	if (!is_word(target))
		return operand_refuse(&r->of, target, "a name before '='");
	return read_expression(r, target, sw_str_trim(sw_str_behind(line, equal + 1)), &ref) &&
		name_value(r, target, ref);
}

static bool is_passed_over(sw_str line)
{
	return line.length == 0 || sw_str_starts(line, "import ") || sw_str_starts(line, "from ") || *line.at == '@';
}

static bool read_line(jax_reader *r, sw_str line)
{
	size_t equal = operand_find(line, 0, "="), colon = operand_find(line, 0, ":");
	build_ref ref;
	if (is_passed_over(line))
		return true;
	if (r->returned)
		return operand_refuse(&r->of, line, "nothing behind `return`");
	if (sw_str_starts(line, "def "))
		return read_head(r, line);
	if (sw_str_starts(line, "return ")) {
		r->returned = true;
		return read_expression(r, sw_str_of("result"), sw_str_trim(sw_str_behind(line, 7)), &r->result);
	}
	if (equal < line.length)
		return read_assignment(r, line, equal);
	if (colon < line.length && is_word(sw_str_trim((sw_str){line.at, colon})) &&
		operand_find(line, 0, "@") == line.length)
		return declare(r, line, &ref);
	return operand_refuse(&r->of, line, "NAME = jnp.einsum(...), jnp.dot(...), A @ B, or return NAME");
}

static bool read_lines(jax_reader *r)
{
	for (size_t at = 0; at < r->of.text.length;) {
		const char *from = r->of.text.at + at, *end = memchr(from, '\n', r->of.text.length - at);
		size_t length = end ? (size_t)(end - from) : r->of.text.length - at;
		if (!read_line(r, sw_str_trim((sw_str){from, length})))
			return false;
		at += length + 1;
	}
	return r->b.statements > 0 ||
		operand_refuse(&r->of, (sw_str){r->of.text.at + r->of.text.length, 0},
			"a product that is assigned to a name");
}

bool sw_program_read_jax(sw_str text, const sw_mesh *mesh, sw_arena *arena, sw_program *program,
	sw_program_import *import, sw_diag *diag)
{
	jax_reader *r = SW_NEW_ZERO(arena, jax_reader, 1);
	char *copy = sw_arena_copy(arena, text.at, text.length);
	if (!r || !copy)
		return sw_diag_memory(diag);
	flatten(copy, text.length);
	*r = (jax_reader){.of = {{copy, text.length}, mesh, arena, diag}, .name = sw_str_of("main")};
	*import = (sw_program_import){.results = 1};
	build_start(&r->b, text, mesh, import, arena, diag);
	sw_names_start(&r->names, arena);
	if (!read_lines(r))
		return false;
	return build_finish(&r->b, r->name, r->returned ? r->result : r->b.statements - 1, NULL, program);
}

/* ---- is it such a text? ---- */

bool sw_program_is_jax(sw_str text)
{
	static const char *const calls[] = {"jnp.", " @ ", "jax."};
	bool called = false, assigned = false;
	const char *end = memchr(text.at, '\n', text.length);
	if (!end || memmem(text.at, text.length, "ENTRY ", 6) || memmem(text.at, text.length, "func.func", 9))
		return false;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		called = called || memmem(text.at, text.length, calls[i], strlen(calls[i]));
	for (size_t at = 0; at < text.length && !assigned;) {
		const char *from = text.at + at, *stop = memchr(from, '\n', text.length - at);
		size_t length = stop ? (size_t)(stop - from) : text.length - at;
		sw_str line = sw_str_trim((sw_str){from, length});
		size_t word = 0;
		while (word < line.length && is_word_byte(line.at[word]))
			word++;
		sw_str rest = sw_str_trim(sw_str_behind(line, word));
		assigned = word > 0 &&
			((sw_str_starts(rest, "=") &&
				 (sw_str_starts(sw_str_trim(sw_str_behind(rest, 1)), "jnp.") ||
					 memmem(rest.at, rest.length, " @ ", 3))) ||
				(sw_str_is((sw_str){line.at, word}, "return") && memmem(rest.at, rest.length, " @ ", 3)));
		at += length + 1;
	}
	return called && assigned;
}

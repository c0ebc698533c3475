/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that grows while somebody else's text is read.
 */
#include "foreign/program/build.h"

#include <stdio.h>
#include <string.h>

#include "program/rules.h"
#include "program/typing.h"

/* A statement stands in a line, but for those of functions that are called. */
static int likely_statements(sw_str text)
{
	int lines = 16;
	for (size_t i = 0; i < text.length && lines < SW_PROGRAM_READ_MOST; i++)
		lines += text.at[i] == '\n';
	return lines;
}

void build_start(build *b, sw_str text, const sw_mesh *mesh, sw_program_import *import, sw_arena *arena,
	sw_diag *diag)
{
	*b = (build){.arena = arena, .diag = diag, .text = text, .mesh = *mesh, .import = import};
	b->likely = likely_statements(text);
	sw_names_start(&b->names, arena);
}

const build_value *build_at(const build *b, build_ref ref)
{
	return ref < 0 ? &b->input[-1 - ref] : &b->statement[ref].value;
}

/* ---- names ---- */

/* Words that stand before names. */
static bool is_word(const char *name)
{
	static const char *const words[] = {"as", "return", "mesh", "fn", "spmd_op"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	for (int op = 0; op < SW_DO_COUNT; op++)
		if (strcmp(name, sw_program_op_name((sw_program_op)op)) == 0)
			return true;
	return false;
}

static bool add_name(build *b, const char *made, sw_str *name)
{
	const char *copy = sw_arena_copy(b->arena, made, strlen(made));
	if (!copy || !SW_GROW(b->arena, b->again, b->names.count, b->names_room, 16))
		return false;
	b->again[b->names.count] = 1;
	*name = sw_str_of(copy);
	return sw_names_add(&b->names, *name, b->names.count);
}

/* A name of the language, which no value has yet. */
static bool name_of(build *b, sw_str text, sw_str *name)
{
	char bare[48], made[64];
	size_t length = 0;
	if (text.length == 0 || (*text.at >= '0' && *text.at <= '9'))
		bare[length++] = 'v';
	for (size_t i = 0; i < text.length && length < 40; i++) {
		char c = text.at[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
		bare[length++] = plain ? c : '_';
	}
	bare[length] = '\0';
	snprintf(made, sizeof(made), is_word(bare) ? "%s_" : "%s", bare);
	int first = sw_names_find(&b->names, sw_str_of(made));
	while (first >= 0 && sw_names_find(&b->names, sw_str_of(made)) >= 0)
		snprintf(made, sizeof(made), "%s_%d", bare, ++b->again[first]);
	return add_name(b, made, name) || sw_diag_memory(b->diag);
}

/* ---- values ---- */

bool build_input(build *b, sw_str name, const sw_type *type, bool open, sw_span at, build_ref *ref)
{
	build_value value = {.type = *type, .open = open, .given = true, .at = at};
	if (!SW_GROW(b->arena, b->input, b->inputs, b->input_room, 16))
		return sw_diag_memory(b->diag);
	if (!name_of(b, name, &value.name))
		return false;
	b->input[b->inputs] = value;
	*ref = -1 - b->inputs++;
	return true;
}

static bool add_statement(build *b, const build_statement *statement, build_ref *ref)
{
	if (!SW_GROW(b->arena, b->statement, b->statements, b->statement_room, b->likely))
		return sw_diag_memory(b->diag);
	b->statement[b->statements] = *statement;
	if (!name_of(b, statement->value.name, &b->statement[b->statements].value.name))
		return false;
	*ref = b->statements++;
	return true;
}

/* ---- operands that are not used as they are kept ---- */

static bool find_lines(build *b)
{
	int room = 0;
	for (const char *at = b->text.at, *end = at + b->text.length; at < end; at++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			break;
		if (!SW_GROW(b->arena, b->line_end, b->lines, room, 256))
			return false;
		b->line_end[b->lines++] = (size_t)(at - b->text.at);
	}
	return b->line_end || (b->line_end = SW_NEW(b->arena, size_t, 1));
}

/* From 1. */
static int64_t line_of(const build *b, size_t at)
{
	int low = 0, high = b->lines;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (b->line_end[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1;
}

static bool add_conflict(build *b, sw_span at, const sw_diag *why)
{
	sw_program_import *import = b->import;
	if (!b->line_end && !find_lines(b))
		return sw_diag_memory(b->diag);
	sw_program_conflict conflict = {.at = at, .line = line_of(b, at.begin), .rule = why->rule};
	conflict.why = sw_arena_copy(b->arena, why->message, strlen(why->message));
	if (!conflict.why || !SW_GROW(b->arena, import->conflict, import->conflicts, b->conflict_room, 4))
		return sw_diag_memory(b->diag);
	import->conflict[import->conflicts++] = conflict;
	return true;
}

static bool is_conflict(const sw_diag *diag)
{
	return diag->code >= SW_A05 && diag->code <= SW_A09;
}

/* Are all operands kept in types that are known?  Their types. */
static bool known_operands(const build *b, const build_statement *statement, sw_type use[2])
{
	bool known = true;
	for (int k = 0; k < statement->count; k++) {
		const build_value *value = build_at(b, statement->operand[k]);
		use[k] = value->type;
		known = known && !value->open;
	}
	return known;
}

static bool blame(build *b, const sw_diag *why, sw_span at)
{
	if (b->diag) {
		*b->diag = *why;
		b->diag->at = at;
		b->diag->also = (sw_span){0, 0};
	}
	return false;
}

/* The statement leaves open how it computes, and another one brings what it makes to its home. */
static bool add_apart(build *b, build_statement *statement, const sw_type *home, build_ref *ref)
{
	build_statement move = {.value = statement->value, .op = SW_DO_REDISTRIBUTE, .count = 1, .at = statement->at};
	statement->value.open = true;
	statement->value.given = false;
	if (!add_statement(b, statement, &move.operand[0]))
		return false;
	move.value.type = *home;
	move.value.open = false;
	move.value.given = true;
	return add_statement(b, &move, ref);
}

bool build_add(build *b, const build_statement *given, const sw_type *home, bool ruled, build_ref *ref)
{
	build_statement statement = *given;
	sw_type use[2], computed;
	sw_diag why = {.code = SW_OK};
	bool known = known_operands(b, &statement, use), open = !home && !(ruled && known);
	bool right = known && sw_rule_compute(&b->mesh, statement.op, &statement.equation, use, &computed, &why);
	bool apart = known && !right && is_conflict(&why) && (home || open);
	if (known && !right && !apart)
		return blame(b, &why, statement.at);
	if (apart && !add_conflict(b, statement.at, &why))
		return false;
	if (!right && !sw_rule_shape(statement.op, &statement.equation, use, &computed, &why))
		return blame(b, &why, statement.at);
	statement.value.open = open;
	statement.value.given = home &&
		!(right && !sw_program_op_moves(statement.op) && sw_type_same_map(&b->mesh, home, &computed));
	statement.value.type = computed;
	if (apart && home)
		return add_apart(b, &statement, home, ref);
	if (home)
		statement.value.type = *home;
	return add_statement(b, &statement, ref);
}

bool build_close(build *b, build_ref ref, const sw_type *home)
{
	build_statement *statement = ref >= 0 ? &b->statement[ref] : NULL;
	sw_type use[2], computed;
	if (!statement || ref != b->statements - 1 || !statement->value.open || sw_program_op_moves(statement->op))
		return false;
	bool known = known_operands(b, statement, use);
	if (known && !sw_rule_compute(&b->mesh, statement->op, &statement->equation, use, &computed, NULL))
		return false;
	statement->value.open = false;
	statement->value.given = !(known && sw_type_same_map(&b->mesh, home, &computed));
	statement->value.type = *home;
	return true;
}

bool build_fold(build *b, build_ref ref, const sw_type *home)
{
	build_statement *statement = ref >= 0 ? &b->statement[ref] : NULL;
	bool last = statement && ref == b->statements - 1 && !sw_program_op_moves(statement->op);
	if (!last || statement->value.open || statement->value.given)
		return false;
	statement->value.given = true;
	statement->value.type = *home;
	return true;
}

/* ---- the program ---- */

static int value_of(const build *b, build_ref ref)
{
	return ref < 0 ? -1 - ref : b->inputs + ref;
}

static void give_value(const build_value *from, sw_program_value *to)
{
	*to = (sw_program_value){.name = from->name, .home = from->type, .open = from->open, .at = from->at};
}

bool build_finish(build *b, sw_str name, build_ref returned, const sw_type *result, sw_program *program)
{
	sw_program made = {.mesh = b->mesh, .text = b->text, .inputs = b->inputs, .statements = b->statements};
	made.values = b->inputs + b->statements;
	made.value = SW_NEW_ZERO(b->arena, sw_program_value, made.values + 1);
	made.statement = SW_NEW_ZERO(b->arena, sw_program_statement, made.statements + 1);
	if (!made.value || !made.statement)
		return sw_diag_memory(b->diag);
	if (!name_of(b, name, &made.name))
		return false;
	for (int i = 0; i < b->inputs; i++)
		give_value(&b->input[i], &made.value[i]);
	for (int s = 0; s < b->statements; s++) {
		const build_statement *from = &b->statement[s];
		sw_program_statement *to = &made.statement[s];
		*to =
			(sw_program_statement){.op = from->op, .count = from->count, .equation = from->equation, .at = from->at};
		for (int k = 0; k < from->count; k++)
			to->operand[k] = value_of(b, from->operand[k]);
		to->home_given = from->value.given;
		give_value(&from->value, &made.value[b->inputs + s]);
	}
	made.returned = value_of(b, returned);
	made.result_open = !result && made.value[made.returned].open;
	made.result = result ? *result : made.value[made.returned].home;
	sw_typing typing = {.arena = b->arena};
	if (!sw_typing_all(&typing, &made, false, b->pulse, b->diag) || !sw_typing_elements(&typing, &made, b->diag) ||
		!sw_typing_notes(&made, b->arena, b->diag))
		return false;
	*program = made;
	return true;
}

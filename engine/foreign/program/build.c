/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that grows while somebody else's text is read.
 */
#include "foreign/program/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/lower_bound.h"
#include "program/ops.h"
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
	assert(ref < b->statements && -1 - ref < b->inputs);
	return ref < 0 ? &b->input[-1 - ref] : &b->statement[ref].value;
}

/* ---- names ---- */

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
	snprintf(made, sizeof(made), sw_program_reserved(sw_str_of(bare)) ? "%s_" : "%s", bare);
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
static int64_t line_of(const build *b, size_t byte)
{
	return SW_LOWER_BOUND(0, b->lines, b->line_end[at] < byte) + 1;
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
static bool known_operands(const build *b, const build_statement *statement, const sw_type *use[2])
{
	bool known = true;
	for (int k = 0; k < statement->count; k++) {
		const build_value *value = build_at(b, statement->operand[k]);
		use[k] = &value->type;
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
	build_statement move = {.value = statement->value, .op = SW_REDISTRIBUTE, .count = 1, .at = statement->at};
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
	const sw_type *use[2];
	sw_type computed;
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
		!(right && sw_op_computes(statement.op) && sw_type_same_map(&b->mesh, home, &computed));
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
	const sw_type *use[2];
	sw_type computed;
	if (!statement || ref != b->statements - 1 || !statement->value.open)
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
	bool last = statement && ref == b->statements - 1;
	if (!last || statement->value.open || statement->value.given)
		return false;
	statement->value.given = true;
	statement->value.type = *home;
	return true;
}

/* ---- the program ---- */

/* The program while it is typed; `value`: where each statement's is kept. */
typedef struct finish {
	const build *b;
	sw_typing typing;
	int *value;
} finish;

static int value_of(const finish *f, build_ref ref)
{
	return ref < 0 ? -1 - ref : f->value[ref];
}

static bool goes_on(const build *b, int s)
{
	enum { OFTEN = 1024 };
	if (s % OFTEN != OFTEN - 1 || sw_pulse_beat(b->pulse, "statements", s, b->statements))
		return true;
	return sw_diag_set(b->diag, SW_S03, (sw_span){0, 0}, "stopped after %d statements were typed", s);
}

static bool finish_statement(finish *f, int s)
{
	const build *b = f->b;
	const build_statement *from = &b->statement[s];
	sw_step step = {.op = from->op, .operands = from->count, .at = from->at};
	const sw_value value = {.name = from->value.name,
		.at = from->value.at,
		.open = from->value.open,
		.type = &from->value.type};
	step.equation = from->product ? &from->equation : NULL;
	for (int k = 0; k < from->count; k++)
		step.operand[k] = value_of(f, from->operand[k]);
	f->value[s] = sw_typing_step(&f->typing, &step, &value, b->diag);
	if (f->value[s] >= 0 && from->value.given)
		f->value[s] = sw_typing_keep(&f->typing, &from->value.type, NULL, b->diag);
	return f->value[s] >= 0;
}

static bool finish_all(finish *f)
{
	const build *b = f->b;
	for (int i = 0; i < b->inputs; i++) {
		const build_value *from = &b->input[i];
		const sw_value value = {.name = from->name, .at = from->at, .open = from->open, .type = &from->type};
		if (!sw_typing_input(&f->typing, &value))
			return sw_diag_memory(b->diag);
	}
	for (int s = 0; s < b->statements; s++)
		if (!goes_on(b, s) || !finish_statement(f, s)) {
			if (b->diag && b->diag->at.end == 0)
				b->diag->at = b->statement[s].at;
			return false;
		}
	return true;
}

bool build_finish(build *b, sw_str name, build_ref returned, const sw_type *result, sw_program *program)
{
	sw_program made = {.mesh = b->mesh, .text = b->text};
	finish f = {.b = b, .typing = {.program = &made, .arena = b->arena, .likely = b->inputs + b->statements}};
	f.value = SW_NEW(b->arena, int, b->statements + 1);
	if (!f.value)
		return sw_diag_memory(b->diag);
	if (!name_of(b, name, &made.name) || !finish_all(&f))
		return false;
	int value = value_of(&f, returned);
	made.result_open = !result && made.value[value].open;
	if (!sw_typing_return(&f.typing, value, result, NULL, false, b->diag) || !sw_typing_finish(&f.typing, b->diag))
		return false;
	*program = made;
	return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing programs as sw_program_parse reads them back.
 */
#include <shardwalk/program.h>

#include <string.h>

#include "base/scan.h"
#include "program/names.h"
#include "program/ops.h"

/* Names that are printed: those of the program, or others where they hide each other or are none. */
typedef struct print_names {
	sw_arena *arena;
	sw_names taken;
	sw_str *value;
	sw_text *text;
} print_names;

static void print_type(const sw_mesh *mesh, const sw_type *type, sw_text *text)
{
	sw_type_print(mesh, type, type->dtype_given, text);
}

static bool print_start(print_names *names, const sw_program *program)
{
	sw_names_start(&names->taken, names->arena);
	names->value = SW_NEW(names->arena, sw_str, program->values);
	for (int v = 0; names->value && v < program->values; v++) {
		names->value[v] = sw_names_take(&names->taken, program->value[v].name);
		if (!names->value[v].at)
			return false;
	}
	return names->value != NULL;
}

/* ---- bodies ---- */

static void print_parameters(const sw_body *body, const sw_str *name, sw_text *text)
{
	sw_text_add(text, " (");
	for (int p = 0; p < body->parameters; p++) {
		sw_text_add(text, p ? ", " : "");
		sw_text_add_str(text, name[p]);
		sw_text_add(text, " : ");
		sw_type_print_tile(body->local[p].tile, body->local[p].rank, text);
	}
	sw_text_add(text, ") {\n");
}

static bool print_body(const sw_program *program, const sw_program_statement *statement, print_names *names)
{
	const sw_body *body = statement->body;
	sw_names taken;
	sw_text *text = names->text;
	sw_str *name = SW_NEW(names->arena, sw_str, body->count);
	sw_names_start(&taken, names->arena);
	for (int i = 0; name && i < body->count; i++) {
		name[i] = sw_names_take(&taken, body->local[i].name);
		if (!name[i].at)
			return false;
	}
	if (!name)
		return false;
	print_parameters(body, name, text);
	for (int i = body->parameters; i < body->count; i++) {
		const sw_local *local = &body->local[i];
		sw_text_add(text, "    ");
		sw_text_add_str(text, name[i]);
		sw_text_addf(text, " = %s", sw_program_op_name(local->op));
		for (int k = 0; k < sw_program_op_operands(local->op); k++) {
			sw_text_add_char(text, ' ');
			sw_text_add_str(text, name[local->operand[k]]);
		}
		sw_text_add(text, " : ");
		sw_type_print_tile(local->tile, local->rank, text);
		sw_text_add_char(text, '\n');
	}
	sw_text_add(text, "    return ");
	sw_text_add_str(text, name[body->returned]);
	sw_text_add(text, "\n  } as ");
	print_type(&program->mesh, &body->as, text);
	return true;
}

/* ---- statements ---- */

/* What is used in another type than its home is redistributed first; the name that the operand then has. */
static bool print_use(const sw_program *program, const sw_program_statement *statement, int i, print_names *names,
	sw_str *name)
{
	int value = statement->operand[i];
	sw_text *text = names->text;
	*name = names->value[value];
	bool moves = i < 2 && statement->typed && !sw_program_op_has_body(statement->op) &&
		!sw_program_op_moves(statement->op) &&
		!sw_type_same_map(&program->mesh, &program->value[value].home, &statement->types->use[i]);
	if (!moves)
		return true;
	*name = sw_names_take(&names->taken, names->value[value]);
	if (!name->at)
		return false;
	sw_text_add(text, "  ");
	sw_text_add_str(text, *name);
	sw_text_add(text, " = redistribute ");
	sw_text_add_str(text, names->value[value]);
	sw_text_add(text, " as ");
	print_type(&program->mesh, &statement->types->use[i], text);
	sw_text_add_char(text, '\n');
	return true;
}

static void print_home(const sw_program *program, int s, sw_text *text)
{
	const sw_program_statement *statement = &program->statement[s];
	const sw_program_value *value = &program->value[sw_program_value_of(program, s)];
	bool computed = statement->typed && sw_type_same_map(&program->mesh, &statement->types->computed, &value->home);
	if (value->open)
		sw_text_add(text, " as ?");
	else if (statement->home_given || !computed) {
		sw_text_add(text, " as ");
		print_type(&program->mesh, &value->home, text);
	}
}

static bool print_statement(const sw_program *program, int s, print_names *names)
{
	const sw_program_statement *statement = &program->statement[s];
	sw_text *text = names->text;
	sw_str operand[SW_MAX_OPERANDS];
	for (int i = 0; i < statement->count; i++)
		if (!print_use(program, statement, i, names, &operand[i]))
			return false;
	sw_text_add(text, "  ");
	sw_text_add_str(text, names->value[sw_program_value_of(program, s)]);
	sw_text_addf(text, " = %s", sw_program_op_name(statement->op));
	if (sw_program_op_multiplies(statement->op)) {
		sw_text_add(text, " \"");
		sw_equation_print(&statement->equation, text);
		sw_text_add_char(text, '"');
	}
	for (int i = 0; i < statement->count; i++) {
		sw_text_add_char(text, ' ');
		sw_text_add_str(text, operand[i]);
	}
	if (!sw_program_op_has_body(statement->op))
		print_home(program, s, text);
	else if (!print_body(program, statement, names))
		return false;
	sw_text_add_char(text, '\n');
	return true;
}

static bool print_return(const sw_program *program, print_names *names)
{
	const sw_program_value *value = &program->value[program->returned];
	sw_text *text = names->text;
	sw_str name = names->value[program->returned];
	bool moves = !value->open && !program->result_open &&
		!sw_type_same_map(&program->mesh, &value->home, &program->result);
	if (moves) {
		sw_str from = name;
		name = sw_names_take(&names->taken, from);
		if (!name.at)
			return false;
		sw_text_add(text, "  ");
		sw_text_add_str(text, name);
		sw_text_add(text, " = redistribute ");
		sw_text_add_str(text, from);
		sw_text_add(text, " as ");
		print_type(&program->mesh, &program->result, text);
		sw_text_add_char(text, '\n');
	}
	sw_text_add(text, "  return ");
	sw_text_add_str(text, name);
	sw_text_add(text, "\n}\n");
	return true;
}

static void print_signature(const sw_program *program, const print_names *names)
{
	sw_text *text = names->text;
	sw_text_add(text, "mesh ");
	sw_mesh_print(&program->mesh, text);
	sw_text_add(text, "\n\nfn ");
	sw_text_add_str(text,
		sw_scan_is_bare(program->name) && !sw_program_reserved(program->name) ? program->name : sw_str_of("main"));
	sw_text_add_char(text, '(');
	for (int v = 0; v < program->inputs; v++) {
		const sw_program_value *value = &program->value[v];
		sw_text_add(text, v ? ", " : "");
		sw_text_add_str(text, names->value[v]);
		sw_text_add(text, value->open ? " : ?" : " : ");
		print_type(&program->mesh, &value->home, text);
	}
	sw_text_add(text, ") -> ");
	if (program->result_open)
		sw_text_add_char(text, '?');
	else
		print_type(&program->mesh, &program->result, text);
	sw_text_add(text, " {\n");
}

void sw_program_print(const sw_program *program, sw_text *text)
{
	print_names names = {.arena = sw_arena_new(), .text = text};
	bool printed = names.arena && print_start(&names, program);
	if (printed)
		print_signature(program, &names);
	for (int s = 0; printed && s < program->statements; s++)
		printed = print_statement(program, s, &names);
	if (!printed || !print_return(program, &names))
		text->failed = true;
	sw_arena_free(names.arena);
}

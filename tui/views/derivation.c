/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The derivation of a program: the rule by which each value has its type.
 *
 * Source: seed 000, figure 9.
 */
#include <string.h>

#include "views/draw.h"
#include "views/program.h"

/* One line of a tree: `last` of its neighbours or not. */
static int draw_branch(struct canvas *out, int y, int x, bool last, enum role role, sw_text *text)
{
	canvas_put(out, x, y, ROLE_DIM, last ? "└─" : "├─");
	y = canvas_put_wrapped(out, x + 3, y, out->width - x - 3, 2, role, sw_text_get(text));
	sw_text_clear(text);
	return y;
}

static void add_type(const sw_program *program, const sw_type *type, sw_text *text)
{
	sw_type_print(&program->mesh, type, type->dtype_given, text);
}

static void add_tile(const sw_local *local, sw_text *text)
{
	sw_type_print_tile(local->tile, local->rank, text);
}

static void add_local_name(const sw_body *body, int local, sw_text *text)
{
	const sw_local *of = &body->local[local];
	if (of->name.length)
		sw_text_add_str(text, of->name);
	else
		sw_text_addf(text, "(%d)", local - body->parameters + 1);
}

/* ---- T-SPMD ---- */

static int draw_operand(const sw_program *program, const sw_program_statement *statement, int i, struct canvas *out,
	int y, sw_text *text)
{
	const sw_program_value *value = &program->value[statement->operand[i]];
	const sw_local *parameter = &statement->body->local[i];
	sw_text_add_str(text, value->name);
	sw_text_add(text, value->open ? " : ?" : " : ");
	add_type(program, &value->home, text);
	sw_text_add(text, value->open ? ", whose tile is to be " : ", localtype ");
	add_tile(parameter, text);
	sw_text_add(text, " = ");
	sw_text_add_str(text, parameter->name);
	return draw_branch(out, y, 2, false, ROLE_TEXT, text);
}

static int draw_calls(const sw_body *body, struct canvas *out, int y, sw_text *text)
{
	for (int i = body->parameters; i < body->count; i++) {
		const sw_local *local = &body->local[i];
		add_local_name(body, i, text);
		sw_text_addf(text, " = %s", sw_program_op_name(local->op));
		for (int k = 0; k < sw_program_op_operands(local->op); k++) {
			sw_text_add_char(text, ' ');
			add_local_name(body, local->operand[k], text);
		}
		sw_text_add(text, " : ");
		add_tile(local, text);
		y = draw_branch(out, y, 5, i + 1 == body->count, ROLE_OP, text);
	}
	return y;
}

static int draw_body(const sw_body *body, struct canvas *out, int y, sw_text *text)
{
	for (int p = 0; p < body->parameters; p++) {
		sw_text_add(text, p ? ", " : "");
		sw_text_add_str(text, body->local[p].name);
		sw_text_add(text, " : ");
		add_tile(&body->local[p], text);
	}
	sw_text_add(text, " gives ");
	add_local_name(body, body->returned, text);
	sw_text_add(text, " : ");
	add_tile(&body->local[body->returned], text);
	int begin = y;
	y = draw_calls(body, out, draw_branch(out, y, 2, false, ROLE_TEXT, text), text);
	for (int below = begin + 1; below < y; below++)
		canvas_put(out, 2, below, ROLE_DIM, "│");
	return y;
}

static int draw_result(const sw_program *program, const sw_body *body, struct canvas *out, int y, sw_text *text)
{
	sw_text_add(text, "localtype(");
	add_type(program, &body->as, text);
	sw_text_add(text, ") = ");
	sw_type_print_tile(body->as.tile, body->as.rank, text);
	return draw_branch(out, y, 2, true, ROLE_TEXT, text);
}

/* ---- D-SPMD ---- */

/* The parts by which a type tells devices apart. */
static void add_parts(const sw_mesh *mesh, const sw_type *type, sw_text *text)
{
	sw_part parts[SW_MAX_PARTS];
	bool any = false;
	for (int d = 0; d <= type->rank; d++) {
		int count = sw_type_parts(type, d, parts);
		for (int i = 0; i < count; i++) {
			sw_text_add(text, any ? ", " : "");
			part_text(mesh, parts[i], text);
			any = true;
		}
	}
	sw_text_add(text, any ? "" : "nothing");
}

static void add_copies(const sw_mesh *mesh, const sw_type *as, sw_text *text)
{
	int64_t copies = sw_type_copies(mesh, as);
	if (copies == 1)
		sw_text_add(text, "no device holds a copy of another's tile");
	else
		sw_text_addf(text, "each tile is held by %lld devices, which compute it from the same tiles",
			(long long)copies);
}

static int draw_determined(const sw_program *program, const sw_program_statement *statement, struct canvas *out,
	int y, sw_text *text)
{
	const sw_body *body = statement->body;
	unsigned uses = body->local[body->returned].uses;
	canvas_put(out, 0, y, ROLE_LABEL, "D-SPMD");
	sw_text_addf(text, "`as` tells devices apart by ");
	add_parts(&program->mesh, &body->as, text);
	sw_text_add(text, ": ");
	add_copies(&program->mesh, &body->as, text);
	y = canvas_put_wrapped(out, 8, y, out->width - 8, 0, ROLE_TEXT, sw_text_get(text));
	sw_text_clear(text);
	for (int p = 0; p < body->parameters; p++) {
		sw_text_add_str(text, body->local[p].name);
		if (uses >> p & 1) {
			sw_text_add(text, " differs along ");
			add_parts(&program->mesh, &program->value[statement->operand[p]].home, text);
		} else {
			sw_text_add(text, " is not used");
		}
		y = draw_branch(out, y, 2, p + 1 == body->parameters, ROLE_TEXT, text);
	}
	return y;
}

static int draw_spmd(const sw_program *program, const sw_program_statement *statement, struct canvas *out, int y,
	sw_text *text)
{
	for (int i = 0; i < statement->count; i++)
		y = draw_operand(program, statement, i, out, y, text);
	y = draw_body(statement->body, out, y, text);
	y = draw_result(program, statement->body, out, y, text);
	return statement->typed ? draw_determined(program, statement, out, y, text) : y;
}

/* ---- global statements ---- */

static const char *rule_of(sw_program_op op)
{
	static const char *const rules[SW_DO_COUNT] = {
		[SW_DO_SPMD] = "T-SPMD",
		[SW_DO_REDISTRIBUTE] = "T-REDIST",
		[SW_DO_EINSUM] = "EINSUM",
	};
	return rules[op] ? rules[op] : "EW";
}

static int draw_operands(const sw_program *program, const sw_program_statement *statement, struct canvas *out, int y,
	sw_text *text)
{
	for (int i = 0; i < statement->count; i++) {
		const sw_program_value *value = &program->value[statement->operand[i]];
		bool moves = i < 2 && statement->typed &&
			!sw_type_same_map(&program->mesh, &value->home, &statement->types->use[i]);
		sw_text_add_str(text, value->name);
		sw_text_add(text, value->open ? " : ?" : " : ");
		add_type(program, &value->home, text);
		if (moves) {
			sw_text_add(text, ", used as ");
			add_type(program, &statement->types->use[i], text);
		}
		y = draw_branch(out, y, 2, false, ROLE_TEXT, text);
	}
	return y;
}

static int draw_computed(const sw_program *program, int s, struct canvas *out, int y, sw_text *text)
{
	const sw_program_statement *statement = &program->statement[s];
	const sw_program_value *value = &program->value[sw_program_value_of(program, s)];
	bool redistribute = sw_program_op_moves(statement->op);
	if (!statement->typed) {
		sw_text_add(text, "its type is open, its array is ");
		sw_type_print_tile(value->home.global, value->home.rank, text);
		return draw_branch(out, y, 2, true, ROLE_NOTE, text);
	}
	if (redistribute) {
		sw_text_add(text, "globaltype ");
		sw_type_print_tile(value->home.global, value->home.rank, text);
		sw_text_add(text, " of both");
	} else {
		sw_text_add(text, "computed as ");
		add_type(program, &statement->types->computed, text);
	}
	bool moves = !redistribute && !value->open &&
		!sw_type_same_map(&program->mesh, &statement->types->computed, &value->home);
	if (moves) {
		sw_text_add(text, ", kept as ");
		add_type(program, &value->home, text);
	}
	return draw_branch(out, y, 2, true, ROLE_TEXT, text);
}

static int draw_statement(const sw_program *program, int s, struct canvas *out, int y, sw_text *text)
{
	const sw_program_statement *statement = &program->statement[s];
	const sw_program_value *value = &program->value[sw_program_value_of(program, s)];
	canvas_put(out, 0, y, ROLE_LABEL, rule_of(statement->op));
	sw_text_add_str(text, value->name);
	sw_text_add(text, " = ");
	program_value_text(program, sw_program_value_of(program, s), text);
	sw_text_add(text, value->open ? " : ?" : " : ");
	add_type(program, &value->home, text);
	y = canvas_put_wrapped(out, 10, y, out->width - 10, 2, ROLE_TITLE, sw_text_get(text));
	sw_text_clear(text);
	if (sw_program_op_has_body(statement->op))
		return draw_spmd(program, statement, out, y, text);
	y = draw_operands(program, statement, out, y, text);
	return draw_computed(program, s, out, y, text);
}

bool view_derivation(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	sw_text text = {0};
	if (!in->program)
		return draw_missing(diag, "program", "type: program FILE");
	if (!draw_begin("derivation", opt, out))
		return true;
	const sw_program *program = in->program->program;
	sw_text_addf(&text, "of %.*s, by the rules of figure 9 over ", (int)program->name.length, program->name.at);
	sw_mesh_print(&program->mesh, &text);
	int y = draw_title(out, 0, "derivation", sw_text_get(&text));
	sw_text_clear(&text);
	for (int s = 0; s < program->statements; s++)
		y = draw_statement(program, s, out, y + 1, &text);
	canvas_put(out, 0, ++y, ROLE_LABEL, "T-RETURN");
	sw_text_add_str(&text, program->value[program->returned].name);
	sw_text_add(&text, program->result_open ? " : ?" : " : ");
	if (!program->result_open)
		add_type(program, &program->result, &text);
	canvas_put_wrapped(out, 10, y, out->width - 10, 2, ROLE_TITLE, sw_text_get(&text));
	sw_text_free(&text);
	return true;
}

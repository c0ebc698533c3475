/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The derivation of a program: the rule by which each value has its type.
 *
 * Source: seed 000, figure 9.
 */
#include <string.h>

#include <shardwalk/distribution.h>

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

static void add_value_type(const sw_program *program, const sw_value *value, sw_text *text)
{
	sw_type_print_any(&program->mesh, value->type, value->words, value->type->dtype_given, text);
}

static void add_tile(const sw_value *value, sw_text *text)
{
	sw_type_print_tile(value->type->tile, value->type->rank, text);
}

static void add_name(const sw_program *body, int value, sw_text *text)
{
	sw_str name = body->value[value].name;
	if (name.length)
		sw_text_add_str(text, name);
	else
		sw_text_addf(text, "(%d)", sw_program_maker(body, value) + 1);
}

static void add_value(const sw_program *program, const sw_value *value, sw_text *text)
{
	sw_text_add_str(text, value->name);
	sw_text_add(text, value->open ? " : ?" : " : ");
	add_value_type(program, value, text);
}

/* ---- T-SPMD ---- */

static int draw_operand(const sw_program *program, const sw_step *step, int i, struct canvas *out, int y,
	sw_text *text)
{
	const sw_value *value = &program->value[step->operand[i]];
	const sw_value *parameter = &step->body->value[i];
	add_value(program, value, text);
	sw_text_add(text, value->open ? ", whose tile must be " : ", localtype ");
	add_tile(parameter, text);
	sw_text_add(text, " = ");
	sw_text_add_str(text, parameter->name);
	return draw_branch(out, y, 2, false, ROLE_TEXT, text);
}

static int draw_calls(const sw_program *body, struct canvas *out, int y, sw_text *text)
{
	for (int k = 0; k < body->steps; k++) {
		const sw_step *call = &body->step[k];
		add_name(body, sw_program_value_of(body, k), text);
		sw_text_addf(text, " = %s", sw_op_name(call->op));
		for (int i = 0; i < call->operands; i++) {
			sw_text_add_char(text, ' ');
			add_name(body, call->operand[i], text);
		}
		sw_text_add(text, " : ");
		add_tile(&body->value[sw_program_value_of(body, k)], text);
		y = draw_branch(out, y, 5, k + 1 == body->steps, ROLE_OP, text);
	}
	return y;
}

static int draw_body(const sw_program *body, struct canvas *out, int y, sw_text *text)
{
	for (int p = 0; p < body->inputs; p++) {
		sw_text_add(text, p ? ", " : "");
		sw_text_add_str(text, body->value[p].name);
		sw_text_add(text, " : ");
		add_tile(&body->value[p], text);
	}
	sw_text_add(text, " gives ");
	add_name(body, body->returned, text);
	sw_text_add(text, " : ");
	add_tile(&body->value[body->returned], text);
	int begin = y;
	y = draw_calls(body, out, draw_branch(out, y, 2, false, ROLE_TEXT, text), text);
	for (int below = begin + 1; below < y; below++)
		canvas_put(out, 2, below, ROLE_DIM, "│");
	return y;
}

static int draw_result(const sw_program *program, const sw_type *as, struct canvas *out, int y, sw_text *text)
{
	sw_text_add(text, "localtype(");
	add_type(program, as, text);
	sw_text_add(text, ") = ");
	sw_type_print_tile(as->tile, as->rank, text);
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

static int draw_determined(const sw_program *program, const sw_step *step, struct canvas *out, int y, sw_text *text)
{
	const sw_program *body = step->body;
	unsigned uses = sw_program_reads(body);
	canvas_put(out, 0, y, ROLE_LABEL, "D-SPMD");
	sw_text_addf(text, "`as` tells devices apart by ");
	add_parts(&program->mesh, body->result, text);
	sw_text_add(text, ": ");
	add_copies(&program->mesh, body->result, text);
	y = canvas_put_wrapped(out, 8, y, out->width - 8, 0, ROLE_TEXT, sw_text_get(text));
	sw_text_clear(text);
	for (int p = 0; p < body->inputs; p++) {
		sw_text_add_str(text, body->value[p].name);
		if (uses >> p & 1) {
			sw_text_add(text, " differs along ");
			add_parts(&program->mesh, program->value[step->operand[p]].type, text);
		} else {
			sw_text_add(text, " is not used");
		}
		y = draw_branch(out, y, 2, p + 1 == body->inputs, ROLE_TEXT, text);
	}
	return y;
}

static int draw_spmd(const sw_program *program, int s, struct canvas *out, int y, sw_text *text)
{
	const sw_step *step = &program->step[s];
	for (int i = 0; i < step->operands; i++)
		y = draw_operand(program, step, i, out, y, text);
	y = draw_body(step->body, out, y, text);
	y = draw_result(program, step->body->result, out, y, text);
	return sw_program_typed(program, s) ? draw_determined(program, step, out, y, text) : y;
}

/* ---- global statements ---- */

static int draw_operands(const sw_program *program, const sw_step *step, struct canvas *out, int y, sw_text *text)
{
	for (int i = 0; i < step->operands; i++) {
		int use = step->operand[i], source = sw_program_source(program, use);
		add_value(program, &program->value[source], text);
		if (source != use) {
			sw_text_add(text, ", used as ");
			add_value_type(program, &program->value[use], text);
		}
		y = draw_branch(out, y, 2, false, ROLE_TEXT, text);
	}
	return y;
}

static int draw_computed(const sw_program *program, int s, struct canvas *out, int y, sw_text *text)
{
	int made = sw_program_value_of(program, s), kept = sw_program_kept(program, s);
	const sw_type *type = program->value[made].type;
	if (!sw_program_typed(program, s)) {
		sw_text_add(text, "its type is open, its array is ");
		sw_type_print_tile(type->global, type->rank, text);
		return draw_branch(out, y, 2, true, ROLE_NOTE, text);
	}
	if (!sw_op_computes(program->step[s].op)) {
		sw_text_add(text, "globaltype ");
		sw_type_print_tile(type->global, type->rank, text);
		sw_text_add(text, " of both");
	} else {
		sw_text_add(text, "computed as ");
		add_value_type(program, &program->value[made], text);
	}
	if (kept != made) {
		sw_text_add(text, ", kept as ");
		add_value_type(program, &program->value[kept], text);
	}
	return draw_branch(out, y, 2, true, ROLE_TEXT, text);
}

static int draw_statement(const sw_program *program, int s, struct canvas *out, int y, sw_text *text)
{
	const sw_step *step = &program->step[s];
	int kept = sw_program_kept(program, s);
	const sw_value *value = &program->value[kept];
	canvas_put(out, 0, y, ROLE_LABEL, sw_op_rule(step->op));
	sw_text_add_str(text, value->name);
	sw_text_add(text, " = ");
	program_value_text(program, kept, text);
	sw_text_add(text, value->open ? " : ?" : " : ");
	add_value_type(program, value, text);
	y = canvas_put_wrapped(out, 10, y, out->width - 10, 2, ROLE_TITLE, sw_text_get(text));
	sw_text_clear(text);
	if (step->body)
		return draw_spmd(program, s, out, y, text);
	y = draw_operands(program, step, out, y, text);
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
	for (int s = 0; s < program->steps; s++)
		if (program->step[s].why == SW_STEP_WRITTEN)
			y = draw_statement(program, s, out, y + 1, &text);
	canvas_put(out, 0, ++y, ROLE_LABEL, "T-RETURN");
	sw_text_add_str(&text, program->value[program->returned].name);
	sw_text_add(&text, program->result_open ? " : ?" : " : ");
	if (!program->result_open)
		sw_type_print_any(&program->mesh, program->result, program->result_words, program->result->dtype_given,
			&text);
	canvas_put_wrapped(out, 10, y, out->width - 10, 2, ROLE_TITLE, sw_text_get(&text));
	sw_text_free(&text);
	return true;
}

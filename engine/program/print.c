/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing programs as sw_program_parse reads them back.
 */
#include <shardwalk/program.h>

#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/schedule.h>

#include "base/scan.h"
#include "program/names.h"
#include "program/ops.h"
#include "program/print.h"

/* What is printed, and under which names. */
typedef struct print {
	const sw_program *program;
	const sw_str *name; /* of values */
	sw_arena *arena;
	sw_text *text;
} print;

static void print_type(const print *p, const sw_type *type, const sw_distribution *words)
{
	if (words == NULL) {
		sw_type_print(&p->program->mesh, type, type->dtype_given, p->text);
		return;
	}
	sw_text_add_char(p->text, '"');
	sw_type_print_any(&p->program->mesh, type, words, type->dtype_given, p->text);
	sw_text_add_char(p->text, '"');
}

/* ---- names ---- */

static sw_step_why print_why(const sw_program *program, int value)
{
	int s = sw_program_maker(program, value);
	return s < 0 ? SW_STEP_WRITTEN : program->step[s].why;
}

static int print_from(const sw_program *program, int value)
{
	return program->step[sw_program_maker(program, value)].operand[0];
}

/* Those of the program, or others where they hide each other or are none; first those of the text, as a name of one's own goes by them. */
const sw_str *sw_program_names(const sw_program *program, sw_arena *arena)
{
	sw_names taken;
	sw_str *name = SW_NEW(arena, sw_str, program->values + 1);
	bool ok = name;
	sw_names_start(&taken, arena);
	for (int v = 0; ok && v < program->values; v++) {
		if (print_why(program, v) == SW_STEP_WRITTEN)
			name[v] = sw_names_take(&taken, program->value[v].name);
		else if (print_why(program, v) == SW_STEP_TO_KEEP)
			name[v] = name[print_from(program, v)];
		else
			continue;
		ok = name[v].at;
	}
	for (int v = 0; ok && v < program->values; v++)
		if (print_why(program, v) == SW_STEP_TO_USE || print_why(program, v) == SW_STEP_TO_RETURN) {
			name[v] = sw_names_take(&taken, name[print_from(program, v)]);
			ok = name[v].at;
		}
	return ok ? name : NULL;
}

/* ---- bodies ---- */

static void print_parameters(const print *body)
{
	sw_text_add(body->text, " (");
	for (int p = 0; p < body->program->inputs; p++) {
		const sw_type *tile = body->program->value[p].type;
		sw_text_add(body->text, p ? ", " : "");
		sw_text_add_str(body->text, body->name[p]);
		sw_text_add(body->text, " : ");
		sw_type_print_tile(tile->tile, tile->rank, body->text);
	}
	sw_text_add(body->text, ") {\n");
}

/* The formula in the names of the values. */
static void print_formula(const print *p, int s)
{
	const sw_step *step = &p->program->step[s];
	sw_formula formula = step->formula->formula;
	sw_formula_array *array = SW_NEW(p->arena, sw_formula_array, formula.arrays);
	int operand = 0;
	if (!array) {
		p->text->failed = true;
		return;
	}
	for (int k = 0; k < formula.arrays; k++) {
		array[k] = formula.array[k];
		if (step->formula->array[k].need || (k == 0 && formula.adds))
			array[k].name = p->name[sw_program_source(p->program, step->operand[operand++])];
		else if (k == 0)
			array[k].name = p->name[sw_program_value_of(p->program, s)];
	}
	formula.array = array;
	sw_text_add(p->text, " \"");
	sw_formula_print(&formula, p->text);
	sw_text_add_char(p->text, '"');
}

static void print_operation(const print *p, int s)
{
	const sw_step *step = &p->program->step[s];
	sw_text_add_str(p->text, p->name[sw_program_value_of(p->program, s)]);
	sw_text_addf(p->text, " = %s", sw_op_name(step->formula ? SW_COMPUTE : step->op));
	if (step->formula) {
		print_formula(p, s);
		if (step->times > 1)
			sw_text_addf(p->text, " every %lld", (long long)step->times);
		return;
	}
	if (step->equation && sw_operation_of(step->op)->statement) {
		sw_text_add(p->text, " \"");
		sw_equation_print(step->equation, p->text);
		sw_text_add_char(p->text, '"');
	}
	for (int i = 0; i < step->operands; i++) {
		sw_text_add_char(p->text, ' ');
		sw_text_add_str(p->text, p->name[step->operand[i]]);
	}
}

static bool print_body(const print *p, const sw_program *inside)
{
	const print body = {inside, sw_program_names(inside, p->arena), p->arena, p->text};
	if (!body.name)
		return false;
	print_parameters(&body);
	for (int s = 0; s < inside->steps; s++) {
		const sw_type *tile = inside->value[sw_program_value_of(inside, s)].type;
		sw_text_add(p->text, "    ");
		print_operation(&body, s);
		sw_text_add(p->text, " : ");
		sw_type_print_tile(tile->tile, tile->rank, p->text);
		sw_text_add_char(p->text, '\n');
	}
	sw_text_add(p->text, "    return ");
	sw_text_add_str(p->text, body.name[inside->returned]);
	sw_text_add(p->text, "\n  } as ");
	print_type(p, inside->result, NULL);
	return true;
}

/* ---- statements ---- */

static void print_home(const print *p, int s)
{
	const sw_value *value = &p->program->value[sw_program_kept(p->program, s)];
	if (value->open)
		sw_text_add(p->text, " as ?");
	else if (value->given) {
		sw_text_add(p->text, " as ");
		print_type(p, value->type, value->words);
	}
}

/* Does it follow from a formula: is it a move to where that uses an operand? */
static bool print_follows(const sw_program *program, int s)
{
	while (program->step[s].why == SW_STEP_TO_USE && s + 1 < program->steps)
		s++;
	return program->step[s].formula != NULL;
}

/* ---- schedules ---- */

/* The value of array k before the schedule began. */
static int print_array(const sw_program *program, int s, int k)
{
	const sw_lowering *of = program->step[s].iteration->lowering;
	while (s > 0 && program->step[s - 1].iteration && program->step[s - 1].iteration->lowering == of)
		s--;
	while (!sw_step_does(&program->step[s], SW_DOES_LEAF))
		s++;
	return program->step[s].operand[program->step[s].iteration->home[k]];
}

/* The statement in the names of the values. */
static void print_statement(const print *p, int s)
{
	const sw_step *step = &p->program->step[s];
	sw_formula formula = step->iteration->lowering->schedule->problem->formula;
	sw_formula_array *array = SW_NEW(p->arena, sw_formula_array, formula.arrays);
	if (!array) {
		p->text->failed = true;
		return;
	}
	for (int k = 0; k < formula.arrays; k++) {
		bool made = k == 0 && !formula.adds;
		array[k] = formula.array[k];
		array[k].name = p->name[made ? sw_program_value_of(p->program, s) : print_array(p->program, s, k)];
	}
	formula.array = array;
	sw_formula_print(&formula, p->text);
}

/* What the steps of a schedule come from, printed once. */
static void print_schedule(const print *p, int s)
{
	const sw_step *step = &p->program->step[s];
	const sw_schedule *schedule = step->iteration->lowering->schedule;
	const sw_value *made = &p->program->value[sw_program_value_of(p->program, s)];
	if (!step->iteration->last)
		return;
	sw_text_add(p->text, "  ");
	sw_text_add_str(p->text, p->name[sw_program_value_of(p->program, s)]);
	sw_text_addf(p->text, " = %s \"", sw_op_name(SW_COMPUTE));
	print_statement(p, s);
	sw_text_add(p->text, schedule->problem->from_home ? "\" by home" : "\" by");
	sw_text_add(p->text, " \"");
	for (int n = 0; n < schedule->commands; n++) {
		sw_text_add_char(p->text, '.');
		sw_schedule_print_command(schedule, n, p->text);
	}
	sw_text_add(p->text, "\" as ");
	print_type(p, made->type, made->words);
	sw_text_add_char(p->text, '\n');
}

static bool print_step(const print *p, int s)
{
	const sw_step *step = &p->program->step[s];
	if (step->iteration) {
		print_schedule(p, s);
		return true;
	}
	if (step->why == SW_STEP_TO_KEEP || (step->why == SW_STEP_TO_USE && print_follows(p->program, s)))
		return true;
	sw_text_add(p->text, "  ");
	print_operation(p, s);
	if (step->why != SW_STEP_WRITTEN) {
		sw_text_add(p->text, " as ");
		const sw_value *made = &p->program->value[sw_program_value_of(p->program, s)];
		print_type(p, made->type, made->words);
	} else if (!step->body)
		print_home(p, s);
	else if (!print_body(p, step->body))
		return false;
	sw_text_add_char(p->text, '\n');
	return true;
}

static void print_signature(const print *p)
{
	const sw_program *program = p->program;
	sw_text *text = p->text;
	sw_text_add(text, "mesh ");
	sw_mesh_print(&program->mesh, text);
	sw_text_add(text, "\n\nfn ");
	sw_text_add_str(text,
		sw_scan_is_bare(program->name) && !sw_program_reserved(program->name) ? program->name : sw_str_of("main"));
	sw_text_add_char(text, '(');
	for (int v = 0; v < program->inputs; v++) {
		sw_text_add(text, v ? ", " : "");
		sw_text_add_str(text, p->name[v]);
		sw_text_add(text, program->value[v].open ? " : ?" : " : ");
		print_type(p, program->value[v].type, program->value[v].words);
	}
	sw_text_add(text, ") -> ");
	if (program->result_open)
		sw_text_add_char(text, '?');
	else
		print_type(p, program->result, program->result_words);
	sw_text_add(text, " {\n");
}

void sw_program_print(const sw_program *program, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	const print p = {program, arena ? sw_program_names(program, arena) : NULL, arena, text};
	bool printed = p.name;
	if (printed)
		print_signature(&p);
	for (int s = 0; printed && s <= program->steps; s++) {
		if (s == sw_program_loop(program) && sw_program_repeats(program))
			sw_text_addf(text, "  repeat %lld\n", (long long)program->rounds);
		printed = s == program->steps || print_step(&p, s);
	}
	if (printed) {
		sw_text_add(text, "  return ");
		sw_text_add_str(text, p.name[program->returned]);
		sw_text_add(text, "\n}\n");
	} else
		text->failed = true;
	sw_arena_free(arena);
}

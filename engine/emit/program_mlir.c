/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a module: operations of StableHLO on whole arrays, with the shardings of Shardy, or of XLA.
 */
#include "emit/program.h"
#include "emit/writing.h"

#include <string.h>

#include <shardwalk/notation.h>

#include "emit/mlir.h"

typedef struct sw_mlir_writer {
	sw_program_emitter *w;
	bool shardy;
	int next;    /* number of the next value */
	int *number; /* of the program's values; inputs have names */
	sw_arena *arena;
	bool failed;
} module_writer;

static sw_text *text_of(const module_writer *m)
{
	return m->w->e.text;
}

/* `#sdy.sharding<...>` or `{devices=...}` with its quotes. */
static void add_sharding(module_writer *m, const sw_type *type, bool named)
{
	sw_text *text = text_of(m), printed = {0};
	const sw_mesh *mesh = &m->w->mesh;
	sw_sharding *s = m->shardy ? NULL : SW_NEW_ZERO(m->arena, sw_sharding, 1);
	sw_notation_context context = {.mesh = mesh, .rank = type->rank};

	if (m->shardy) {
		sw_text_add(text, named ? "#sdy.sharding" : "");
		sw_shardy_sharding(text, mesh, type);
		return;
	}
	sw_type_print(mesh, type, false, &printed);
	m->failed = m->failed || !s ||
		!sw_sharding_parse(sw_str_of(sw_text_get(&printed)), &context, m->arena, s, m->w->e.diag);
	sw_text_clear(&printed);
	m->failed = m->failed || !sw_sharding_print(s, SW_NOTATION_HLO, m->arena, &printed, m->w->e.diag);
	sw_text_addf(text, "\"%s\"", sw_text_get(&printed));
	sw_text_free(&printed);
}

/* ` {sdy.sharding = #sdy.sharding_per_value<[...]>}` behind an operation. */
static void add_result_sharding(module_writer *m, const sw_type *type)
{
	sw_text_add(text_of(m), m->shardy ? " {sdy.sharding = #sdy.sharding_per_value<[" : " {mhlo.sharding = ");
	add_sharding(m, type, false);
	sw_text_add(text_of(m), m->shardy ? "]>}" : "}");
}

static void add_tensor(const module_writer *m, const sw_type *type)
{
	sw_mlir_tensor(text_of(m), type->global, type->rank, type->dtype);
}

static void add_value(const module_writer *m, int value)
{
	if (value < m->w->program->inputs)
		sw_text_addf(text_of(m), "%%%s", m->w->name[value]);
	else
		sw_text_addf(text_of(m), "%%%d", m->number[value]);
}

/* What step `s` moves. */
bool sw_mlir_move(module_writer *m, int s)
{
	const sw_type *to = sw_program_made(m->w, s);
	sw_text *text = text_of(m);

	sw_text_addf(text, "    %%%d = %s", m->next,
		m->shardy ? "sdy.sharding_constraint " : "stablehlo.custom_call @Sharding(");
	add_value(m, sw_program_step_at(m->w, s)->operand[0]);
	sw_text_add(text, m->shardy ? " " : ") {mhlo.sharding = ");
	add_sharding(m, to, false);
	sw_text_add(text, m->shardy ? " : " : "} : (");
	add_tensor(m, to);
	if (!m->shardy) {
		sw_text_add(text, ") -> ");
		add_tensor(m, to);
	}
	sw_text_add_char(text, '\n');
	m->number[sw_program_value_of(m->w->program, s)] = m->next++;
	return true;
}

/* `contracting_dims = [1] x [0]` */
static void add_dims(const module_writer *m, const char *name, const sw_equation *e, bool batches)
{
	sw_text *text = text_of(m);
	int count = 0;

	for (int side = 0; side < 2; side++) {
		const char *comma = side ? "] x [" : "";

		for (int k = 0; k < e->rank[SW_EQUATION_A]; k++) {
			char letter = e->letter[SW_EQUATION_A][k];
			int b = sw_equation_find(e, SW_EQUATION_B, letter);
			bool kept = sw_equation_find(e, SW_EQUATION_RESULT, letter) >= 0;

			if (b < 0 || kept != batches)
				continue;
			if (count++ == 0)
				sw_text_addf(text, ", %s = [", name);
			sw_text_addf(text, "%s%d", comma, side ? b : k);
			comma = ", ";
		}
	}
	sw_text_add(text, count ? "]" : "");
}

/* The result of dot_general: batches, then what is left of both. */
static int dot_letters(const sw_equation *e, char *letters)
{
	int count = 0;

	for (int pass = 0; pass < 3; pass++) {
		int side = pass == 2 ? SW_EQUATION_B : SW_EQUATION_A;

		for (int k = 0; k < e->rank[side]; k++) {
			char letter = e->letter[side][k];
			bool both = sw_equation_find(e, side == SW_EQUATION_A ? SW_EQUATION_B : SW_EQUATION_A, letter) >= 0;

			if (both == (pass == 0) && sw_equation_find(e, SW_EQUATION_RESULT, letter) >= 0)
				letters[count++] = letter;
		}
	}
	return count;
}

/* A letter of one operand alone that the result lacks is no dot_general; nor is a result in another order. */
static bool can_product(const module_writer *m, int s)
{
	const sw_equation *e = sw_program_step_at(m->w, s)->equation;
	char letters[2 * SW_MAX_DIMS];
	int count = dot_letters(e, letters);

	for (int side = 0; side < 2; side++)
		for (int k = 0; k < e->rank[side]; k++) {
			char letter = e->letter[side][k];

			if (sw_equation_find(e, !side, letter) < 0 && sw_equation_find(e, SW_EQUATION_RESULT, letter) < 0)
				return sw_program_refuse(m->w, s,
					"letter '%c' of one operand alone is summed, and dot_general sums what both have", letter);
		}
	if (count != e->rank[SW_EQUATION_RESULT] || memcmp(letters, e->letter[SW_EQUATION_RESULT], (size_t)count) != 0)
		return sw_program_refuse(m->w, s, "dot_general makes %.*s, batches first, then what is left of both", count,
			letters);
	return true;
}

/* The constant that a function of one operand takes, as an array; its number, or -1. */
static int add_constant(module_writer *m, int s)
{
	const char *constant = sw_words_of(sw_program_step_at(m->w, s)->op)->constant;
	const sw_type *type = sw_program_made(m->w, s);
	bool whole = type->dtype == SW_I8 || type->dtype == SW_I16 || type->dtype == SW_I32 || type->dtype == SW_I64 ||
		type->dtype == SW_U8 || type->dtype == SW_U16 || type->dtype == SW_U32 || type->dtype == SW_U64;

	if (!constant)
		return -1;
	sw_text_addf(text_of(m), "    %%%d = stablehlo.constant dense<%s%s> : ", m->next, constant,
		whole ? "" : ".000000e+00");
	add_tensor(m, type);
	sw_text_add_char(text_of(m), '\n');
	return m->next++;
}

static void add_operands(const module_writer *m, int s)
{
	const sw_step *step = sw_program_step_at(m->w, s);

	for (int k = 0; k < step->operands; k++) {
		sw_text_add(text_of(m), k ? ", " : "");
		add_value(m, step->operand[k]);
	}
}

/* The type behind an operation, with which its line ends. */
static bool end_line(module_writer *m, int s)
{
	add_tensor(m, sw_program_made(m->w, s));
	sw_text_add_char(text_of(m), '\n');
	m->number[sw_program_value_of(m->w->program, s)] = m->next++;
	return true;
}

bool sw_mlir_product(module_writer *m, int s)
{
	const sw_equation *equation = sw_program_step_at(m->w, s)->equation;
	sw_text *text = text_of(m);

	if (!can_product(m, s))
		return false;
	sw_text_addf(text, "    %%%d = stablehlo.dot_general ", m->next);
	add_operands(m, s);
	add_dims(m, "batching_dims", equation, true);
	add_dims(m, "contracting_dims", equation, false);
	add_result_sharding(m, sw_program_made(m->w, s));
	sw_text_add(text, " : (");
	add_tensor(m, sw_program_used(m->w, s, 0));
	sw_text_add(text, ", ");
	add_tensor(m, sw_program_used(m->w, s, 1));
	sw_text_add(text, ") -> ");
	return end_line(m, s);
}

bool sw_mlir_elements(module_writer *m, int s)
{
	int constant = add_constant(m, s);

	sw_text_addf(text_of(m), "    %%%d = stablehlo.%s ", m->next, sw_words_of(sw_program_step_at(m->w, s)->op)->mlir);
	add_operands(m, s);
	if (constant >= 0)
		sw_text_addf(text_of(m), ", %%%d", constant);
	add_result_sharding(m, sw_program_made(m->w, s));
	sw_text_add(text_of(m), " : ");
	return end_line(m, s);
}

bool sw_mlir_body(module_writer *m, int s)
{
	return sw_program_refuse(m->w, s, "what a body computes on tiles is no operation on whole arrays");
}

/* ---- the function ---- */

static void add_signature(module_writer *m)
{
	const sw_program *p = m->w->program;
	sw_text *text = text_of(m);
	const char *key = m->shardy ? " {sdy.sharding = " : " {mhlo.sharding = ";

	sw_text_add(text, "  func.func public @main(");
	for (int v = 0; v < p->inputs; v++) {
		sw_text_addf(text, "%s%%%s: ", v ? ", " : "", m->w->name[v]);
		add_tensor(m, &m->w->type[v]);
		sw_text_add(text, key);
		add_sharding(m, &m->w->type[v], true);
		sw_text_add_char(text, '}');
	}
	sw_text_add(text, ") -> (");
	add_tensor(m, &m->w->result);
	sw_text_add(text, key);
	add_sharding(m, &m->w->result, true);
	sw_text_add(text, "}) {\n");
}

static void begin(module_writer *m)
{
	const sw_program_emitter *w = m->w;

	sw_program_head(w, "//", "//", "");
	sw_emit_line(&w->e, "\nmodule @%s attributes {mhlo.num_partitions = %lld : i32, mhlo.num_replicas = 1 : i32} {",
		w->e.plan ? "redistribute" : "program", (long long)w->e.devices);
	if (m->shardy) {
		sw_text_add(w->e.text, "  ");
		sw_shardy_mesh(w->e.text, &w->mesh, w->program->mesh.order);
	}
	add_signature(m);
}

void sw_shardy_begin(sw_program_emitter *w)
{
	begin(&(module_writer){.w = w, .shardy = true});
}

static bool write_module(sw_program_emitter *w, bool shardy)
{
	module_writer m = {.w = w, .shardy = shardy, .arena = w->e.arena};
	const sw_program *p = w->program;

	if (!shardy && w->program->mesh.order)
		return sw_emit_refuse(&w->e, "the format shardy names them",
			"the mesh has its devices in an order of their own");
	m.number = SW_NEW_ZERO(w->e.arena, int, p->values + 1);
	if (!m.number)
		return sw_diag_memory(w->e.diag);
	begin(&m);
	for (int s = 0; s < p->steps && !m.failed; s++)
		if (!sw_writing_of(p->step[s].op)->mlir(&m, s))
			return false;
	sw_text_add(w->e.text, "    return ");
	add_value(&m, p->returned);
	sw_mlir_end(w->e.text, w->result.global, w->result.rank, w->result.dtype);
	return !m.failed;
}

bool sw_emit_program_shardy(sw_program_emitter *w)
{
	return write_module(w, true);
}

bool sw_emit_program_stablehlo(sw_program_emitter *w)
{
	return write_module(w, false);
}

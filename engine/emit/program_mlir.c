/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a module: operations of StableHLO on whole arrays, with the shardings of Shardy, or of XLA.
 */
#include "emit/program.h"

#include <string.h>

#include <shardwalk/notation.h>

#include "emit/mlir.h"

typedef struct module_writer {
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
	sw_notation_context context = {mesh, type->rank, false};

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

/* The value, or number of the value, in another type. */
static int add_move(module_writer *m, int value, int number, const sw_type *to)
{
	sw_text *text = text_of(m);

	sw_text_addf(text, "    %%%d = %s", m->next,
		m->shardy ? "sdy.sharding_constraint " : "stablehlo.custom_call @Sharding(");
	if (number >= 0)
		sw_text_addf(text, "%%%d", number);
	else
		add_value(m, value);
	sw_text_add(text, m->shardy ? " " : ") {mhlo.sharding = ");
	add_sharding(m, to, false);
	sw_text_add(text, m->shardy ? " : " : "} : (");
	add_tensor(m, to);
	if (!m->shardy) {
		sw_text_add(text, ") -> ");
		add_tensor(m, to);
	}
	sw_text_add_char(text, '\n');
	return m->next++;
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
	const sw_equation *e = &m->w->program->statement[s].equation;
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

static const char *const ops[SW_DO_COUNT] = {
	[SW_DO_RELU] = "maximum",
	[SW_DO_EXP] = "exponential",
	[SW_DO_NEG] = "negate",
	[SW_DO_SCALE] = "multiply",
	[SW_DO_ADD] = "add",
	[SW_DO_MUL] = "multiply",
};

/* The second operand of what is a function of one. */
static const char *const constants[SW_DO_COUNT] = {[SW_DO_RELU] = "0", [SW_DO_SCALE] = "2"};

/* The constant that relu and scale take, as an array; its number, or -1. */
static int add_constant(module_writer *m, int s)
{
	const char *constant = constants[m->w->program->statement[s].op];
	const sw_type *type = &m->w->computed[s];
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

static void add_operands(const module_writer *m, int s, const int use[2])
{
	const sw_program_statement *statement = &m->w->program->statement[s];

	for (int k = 0; k < statement->count; k++) {
		sw_text_add(text_of(m), k ? ", " : "");
		if (use[k] >= 0)
			sw_text_addf(text_of(m), "%%%d", use[k]);
		else
			add_value(m, statement->operand[k]);
	}
}

static void add_product(module_writer *m, int s, const int use[2])
{
	const sw_program_statement *statement = &m->w->program->statement[s];
	sw_text *text = text_of(m);

	sw_text_addf(text, "    %%%d = stablehlo.dot_general ", m->next);
	add_operands(m, s, use);
	add_dims(m, "batching_dims", &statement->equation, true);
	add_dims(m, "contracting_dims", &statement->equation, false);
	add_result_sharding(m, &m->w->computed[s]);
	sw_text_add(text, " : (");
	add_tensor(m, &m->w->use[2 * s]);
	sw_text_add(text, ", ");
	add_tensor(m, &m->w->use[2 * s + 1]);
	sw_text_add(text, ") -> ");
	add_tensor(m, &m->w->computed[s]);
	sw_text_add_char(text, '\n');
}

static bool add_statement(module_writer *m, int s)
{
	const sw_program_statement *statement = &m->w->program->statement[s];
	int made = sw_program_made(m->w, s), use[2] = {-1, -1};

	if (sw_program_op_has_body(statement->op))
		return sw_program_refuse(m->w, s, "what a body computes on tiles is no operation on whole arrays");
	if (sw_program_op_moves(statement->op)) {
		m->number[made] = add_move(m, statement->operand[0], -1, &m->w->home[made]);
		return true;
	}
	if (sw_program_op_multiplies(statement->op) && !can_product(m, s))
		return false;
	for (int k = 0; k < statement->count; k++) {
		int value = statement->operand[k];

		if (sw_program_moves(m->w, &m->w->home[value], &m->w->use[2 * s + k]))
			use[k] = add_move(m, value, -1, &m->w->use[2 * s + k]);
	}
	if (sw_program_op_multiplies(statement->op)) {
		add_product(m, s, use);
	} else {
		int constant = add_constant(m, s);

		sw_text_addf(text_of(m), "    %%%d = stablehlo.%s ", m->next, ops[statement->op]);
		add_operands(m, s, use);
		if (constant >= 0)
			sw_text_addf(text_of(m), ", %%%d", constant);
		add_result_sharding(m, &m->w->computed[s]);
		sw_text_add(text_of(m), " : ");
		add_tensor(m, &m->w->computed[s]);
		sw_text_add_char(text_of(m), '\n');
	}
	m->number[made] = m->next++;
	if (sw_program_moves(m->w, &m->w->computed[s], &m->w->home[made]))
		m->number[made] = add_move(m, made, m->number[made], &m->w->home[made]);
	return true;
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
		add_tensor(m, &m->w->home[v]);
		sw_text_add(text, key);
		add_sharding(m, &m->w->home[v], true);
		sw_text_add_char(text, '}');
	}
	sw_text_add(text, ") -> (");
	add_tensor(m, &m->w->result);
	sw_text_add(text, key);
	add_sharding(m, &m->w->result, true);
	sw_text_add(text, "}) {\n");
}

static bool write_module(sw_program_emitter *w, bool shardy)
{
	module_writer m = {.w = w, .shardy = shardy, .arena = w->e.arena};
	const sw_program *p = w->program;
	int returned = p->returned, moved = -1;

	if (!shardy && w->program->mesh.order)
		return sw_emit_refuse(&w->e, "the format shardy names them",
			"the mesh has its devices in an order of their own");
	m.number = SW_NEW_ZERO(w->e.arena, int, p->values + 1);
	if (!m.number)
		return sw_diag_memory(w->e.diag);
	sw_emit_line(&w->e, "// A program of sharded arrays, written by shardwalk.\n//");
	sw_program_remark(w, "//   ");
	sw_emit_line(&w->e,
		"\nmodule @program attributes {mhlo.num_partitions = %lld : i32, mhlo.num_replicas = 1 : i32} {",
		(long long)w->e.devices);
	if (shardy) {
		sw_text_add(w->e.text, "  ");
		sw_shardy_mesh(w->e.text, &w->mesh, w->program->mesh.order);
	}
	add_signature(&m);
	for (int s = 0; s < p->statements && !m.failed; s++)
		if (!add_statement(&m, s))
			return false;
	if (sw_program_moves(w, &w->home[returned], &w->result))
		moved = add_move(&m, returned, -1, &w->result);
	sw_text_add(w->e.text, "    return ");
	if (moved >= 0)
		sw_text_addf(w->e.text, "%%%d", moved);
	else
		add_value(&m, returned);
	sw_text_add(w->e.text, " : ");
	add_tensor(&m, &w->result);
	sw_text_add(w->e.text, "\n  }\n}\n");
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

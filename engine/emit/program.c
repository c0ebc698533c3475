/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs as code: a row a format, and what the formats share.
 */
#include "emit/program.h"

#include <stdio.h>
#include <string.h>

#include "advise/finer.h"

/* NULL: the format has no programs. */
static const struct writer {
	bool (*write)(sw_program_emitter *w);
	bool parts; /* it says parts of axes, so that it needs no finer mesh */
} writers[SW_EMIT_COUNT] = {
	[SW_EMIT_JAX] = {sw_emit_program_jax, false},
	[SW_EMIT_DTENSOR] = {sw_emit_program_dtensor, false},
	[SW_EMIT_SHARDY] = {sw_emit_program_shardy, true},
	[SW_EMIT_STABLEHLO] = {sw_emit_program_stablehlo, true},
};

/* ---- refusals ---- */

bool sw_program_refuse(const sw_program_emitter *w, int s, const char *format, ...)
{
	char reason[160];
	const sw_program_statement *statement = &w->program->statement[s];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	return sw_emit_refuse(&w->e, SW_PROGRAM_HINT, "step %d, %s = %s: %s", s + 1, w->name[sw_program_made(w, s)],
		sw_program_op_name(statement->op), reason);
}

static bool is_typed(const sw_program_emitter *w)
{
	const sw_program *p = w->program;

	for (int v = 0; v < p->values; v++)
		if (p->value[v].open && v < p->inputs)
			return sw_emit_refuse(&w->e, "`assign` finds the types of least cost",
				"nothing says how input '%.*s' is kept", (int)p->value[v].name.length, p->value[v].name.at);
		else if (p->value[v].open)
			return sw_emit_refuse(&w->e, "`assign` finds the types of least cost",
				"step %d, %.*s = %s: nothing says how it is kept", v - p->inputs + 1, (int)p->value[v].name.length,
				p->value[v].name.at, sw_program_op_name(p->statement[v - p->inputs].op));
	return true;
}

bool sw_program_uses_sum(const sw_program_emitter *w, int s)
{
	for (int k = 0; k < w->program->statement[s].count && k < 2; k++)
		if (sw_type_terms(&w->use[2 * s + k]) > 1)
			return true;
	return false;
}

/* ---- names ---- */

/* Words of Python and of the programs that are written. */
static const char *const reserved[] = {"and", "as", "assert", "async", "await", "break", "class", "continue", "def",
	"del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
	"nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None", "True", "False", "P",
	"jax", "jnp", "np", "mesh", "torch", "dist", "os", "reshard", "sharding", "program", "main", "negative",
	"largest", "placed", "whole", "held", "told", "run", "keep", "moved", "local", "Shard", "Partial", "Replicate",
	"DTensor", "DeviceMesh", "tempfile", "multiprocessing", "Mesh", "NamedSharding", "AxisType", "lax", "on_tiles"};

/* Functions that are numbered. */
static const char *const numbered[] = {"body_", "redistribute_", "TILES_"};

static bool is_reserved(const char *name)
{
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (strcmp(name, reserved[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
		if (strncmp(name, numbered[i], strlen(numbered[i])) == 0)
			return true;
	return false;
}

const char *sw_program_python_name(sw_arena *arena, sw_str name)
{
	char *copy = sw_arena_alloc(arena, name.length + 2, 1);

	if (!copy)
		return NULL;
	memcpy(copy, name.at, name.length);
	copy[name.length] = copy[name.length + 1] = '\0';
	for (size_t i = 0; i < name.length; i++) {
		char c = copy[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';

		copy[i] = plain ? c : '_';
	}
	if (is_reserved(copy))
		copy[name.length] = '_';
	return copy;
}

/* ---- types ---- */

/* The types of the inputs, then of each statement up to number `last`: as it uses its operands, as it computes, and its home. */
static int list_types(const sw_program_emitter *w, int last, sw_type **list)
{
	const sw_program *p = w->program;
	int count = 0;

	for (int v = 0; v < p->inputs; v++)
		list[count++] = &w->home[v];
	for (int s = 0; s <= last; s++) {
		list[count++] = &w->use[2 * s];
		list[count++] = &w->use[2 * s + 1];
		list[count++] = &w->computed[s];
		list[count++] = &w->home[sw_program_value_of(p, s)];
	}
	return count;
}

static sw_type **room_for_types(const sw_program_emitter *w)
{
	sw_type **list = SW_NEW(w->e.arena, sw_type *, w->program->values + 3 * w->program->statements + 1);

	if (!list)
		sw_diag_memory(w->e.diag);
	return list;
}

bool sw_program_refuse_types(const sw_program_emitter *w, sw_program_fits fits, const void *context,
	const char *reason)
{
	sw_type **list = room_for_types(w);
	int last = -1;

	if (!list)
		return false;
	while (
		last < w->program->statements - 1 && fits(context, (const sw_type *const *)list, list_types(w, last, list)))
		last++;
	return last < 0 ? sw_emit_refuse(&w->e, SW_PROGRAM_HINT, "the inputs: %s", reason) :
					  sw_program_refuse(w, last, "%s", reason);
}

static bool has_finer_mesh(const void *context, const sw_type *const *list, int count)
{
	const sw_mesh *mesh = context;
	sw_mesh fine;
	bool finer;

	return sw_finer_mesh(mesh, list, count, &fine, &finer);
}

/* Types as the program has them. */
static void copy_types(const sw_program_emitter *w)
{
	const sw_program *p = w->program;

	for (int v = 0; v < p->values; v++)
		w->home[v] = p->value[v].home;
	for (int s = 0; s < p->statements; s++) {
		const sw_program_statement *statement = &p->statement[s];

		for (int k = 0; k < 2; k++)
			w->use[2 * s + k] = k < statement->count ? statement->types->use[k] : statement->types->computed;
		w->computed[s] = statement->types->computed;
	}
}

/* Types over a mesh whose whole axes they use. */
static bool refine_types(sw_program_emitter *w)
{
	sw_type **list = room_for_types(w), fine;
	const sw_mesh *mesh = &w->program->mesh;
	bool finer;

	if (!list)
		return false;
	int count = list_types(w, w->program->statements - 1, list);
	list[count++] = &w->result;
	if (!sw_finer_mesh(mesh, (const sw_type *const *)list, count, &w->mesh, &finer))
		return sw_program_refuse_types(w, has_finer_mesh, mesh,
			"no finer mesh has axes for its types and those before: they cut an axis in different orders");
	for (int k = 0; k < count; k++) {
		if (!sw_finer_type(mesh, &w->mesh, list[k], &fine))
			return sw_diag_memory(w->e.diag);
		*list[k] = fine;
	}
	return true;
}

static bool take_types(sw_program_emitter *w, bool parts)
{
	const sw_program *p = w->program;
	bool ok;

	w->home = SW_NEW(w->e.arena, sw_type, p->values + 1);
	w->use = SW_NEW(w->e.arena, sw_type, 2 * p->statements + 1);
	w->computed = SW_NEW(w->e.arena, sw_type, p->statements + 1);
	w->name = SW_NEW(w->e.arena, const char *, p->values + 1);
	ok = w->home && w->use && w->computed && w->name;
	for (int v = 0; ok && v < p->values; v++)
		ok = (w->name[v] = sw_program_python_name(w->e.arena, p->value[v].name)) != NULL;
	if (!ok)
		return sw_diag_memory(w->e.diag);
	w->mesh = p->mesh;
	w->result = p->result;
	copy_types(w);
	return parts || refine_types(w);
}

/* ---- remarks ---- */

void sw_program_remark(const sw_program_emitter *w, const char *mark)
{
	sw_text text = {0};

	sw_program_print(w->program, &text);
	for (const char *line = sw_text_get(&text); *line;) {
		size_t length = strcspn(line, "\n");

		if (length)
			sw_emit_line(&w->e, "%s%.*s", mark, (int)length, line);
		line += length + (line[length] == '\n');
	}
	sw_text_free(&text);
}

/* ---- Python ---- */

void sw_program_python_inputs(const sw_program_emitter *w)
{
	for (int v = 0; v < w->program->inputs; v++)
		sw_text_addf(w->e.text, "%s%s", v ? ", " : "", w->name[v]);
}

void sw_program_python_equation(const sw_program_emitter *w, int s)
{
	sw_text_add_char(w->e.text, '"');
	sw_equation_print(&w->program->statement[s].equation, w->e.text);
	sw_text_add_char(w->e.text, '"');
}

/* A body on the tiles of all devices. */
static void add_on_tiles(const sw_program_emitter *w, int s)
{
	sw_text_addf(w->e.text, "on_tiles(body_%d, TILES_%d, [", s + 1, s + 1);
	for (int k = 0; k < w->program->statement[s].count; k++)
		sw_text_addf(w->e.text, "%s%s", k ? ", " : "", w->name[sw_program_operand(w, s, k)]);
	sw_text_add(w->e.text, "], keep, negative)");
}

/* Whole arrays: the expression of a statement, `%s` its operands. */
static void add_whole(const sw_program_emitter *w, int s)
{
	static const char *const form[SW_DO_COUNT] = {
		[SW_DO_REDISTRIBUTE] = "%s",
		[SW_DO_RELU] = "np.maximum(%s, 0)",
		[SW_DO_EXP] = "np.exp(%s)",
		[SW_DO_NEG] = "negative(%s)",
		[SW_DO_SCALE] = "2 * %s",
		[SW_DO_ADD] = "%s + %s",
		[SW_DO_MUL] = "%s * %s",
	};
	const sw_program_statement *statement = &w->program->statement[s];
	const char *a = w->name[statement->operand[0]];
	const char *b = statement->count > 1 ? w->name[statement->operand[1]] : "";
	sw_text *text = w->e.text;

	sw_text_addf(text, "    %s = keep(", w->name[sw_program_made(w, s)]);
	if (sw_program_op_has_body(statement->op)) {
		add_on_tiles(w, s);
	} else if (sw_program_op_multiplies(statement->op)) {
		sw_text_add(text, "np.einsum(");
		sw_program_python_equation(w, s);
		sw_text_addf(text, ", %s, %s)", a, b);
	} else {
		for (const char *c = form[statement->op]; *c; c++) {
			if (*c != '%') {
				sw_text_add_char(text, *c);
				continue;
			}
			sw_text_add(text, a);
			a = b;
			c++;
		}
	}
	sw_text_add(text, ")\n");
}

void sw_program_python_whole(const sw_program_emitter *w)
{
	sw_emit_line(&w->e, "def on_whole_arrays(inputs, negative=np.negative):");
	sw_emit_line(&w->e, "    \"\"\"The result, and the largest value on the way.\"\"\"");
	sw_emit_line(&w->e,
		"    largest = [0]\n\n    def keep(value):\n        largest.append(np.max(np.abs(value)))\n        return value\n");
	sw_text_add(w->e.text, "    ");
	sw_program_python_inputs(w);
	sw_emit_line(&w->e, "%s = inputs", w->program->inputs == 1 ? "," : "");
	for (int s = 0; s < w->program->statements; s++)
		add_whole(w, s);
	sw_emit_line(&w->e, "    return %s, max(largest)\n\n", w->name[w->program->returned]);
}

/* Does it compute what is no whole number of whole numbers? */
static bool leaves_whole_numbers(const sw_program *p)
{
	static const bool leaves[SW_DO_COUNT] = {[SW_DO_EXP] = true};

	for (int s = 0; s < p->statements; s++)
		if (leaves[p->statement[s].op])
			return true;
	return false;
}

/* Whole numbers up to this are exact in the element type, whatever the order of adding. */
static int exact_bits(sw_dtype dtype)
{
	switch (dtype) {
	case SW_BF16:
		return 8;
	case SW_F16:
		return 11;
	case SW_F32:
		return 24;
	case SW_I32:
		return 31;
	default:
		return 53;
	}
}

void sw_program_python_check(const sw_program_emitter *w)
{
	const sw_program *p = w->program;
	sw_dtype dtype = p->value[p->returned].home.dtype;

	sw_text_add(w->e.text, "def values_of():\n    draw = np.random.default_rng(0)\n    return [");
	for (int v = 0; v < p->inputs; v++) {
		sw_text_add(w->e.text, v ? ", draw.integers(-1, 2, " : "draw.integers(-1, 2, ");
		sw_python_tuple(w->e.text, p->value[v].home.global, p->value[v].home.rank);
		sw_text_add(w->e.text, ").astype(np.float64)");
	}
	sw_emit_line(&w->e, "]\n\n\ndef compared(got, inputs):");
	sw_emit_line(&w->e, "    expected, _ = on_whole_arrays(inputs)");
	sw_emit_line(&w->e, "    _, largest = on_whole_arrays([np.abs(value) for value in inputs], np.abs)");
	sw_emit_line(&w->e, "    got = np.asarray(got).astype(np.float64)");
	if (!leaves_whole_numbers(p)) {
		sw_emit_line(&w->e, "    if largest < 2**%d:", exact_bits(dtype));
		sw_emit_line(&w->e,
			"        if not np.array_equal(got, expected):\n            raise SystemExit(\"WRONG: the result differs from that of whole arrays\")");
		sw_emit_line(&w->e, "        return \"right: the result is that of whole arrays, bit for bit\"");
	}
	sw_emit_line(&w->e, "    bound = 2.0**-%d * %d * largest  # of rounding, whatever the order of adding",
		exact_bits(dtype) - 6, p->statements);
	sw_emit_line(&w->e,
		"    if not np.all(np.abs(got - expected) <= bound):\n        raise SystemExit(\"WRONG: the result differs from that of whole arrays\")");
	sw_emit_line(&w->e, "    return f\"right: the result is that of whole arrays within {bound:.3g}\"\n\n");
}

/* ---- the table ---- */

/* Each redistribution as the strategy `fused` plans it. */
static bool with_plans(sw_emit_kind kind, const sw_program *program, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const sw_plan_options options = {.strategy = SW_FUSED};
	sw_planned planned;

	return sw_planned_make(program, NULL, &options, arena, &planned, diag) &&
		sw_emit_planned(kind, &planned, arena, text, diag);
}

bool sw_emit_program(sw_emit_kind kind, const sw_program *program, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_program_emitter w = {.program = program,
		.e = {.arena = arena, .text = text, .diag = diag, .devices = program->mesh.devices}};
	size_t start = text->length;

	if (!writers[kind].write && !sw_emit_plans(kind))
		return sw_emit_refuse(&w.e, "jax, shard_map, dtensor, shardy, stablehlo and mpi do",
			"the format %s says redistributions, no programs", sw_emit_name(kind));
	if (!is_typed(&w))
		return false;
	if (sw_emit_plans(kind))
		return with_plans(kind, program, arena, text, diag);
	bool ok = take_types(&w, writers[kind].parts) && writers[kind].write(&w);
	if (ok && text->failed)
		ok = sw_diag_memory(diag);
	if (!ok && text->data) {
		text->length = start;
		text->data[start] = '\0';
	}
	return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs as code: a row a format, and what the formats share.
 */
#include "emit/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/computation.h>
#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include <shardwalk/schedule_program.h>

#include "advise/finer.h"
#include "emit/writing.h"

/* NULL: the format has no programs. */
static const struct writer {
	bool (*write)(sw_program_emitter *w);
	bool parts;                              /* it says parts of axes, so that it needs no finer mesh */
	bool plans;                              /* it writes the steps of redistributions */
	bool words;                              /* it says formulas, and types that are no tile types */
	bool loops;                              /* it repeats rounds */
	bool (*schedule)(sw_program_emitter *w); /* NULL: it says no schedules */
} writers[SW_EMIT_COUNT] = {
	[SW_EMIT_JAX] = {.write = sw_emit_program_jax},
	[SW_EMIT_DTENSOR] = {.write = sw_emit_program_dtensor},
	[SW_EMIT_SHARDY] = {.write = sw_emit_program_shardy, .parts = true},
	[SW_EMIT_STABLEHLO] = {.write = sw_emit_program_stablehlo, .parts = true},
	[SW_EMIT_MPI] =
		{.write = sw_emit_program_mpi, .plans = true, .words = true, .loops = true, .schedule = sw_emit_schedule_mpi},
	[SW_EMIT_SHARD_MAP] = {.write = sw_emit_program_shard_map, .plans = true},
};

bool sw_emit_plans(sw_emit_kind kind)
{
	return writers[kind].plans;
}

/* ---- refusals ---- */

/* Names the written step that step `s` is there for, with its number among those that are written; of a plan, the step itself. */
static void add_written(const sw_program_emitter *w, int s, sw_text *text)
{
	const sw_program *p = w->program;
	int number = 0;

	if (w->e.plan) {
		sw_text_addf(text, "step %d", s + 1);
		return;
	}
	while (s > 0 && p->step[s].why != SW_STEP_WRITTEN)
		s += p->step[s].why == SW_STEP_TO_USE ? 1 : -1;
	for (int k = 0; k <= s; k++)
		number += p->step[k].why == SW_STEP_WRITTEN;
	sw_str name = p->value[sw_program_value_of(p, s)].name;
	sw_text_addf(text, "step %d, %.*s = %s", number, (int)name.length, name.at, sw_op_name(p->step[s].op));
}

bool sw_program_refused(const sw_program_emitter *w, int s)
{
	assert(s >= 0 && s < w->program->steps);
	sw_diag *diag = w->e.diag;
	sw_text text = {0};

	if (diag->code != SW_P06 || (w->e.plan && w->program->step[s].inside))
		return false;
	add_written(w, s, &text);
	sw_text_addf(&text, ": %s", diag->message);
	snprintf(diag->message, sizeof diag->message, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return false;
}

bool sw_program_refuse(const sw_program_emitter *w, int s, const char *format, ...)
{
	char reason[160];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	sw_emit_refuse(&w->e, w->e.plan ? SW_EMIT_OF_STEPS : SW_PROGRAM_HINT, "%s", reason);
	return sw_program_refused(w, s);
}

static bool is_typed(const sw_program_emitter *w)
{
	const sw_program *p = w->program;
	static const char hint[] = "`assign` finds the types of least cost";

	for (int v = 0; v < p->inputs; v++)
		if (p->value[v].open)
			return sw_emit_refuse(&w->e, hint, "nothing says how input '%.*s' is kept", (int)p->value[v].name.length,
				p->value[v].name.at);
	for (int s = 0; s < p->steps; s++)
		if (p->value[sw_program_value_of(p, s)].open) {
			sw_emit_refuse(&w->e, hint, "nothing says how it is kept");
			return sw_program_refused(w, s);
		}
	return true;
}

bool sw_program_uses_sum(const sw_program_emitter *w, int s)
{
	for (int k = 0; k < w->program->step[s].operands; k++)
		if (sw_type_terms(sw_program_used(w, s, k)) > 1)
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

static const char *python_name(sw_arena *arena, sw_str name)
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

bool sw_program_python_names(sw_program_emitter *w)
{
	const sw_program *p = w->program;
	bool ok;

	w->name = SW_NEW(w->e.arena, const char *, p->values + 1);
	ok = w->name != NULL;
	for (int v = 0; ok && v < p->values; v++)
		ok = (w->name[v] = python_name(w->e.arena, p->value[v].name)) != NULL;
	return ok || sw_diag_memory(w->e.diag);
}

/* ---- types ---- */

/* Those of all values up to number `last`. */
static int list_types(const sw_program_emitter *w, int last, sw_type **list)
{
	for (int v = 0; v <= last; v++)
		list[v] = &w->type[v];
	return last + 1;
}

static sw_type **room_for_types(const sw_program_emitter *w)
{
	sw_type **list = SW_NEW(w->e.arena, sw_type *, w->program->values + 1);

	if (!list)
		sw_diag_memory(w->e.diag);
	return list;
}

bool sw_program_refuse_types(const sw_program_emitter *w, sw_program_fits fits, const void *context,
	const char *reason)
{
	sw_type **list = room_for_types(w);
	int last = w->program->inputs - 1;

	if (!list)
		return false;
	while (last < w->program->values - 1 && fits(context, (const sw_type *const *)list, list_types(w, last, list)))
		last++;
	return last < w->program->inputs ? sw_emit_refuse(&w->e, SW_PROGRAM_HINT, "the inputs: %s", reason) :
									   sw_program_refuse(w, sw_program_maker(w->program, last), "%s", reason);
}

static bool has_finer_mesh(const void *context, const sw_type *const *list, int count)
{
	const sw_mesh *mesh = context;
	sw_mesh fine;
	bool finer;

	return sw_finer_mesh(mesh, list, count, &fine, &finer);
}

/* Types over a mesh whose whole axes they use. */
static bool refine_types(sw_program_emitter *w)
{
	sw_type **list = room_for_types(w), fine;
	const sw_mesh *mesh = &w->program->mesh;
	bool finer;

	if (!list)
		return false;
	int count = list_types(w, w->program->values - 1, list);
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

static bool take_types(sw_program_emitter *w)
{
	const sw_program *p = w->program;

	w->type = SW_NEW(w->e.arena, sw_type, p->values + 1);
	if (!w->type)
		return sw_diag_memory(w->e.diag);
	w->mesh = p->mesh;
	w->result = *p->result;
	for (int v = 0; v < p->values; v++)
		w->type[v] = *p->value[v].type;
	return writers[w->kind].parts || writers[w->kind].plans || refine_types(w);
}

/* ---- plans ---- */

bool sw_program_of_types(sw_emitter *e, const sw_type *type, int count, const sw_plan *inside, sw_program_emitter *w)
{
	assert(count >= 1);
	sw_program *program = SW_NEW_ZERO(e->arena, sw_program, 1);
	sw_type *own = SW_NEW(e->arena, sw_type, count);

	*w = (sw_program_emitter){.e = *e,
		.program = program,
		.mesh = e->plan->problem.mesh,
		.result = type[count - 1],
		.type = SW_NEW(e->arena, sw_type, count),
		.name = SW_NEW(e->arena, const char *, count),
		.move = e};
	if (program == NULL || own == NULL || w->type == NULL || w->name == NULL)
		return sw_diag_memory(e->diag);
	*program = (sw_program){.mesh = w->mesh,
		.inputs = 1,
		.values = count,
		.steps = count - 1,
		.value = SW_NEW_ZERO(e->arena, sw_value, count),
		.step = SW_NEW_ZERO(e->arena, sw_step, count),
		.returned = count - 1,
		.result = &own[count - 1]};
	if (program->value == NULL || program->step == NULL)
		return sw_diag_memory(e->diag);
	for (int k = 0; k < count; k++) {
		own[k] = w->type[k] = type[k];
		w->name[k] = "a";
		program->value[k] = (sw_value){.name = {"array", 5}, .type = &own[k]};
		program->step[k] =
			(sw_step){.op = SW_REDISTRIBUTE, .why = SW_STEP_TO_KEEP, .operands = 1, .operand = {k}, .inside = inside};
	}
	return true;
}

bool sw_program_of_plan(sw_emitter *e, sw_program_emitter *w)
{
	const sw_type ends[] = {e->plan->problem.from, e->plan->problem.to};

	if (!sw_program_of_types(e, ends, 2, e->plan, w))
		return false;
	w->program->value[0].words = e->plan->problem.from_words;
	w->program->value[1].words = e->plan->problem.to_words;
	return true;
}

/* Each redistribution by its plan, or as the strategy `fused` finds one. */
static bool take_plans(sw_program_emitter *w)
{
	const sw_plan_options options = {.strategy = SW_FUSED};
	sw_program *planned = SW_NEW(w->e.arena, sw_program, 1);

	if (!planned)
		return sw_diag_memory(w->e.diag);
	if (!sw_program_plan(w->program, NULL, &options, w->e.arena, planned, w->e.diag))
		return false;
	w->program = planned;
	w->move = SW_NEW_ZERO(w->e.arena, sw_emitter, planned->steps + 1);
	if (!w->move)
		return sw_diag_memory(w->e.diag);
	for (int s = 0; s < planned->steps; s++) {
		const sw_plan *plan = planned->step[s].inside;

		if (!plan)
			continue;
		w->move[s] = sw_emit_of_plan(plan, w->e.arena, w->e.text, w->e.diag);
		if (!sw_problem_has_words(&plan->problem) && !sw_emit_ready(&w->move[s], w->kind))
			return sw_program_refused(w, s);
	}
	return true;
}

/* ---- remarks ---- */

static void remark_program(const sw_program_emitter *w, const char *mark)
{
	sw_text text = {0};

	sw_program_print(w->program, &text);
	char *rest = NULL;
	for (char *line = text.data ? strtok_r(text.data, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
		sw_text_add(w->e.text, mark);
		sw_emit_harmless(w->e.text, line);
		sw_text_add_char(w->e.text, '\n');
	}
	sw_text_free(&text);
}

void sw_program_head(const sw_program_emitter *w, const char *open, const char *mark, const char *how)
{
	char inner[16];

	sw_emit_line(&w->e, "%s %s%s, written by shardwalk.\n%s", open,
		w->e.plan ? "Redistribution of an array" : "A program of sharded arrays", how, mark);
	snprintf(inner, sizeof inner, "%s   ", mark);
	if (w->e.plan)
		sw_emit_remark_problem(&w->e, inner);
	else
		remark_program(w, inner);
}

void sw_program_words(const sw_program_emitter *w, int s, sw_text *text)
{
	assert(s >= 0 && s < w->program->steps);
	const sw_step *step = &w->program->step[s];

	sw_text_add_str(text, w->program->value[sw_program_value_of(w->program, s)].name);
	sw_text_addf(text, " = %s ", sw_op_name(step->op));
	if (step->equation) {
		sw_text_add_char(text, '"');
		sw_equation_print(step->equation, text);
		sw_text_add(text, "\" ");
	}
	if (step->formula && !step->equation) {
		sw_text_add_char(text, '"');
		sw_formula_print(&step->formula->formula, text);
		sw_text_add(text, "\" ");
	}
	for (int i = 0; i < step->operands && (!step->formula || step->equation); i++) {
		sw_text_add_str(text, w->program->value[step->operand[i]].name);
		sw_text_add_char(text, ' ');
	}
	const sw_value *made = &w->program->value[sw_program_value_of(w->program, s)];
	sw_text_add(text, "as ");
	sw_type_print_any(&w->program->mesh, made->type, made->words, false, text);
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
	sw_equation_print(w->program->step[s].equation, w->e.text);
	sw_text_add_char(w->e.text, '"');
}

void sw_program_python_form(sw_text *text, const char *form, const char *module, const char *a, const char *b)
{
	for (const char *at = form; *at; at++) {
		if (*at != '%') {
			sw_text_add_char(text, *at);
			continue;
		}
		at++;
		sw_text_add(text, *at == 'a' ? a : *at == 'b' ? b : module);
	}
}

static const char *operand_name(const sw_program_emitter *w, int s, int k)
{
	const sw_step *step = &w->program->step[s];

	return w->name[step->operand[k < step->operands ? k : 0]];
}

/* What is moved is the same array, which is told only where it has another name. */
static bool is_another(const sw_program_emitter *w, int s)
{
	return w->program->step[s].why == SW_STEP_WRITTEN ||
		strcmp(w->name[sw_program_value_of(w->program, s)], operand_name(w, s, 0)) != 0;
}

void sw_whole_elements(const sw_program_emitter *w, int s)
{
	sw_program_python_form(w->e.text, sw_words_of(w->program->step[s].op)->python, "np", operand_name(w, s, 0),
		operand_name(w, s, 1));
}

void sw_whole_product(const sw_program_emitter *w, int s)
{
	sw_text_add(w->e.text, "np.einsum(");
	sw_program_python_equation(w, s);
	sw_text_addf(w->e.text, ", %s, %s)", operand_name(w, s, 0), operand_name(w, s, 1));
}

/* A body on the tiles of all devices. */
void sw_whole_body(const sw_program_emitter *w, int s)
{
	int number = sw_program_statement(w->program, s);

	sw_text_addf(w->e.text, "on_tiles(body_%d, TILES_%d, [", number, number);
	for (int k = 0; k < w->program->step[s].operands; k++)
		sw_text_addf(w->e.text, "%s%s", k ? ", " : "", operand_name(w, s, k));
	sw_text_add(w->e.text, "], keep, negative)");
}

void sw_program_python_whole(const sw_program_emitter *w)
{
	const sw_program *p = w->program;

	sw_emit_line(&w->e, "def on_whole_arrays(inputs, negative=np.negative):");
	sw_emit_line(&w->e, "    \"\"\"The result, and the largest value on the way.\"\"\"");
	sw_emit_line(&w->e,
		"    largest = [0]\n\n    def keep(value):\n        largest.append(np.max(np.abs(value)))\n        return value\n");
	sw_text_add(w->e.text, "    ");
	sw_program_python_inputs(w);
	sw_emit_line(&w->e, "%s = inputs", p->inputs == 1 ? "," : "");
	for (int s = 0; s < p->steps; s++) {
		if (!is_another(w, s))
			continue;
		sw_text_addf(w->e.text, "    %s = keep(", w->name[sw_program_value_of(p, s)]);
		sw_writing_of(p->step[s].op)->whole(w, s);
		sw_text_add(w->e.text, ")\n");
	}
	sw_emit_line(&w->e, "    return %s, max(largest)\n\n", w->name[p->returned]);
}

/* Does it compute what is no whole number of whole numbers? */
static bool leaves_whole_numbers(const sw_program *p)
{
	for (int s = 0; s < p->steps; s++)
		if (sw_operation_of(p->step[s].op)->grows == SW_GROWS_AS_POWER)
			return true;
	return false;
}

/* How often a value may be rounded. */
static int roundings(const sw_program_emitter *w)
{
	int count = 0;

	for (int s = 0; s < w->program->steps; s++)
		count += is_another(w, s);
	return count;
}

bool sw_program_computes(const sw_program_emitter *w)
{
	return roundings(w) > 0;
}

int sw_program_exact_bits(sw_dtype dtype)
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

/* What is only moved is compared as it is held. */
static void add_exact(const sw_emitter *e)
{
	sw_emit_line(e, "    if got.tobytes() != expected.astype(got.dtype).tobytes():");
	sw_emit_line(e, "        raise SystemExit(\"WRONG: the result differs from that of whole arrays\")");
	sw_emit_line(e, "    return \"right: the result is that of whole arrays, bit for bit\"\n\n");
}

static void add_bound(const sw_program_emitter *w, sw_dtype dtype)
{
	sw_emit_line(&w->e, "    _, largest = on_whole_arrays([np.abs(value) for value in inputs], np.abs)");
	sw_emit_line(&w->e, "    got = np.asarray(got).astype(np.%s)", sw_python_wide(dtype));
	if (!leaves_whole_numbers(w->program)) {
		sw_emit_line(&w->e, "    if largest < 2**%d:", sw_program_exact_bits(dtype));
		sw_emit_line(&w->e,
			"        if not np.array_equal(got, expected):\n            raise SystemExit(\"WRONG: the result differs from that of whole arrays\")");
		sw_emit_line(&w->e, "        return \"right: the result is that of whole arrays, bit for bit\"");
	}
	sw_emit_line(&w->e, "    bound = 2.0**-%d * %d * largest  # of rounding, whatever the order of additions",
		sw_program_exact_bits(dtype) - 6, roundings(w));
	sw_emit_line(&w->e,
		"    if not np.all(np.abs(got - expected) <= bound):\n        raise SystemExit(\"WRONG: the result differs from that of whole arrays\")");
	sw_emit_line(&w->e, "    return f\"right: the result is that of whole arrays within {bound:.3g}\"\n\n");
}

void sw_program_python_check(const sw_program_emitter *w)
{
	const sw_program *p = w->program;
	sw_dtype dtype = p->value[p->returned].type->dtype;
	bool computes = sw_program_computes(w);
	/* products and sums are exact; else any, with a sign or without */
	const char *range = computes ? "-1, 2" : dtype == SW_PRED ? "0, 2" : "1, 113";

	sw_text_add(w->e.text, "def values_of():\n    draw = np.random.default_rng(0)\n    return [");
	for (int v = 0; v < p->inputs; v++) {
		sw_text_addf(w->e.text, "%sdraw.integers(%s, ", v ? ", " : "", range);
		sw_python_tuple(w->e.text, p->value[v].type->global, p->value[v].type->rank);
		sw_text_add(w->e.text, ").astype(np.float64)");
	}
	sw_emit_line(&w->e, "]\n\n\ndef compared(got, inputs):\n    expected, _ = on_whole_arrays(inputs)");
	if (computes)
		add_bound(w, dtype);
	else
		add_exact(&w->e);
}

/* ---- the whole ---- */

static bool write_program(sw_program_emitter *w)
{
	bool plans = writers[w->kind].plans;

	return is_typed(w) && (!plans || take_plans(w)) && take_types(w) && sw_program_python_names(w) &&
		writers[w->kind].write(w);
}

static bool can_repeat(const sw_program_emitter *w)
{
	const sw_program *p = w->program;

	return writers[w->kind].loops || !sw_program_repeats(p) ||
		sw_emit_refuse(&w->e, "mpi repeats it; or write the statements of all rounds one after the other",
			"the format %s says no rounds, and this program repeats %lld", sw_emit_name(w->kind),
			(long long)sw_larger(p->rounds, 1));
}

bool sw_emit_program(sw_emit_kind kind, const sw_program *program, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_program_emitter w = {.program = program,
		.kind = kind,
		.e = {.arena = arena, .text = text, .diag = diag, .devices = program->mesh.devices}};
	size_t start = text->length;

	if (sw_program_lowering(program) != NULL) {
		if (writers[kind].schedule == NULL)
			return sw_emit_refuse(&w.e, "`export mpi` does, and `export plan` is what `run` executes",
				"the format %s says no schedules", sw_emit_name(kind));
		return sw_emit_end(&w.e, start, writers[kind].schedule(&w));
	}
	if (!writers[kind].words && !sw_program_of_tiles(program, diag))
		return false;
	if (!writers[kind].write)
		return sw_emit_refuse(&w.e, "jax, shard_map, dtensor, shardy, stablehlo and mpi do",
			"the format %s says redistributions, no programs", sw_emit_name(kind));
	return can_repeat(&w) && sw_emit_end(&w.e, start, write_program(&w));
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as JAX with explicit sharding: each operation says the sharding of what it makes, and `reshard` moves.
 */
#include "emit/program.h"
#include "emit/writing.h"

static void add_sharding(const sw_program_emitter *w, const sw_type *type, sw_text *text)
{
	sw_text_add(text, "NamedSharding(mesh, ");
	sw_python_sums_spec(text, &w->mesh, type);
	sw_text_add_char(text, ')');
}

/* JAX multiplies no sums, and of the operations element by element it has a rule for `add` alone. */
static bool can(const sw_program_emitter *w, int s)
{
	return sw_words_of(sw_program_step_at(w, s)->op)->jax_sums || !sw_program_uses_sum(w, s) ||
		sw_program_refuse(w, s, "JAX has no rule for an operand that is a sum");
}

/* Brought to where it is used, where that is elsewhere. */
static void add_operand(const sw_program_emitter *w, int s, int k, sw_text *text)
{
	int value = sw_program_step_at(w, s)->operand[k], use = sw_program_use(w, value);

	if (use < 0) {
		sw_text_add(text, w->name[value]);
		return;
	}
	sw_text_addf(text, "reshard(%s, ", w->name[sw_program_step_at(w, use)->operand[0]]);
	add_sharding(w, &w->type[value], text);
	sw_text_add_char(text, ')');
}

static void add_type(const sw_program_emitter *w, const sw_type *type)
{
	sw_text_add(w->e.text, "  # ");
	sw_type_print(&w->mesh, type, false, w->e.text);
	sw_text_add_char(w->e.text, '\n');
}

static void add_move(const sw_program_emitter *w, int from, int to)
{
	sw_text_addf(w->e.text, "    %s = reshard(%s, ", w->name[to], w->name[from]);
	add_sharding(w, &w->type[to], w->e.text);
	sw_text_add_char(w->e.text, ')');
	add_type(w, &w->type[to]);
}

bool sw_jax_elements(const sw_program_emitter *w, int s)
{
	const sw_step *step = sw_program_step_at(w, s);
	const sw_words *words = sw_words_of(step->op);
	sw_text a = {0}, b = {0};

	if (!can(w, s))
		return false;
	add_operand(w, s, 0, &a);
	add_operand(w, s, step->operands - 1, &b);
	sw_text_addf(w->e.text, "    %s = ", w->name[sw_program_value_of(w->program, s)]);
	sw_program_python_form(w->e.text, words->outside ? words->outside : words->python, "jnp", sw_text_get(&a),
		sw_text_get(&b));
	add_type(w, sw_program_made(w, s));
	sw_text_free(&a);
	sw_text_free(&b);
	return true;
}

bool sw_jax_move(const sw_program_emitter *w, int s)
{
	int from = sw_program_step_at(w, s)->operand[0], to = sw_program_value_of(w->program, s);

	if (!sw_type_same_map(&w->mesh, &w->type[from], &w->type[to])) {
		add_move(w, from, to);
	} else {
		sw_text_addf(w->e.text, "    %s = %s", w->name[to], w->name[from]);
		add_type(w, &w->type[to]);
	}
	return true;
}

bool sw_jax_product(const sw_program_emitter *w, int s)
{
	sw_text *text = w->e.text;

	if (!can(w, s))
		return false;
	sw_text_addf(text, "    %s = jnp.einsum(", w->name[sw_program_value_of(w->program, s)]);
	sw_program_python_equation(w, s);
	for (int k = 0; k < sw_program_step_at(w, s)->operands; k++) {
		sw_text_add(text, ", ");
		add_operand(w, s, k, text);
	}
	sw_text_add(text, ", out_sharding=");
	add_sharding(w, sw_program_made(w, s), text);
	sw_text_add_char(text, ')');
	add_type(w, sw_program_made(w, s));
	return true;
}

bool sw_jax_body(const sw_program_emitter *w, int s)
{
	return sw_program_refuse(w, s, "what a body computes on tiles is no operation on whole arrays");
}

static void add_mesh(const sw_program_emitter *w, bool explicit_axes)
{
	sw_text devices = {0};

	sw_python_devices(&devices, w->program->mesh.order, w->e.devices, w->e.all);
	if (explicit_axes) {
		sw_python_explicit_mesh(w->e.text, &w->mesh, sw_text_get(&devices));
	} else {
		sw_text_add(w->e.text, "mesh = ");
		sw_python_mesh(w->e.text, &w->mesh, sw_text_get(&devices));
		sw_text_add_char(w->e.text, '\n');
	}
	sw_text_free(&devices);
}

void sw_program_jax_head(const sw_program_emitter *w, bool explicit_axes)
{
	const sw_type *result = &w->type[w->program->returned];
	void (*spec)(sw_text * text, const sw_mesh *mesh, const sw_type *type) = explicit_axes ? sw_python_sums_spec :
																							 sw_python_spec_of_terms;

	sw_emit_line(&w->e, "# A program of sharded arrays %s, written by shardwalk.\n#",
		explicit_axes ? "in JAX, with explicit sharding" : "under shard_map in JAX, collective by collective");
	sw_program_remark(w, "#   ");
	sw_emit_line(&w->e, "#\n# It runs by itself and checks the result: python3 THIS_FILE.py\n");
	sw_python_jax_start(&w->e,
		explicit_axes ? "from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P, reshard" :
						"from jax import lax\nfrom jax.sharding import Mesh, NamedSharding, PartitionSpec as P",
		result->dtype);
	add_mesh(w, explicit_axes);
	sw_text_add(w->e.text, "SOURCES = [");
	for (int v = 0; v < w->program->inputs; v++) {
		sw_text_add(w->e.text, v ? ", " : "");
		spec(w->e.text, &w->mesh, &w->type[v]);
	}
	sw_text_add(w->e.text, "]\nTARGET = ");
	spec(w->e.text, &w->mesh, result);
	sw_emit_line(&w->e, "\nDTYPE = jnp.dtype(\"%s\")", sw_python_dtype(result->dtype));
}

static bool add_step(const sw_program_emitter *w, int s)
{
	const sw_step *step = sw_program_step_at(w, s);

	if (step->why == SW_STEP_WRITTEN)
		return sw_writing_of(step->op)->jax(w, s);
	if (step->why != SW_STEP_TO_USE)
		add_move(w, step->operand[0], sw_program_value_of(w->program, s));
	return true;
}

static bool add_program(const sw_program_emitter *w)
{
	sw_text_addf(w->e.text, "def program(");
	sw_program_python_inputs(w);
	sw_text_add(w->e.text, "):\n");
	for (int s = 0; s < w->program->steps; s++)
		if (!add_step(w, s))
			return false;
	sw_emit_line(&w->e, "    return %s\n\n", w->name[w->program->returned]);
	return true;
}

bool sw_emit_program_jax(sw_program_emitter *w)
{
	sw_program_jax_head(w, true);
	sw_text_add(w->e.text, "\n\n");
	if (!add_program(w))
		return false;
	sw_python_sums_tools(&w->e);
	sw_program_python_whole(w);
	sw_program_python_check(w);
	sw_emit_line(&w->e, "def main():\n    inputs = values_of()");
	sw_emit_line(&w->e, "    arrays = [placed(value.astype(DTYPE), spec) for value, spec in zip(inputs, SOURCES)]");
	sw_emit_line(&w->e, "    run = told(jax.jit(program).lower(*arrays).compile())");
	sw_emit_line(&w->e,
		"    print(compared(whole(run(*arrays), TARGET), inputs))\n\n\nif __name__ == \"__main__\":\n    main()");
	return true;
}

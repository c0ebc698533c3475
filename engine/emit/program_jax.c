/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as JAX with explicit sharding: each operation says the sharding of what it makes, and `reshard` moves.
 */
#include "emit/program.h"

static void add_sharding(const sw_program_emitter *w, const sw_type *type)
{
	sw_text_add(w->e.text, "NamedSharding(mesh, ");
	sw_python_sums_spec(w->e.text, &w->mesh, type);
	sw_text_add_char(w->e.text, ')');
}

/* JAX multiplies no sums, and of the operations element by element it has a rule for `add` alone. */
static bool can(const sw_program_emitter *w, int s)
{
	sw_program_op op = w->program->statement[s].op;
	static const bool takes_sums[SW_DO_COUNT] = {[SW_DO_REDISTRIBUTE] = true, [SW_DO_ADD] = true};

	if (sw_program_op_has_body(op))
		return sw_program_refuse(w, s, "what a body computes on tiles is no operation on whole arrays");
	return takes_sums[op] || !sw_program_uses_sum(w, s) ||
		sw_program_refuse(w, s, "JAX has no rule for an operand that is a sum");
}

static void add_operand(const sw_program_emitter *w, int s, int k)
{
	int value = sw_program_operand(w, s, k);
	bool moves = sw_program_moves(w, &w->home[value], &w->use[2 * s + k]);

	sw_text_addf(w->e.text, "%s%s", moves ? "reshard(" : "", w->name[value]);
	if (!moves)
		return;
	sw_text_add(w->e.text, ", ");
	add_sharding(w, &w->use[2 * s + k]);
	sw_text_add_char(w->e.text, ')');
}

static void add_operation(const sw_program_emitter *w, int s)
{
	static const struct {
		const char *before, *between, *after;
	} forms[SW_DO_COUNT] = {
		[SW_DO_REDISTRIBUTE] = {"", "", ""},
		[SW_DO_RELU] = {"jnp.maximum(", "", ", 0)"},
		[SW_DO_EXP] = {"jnp.exp(", "", ")"},
		[SW_DO_NEG] = {"-", "", ""},
		[SW_DO_SCALE] = {"2 * ", "", ""},
		[SW_DO_ADD] = {"", " + ", ""},
		[SW_DO_MUL] = {"", " * ", ""},
		[SW_DO_EINSUM] = {"jnp.einsum(", ", ", ""},
	};
	const sw_program_statement *statement = &w->program->statement[s];
	bool product = sw_program_op_multiplies(statement->op);

	sw_text_addf(w->e.text, "    %s = %s", w->name[sw_program_made(w, s)], forms[statement->op].before);
	if (product) {
		sw_program_python_equation(w, s);
		sw_text_add(w->e.text, ", ");
	}
	for (int k = 0; k < statement->count; k++) {
		sw_text_add(w->e.text, k ? forms[statement->op].between : "");
		add_operand(w, s, k);
	}
	if (product) {
		sw_text_add(w->e.text, ", out_sharding=");
		add_sharding(w, &w->computed[s]);
		sw_text_add_char(w->e.text, ')');
	}
	sw_text_addf(w->e.text, "%s  # ", forms[statement->op].after);
	sw_type_print(&w->mesh, &w->computed[s], false, w->e.text);
	sw_text_add_char(w->e.text, '\n');
}

static void add_move(const sw_program_emitter *w, const char *name, const sw_type *to)
{
	sw_text_addf(w->e.text, "    %s = reshard(%s, ", name, name);
	add_sharding(w, to);
	sw_text_add(w->e.text, ")  # ");
	sw_type_print(&w->mesh, to, false, w->e.text);
	sw_text_add_char(w->e.text, '\n');
}

static void add_head(const sw_program_emitter *w)
{
	sw_text devices = {0};

	sw_emit_line(&w->e, "# A program of sharded arrays in JAX, with explicit sharding, written by shardwalk.\n#");
	sw_program_remark(w, "#   ");
	sw_emit_line(&w->e, "#\n# It runs by itself and checks the result: python3 THIS_FILE.py\n");
	sw_python_jax_start(&w->e, "from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P, reshard",
		w->result.dtype);
	sw_python_devices(&devices, w->program->mesh.order, w->e.devices, false);
	sw_python_explicit_mesh(w->e.text, &w->mesh, sw_text_get(&devices));
	sw_text_free(&devices);
	sw_text_add(w->e.text, "SOURCES = [");
	for (int v = 0; v < w->program->inputs; v++) {
		sw_text_add(w->e.text, v ? ", " : "");
		sw_python_sums_spec(w->e.text, &w->mesh, &w->home[v]);
	}
	sw_text_add(w->e.text, "]\nTARGET = ");
	sw_python_sums_spec(w->e.text, &w->mesh, &w->result);
	sw_emit_line(&w->e, "\nDTYPE = jnp.dtype(\"%s\")\n\n", sw_python_dtype(w->result.dtype));
}

static bool add_program(const sw_program_emitter *w)
{
	const sw_program *p = w->program;
	const char *returned = w->name[p->returned];

	sw_text_addf(w->e.text, "def program(");
	sw_program_python_inputs(w);
	sw_text_add(w->e.text, "):\n");
	for (int s = 0; s < p->statements; s++) {
		int made = sw_program_made(w, s);

		if (!can(w, s))
			return false;
		add_operation(w, s);
		if (sw_program_moves(w, &w->computed[s], &w->home[made]))
			add_move(w, w->name[made], &w->home[made]);
	}
	if (sw_program_moves(w, &w->home[p->returned], &w->result))
		add_move(w, returned, &w->result);
	sw_emit_line(&w->e, "    return %s\n\n", returned);
	return true;
}

bool sw_emit_program_jax(sw_program_emitter *w)
{
	add_head(w);
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

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program under JAX's shard_map: operations are those on tiles, and redistributions the collectives of their plans.
 */
#include "emit/planned.h"
#include "emit/program.h"

#include <stdio.h>

#include "advise/finer.h"
#include "step/row.h"

typedef struct writer {
	sw_planned_emitter *w;
	const sw_planned *planned;
	const sw_emitter *e;
	sw_mesh mesh;
	sw_type *type;              /* of values, over that mesh */
	const char **name, **named; /* of values that are held, and of those of the program */
} writer;

/* ---- the mesh ---- */

static bool fits(const writer *c, const sw_type *const *types, int count, sw_mesh *mesh)
{
	bool finer;
	sw_type type;

	if (!sw_finer_mesh(&c->planned->program->mesh, types, count, mesh, &finer))
		return false;
	for (int k = 0; k < count; k++)
		if (!sw_finer_type(&c->planned->program->mesh, mesh, types[k], &type))
			return false;
	return true;
}

/* Types of values, and then those on the way, which may go without names of axes. */
static int list_types(const writer *c, const sw_type **types)
{
	int count = 0;

	for (int v = 0; v < c->planned->values; v++)
		types[count++] = &c->planned->value[v].type;
	for (int s = 0; s < c->planned->count; s++) {
		const sw_plan *plan = c->planned->step[s].plan ? c->w->move[s].plan : NULL;

		for (int k = 0; plan && k < plan->count; k++)
			if (plan->value[k + 1].type)
				types[count++] = plan->value[k + 1].type;
	}
	return count;
}

/* The first step whose result has no axes beside the others. */
static bool refuse_mesh(const writer *c, const sw_type *const *types)
{
	sw_mesh mesh;
	int count = 1;

	while (count < c->planned->values && fits(c, types, count, &mesh))
		count++;
	int made = c->planned->value[count - 1].made;
	return sw_planned_refuse(c->w, made < 0 ? 0 : made,
		"no finer mesh has axes for '%.*s' and the values before it: they cut an axis in different orders",
		(int)c->planned->value[count - 1].name.length, c->planned->value[count - 1].name.at);
}

static bool take_names(writer *c)
{
	const sw_program *program = c->planned->program;
	bool ok;

	c->name = SW_NEW(c->e->arena, const char *, c->planned->values);
	c->named = SW_NEW(c->e->arena, const char *, program->values);
	ok = c->name && c->named;
	for (int v = 0; ok && v < c->planned->values; v++)
		ok = (c->name[v] = sw_program_python_name(c->e->arena, c->planned->value[v].name)) != NULL;
	for (int v = 0; ok && v < program->values; v++)
		ok = (c->named[v] = sw_program_python_name(c->e->arena, program->value[v].name)) != NULL;
	return ok;
}

static bool take_types(writer *c)
{
	const sw_planned *planned = c->planned;
	int room = planned->values;

	for (int s = 0; s < planned->count; s++)
		room += planned->step[s].plan ? c->w->move[s].plan->count : 0;
	const sw_type **types = SW_NEW(c->e->arena, const sw_type *, room);
	c->type = SW_NEW(c->e->arena, sw_type, planned->values);
	if (!types || !c->type || !take_names(c))
		return sw_diag_memory(c->e->diag);
	if (!fits(c, types, list_types(c, types), &c->mesh) && !fits(c, types, planned->values, &c->mesh))
		return refuse_mesh(c, types);
	for (int v = 0; v < planned->values; v++)
		if (!sw_finer_type(&planned->program->mesh, &c->mesh, types[v], &c->type[v]))
			return sw_diag_memory(c->e->diag);
	return true;
}

/* ---- redistributions ---- */

static bool add_moves(const writer *c)
{
	int base = 0;

	for (int s = 0; s < c->planned->count; s++) {
		sw_emitter *move = &c->w->move[s];

		if (!c->planned->step[s].plan)
			continue;
		if (!sw_shard_map_constants(move, &c->mesh, base))
			return sw_planned_refused(c->w, s);
		sw_text_add(c->e->text, "\n\ndef redistribute_");
		sw_text_addf(c->e->text, "%d(a):\n    # ", s + 1);
		sw_type_print(&c->mesh, &c->type[c->planned->step[s].operand[0]], false, c->e->text);
		sw_text_add(c->e->text, " to ");
		sw_type_print(&c->mesh, &c->type[c->planned->step[s].result], false, c->e->text);
		sw_text_add_char(c->e->text, '\n');
		if (!sw_shard_map_steps(move, &c->mesh, base))
			return sw_planned_refused(c->w, s);
		sw_emit_line(c->e, "    return a");
		base += move->plan->count;
	}
	return true;
}

/* ---- operations ---- */

/* `%a` and `%b` stand for the operands, `%n` for the module, `-` alone for the function that negates. */
static const char *const forms[SW_DO_COUNT] = {
	[SW_DO_MATMUL] = "%a @ %b",
	[SW_DO_RELU] = "%n.maximum(%a, 0)",
	[SW_DO_EXP] = "%n.exp(%a)",
	[SW_DO_NEG] = "negative(%a)",
	[SW_DO_SCALE] = "2 * %a",
	[SW_DO_ADD] = "%a + %b",
	[SW_DO_MUL] = "%a * %b",
};

static void add_form(sw_text *text, const char *form, const char *module, const char *a, const char *b)
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

static const sw_body *body_of(const writer *c, int s)
{
	return c->planned->program->statement[c->planned->step[s].statement].body;
}

static int number_of(const writer *c, int s)
{
	return c->planned->step[s].statement + 1;
}

static void add_body(const writer *c, int s)
{
	const sw_body *body = body_of(c, s);
	char a[16], b[16];

	sw_text_addf(c->e->text, "def body_%d(module, negative, keep", number_of(c, s));
	for (int i = 0; i < body->parameters; i++)
		sw_text_addf(c->e->text, ", t%d", i);
	sw_text_add(c->e->text, "):\n");
	for (int i = body->parameters; i < body->count; i++) {
		const sw_local *local = &body->local[i];

		snprintf(a, sizeof a, "t%d", local->operand[0]);
		snprintf(b, sizeof b, "t%d", local->operand[1]);
		sw_text_addf(c->e->text, "    t%d = keep(", i);
		add_form(c->e->text, forms[local->op], "module", a, b);
		sw_text_add(c->e->text, ")  # ");
		sw_type_print_tile(local->tile, local->rank, c->e->text);
		sw_text_add_char(c->e->text, '\n');
	}
	sw_emit_line(c->e, "    return t%d\n\n", body->returned);
}

/* Forms of statements that differ from those of a body. */
static const char *const outside[SW_DO_COUNT] = {[SW_DO_NEG] = "-%a"};

static void add_operation(const writer *c, int s)
{
	const sw_planned_step *step = &c->planned->step[s];
	sw_text *text = c->e->text;
	const char *a = c->name[step->operand[0]], *b = step->count > 1 ? c->name[step->operand[1]] : "";

	sw_text_addf(text, "    %s = ", c->name[step->result]);
	if (sw_program_op_moves(step->op))
		sw_text_addf(text, "redistribute_%d(%s)", s + 1, a);
	else if (sw_program_op_multiplies(step->op)) {
		sw_text_add(text, "jnp.einsum(\"");
		sw_equation_print(sw_planned_equation(c->planned, step), text);
		sw_text_addf(text, "\", %s, %s)", a, b);
	} else if (sw_program_op_has_body(step->op)) {
		sw_text_addf(text, "body_%d(jnp, jnp.negative, lambda tile: tile", number_of(c, s));
		for (int i = 0; i < step->count; i++)
			sw_text_addf(text, ", %s", c->name[step->operand[i]]);
		sw_text_add_char(text, ')');
	} else
		add_form(text, outside[step->op] ? outside[step->op] : forms[step->op], "jnp", a, b);
	sw_text_add(text, "  # ");
	sw_type_print(&c->mesh, &c->type[step->result], false, text);
	sw_text_add_char(text, '\n');
}

static void add_inputs(const writer *c)
{
	for (int v = 0; v < c->planned->program->inputs; v++)
		sw_text_addf(c->e->text, "%s%s", v ? ", " : "", c->name[v]);
}

static void add_program(const writer *c)
{
	int returned = c->planned->returned;

	sw_text_add(c->e->text, "def on_device(");
	add_inputs(c);
	sw_emit_line(c->e, "):\n    \"\"\"What each device does with its tiles.\"\"\"");
	for (int v = 0; v < c->planned->program->inputs; v++)
		if (sw_type_terms(&c->type[v]) > 1)
			sw_emit_line(c->e, "    %s = %s[0]  # the term of this device", c->name[v], c->name[v]);
	for (int s = 0; s < c->planned->count; s++)
		add_operation(c, s);
	sw_emit_line(c->e, "    return %s%s\n\n", c->name[returned],
		sw_type_terms(&c->type[returned]) > 1 ? "[None]" : "");
	sw_emit_line(c->e,
		"program = jax.shard_map(on_device, mesh=mesh, in_specs=tuple(SOURCES), out_specs=TARGET, check_vma=False)\n\n");
}

/* ---- bodies on whole arrays ---- */

static const char *const tools[] = {
	"def tile_of(shape, axes, at):",
	"    \"\"\"Where a tile begins and ends along each dimension, which these axes cut, major to minor.\"\"\"",
	"    place = []",
	"    for size, cuts in zip(shape, axes):",
	"        number, count = 0, 1",
	"        for axis in cuts:",
	"            number, count = number * mesh.shape[axis] + at[axis], count * mesh.shape[axis]",
	"        place.append((number * size // count, (number + 1) * size // count))",
	"    return tuple(place)",
	"",
	"",
	"def on_tiles(body, tiles, operands, keep, negative):",
	"    \"\"\"What the devices make of their tiles, put together; terms are added.\"\"\"",
	"    *cuts, (shape, axes, sums) = tiles",
	"    result, seen = np.zeros(shape), set()",
	"    for at in np.ndindex(*mesh.devices.shape):",
	"        at = dict(zip(AXES, at))",
	"        place = tile_of(shape, axes, at)",
	"        term = (place, tuple(at[axis] for axis in sums))",
	"        if term in seen:",
	"            continue",
	"        seen.add(term)",
	"        parts = [tile_of(value.shape, cut, at) for value, cut in zip(operands, cuts)]",
	"        held = [value[tuple(slice(*ends) for ends in part)] for value, part in zip(operands, parts)]",
	"        result[tuple(slice(*ends) for ends in place)] += body(np, negative, keep, *held)",
	"    return result",
	"",
	"",
};

static void add_axes(const writer *c, const sw_type *type)
{
	int axes[SW_MAX_PARTS];

	sw_text_add_char(c->e->text, '(');
	for (int i = 0; i < type->rank; i++) {
		int count = sw_emit_axes(type, i, axes);

		if (count)
			sw_python_axes(c->e->text, &c->mesh, axes, count);
		else
			sw_text_add(c->e->text, "()");
		sw_text_add(c->e->text, i + 1 < type->rank || type->rank == 1 ? ", " : "");
	}
	sw_text_add_char(c->e->text, ')');
}

static void add_tiles(const writer *c, int s)
{
	const sw_planned_step *step = &c->planned->step[s];
	const sw_type *type = &c->type[step->result];
	int axes[SW_MAX_PARTS], sums = sw_emit_axes(type, type->rank, axes);

	sw_text_addf(c->e->text, "TILES_%d = [", number_of(c, s));
	for (int i = 0; i < step->count; i++) {
		add_axes(c, &c->type[step->operand[i]]);
		sw_text_add(c->e->text, ", ");
	}
	sw_text_add_char(c->e->text, '(');
	sw_python_tuple(c->e->text, type->global, type->rank);
	sw_text_add(c->e->text, ", ");
	add_axes(c, type);
	sw_text_add(c->e->text, ", ");
	if (sums)
		sw_python_axes(c->e->text, &c->mesh, axes, sums);
	else
		sw_text_add(c->e->text, "()");
	sw_text_add(c->e->text, ")]\n");
}

static void add_bodies(const writer *c)
{
	bool any = false;

	for (int s = 0; s < c->planned->count; s++)
		if (sw_program_op_has_body(c->planned->step[s].op)) {
			add_tiles(c, s);
			any = true;
		}
	sw_text_add(c->e->text, any ? "\n\n" : "");
	for (int s = 0; s < c->planned->count; s++)
		if (sw_program_op_has_body(c->planned->step[s].op))
			add_body(c, s);
	for (size_t k = 0; any && k < sizeof tools / sizeof *tools; k++)
		sw_emit_line(c->e, "%s", tools[k]);
}

/* ---- the whole ---- */

static void add_head(const writer *c, const sw_program_emitter *p)
{
	const sw_type *result = &c->type[c->planned->returned];
	sw_text devices = {0};

	sw_emit_line(c->e,
		"# A program of sharded arrays under shard_map in JAX, collective by collective, written by shardwalk.\n#");
	sw_program_remark(p, "#   ");
	sw_emit_line(c->e, "#\n# It runs by itself and checks the result: python3 THIS_FILE.py\n");
	sw_python_jax_start(c->e, "from jax import lax\nfrom jax.sharding import Mesh, NamedSharding, PartitionSpec as P",
		result->dtype);
	sw_python_devices(&devices, c->planned->program->mesh.order, c->e->devices, false);
	sw_text_add(c->e->text, "mesh = ");
	sw_python_mesh(c->e->text, &c->mesh, sw_text_get(&devices));
	sw_text_free(&devices);
	sw_emit_line(c->e, "\nAXES = mesh.axis_names  # over all of them an index is the number of a device");
	sw_text_add(c->e->text, "SOURCES = [");
	for (int v = 0; v < c->planned->program->inputs; v++) {
		sw_text_add(c->e->text, v ? ", " : "");
		sw_python_spec_of_terms(c->e->text, &c->mesh, &c->type[v]);
	}
	sw_text_add(c->e->text, "]\nTARGET = ");
	sw_python_spec_of_terms(c->e->text, &c->mesh, result);
	sw_text_add(c->e->text, "\nTERMS = [");
	for (int v = 0; v < c->planned->program->inputs; v++)
		sw_text_addf(c->e->text, "%s%lld", v ? ", " : "", (long long)sw_type_terms(&c->type[v]));
	sw_emit_line(c->e, "], %lld  # that make up a value: they stand along a first dimension of their own",
		(long long)sw_type_terms(result));
	sw_emit_line(c->e, "DTYPE = jnp.dtype(\"%s\")", sw_python_dtype(result->dtype));
}

static const char *const tail[] = {
	"def placed(values, spec, terms):",
	"    \"\"\"The array on the devices; or terms, each element in one of them.\"\"\"",
	"    if terms > 1:",
	"        chosen = np.random.default_rng(1).integers(0, terms, values.shape)",
	"        values = np.stack([np.where(chosen == term, values, 0) for term in range(terms)])",
	"    return jax.device_put(values.astype(DTYPE), NamedSharding(mesh, spec))",
	"",
	"",
	"def main():",
	"    inputs = values_of()",
	"    arrays = [placed(*one) for one in zip(inputs, SOURCES, TERMS[0])]",
	"    run = jax.jit(program).lower(*arrays).compile()",
	"    text = run.as_text()",
	"    for kind in (\"all-gather\", \"all-to-all\", \"collective-permute\", \"all-reduce\", \"reduce-scatter\"):",
	"        print(f\"{kind}: {text.count(f' {kind}(') + text.count(f' {kind}-start(')}\")",
	"    result = np.asarray(run(*arrays)).astype(np.float64)",
	"    print(compared(result.sum(axis=0) if TERMS[1] > 1 else result, inputs))",
	"",
	"",
	"if __name__ == \"__main__\":",
	"    main()",
};

bool sw_emit_planned_shard_map(sw_planned_emitter *w)
{
	writer c = {.w = w, .planned = w->planned, .e = &w->e};

	if (!take_types(&c))
		return false;
	const sw_program_emitter p = {.e = w->e, .program = w->planned->program, .mesh = c.mesh, .name = c.named};
	add_head(&c, &p);
	if (!add_moves(&c))
		return false;
	sw_text_add(w->e.text, "\n\n");
	add_bodies(&c);
	add_program(&c);
	sw_program_python_whole(&p);
	sw_program_python_check(&p);
	for (size_t k = 0; k < sizeof tail / sizeof *tail; k++)
		sw_emit_line(&w->e, "%s", tail[k]);
	return true;
}

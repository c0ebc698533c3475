/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program under JAX's shard_map: operations are those on tiles, and redistributions the collectives of their plans.  A plan is one
 * that moves one array.
 */
#include "emit/program.h"
#include "emit/writing.h"

#include <stdio.h>

#include "advise/finer.h"
#include "step/row.h"

typedef struct sw_shard_map_writer {
	sw_program_emitter *w;
	const sw_program *program;
	const sw_emitter *e;
} writer;

/* ---- the mesh ---- */

/* Has a finer mesh axes for all these types? */
static bool fits(const writer *c, const sw_type *const *types, int count, sw_mesh *fine)
{
	const sw_mesh *mesh = &c->program->mesh;
	sw_type type;

	if (!sw_finer_mesh(mesh, types, count, fine, &c->w->finer))
		return false;
	for (int k = 0; k < count; k++)
		if (!sw_finer_type(mesh, fine, types[k], &type))
			return false;
	return true;
}

/* Types of values, and then those on the way, which may go without names of axes. */
static int list_types(const writer *c, const sw_type **types)
{
	int count = 0;

	for (int v = 0; v < c->program->values; v++)
		types[count++] = c->program->value[v].type;
	for (int s = 0; s < c->program->steps; s++) {
		const sw_plan *plan = c->program->step[s].inside ? c->w->move[s].plan : NULL;

		for (int k = 0; plan && k < plan->program.steps; k++)
			if (plan->program.value[k + 1].type)
				types[count++] = plan->program.value[k + 1].type;
	}
	return count;
}

/* The first step whose result has no axes beside the others. */
static bool refuse_mesh(const writer *c, const sw_type *const *types)
{
	sw_mesh mesh;
	int count = 1;

	if (c->e->plan)
		return sw_emit_refuse(c->e, "the format mpi needs no mesh",
			"no finer mesh has axes for both ends: they cut an axis into factors in different orders");
	while (count < c->program->values && fits(c, types, count, &mesh))
		count++;
	int made = sw_program_maker(c->program, count - 1);
	return sw_program_refuse(c->w, made < 0 ? 0 : made,
		"no finer mesh has axes for '%.*s' and the values before it: they cut an axis in different orders",
		(int)c->program->value[count - 1].name.length, c->program->value[count - 1].name.at);
}

static bool take_types(const writer *c)
{
	const sw_program *program = c->program;
	int room = program->values;

	for (int s = 0; s < program->steps; s++)
		room += program->step[s].inside ? c->w->move[s].plan->program.steps : 0;
	const sw_type **types = SW_NEW(c->e->arena, const sw_type *, room);
	if (!types)
		return sw_diag_memory(c->e->diag);
	if (!fits(c, types, list_types(c, types), &c->w->mesh) && !fits(c, types, program->values, &c->w->mesh))
		return refuse_mesh(c, types);
	for (int v = 0; v < program->values; v++)
		if (!sw_finer_type(&program->mesh, &c->w->mesh, types[v], &c->w->type[v]))
			return sw_diag_memory(c->e->diag);
	return true;
}

/* ---- redistributions ---- */

static bool add_moves(const writer *c)
{
	int base = 0;

	for (int s = 0; s < c->program->steps; s++) {
		sw_emitter *move = &c->w->move[s];

		if (!c->program->step[s].inside)
			continue;
		if (!sw_shard_map_constants(move, &c->w->mesh, base))
			return sw_program_refused(c->w, s);
		sw_text_add(c->e->text, "\n\ndef redistribute_");
		sw_text_addf(c->e->text, "%d(a):\n    # ", s + 1);
		sw_type_print(&c->w->mesh, sw_program_used(c->w, s, 0), false, c->e->text);
		sw_text_add(c->e->text, " to ");
		sw_type_print(&c->w->mesh, sw_program_made(c->w, s), false, c->e->text);
		sw_text_add_char(c->e->text, '\n');
		if (!sw_shard_map_steps(move, &c->w->mesh, base))
			return sw_program_refused(c->w, s);
		sw_emit_line(c->e, "    return a");
		base += move->plan->program.steps;
	}
	return true;
}

/* ---- operations ---- */

static int number_of(const writer *c, int s)
{
	return sw_program_statement(c->program, s);
}

static void add_body(const writer *c, int s)
{
	const sw_program *body = c->program->step[s].body;
	char a[16], b[16];

	sw_text_addf(c->e->text, "def body_%d(module, negative, keep", number_of(c, s));
	for (int i = 0; i < body->inputs; i++)
		sw_text_addf(c->e->text, ", t%d", i);
	sw_text_add(c->e->text, "):\n");
	for (int k = 0; k < body->steps; k++) {
		const sw_step *call = &body->step[k];
		const sw_type *tile = body->value[body->inputs + k].type;

		snprintf(a, sizeof a, "t%d", call->operand[0]);
		snprintf(b, sizeof b, "t%d", call->operand[call->operands - 1]);
		sw_text_addf(c->e->text, "    t%d = keep(", body->inputs + k);
		sw_program_python_form(c->e->text, sw_words_of(call->op)->python, "module", a, b);
		sw_text_add(c->e->text, ")  # ");
		sw_type_print_tile(tile->tile, tile->rank, c->e->text);
		sw_text_add_char(c->e->text, '\n');
	}
	sw_emit_line(c->e, "    return t%d\n\n", body->returned);
}

static const char *operand_name(const writer *c, int s, int k)
{
	return c->w->name[c->program->step[s].operand[k]];
}

void sw_shard_map_move(const writer *c, int s)
{
	sw_text_addf(c->e->text, "redistribute_%d(%s)", s + 1, operand_name(c, s, 0));
}

void sw_shard_map_product(const writer *c, int s)
{
	sw_text_add(c->e->text, "jnp.einsum(");
	sw_program_python_equation(c->w, s);
	sw_text_addf(c->e->text, ", %s, %s)", operand_name(c, s, 0), operand_name(c, s, 1));
}

void sw_shard_map_body(const writer *c, int s)
{
	sw_text_addf(c->e->text, "body_%d(jnp, jnp.negative, lambda tile: tile", number_of(c, s));
	for (int i = 0; i < c->program->step[s].operands; i++)
		sw_text_addf(c->e->text, ", %s", operand_name(c, s, i));
	sw_text_add_char(c->e->text, ')');
}

void sw_shard_map_elements(const writer *c, int s)
{
	const sw_step *step = &c->program->step[s];
	const sw_words *words = sw_words_of(step->op);

	sw_program_python_form(c->e->text, words->outside ? words->outside : words->python, "jnp", operand_name(c, s, 0),
		operand_name(c, s, step->operands - 1));
}

static void add_operation(const writer *c, int s)
{
	sw_text *text = c->e->text;

	sw_text_addf(text, "    %s = ", c->w->name[sw_program_value_of(c->program, s)]);
	sw_writing_of(c->program->step[s].op)->shard_map(c, s);
	sw_text_add(text, "  # ");
	sw_type_print(&c->w->mesh, sw_program_made(c->w, s), false, text);
	sw_text_add_char(text, '\n');
}

static void add_program(const writer *c)
{
	int returned = c->program->returned;

	sw_text_add(c->e->text, "def on_device(");
	sw_program_python_inputs(c->w);
	sw_emit_line(c->e, "):\n    \"\"\"What each device does with its tiles.\"\"\"");
	for (int v = 0; v < c->program->inputs; v++)
		if (sw_type_terms(&c->w->type[v]) > 1)
			sw_emit_line(c->e, "    %s = %s[0]  # the term of this device", c->w->name[v], c->w->name[v]);
	for (int s = 0; s < c->program->steps; s++)
		add_operation(c, s);
	sw_emit_line(c->e, "    return %s%s\n\n", c->w->name[returned],
		sw_type_terms(&c->w->type[returned]) > 1 ? "[None]" : "");
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
	NULL,
};

static void add_axes(const writer *c, const sw_type *type)
{
	int axes[SW_MAX_PARTS];

	sw_text_add_char(c->e->text, '(');
	for (int i = 0; i < type->rank; i++) {
		int count = sw_emit_axes(type, i, axes);

		if (count)
			sw_python_axes(c->e->text, &c->w->mesh, axes, count);
		else
			sw_text_add(c->e->text, "()");
		sw_text_add(c->e->text, i + 1 < type->rank || type->rank == 1 ? ", " : "");
	}
	sw_text_add_char(c->e->text, ')');
}

static void add_tiles(const writer *c, int s)
{
	const sw_step *step = &c->program->step[s];
	const sw_type *type = sw_program_made(c->w, s);
	int axes[SW_MAX_PARTS], sums = sw_emit_axes(type, type->rank, axes);

	sw_text_addf(c->e->text, "TILES_%d = [", number_of(c, s));
	for (int i = 0; i < step->operands; i++) {
		add_axes(c, &c->w->type[step->operand[i]]);
		sw_text_add(c->e->text, ", ");
	}
	sw_text_add_char(c->e->text, '(');
	sw_python_tuple(c->e->text, type->global, type->rank);
	sw_text_add(c->e->text, ", ");
	add_axes(c, type);
	sw_text_add(c->e->text, ", ");
	if (sums)
		sw_python_axes(c->e->text, &c->w->mesh, axes, sums);
	else
		sw_text_add(c->e->text, "()");
	sw_text_add(c->e->text, ")]\n");
}

static void add_bodies(const writer *c)
{
	bool any = false;

	for (int s = 0; s < c->program->steps; s++)
		if (c->program->step[s].body) {
			add_tiles(c, s);
			any = true;
		}
	sw_text_add(c->e->text, any ? "\n\n" : "");
	for (int s = 0; s < c->program->steps; s++)
		if (c->program->step[s].body)
			add_body(c, s);
	if (any)
		sw_emit_lines(c->e, tools);
}

/* ---- the whole ---- */

bool sw_emit_program_shard_map(sw_program_emitter *w)
{
	const writer c = {.w = w, .program = w->program, .e = &w->e};

	if (!take_types(&c))
		return false;
	sw_program_jax_head(w, SW_JAX_TILES);
	sw_emit_line(&w->e, "AXES = mesh.axis_names  # an index over all of them is the number of a device");
	if (!add_moves(&c))
		return false;
	sw_text_add(w->e.text, "\n\n");
	add_bodies(&c);
	add_program(&c);
	sw_program_jax_tail(w, SW_JAX_TILES);
	return true;
}

bool sw_emit_shard_map(sw_emitter *e)
{
	sw_program_emitter w;

	return sw_program_of_plan(e, &w) && sw_emit_program_shard_map(&w);
}

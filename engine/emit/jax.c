/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan in JAX, as a program that moves one array from type to type: by sharding constraints, or where types have sums by reshard calls
 * on a mesh of explicit axes, whose specs say which of them are `unreduced`.
 */
#include "emit/program.h"
#include "step/row.h"

/* XLA sums before it moves, and what stays a sum it moves as if it were whole. */
static bool can_hop(const sw_emitter *e, const sw_type_chain *chain, int k)
{
	const sw_type *from = &chain->type[k - 1], *to = &chain->type[k];
	int done = sw_emit_sum_beside(from, to), made = sw_emit_sum_beside(to, from);
	bool stays = sw_type_terms(from) > 1 && sw_type_terms(to) > 1;
	bool permutes = !e->advice && k <= e->plan->program.steps &&
		sw_row(e->plan->program.step[k - 1].op)->among == SW_AMONG_PAIRS;

	if (done >= 0 && made >= 0)
		return sw_emit_refuse(e, SW_EMIT_OF_STEPS,
			"step %d finishes the sum over '%s' and begins one over '%s', which ends XLA's compiler", k,
			chain->mesh.axis[done].name, chain->mesh.axis[made].name);
	if (stays && permutes)
		return sw_emit_refuse(e, SW_EMIT_OF_STEPS,
			"step %d permutes tiles that are terms of a sum: XLA would mix the terms", k);
	return true;
}

static bool can(const sw_emitter *e, const sw_type_chain *chain)
{
	for (int k = 1; k < chain->count; k++)
		if (!can_hop(e, chain, k))
			return false;
	return true;
}

bool sw_emit_jax(sw_emitter *e)
{
	bool sums = sw_emit_has_sums(e);
	sw_program_emitter w;
	sw_type_chain chain;

	if (!sw_emit_type_chain(e, !sums, &chain) || (sums && !can(e, &chain)) ||
		!sw_program_of_types(e, chain.type, chain.count, NULL, &w))
		return false;
	w.mesh = chain.mesh;
	w.finer = chain.finer;
	w.chain = sums ? NULL : &chain;
	return sw_emit_program_jax(&w);
}

/* Meshes that the program has not yet: made of the devices of its own one, `mesh`, or of all. */
static void add_meshes(const sw_emitter *e, const sw_type_chain *chain, int first)
{
	char name[SW_PYTHON_MESH];
	sw_text devices = {0};

	if (e->mesh->unnamed) {
		sw_emit_line(e, "assert jax.device_count() == %lld", (long long)e->devices);
		sw_python_devices(&devices, e->mesh->devices, e->devices, true);
	} else {
		sw_text_add(&devices, "mesh.devices");
	}
	for (int k = 1; k < chain->count; k++) {
		if (k > 1 && sw_emit_mesh_of(chain, k) == sw_emit_mesh_of(chain, k - 1))
			continue;
		sw_text_addf(e->text, "%s = ", sw_python_mesh_name(chain, k, first, name));
		sw_python_mesh(e->text, sw_emit_mesh_of(chain, k), sw_text_get(&devices), false);
		sw_text_add_char(e->text, '\n');
	}
	e->text->failed = e->text->failed || devices.failed;
	sw_text_free(&devices);
}

bool sw_emit_jax_lines(sw_emitter *e, const sw_type_chain *chain)
{
	bool has_it = !chain->of && !chain->finer && !e->mesh->unnamed;
	int first = !has_it && !e->mesh->unnamed;
	char name[SW_PYTHON_MESH];

	if (!has_it)
		add_meshes(e, chain, first);
	for (int k = 1; k < chain->count; k++)
		sw_python_constraint(e->text, "x", sw_python_mesh_name(chain, k, first, name), sw_emit_mesh_of(chain, k),
			&chain->type[k]);
	return true;
}

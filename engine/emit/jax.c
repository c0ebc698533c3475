/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as sharding constraints in JAX: what the array is after each step, and the compiler finds the step.
 */
#include "emit/python.h"

static void add_remark(const sw_emitter *e, const sw_type_chain *chain, int k)
{
	sw_text_add(e->text, "  # ");
	sw_type_print(sw_emit_mesh_of(chain, k), &chain->type[k], false, e->text);
	sw_text_add_char(e->text, '\n');
}

bool sw_emit_jax(sw_emitter *e)
{
	char mesh[SW_PYTHON_MESH];
	sw_type_chain chain;

	if (sw_emit_has_sums(e))
		return sw_emit_jax_sums(e);
	if (!sw_emit_type_chain(e, true, &chain))
		return false;
	sw_python_jax_head(e, &chain, "Redistribution of an array by sharding constraints in JAX");
	sw_emit_line(e, "def redistribute(a):");
	for (int k = 1; k + 1 < chain.count; k++) {
		sw_text_add(e->text, "    a = lax.with_sharding_constraint(a, sharding(");
		sw_python_spec(e->text, sw_emit_mesh_of(&chain, k), &chain.type[k]);
		sw_text_addf(e->text, "%s%s))", sw_emit_mesh_number(&chain, k) ? ", " : "",
			sw_emit_mesh_number(&chain, k) ? sw_python_mesh_name(&chain, k, 0, mesh) : "");
		add_remark(e, &chain, k);
	}
	sw_text_add(e->text, "    return lax.with_sharding_constraint(a, target)");
	add_remark(e, &chain, chain.count - 1);
	sw_python_jax_tail(e);
	return true;
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
		sw_python_mesh(e->text, sw_emit_mesh_of(chain, k), sw_text_get(&devices));
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
	for (int k = 1; k < chain->count; k++) {
		sw_text_addf(e->text, "x = jax.lax.with_sharding_constraint(x, NamedSharding(%s, ",
			sw_python_mesh_name(chain, k, first, name));
		sw_python_spec(e->text, sw_emit_mesh_of(chain, k), &chain->type[k]);
		sw_text_add(e->text, "))\n");
	}
	return true;
}

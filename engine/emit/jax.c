/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as sharding constraints in JAX: what the array is after each step, and the compiler finds the step.
 */
#include "emit/python.h"

static void add_remark(const sw_emitter *e, const sw_way *way, int k)
{
	sw_text_add(e->text, "  # ");
	sw_type_print(&way->mesh, &way->type[k], false, e->text);
	sw_text_add_char(e->text, '\n');
}

bool sw_emit_jax(sw_emitter *e)
{
	sw_way way;

	if (!sw_emit_way(e, &way))
		return false;
	sw_python_jax_head(e, &way, "Redistribution of an array by sharding constraints in JAX");
	sw_emit_line(e, "def redistribute(a):");
	for (int k = 1; k + 1 < way.count; k++) {
		sw_text_add(e->text, "    a = lax.with_sharding_constraint(a, sharding(");
		sw_python_spec(e->text, &way.mesh, &way.type[k]);
		sw_text_add(e->text, "))");
		add_remark(e, &way, k);
	}
	sw_text_add(e->text, "    return lax.with_sharding_constraint(a, sharding(TARGET))");
	add_remark(e, &way, way.count - 1);
	sw_python_jax_tail(e);
	return true;
}

bool sw_emit_jax_lines(sw_emitter *e, const sw_way *way)
{
	if (way->finer) {
		sw_text_add(e->text, "mesh = ");
		sw_python_mesh(e->text, &way->mesh, NULL);
		sw_text_add_char(e->text, '\n');
	}
	for (int k = 1; k < way->count; k++) {
		sw_text_add(e->text, "x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, ");
		sw_python_spec(e->text, &way->mesh, &way->type[k]);
		sw_text_add(e->text, "))\n");
	}
	return true;
}
